"""Workers of Dask for a command: those of a scheduler, or local ones, for as long as it runs."""

from collections.abc import Iterator
from contextlib import contextmanager


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
