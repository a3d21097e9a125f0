"""Entry point of the command line: `s2auc` and `python -m s2auc`."""

import os
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, NoReturn

_EXTRA = {"typer", "rich", "click"}
_INTERRUPTED, _TERMINATED = 130, 143


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code.

    0: done. 1: it could not be done. 2: what was given is wrong. 130: interrupted (Ctrl-C). 141: nobody reads what it
    writes any more. 143: it was asked to end (SIGTERM).

    Parameters
    ----------
    arguments
        What follows the name of the program; by default what it was called with.
    """
    try:
        from s2auc.cli.app import run
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in _EXTRA:
            raise
        sys.stderr.write(f"The command line needs {error.name}: pip install 's2auc[cli]' adds it.\n")
        return 1
    return run(sys.argv[1:] if arguments is None else arguments)


def program() -> NoReturn:
    """Run the command that the process was started for, and end the process."""
    # Nothing is under way while modules load, and those written in C turn exceptions of signals into others.
    _handle_signals(lambda number, _: os._exit(128 + number))
    with suppress(ModuleNotFoundError):  # `main` tells of it
        import s2auc.cli.app  # noqa: F401
        from s2auc.cli.runs import raise_ending

        _handle_signals(raise_ending)
    exit_code = main()
    if exit_code in (_INTERRUPTED, _TERMINATED):
        _leave_at_once(exit_code)
    sys.exit(exit_code)


def _handle_signals(handler: Callable[[int, Any], object]) -> None:
    signal.signal(signal.SIGTERM, handler)
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:  # as it is in the background of some shells
        signal.signal(signal.SIGINT, handler)


def _leave_at_once(exit_code: int) -> NoReturn:
    """End the process without waiting for threads that are in the middle of something."""
    from s2auc.common.storage.files import remove_scratch_folders

    remove_scratch_folders()
    for stream in (sys.stdout, sys.stderr):
        with suppress(Exception):
            stream.flush()
    os._exit(exit_code)


if __name__ == "__main__":
    program()
