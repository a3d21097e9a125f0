"""From what users hold to a source of rows."""

from typing import Any

import numpy as np

from s2auc.data.dense import DenseRows
from s2auc.data.schema import Schema
from s2auc.data.source import RowSource
from s2auc.data.sparse import SparseRows


def open_source(X: Any, name: str = "X", schema: Schema | None = None) -> RowSource:
    """Return a source over a dense or sparse matrix, without copying it; errors call it by its name.

    Examples
    --------
    >>> import numpy as np
    >>> open_source(np.arange(6).reshape(3, 2)).gather(np.array([2, 0])).tolist()
    [[4.0, 5.0], [0.0, 1.0]]
    """
    # scikit-learn's checks let dates and durations through, which would become nanoseconds.
    if np.dtype(X.dtype).kind not in "biuf":
        raise ValueError(f"{name} must hold numbers only. Got {X.dtype}; convert or leave out such columns.")
    return SparseRows(X, schema) if hasattr(X, "tocsr") else DenseRows(X, schema)
