"""What OptAG maximises, and the alternation that does it.

With l(z) = log(1 + exp(-z)), so that -l is the logarithm of the probability that two rows are in the right order, f
linear in the columns with weights w, and q_u how far unlabelled row u counts as positive:

    J =  - mean l(f_p - f_n)  -  alpha/2·‖w‖²                                                     labelled pairs
         + β·mean_u [ -q_u·mean_n l(f_u - f_n)  -  (1-q_u)·mean_p l(f_p - f_u) ]                  expected pairs
         + τ·( mean_i log p(x_i, y_i)  +  β·mean_u [ q_u·log p(x_u, 1) + (1-q_u)·log p(x_u, 0) ] )  class models
         + β·mean_u [ -q_u·log q_u - (1-q_u)·log(1-q_u) ]                                         entropy

J is a lower bound, for any q, of the same sum with log Σ_y exp(…) over the two classes of every unlabelled row, and the
best q makes it equal. Each of three steps maximises J over one of its arguments, so it never falls:

- q: a sigmoid of what the scores say and τ times what the class models say, row by row;
- w: a concave problem of weighted pairs, by L-BFGS;
- the class models: weighted means and variances.

A class model is a generative model in which the columns are independent normal variables (naive Bayes).
"""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import fmin_l_bfgs_b
from scipy.special import entr, expit

from s2auc.common.arrays import FloatArray
from s2auc.common.groups import NEGATIVE, POSITIVE, PositiveFirst, shares_of
from s2auc.ranking.losses import LOSSES
from s2auc.ranking.objective import Objective, Term
from s2auc.ranking.pairs import SLICE_BYTES, AllPairs

NARROWEST = 0.1
"""Variance of a column in a class, at least, as a share of that over all rows: few rows must not make a needle."""


@dataclass(frozen=True, eq=False)
class ClassModels:
    """Prior, means and variances of the positive class, then of the negative one.

    Attributes
    ----------
    log_prior
        Logarithm of the share of each class, (2,).
    mean, variance
        Of each column in each class, (2, columns).
    """

    log_prior: FloatArray
    mean: FloatArray
    variance: FloatArray

    @classmethod
    def of_rows(cls, X: FloatArray, weights: FloatArray, narrowest: FloatArray) -> "ClassModels":
        """Return the models under which weighted rows are most likely.

        They maximise Σ weight·log_joint over all models whose variances are not below given ones: where the variance
        of the rows is, the bound is best, as the likelihood falls from its maximum on.

        Parameters
        ----------
        X
            Rows.
        weights
            How much each row counts as positive, and as negative, (rows, 2); both classes have some weight.
        narrowest
            The least variance of every column.

        Examples
        --------
        >>> X, weights = np.array([[0.0], [2.0], [5.0]]), np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 2.0]])
        >>> models = ClassModels.of_rows(X, weights, np.array([0.5]))
        >>> np.exp(models.log_prior).tolist(), models.mean.tolist(), models.variance.tolist()
        ([0.5, 0.5], [[1.0], [5.0]], [[1.0], [0.5]])
        """
        mass = weights.sum(axis=0)
        share = weights / mass
        mean = share.T @ X
        variance = np.stack([of_class @ np.square(X - centre) for of_class, centre in zip(share.T, mean, strict=True)])
        return cls(np.log(mass / mass.sum()), mean, np.maximum(variance, narrowest))

    def log_joint(self, X: FloatArray) -> FloatArray:
        """Return log(prior · density) of every row in each class, (rows, 2)."""
        columns = [
            -0.5 * np.sum(np.square(X - mean) / variance + np.log(2.0 * np.pi * variance), axis=1)
            for mean, variance in zip(self.mean, self.variance, strict=True)
        ]
        joint: FloatArray = np.stack(columns, axis=1) + self.log_prior
        return joint


def narrowest_variances(X: FloatArray, share: FloatArray) -> FloatArray:
    """Return the least variance that each column may have in a class, given how much of all each row is.

    One where all rows are alike.
    """
    variance = share @ np.square(X - share @ X)
    bound: FloatArray = np.where(variance > 0.0, NARROWEST * variance, 1.0)
    return bound


AS_POSITIVE, AS_NEGATIVE = "as_positive", "as_negative"
"""The unlabelled rows, weighted by how far they count as positive, or as negative."""

LOSS = LOSSES["logistic"]

GRADIENT_LEFT, COST_LEFT, MAX_STEPS = 1e-9, 5.0, 1000
"""When L-BFGS is content: the largest derivative, what a step gains in units of the precision of the cost, steps."""


@dataclass(frozen=True)
class Weights:
    """alpha, β (`unlabeled`) and τ (`generative`)."""

    alpha: float
    unlabeled: float
    generative: float


