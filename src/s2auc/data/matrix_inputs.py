"""Matrices as users pass them: arrays, sparse matrices and lists of rows; errors for everything else."""

from collections.abc import Iterator, Set
from typing import Any

import numpy as np

from s2auc.common.arrays import AnyArray, is_sparse

_CONVERSIONS = {"dask": "compute()", "pyspark": "toPandas()"}
"""What makes a data frame or an array of the tables of other libraries."""

LONGEST_VALUE = 80
"""Characters of a value that a sentence spells out."""


def as_matrix(X: Any, display_name: str = "X") -> Any:
    """Return a sparse matrix as it is, and anything else that has rows and columns as an array.

    Masked entries of arrays become NaN, or None where the array holds objects.

    Parameters
    ----------
    X
        What a user passed as a table.
    display_name
        What errors call it.

    Raises
    ------
    TypeError
        If it is none: a series, a generator, …
    ValueError
        If it has not two dimensions, rows of different lengths, or complex numbers.

    Examples
    --------
    >>> as_matrix(np.ma.array([[1, 2], [3, 4]], mask=[[False, True], [False, False]])).tolist()
    [[1.0, nan], [3.0, 4.0]]
    >>> as_matrix(range(3))
    Traceback (most recent call last):
    TypeError: X must be an array, a sparse matrix, a data frame or a list of rows. Got range; pass list(X).
    """
    if is_sparse(X):  # some of which are dicts
        return X
    way_out = _way_out(X, display_name)
    if way_out is not None:
        got = f"the text {_short(X)}" if isinstance(X, str | bytes) else _type_name(X)
        raise TypeError(
            f"{display_name} must be an array, a sparse matrix, a data frame or a list of rows. Got {got}; {way_out}."
        )
    values = X if isinstance(X, np.ndarray) else _array_of(X, display_name)
    if values.ndim != 2:
        way = "to (n_rows, n_columns)"
        if values.ndim < 2:
            way = "with reshape(-1, 1) if it is one column, or reshape(1, -1) if it is one row"
        raise ValueError(
            f"Expected 2D array, got {values.ndim}D array instead: {display_name} must have rows and columns. "
            "Reshape your "
            f"data {way}."
        )
    if values.dtype.kind == "c":
        raise ValueError(
            f"Complex data not supported: {display_name} must hold real numbers. Got {values.dtype}; pass real "
            "and imaginary "
            "parts as columns of their own."
        )
    return _filled(values) if isinstance(values, np.ma.MaskedArray) else values


def _way_out(X: Any, display_name: str) -> str | None:
    """Return what to do with something that is no table; None if it may be one."""
    library, name = type(X).__module__.partition(".")[0], type(X).__name__
    if library in _CONVERSIONS:
        return f"pass {display_name}.{_CONVERSIONS[library]}"
    if library in ("pandas", "polars") and "Series" in name and "GroupBy" not in name:
        return f"pass {display_name}.to_frame() for a table of one column"
    if "GroupBy" in name:
        return f"pass the frame that was grouped, or one row a group, such as {display_name}.mean()"
    if isinstance(X, Iterator | Set | range):
        return f"pass list({display_name})"
    is_readable = isinstance(X, list | tuple) or any(
        hasattr(X, name) for name in ("__array__", "__array_interface__", "__len__", "shape")
    )
    return None if is_readable else "pass rows and columns in one of these"


def _type_name(X: Any) -> str:
    library = type(X).__module__.partition(".")[0]
    name = type(X).__name__
    return "None" if X is None else name if library in ("builtins", "__main__") else f"{name} of {library}"


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= LONGEST_VALUE else f"{text[: LONGEST_VALUE - 1]}…"


def _array_of(X: Any, display_name: str) -> AnyArray:
    is_list = isinstance(X, list | tuple)
    try:
        if is_list and any(isinstance(row, np.ma.MaskedArray) for row in X):
            return np.ma.stack([np.ma.asarray(row) for row in X])
        values = np.asarray(X)
        # NumPy makes text of the numbers that stand beside text.
        return np.array(X, dtype=object) if is_list and values.dtype.kind in "US" else values
    except Exception as error:  # whatever the library that made X raises
        lengths = [len(row) if hasattr(row, "__len__") else 1 for row in X] if is_list else []
        other = next((place for place, length in enumerate(lengths) if length != lengths[0]), None)
        if other is not None:
            raise ValueError(
                f"Rows of {display_name} must be of one length. Got {lengths[0]} values in row 0 and "
                f"{lengths[other]} in row "
                f"{other}; fill them up, with NaN where a value is missing."
            ) from error
        raise TypeError(
            f"{display_name} must be something that NumPy can read. Got {_type_name(X)} "
            f"({' '.join(str(error).split())[:200]}"
            f"); turn it into a NumPy array first."
        ) from error


def _filled(X: Any) -> AnyArray:
    """Return what a masked array holds, with missing values where it is masked."""
    mask, values = np.ma.getmaskarray(X), np.asarray(X.data)
    if not mask.any() or values.dtype.kind in "mM":
        return values
    if values.dtype.kind in "OUS":
        values = values.astype(object)
        values[mask] = None
        return values
    values = values.astype(values.dtype if values.dtype.kind == "f" else np.float64)
    values[mask] = np.nan
    return values
