"""Rows that can only be had by reading all of them: what will be needed is told first, and read in one pass."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from s2auc.common.arrays import AnyArray, IndexArray
from s2auc.data.sources.rows import Rows
from s2auc.data.sources.source import Result, RowsOfAnother, RowSource


class ScannedOnce(RowsOfAnother):
    """Another source, each of whose rows is read at most once where it is told before which rows will be gathered.

    The first `gather` reads all announced rows in one pass and keeps them; later ones take them from there. Rows that
    were never announced cost a pass of their own.

    Examples
    --------
    >>> from s2auc.data.sources.matrix_rows import DenseRows
    >>> rows = ScannedOnce(DenseRows(np.arange(10.0)[:, None]))
    >>> rows.announce(np.array([7, 2]))
    >>> rows.gather(np.array([2, 2])).tolist(), rows.gather(np.array([7])).tolist()
    ([[2.0], [2.0]], [[7.0]])
    """

    def __init__(self, source: RowSource, origin: tuple[str, ...] | None = None) -> None:
        super().__init__(source)
        self._origin = origin
        self._announced = np.zeros(0, dtype=np.intp)
        self._numbers = np.zeros(0, dtype=np.intp)
        self._rows: Rows | None = None

    @property
    def is_read_whole(self) -> bool:
        """That they can."""
        return True

    @property
    def origin(self) -> tuple[str, ...] | None:
        """What tells these rows from all others, if known."""
        return self._origin

    def announce(self, numbers: IndexArray) -> None:
        """Tell which rows will be gathered."""
        self._announced = np.union1d(self._announced, numbers).astype(np.intp)

    def gather(self, numbers: IndexArray) -> Rows:
        """Return the rows with these numbers."""
        wanted = np.asarray(numbers, dtype=np.intp)
        if len(np.setdiff1d(wanted, self._numbers)):
            self._numbers = np.union1d(self._announced, np.union1d(wanted, self._numbers)).astype(np.intp)
            self._rows = self.source.gather(self._numbers)
        if self._rows is None:
            return self.source.gather(wanted)
        return self._rows[np.searchsorted(self._numbers, wanted)]

    def map_chunks(self, work: Callable[[Rows, int], Result], chunk_rows: int) -> Iterator[Result]:
        """Yield work(rows, number of the first of them), in order."""
        return self.source.map_chunks(work, chunk_rows)

    def mapped(
        self, work: Callable[[Rows, int], AnyArray], shape: tuple[int, ...] = (), dtype: Any = np.float64
    ) -> Any:
        """Return a lazy array of work over all rows, where they are on other machines."""
        return self.source.mapped(work, shape, dtype)
