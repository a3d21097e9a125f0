"""Engines train every mask as if the rows it leaves out were not there."""

from itertools import product

import numpy as np
import pytest
from s2auc.search.engines import ENGINES, FOLD_MARGIN, BundleEngine, ExactEngine, make_engine
from s2auc.search.rows import TuningRows

import reference
from s2auc.kernels.fourier import features
from s2auc.kernels.frequency_stream import FrequencyStream
from s2auc.ranking.losses import LOSSES
from s2auc.ranking.objective import semi_supervised_terms
from s2auc.search.grid import Grid, SpaceChoice
from s2auc.search.plan import auto_folds, make_plan
from s2auc.search.spaces import Job
from s2auc.solvers.curvature import measure_curvature
from s2auc.solvers.iterates import Iterates
from s2auc.solvers.problem import Problem
from s2auc.solvers.qsg import run
from s2auc.solvers.schedules import SCHEDULES

SPACE = SpaceChoice("none", "none", "gaussian", 1.0)
SQUARE, LOGISTIC = LOSSES["square"], LOSSES["logistic"]
GAMMA, SEED, N_FREQUENCIES = 0.4, 11, 6
N_ITERATIONS, N_REFERENCE = 12, 4


def make_job(n_positive=6, n_negative=8, n_pool=20, seed=0):
    rng = np.random.default_rng(seed)
    n_labeled = n_positive + n_negative
    n_reference = N_REFERENCE if n_pool else 0
    X = rng.normal(size=(n_labeled + n_reference + n_pool, 3))
    X[:n_positive] += 0.7
    steps = {"positive": np.broadcast_to(np.arange(n_positive), (N_ITERATIONS, n_positive))}
    if n_negative:
        steps["negative"] = np.broadcast_to(np.arange(n_positive, n_labeled), (N_ITERATIONS, n_negative))
    if n_pool:
        steps["unlabeled"] = rng.integers(n_labeled + n_reference, len(X), (N_ITERATIONS, 5))
    rows = TuningRows(X, n_positive, n_negative, n_reference, steps)
    is_positive = np.arange(n_labeled) < n_positive
    plan = make_plan(auto_folds(is_positive, 3, 0)[:3], is_positive, judged=True)
    return Job(X, rows, plan.is_trained, "gaussian", GAMMA, SEED)


def make_grid(labeled_weights=(1.0, 0.5), iterations=(3, 7, 12), alphas=(1e-2, 0.3)):
    return Grid((SPACE,), alphas, labeled_weights, iterations)


def run_without(job, mask, alpha, labeled_weight, loss, step_sizes):
    """One model, from the rows that the mask trains on; the others are not even in the table."""
    used = np.flatnonzero(job.is_trained[:, mask])
    kept = np.concatenate([used, np.arange(job.rows.n_labeled, len(job.X))])
    place = np.full(len(job.X), -1)
    place[kept] = np.arange(len(kept))
    steps = {}
    for group, index in job.rows.steps.items():
        index = index if group == "unlabeled" else index[:, np.isin(index[0], used)]
        steps[group] = place[index]
    problem = Problem(
        X=job.X[kept],
        steps=steps,
        terms=semi_supervised_terms(loss, np.array([labeled_weight])),
        alpha=np.array([alpha]),
        resident=np.arange(len(used)),
        row_weight=None,
        n_frequencies=N_FREQUENCIES,
    )
    iterates = Iterates(1)
    for _ in run(problem, iterates, FrequencyStream("gaussian", GAMMA, 3, SEED), step_sizes, averaged=True):
        pass
    return iterates


def step_sizes_of(job, alpha, labeled_weight, loss, margin):
    """Those of a run on all rows, with a margin for the rows that are left out."""
    problem = Problem(
        X=job.X,
        steps=job.rows.steps,
        terms=semi_supervised_terms(loss, np.array([labeled_weight])),
        alpha=np.array([alpha]),
        resident=job.resident,
        row_weight=None,
        n_frequencies=N_FREQUENCIES,
    )
    curvature = measure_curvature(problem, FrequencyStream("gaussian", GAMMA, 3, SEED))
    return SCHEDULES["shifted"](np.arange(1.0, N_ITERATIONS + 1)[:, None], np.array([alpha]), curvature * margin)


