"""Confidence intervals for an AUC and for the difference of two, by DeLong's variance.

Everything comes from *placements*: the share of its opponents that each row is on the right side of. Both classes'
placements average to the AUC; the variance of their mean is that of the positive rows' placements over their number,
plus the same for the negative ones (DeLong). The error is itself uncertain where a class has few rows, so reaches are
Student's, with the smaller class's degrees of freedom. Where the variance is zero an interval of zero width would be a
lie: it is then that of a success in every trial, of as many trials as the smaller class has rows. Where rows count
differently, all means are weighted, and a class has as many rows as equal ones would tell as much.
"""

from dataclasses import dataclass
from math import sqrt
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit, logit

from s2auc.common.arrays import AnyArray, FloatArray
from s2auc.common.groups import effective_size, shares_of
from s2auc.ranking.metric_inputs import read_open_unit, read_ranking, split_groups
from s2auc.ranking.metrics import doubled_wins

Weights: TypeAlias = tuple[FloatArray | None, FloatArray | None]
"""How much each row of the positive and of the negative class counts; None where all of a class count alike."""

EQUAL: Weights = (None, None)

Placements: TypeAlias = tuple[FloatArray, FloatArray]
"""Placements of the rows of the positive and of the negative class."""

ROUNDING = 1e-12
"""Errors below this are none: they come from rounding."""


@dataclass(frozen=True)
class Estimate:
    """A mean over rows, with its standard error and a confidence interval."""

    value: float
    low: float
    high: float
    level: float
    standard_error: float

    def __str__(self) -> str:
        return f"{self.value:.3f} ({self.level:.0%} interval {self.low:.3f} to {self.high:.3f})"

    @property
    def signed(self) -> str:
        """The same text with signs, for differences."""
        return f"{self.value:+.3f} ({self.level:.0%} interval {self.low:+.3f} to {self.high:+.3f})"


def delong_interval(y_true: ArrayLike, y_score: ArrayLike, level: float = 0.95) -> Estimate:
    """Return the AUC with DeLong's standard error and a confidence interval, in O(n log n).

    Parameters
    ----------
    y_true
        True or 1 for positive rows, False or 0 for negative ones; at least two of each.
    y_score
        One score a row.
    level
        Confidence level in (0, 1).

    Examples
    --------
    >>> from s2auc.ranking.intervals import delong_interval
    >>> print(delong_interval([1, 1, 1, 0, 0, 0], [0.9, 0.8, 0.3, 0.5, 0.2, 0.1]))
    0.889 (95% interval 0.008 to 1.000)
    """
    is_positive, scores = read_ranking(y_true, y_score)
    return estimate_auc(*_class_placements(is_positive, scores), read_open_unit("level", level))


def delong_difference(
    y_true: ArrayLike, first_score: ArrayLike, second_score: ArrayLike, level: float = 0.95
) -> Estimate:
    """Return the AUC of the first score minus that of the second on the same rows, with its interval.

    Parameters
    ----------
    y_true
        True or 1 for positive rows, False or 0 for negative ones; at least two of each.
    first_score, second_score
        One score a row each.
    level
        Confidence level in (0, 1).

    Examples
    --------
    >>> from s2auc.ranking.intervals import delong_difference
    >>> y = [1, 1, 1, 0, 0, 0]
    >>> result = delong_difference(y, [0.9, 0.8, 0.3, 0.5, 0.2, 0.1], [0.9, 0.2, 0.3, 0.5, 0.8, 0.1])
    >>> round(result.value, 3), round(result.standard_error, 3)
    (0.333, 0.272)
    """
    is_positive, first = read_ranking(y_true, first_score, "first_score")
    _, second = read_ranking(is_positive, second_score, "second_score")
    mine, other = (_class_placements(is_positive, scores) for scores in (first, second))
    return estimate_difference(mine, other, read_open_unit("level", level))


def placements(higher: AnyArray, lower: AnyArray, weights: Weights = EQUAL) -> Placements:
    """Return the share of lower rows that each higher row beats, and of higher rows that each lower row loses to.

    Ties count one half. Shares are of the weights of opponents, where these have weights.

    Examples
    --------
    >>> import numpy as np
    >>> [part.tolist() for part in placements(np.array([3, 1]), np.array([1, 0]))]
    [[1.0, 0.75], [0.75, 1.0]]
    """
    if any(weight is not None for weight in weights):
        return _share_below(higher, lower, weights[1]), 1.0 - _share_below(lower, higher, weights[0])
    of_higher = _in_row_order(higher, lower) / (2 * lower.size)
    of_lower = (2 * higher.size - _in_row_order(lower, higher)) / (2 * higher.size)
    return of_higher, of_lower


