"""Quadratic pairwise risks by the moments of their groups: the pair formula, in one place.

Under a loss c0 + c1·z + c2·z² the mean over all pairs of groups a and b needs only H_a, the mean of φφᵀ, and m_a, the
mean of φ, whatever φ is (random features, kernels at centres, the scores themselves): its second derivative by the
coefficients of φ is 2·c2·pair(a, b), where

    pair(a, b) = H_a + H_b - m_a·m_bᵀ - m_b·m_aᵀ,

and its slope at zero is c1·(m_a - m_b). A risk is a sum of such terms, so three small arrays describe it. A group may
meet itself, pair(a, a) = 2·H_a - 2·m_a·m_aᵀ, and weights may be negative: the risks of PNU-AUC have both.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from s2auc.common.arrays import FloatArray
from s2auc.ranking.risk import Term


@dataclass(frozen=True, eq=False)
class QuadraticRisk:
    """A risk with second derivative Σ_a second_a·H_a + Σ_ab cross_ab·m_a·m_bᵀ and slope Σ_a slope_a·m_a at zero.

    Examples
    --------
    >>> from s2auc.ranking.losses import LOSSES
    >>> from s2auc.ranking.risk import semi_supervised_terms
    >>> risk = QuadraticRisk.of_terms(semi_supervised_terms(LOSSES["square"], 1.0), ["positive", "negative"])
    >>> risk.second.tolist(), risk.cross.tolist(), risk.slope.tolist()
    ([2.0, 2.0], [[0.0, -2.0], [-2.0, 0.0]], [-2.0, 2.0])
    """

    groups: tuple[str, ...]
    second: FloatArray
    cross: FloatArray
    slope: FloatArray

    @classmethod
    def of_terms(cls, terms: Sequence[Term], groups: Collection[str]) -> "QuadraticRisk":
        """Return the risk between the groups that have rows; terms of other groups drop out."""
        names = tuple(groups)
        second, cross, slope = np.zeros(len(names)), np.zeros((len(names), len(names))), np.zeros(len(names))
        for term in terms:
            if term.loss.quadratic is None:
                raise ValueError(f"The closed form needs a quadratic loss. Got {term.loss.name!r}; use 'square'.")
            if term.pairs.higher not in names or term.pairs.lower not in names:
                continue
            higher, lower = names.index(term.pairs.higher), names.index(term.pairs.lower)
            weight = float(term.weight)
            _, c1, c2 = term.loss.quadratic
            for group in (higher, lower):
                second[group] += 2.0 * c2 * weight
            cross[higher, lower] -= 2.0 * c2 * weight
            cross[lower, higher] -= 2.0 * c2 * weight
            slope[higher] += c1 * weight
            slope[lower] -= c1 * weight
        return cls(names, second, cross, slope)
