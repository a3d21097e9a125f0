"""Rows of a source scored chunk by chunk, on all cores, however many rows there are."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import TypeVar

from s2auc.common.threads import n_threads, stream_in_order
from s2auc.data.sources.rows import Rows
from s2auc.data.sources.source import RowSource

Result = TypeVar("Result")

SCORE_CHUNK = 2**14
"""Rows that are scored at a time."""

CHUNK_BYTES = 2**28
"""Fewer rows, where those that are under way would take more: sparse rows are dense while they are scored."""


def map_scores(score: Callable[[Rows], Result], source: RowSource) -> Iterator[Result]:
    """Yield what a function of rows makes of those of a source, in order, some at a time.

    Several chunks at a time, each on one thread, take half the time of one after another, each on all threads: then
    everything is done on all cores, the scaling of columns too, and reading goes on meanwhile. Where there are too few
    chunks for that, one at a time. Rows on other machines are scored there.

    Examples
    --------
    >>> import numpy as np
    >>> from s2auc.data.sources.matrix_rows import DenseRows
    >>> [chunk.tolist() for chunk in map_scores(lambda rows: rows.sum(axis=1), DenseRows(np.eye(3)))]
    [[1.0, 1.0, 1.0]]
    """
    # Two chunks a thread are under way.
    most = 2 * n_threads()
    n_rows = max(1, min(SCORE_CHUNK, CHUNK_BYTES // (8 * most * max(1, source.n_columns))))
    if source.crew is not None:
        return source.map_chunks(partial(_score_alone, score), n_rows)
    chunks = source.scan(n_rows)
    return map(score, chunks) if source.n_rows < most * n_rows else stream_in_order(score, chunks)


def _score_alone(score: Callable[[Rows], Result], rows: Rows, first: int) -> Result:  # noqa: ARG001 as all work on rows
    return score(rows)
