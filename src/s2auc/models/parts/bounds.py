"""Bounds within which every score is finite, whatever finite rows come, and checks of what parts hold.

Values are held to `MAX_VALUE` after scaling, far beyond where they mean anything: rows within it are seen as they
are, bit by bit. Coefficients of a part add up to `MAX_TOTAL` at most, which single precision can hold. So a
weighted sum of values, a kernel of squared distances and a sum of parts all stay within float64.
"""

from collections.abc import Iterator
from reprlib import repr as shown
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from s2auc.common.arrays import FloatArray, is_sparse
from s2auc.data.features.projection import Projection, stored_numbers
from s2auc.data.features.scaling import ColumnScaling
from s2auc.data.sources.rows import Rows, count_rows, dense_rows
from s2auc.kernels.shift_invariant import KERNELS
from s2auc.models.checks import require

MAX_VALUE = 1e100
"""Of a rescaled column, and of a centre."""

MAX_DIFFERENCE = 8e307
"""Of a value before it is scaled, and of what is taken off it: their difference stays within float64."""

MAX_TOTAL = 1e30
"""Of the absolute coefficients of a part, and of all else that scores are added to or multiplied by."""

CHUNK_NUMBERS = 2**21
"""Scaled numbers, or what is made of them, that are formed at a time: sixteen megabytes."""

MAX_GAMMA = 1e100
"""Of kernels: times a squared distance it must stay within float64."""


def scaled_rows(columns: ColumnScaling, X: Rows) -> FloatArray:
    """Return rows as `columns.apply` gives them, held to `MAX_VALUE`; what is missing stays missing.

    Their order in memory is not known: a sum along rows must not depend on it.

    Examples
    --------
    >>> columns = ColumnScaling(np.zeros(3), np.array([1e300, 2.0, 0.0]))
    >>> scaled_rows(columns, np.array([[-1e300, 3.0, 1.7e308]])).tolist()
    [[-1e+100, 6.0, 0.0]]
    """
    with np.errstate(over="ignore", invalid="ignore"):
        values = columns.apply(X)
        if not values.size or max(values.max(), -values.min()) <= MAX_VALUE:
            return values
        # Differences that overflow would be infinite, and infinity times zero is nothing at all.
        # What is within the bound stays as it is, whatever comes with it.
        held = np.clip(columns.apply(_held(X, MAX_DIFFERENCE)), -MAX_VALUE, MAX_VALUE)
        np.copyto(values, held, where=~(np.abs(values) <= MAX_VALUE))
        return values


def scaled_chunks(columns: ColumnScaling, X: Rows, n_numbers: int = 1) -> Iterator[tuple[slice, FloatArray]]:
    """Yield rows as `scaled_rows` gives them, with their places: so few at a time that they never take much memory.

    Parameters
    ----------
    columns, X
        As for `scaled_rows`.
    n_numbers
        How many numbers are made of each row afterwards.
    """
    step = max(1, CHUNK_NUMBERS // max(len(columns.shift), n_numbers))
    for first in range(0, count_rows(X), step):
        place = slice(first, first + step)
        yield place, scaled_rows(columns, X[place])


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
            # Rows whose components overflow have numbers: none of the parts that are reduced is empty.
            of_rows = np.maximum.reduceat(np.abs(rows.data), rows.indptr[:-1])
            of_matrix = float(np.abs(projection.matrix).max())
            units = np.repeat(of_rows, np.diff(rows.indptr))
            small = csr_array((rows.data / units, rows.indices, rows.indptr), shape=rows.shape)
            reduced = Projection(projection.matrix / of_matrix).apply(small)
            components[is_beyond] = np.nan_to_num(reduced * of_rows[:, None] * of_matrix)
    return components


def _held(X: Rows, largest: float) -> Rows:
    """Return rows with their values held to a bound, missing ones as they are."""
    if is_sparse(X):
        return csr_array((np.clip(X.data, -largest, largest), X.indices, X.indptr), shape=X.shape)
    return np.clip(dense_rows(X), -largest, largest)


def check_total(name: str, place: int, *arrays: FloatArray, factor: float = 1.0) -> None:
    """Raise a ValueError unless the absolute numbers of arrays, times a factor, add up to `MAX_TOTAL` at most.

    Examples
    --------
    >>> check_total("weights", 0, np.array([1e30, -1e30]))
    Traceback (most recent call last):
    ...
    ValueError: weights of part 0 must add up to at most 1e+30 in absolute value, got 2e+30
    """
    with np.errstate(over="ignore"):
        total = factor * float(sum(np.abs(array).sum() for array in arrays))
    sentence = f"{name} of part {place} must add up to at most {MAX_TOTAL:g} in absolute value, got {total:g}"
    require(total <= MAX_TOTAL, sentence)


def check_largest(array: FloatArray, name: str, place: int, largest: float = MAX_VALUE) -> None:
    """Raise a ValueError unless all numbers of an array are within a bound."""
    found = float(np.abs(array).max(initial=0.0))
    sentence = f"{name} of part {place} must be at most {largest:g} in absolute value, got {found:g}"
    require(found <= largest, sentence)


def check_kernel(kernel: Any, gamma: Any, place: int) -> None:
    """Raise a ValueError unless the kernel is a name in `KERNELS`, and gamma a float that kernels can use."""
    sentence = f"the kernel of part {place} must be one of {sorted(KERNELS)}, got {shown(kernel)}"
    require(isinstance(kernel, str) and kernel in KERNELS, sentence)
    # float32 is refused: it would count in float32 before it is saved, in float64 after.
    sentence = f"gamma of part {place} must be a finite float > 0, {MAX_GAMMA:g} at most, got {shown(gamma)}"
    require(isinstance(gamma, int | float) and 0 < gamma <= MAX_GAMMA, sentence)


def check_numbers(array: Any, name: str, place: int, n_dimensions: int = 1) -> None:
    """Raise a ValueError unless this is a vector, or a matrix, of finite float64 numbers.

    Examples
    --------
    >>> check_numbers(np.array([1.0, np.nan]), "cosine", place=0)
    Traceback (most recent call last):
    ...
    ValueError: cosine of part 0 must hold finite numbers, got nan
    """
    is_array = isinstance(array, np.ndarray)
    got = f"shape {array.shape} of {array.dtype}" if is_array else shown(array)
    wanted = "vector" if n_dimensions == 1 else "matrix"
    is_sound = is_array and array.dtype == np.float64 and array.ndim == n_dimensions
    require(is_sound, f"{name} of part {place} must be a float64 {wanted}, got {got}")
    strange = array[~np.isfinite(array)][:1]
    require(not strange.size, f"{name} of part {place} must hold finite numbers, got {strange.sum()}")
