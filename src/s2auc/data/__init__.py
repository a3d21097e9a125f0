"""Where rows come from: every source offers the same four things, whatever holds the rows."""

from s2auc.data.dense import DenseRows
from s2auc.data.source import ChainedRows, FiniteRows, RowSource, SelectedRows
from s2auc.data.sparse import SparseRows

__all__ = ["ChainedRows", "DenseRows", "FiniteRows", "RowSource", "SelectedRows", "SparseRows", "open_source"]


def open_source(X: object) -> RowSource:
    """Return a source over a dense or sparse matrix, without copying it.

    Examples
    --------
    >>> import numpy as np
    >>> open_source(np.arange(6).reshape(3, 2)).gather(np.array([2, 0])).tolist()
    [[4.0, 5.0], [0.0, 1.0]]
    """
    return SparseRows(X) if hasattr(X, "tocsr") else DenseRows(X)
