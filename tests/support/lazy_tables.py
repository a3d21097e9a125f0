"""A lazy table in memory that tells how it was read."""

import numpy as np

from read_tables import read
from s2auc.data.inputs import as_rows, learn_schema
from s2auc.data.sources.matrix_rows import DenseRows
from s2auc.data.tables.lazy_table import LabelColumn, LazyRows


class CountedRows(DenseRows):
    """Rows that tell in how many passes they were read."""

    def __init__(self, X, schema, passes):
        super().__init__(X, schema)
        self._passes = passes

    def gather(self, numbers):
        self._passes.append(len(numbers))
        return super().gather(numbers)

    def map_chunks(self, work, chunk_rows):
        self._passes.append(self.n_rows)
        return super().map_chunks(work, chunk_rows)


class LazyFrame(LazyRows):
    """The rows of a data frame, or of an array, as a lazy table."""

    def __init__(self, table):
        self.table, self.passes = table, []

    @property
    def n_rows(self):
        return len(self.table)

    def learn_schema(self, categorical_features, pool=None):
        more = pool.table if isinstance(pool, LazyFrame) else pool
        return learn_schema(as_rows(self.table), categorical_features, None if more is None else as_rows(more))

    def open(self, schema, display_name="X"):
        return CountedRows(np.asarray(read(schema, self.table, display_name)), schema, self.passes)


class LazyLabels(LabelColumn):
    """Labels in chunks."""

    def __init__(self, y, chunk_rows=7):
        self.y, self.chunk_rows = y, chunk_rows

    @property
    def n_rows(self):
        return len(self.y)

    def chunks(self):
        for first in range(0, len(self.y), self.chunk_rows):
            yield self.y[first : first + self.chunk_rows]