def estimate_auc(
    of_positive: FloatArray,
    of_negative: FloatArray,
    level: float,
    weights: Weights = EQUAL,
    training_variance: float = 0.0,
) -> Estimate:
    """Return a mean AUC with an interval within [0, 1], from placements.

    DeLong's variance takes the models as given. Where they were trained on few rows, too, other rows would have given
    other models: `training_variance` is added for that. It is estimated from a few folds, so it counts at most as much
    as DeLong's variance does.

    The interval is symmetric on the logit scale. Where all rows are placed alike, with m the size of the smaller class
    and q = ((1 - level)/2)^(1/m), the least chance of success that m successes in m trials leave credible, it reaches
    from q·AUC to 1 - q·(1 - AUC).

    Examples
    --------
    >>> import numpy as np
    >>> print(estimate_auc(np.array([1.0, 0.5, 1.0, 0.5]), np.array([0.5, 1.0, 0.75]), level=0.95))
    0.750 (95% interval 0.027 to 0.997)
    """
    value, error, n_rows = _mean_and_error(of_positive, of_negative, weights)
    error = sqrt(error**2 + min(training_variance, error**2))
    if error < ROUNDING or not 0.0 < value < 1.0:
        credible = _credible(n_rows, level)
        return Estimate(value, value * credible, 1.0 - (1.0 - value) * credible, level, error)
    centre, reach = logit(value), _quantile(n_rows, level) * error / (value * (1.0 - value))
    return Estimate(value, float(expit(centre - reach)), float(expit(centre + reach)), level, error)


def estimate_difference(first: Placements, second: Placements, level: float, weights: Weights = EQUAL) -> Estimate:
    """Return the first of two mean AUCs of the same rows less the second, with its interval within [-1, 1].

    Where all rows gain the same, or nothing, the interval is that of as many trials without failure as the smaller
    class has rows.

    Examples
    --------
    >>> import numpy as np
    >>> found = estimate_difference((np.ones(2), np.ones(2)), (np.full(2, 0.5), np.full(2, 0.5)), level=0.95)
    >>> round(found.value, 3), round(found.low, 3), round(found.high, 3)
    (0.5, -0.763, 0.921)
    """
    of_positive, of_negative = (mine - other for mine, other in zip(first, second, strict=True))
    value, error, n_rows = _mean_and_error(of_positive, of_negative, weights)
    middle, reach = value, _quantile(n_rows, level) * error
    if error < ROUNDING:
        credible = _credible(n_rows, level)
        middle, reach = credible * value, 1.0 - credible
    return Estimate(value, max(-1.0, middle - reach), min(1.0, middle + reach), level, error)


def corrected_for_positives(estimate: Estimate, class_prior: float) -> Estimate:
    """Return the AUC of positive against negative rows from that of positive against unlabelled ones.

    Unlabelled rows are positive with probability π, so the latter is π/2 + (1 - π)·AUC on average. The class prior is
    taken as known; values are cut to [0, 1].

    Examples
    --------
    >>> print(corrected_for_positives(Estimate(0.75, 0.7, 0.8, 0.95, 0.025), class_prior=0.2))
    0.812 (95% interval 0.750 to 0.875)
    """
    value, low, high = (
        min(1.0, max(0.0, (end - class_prior / 2.0) / (1.0 - class_prior)))
        for end in (estimate.value, estimate.low, estimate.high)
    )
    return Estimate(value, low, high, estimate.level, estimate.standard_error / (1.0 - class_prior))


def _class_placements(is_positive: AnyArray, scores: AnyArray) -> Placements:
    higher, lower = split_groups(is_positive, scores)
    if min(higher.size, lower.size) < 2:
        raise ValueError(
            f"DeLong's variance needs at least two rows of each class, got {higher.size} positive and "
            f"{lower.size} negative ones: label more rows."
        )
    return placements(higher, lower)


def _in_row_order(scores: AnyArray, opponents: AnyArray) -> AnyArray:
    # Looking scores up in order is several times faster than at random in large samples.
    order = np.argsort(scores)
    wins = np.empty(scores.size, dtype=np.intp)
    wins[order] = doubled_wins(scores[order], opponents)
    return wins


def _share_below(scores: AnyArray, opponents: AnyArray, weight: FloatArray | None) -> FloatArray:
    """Return for each score the share of its opponents' weight that lies below it, ties counting one half."""
    order = np.argsort(opponents)
    below = np.concatenate([[0.0], np.cumsum(shares_of(weight, opponents.size)[order])])
    ranked = opponents[order]
    left, right = (below[np.searchsorted(ranked, scores, side)] for side in ("left", "right"))
    shares: FloatArray = np.minimum((left + right) / 2.0, 1.0)
    return shares


def _mean_and_error(of_positive: FloatArray, of_negative: FloatArray, weights: Weights) -> tuple[float, float, float]:
    """Return the mean, its standard error, and how many equal rows the smaller class is worth."""
    sides = list(zip((of_positive, of_negative), weights, strict=True))
    error = sqrt(sum(_variance_of_mean(side, weight) for side, weight in sides if len(side) > 1))
    n_rows = min(effective_size(weight, len(side)) for side, weight in sides)
    return float(np.average(of_positive, weights=weights[0])), error, n_rows


def _variance_of_mean(values: FloatArray, weight: FloatArray | None) -> float:
    if weight is None:
        return float(np.var(values, ddof=1)) / len(values)
    shares = shares_of(weight, len(values))
    gaps = values - np.sum(shares * values)
    return float(np.sum(np.square(shares * gaps))) * len(values) / (len(values) - 1)


def _credible(n_rows: float, level: float) -> float:
    """Return the least chance of success that success in every trial leaves credible, a trial a row."""
    return float(((1.0 - level) / 2.0) ** (1.0 / n_rows))


def _quantile(n_rows: float, level: float) -> float:
    """Return Student's quantile: with few rows of a class the error itself is uncertain."""
    # Here and not above: it takes longer to import than all else that ranking needs.
    from scipy.stats import t

    return float(t.ppf((1.0 + level) / 2.0, max(n_rows - 1.0, 1.0)))
