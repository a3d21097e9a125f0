"""A handle of an Arrow table in memory, cut anew for every reader, as handles of files are."""

import numpy as np
import pyarrow as pa

from s2auc.data.dense import DenseRows
from s2auc.data.lazy_table import LazyRows


class ArrowTable:
    """What `score_table` asks of a table."""

    def __init__(self, table):
        self.table, self.X, self.y = table, ArrowRows(table), None
        self.n_rows, self.names = table.num_rows, table.column_names

    def batches(self, names, chunk_rows):
        for first in range(0, self.n_rows, chunk_rows):
            part = self.table.select(names).slice(first, chunk_rows).combine_chunks().unify_dictionaries()
            yield part.to_batches()[0]


class ArrowRows(LazyRows):
    def __init__(self, table):
        self._table = table

    @property
    def n_rows(self):
        return self._table.num_rows

    def learn_schema(self, categorical_features):
        raise NotImplementedError

    def open(self, schema, called="X"):
        frame = self._table.select(list(schema.names)).to_pandas()
        return DenseRows(schema.read(frame, called), schema)


def numbers_table(X, **more):
    """Return a table of numbers, with more columns behind them."""
    columns = {f"x{number}": np.asarray(column) for number, column in enumerate(X.T)}
    return pa.table(columns | more)
