"""The kernel's width from data: what `kernel_gamma` means where it is not a number.

A rule gives gamma as one over a distance: "median", one over the median distance between rows, as the kernel measures
it, or "scale", one over (columns · variance), as in scikit-learn's SVC. A factor may stand before it: "0.1 median" is a
tenth of the rule's gamma, a kernel that is wider.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import isfinite, isqrt
from numbers import Real
from types import MappingProxyType
from typing import Any

import numpy as np
from scipy.spatial.distance import pdist

from s2auc.common.arrays import AnyArray, FloatArray
from s2auc.kernels.shift_invariant import Kernel

WIDTH_ROWS, MIN_WIDTH_ROWS = 300, 100
"""Rows that settle the width, evenly spaced among those given: 45,000 pairs for the median. With many columns fewer do,
but no fewer than the second."""

WIDTH_VALUES = 2**25
"""Differences between two values of a column that the median is worth."""

MAX_GAMMA = 1e100


def _scale(_: Kernel, X: FloatArray) -> float:
    """Return columns · variance of all entries."""
    return float(X.shape[1] * X.var())


def _median(kernel: Kernel, X: FloatArray) -> float:
    """Return the median distance between two different rows, in the metric that the kernel uses."""
    distances = pdist(X, kernel.metric)
    # Where most rows are duplicates the median is zero, which is no width: take it over distinct rows.
    median = np.median(distances) if distances.size else 0.0
    if median == 0.0 and np.any(distances > 0.0):
        median = np.median(distances[distances > 0.0])
    return float(median)


BANDWIDTHS: Mapping[str, Callable[[Kernel, FloatArray], float]] = MappingProxyType({"median": _median, "scale": _scale})
"""Distances that a rule's gamma is one over."""


@dataclass(frozen=True)
class Bandwidth:
    """A gamma as users write it: a number, or a factor times a rule.

    Examples
    --------
    >>> str(Bandwidth.read("0.1 median")), str(Bandwidth.read(2)), str(Bandwidth.read("1 scale"))
    ('0.1 median', '2.0', 'scale')
    """

    factor: float
    rule: str | None

    @classmethod
    def read(cls, value: Any) -> "Bandwidth":
        """Return what a value of `kernel_gamma` means; a ValueError if it means nothing."""
        if isinstance(value, str):
            words = value.split()
            factor = float(words[0]) if len(words) == 2 else 1.0
            rule = words[-1] if words else ""
            if len(words) > 2 or rule not in BANDWIDTHS:
                raise ValueError(f"{value!r} is no rule for a width")
        elif isinstance(value, Real) and not isinstance(value, bool):
            factor, rule = float(value), None
        else:
            raise ValueError(f"{value!r} is no width")
        if not isfinite(factor) or not 0.0 < factor <= MAX_GAMMA:
            raise ValueError(f"{value!r} is out of range")
        return cls(factor, rule)

    def __str__(self) -> str:
        if self.rule is None:
            return repr(self.factor)
        return self.rule if self.factor == 1.0 else f"{self.factor!r} {self.rule}"

    @property
    def value(self) -> float | str:
        """What users would write: a number, or the text of a rule."""
        return self.factor if self.rule is None else str(self)

    def resolve(self, kernel: Kernel, X: AnyArray) -> float:
        """Return the gamma for some rows, as the kernel sees them; at most `WIDTH_ROWS` of them are looked at.

        Examples
        --------
        >>> import numpy as np
        >>> from s2auc.kernels.shift_invariant import KERNELS
        >>> X = np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 2.0], [2.0, 2.0]])
        >>> Bandwidth.read("scale").resolve(KERNELS["gaussian"], X)
        0.5
        >>> Bandwidth.read("0.5 median").resolve(KERNELS["laplacian"], X)
        0.25
        """
        if self.rule is None:
            return self.factor
        width = BANDWIDTHS[self.rule](kernel, np.asarray(width_rows(X), dtype=np.float64))
        # All rows equal: every width gives the same constant kernel.
        return min(self.factor / float(width), MAX_GAMMA) if width > 0.0 else self.factor


def width_rows(X: AnyArray) -> AnyArray:
    """Return the rows that settle the width: evenly spaced ones, fewer where columns are many.

    Examples
    --------
    >>> import numpy as np
    >>> len(width_rows(np.zeros((900, 3)))), len(width_rows(np.zeros((900, 2000))))
    (300, 180)
    """
    of_columns = isqrt(2 * WIDTH_VALUES // max(1, X.shape[1]))
    most = min(WIDTH_ROWS, max(MIN_WIDTH_ROWS, of_columns))
    return X[:: -(-len(X) // most)]


@dataclass(frozen=True)
class BandwidthRule:
    """The rule for parameters that are a kernel's gamma."""

    def accepts(self, value: Any) -> bool:
        """Return whether the value means a gamma."""
        try:
            Bandwidth.read(value)
        except ValueError:
            return False
        return True

    def __str__(self) -> str:
        names = " or ".join(map(repr, BANDWIDTHS))
        return f"a float in the range (0, {MAX_GAMMA:g}], {names}, or one of these after a factor ('0.1 median')"
