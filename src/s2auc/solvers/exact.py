"""The closed form as a solver: every mask, alpha, labelled and neighbour weight of a job, from one set of features."""

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
from numpy.typing import DTypeLike
from sklearn.base import BaseEstimator

from s2auc.common.arrays import AnyArray, FloatArray
from s2auc.common.groups import UNLABELED
from s2auc.common.parameters import Number, Rule
from s2auc.common.threads import single_blas_thread
from s2auc.kernels.fourier import features
from s2auc.ranking.quadratic import QuadraticForm
from s2auc.solvers.exact_by_features import ClosedForm, check_alpha
from s2auc.solvers.exact_by_rows import RowForm
from s2auc.solvers.job import Job, Point, Trained
from s2auc.solvers.moments import moments_of
from s2auc.solvers.work_rows import DrawRule

ROWS_WORTHWHILE = 0.75
"""Solving through the rows is faster up to this many labelled rows a feature."""

SINGLE_WORTHWHILE = 1e-6
"""Products of features are float32 where every alpha is at least this share of the largest eigenvalue: their rounding
then changes no solution by more than chance draws of frequencies do. Equations are solved in float64 always."""


class Exact(BaseEstimator):  # type: ignore[misc]
    """The exact minimiser on random features, for losses that are quadratic: options of `solver="exact"`.

    Parameters
    ----------
    max_unlabeled
        Most unlabelled rows that enter the risk, drawn at random where there are more.

    Examples
    --------
    >>> Exact(max_unlabeled=500)
    Exact(max_unlabeled=500)
    """

    name: ClassVar[str] = "exact"
    needs_quadratic_loss: ClassVar[bool] = True
    makes_steps: ClassVar[bool] = False
    usual_frequencies: ClassVar[int] = 500
    search_frequencies: ClassVar[int] = 256
    rules: ClassVar[Mapping[str, tuple[Rule, ...]]] = {"max_unlabeled": (Number(1, integer=True),)}

    def __init__(self, max_unlabeled: int = 2000) -> None:
        self.max_unlabeled = max_unlabeled

    def draw_rule(self, max_iter: int, batch_size: int) -> DrawRule:  # noqa: ARG002 one signature for all solvers
        """Return that all rows are drawn at once."""
        return DrawRule(n_steps=1, batch_size=int(self.max_unlabeled))

    def frequencies_of(self, point: Point, n_frequencies: int) -> int:  # noqa: ARG002
        """Return how many frequencies a model has in all."""
        return n_frequencies

    def train(self, job: Job) -> Trained:
        """Solve for all masks and points: through the labelled rows while these are fewer than the features."""
        share = _least_share(job)
        with single_blas_thread:
            phi = _RowFeatures(job, np.float32 if share >= SINGLE_WORTHWHILE else np.float64)
            by_rows = job.rows.order.n_rows < ROWS_WORTHWHILE * phi.n_features
            weights = _solve_by_rows(job, phi) if by_rows else _solve_by_features(job, phi)
            scores = np.einsum("pfs,rf->psr", weights, phi.followed.astype(np.float64), optimize=True)
        m = job.n_frequencies
        coefficients = (weights[:, :, 0] / np.sqrt(float(m))).reshape(-1, 2, m)
        # All stopping times are the same model.
        n_times = len(job.points.max_iters)
        return Trained(np.tile(scores, (n_times, 1, 1)), np.tile(coefficients, (n_times, 1, 1)))


class _RowFeatures:
    """Features of the rows of a job, only of those that its points need, in the precision of their products."""

    def __init__(self, job: Job, dtype: DTypeLike) -> None:
        m, rows = job.n_frequencies, job.rows
        W = job.stream.take(0, m)
        self.n_features = 2 * m
        self._dtype = np.dtype(dtype)
        self.labeled = self._of(job.X[: rows.order.n_rows], W)
        self.followed = np.concatenate([self.labeled[rows.tested], self._of(job.X[rows.reference], W)])
        self.pool = self._of(job.X[rows.pool if job.points.uses_pool else slice(0)], W)
        self.roughness: FloatArray | None = None
        if job.points.uses_neighbors and job.graph is not None:
            nodes = np.concatenate([self.labeled[rows.tested], self._of(job.X[rows.spread], W)])
            self.roughness = job.graph.roughness(nodes)

    def _of(self, X: FloatArray, W: FloatArray) -> AnyArray:
        phi: AnyArray = features(X, W).astype(self._dtype) / self._dtype.type(np.sqrt(len(W)))
        return phi

    def penalty(self, neighbor_weight: float) -> FloatArray | None:
        """Return the term of neighbours as a matrix; None where it has no weight, or no neighbours."""
        return None if self.roughness is None or neighbor_weight == 0.0 else neighbor_weight * self.roughness


def _least_share(job: Job) -> float:
    """Return the smallest alpha as a share of the largest eigenvalue, once rounding errors will decide no solution."""
    alpha, points = min(job.points.alphas), job.points
    risks = [job.risk(labeled_weight) for labeled_weight in points.labeled_weights]
    # Features have norm one, so that the weights of the groups bound the largest eigenvalue of a risk, and four that of
    # the squared difference between neighbours.
    of_risk = max(float(QuadraticForm.of_objective(risk, risk.groups).second.sum()) for risk in risks)
    largest = of_risk + 4.0 * max(points.neighbor_weights)
    check_alpha(alpha, largest, 2 * job.n_frequencies)
    return alpha / largest


def _solve_by_rows(job: Job, phi: _RowFeatures) -> FloatArray:
    """Return the weights of every alpha, labelled and neighbour weight, (points, features, masks)."""
    points, n_masks = job.points, job.is_trained.shape[1]
    form = RowForm.of_features(phi.labeled, job.rows.order, phi.pool)
    weights = np.empty((len(points.alphas), *_n_weights(job), phi.n_features, n_masks))
    for place, labeled_weight in enumerate(points.labeled_weights):
        for number, neighbor_weight in enumerate(points.neighbor_weights):
            risk, penalty = job.risk(labeled_weight), phi.penalty(neighbor_weight)
            weights[:, place, number] = form.solve(risk, points.alphas, job.is_trained, penalty)
    return weights.reshape(-1, phi.n_features, n_masks)


def _solve_by_features(job: Job, phi: _RowFeatures) -> FloatArray:
    """Return the weights of every alpha, labelled and neighbour weight, (points, features, masks)."""
    points, n_masks = job.points, job.is_trained.shape[1]
    weights = np.empty((len(points.alphas), *_n_weights(job), phi.n_features, n_masks))
    unlabeled = {UNLABELED: moments_of(phi.pool)} if len(phi.pool) else {}
    for mask in range(n_masks):
        used = job.rows.order.split(np.flatnonzero(job.is_trained[:, mask]))
        moments = {group: moments_of(phi.labeled[places]) for group, places in used.items()} | unlabeled
        for place, labeled_weight in enumerate(points.labeled_weights):
            for number, neighbor_weight in enumerate(points.neighbor_weights):
                form = ClosedForm.of_objective(job.risk(labeled_weight), moments, phi.penalty(neighbor_weight))
                for first, alpha in enumerate(points.alphas):
                    weights[first, place, number, :, mask] = form.weights(alpha)
    return weights.reshape(-1, phi.n_features, n_masks)


def _n_weights(job: Job) -> tuple[int, int]:
    return len(job.points.labeled_weights), len(job.points.neighbor_weights)
