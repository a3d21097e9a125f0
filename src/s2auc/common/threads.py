"""Threads for array work: NumPy, BLAS and the compiled kernel release the interpreter's lock, so plain threads do.

How many: `S2AUC_NUM_THREADS` if set; else every core this process may run on, but not more than the linear algebra and
OpenMP libraries are allowed at the time. So `threadpoolctl.threadpool_limits(1)` and `OMP_NUM_THREADS=1` hold here too,
and in a joblib worker process (`n_jobs` of scikit-learn), where joblib sets such limits, the workers share the cores.
Threads of one process, joblib's threading backend included, share one pool of that size.
"""

import os
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from functools import cache
from threading import Lock, current_thread
from typing import Protocol, TypeVar

from threadpoolctl import OpenBLASController, ThreadpoolController

Shared = TypeVar("Shared")
Task = TypeVar("Task")
Result = TypeVar("Result")

_POOL_NAME = "s2auc"


class _SharedLimit:
    """One limit on BLAS for the whole process, shared by all blocks that want it: the last to leave lifts it."""

    def __init__(self) -> None:
        self._lock, self._n_holders, self._limit = Lock(), 0, None
        self._allowed_before: int | None = None

    def __enter__(self) -> None:
        with self._lock:
            self._n_holders += 1
            if self._n_holders == 1:
                self._allowed_before = _allowed_threads()
                _free_control()
                self._limit = _controller().limit(limits=1, user_api="blas")

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._n_holders -= 1
            if self._n_holders == 0 and self._limit is not None:
                # The last to leave may be another thread than the first to come: after an interruption, for one.
                _free_control()
                self._limit.restore_original_limits()
                _free_control()

    def allowed_threads(self) -> int | None:
        """Return how many threads libraries may use, this limit aside; None if there is no such library."""
        with self._lock:
            return self._allowed_before if self._n_holders else _allowed_threads()


single_blas_thread = _SharedLimit()
"""Context manager that holds BLAS to one thread: small products are faster, and bits do not depend on the machine."""


_limit: ContextVar[int | None] = ContextVar("s2auc_thread_limit", default=None)


@contextmanager
def thread_limit(n_jobs: int | None) -> Iterator[None]:
    """Hold array work to so many threads while the block runs; None or -1 for no other limit than there is.

    As in joblib, -2 is all cores but one, and so on, but at least one thread.

    Examples
    --------
    >>> with thread_limit(1):
    ...     n_threads()
    1
    """
    wanted = n_jobs if n_jobs is None or n_jobs > 0 else max(1, available_cores() + 1 + n_jobs)
    limits = [limit for limit in (_limit.get(), None if n_jobs == -1 else wanted) if limit is not None]
    token = _limit.set(min(limits, default=None))
    try:
        yield
    finally:
        _limit.reset(token)


def n_threads() -> int:
    """Return how many threads array work uses: `S2AUC_NUM_THREADS`, else the cores within the libraries' limits.

    Examples
    --------
    >>> from threadpoolctl import threadpool_limits
    >>> with threadpool_limits(1):
    ...     n_threads()
    1
    """
    wanted = os.environ.get("S2AUC_NUM_THREADS", "").strip()
    if wanted:
        if not wanted.isdecimal() or int(wanted) < 1:
            raise ValueError(
                f"The environment variable S2AUC_NUM_THREADS must be an int >= 1. Got {wanted!r}; unset it to use all "
                "cores."
            )
        allowed = int(wanted)
    else:
        allowed = min(available_cores(), single_blas_thread.allowed_threads() or available_cores())
    return min(allowed, _limit.get() or allowed)


def available_cores() -> int:
    """Return how many cores this process may run on."""
    available = getattr(os, "sched_getaffinity", None)
    return len(available(0)) if available else (os.cpu_count() or 1)


def map_in_order(work: Callable[[Task], Result], tasks: Iterable[Task], *, uses_blas: bool = True) -> Generator[Result]:
    """Yield work(task) for every task, in order, computed on `n_threads()` threads; the tasks are the parallelism.

    Work that runs on one of these threads already is not split again.

    Examples
    --------
    >>> list(map_in_order(abs, [-1, 2, -3]))
    [1, 2, 3]
    """
    listed = list(tasks)
    threads = 1 if _is_inside_work() else min(n_threads(), len(listed))
    with single_blas_thread if uses_blas else nullcontext():
        if threads <= 1:
            yield from map(work, listed)
        else:
            yield from _executor(threads).map(work, listed)


def for_each(work: Callable[[Task], None], tasks: Iterable[Task], *, uses_blas: bool = True) -> None:
    """Do work(task) for every task, on threads as `map_in_order` does, and wait until all are done."""
    for _ in map_in_order(work, tasks, uses_blas=uses_blas):
        pass


def stream_in_order(work: Callable[[Task], Result], tasks: Iterable[Task]) -> Generator[Result]:
    """Yield work(task) for every task, in order, as `map_in_order` does; tasks are taken as they are needed.

    For tasks that come one by one and cannot all be held: no more than two a thread are under way. They are taken on
    the thread that asks for results, while others work.

    Examples
    --------
    >>> from itertools import count, islice
    >>> list(islice(stream_in_order(abs, count(-3)), 5))
    [3, 2, 1, 0, 1]
    """
    threads = 1 if _is_inside_work() else n_threads()
    under_way: deque[Future[Result]] = deque()
    with single_blas_thread:
        if threads == 1:
            yield from map(work, tasks)
            return
        try:
            for task in tasks:
                under_way.append(_executor(threads).submit(work, task))
                if len(under_way) == 2 * threads:
                    yield under_way.popleft().result()
            while under_way:
                yield under_way.popleft().result()
        finally:
            # After an error, or where no more results are wanted.
            for future in under_way:
                future.cancel()


class Crew(Protocol):
    """Workers that take tasks, each of which is one thread's work."""

    def map_in_order(
        self, work: Callable[[Shared, Task], Result], shared: Shared, tasks: Iterable[Task]
    ) -> Generator[Result]:
        """Yield work(shared, task) for every task, in order.

        Results do not depend on how many workers there are, nor on whether some of them die meanwhile.

        Parameters
        ----------
        work
            A function that pickles.
        shared
            What all tasks need: it travels once.
        tasks
            What each task needs besides.
        """


def _is_inside_work() -> bool:
    """Return whether this thread works for others: work it handed out would wait for threads that wait for it."""
    return current_thread().name.startswith(_POOL_NAME)


def _allowed_threads() -> int | None:
    return min((library.num_threads for library in _controller().lib_controllers), default=None)


def _free_control() -> None:
    """Let the next thread set limits: newer versions of threadpoolctl take OpenBLAS's from one thread only."""
    free = getattr(OpenBLASController, "clear_controlling_thread", None)
    if free is not None:
        free(force=True)


@cache
def _controller() -> ThreadpoolController:
    # NumPy and SciPy bring a BLAS each. A library that is loaded after the controller is made escapes all limits.
    import scipy.linalg  # noqa: F401

    return ThreadpoolController()


@cache
def _executor(threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(threads, thread_name_prefix=_POOL_NAME)


# A forked child inherits the executors but not their threads, and would wait for them for ever.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_executor.cache_clear)