@pytest.mark.parametrize("loss", [SQUARE, LOGISTIC], ids=["square", "logistic"])
@pytest.mark.parametrize(("n_negative", "n_pool"), [(8, 20), (0, 20), (8, 0)])
def test_a_bundle_scores_as_runs_without_the_left_out_rows(loss, n_negative, n_pool):
    job = make_job(n_negative=n_negative, n_pool=n_pool)
    grid = make_grid((1.0, 0.5) if n_negative and n_pool else (1.0,) if n_negative else (0.0,))
    outcome = BundleEngine(loss, N_FREQUENCIES)(job, grid)
    n_masks = job.is_trained.shape[1]
    assert outcome.scores.shape == (len(grid.points), n_masks, len(job.resident))
    stream = FrequencyStream("gaussian", GAMMA, 3, SEED)
    for mask, alpha, weight in product(range(n_masks), grid.alphas, grid.labeled_weights):
        sizes = step_sizes_of(job, alpha, weight, loss, FOLD_MARGIN if mask else 1.0)
        iterates = run_without(job, mask, alpha, weight, loss, sizes)
        for place, point in enumerate(grid.points):
            if (point.alpha, point.labeled_weight) == (alpha, weight):
                coefficients = iterates.coefficients(point.n_iter, averaged=True)
                expected = stream.evaluate(job.X[job.resident], *coefficients)[:, 0]
                np.testing.assert_allclose(
                    outcome.scores[place, mask], expected, atol=2e-5 * np.abs(expected).max(), rtol=2e-5
                )


def test_labels_of_left_out_rows_do_not_matter_to_a_bundle():
    """Nor do the rows themselves, but for the length of steps."""
    job = make_job()
    mask = 1
    left_out = np.flatnonzero(~job.is_trained[:, mask])
    moved = job.X.copy()
    moved[left_out] = moved[left_out[::-1]]  # rows of the two classes change places
    kept = job.is_trained[:, mask]
    sizes = step_sizes_of(job, 0.1, 0.5, SQUARE, FOLD_MARGIN)
    grid = make_grid((0.5,), (12,), (0.1,))

    class SameSteps(BundleEngine):
        def _step_sizes(self, problem, stream, pairs, n_masks):
            return np.repeat(sizes, n_masks, axis=1)

    before, after = (
        SameSteps(SQUARE, N_FREQUENCIES)(Job(X, job.rows, job.is_trained, "gaussian", GAMMA, SEED), grid).scores
        for X in (job.X, moved)
    )
    np.testing.assert_allclose(after[0, mask, :14][kept], before[0, mask, :14][kept], rtol=1e-5, atol=1e-6)
    assert np.abs(after[0, 0, :14][kept] - before[0, 0, :14][kept]).max() > 1e-3


@pytest.mark.parametrize(
    "engine", [BundleEngine(SQUARE, N_FREQUENCIES), ExactEngine(SQUARE, 40), ExactEngine(SQUARE, 5)]
)
@pytest.mark.parametrize(("n_negative", "n_pool"), [(8, 20), (0, 20), (8, 0)])
def test_coefficients_are_those_of_the_mask_of_all_rows(engine, n_negative, n_pool):
    job = make_job(n_negative=n_negative, n_pool=n_pool)
    grid = make_grid((1.0, 0.5) if n_negative and n_pool else (1.0,) if n_negative else (0.0,))
    outcome = engine(job, grid)
    stream = FrequencyStream("gaussian", GAMMA, 3, SEED)
    is_bundle = isinstance(engine, BundleEngine)
    for place, point in enumerate(grid.points):
        cosine, sine = outcome.coefficients(place)
        assert len(cosine) == len(sine) == engine.n_frequencies * (point.n_iter if is_bundle else 1)
        scores = stream.evaluate(job.X[job.resident], cosine, sine)
        expected = outcome.scores[place, 0]
        np.testing.assert_allclose(scores, expected, rtol=1e-5, atol=1e-5 * np.abs(expected).max())


