"""How the AUC on held-out rows grows with the number of labels, as far as the labels that there are can tell."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from s2auc.common.arrays import IndexArray
from s2auc.ranking.intervals import Estimate, Placements, estimate_auc, estimate_difference
from s2auc.search.evidence import ChoosingRule, Evidence, Shares


@dataclass(frozen=True)
class LearningPoint:
    """The AUC on held-out rows of what so many labels teach."""

    n_labels: int
    auc: Estimate


@dataclass(frozen=True)
class LearningCurve:
    """The AUC on held-out rows by the number of labels that were learnt from.

    Settings are chosen without the rows that judge them, but always by about four fifths of the labels: the curve tells
    what labels teach, not what they bring to the choice.

    Attributes
    ----------
    points
        From few labels to most of them.
    growth
        How much the AUC grew from about half of the labels of the last point to all of these, on the same rows.
    sentence
        The same in words. It is about labels that there were: nothing is said of more.

    Examples
    --------
    >>> few, many = Estimate(0.80, 0.70, 0.87, 0.95, 0.04), Estimate(0.85, 0.78, 0.90, 0.95, 0.03)
    >>> growth = Estimate(0.05, 0.02, 0.08, 0.95, 0.015)
    >>> print(LearningCurve((LearningPoint(80, few), LearningPoint(160, many)), growth))
    More labels helped: from 80 to 160 of them the held-out AUC changed by +0.050 (95% interval +0.020 to +0.080).
    """

    points: tuple[LearningPoint, ...]
    growth: Estimate

    @property
    def sentence(self) -> str:
        """What the growth says about more labels."""
        growth, last = self.growth, self.points[-1].n_labels
        verdict = "Cannot tell whether more labels help"
        if growth.low > 0.0:
            verdict = "More labels helped"
        elif growth.high <= 0.0:
            verdict = "More labels did not help"
        first = middle_point(self.points).n_labels
        return f"{verdict}: from {first} to {last} of them the held-out AUC changed by {growth.signed}."

    def __str__(self) -> str:
        return self.sentence


def middle_point(points: Sequence[LearningPoint]) -> LearningPoint:
    """Return the point, before the last, whose labels come closest to half of the last one's."""
    return min(points[:-1], key=lambda point: abs(2 * point.n_labels - points[-1].n_labels))


def find_learning_curve(
    evidence: Evidence, rule: ChoosingRule, candidates: IndexArray, level: float
) -> LearningCurve | None:
    """Return how the AUC grows with the number of labels; None where folds are too few to tell.

    Parameters
    ----------
    evidence
        Held-out scores of all settings, also by models of few labels.
    rule, candidates
        How settings are chosen, and among which.
    level
        Confidence level of intervals.
    """
    plan = evidence.plan
    if not plan.outer_folds:
        return None
    choices = evidence.choices(rule, candidates)
    weights, variance = evidence.placement_weights(), evidence.training_variance(choices)
    placed = []
    for masks in _masks_by_size(evidence):
        n_labels = round(float(np.mean([plan.is_trained[:, mask].sum() for of_fold in masks for mask in of_fold])))
        placed.append((n_labels, _placements(evidence, choices, masks)))
    points = tuple(LearningPoint(n_labels, estimate_auc(*each, level, weights, variance)) for n_labels, each in placed)
    middle = points.index(middle_point(points))
    return LearningCurve(points, estimate_difference(placed[-1][1], placed[middle][1], level, weights))


def _masks_by_size(evidence: Evidence) -> list[list[list[int]]]:
    """Return, from few labels to many, the masks that test each outer fold without having seen it."""
    plan, outer = evidence.plan, evidence.plan.outer_folds
    few = [
        [[mask for folds, mask in plan.few_masks.items() if len(folds) == size and fold not in folds] for fold in outer]
        for size in sorted({len(folds) for folds in plan.few_masks})
    ]
    without_two = [[plan.mask_without(fold, other) for other in outer if other != fold] for fold in outer]
    return [*few, without_two, [[plan.mask_without(fold)] for fold in outer]]


def _placements(evidence: Evidence, choices: Sequence[Shares], masks: Sequence[Sequence[int]]) -> Placements:
    """Return the placements of tested rows, means over the masks that test each fold."""
    found = []
    for turn in zip(*masks, strict=True):
        judged = [evidence.mixed(chosen, mask) for chosen, mask in zip(choices, turn, strict=True)]
        found.append(evidence.placements(judged))
    of_positive, of_negative = (np.mean(sides, axis=0) for sides in zip(*found, strict=True))
    return of_positive, of_negative
