"""What is minimised, as data: an `Objective` is a list of terms, each (weight, loss, pair rule), built once.

Scores come in by group ("positive", "negative", "unlabeled" or any other name), as an array (rows,) for one model or
(rows, n_models) for several side by side; values and gradients go out in the same shape. Rows may carry weights, which
may differ between models: a pair weighs the product of its rows' weights and a term is the weighted mean of its loss
over its pairs, so a weight of zero leaves a row out. A term without pairs drops out: its group may be empty, absent or
without weight. Nothing knows how many groups there are, or which, but for the origin: a row that scores zero, with
which pairs are losses of single scores. It never comes in, and has no gradient.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import permutations
from typing import TypeAlias

import numpy as np

from s2auc.common.arrays import FloatArray, as_columns
from s2auc.common.groups import NEGATIVE, NEIGHBOR, NODE, ORIGIN, POSITIVE, UNLABELED
from s2auc.ranking.losses import LOSSES, Loss, quadratic_loss
from s2auc.ranking.pairs import PAIRINGS, AllPairs, PairRule, RowPairs

Groups: TypeAlias = Mapping[str, FloatArray]


@dataclass(frozen=True)
class Term:
    """One term: weight · mean over the pairs of loss(score of the higher row - score of the lower row).

    `weight` is a number, or an array with one number a model.
    """

    weight: float | FloatArray
    loss: Loss
    pairs: PairRule

    @property
    def groups(self) -> tuple[str, str]:
        """The group that should score higher, then the other."""
        return self.pairs.higher, self.pairs.lower

    @property
    def row_groups(self) -> tuple[str, ...]:
        """Those of them that have rows: all but the origin."""
        return tuple(group for group in self.groups if group != ORIGIN)


@dataclass(frozen=True)
class RiskResult:
    """A risk's value, and its derivative by every score, group by group."""

    value: FloatArray
    gradient: dict[str, FloatArray]


