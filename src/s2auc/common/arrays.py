"""Array types that the annotations share, and what tells sparse matrices from arrays."""

from decimal import Decimal
from numbers import Real
from typing import Any, TypeAlias, TypeGuard

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, issparse

AnyArray: TypeAlias = NDArray[Any]
FloatArray: TypeAlias = NDArray[np.float64]
BoolArray: TypeAlias = NDArray[np.bool_]
IndexArray: TypeAlias = NDArray[np.intp]


def as_columns(array: FloatArray) -> FloatArray:
    """Return a matrix as it is, and a vector as a matrix of one column."""
    return array[:, None] if array.ndim == 1 else array


def is_sparse(rows: Any) -> "TypeGuard[csr_array[Any, tuple[int, int]]]":
    """Return whether these are the rows of a sparse matrix or array of SciPy."""
    return bool(issparse(rows))


def is_missing(value: Any) -> bool:
    """Return whether an object says that there is no value: None, NaN, NaT, ``pd.NA``."""
    # Those of pandas go by name: pandas is not a dependency.
    is_named = value is None or type(value).__name__ in ("NAType", "NaTType")
    return is_named or (isinstance(value, Real | Decimal | np.generic) and bool(value != value))