@pytest.mark.parametrize(("n_negative", "n_pool"), [(8, 20), (0, 20), (8, 0)])
@pytest.mark.parametrize("n_frequencies", [3, 40])
def test_both_routes_of_the_closed_form_agree(n_negative, n_pool, n_frequencies):
    job = make_job(n_negative=n_negative, n_pool=n_pool)
    grid = make_grid((1.0, 0.3, 0.0) if n_negative and n_pool else (1.0,) if n_negative else (0.0,), (1,))
    engine = ExactEngine(SQUARE, n_frequencies)
    W = FrequencyStream("gaussian", GAMMA, 3, SEED).take(0, n_frequencies)
    phi = features(job.X, W).astype(np.float64) / np.sqrt(float(n_frequencies))
    by_rows, by_features = engine._solve_by_rows(job, phi, grid), engine._solve_by_features(job, phi, grid)
    assert by_rows.shape == by_features.shape == (len(grid.points), 2 * n_frequencies, job.is_trained.shape[1])
    np.testing.assert_allclose(by_rows, by_features, rtol=1e-6, atol=1e-6 * np.abs(by_features).max())
    expected = np.einsum("pfs,rf->psr", by_features, phi[job.resident])
    np.testing.assert_allclose(engine(job, grid).scores, expected, rtol=1e-6, atol=1e-6 * np.abs(expected).max())


@pytest.mark.parametrize("n_frequencies", [4, 30], ids=["by features", "by rows"])
def test_closed_forms_are_the_minimisers_without_the_left_out_rows(n_frequencies):
    job, grid = make_job(), make_grid((1.0, 0.3, 0.0), (1,))
    outcome = ExactEngine(SQUARE, n_frequencies)(job, grid)
    W = FrequencyStream("gaussian", GAMMA, 3, SEED).take(0, n_frequencies)
    for (place, point), mask in product(enumerate(grid.points), range(job.is_trained.shape[1])):
        used = np.flatnonzero(job.is_trained[:, mask])
        pool = np.arange(len(job.X))[job.rows.pool]
        groups = {"positive": used[used < 6], "negative": used[used >= 6], "unlabeled": pool}
        sizes = {group: len(rows) for group, rows in groups.items()}
        terms = reference.semi_supervised_terms("square", point.labeled_weight, sizes, "all")
        Phi = reference.features(job.X[np.concatenate(list(groups.values()))], W)
        w = reference.linear_minimiser(Phi, *reference.quadratic_risk(terms, sizes), point.alpha)
        expected = reference.features(job.X[job.resident], W) @ w
        np.testing.assert_allclose(outcome.scores[place, mask], expected, rtol=1e-3, atol=1e-4 * np.abs(expected).max())


def test_stops_are_all_the_same_to_the_closed_form():
    job = make_job()
    for n_frequencies in (4, 40):
        engine = ExactEngine(SQUARE, n_frequencies)
        once, twice = engine(job, make_grid(iterations=(1,))), engine(job, make_grid(iterations=(1, 9)))
        np.testing.assert_allclose(twice.scores, np.concatenate([once.scores, once.scores]), rtol=1e-12)


@pytest.mark.parametrize(("name", "kind"), [("qsg", BundleEngine), ("exact", ExactEngine)])
def test_engines_by_name(name, kind):
    assert set(ENGINES) == {"qsg", "exact"}
    engine = make_engine(name, SQUARE, 9)
    assert isinstance(engine, kind)
    assert (engine.loss, engine.n_frequencies) == (SQUARE, 9)
