"""Threads for array work: NumPy and BLAS release the interpreter's lock, so plain threads use every core."""

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from threading import Lock, local
from typing import TypeVar

from threadpoolctl import ThreadpoolController

Task = TypeVar("Task")
Result = TypeVar("Result")


class _Here(local):
    """What is known of the current thread."""

    is_worker = False


_here = _Here()


class _SharedLimit:
    """One limit on BLAS for the whole process, shared by all blocks that want it: the last to leave lifts it."""

    def __init__(self) -> None:
        self._lock, self._n_holders, self._limit = Lock(), 0, None

    def __enter__(self) -> None:
        with self._lock:
            self._n_holders += 1
            if self._n_holders == 1:
                self._limit = _controller().limit(limits=1)

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._n_holders -= 1
            if self._n_holders == 0 and self._limit is not None:
                self._limit.restore_original_limits()


single_blas_thread = _SharedLimit()
"""Context manager that holds BLAS to one thread: small products are faster, and bits do not depend on the machine."""


def n_threads() -> int:
    """Return how many threads array work uses: `S2AUC_NUM_THREADS`, else the cores this process may run on."""
    wanted = os.environ.get("S2AUC_NUM_THREADS")
    if wanted is not None:
        if not wanted.isdecimal() or int(wanted) < 1:
            raise ValueError(
                f"The environment variable S2AUC_NUM_THREADS must be an int >= 1. Got {wanted!r}; unset it to use all "
                "cores."
            )
        return int(wanted)
    return available_cores()


def available_cores() -> int:
    """Return how many cores this process may run on."""
    available = getattr(os, "sched_getaffinity", None)
    return len(available(0)) if available else (os.cpu_count() or 1)


def map_in_order(work: Callable[[Task], Result], tasks: Iterable[Task], limit: int | None = None) -> Iterator[Result]:
    """Yield work(task) for every task, in order, computed on `n_threads()` threads; the tasks are the parallelism.

    With a limit, on that many threads at most. Work that runs on one of these threads already is not split again.

    Examples
    --------
    >>> list(map_in_order(abs, [-1, 2, -3]))
    [1, 2, 3]
    """
    listed = list(tasks)
    threads = 1 if _here.is_worker else min(limit or n_threads(), len(listed))
    with single_blas_thread:
        if threads <= 1:
            yield from map(work, listed)
        else:
            yield from _executor(threads).map(work, listed)


@cache
def _controller() -> ThreadpoolController:
    return ThreadpoolController()


@cache
def _executor(threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(threads, thread_name_prefix="s2auc", initializer=_mark_worker)


def _mark_worker() -> None:
    _here.is_worker = True


# A forked child inherits the executors but not their threads, and would wait for them for ever.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_executor.cache_clear)
