"""Weights of features for every mask, alpha and other setting: by whichever closed form is faster."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.linalg import cholesky, solve_triangular

from s2auc.common.arrays import AnyArray, BoolArray, FloatArray
from s2auc.common.groups import UNLABELED, PositiveFirst
from s2auc.ranking.objective import Objective, QuadraticForm
from s2auc.solvers.exact.by_features import equations_of, minimise, moments_of, moments_of_masks
from s2auc.solvers.job import Points

ROWS_WORTHWHILE = 0.75
"""Solving through the rows is faster up to this many labelled rows a feature."""


def is_faster_by_rows(n_rows: int, n_features: int) -> bool:
    """Return whether to solve through so many labelled rows rather than through so many features."""
    return n_rows < ROWS_WORTHWHILE * n_features


@dataclass(frozen=True, eq=False)
class FeatureRows:
    """Rows by their features, whatever these are; float32 or float64, the precision of their products.

    Attributes
    ----------
    labeled, order
        Labelled rows, positive first: an array or, where it is faster to solve through the features, anything that has
        a shape and gives rows by their places.
    pool
        The unlabelled rows that labelled ones are paired with; there may be none.
    roughness
        M of the neighbours (`s2auc.solvers.neighbors`); None where there are none.
    """

    labeled: Any
    order: PositiveFirst
    pool: AnyArray
    roughness: FloatArray | None = None

    @property
    def n_features(self) -> int:
        """How many features a row has."""
        return int(self.labeled.shape[1])

    def weights(self, points: Points, risk: Callable[[float], Objective], is_trained: BoolArray) -> FloatArray:
        """Return the minimisers for all points and masks, (mixes, features, masks).

        Parameters
        ----------
        points
            Alphas, labelled and neighbour weights.
        risk
            Gives the risk at a labelled weight.
        is_trained
            Which labelled rows each mask trains on, (labelled rows, masks).
        """
        by_rows = is_faster_by_rows(self.order.n_rows, self.n_features)
        return (self.weights_by_rows if by_rows else self.weights_by_features)(points, risk, is_trained)

    def weights_by_rows(self, points: Points, risk: Callable[[float], Objective], is_trained: BoolArray) -> FloatArray:
        """Return the same through as many equations as there are labelled rows."""
        weights = self._room(points, is_trained)
        form = RowForm.of_features(self.labeled[: self.order.n_rows], self.order, self.pool)
        for place, labeled_weight in enumerate(points.labeled_weights):
            for number, neighbor_weight in enumerate(points.neighbor_weights):
                penalty = self._penalty(neighbor_weight)
                weights[:, place, number] = form.solve(risk(labeled_weight), points.alphas, is_trained, penalty)
        return weights.reshape(-1, *weights.shape[-2:])

    def weights_by_features(
        self, points: Points, risk: Callable[[float], Objective], is_trained: BoolArray
    ) -> FloatArray:
        """Return the same through as many equations as there are features, mask by mask."""
        weights = self._room(points, is_trained)
        unlabeled = {UNLABELED: moments_of(self.pool)} if len(self.pool) else {}
        for mask, labeled in enumerate(moments_of_masks(self.labeled, self.order, is_trained)):
            moments = labeled | unlabeled
            for place, labeled_weight in enumerate(points.labeled_weights):
                for number, neighbor_weight in enumerate(points.neighbor_weights):
                    equations = equations_of(risk(labeled_weight), moments, self._penalty(neighbor_weight))
                    for first, alpha in enumerate(points.alphas):
                        weights[first, place, number, :, mask] = minimise(*equations, alpha)
        return weights.reshape(-1, *weights.shape[-2:])

    def _room(self, points: Points, is_trained: BoolArray) -> FloatArray:
        n_settings = len(points.alphas), len(points.labeled_weights), len(points.neighbor_weights)
        return np.empty((*n_settings, self.n_features, is_trained.shape[1]))

    def _penalty(self, neighbor_weight: float) -> FloatArray | None:
        """Return the term of neighbours as a matrix; None where it has no weight, or no neighbours."""
        return None if self.roughness is None or neighbor_weight == 0.0 else neighbor_weight * self.roughness


@dataclass(frozen=True, eq=False)
class RowForm:
    """Features of labelled rows and moments of unlabelled ones, to solve for many sets of rows, alphas and weights.

    With z the scores of the labelled rows and the mean score of the unlabelled ones, and C the covariance of the
    features over the unlabelled rows, the risk of a quadratic loss without its constant is

        ½·zᵀSz - vᵀz + ½·wᵀBw + alpha/2·‖w‖²,    z = Rw,    B = b·C,

    where R holds the labelled rows' features and the unlabelled rows' mean, and S, v and b come from the objective
    (`s2auc.ranking.objective`) and from which rows take part; any other penalty joins B. So w = P·Rᵀ(v - S·z) with
    P = (B + alpha·I)⁻¹, and (I + G·S)·z = G·v with G = R·P·Rᵀ. One Cholesky factor of P⁻¹ and one G serve every set of
    rows, and what is left is as many equations as there are labelled rows.

    Attributes
    ----------
    covariance
        Of the features over the unlabelled rows; None without such rows.
    rows
        R: labelled rows, then the mean of the unlabelled ones if there are any.
    order
        Which of the labelled rows are positive, and how much each counts.
    """

    covariance: FloatArray | None
    rows: FloatArray
    order: PositiveFirst

    @classmethod
    def of_features(cls, labeled: AnyArray, order: PositiveFirst, unlabeled: AnyArray) -> "RowForm":
        """Return the form for features of labelled rows and of unlabelled rows, if any; they may be float32."""
        if not len(unlabeled):
            return cls(None, labeled.astype(np.float64), order)
        mean = unlabeled.mean(axis=0, dtype=np.float64)
        centred = unlabeled - mean.astype(unlabeled.dtype)
        covariance = (centred.T @ centred / len(unlabeled)).astype(np.float64)
        return cls(covariance, np.concatenate([labeled, mean[None, :]]).astype(np.float64), order)

    def solve(
        self, objective: Objective, alphas: Sequence[float], is_used: BoolArray, penalty: FloatArray | None = None
    ) -> FloatArray:
        """Return w for each alpha and each set of rows, (alphas, features, sets).

        Parameters
        ----------
        objective
            What is minimised.
        alphas
            Strengths of regularisation.
        is_used
            Which rows are in each set, (labelled rows, sets).
        penalty
            A symmetric matrix over the features that joins B; None for none.

        Examples
        --------
        >>> import numpy as np
        >>> from s2auc.ranking.losses import LOSSES
        >>> from s2auc.ranking.objective import semi_supervised
        >>> form = RowForm.of_features(np.eye(2), PositiveFirst(1, 1), np.zeros((0, 2)))
        >>> objective = semi_supervised(LOSSES["square"], labeled_weight=1.0)
        >>> form.solve(objective, [1.0], is_used=np.ones((2, 1), dtype=bool)).round(4).tolist()
        [[[0.4], [-0.4]]]
        """
        shares = self._shares(is_used)
        forms = _BetweenRows(QuadraticForm.of_objective(objective, shares), shares)
        penalty = self._penalty(forms.spread, penalty)
        weights = np.empty((len(alphas), self.rows.shape[1], is_used.shape[1]))
        if penalty is None:
            # P is I / alpha: rows are multiplied with each other once.
            between = self.rows @ self.rows.T
            for place, alpha in enumerate(alphas):
                weights[place] = self.rows.T @ (forms.minimising(between / alpha) / alpha).T
            return weights
        for place, alpha in enumerate(alphas):
            # LAPACK works on columns: a symmetric matrix, its own transpose, need not be copied into another order.
            system = np.array(penalty.T, order="F")
            system[np.diag_indices_from(system)] += alpha
            factor = cholesky(system, lower=True, overwrite_a=True, check_finite=False)
            reduced = solve_triangular(factor, self.rows.T, lower=True, check_finite=False)
            moved = reduced @ forms.minimising(reduced.T @ reduced).T
            weights[place] = solve_triangular(factor, moved, lower=True, trans=1, check_finite=False)
        return weights

    def _penalty(self, spread: float, penalty: FloatArray | None) -> FloatArray | None:
        """Return B; None where it is zero."""
        if self.covariance is None or spread == 0.0:
            return penalty
        return spread * self.covariance if penalty is None else spread * self.covariance + penalty

    def _shares(self, is_used: BoolArray) -> dict[str, FloatArray]:
        """Return, by group, how much each row of R counts in the group's mean, (sets, rows), for groups with rows."""
        n_rows, n_sets = len(self.rows), is_used.shape[1]
        shares = {}
        for group, block in self.order.slices.items():
            weight = self.order.weight_of(block)
            used = is_used[block].T * (1.0 if weight is None else weight)
            shares[group] = np.zeros((n_sets, n_rows))
            shares[group][:, block] = used / used.sum(axis=1, keepdims=True)
        if n_rows > len(is_used):
            shares[UNLABELED] = np.zeros((n_sets, n_rows))
            shares[UNLABELED][:, -1] = 1.0
        return shares


