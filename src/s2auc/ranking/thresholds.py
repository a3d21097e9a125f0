"""Where scores become predictions: every threshold that could be taken, and which of them suits an aim."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from s2auc.common.arrays import BoolArray, FloatArray
from s2auc.common.groups import shares_of
from s2auc.ranking.intervals import EQUAL, Weights

ROUNDING = 1e-12
"""Shares that differ by less are equal."""


@dataclass(frozen=True, eq=False)
class Cuts:
    """What lies above each threshold that could be taken.

    Attributes
    ----------
    thresholds
        In ascending order: halfway between two scores, or beyond all. Rows above are predicted positive.
    found, false
        The share of positive rows above each, and of negative ones.
    prior
        The share of positive rows among those to be scored.

    Examples
    --------
    >>> cuts = Cuts.of_scores(np.array([1.0, 3.0]), np.array([0.0, 2.0]))
    >>> cuts.thresholds.tolist(), cuts.found.tolist(), cuts.false.tolist()
    ([-1.5, 0.5, 1.5, 2.5, 4.5], [1.0, 1.0, 0.5, 0.5, 0.0], [1.0, 0.5, 0.5, 0.0, 0.0])
    """

    thresholds: FloatArray
    found: FloatArray
    false: FloatArray
    prior: float

    @classmethod
    def of_scores(
        cls, positive: FloatArray, negative: FloatArray, weights: Weights = EQUAL, class_prior: float | None = None
    ) -> "Cuts":
        """Return the cuts between the scores of two classes.

        Parameters
        ----------
        positive, negative
            Scores of the rows of each class, at least one.
        weights
            How much each row of the two classes counts.
        class_prior
            The share of positive rows among those to be scored; None for their share among these.
        """
        scores = np.unique(np.concatenate([positive, negative]))
        gap = float(scores[-1] - scores[0]) or 1.0
        padded = np.concatenate([[scores[0] - gap], scores, [scores[-1] + gap]])
        thresholds = (padded[1:] + padded[:-1]) / 2
        if class_prior is None:
            sides = zip((positive, negative), weights, strict=True)
            totals = [float(len(rows) if weight is None else weight.sum()) for rows, weight in sides]
            class_prior = totals[0] / sum(totals)
        found = _share_above(thresholds, positive, weights[0])
        return cls(thresholds, found, _share_above(thresholds, negative, weights[1]), class_prior)

    def among_unlabeled(self, class_prior: float) -> "Cuts":
        """Return the cuts where the rows that were taken for negative ones are unlabelled, some of them positive.

        Of unlabelled rows the share prior·found + (1 - prior)·false lies above a threshold, which tells `false`.
        """
        false = np.clip((self.false - class_prior * self.found) / (1.0 - class_prior), 0.0, 1.0)
        return Cuts(self.thresholds, self.found, false, class_prior)

    @property
    def above(self) -> FloatArray:
        """The share of all rows above each threshold."""
        return self.prior * self.found + (1.0 - self.prior) * self.false

    @property
    def precision(self) -> FloatArray:
        """The share of positive rows among those above each threshold; NaN where there are none."""
        above = self.above
        with np.errstate(invalid="ignore"):
            return np.where(above > 0.0, self.prior * self.found / above, np.nan)


def _share_above(thresholds: FloatArray, scores: FloatArray, weight: FloatArray | None) -> FloatArray:
    order = np.argsort(scores)
    place = np.searchsorted(scores[order], thresholds, "right")
    if weight is None:
        return 1.0 - place / len(scores)
    below = np.concatenate([[0.0], np.cumsum(shares_of(weight, len(scores))[order])])
    # The last sum need not be one to the last bit, and nothing is above all scores.
    below[-1] = 1.0
    above: FloatArray = 1.0 - np.minimum(below, 1.0)[place]
    return above


METRICS: Mapping[str, Callable[[Cuts], FloatArray]] = {
    "balanced_accuracy": lambda cuts: cuts.found - cuts.false,
    "accuracy": lambda cuts: cuts.prior * cuts.found - (1.0 - cuts.prior) * cuts.false,
    "f1": lambda cuts: 2.0 * cuts.prior * cuts.found / (cuts.above + cuts.prior),
}
"""What a threshold can be best for, up to constants."""


def best_threshold(cuts: Cuts, metric: str) -> float:
    """Return the threshold with the highest value of a metric; of several equally good ones the middle one.

    Examples
    --------
    >>> best_threshold(Cuts.of_scores(np.array([1.0, 2.0, 3.0]), np.array([0.0, 0.5, 1.5])), "f1")
    0.75
    """
    value = METRICS[metric](cuts)
    best = np.flatnonzero(value >= value.max() - ROUNDING)
    return float(cuts.thresholds[best[len(best) // 2]])


@dataclass(frozen=True)
class Aim:
    """What a threshold is to reach.

    Attributes
    ----------
    is_reached
        Which of the cuts reach a share.
    takes_lowest
        Whether to take the lowest threshold that does, which finds most, or the highest, which is wrong least often.
    """

    is_reached: Callable[[Cuts, float], BoolArray]
    takes_lowest: bool


AIMS: Mapping[str, Aim] = {
    "precision": Aim(lambda cuts, share: cuts.precision >= share - ROUNDING, takes_lowest=True),
    "recall": Aim(lambda cuts, share: cuts.found >= share - ROUNDING, takes_lowest=False),
    "alerts": Aim(lambda cuts, share: cuts.above <= share + ROUNDING, takes_lowest=True),
}
"""What a share can be of: rows above that are positive, at least; positive rows that are above, at least; all rows that
are above, at most."""


def threshold_reaching(cuts: Cuts, aim: str, share: float) -> float | None:
    """Return the threshold that reaches an aim and, of those that do, gives away least; None if no threshold does.

    Examples
    --------
    >>> cuts = Cuts.of_scores(np.array([1.0, 2.0, 3.0]), np.array([0.0, 0.5, 1.5]))
    >>> threshold_reaching(cuts, "precision", 0.75), threshold_reaching(cuts, "recall", 0.6)
    (0.75, 1.75)
    """
    reached = np.flatnonzero(AIMS[aim].is_reached(cuts, share))
    if not len(reached):
        return None
    return float(cuts.thresholds[reached[0 if AIMS[aim].takes_lowest else -1]])
