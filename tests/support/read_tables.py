"""What a table means, column by column, and its rows as numbers."""

import numpy as np

from s2auc.data.inputs import as_rows, learn_schema, open_rows
from s2auc.data.tables.frames import is_table
from s2auc.data.tables.paths import is_path
from s2auc.data.tables.table import open_table


def learn(X, categorical_features="from_dtype", pool=None):
    """Return the schema of a table of which no column is ignored."""
    rows = as_rows(X)
    if is_table(X) or is_path(X):
        table = open_table(X)
        rows = open_table(X, features=table.names).X
    return learn_schema(rows, categorical_features, None if pool is None else as_rows(pool, "X_unlabeled"))


def read(schema, X, display_name="X"):
    """Return all rows of a table as numbers, by the columns of a schema."""
    rows = open_rows(X, schema, display_name, allows_missing=True)
    return rows.gather(np.arange(rows.n_rows))
