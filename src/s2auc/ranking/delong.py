"""Confidence intervals for an AUC and for the difference of two, by DeLong's variance."""

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit, logit, ndtr, ndtri

from s2auc.common.arrays import AnyArray, BoolArray, IndexArray
from s2auc.ranking.metric_inputs import read_open_unit, read_ranking, split_groups
from s2auc.ranking.metrics import doubled_wins


@dataclass(frozen=True)
class AUCInterval:
    """An AUC with its standard error and confidence interval."""

    auc: float
    standard_error: float
    low: float
    high: float
    level: float


@dataclass(frozen=True)
class AUCDifference:
    """The difference of two AUCs on the same rows, with its confidence interval and two-sided p-value."""

    difference: float
    standard_error: float
    low: float
    high: float
    p_value: float
    level: float


def delong_interval(y_true: ArrayLike, y_score: ArrayLike, level: float = 0.95) -> AUCInterval:
    """Return the AUC with DeLong's standard error and a confidence interval.

    The variance is DeLong's, from ranks as Sun and Xu (2014) do, in O(n log n). The interval is symmetric on
    the logit scale, so it stays within (0, 1).

    Where the variance is zero an interval of zero width would be a lie. With m the size of the smaller class
    and q = ((1 - level)/2)^(1/m), the least chance of success that m successes in m trials leave credible,
    the interval is

    - [q, 1] if the AUC is 1, and [0, 1 - q] if it is 0;
    - [q/2, 1 - q/2] if all scores are equal, the only other case.

    Parameters
    ----------
    y_true
        True or 1 for positive rows, False or 0 for negative ones; at least two of each.
    y_score
        One score a row.
    level
        Confidence level in (0, 1).

    Returns
    -------
    AUCInterval
        AUC, standard error, both ends and the level.

    Examples
    --------
    >>> from s2auc.ranking.delong import delong_interval
    >>> interval = delong_interval([1, 1, 1, 0, 0, 0], [0.9, 0.8, 0.3, 0.5, 0.2, 0.1])
    >>> f"{interval.auc:.3f} in [{interval.low:.3f}, {interval.high:.3f}]"
    '0.889 in [0.261, 0.995]'
    """
    is_positive, scores = read_ranking(y_true, y_score)
    level = read_open_unit("level", level)
    wins, losses = _doubled_counts(is_positive, scores)
    area, error = _mean_and_error(wins, losses)
    if error == 0:
        spread = 1 - _certain_share(level, wins, losses)
        low, high = area - spread * area, area + spread * (1 - area)
    else:
        center, reach = logit(area), -ndtri((1 - level) / 2) * error / (area * (1 - area))
        low, high = expit(center - reach), expit(center + reach)
    return AUCInterval(area, error, float(low), float(high), level)


def delong_difference(
    y_true: ArrayLike, first_score: ArrayLike, second_score: ArrayLike, level: float = 0.95
) -> AUCDifference:
    """Return the AUC of the first score minus that of the second, with interval and p-value.

    The interval is the normal one, cut to [-1, 1]; the p-value tests that the AUCs are equal. Scores that
    rank every row alike give 0 ± 0 and p-value 1. If all rows gain the same, the variance is zero although
    the difference d is not: then, with m and q as in `delong_interval`, the interval is q d ± (1 - q) and the
    p-value that of m agreeing signs, 2^(1 - m).

    Parameters
    ----------
    y_true
        True or 1 for positive rows, False or 0 for negative ones; at least two of each.
    first_score, second_score
        One score a row each.
    level
        Confidence level in (0, 1).

    Returns
    -------
    AUCDifference
        Difference, standard error, both ends, p-value and the level.

    Examples
    --------
    >>> from s2auc.ranking.delong import delong_difference
    >>> y = [1, 1, 1, 0, 0, 0]
    >>> result = delong_difference(y, [0.9, 0.8, 0.3, 0.5, 0.2, 0.1], [0.9, 0.2, 0.3, 0.5, 0.8, 0.1])
    >>> round(result.difference, 3), round(result.p_value, 3)
    (0.333, 0.221)
    """
    is_positive, first = read_ranking(y_true, first_score, "first_score")
    _, second = read_ranking(is_positive, second_score, "second_score")
    level = read_open_unit("level", level)
    first_wins, first_losses = _doubled_counts(is_positive, first)
    second_wins, second_losses = _doubled_counts(is_positive, second)
    wins, losses = first_wins - second_wins, first_losses - second_losses
    difference, error = _mean_and_error(wins, losses)
    if error > 0:
        middle, reach = difference, float(-ndtri((1 - level) / 2)) * error
        p_value = 2 * float(ndtr(-abs(difference) / error))
    elif difference == 0:
        middle, reach, p_value = 0.0, 0.0, 1.0
    else:
        share = _certain_share(level, wins, losses)
        middle, reach = share * difference, 1 - share
        p_value = 2.0 ** (1 - min(wins.size, losses.size))
    low, high = max(-1.0, middle - reach), min(1.0, middle + reach)
    return AUCDifference(difference, error, low, high, p_value, level)


def _doubled_counts(is_positive: BoolArray, scores: AnyArray) -> tuple[IndexArray, IndexArray]:
    """Return how many negatives each positive row beats, and how many positives beat each negative row.

    Counts are doubled so that a tie, one half, stays a whole number and equal counts compare equal.
    """
    higher, lower = split_groups(is_positive, scores)
    if min(higher.size, lower.size) < 2:
        raise ValueError(
            f"DeLong's variance needs at least two rows of each class, got {higher.size} positive and "
            f"{lower.size} negative ones: label more rows."
        )
    return _in_row_order(higher, lower), 2 * higher.size - _in_row_order(lower, higher)


def _in_row_order(scores: AnyArray, rivals: AnyArray) -> IndexArray:
    # Looking scores up in order is several times faster than at random in large samples.
    order = np.argsort(scores)
    wins = np.empty(scores.size, dtype=np.intp)
    wins[order] = doubled_wins(scores[order], rivals)
    return wins


def _mean_and_error(wins: IndexArray, losses: IndexArray) -> tuple[float, float]:
    """Return the mean over pairs and its standard error, exactly zero if no row differs from its class."""
    n_positive, n_negative = wins.size, losses.size
    mean = int(wins.sum()) / (2 * n_positive * n_negative)
    variance = 0.0
    if np.ptp(wins) > 0:
        variance += float(np.var(wins / (2 * n_negative), ddof=1)) / n_positive
    if np.ptp(losses) > 0:
        variance += float(np.var(losses / (2 * n_positive), ddof=1)) / n_negative
    return mean, sqrt(variance)


def _certain_share(level: float, wins: IndexArray, losses: IndexArray) -> float:
    """Return the least chance of success under which m trials without failure are not a surprise."""
    return float(((1 - level) / 2) ** (1 / min(wins.size, losses.size)))
