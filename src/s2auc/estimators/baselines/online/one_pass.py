"""One-pass AUC optimisation (Gao, Jin, Zhu and Zhou, 2013): pairs with all earlier rows, by their mean and covariance.

A row with features z and sign y = ±1 meets all rows z' of the other class that came before it. With c and S the mean
and the covariance of these, the mean over them of (1 - y·wᵀ(z - z'))²/2 and alpha/2·‖w‖² have the derivative

    alpha·w - y·(z - c) + (z - c)(z - c)ᵀw + S·w,

so that no earlier row is needed. A step goes against it; the first rows, which meet nobody, make none.
"""

from typing import Any

import numpy as np

from s2auc.common.arrays import BoolArray, FloatArray
from s2auc.common.memory import check_fits
from s2auc.solvers.qsg.panels import DivergenceError

RECENT_ROWS = 64
"""Rows that are kept apart until they are many enough for one product of matrices."""

MAX_WEIGHTS = 1e20
"""Of all absolute weights together: far beyond where they mean anything."""


class RunningMoments:
    """Mean and covariance of the features of all rows so far.

    Examples
    --------
    >>> moments = RunningMoments(1)
    >>> for row in ([1.0], [3.0]):
    ...     moments.add(np.array(row))
    >>> moments.mean().tolist(), moments.covariance_times(np.array([5.0])).tolist()
    ([2.0], [5.0])
    """

    def __init__(self, n_features: int, recent_rows: int = RECENT_ROWS) -> None:
        self.n_rows, self.total = 0, np.zeros(n_features)
        self._squares = np.zeros((n_features, n_features))
        self._recent, self._n_recent = np.zeros((recent_rows, n_features)), 0

    def add(self, row: FloatArray) -> None:
        """Take notice of a row."""
        if self._n_recent == len(self._recent):
            self._squares += self._recent.T @ self._recent
            self._n_recent = 0
        self._recent[self._n_recent] = row
        self._n_recent += 1
        self.n_rows += 1
        self.total += row

    def mean(self) -> FloatArray:
        """Return c."""
        return self.total / self.n_rows

    def covariance_times(self, weights: FloatArray) -> FloatArray:
        """Return S·w, where S = Σ zzᵀ/n - ccᵀ."""
        recent, mean = self._recent[: self._n_recent], self.mean()
        product: FloatArray = self._squares @ weights
        product += (recent @ weights) @ recent
        product /= self.n_rows
        product -= float(mean @ weights) * mean
        return product


class OnePassPairs:
    """Steps of one-pass AUC optimisation, from zero weights, all of one size.

    Parameters
    ----------
    n_features
        How many features a row has.
    alpha
        Strength of regularisation.
    step_size
        η, as it is in the authors' code; their analysis has an η for each number of rows.
    """

    def __init__(self, n_features: int, alpha: float, step_size: float) -> None:
        self.alpha, self.step_size = alpha, step_size
        self.weights = np.zeros(n_features)
        self.negative, self.positive = RunningMoments(n_features), RunningMoments(n_features)

    def learn(self, Z: FloatArray, is_positive: BoolArray) -> None:
        """Make one step a row of features, in this order."""
        for row, positive in zip(Z, is_positive.tolist(), strict=True):
            own, other = (self.positive, self.negative) if positive else (self.negative, self.positive)
            if other.n_rows:
                gap = row - other.mean()
                pull = float(gap @ self.weights) - (1.0 if positive else -1.0)
                slope = other.covariance_times(self.weights)
                slope += self.alpha * self.weights
                slope += pull * gap
                slope *= self.step_size
                self.weights -= slope
            own.add(row)
        if not np.abs(self.weights).sum() <= MAX_WEIGHTS:
            raise DivergenceError(
                f"Steps with step_size={self.step_size:g} and alpha={self.alpha:g} left all bounds. They are too long; "
                "use a smaller step_size."
            )


def check_moments(ranker: Any, parameter: str, n_features: int) -> None:
    """Raise a MemoryError that names the parameter if the moments of both classes, and their copies, do not fit."""
    check_fits(
        4 * 8 * n_features * (n_features + RECENT_ROWS),
        f"The {parameter!r} parameter of {type(ranker).__name__}, {getattr(ranker, parameter)},",
        f"use fewer {parameter.removeprefix('n_')}",
    )
