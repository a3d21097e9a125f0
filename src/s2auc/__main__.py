"""Entry point of the command line: `s2auc` and `python -m s2auc`."""

import sys
from collections.abc import Sequence

_EXTRA = {"typer", "rich", "click"}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code: 0, 1 for a failure, 2 for wrong usage, 130 if interrupted.

    Parameters
    ----------
    arguments
        What follows the name of the program; by default what it was called with.
    """
    try:
        from s2auc.cli import run
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in _EXTRA:
            raise
        sys.stderr.write(f"The command line needs {error.name}: pip install 's2auc[cli]' adds it.\n")
        return 1
    except KeyboardInterrupt:
        sys.stderr.write("Interrupted: nothing was written.\n")
        return 130
    return run(sys.argv[1:] if arguments is None else arguments)


if __name__ == "__main__":
    sys.exit(main())
