"""Quadratic losses over all pairs of two groups: the pair formula, in one place.

Under a loss c0 + c1·z + c2·z² the mean over all pairs of groups a and b needs only H_a, the mean of φφᵀ, and m_a, the
mean of φ, whatever φ is (random features, kernels at centres, the scores themselves): its second derivative by the
coefficients of φ is 2·c2·pair(a, b), where

    pair(a, b) = H_a + H_b - m_a·m_bᵀ - m_b·m_aᵀ,

and its slope at zero is c1·(m_a - m_b). An objective is a sum of such terms, so three small arrays describe it
(`QuadraticForm`). A group may meet itself, pair(a, a) = 2·H_a - 2·m_a·m_aᵀ, and weights may be negative: the risks of
PNU-AUC have both. For φ the scores themselves, `mean_over_all_pairs` is the same formula with its derivatives.
"""

from collections.abc import Collection
from dataclasses import dataclass
from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np

from s2auc.common.arrays import FloatArray
from s2auc.common.groups import ORIGIN

if TYPE_CHECKING:  # objectives are made of pair rules, which call this module
    from s2auc.ranking.objective import Objective


@dataclass(frozen=True)
class MeanLoss:
    """Weighted mean of a loss over pairs, one value a model, and its derivatives by the scores of both sides."""

    value: FloatArray
    higher_gradient: FloatArray
    lower_gradient: FloatArray


def mean_over_all_pairs(
    coefficients: tuple[float, float, float],
    higher: FloatArray,
    lower: FloatArray,
    higher_share: FloatArray | None,
    lower_share: FloatArray | None,
) -> MeanLoss:
    """Return the mean of c0 + c1·z + c2·z² over all pairs, from the means and variances of the two groups.

    Scores and shares are (rows, n_models); shares sum to one, or to zero where a model has no pairs; None where all
    rows count alike.
    """
    c0, c1, c2 = coefficients
    higher_mean, lower_mean = _mean(higher, higher_share), _mean(lower, lower_share)
    gap = higher_mean - lower_mean
    variance = _mean(np.square(higher - higher_mean), higher_share) + _mean(np.square(lower - lower_mean), lower_share)
    total = 1.0 if higher_share is None else higher_share.sum(axis=0)
    of_higher = 1.0 / len(higher) if higher_share is None else higher_share
    of_lower = 1.0 / len(lower) if lower_share is None else lower_share
    return MeanLoss(
        value=total * (c0 + c1 * gap + c2 * (gap * gap + variance)),
        higher_gradient=of_higher * (c1 + (2.0 * c2) * (higher - lower_mean)),
        lower_gradient=of_lower * ((2.0 * c2) * (lower - higher_mean) - c1),
    )


@dataclass(frozen=True, eq=False)
class QuadraticForm:
    """An objective with second derivative Σ_a second_a·H_a + Σ_ab cross_ab·m_a·m_bᵀ and slope Σ_a slope_a·m_a at zero.

    Examples
    --------
    >>> from s2auc.ranking.losses import LOSSES
    >>> from s2auc.ranking.objective import semi_supervised
    >>> form = QuadraticForm.of_objective(semi_supervised(LOSSES["square"], 1.0), ["positive", "negative"])
    >>> form.second.tolist(), form.cross.tolist(), form.slope.tolist()
    ([2.0, 2.0], [[0.0, -2.0], [-2.0, 0.0]], [-2.0, 2.0])
    """

    groups: tuple[str, ...]
    second: FloatArray
    cross: FloatArray
    slope: FloatArray

    @classmethod
    def of_objective(cls, objective: "Objective", groups: Collection[str]) -> "QuadraticForm":
        """Return the form between the groups that have rows; terms of other groups drop out.

        A ValueError names what is not a quadratic loss over all pairs.
        """
        names = tuple(groups)
        second, cross, slope = np.zeros(len(names)), np.zeros((len(names), len(names))), np.zeros(len(names))
        for term in objective.terms:
            if term.loss.quadratic is None:
                raise ValueError(
                    f"A closed form needs a loss that is quadratic. Got {term.loss.name!r}; use 'square', or "
                    "solver='qsg' for others."
                )
            if not term.pairs.meets_all:
                raise ValueError(
                    "A closed form needs all pairs of two groups. Got pairs of listed rows between "
                    f"{term.pairs.higher!r} and {term.pairs.lower!r}; use pairing='all', or solver='qsg' for others."
                )
            if any(group not in names for group in term.row_groups):
                continue
            # The features of the origin are zero: it has no part in any of these.
            both = zip(term.groups, (1.0, -1.0), strict=True)
            signed = [(names.index(group), sign) for group, sign in both if group != ORIGIN]
            weight = float(term.weight)
            _, c1, c2 = term.loss.quadratic
            for place, sign in signed:
                second[place] += 2.0 * c2 * weight
                slope[place] += sign * c1 * weight
            for (place, _), (other, _) in permutations(signed, 2):
                cross[place, other] -= 2.0 * c2 * weight
        return cls(names, second, cross, slope)


def _mean(values: FloatArray, share: FloatArray | None) -> FloatArray:
    mean: FloatArray = values.mean(axis=0) if share is None else np.sum(share * values, axis=0)
    return mean
