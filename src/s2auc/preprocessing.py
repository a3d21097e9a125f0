"""What happens to columns before the kernel sees them: (x - shift) · scale, learnt from a sample of all rows."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from s2auc.arrays import AnyArray, FloatArray


@dataclass(frozen=True, eq=False)
class ColumnScaling:
    """An affine map of every column.

    Examples
    --------
    >>> import numpy as np
    >>> SCALINGS["minmax"](np.array([[1.0, 5.0], [3.0, 5.0]])).apply(np.array([[2.0, 6.0]])).tolist()
    [[0.5, 1.0]]
    """

    shift: FloatArray
    scale: FloatArray

    def apply(self, X: AnyArray) -> FloatArray:
        """Return the rows as the kernel sees them, in float64."""
        scaled: FloatArray = (np.asarray(X, dtype=np.float64) - self.shift) * self.scale
        return scaled


def _none(X: FloatArray) -> ColumnScaling:
    return ColumnScaling(np.zeros(X.shape[1]), np.ones(X.shape[1]))


def _standard(X: FloatArray) -> ColumnScaling:
    # Squares of very small or very large values leave the range of float64: measure columns in their own size.
    size = np.maximum(np.abs(X).max(axis=0), np.finfo(np.float64).tiny)
    return ColumnScaling(X.mean(axis=0), _inverse((X / size).std(axis=0) * size, X))


def _minmax(X: FloatArray) -> ColumnScaling:
    low, high = X.min(axis=0), X.max(axis=0)
    return ColumnScaling(low, _inverse(high - low, X))


def _inverse(width: FloatArray, X: FloatArray) -> FloatArray:
    """Return 1/width; 1 for a constant column, whose width may be rounding error only."""
    is_constant = width <= 1e-12 * np.abs(X).max(axis=0)
    return 1.0 / np.where(is_constant, 1.0, width)


SCALINGS: Mapping[str, Callable[[FloatArray], ColumnScaling]] = MappingProxyType(
    {"standard": _standard, "minmax": _minmax, "none": _none}
)
"""`standard`: mean 0 and standard deviation 1; `minmax`: from 0 to 1, the paper's choice; `none`: as they come."""
