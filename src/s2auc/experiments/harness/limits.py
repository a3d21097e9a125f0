"""Run a command in a process group of its own, within limits of time and memory."""

import json
import os
import select
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from tempfile import TemporaryFile
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
        The JSON objects it sent, by their event; of several with one event the first.
    stop
        Why it was stopped, None if it ended by itself.
    returncode
        As in `subprocess.Popen`.
    peak_bytes
        The most memory that was seen.
    error_text
        The end of what it wrote to standard error.
    """

    messages: dict[str, dict[str, Any]] = field(default_factory=dict)
    stop: Stop | None = None
    returncode: int = 0
    peak_bytes: int = 0
    error_text: str = ""


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
    with open(receiver, "rb", buffering=0), TemporaryFile() as errors:
        try:
            process = subprocess.Popen(
                [*command, str(sender)],
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=errors,
                pass_fds=(sender,),
                process_group=0,
                env=dict(environment),
            )
        finally:
            os.close(sender)
        watch = _Watch(process.pid, receiver, limits, interrupt, monotonic() + limits.load_seconds)
        with process:
            try:
                with suppress(BrokenPipeError):  # It has ended already, and its exit code will say how.
                    cast(IO[bytes], process.stdin).write(json.dumps(task).encode() + b"\n")
                watch.run()
            finally:
                # The group is ended before its leader is reaped: until then its number cannot belong to anyone else.
                # macOS lacks permission for a group that has ended but for its leader.
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(process.pid, signal.SIGKILL)
        watch.ending.returncode = process.returncode
        errors.seek(max(0, errors.seek(0, os.SEEK_END) - _KEPT_BYTES))
        watch.ending.error_text = errors.read().decode(errors="replace")
    return watch.ending


@dataclass
class _Watch:
    """Reads what a process says and looks after its limits."""

    pid: int
    receiver: int
    limits: Limits
    interrupt: Event
    deadline: float
    ending: Ending = field(default_factory=Ending)
    received: bytes = b""
    is_open: bool = True

    def run(self) -> None:
        while os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
            self._read(POLL_SECONDS)
            self.ending.stop = self._broken_limit()
            lingers = "result" in self.ending.messages and monotonic() > self.deadline
            if self.ending.stop is not None or lingers:
                return
        while self._read(0):
            continue

    def _broken_limit(self) -> Stop | None:
        held = resident_bytes(self.pid)
        self.ending.peak_bytes = max(self.ending.peak_bytes, held)
        if self.interrupt.is_set():
            return Stop.INTERRUPT
        if "result" in self.ending.messages:
            return None
        if self.limits.memory_bytes is not None and held > self.limits.memory_bytes:
            return Stop.MEMORY
        if monotonic() > self.deadline:
            return Stop.WORKING if "ready" in self.ending.messages else Stop.LOADING
        return None

    def _read(self, seconds: float) -> bool:
        """Wait for messages at most so long, take them, and return whether there were any."""
        if not self.is_open:
            self.interrupt.wait(seconds)
            return False
        if not select.select([self.receiver], [], [], seconds)[0]:
            return False
        piece = os.read(self.receiver, 65_536)
        self.is_open = bool(piece)
        *lines, self.received = (self.received + piece).split(b"\n")
        for line in lines:
            try:
                message = json.loads(line)
                event = message.pop("event")
                self.ending.messages.setdefault(event, message)
            except (ValueError, LookupError, TypeError, AttributeError):
                continue  # A method has found the descriptor and written to it.
            self.deadline = monotonic() + (self.limits.work_seconds if event == "ready" else EXIT_SECONDS)
        return self.is_open
