"""Rows of a NumPy array or memory map."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from s2auc.common.arrays import AnyArray, FloatArray, IndexArray


class DenseRows:
    """Rows of a two-dimensional array of any numeric type, which is not copied."""

    def __init__(self, X: Any) -> None:
        self._X: AnyArray = np.asarray(X)

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
        # Sums over rows round differently in another memory order: C order gives the same bits for the same values.
        return self._X[indices].astype(np.float64, order="C", copy=False)

    def scan(self, chunk_rows: int) -> Iterator[FloatArray]:
        """Yield all rows in order, some at a time."""
        for first in range(0, self.n_rows, chunk_rows):
            yield self._X[first : first + chunk_rows].astype(np.float64, order="C", copy=False)
