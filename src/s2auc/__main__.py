"""Entry point of the command line: `s2auc` and `python -m s2auc`."""

import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import NoReturn

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
    except KeyboardInterrupt:
        sys.stderr.write("Interrupted: nothing was written.\n")
        return _INTERRUPTED
    return run(sys.argv[1:] if arguments is None else arguments)


def program() -> NoReturn:
    """Run the command that the process was started for, and end the process."""
    signal.signal(signal.SIGTERM, _raise_terminated)
    exit_code = main()
    if exit_code in (_INTERRUPTED, _TERMINATED):
        _leave_at_once(exit_code)
    sys.exit(exit_code)


def _raise_terminated(*_: object) -> NoReturn:
    from s2auc.cli.runs import Terminated

    raise Terminated


def _leave_at_once(exit_code: int) -> NoReturn:
    """End the process without waiting for threads that are in the middle of something."""
    from s2auc.common.files import remove_scratch_folders

    remove_scratch_folders()
    for stream in (sys.stdout, sys.stderr):
        with suppress(Exception):
            stream.flush()
    os._exit(exit_code)


if __name__ == "__main__":
    program()