@dataclass(frozen=True)
class Objective:
    """The sum of some terms.

    Examples
    --------
    >>> import numpy as np
    >>> from s2auc.ranking.losses import LOSSES
    >>> objective = semi_supervised(LOSSES["square"], labeled_weight=1.0)
    >>> result = objective.evaluate({"positive": np.array([2.0]), "negative": np.array([0.0, 1.0])})
    >>> float(result.value), result.gradient["positive"].tolist(), result.gradient["negative"].tolist()
    (0.5, [1.0], [-1.0, 0.0])
    """

    terms: tuple[Term, ...]

    @property
    def groups(self) -> tuple[str, ...]:
        """The groups that some term with weight looks at, in the order of the terms."""
        weighted = [term for term in self.terms if np.any(term.weight)]
        return tuple(dict.fromkeys(group for term in weighted for group in term.row_groups))

    @property
    def sees_constants(self) -> bool:
        """Whether it changes if all scores grow by the same number."""
        return any(ORIGIN in term.groups for term in self.terms)

    def has_pairs(self, sizes: Mapping[str, int]) -> bool:
        """Return whether some term has both weight and rows."""
        return any(np.any(term.weight) and all(sizes.get(group, 0) for group in term.row_groups) for term in self.terms)

    def of_model(self, model: int, n_models: int) -> "Objective":
        """Return the objective of one of several models."""
        weights = [float(np.broadcast_to(term.weight, n_models)[model]) for term in self.terms]
        return Objective(tuple(replace(term, weight=weight) for term, weight in zip(self.terms, weights, strict=True)))

    def evaluate(self, scores: Groups, weights: Groups | None = None) -> RiskResult:
        """Return the value and its derivative by every score."""
        if not weights and self._is_moment_form:
            return self._evaluate_moments(scores)
        columns = {group: as_columns(score) for group, score in scores.items()}
        shares = {group: as_columns(weights[group]) if weights and group in weights else None for group in scores}
        value = np.zeros(max((score.shape[1] for score in columns.values()), default=1))
        columns[ORIGIN], shares[ORIGIN] = np.zeros((1, len(value))), None
        gradient = {group: np.zeros_like(score) for group, score in columns.items()}
        for term in self.terms:
            higher, lower = term.groups
            if not len(columns.get(higher, ())) or not len(columns.get(lower, ())):
                continue
            mean = term.pairs.mean_loss(term.loss, columns[higher], columns[lower], shares[higher], shares[lower])
            value += term.weight * mean.value
            gradient[higher] += term.weight * mean.higher_gradient
            gradient[lower] += term.weight * mean.lower_gradient
        is_single = all(score.ndim == 1 for score in scores.values())
        return RiskResult(
            value=value[0] if is_single else value,
            gradient={group: gradient[group][:, 0] if is_single else gradient[group] for group in scores},
        )

    @cached_property
    def _is_moment_form(self) -> bool:
        """Whether moments of the groups tell all: every loss is quadratic, over all pairs of two groups."""
        return all(
            term.loss.quadratic is not None and term.pairs.meets_all and len(set(term.row_groups)) == 2
            for term in self.terms
        )

    def _evaluate_moments(self, scores: Groups) -> RiskResult:
        """Return value and derivatives from the moments of each group, once for all terms: few operations a step."""
        columns = {group: as_columns(score) for group, score in scores.items()}
        present = {group: score for group, score in columns.items() if len(score)}
        mean = {group: np.add.reduce(score, axis=0) / len(score) for group, score in present.items()}
        square = {group: np.einsum("rm,rm->m", score, score) / len(score) for group, score in present.items()}
        n_models = max((score.shape[1] for score in columns.values()), default=1)
        value = np.zeros(n_models)
        bend: dict[str, FloatArray] = {group: np.zeros(n_models) for group in present}
        level: dict[str, FloatArray] = {group: np.zeros(n_models) for group in present}
        for term in self.terms:
            higher, lower = term.groups
            if higher not in present or lower not in present or term.loss.quadratic is None:
                continue
            c0, c1, c2 = term.loss.quadratic
            high, low, twice = mean[higher], mean[lower], 2.0 * c2 * term.weight
            squares = square[higher] + square[lower] - 2.0 * high * low
            value += term.weight * (c0 + c1 * (high - low) + c2 * squares)
            bend[higher] = bend[higher] + twice
            bend[lower] = bend[lower] + twice
            level[higher] = level[higher] + (c1 * term.weight - twice * low)
            level[lower] = level[lower] - (c1 * term.weight + twice * high)
        gradient = {
            group: (bend[group] * score + level[group]) / len(score) if group in present else np.zeros_like(score)
            for group, score in columns.items()
        }
        is_single = all(score.ndim == 1 for score in scores.values())
        return RiskResult(
            value=value[0] if is_single else value,
            gradient={group: column[:, 0] if is_single else column for group, column in gradient.items()},
        )

    def curvature_product(self, vectors: Groups, weights: Groups | None = None) -> dict[str, FloatArray]:
        """Return C·v for vectors v over the rows, C being the largest curvature that there can be between scores.

        C is the matrix of second derivatives with l'' replaced by its bound in every pair: exact for quadratic losses,
        an upper bound for the others. Vectors are (rows,) or (rows, any number); weights must be (rows,).
        """
        # Second derivatives of l are first derivatives of a parabola, whose gradient is linear in the scores.
        parabolas = []
        for term in self.terms:
            loss = quadratic_loss("curvature", 0.0, 0.0, 0.5 * term.loss.curvature_bound)
            parabolas.append(replace(term, weight=np.abs(term.weight), loss=loss))
        return Objective(tuple(parabolas)).evaluate(vectors, weights).gradient


