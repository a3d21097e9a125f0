"""Rows of a source that are at hand already."""

from collections.abc import Callable, Iterator

import numpy as np

from s2auc.common.arrays import IndexArray
from s2auc.data.sources.rows import Rows
from s2auc.data.sources.source import Result, RowsOfAnother, RowSource


class GatheredRows(RowsOfAnother):
    """Another source, some of whose rows have been gathered: it is asked for others only.

    Parameters
    ----------
    source
        Where the rows come from.
    numbers, rows
        The numbers of those that are at hand, ascending, and these.

    Examples
    --------
    >>> from s2auc.data.sources.matrix_rows import DenseRows
    >>> at_hand = GatheredRows(DenseRows(np.zeros((10, 1))), np.array([2, 7]), np.array([[2.0], [7.0]]))
    >>> at_hand.gather(np.array([7, 2])).tolist(), at_hand.gather(np.array([3])).tolist()
    ([[7.0], [2.0]], [[0.0]])
    """

    def __init__(self, source: RowSource, numbers: IndexArray, rows: Rows) -> None:
        super().__init__(source)
        self._numbers, self._rows = numbers, rows

    def gather(self, numbers: IndexArray) -> Rows:
        """Return the rows with these numbers."""
        if not np.isin(numbers, self._numbers).all():
            return self.source.gather(numbers)
        return self._rows[np.searchsorted(self._numbers, numbers)]

    def map_chunks(self, work: Callable[[Rows, int], Result], chunk_rows: int) -> Iterator[Result]:
        """Yield work(rows, number of the first of them), in order."""
        return self.source.map_chunks(work, chunk_rows)
