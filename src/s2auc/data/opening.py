"""From what users hold to a source of rows."""

from typing import Any

import numpy as np

from s2auc.common.arrays import is_sparse
from s2auc.data.schema.schema import Schema
from s2auc.data.sources.combined import FiniteRows
from s2auc.data.sources.finite import check_finite
from s2auc.data.sources.matrix_rows import DenseRows
from s2auc.data.sources.rows import check_numeric
from s2auc.data.sources.source import RowSource
from s2auc.data.sources.sparse_structure import checked_structure
from s2auc.data.sparse import SparseRows


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


def open_matrix(X: Any, schema: Schema, name: str = "X", *, allows_missing: bool, min_rows: int = 0) -> RowSource:
    """Return a source over the columns of a matrix that a schema knows, once their numbers are known to be finite.

    Parameters
    ----------
    X
        What `s2auc.data.matrix_inputs.as_matrix` gives; sparse ones went through `checked_structure`.
    schema
        What its columns are.
    name
        What errors call it.
    allows_missing
        Whether NaN may stand for a missing value.
    min_rows
        With fewer rows, an error says so.

    Examples
    --------
    >>> open_matrix(np.array([[1.0, np.nan]]), Schema(2, {}), allows_missing=True).gather([0]).tolist()
    [[1.0, nan]]
    """
    # Here and not above: experiments use scalings of this package, and start faster without scikit-learn.
    from sklearn.utils.validation import check_array

    matrix = check_array(
        schema.of_matrix(X, name),
        accept_sparse="csr",
        dtype="numeric",
        ensure_all_finite=False,
        ensure_min_samples=min_rows,
        input_name=name,
    )
    source = open_source(matrix, name, schema, is_sound=True)
    # A memory map is read only where rows are drawn; looking for NaN in all of it would read it whole.
    if isinstance(X, np.memmap):
        return FiniteRows(source, name, allows_missing=allows_missing)
    check_finite(matrix, schema, name, allows_missing=allows_missing)
    return source
