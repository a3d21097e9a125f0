"""Run a command in a process group of its own, within limits of time and memory."""

import json
import os
import select
import signal
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from threading import Event
from time import monotonic
from typing import IO, Any, cast

from s2auc.experiments.memory import resident_bytes

#: Seconds between two looks at the memory of a process; it may exceed its limit for that long.
POLL_SECONDS = 0.02

#: Seconds that a process gets to end after it has given its result.
EXIT_SECONDS = 5.0

#: Bytes of standard error that are kept.
_KEPT_BYTES = 4_096


@dataclass(frozen=True)
class Limits:
    """How long a process may load, how long it may work from then on, and what it may hold.

    The memory of a process is what it holds itself; of processes that it starts only the end is taken care of.
    """

    load_seconds: float
    work_seconds: float
    memory_bytes: int | None = None


class Stop(StrEnum):
    """Why a process was stopped."""

    LOADING = "loading"
    WORKING = "working"
    MEMORY = "memory"
    INTERRUPT = "interrupt"


@dataclass
class Ending:
    """How a process ended.

    Attributes
    ----------
    messages
        The JSON lines it sent.
    stop
        Why it was stopped, None if it ended by itself.
    returncode
        As in `subprocess.Popen`.
    peak_bytes
        The most memory that was seen.
    error_text
        The end of what it wrote to standard error.
    """

    messages: list[dict[str, Any]] = field(default_factory=list)
    stop: Stop | None = None
    returncode: int = 0
    peak_bytes: int = 0
    error_text: str = ""

    def message(self, event: str) -> dict[str, Any] | None:
        """Return the first message about an event, without its name."""
        for message in self.messages:
            if message.get("event") == event:
                return {name: value for name, value in message.items() if name != "event"}
        return None


def run_limited(
    command: Sequence[str], task: Mapping[str, Any], limits: Limits, *, interrupt: Event, environment: Mapping[str, str]
) -> Ending:
    """Run a command until it ends or breaks a limit, and end every process of its group.

    Parameters
    ----------
    command
        The command; the number of a file descriptor that takes lines of JSON is added to it.
    task
        Goes to standard input as one line, and the input stays open until the end: a command that notices its end
        knows that this process is gone.
    limits
        When to stop it. Work starts with the event "ready".
    interrupt
        Stops it from another thread.
    environment
        Environment variables.
    """
    receiver, sender = os.pipe()
    try:
        process = subprocess.Popen(
            [*command, str(sender)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            pass_fds=(sender,),
            process_group=0,
            env=dict(environment),
        )
    except BaseException:
        os.close(receiver)
        raise
    finally:
        os.close(sender)
    watch = _Watch(process, receiver, limits, interrupt)
    try:
        watch.send(task)
        watch.run()
    finally:
        # The group is ended before its leader is reaped: until then its number cannot belong to anyone else.
        _end_group(process.pid)
        watch.ending.returncode = process.wait()
        watch.close()
    return watch.ending


class _Watch:
    """Reads what a process says and looks after its limits."""

    def __init__(self, process: "subprocess.Popen[bytes]", receiver: int, limits: Limits, interrupt: Event) -> None:
        self.ending = Ending()
        self._process = process
        self._input = cast(IO[bytes], process.stdin)
        self._errors = cast(IO[bytes], process.stderr)
        self._receiver = receiver
        self._open = [receiver, self._errors.fileno()]
        self._received = bytearray()
        self._error_bytes = bytearray()
        self._limits = limits
        self._interrupt = interrupt
        self._deadline = monotonic() + limits.load_seconds

    def send(self, task: Mapping[str, Any]) -> None:
        try:
            self._input.write(json.dumps(task).encode() + b"\n")
            self._input.flush()
        except BrokenPipeError:
            return  # It has ended already, and its exit code will say how.

    def run(self) -> None:
        while not self._has_ended():
            self._read(POLL_SECONDS)
            self.ending.stop = self._broken_limit()
            if self.ending.stop is not None or self._lingers():
                return
        self._read(0)

    def close(self) -> None:
        self._input.close()
        self._errors.close()
        os.close(self._receiver)
        self.ending.error_text = self._error_bytes.decode(errors="replace")

    def _has_ended(self) -> bool:
        options = os.WEXITED | os.WNOHANG | os.WNOWAIT
        return os.waitid(os.P_PID, self._process.pid, options) is not None

    def _broken_limit(self) -> Stop | None:
        held = resident_bytes(self._process.pid)
        self.ending.peak_bytes = max(self.ending.peak_bytes, held)
        if self._interrupt.is_set():
            return Stop.INTERRUPT
        if self.ending.message("result") is not None:
            return None
        if self._limits.memory_bytes is not None and held > self._limits.memory_bytes:
            return Stop.MEMORY
        if monotonic() > self._deadline:
            return Stop.LOADING if self.ending.message("ready") is None else Stop.WORKING
        return None

    def _lingers(self) -> bool:
        """Return whether the process has given its result and still does not end."""
        return self.ending.message("result") is not None and monotonic() > self._deadline

    def _read(self, seconds: float) -> None:
        if not self._open:
            self._interrupt.wait(seconds)
            return
        while True:
            ready = select.select(self._open, [], [], seconds)[0]
            for number in ready:
                piece = os.read(number, 65_536)
                if not piece:
                    self._open.remove(number)
                self._take(number, piece)
            if seconds or not ready or not self._open:
                return

    def _take(self, number: int, piece: bytes) -> None:
        if number != self._receiver:
            self._error_bytes += piece
            del self._error_bytes[:-_KEPT_BYTES]
            return
        self._received += piece
        *lines, rest = self._received.split(b"\n")
        self._received = rest
        for line in lines:
            try:
                message = json.loads(line)
            except ValueError:  # A method has found the descriptor and written to it.
                continue
            if not isinstance(message, dict) or "event" not in message:
                continue
            self.ending.messages.append(message)
            self._deadline = monotonic() + self._seconds_after(message["event"])

    def _seconds_after(self, event: str) -> float:
        return self._limits.work_seconds if event == "ready" else EXIT_SECONDS


def _end_group(leader: int) -> None:
    try:
        os.killpg(leader, signal.SIGKILL)
    except ProcessLookupError:
        return
    except PermissionError:  # macOS says so of a group that has ended but for its leader.
        return
