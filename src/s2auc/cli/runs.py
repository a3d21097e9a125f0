"""How commands end: exit codes, one line for every mistake, and nothing left behind after an interruption."""

import os
import signal
import sys
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

import typer

from s2auc.cli.screen import Screen
from s2auc.cli.vocabulary import COMMAND_LINE
from s2auc.common.messages import render

FAILED, WRONG_USE, INTERRUPTED, BROKEN_PIPE, TERMINATED = 1, 2, 130, 141, 143
"""Exit codes beside 0: the work could not be done; what was given is wrong; Ctrl-C; nobody reads on; SIGTERM."""

_WRONG_PATHS = FileNotFoundError, FileExistsError, IsADirectoryError, NotADirectoryError, PermissionError
WRONG = ValueError, TypeError, *_WRONG_PATHS
"""Errors about what was given; others are about what happened on the way."""

EXPECTED = OSError, ImportError, MemoryError, RuntimeError
"""Errors that explain themselves."""


class Terminated(BaseException):
    """The process was asked to end (SIGTERM)."""


_received: list[int] = []
"""Signals that asked this process to end."""


def raise_ending(number: int, _: object) -> NoReturn:
    """Handle SIGINT or SIGTERM."""
    _received.append(number)
    raise KeyboardInterrupt if number == signal.SIGINT else Terminated


@contextmanager
def command(
    as_json: bool, quiet: bool, debug: bool, *, output_is_taken: bool = False, way_on: str = "nothing was written"
) -> Iterator[Screen]:
    """Run a command: warnings and errors become lines, and the exit code says how it ended.

    Parameters
    ----------
    as_json, quiet, output_is_taken
        The screen that is yielded to print on, as for `Screen`.
    debug
        Whether errors come with where they come from.
    way_on
        What an interruption says: what there is, and how to go on.
    """
    screen = Screen(as_json=as_json, is_quiet=quiet, output_is_taken=output_is_taken)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", UserWarning)  # what is meant for users, and not for those who write code
        warnings.simplefilter("ignore", DeprecationWarning)  # some libraries make theirs user warnings, too
        warnings.showwarning = lambda message, *_: screen.warn(render(message, COMMAND_LINE))
        try:
            if sys.stdout is None and (as_json or output_is_taken):
                raise OSError(
                    "Standard output must be open for results. Got a closed one; redirect it to a file or a pipe."
                )
            yield screen
            if sys.stdout is not None:  # as where it was closed before the start
                sys.stdout.flush()
        except (KeyboardInterrupt, Terminated) as ending:
            _end(screen, way_on, is_terminated=isinstance(ending, Terminated))
        except BrokenPipeError:
            give_up_output()
            raise typer.Exit(BROKEN_PIPE) from None
        except typer.Exit:
            raise
        except Exception as error:
            if _received:  # modules in C turn its exception into others while they load
                _end(screen, way_on, is_terminated=_received[-1] == signal.SIGTERM)
            _fail(screen, error, debug=debug)


def give_up_output() -> None:
    """Let what is left in the buffer of standard output go nowhere: nobody takes it, but Python would try again."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def refused_output(error: OSError) -> str:
    """Return a sentence about standard output that takes nothing more, such as a file on a full disk."""
    return f"Cannot write to standard output: {error.strerror}; name another file or pipe."


def _end(screen: Screen, way_on: str, *, is_terminated: bool) -> NoReturn:
    word, code = ("Terminated", TERMINATED) if is_terminated else ("Interrupted", INTERRUPTED)
    screen.errors.print(f"{word}: {way_on}.", soft_wrap=True, markup=False)
    raise typer.Exit(code) from None


def _fail(screen: Screen, error: Exception, *, debug: bool) -> NoReturn:
    if debug:
        traceback.print_exception(error)
    if isinstance(error, (*WRONG, *EXPECTED)):
        # Line by line, as names may hold several blanks.
        lines = map(str.strip, render(error, COMMAND_LINE).splitlines())
        sentence = " ".join(filter(None, lines)) or type(error).__name__
    else:
        hint = "" if debug else " Run it again with --debug to see where, and tell us."
        sentence = f"This should not have happened: {type(error).__name__}: {error}.{hint}"
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError as refusal:  # what could not be written is still to be written
        give_up_output()
        sentence = refused_output(refusal) if isinstance(error, OSError) else sentence
    screen.fail(sentence)
    raise typer.Exit(WRONG_USE if isinstance(error, WRONG) else FAILED)


@contextmanager
def workers(scheduler: str | None, jobs: int | None) -> Iterator[str | None]:
    """Hold a client of a scheduler, and yield the engine to open tables with; None where none is asked for.

    Parameters
    ----------
    scheduler
        Its address, or "local"; None for none.
    jobs
        How many threads are asked for, and so how many local workers.
    """
    if scheduler is None:
        yield None
        return
    from s2auc.common.threads import thread_limit
    from s2auc.data.tables.engines import load_engine

    load_engine("dask")
    from s2auc.distributed.clients import client_of

    with thread_limit(jobs), client_of(scheduler):
        yield "dask"
