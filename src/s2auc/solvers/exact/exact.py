"""The closed form as a solver: every mask, alpha, labelled and neighbour weight of a job, from one set of features."""

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import DTypeLike
from sklearn.base import BaseEstimator

from s2auc.common.arrays import AnyArray, IndexArray
from s2auc.common.docstrings import describes_parameters_like
from s2auc.common.parameters import Number, Rule
from s2auc.common.threads import single_blas_thread
from s2auc.kernels.fourier import features
from s2auc.ranking.objective import QuadraticForm
from s2auc.solvers.exact.by_features import check_alpha
from s2auc.solvers.exact.closed_forms import FeatureRows, is_faster_by_rows
from s2auc.solvers.job import Job, Point, Trained
from s2auc.solvers.work_rows import DrawRule

SINGLE_WORTHWHILE = 1e-6
"""Products of features are float32 where every alpha is at least this share of the largest eigenvalue: their rounding
then changes no solution by more than chance draws of frequencies do. Equations are solved in float64 always."""


@describes_parameters_like()
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
    neighbor_frequencies: ClassVar[int] = 512
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
        """Solve for all masks and points."""
        m, dtype = job.n_frequencies, _precision(job)
        with single_blas_thread:
            rows, followed = featured_rows(job, dtype)
            weights = rows.weights(job.points, job.risk, job.is_trained)
            scores = np.einsum("pfs,rf->psr", weights, followed.astype(np.float64), optimize=True)
        coefficients = (weights[:, :, 0] / np.sqrt(float(m))).reshape(-1, 2, m)
        # All stopping times are the same model.
        n_times = len(job.points.max_iters)
        return Trained(np.tile(scores, (n_times, 1, 1)), np.tile(coefficients, (n_times, 1, 1)))


def featured_rows(job: Job, dtype: DTypeLike) -> tuple[FeatureRows, AnyArray]:
    """Return the rows of a job by their features, only those that its points need, and the followed rows."""
    rows, points, phi = job.rows, job.points, _Features(job, dtype)
    # With many labelled rows there is no room for the features of all at once, and no need.
    labeled: Any = phi
    if is_faster_by_rows(rows.order.n_rows, phi.shape[1]):
        labeled = phi[slice(rows.order.n_rows)]
    tested = labeled[rows.tested]
    roughness = None
    if job.graph is not None and points.uses_neighbors:
        roughness = job.graph.roughness(np.concatenate([tested, phi[rows.spread]]))
    pool = phi[rows.pool if points.uses_pool else slice(0)]
    return FeatureRows(labeled, rows.order, pool, roughness), np.concatenate([tested, phi[rows.reference]])


class _Features:
    """The rows of a job by their features, formed when they are asked for."""

    def __init__(self, job: Job, dtype: DTypeLike) -> None:
        self._X, self._dtype = job.X, np.dtype(dtype)
        self._W = job.stream.take(0, job.n_frequencies)
        self.shape = len(job.X), 2 * job.n_frequencies

    def __getitem__(self, places: slice | IndexArray) -> AnyArray:
        found = features(self._X[places], self._W).astype(self._dtype, copy=False)
        found /= self._dtype.type(np.sqrt(len(self._W)))
        return found


def _precision(job: Job) -> DTypeLike:
    """Return the precision that products of features need, once rounding errors will decide no solution."""
    alpha, points = min(job.points.alphas), job.points
    risks = [job.risk(labeled_weight) for labeled_weight in points.labeled_weights]
    # Features have norm one, so that the weights of the groups bound the largest eigenvalue of a risk, and four that of
    # the squared difference between neighbours.
    of_risk = max(float(QuadraticForm.of_objective(risk, risk.groups).second.sum()) for risk in risks)
    largest = of_risk + 4.0 * max(points.neighbor_weights)
    check_alpha(alpha, largest, 2 * job.n_frequencies)
    return np.float32 if alpha >= SINGLE_WORTHWHILE * largest else np.float64
