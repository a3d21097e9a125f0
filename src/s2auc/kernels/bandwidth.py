"""The kernel's width from data: what `kernel_gamma="scale"` and `"median"` mean."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np
from scipy.spatial.distance import pdist

from s2auc.common.arrays import AnyArray, FloatArray
from s2auc.kernels.shift_invariant import Kernel

WIDTH_ROWS = 1000
"""Rows that settle the width: half a million pairs for the median."""


def _scale(_: Kernel, X: FloatArray) -> float:
    """Return 1 / (columns · variance of all entries), as scikit-learn's SVC does."""
    return float(X.shape[1] * X.var())


def _median(kernel: Kernel, X: FloatArray) -> float:
    """Return the median distance between two different rows, in the metric that the kernel uses."""
    distances = pdist(X, kernel.metric)
    # Where most rows are duplicates the median is zero, which is no width: take it over distinct rows.
    median = np.median(distances) if distances.size else 0.0
    if median == 0.0 and np.any(distances > 0.0):
        median = np.median(distances[distances > 0.0])
    return float(median)


BANDWIDTHS: Mapping[str, Callable[[Kernel, FloatArray], float]] = MappingProxyType({"scale": _scale, "median": _median})


def resolve_gamma(kernel: Kernel, gamma: float | str, X: AnyArray) -> float:
    """Return the kernel's gamma as a number.

    Parameters
    ----------
    kernel
        An entry of `KERNELS`.
    gamma
        A positive number, which is returned as it is, or a key of `BANDWIDTHS`: "scale" is
        1 / (columns · variance of X), "median" is 1 / median distance between rows, in the metric of the kernel
        (squared Euclidean; L1 for the Laplacian kernel).
    X
        A sample of all rows, labelled or not. At most `WIDTH_ROWS` of them are used, evenly spaced.

    Examples
    --------
    >>> import numpy as np
    >>> from s2auc.kernels.shift_invariant import KERNELS
    >>> X = np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 2.0], [2.0, 2.0]])
    >>> resolve_gamma(KERNELS["gaussian"], "scale", X)
    0.5
    >>> resolve_gamma(KERNELS["laplacian"], "median", X)
    0.5
    """
    if not isinstance(gamma, str):
        return float(gamma)
    stride = -(-len(X) // WIDTH_ROWS)
    width = BANDWIDTHS[gamma](kernel, np.asarray(X, dtype=np.float64)[::stride])
    # All rows equal: every width gives the same constant kernel.
    return 1.0 / width if width > 0.0 else 1.0
