"""Rows as they come out of a source: a dense array, or the stored values of a sparse matrix by rows (CSR)."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from scipy.sparse import csr_array, vstack

from s2auc.common.arrays import AnyArray, FloatArray, is_sparse
from s2auc.common.errors import InputError

if TYPE_CHECKING:  # SciPy's own classes do not say what they hold
    Rows: TypeAlias = FloatArray | csr_array[np.float64, tuple[int, int]]
else:
    Rows = FloatArray | csr_array
"""Rows of numbers: a dense array, or a sparse one by rows."""


def dense_rows(rows: Any) -> FloatArray:
    """Return rows as a dense float64 array in C order, which is not copied if it is one already.

    Examples
    --------
    >>> dense_rows(csr_array([[0.0, 2.0]])).tolist()
    [[0.0, 2.0]]
    """
    values: AnyArray = rows.toarray() if is_sparse(rows) else np.asarray(rows)
    # Sums over rows round differently in another memory order: C order gives the same bits for the same values.
    return values.astype(np.float64, order="C", copy=False)


def stack_rows(parts: Sequence[Rows]) -> Rows:
    """Return the rows of all parts, one after the other: sparse if all of them are.

    Examples
    --------
    >>> stack_rows([np.zeros((1, 2)), csr_array([[0.0, 2.0]])]).tolist()
    [[0.0, 0.0], [0.0, 2.0]]
    """
    sparse = [part for part in parts if is_sparse(part)]
    if len(sparse) == len(parts):
        return sparse[0] if len(parts) == 1 else csr_array(vstack(sparse, format="csr"))
    return np.concatenate([dense_rows(part) for part in parts])


def count_rows(rows: Rows) -> int:
    """Return how many rows there are."""
    return int(rows.shape[0])


def check_numeric(dtype: Any, name: str) -> None:
    """Raise an InputError, about what has the name, unless values of a type are real numbers or booleans."""
    # scikit-learn's checks let dates and durations through, which would become nanoseconds.
    if np.dtype(dtype).kind not in "biuf":
        fix = "convert or leave out such columns"
        raise InputError("hold numbers only", parameter=name, found=str(dtype), fix=fix)
