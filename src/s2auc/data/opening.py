"""From what users hold to a source of rows."""

from typing import Any

from s2auc.common.arrays import is_sparse
from s2auc.data.dense import DenseRows
from s2auc.data.rows import check_numeric
from s2auc.data.schema import Schema
from s2auc.data.source import RowSource
from s2auc.data.sparse import SparseRows
from s2auc.data.sparse_structure import checked_structure


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
