"""The two ways to train all masks and points of a space: a bundle of stochastic runs, or closed forms."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from s2auc.common.arrays import FloatArray
from s2auc.common.groups import NEGATIVE, POSITIVE, UNLABELED
from s2auc.kernels.fourier import features
from s2auc.kernels.frequency_stream import FrequencyStream
from s2auc.ranking.losses import Loss
from s2auc.ranking.risk import semi_supervised_terms
from s2auc.search.grid import Grid
from s2auc.search.spaces import Engine, EngineResult, Job
from s2auc.solvers.curvature import measure_curvature
from s2auc.solvers.exact import ClosedForm, moments_of
from s2auc.solvers.exact_by_rows import RowForm
from s2auc.solvers.iterates import Iterates
from s2auc.solvers.problem import Problem
from s2auc.solvers.qsg import run
from s2auc.solvers.schedules import SCHEDULES

FOLD_MARGIN = 1.15
"""Models that leave rows out take steps shorter by this factor: the curvature is measured on all rows only."""


ROWS_WORTHWHILE = 0.75
"""Solving through the rows is faster up to this many rows a feature."""


@dataclass(frozen=True, eq=False)
class BundleEngine:
    """One run of the stochastic solver for all masks, alphas and labelled weights; stopping times fall out of it."""

    loss: Loss
    n_frequencies: int

    def __call__(self, job: Job, grid: Grid) -> EngineResult:
        """Train the bundle and read the scores off its iterates."""
        n_masks = job.is_trained.shape[1]
        pairs = list(product(grid.alphas, grid.labeled_weights))
        alpha, weight = np.repeat(np.array(pairs), n_masks, axis=0).T
        n_models, n_points = len(alpha), len(pairs)
        row_weight = np.ones((len(job.X), n_models))
        row_weight[: job.rows.n_labeled] = np.tile(job.is_trained, n_points)
        problem = Problem(
            X=job.X,
            steps=job.rows.steps,
            terms=semi_supervised_terms(self.loss, weight),
            alpha=alpha,
            resident=job.resident,
            row_weight=row_weight,
            n_frequencies=self.n_frequencies,
        )
        stream = FrequencyStream(job.kernel, job.gamma, job.X.shape[1], job.seed)
        sizes = self._step_sizes(problem, stream, pairs, n_masks)
        iterates = Iterates(n_models)
        scores = np.empty((len(grid.iterations), len(job.resident), n_models))
        for panel in run(problem, iterates, stream, sizes, averaged=True):
            for place, stop in enumerate(grid.iterations):
                if panel.first < stop <= panel.first + len(panel.scores):
                    scores[place] = panel.scores[stop - 1 - panel.first]
        whole = _without(iterates, slice(0, None, n_masks))

        def coefficients(point: int) -> tuple[FloatArray, FloatArray]:
            stop, model = divmod(point, n_points)
            cosine, sine = whole.coefficients(grid.iterations[stop], averaged=True)
            return cosine[:, model], sine[:, model]

        by_mask = scores.reshape(len(grid.iterations), len(job.resident), n_points, n_masks)
        return EngineResult(by_mask.transpose(0, 2, 3, 1).reshape(-1, n_masks, len(job.resident)), coefficients)

    def _step_sizes(
        self, problem: Problem, stream: FrequencyStream, pairs: list[tuple[float, float]], n_masks: int
    ) -> FloatArray:
        alpha, weight = np.array(pairs).T
        whole = replace(problem, terms=semi_supervised_terms(self.loss, weight), alpha=alpha, row_weight=None)
        curvature = np.repeat(measure_curvature(whole, stream), n_masks)
        margin = np.tile(np.where(np.arange(n_masks) == 0, 1.0, FOLD_MARGIN), len(pairs))
        iterations = np.arange(1.0, problem.n_iterations + 1.0)[:, None]
        return SCHEDULES["shifted"](iterations, problem.alpha, curvature * margin)


@dataclass(frozen=True, eq=False)
class ExactEngine:
    """The closed form on random features: through the labelled rows while these are fewer than the features."""

    loss: Loss
    n_frequencies: int

    def __call__(self, job: Job, grid: Grid) -> EngineResult:
        """Solve for all masks, labelled weights and alphas."""
        W = FrequencyStream(job.kernel, job.gamma, job.X.shape[1], job.seed).take(0, self.n_frequencies)
        phi = features(job.X, W).astype(np.float64) / np.sqrt(float(self.n_frequencies))
        solve = self._solve_by_rows if job.rows.n_labeled < ROWS_WORTHWHILE * phi.shape[1] else self._solve_by_features
        weights = solve(job, phi, grid)
        scores = np.einsum("pfs,rf->psr", weights, phi[job.resident], optimize=True)
        of_all_rows = weights[:, :, 0] / np.sqrt(float(self.n_frequencies))

        def coefficients(point: int) -> tuple[FloatArray, FloatArray]:
            cosine, sine = of_all_rows[point].reshape(2, -1)
            return cosine, sine

        return EngineResult(scores, coefficients)

    def _solve_by_rows(self, job: Job, phi: FloatArray, grid: Grid) -> FloatArray:
        """Return the weights of every point, (points, features, masks)."""
        rows = job.rows
        form = RowForm.of_features(phi[: rows.n_labeled], rows.n_positive, phi[rows.pool])
        by_weight = [
            form.solve(semi_supervised_terms(self.loss, weight), grid.alphas, job.is_trained)
            for weight in grid.labeled_weights
        ]
        # Points run over alphas, then weights; all stopping times are the same model.
        of_points = np.stack(by_weight, axis=1).reshape(-1, phi.shape[1], job.is_trained.shape[1])
        return np.tile(of_points, (len(grid.iterations), 1, 1))

    def _solve_by_features(self, job: Job, phi: FloatArray, grid: Grid) -> FloatArray:
        """Return the weights of every point, (points, features, masks)."""
        rows, n_masks, points = job.rows, job.is_trained.shape[1], grid.points
        weights = np.empty((len(points), phi.shape[1], n_masks))
        unlabeled = {UNLABELED: moments_of(phi[rows.pool])} if rows.pool.start < rows.pool.stop else {}
        for mask in range(n_masks):
            used = np.flatnonzero(job.is_trained[:, mask])
            groups = {POSITIVE: used[used < rows.n_positive], NEGATIVE: used[used >= rows.n_positive]}
            labeled = {group: moments_of(phi[index]) for group, index in groups.items() if len(index)}
            for labeled_weight in grid.labeled_weights:
                form = ClosedForm.of_risk(semi_supervised_terms(self.loss, labeled_weight), labeled | unlabeled)
                for place, point in enumerate(points):
                    if point.labeled_weight == labeled_weight:
                        weights[place, :, mask] = form.minimise(max(point.alpha, form.smallest_alpha))
        return weights


ENGINES: Mapping[str, type[BundleEngine] | type[ExactEngine]] = {"qsg": BundleEngine, "exact": ExactEngine}


def make_engine(solver: str, loss: Loss, n_frequencies: int) -> Engine:
    """Return the engine of a solver."""
    return ENGINES[solver](loss, n_frequencies)


def _without(iterates: Iterates, models: slice) -> Iterates:
    """Return a iterates that keeps some models only."""
    kept = replace(iterates, n_models=len(range(*models.indices(iterates.n_models))))
    kept.cosine, kept.sine = iterates.cosine[:, models].copy(), iterates.sine[:, models].copy()
    kept.birth, kept.decay = iterates.birth, iterates.decay[:, models].copy()
    return kept
