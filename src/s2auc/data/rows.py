"""Rows as they come out of a source: a dense array, or the stored values of a sparse matrix by rows (CSR)."""

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from scipy.sparse import csr_array, vstack

from s2auc.common.arrays import AnyArray, FloatArray, is_sparse
from s2auc.common.errors import InputError

Rows: TypeAlias = Any
"""A float64 array, or a `scipy.sparse.csr_array` of float64: what the stubs of SciPy cannot say in a few words."""


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
    if all(is_sparse(part) for part in parts):
        return parts[0] if len(parts) == 1 else csr_array(vstack(parts, format="csr"))
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
