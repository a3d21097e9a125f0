"""Bounds within which every score is finite, whatever finite rows come: on what models hold, and on what they see.

Values are held to `LARGEST_VALUE` after scaling, far beyond where they mean anything: rows within it are seen as they
are, bit by bit. Coefficients of a part add up to `LARGEST_TOTAL` at most, which single precision can hold. So a
weighted sum of values, a kernel of squared distances and a sum of parts all stay within float64.
"""

from typing import Any

import numpy as np
from scipy.sparse import csr_array

from s2auc.common.arrays import FloatArray, is_sparse
from s2auc.data.features.projection import Projection, stored_numbers
from s2auc.data.features.scaling import ColumnScaling
from s2auc.data.sources.rows import Rows, dense_rows

LARGEST_VALUE = 1e100
"""Of a rescaled column, and of a centre."""

LARGEST_DIFFERENCE = 8e307
"""Of a value before it is scaled, and of what is taken off it: their difference stays within float64."""

LARGEST_TOTAL = 1e30
"""Of the absolute coefficients of a part, and of all else that scores are added to or multiplied by."""

LARGEST_GAMMA = 1e100
"""Of kernels: times a squared distance it must stay within float64."""


def scaled_rows(columns: ColumnScaling, X: Rows) -> FloatArray:
    """Return rows as `columns.apply` gives them, held to `LARGEST_VALUE`; what is missing stays missing.

    Examples
    --------
    >>> columns = ColumnScaling(np.zeros(3), np.array([1e300, 2.0, 0.0]))
    >>> scaled_rows(columns, np.array([[-1e300, 3.0, 1.7e308]])).tolist()
    [[-1e+100, 6.0, 0.0]]
    """
    with np.errstate(over="ignore", invalid="ignore"):
        values = columns.apply(X)
        if not values.size or max(values.max(), -values.min()) <= LARGEST_VALUE:
            return values
        # Differences that overflow would be infinite, and infinity times zero is nothing at all.
        return np.clip(columns.apply(_held(X, LARGEST_DIFFERENCE)), -LARGEST_VALUE, LARGEST_VALUE)


def finite_components(projection: Projection, X: Rows) -> FloatArray:
    """Return the components of rows as `projection.apply` gives them, held to what float64 can hold.

    Examples
    --------
    >>> projection = Projection(np.array([[1e200, 1.0], [-1e200, 2.0]]))
    >>> [f"{component:.1e}" for component in finite_components(projection, np.array([[1e300, 2e300]]))[0]]
    ['-1.8e+308', '5.0e+300']
    """
    with np.errstate(over="ignore", invalid="ignore"):
        components = projection.apply(X)
        is_beyond = ~np.isfinite(components).all(axis=1)
        if is_beyond.any():
            # In units of their largest numbers they add up; overflow then happens once, with the sign that they have.
            rows = stored_numbers(X[np.flatnonzero(is_beyond)])
            of_rows, of_matrix = float(np.abs(rows.data).max()), float(np.abs(projection.matrix).max())
            small = csr_array((rows.data / of_rows, rows.indices, rows.indptr), shape=rows.shape)
            reduced = Projection(projection.matrix / of_matrix).apply(small)
            components[is_beyond] = np.nan_to_num(reduced * of_rows * of_matrix)
    return components


def _held(X: Rows, largest: float) -> Rows:
    """Return rows with their values held to a bound, missing ones as they are."""
    if is_sparse(X):
        return csr_array((np.clip(X.data, -largest, largest), X.indices, X.indptr), shape=X.shape)
    return np.clip(dense_rows(X), -largest, largest)


def check_total(total: Any, name: str, place: int) -> None:
    """Raise a ValueError unless what a part's scores add up from is within `LARGEST_TOTAL`.

    Examples
    --------
    >>> check_total(np.abs([1e30, 1e30]).sum(), "weights", place=0)
    Traceback (most recent call last):
    ...
    ValueError: weights of part 0 must add up to at most 1e+30 in absolute value, got 2e+30
    """
    if not total <= LARGEST_TOTAL:
        raise ValueError(
            f"{name} of part {place} must add up to at most {LARGEST_TOTAL:g} in absolute value, got {total:g}"
        )


def check_largest(array: FloatArray, name: str, place: int, largest: float = LARGEST_VALUE) -> None:
    """Raise a ValueError unless all numbers of an array are within a bound."""
    found = float(np.abs(array).max(initial=0.0))
    if not found <= largest:
        raise ValueError(f"{name} of part {place} must be at most {largest:g} in absolute value, got {found:g}")


def total_of(*arrays: FloatArray) -> float:
    """Return the sum of the absolute values of some arrays, infinite where it overflows."""
    with np.errstate(over="ignore"):
        return float(sum(np.abs(array).sum() for array in arrays))
