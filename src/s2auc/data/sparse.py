"""Rows of a SciPy sparse matrix, made dense only as they are used."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from s2auc.common.arrays import FloatArray, IndexArray


class SparseRows:
    """Rows of a sparse matrix or array in any format; CSR is not copied."""

    def __init__(self, X: Any) -> None:
        self._X = X.tocsr()

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return int(self._X.shape[0])

    @property
    def n_columns(self) -> int:
        """Number of columns."""
        return int(self._X.shape[1])

    def gather(self, indices: IndexArray) -> FloatArray:
        """Return the rows with these numbers."""
        return np.asarray(self._X[indices].toarray(), dtype=np.float64)

    def scan(self, chunk_rows: int) -> Iterator[FloatArray]:
        """Yield all rows in order, some at a time."""
        for first in range(0, self.n_rows, chunk_rows):
            yield np.asarray(self._X[first : first + chunk_rows].toarray(), dtype=np.float64)