@dataclass(frozen=True, eq=False)
class QuadraticForm:
    """An objective with second derivative Σ_a second_a·H_a + Σ_ab cross_ab·m_a·m_bᵀ and slope Σ_a slope_a·m_a at zero.

    Under a loss c0 + c1·z + c2·z² the mean over all pairs of groups a and b needs only H_a, the mean of φφᵀ, and m_a,
    the mean of φ, whatever φ is (random features, kernels at centres, the scores themselves): its second derivative by
    the coefficients of φ is 2·c2·pair(a, b), where

        pair(a, b) = H_a + H_b - m_a·m_bᵀ - m_b·m_aᵀ,

    and its slope at zero is c1·(m_a - m_b). An objective is a sum of such terms, so three small arrays describe it.
    A group may meet itself, pair(a, a) = 2·H_a - 2·m_a·m_aᵀ, and weights may be negative: the risks of
    PNU-AUC have both. For φ the scores themselves, `mean_over_all_pairs` is the same formula with its derivatives.

    Examples
    --------
    >>> form = QuadraticForm.of_objective(semi_supervised(LOSSES["square"], 1.0), ["positive", "negative"])
    >>> form.second.tolist(), form.cross.tolist(), form.slope.tolist()
    ([2.0, 2.0], [[0.0, -2.0], [-2.0, 0.0]], [-2.0, 2.0])
    """

    groups: tuple[str, ...]
    second: FloatArray
    cross: FloatArray
    slope: FloatArray

    @classmethod
    def of_objective(cls, objective: Objective, groups: Collection[str]) -> "QuadraticForm":
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


def semi_supervised(loss: Loss, labeled_weight: float | FloatArray, pairing: str = "all") -> Objective:
    """Return γ·R_PN + (1-γ)·(R_PU + R_NU), where γ is `labeled_weight`.

    The paper's risk has another -(1-γ)/2, a constant that no gradient sees.

    Examples
    --------
    >>> from s2auc.ranking.losses import LOSSES
    >>> objective = semi_supervised(LOSSES["square"], 0.25)
    >>> [(term.weight, *term.groups) for term in objective.terms]
    [(0.25, 'positive', 'negative'), (0.75, 'positive', 'unlabeled'), (0.75, 'unlabeled', 'negative')]
    """
    rule, rest = PAIRINGS[pairing], 1.0 - labeled_weight
    pairs = (labeled_weight, POSITIVE, NEGATIVE), (rest, POSITIVE, UNLABELED), (rest, UNLABELED, NEGATIVE)
    return Objective(tuple(Term(weight, loss, rule(higher, lower)) for weight, higher, lower in pairs))


def pointwise(loss: Loss, positive_share: float) -> Objective:
    """Return π·mean l(f_p) + (1-π)·mean l(-f_n): the mean loss of single rows, where π is the share of positive ones.

    The share is a parameter because steps may draw rows of each class apart.

    Examples
    --------
    >>> objective = pointwise(LOSSES["logistic"], positive_share=0.25)
    >>> result = objective.evaluate({"positive": np.array([0.0]), "negative": np.array([0.0, 0.0])})
    >>> result.gradient["positive"].tolist(), result.gradient["negative"].tolist()
    ([-0.125], [0.1875, 0.1875])
    """
    positive = Term(positive_share, loss, AllPairs(POSITIVE, ORIGIN))
    return Objective((positive, Term(1.0 - positive_share, loss, AllPairs(ORIGIN, NEGATIVE))))


def with_neighbors(objective: Objective, weight: float | FloatArray) -> Objective:
    """Return the objective with half the weight times the mean of (f(x) - f(x'))² over pairs of neighbours added to it.

    The half is that of alpha/2·‖f‖²: both ask for smooth functions.

    Examples
    --------
    >>> with_neighbors(Objective(()), 10.0).evaluate({"node": np.array([1.0]), "neighbor": np.array([4.0])}).value
    np.float64(45.0)
    """
    return Objective((*objective.terms, Term(0.5 * weight, LOSSES["squared_difference"], RowPairs(NODE, NEIGHBOR))))
