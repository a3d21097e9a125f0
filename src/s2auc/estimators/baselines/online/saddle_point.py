"""The square loss over pairs as a saddle point, which takes one row at a time (Ying, Wen and Lyu, 2016).

With p the share of positive rows, the mean of (1 - wᵀ(x - x'))² over pairs of a positive x and a negative x', less one
and times p(1-p), is the minimum over a and b of the maximum over α of the mean over rows (x, y) of

    F = (1-p)(wᵀx - a)²·[y=1] + p(wᵀx - b)²·[y=-1] + 2(1+α)(p·wᵀx·[y=-1] - (1-p)·wᵀx·[y=1]) - p(1-p)α²,

reached where a and b are the mean scores of the classes and α = b - a. Where rows have norms up to κ and ‖w‖ <= R,
these lie in |a|, |b| <= Rκ and |α| <= 2Rκ: the set that SOLAM and FSAUC project onto.
"""

from dataclasses import dataclass
from math import sqrt
from typing import NamedTuple

from s2auc.common.arrays import FloatArray
from s2auc.estimators.baselines.online.projections import held, in_ball


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
