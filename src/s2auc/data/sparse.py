"""Rows of a SciPy sparse matrix, which stay sparse."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from s2auc.common.arrays import IndexArray
from s2auc.data.schema.schema import Schema
from s2auc.data.sources.rows import Rows
from s2auc.data.sources.source import Result, RowSource
from s2auc.data.sources.sparse_structure import checked_structure


class SparseRows(RowSource):
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
        self._X: Any = csr_array(X if is_sound else checked_structure(X))
        self._schema = schema or Schema(int(self._X.shape[1]), {})

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return int(self._X.shape[0])

    @property
    def schema(self) -> Schema:
        """What the columns are."""
        return self._schema

    def gather(self, numbers: IndexArray) -> Rows:
        """Return the rows with these numbers."""
        return csr_array(self._X[numbers], dtype=np.float64)

    def map_chunks(self, work: Callable[[Rows, int], Result], chunk_rows: int) -> Iterator[Result]:
        """Yield work(rows, number of the first of them), in order."""
        for first in range(0, self.n_rows, chunk_rows):
            yield work(csr_array(self._X[first : first + chunk_rows], dtype=np.float64), first)
