"""The process that runs one trial: ``python -m s2auc.experiments.harness.worker DESCRIPTOR``.

A line of JSON with the task comes on standard input, lines of JSON with what happens go to the file descriptor;
standard output is left to libraries that like to talk. Standard input stays open as long as the harness lives. When
it ends, the whole process group ends with it, so that no worker outlives a harness that was killed.
"""

import json
import os
import signal
import sys
from collections.abc import Callable
from typing import Any

from s2auc.experiments.harness.cells import Cell, Status

#: Longest reason that goes into a result.
MAX_REASON = 300


def main() -> None:
    """Run the trial that standard input describes, and end the process."""
    descriptor = int(sys.argv[1])
    task = json.loads(_read_line())
    watcher = _watch_standard_input()

    def send(event: str, values: dict[str, Any]) -> None:
        line = json.dumps({"event": event, **values}, allow_nan=False)
        os.write(descriptor, line.encode() + b"\n")

    send("result", _result(task, lambda sizes: send("ready", sizes)))
    os.kill(watcher, signal.SIGKILL)
    os.waitpid(watcher, 0)
    # Leaving at once keeps threads and exit handlers of libraries from holding up the next trial.
    os._exit(0)


def _result(task: dict[str, Any], announce: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
    """Return the result of a trial, whatever it raises."""
    try:
        # Here and not above: what these import can fail, and a failure is a result too.
        from s2auc.experiments.harness.trial import run_trial
        from s2auc.experiments.methods.table import load_plugins

        load_plugins(task["plugins"])
        cell = Cell(**task["cell"])
        limits = {"memory_limit": task["memory_limit"], "repeats": task["repeats"]}
        return run_trial(cell, folder=task["folder"], **limits, announce=announce)
    except BaseException as error:  # A method may well call sys.exit: that too is a result.
        status = Status.OUT_OF_MEMORY if isinstance(error, MemoryError) else Status.ERROR
        return {"status": status, "reason": one_line(error)}


def one_line(error: BaseException) -> str:
    """Return an exception in one line that is not too long.

    Examples
    --------
    >>> one_line(ValueError("first  second"))
    'ValueError: first second'
    """
    text = " ".join(str(error).split())
    line = f"{type(error).__name__}: {text}" if text else type(error).__name__
    return line if len(line) <= MAX_REASON else f"{line[: MAX_REASON - 1]}…"


def _read_line() -> bytes:
    """Read the first line of standard input and not a byte more."""
    with open(0, "rb", buffering=0, closefd=False) as standard_input:
        line = standard_input.readline()
    if not line.endswith(b"\n"):
        sys.exit("s2auc.experiments.harness.worker is started by the harness, which sends a task on standard input.")
    return line


def _watch_standard_input() -> int:
    """Start a process that ends this process group when standard input ends; return its number.

    A thread could not do it: a method may hold the interpreter's lock for as long as it likes.
    """
    watcher = os.fork()
    if watcher == 0:
        # The harness waits for the end of the other descriptors, which must not stay open here.
        os.closerange(1, 1024)
        while os.read(0, 1024):
            continue
        os.killpg(0, signal.SIGKILL)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    return watcher


if __name__ == "__main__":
    main()