class _BetweenRows:
    """S, v and b of each set: the form of the objective between the rows' shares of their groups.

    S is diagonal but for a few columns, Σ_ab cross_ab·share_a·share_bᵀ, and is never formed.
    """

    def __init__(self, form: QuadraticForm, shares: Mapping[str, FloatArray]) -> None:
        self._shares = np.stack([shares[group] for group in form.groups])
        self._cross = form.cross
        self._diagonal: FloatArray = np.einsum("a,asr->sr", form.second, self._shares)
        self.pull: FloatArray = -np.einsum("a,asr->sr", form.slope, self._shares)
        # Of the unlabelled rows R holds the mean only: what is left of their second moments is their covariance.
        self.spread = float(form.second[form.groups.index(UNLABELED)]) if UNLABELED in form.groups else 0.0

    def minimising(self, gram: FloatArray) -> FloatArray:
        """Return v - S·z of each set at its minimum, (sets, rows): w is P·Rᵀ times it."""
        system = self.after(gram)
        diagonal = np.arange(len(gram))
        system[:, diagonal, diagonal] += 1.0
        z = np.asarray(np.linalg.solve(system, (self.pull @ gram)[:, :, None])[:, :, 0], dtype=np.float64)
        return self.pull - self.times(z)

    def after(self, gram: FloatArray) -> FloatArray:
        """Return G·S of each set, (sets, rows, rows)."""
        mixed = np.einsum("ab,asr->bsr", self._cross, self._shares @ gram)
        product: FloatArray = np.einsum("bsi,bsj->sij", mixed, self._shares)
        product += gram * self._diagonal[:, None, :]
        return product

    def times(self, z: FloatArray) -> FloatArray:
        """Return S·z of each set, (sets, rows)."""
        means = np.einsum("bsr,sr->bs", self._shares, z)
        product: FloatArray = self._diagonal * z + np.einsum("ab,bs,asr->sr", self._cross, means, self._shares)
        return product
