"""Rows of matrices in memory or memory maps: dense ones, and sparse ones, which stay sparse."""

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from s2auc.common.arrays import IndexArray, is_sparse
from s2auc.data.schema.schema import Schema
from s2auc.data.sources.rows import Rows, check_numeric, dense_rows
from s2auc.data.sources.source import Result, RowSource
from s2auc.data.sources.sparse_structure import checked_structure


class _MatrixRows(RowSource):
    def __init__(self, X: Any, schema: Schema | None) -> None:
        self._X, self.n_rows = X, int(X.shape[0])
        self.schema = schema or Schema(int(X.shape[1]), {})

    @abstractmethod
    def _take(self, numbers: IndexArray | slice) -> Rows:
        """Return the rows with these numbers."""

    def gather(self, numbers: IndexArray) -> Rows:
        """Return the rows with these numbers."""
        return self._take(numbers)

    def map_chunks(self, work: Callable[[Rows, int], Result], chunk_rows: int) -> Iterator[Result]:
        """Yield work(rows, number of the first of them), in order."""
        for first in range(0, self.n_rows, chunk_rows):
            yield work(self._take(slice(first, first + chunk_rows)), first)


class DenseRows(_MatrixRows):
    """Rows of a two-dimensional array or memory map of any numeric type, which is not copied.

    Parameters
    ----------
    X
        The array.
    schema
        What its columns are, if more is known of them than their number.
    places
        Numbers of the columns that are read, in their order; None for all.
    """

    def __init__(self, X: Any, schema: Schema | None = None, places: Sequence[int] | None = None) -> None:
        super().__init__(np.asarray(X), schema)
        self._places = places

    def _take(self, numbers: IndexArray | slice) -> Rows:
        rows = self._X[numbers]
        return dense_rows(rows if self._places is None else rows[:, self._places])


class SparseRows(_MatrixRows):
    """Rows of a sparse matrix or array in any format, whose structure is checked; canonical CSR is not copied.

    Parameters
    ----------
    X
        The matrix.
    schema
        What its columns are, if more is known of them than their number.
    is_sound
        Whether it went through `checked_structure` before, and need not do so again.
    """

    def __init__(self, X: Any, schema: Schema | None = None, *, is_sound: bool = False) -> None:
        super().__init__(csr_array(X if is_sound else checked_structure(X)), schema)

    def _take(self, numbers: IndexArray | slice) -> Rows:
        return csr_array(self._X[numbers], dtype=np.float64)


def open_source(X: Any, name: str = "X", schema: Schema | None = None, *, is_sound: bool = False) -> RowSource:
    """Return a source over a dense or sparse matrix, without copying it; errors call it by its name.

    Parameters
    ----------
    X
        The matrix.
    name
        What errors call it.
    schema
        What its columns are, if more is known of them than their number.
    is_sound
        Whether it went through `checked_structure` before, and need not do so again.

    Examples
    --------
    >>> import numpy as np
    >>> open_source(np.arange(6).reshape(3, 2)).gather(np.array([2, 0])).tolist()
    [[4.0, 5.0], [0.0, 1.0]]
    """
    matrix = X if is_sound else checked_structure(X, name)
    check_numeric(matrix.dtype, name)
    return SparseRows(matrix, schema, is_sound=True) if is_sparse(matrix) else DenseRows(matrix, schema)
