"""Telling whoever listens how far long work has come: one listener for all work of a thread, or none."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True)
class Progress:
    """Where work stands.

    Attributes
    ----------
    stage
        What is being done, in a word or two.
    detail
        More about it, in a few words.
    n_done, n_all
        How much of the stage is done of how much; None where that is not known.
    auc
        The highest AUC on held-out rows so far, or that of labelled rows where none are held out.
    seconds_left
        About how long the stage will go on.
    """

    stage: str
    detail: str = ""
    n_done: int | None = None
    n_all: int | None = None
    auc: float | None = None
    seconds_left: float | None = None


Listener: TypeAlias = Callable[[Progress], object]

_listener: ContextVar[Listener | None] = ContextVar("s2auc_progress_listener", default=None)


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Tell the listener of all progress while the block runs.

    Examples
    --------
    >>> with listening(lambda progress: print(progress.stage, progress.n_done)):
    ...     tell_progress(Progress("search", n_done=3))
    search 3
    """
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


def tell_progress(progress: Progress) -> None:
    """Tell the listener, if there is one."""
    listener = _listener.get()
    if listener is not None:
        listener(progress)


def has_listener() -> bool:
    """Return whether anybody listens: what only listeners want to know need not be found out else."""
    return _listener.get() is not None
