"""The closed form as a solver: every mask, alpha and labelled weight of a job, from one set of features."""

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
from sklearn.base import BaseEstimator

from s2auc.common.arrays import FloatArray
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
        m = job.n_frequencies
        _check_alphas(job)
        with single_blas_thread:
            phi = features(job.X, job.stream.take(0, m)).astype(np.float64) / np.sqrt(float(m))
            by_rows = job.rows.order.n_rows < ROWS_WORTHWHILE * phi.shape[1]
            weights = _solve_by_rows(job, phi) if by_rows else _solve_by_features(job, phi)
            scores = np.einsum("pfs,rf->psr", weights, phi[job.rows.followed], optimize=True)
        coefficients = (weights[:, :, 0] / np.sqrt(float(m))).reshape(-1, 2, m)
        # All stopping times are the same model.
        n_times = len(job.points.max_iters)
        return Trained(np.tile(scores, (n_times, 1, 1)), np.tile(coefficients, (n_times, 1, 1)))


def _check_alphas(job: Job) -> None:
    """Raise a ValueError if rounding errors would decide a solution."""
    alpha = min(job.points.alphas)
    for labeled_weight in job.points.labeled_weights:
        objective = job.objective(labeled_weight)
        form = QuadraticForm.of_objective(objective, objective.groups)
        # Features have norm one, so that the weights of the groups bound the largest eigenvalue.
        check_alpha(alpha, float(form.second.sum()), 2 * job.n_frequencies)


def _solve_by_rows(job: Job, phi: FloatArray) -> FloatArray:
    """Return the weights of every alpha and labelled weight, (points, features, masks)."""
    rows, points = job.rows, job.points
    form = RowForm.of_features(phi[: rows.order.n_rows], rows.order, phi[rows.pool])
    by_weight = [form.solve(job.objective(weight), points.alphas, job.is_trained) for weight in points.labeled_weights]
    # Points run over alphas, then weights.
    return np.stack(by_weight, axis=1).reshape(-1, phi.shape[1], job.is_trained.shape[1])


def _solve_by_features(job: Job, phi: FloatArray) -> FloatArray:
    """Return the weights of every alpha and labelled weight, (points, features, masks)."""
    rows, points, n_masks = job.rows, job.points, job.is_trained.shape[1]
    weights = np.empty((len(points.alphas), len(points.labeled_weights), phi.shape[1], n_masks))
    unlabeled = {UNLABELED: moments_of(phi[rows.pool])} if rows.has_pool else {}
    for mask in range(n_masks):
        used = rows.order.split(np.flatnonzero(job.is_trained[:, mask]))
        moments = {group: moments_of(phi[places]) for group, places in used.items()} | unlabeled
        for place, labeled_weight in enumerate(points.labeled_weights):
            form = ClosedForm.of_objective(job.objective(labeled_weight), moments)
            for number, alpha in enumerate(points.alphas):
                weights[number, place, :, mask] = form.weights(alpha)
    return weights.reshape(-1, phi.shape[1], n_masks)