class GenerativeAUC:
    """J for some rows, rescaled.

    Parameters
    ----------
    labeled, order
        Labelled rows, and which of them are positive.
    unlabeled
        Unlabelled rows; there may be none.
    weights
        The numbers in front of its terms.
    """

    def __init__(self, labeled: FloatArray, order: PositiveFirst, unlabeled: FloatArray, weights: Weights) -> None:
        self._labeled, self._unlabeled, self.weights = labeled, unlabeled, weights
        self._rows = {group: labeled[members] for group, members in order.slices.items()}
        self._rows |= {AS_POSITIVE: unlabeled, AS_NEGATIVE: unlabeled}
        self._shares = {
            group: shares_of(order.weight_of(members), members.stop - members.start)
            for group, members in order.slices.items()
        }
        self._known = shares_of(order.weight, order.n_rows)[:, None] * np.stack(
            [order.is_positive, ~order.is_positive], axis=1
        )
        self._all_rows = np.vstack([labeled, unlabeled])
        mass = self._class_weights(np.zeros(len(unlabeled))).sum(axis=1)
        self._narrowest = narrowest_variances(self._all_rows, mass / mass.sum())

    def value(self, w: FloatArray, q: FloatArray, models: ClassModels) -> float:
        """Return J."""
        joint = self._class_weights(q) * models.log_joint(self._all_rows)
        entropy = self.weights.unlabeled * np.mean(entr(q) + entr(1.0 - q)) if len(q) else 0.0
        return float(self.weights.generative * joint.sum() + entropy - self.cost(w, q)[0])

    def cost(self, w: FloatArray, q: FloatArray) -> tuple[float, FloatArray]:
        """Return the terms of J that know w, with the other sign, and their derivative by w."""
        likely = float(q.mean()) if len(q) else 0.0
        objective = Objective(
            (
                Term(1.0, LOSS, AllPairs(POSITIVE, NEGATIVE)),
                Term(self.weights.unlabeled * likely, LOSS, AllPairs(AS_POSITIVE, NEGATIVE)),
                Term(self.weights.unlabeled * (1.0 - likely), LOSS, AllPairs(POSITIVE, AS_NEGATIVE)),
            )
        )
        scores = {group: X @ w for group, X in self._rows.items()}
        risk = objective.evaluate(scores, {**self._shares, AS_POSITIVE: q, AS_NEGATIVE: 1.0 - q})
        slope = np.sum([self._rows[group].T @ gradient for group, gradient in risk.gradient.items()], axis=0)
        alpha = self.weights.alpha
        return float(risk.value) + 0.5 * alpha * float(w @ w), slope + alpha * w

    def best_labels(self, w: FloatArray, models: ClassModels) -> FloatArray:
        """Return the q with the largest J."""
        scores = {group: X @ w for group, X in self._rows.items()}
        as_positive = _mean_losses(scores[AS_POSITIVE], scores[NEGATIVE], self._shares[NEGATIVE])
        as_negative = _mean_losses(-scores[AS_NEGATIVE], -scores[POSITIVE], self._shares[POSITIVE])
        joint = self.weights.generative * models.log_joint(self._unlabeled)
        labels: FloatArray = expit(as_negative - as_positive + joint[:, 0] - joint[:, 1])
        return labels

    def best_weights(self, w: FloatArray, q: FloatArray) -> FloatArray:
        """Return the w with the largest J, looked for from another one."""
        found, cost, _ = fmin_l_bfgs_b(self.cost, w, args=(q,), factr=COST_LEFT, pgtol=GRADIENT_LEFT, maxiter=MAX_STEPS)
        # The precision of the cost is the end of every line search: what it found must not be worse.
        better: FloatArray = found if cost <= self.cost(w, q)[0] else w
        return better

    def best_models(self, q: FloatArray) -> ClassModels:
        """Return the class models with the largest J."""
        return ClassModels.of_rows(self._all_rows, self._class_weights(q), self._narrowest)

    def first_models(self) -> ClassModels:
        """Return the class models of labelled rows alone."""
        return ClassModels.of_rows(self._labeled, self._known, self._narrowest)

    def _class_weights(self, q: FloatArray) -> FloatArray:
        """Return how much each row counts as positive, and as negative, in the likelihood of the class models."""
        share = self.weights.unlabeled / max(len(q), 1)
        return np.vstack([self._known, share * np.stack([q, 1.0 - q], axis=1)])


def maximise(
    labeled: FloatArray, order: PositiveFirst, unlabeled: FloatArray, weights: Weights, *, max_iter: int, tol: float
) -> tuple[FloatArray, FloatArray]:
    """Alternate until J grows by no more than `tol`, times its size where that is above one.

    Return the weights of the columns, and J before the first alternation and after each.

    It starts from labelled rows alone: the weights that their pairs ask for, and their class models.

    Parameters
    ----------
    labeled, order, unlabeled, weights
        As for `GenerativeAUC`.
    max_iter
        Alternations at most.
    tol
        When they end before.
    """
    supervised = GenerativeAUC(labeled, order, unlabeled[:0], weights)
    w = supervised.best_weights(np.zeros(labeled.shape[1]), np.zeros(0))
    problem = GenerativeAUC(labeled, order, unlabeled, weights)
    models = problem.first_models()
    q = problem.best_labels(w, models)
    values = [problem.value(w, q, models)]
    for _ in range(max_iter if len(unlabeled) else 0):
        w, models = problem.best_weights(w, q), problem.best_models(q)
        q = problem.best_labels(w, models)
        values.append(problem.value(w, q, models))
        if values[-1] - values[-2] <= tol * max(1.0, abs(values[-1])):
            break
    return w, np.array(values)


def _mean_losses(higher: FloatArray, lower: FloatArray, share: FloatArray) -> FloatArray:
    """Return, for each of some scores, the mean loss of its gaps to others, weighted by their shares."""
    means = np.empty(len(higher))
    step = max(1, SLICE_BYTES // (8 * len(lower)))
    for first in range(0, len(higher), step):
        rows = slice(first, first + step)
        means[rows] = LOSS.value(higher[rows, None] - lower) @ share
    return means
