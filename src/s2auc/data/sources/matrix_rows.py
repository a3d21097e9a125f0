"""Rows of a NumPy array or memory map."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from s2auc.common.arrays import AnyArray, FloatArray, IndexArray
from s2auc.data.schema.schema import Schema
from s2auc.data.sources.rows import Rows, dense_rows
from s2auc.data.sources.source import Result, RowSource


class DenseRows(RowSource):
    """Rows of a two-dimensional array of any numeric type, which is not copied."""

    def __init__(self, X: Any, schema: Schema | None = None) -> None:
        self._X: AnyArray = np.asarray(X)
        self._schema = schema or Schema(int(self._X.shape[1]), {})

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return int(self._X.shape[0])

    @property
    def schema(self) -> Schema:
        """What the columns are."""
        return self._schema

    def gather(self, numbers: IndexArray) -> FloatArray:
        """Return the rows with these numbers."""
        return dense_rows(self._X[numbers])

    def map_chunks(self, work: Callable[[Rows, int], Result], chunk_rows: int) -> Iterator[Result]:
        """Yield work(rows, number of the first of them), in order."""
        for first in range(0, self.n_rows, chunk_rows):
            yield work(dense_rows(self._X[first : first + chunk_rows]), first)
