"""Commands in a terminal of their own: what they show there, and how they end when somebody presses Ctrl-C."""

import os
import re
import select
import struct
import subprocess
import sys
import time

from command_runs import small_command_of
from harness_events import SAFETY_SECONDS

try:
    import fcntl
    import pty
    import termios
except ImportError:  # Windows
    pty = None

# The terminal becomes that of the command after a fork, in a process that has no threads yet.
LAUNCH = (
    "import fcntl, os, sys, termios; os.setsid(); fcntl.ioctl(0, termios.TIOCSCTTY, 0);"
    "os.execv(sys.executable, [sys.executable, *sys.argv[1:]])"
)
SHOWN_BYTES = 8192
CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Terminal:
    """A terminal in which `s2auc` runs, with a search that tries little.

    Parameters
    ----------
    arguments
        What follows the name of the program.
    environment
        The variables of the process.
    columns
        How wide the window is.
    held_at
        A stage of work that is not to end.
    """

    def __init__(self, *arguments, environment, columns=100, held_at=None):
        self._reader, writer = pty.openpty()
        fcntl.ioctl(writer, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        held = {} if held_at is None else {"S2AUC_TEST_HELD": held_at}
        command = small_command_of(*arguments)[1:]
        self.process = subprocess.Popen(
            [sys.executable, "-S", "-c", LAUNCH, *command],
            stdin=writer,
            stdout=writer,
            stderr=writer,
            env=environment | held | {"TERM": "xterm"},
        )
        os.close(writer)
        self._data = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        os.close(self._reader)

    @property
    def lines(self):
        """What was shown, also for a moment, without what moves the cursor or gives colour."""
        return self.plain(self._data)

    @staticmethod
    def plain(data):
        """Return the lines that a terminal is sent, without what moves the cursor or gives colour."""
        return re.split(r"[\r\n]+", CONTROL.sub("", data.decode(errors="replace")))

    def wait_for(self, *words):
        """Return when one of these has been shown; of work that is soon over it may never be."""
        deadline = time.monotonic() + SAFETY_SECONDS
        # Progress is shown again and again: what came last is enough to look at.
        while not any(word in line for line in self.plain(self._data[-SHOWN_BYTES:]) for word in words):
            assert self._read(), f"{words!r} never came: {self.lines}"
            assert time.monotonic() < deadline, f"{words!r} never came: {self.lines}"

    def press_control_c(self):
        os.write(self._reader, b"\x03")

    def end(self):
        """Return the exit code when the command has ended; all it wrote has been read then."""
        while self._read():
            pass
        return self.process.wait(SAFETY_SECONDS)

    def _read(self, patience=1.0):
        """Read what there is; return whether more may come."""
        if not select.select([self._reader], [], [], patience)[0]:
            return self.process.poll() is None
        try:
            data = os.read(self._reader, 65536)
        except OSError:  # how a terminal tells that nobody has it open any more
            return False
        self._data += data
        return bool(data)
