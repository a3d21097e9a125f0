"""The square loss over pairs as a saddle point, which takes one row at a time (Ying, Wen and Lyu, 2016).

With p the share of positive rows, the mean of (1 - wᵀ(x - x'))² over pairs of a positive x and a negative x', less one
and times p(1-p), is the minimum over a and b of the maximum over α of the mean over rows (x, y) of

    F = (1-p)(wᵀx - a)²·[y=1] + p(wᵀx - b)²·[y=-1] + 2(1+α)(p·wᵀx·[y=-1] - (1-p)·wᵀx·[y=1]) - p(1-p)α²,

reached where a and b are the mean scores of the classes and α = b - a. Where rows have norms up to κ and ‖w‖ <= R,
these lie in |a|, |b| <= Rκ and |α| <= 2Rκ: the set that SOLAM and FSAUC project onto.
"""

from dataclasses import dataclass
from math import inf, sqrt
from typing import NamedTuple

import numpy as np

from s2auc.common.arrays import FloatArray

_CLOSE = 1e-14
"""Of an interval, relative to where it lies: what is left is below what rounding does."""

_FAR = 1e9
"""Times the size of the set: from points this far the nearest one depends on their direction alone."""


def held(value: float, low: float, high: float) -> float:
    """Return the value, or the bound beyond which it lies."""
    return low if value < low else high if value > high else value


def in_ball(vector: FloatArray, radius: float) -> FloatArray:
    """Return the nearest vector with a norm of at most `radius`.

    Examples
    --------
    >>> in_ball(np.array([3.0, 4.0]), 10.0).tolist(), in_ball(np.array([6.0, 8.0]), 5.0).tolist()
    ([3.0, 4.0], [3.0, 4.0])
    """
    square = float(vector @ vector)
    if square <= radius * radius:
        return vector
    length = sqrt(square) if square < inf else length_of(vector)
    return vector * (radius / length)


def length_of(vector: FloatArray) -> float:
    """Return the norm of a vector, however large its entries.

    Examples
    --------
    >>> f"{length_of(np.array([3e200, 4e200])):.0e}"
    '5e+200'
    """
    largest = float(np.abs(vector).max())
    return largest * float(np.linalg.norm(vector / largest)) if largest > 0.0 else 0.0


def nearest_in_both(moved: FloatArray, center: FloatArray, distance: float, radius: float, bound: float) -> FloatArray:
    """Return the nearest (w, a, b) with ‖w‖ <= radius and |a|, |b| <= bound within a distance of a centre in that set.

    With a multiplier μ for the distance, this is the nearest point of the set to (moved + μ·centre)/(1 + μ), a point on
    the way from the centre to `moved`. The farther that is from the centre, the farther is the point found: the one
    that is as far as allowed is looked for by halving. On the way only three products of vectors are needed.

    Examples
    --------
    >>> moved, center = np.array([3.0, 4.0, 0.0, 9.0]), np.array([0.0, 0.0, 0.0, 0.5])
    >>> nearest_in_both(moved, center, 1.0, 1.0, 1.0).round(3).tolist()
    [0.52, 0.693, 0.0, 1.0]
    """
    length = length_of(moved - center)
    way = (moved - center) / length
    of_weights = center[:-2], way[:-2]
    of_means = list(zip(center[-2:].tolist(), way[-2:].tolist(), strict=True))
    center_square, mixed, way_square = (
        float(one @ other)
        for one, other in ((of_weights[0], of_weights[0]), of_weights, (of_weights[1], of_weights[1]))
    )

    def reach(far: float) -> float:
        """Return how far from the centre the point of the set is that is nearest to the point so far on the way."""
        square = center_square + far * (2.0 * mixed + far * way_square)
        shrink = min(1.0, radius / sqrt(square)) if square > 0.0 else 1.0
        total = center_square + shrink * (shrink * square - 2.0 * (center_square + far * mixed))
        for start, part in of_means:
            total += (held(start + far * part, -bound, bound) - start) ** 2
        return sqrt(max(0.0, total))

    # Nearest points are no farther from each other than what they are nearest to: so far is never too far.
    low, high = distance, min(length, _FAR * (distance + radius + bound))
    while high - low > _CLOSE * high:
        middle = (low + high) / 2.0
        low, high = (middle, high) if reach(middle) <= distance else (low, middle)
    found = center + low * way
    return np.concatenate([in_ball(found[:-2], radius), np.clip(found[-2:], -bound, bound)])


class Slopes(NamedTuple):
    """Derivatives of F for one row: by w it is `score` times the row."""

    score: float
    positive_mean: float
    negative_mean: float
    dual: float


@dataclass
class SaddlePoint:
    """Where the minimisation over (w, a, b) and the maximisation over α stand.

    Attributes
    ----------
    weights
        w.
    positive_mean, negative_mean
        a and b.
    dual
        α.
    """

    weights: FloatArray
    positive_mean: float = 0.0
    negative_mean: float = 0.0
    dual: float = 0.0

    def slopes(self, score: float, is_positive: bool, share: float) -> Slopes:
        """Return the derivatives of F for a row with this score wᵀx, at the share p of positive rows.

        Examples
        --------
        >>> import numpy as np
        >>> SaddlePoint(np.zeros(2)).slopes(0.0, True, 0.25)
        Slopes(score=-1.5, positive_mean=-0.0, negative_mean=0.0, dual=-0.0)
        """
        pull = 2.0 * share * (1.0 - share) * self.dual
        if is_positive:
            weight = 2.0 * (1.0 - share)
            gap = weight * (score - self.positive_mean)
            return Slopes(gap - weight * (1.0 + self.dual), -gap, 0.0, -weight * score - pull)
        weight = 2.0 * share
        gap = weight * (score - self.negative_mean)
        return Slopes(gap + weight * (1.0 + self.dual), 0.0, -gap, weight * score - pull)

    def move(self, row: FloatArray, slopes: Slopes, step: float) -> None:
        """Step down in (w, a, b) and up in α; the weights are a new array."""
        self.weights = self.weights - (step * slopes.score) * row
        self.positive_mean -= step * slopes.positive_mean
        self.negative_mean -= step * slopes.negative_mean
        self.dual += step * slopes.dual

    def project(self, radius: float, largest_norm: float) -> None:
        """Go to the nearest point with ‖w‖ <= R, |a|, |b| <= Rκ and |α| <= 2Rκ."""
        bound = radius * largest_norm
        self.weights = in_ball(self.weights, radius)
        self.positive_mean = held(self.positive_mean, -bound, bound)
        self.negative_mean = held(self.negative_mean, -bound, bound)
        self.dual = held(self.dual, -2.0 * bound, 2.0 * bound)


@dataclass
class SeenRows:
    """What is kept of the rows so far: how many there were of each class, and the largest squared norm."""

    n_rows: int = 0
    n_positive: int = 0
    largest_square: float = 0.0

    def add(self, row: FloatArray, is_positive: bool) -> None:
        """Take notice of a row."""
        self.n_rows += 1
        self.n_positive += is_positive
        self.largest_square = max(self.largest_square, float(row @ row))

    @property
    def share(self) -> float:
        """The share p of positive rows."""
        return self.n_positive / self.n_rows

    @property
    def largest_norm(self) -> float:
        """The largest norm κ of a row."""
        return sqrt(self.largest_square)
