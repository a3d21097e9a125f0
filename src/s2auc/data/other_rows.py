"""All rows of a source but some: what is unlabelled where a few rows are labelled, without a list of all numbers."""

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from s2auc.common.arrays import IndexArray
from s2auc.data.sources.rows import Rows, count_rows
from s2auc.data.sources.source import Result, RowsOfAnother, RowSource


def numbers_beside(left_out: IndexArray, numbers: IndexArray) -> IndexArray:
    """Turn numbers among the rows that are not left out into numbers among all.

    Parameters
    ----------
    left_out
        Numbers of the rows that are left out, ascending, each once.
    numbers
        Numbers among the others.

    Examples
    --------
    >>> numbers_beside(np.array([0, 3]), np.array([0, 1, 2])).tolist()
    [1, 2, 4]
    """
    return numbers + np.searchsorted(left_out - np.arange(len(left_out)), numbers, side="right")


class OtherRows(RowsOfAnother):
    """All rows of another source but those with some numbers, ascending, each once."""

    def __init__(self, source: RowSource, left_out: IndexArray) -> None:
        super().__init__(source)
        self._left_out = left_out

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return self.source.n_rows - len(self._left_out)

    def announce(self, numbers: IndexArray) -> None:
        """Tell which rows will be gathered."""
        self.source.announce(numbers_beside(self._left_out, numbers))

    def gather(self, numbers: IndexArray) -> Rows:
        """Return the rows with these numbers."""
        return self.source.gather(numbers_beside(self._left_out, np.asarray(numbers)))

    def map_chunks(self, work: Callable[[Rows, int], Result], chunk_rows: int) -> Iterator[Result]:
        """Yield work(rows, number of the first of them), in order: one pass over the other source."""
        for result in self.source.map_chunks(partial(_work_on_others, self._left_out, work), chunk_rows):
            if result is not None:
                yield result[0]


def _work_on_others(
    left_out: IndexArray, work: Callable[[Rows, int], Result], rows: Rows, first: int
) -> tuple[Result] | None:
    """Return what the work makes of a chunk's rows that are not left out, in a tuple; None where there are none."""
    place, end = np.searchsorted(left_out, [first, first + count_rows(rows)])
    if place == end:
        return (work(rows, first - int(place)),) if count_rows(rows) else None
    is_kept = np.ones(count_rows(rows), dtype=bool)
    is_kept[left_out[place:end] - first] = False
    return (work(rows[is_kept], first - int(place)),) if is_kept.any() else None
