"""The ROC curve of scores, with a band in which that of all rows like these lies.

At every cut two shares are seen, that of positive and that of negative rows above it; each has Wilson's interval. The
level of each is the root of the level asked for, so that both hold together. Shares rise from cut to cut, so what is
known of one cut bounds the curve on either side of it: steps between the corners, which never claim too much.
"""

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import norm
from sklearn.metrics import roc_curve

from s2auc.common.arrays import AnyArray, FloatArray
from s2auc.ranking.metric_inputs import read_open_unit, read_ranking

MAX_POINTS = 300
"""Corners of the curve that are kept; what is between them cannot be seen."""

N_GRID = 201
"""Shares of negative rows at which the band is known, from 0 to 1."""


@dataclass(frozen=True, eq=False)
class RocBand:
    """A ROC curve and its band.

    Attributes
    ----------
    false_rate, true_rate
        The curve: shares of negative and of positive rows above falling cuts.
    grid, low, high
        The band: between which shares of positive rows the curve lies at given shares of negative ones.
    level
        How often it does, at any one of them.
    """

    false_rate: FloatArray
    true_rate: FloatArray
    grid: FloatArray
    low: FloatArray
    high: FloatArray
    level: float

    def at(self, false_rate: float) -> tuple[float, float, float]:
        """Return the share of positive rows above the cut that lets a share of negative ones pass, and its bounds."""
        place = int(np.searchsorted(self.grid, false_rate - 1e-9))
        # Of several cuts that let as many negative rows pass, the one that finds the most.
        found = self.true_rate[np.searchsorted(self.false_rate, false_rate + 1e-9) - 1]
        return float(found), float(self.low[place]), float(self.high[place])


def roc_band(y_true: ArrayLike, y_score: ArrayLike, level: float = 0.95) -> RocBand:
    """Return the ROC curve of scores with a pointwise band.

    Parameters
    ----------
    y_true
        True or 1 for positive rows, False or 0 for negative ones; at least one of each.
    y_score
        One score a row.
    level
        Confidence level in (0, 1), of every point by itself.

    Examples
    --------
    >>> band = roc_band([1, 1, 1, 0, 0, 0], [0.9, 0.8, 0.3, 0.5, 0.2, 0.1])
    >>> found, low, high = band.at(0.0)
    >>> round(found, 3), low < found < high
    (0.667, True)
    """
    is_positive, scores = read_ranking(y_true, y_score)
    both = sqrt(read_open_unit("level", level))
    false_rate, true_rate = _curve(is_positive, scores)
    n_positive = int(np.count_nonzero(is_positive))
    false_low, false_high = wilson_bounds(false_rate, len(scores) - n_positive, both)
    true_low, true_high = wilson_bounds(true_rate, n_positive, both)
    grid = np.linspace(0.0, 1.0, N_GRID)
    # A cut that lets more pass finds no less: the next one bounds from above, the last one from below.
    high = np.append(true_high, 1.0)[np.searchsorted(false_low, grid, side="right")]
    low = np.append(0.0, true_low)[np.searchsorted(false_high, grid, side="right")]
    return RocBand(false_rate, true_rate, grid, low, high, level)


def wilson_bounds(share: FloatArray, n_rows: int, level: float) -> tuple[FloatArray, FloatArray]:
    """Return Wilson's interval of shares that were seen among so many rows.

    Examples
    --------
    >>> low, high = wilson_bounds(np.array([0.0, 0.5]), 10, 0.95)
    >>> low.round(3).tolist(), high.round(3).tolist()
    ([0.0, 0.237], [0.278, 0.763])
    """
    reach = float(norm.ppf((1.0 + level) / 2.0))
    weight = 1.0 / (1.0 + reach**2 / n_rows)
    middle = weight * (share + reach**2 / (2.0 * n_rows))
    half = weight * reach * np.sqrt(share * (1.0 - share) / n_rows + reach**2 / (4.0 * n_rows**2))
    # Rounding must not move the ends: none of no rows is none.
    low = np.where(share > 0.0, np.maximum(middle - half, 0.0), 0.0)
    return low, np.where(share < 1.0, np.minimum(middle + half, 1.0), 1.0)


def _curve(is_positive: AnyArray, scores: AnyArray) -> tuple[FloatArray, FloatArray]:
    """Return the corners of the curve, of very many those at equal distances along it."""
    false_rate, true_rate, _ = roc_curve(is_positive, scores)
    if len(false_rate) > MAX_POINTS:
        along = false_rate + true_rate
        places = np.unique(np.searchsorted(along, np.linspace(0.0, along[-1], MAX_POINTS)))
        false_rate, true_rate = false_rate[places], true_rate[places]
    return false_rate, true_rate
