"""Solvers train every mask of a job as if the rows it leaves out were not there."""

import pickle
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

import reference
from s2auc.common.groups import PositiveFirst
from s2auc.kernels.frequencies import FrequencyStream
from s2auc.ranking.losses import LOSSES
from s2auc.ranking.objective import semi_supervised
from s2auc.search.plan import auto_folds, make_plan
from s2auc.solvers.exact.exact import Exact, featured_rows
from s2auc.solvers.job import Job, Points
from s2auc.solvers.qsg.curvature import measure_curvature
from s2auc.solvers.qsg.iterates import Iterates
from s2auc.solvers.qsg.panels import Problem, run_panels
from s2auc.solvers.qsg.qsg import FOLD_MARGIN, QSG, SCHEDULES, RunState
from s2auc.solvers.table import SOLVERS
from s2auc.solvers.work_rows import WorkRows

SQUARE, LOGISTIC = LOSSES["square"], LOSSES["logistic"]
GAMMA, SEED, N_FREQUENCIES = 0.4, 11, 6
N_ITERATIONS, N_REFERENCE = 12, 4


def make_job(points=None, *, loss=SQUARE, n_frequencies=N_FREQUENCIES, n_negative=8, n_pool=20, seed=0):
    n_positive = 6
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
    order = PositiveFirst(n_positive, n_negative)
    rows = WorkRows(X, order, n_reference, steps)
    plan = make_plan(auto_folds(order.is_positive, 3, 0)[:3], order.is_positive, judged=True)
    stream = FrequencyStream("gaussian", GAMMA, 3, SEED)
    return Job(X, rows, plan.is_trained, loss, points or make_points(), stream, n_frequencies)


def make_points(labeled_weights=(1.0, 0.5), max_iters=(3, 7, 12), alphas=(1e-2, 0.3)):
    return Points(alphas, labeled_weights, max_iters)


def usable_weights(n_negative, n_pool, both=(1.0, 0.5)):
    return both if n_negative and n_pool else (1.0,) if n_negative else (0.0,)


def run_without(job, mask, alpha, labeled_weight, loss, step_sizes):
    """One model, from the rows that the mask trains on; the others are not even in the table."""
    used = np.flatnonzero(job.is_trained[:, mask])
    kept = np.concatenate([used, np.arange(job.rows.order.n_rows, len(job.X))])
    place = np.full(len(job.X), -1)
    place[kept] = np.arange(len(kept))
    steps = {}
    for group, index in job.rows.steps.items():
        index = index if group == "unlabeled" else index[:, np.isin(index[0], used)]
        steps[group] = place[index]
    problem = Problem(
        X=job.X[kept],
        steps=steps,
        objective=semi_supervised(loss, np.array([labeled_weight])),
        alpha=np.array([alpha]),
        followed=np.arange(len(used)),
        row_weight=None,
        n_frequencies=N_FREQUENCIES,
    )
    iterates = Iterates.empty(1)
    for _ in run_panels(problem, iterates, FrequencyStream("gaussian", GAMMA, 3, SEED), step_sizes, averaged=True):
        pass
    return iterates


def step_sizes_of(job, alpha, labeled_weight, loss, margin):
    """Those of a run on all rows, with a margin for the rows that are left out."""
    problem = Problem(
        X=job.X,
        steps=job.rows.steps,
        objective=semi_supervised(loss, np.array([labeled_weight])),
        alpha=np.array([alpha]),
        followed=job.rows.followed,
        row_weight=None,
        n_frequencies=N_FREQUENCIES,
    )
    curvature = measure_curvature(problem, FrequencyStream("gaussian", GAMMA, 3, SEED), Iterates.empty(1))
    return SCHEDULES["shifted"](np.arange(1.0, N_ITERATIONS + 1)[:, None], np.array([alpha]), curvature * margin)


@pytest.mark.parametrize("loss", [SQUARE, LOGISTIC], ids=["square", "logistic"])
@pytest.mark.parametrize(("n_negative", "n_pool"), [(8, 20), (0, 20), (8, 0)])
def test_a_bundle_scores_as_runs_without_the_left_out_rows(loss, n_negative, n_pool):
    points = make_points(usable_weights(n_negative, n_pool))
    job = make_job(points, loss=loss, n_negative=n_negative, n_pool=n_pool)
    trained = QSG().train(job)
    n_masks = job.is_trained.shape[1]
    assert trained.scores.shape == (len(points.listed), n_masks, len(job.rows.followed))
    for mask, alpha, weight in product(range(n_masks), points.alphas, points.labeled_weights):
        sizes = step_sizes_of(job, alpha, weight, loss, FOLD_MARGIN if mask else 1.0)
        iterates = run_without(job, mask, alpha, weight, loss, sizes)
        for place, point in enumerate(points.listed):
            if (point.alpha, point.labeled_weight) == (alpha, weight):
                coefficients = iterates.coefficients(point.max_iter, averaged=True)
                expected = job.stream.evaluate(job.X[job.rows.followed], *coefficients)[:, 0]
                np.testing.assert_allclose(
                    trained.scores[place, mask], expected, atol=2e-5 * np.abs(expected).max(), rtol=2e-5
                )


def test_labels_of_left_out_rows_do_not_matter_to_a_bundle(monkeypatch):
    """Nor do the rows themselves, but for the length of steps."""
    job = make_job(make_points((0.5,), (12,), (0.1,)))
    mask = 1
    left_out = np.flatnonzero(~job.is_trained[:, mask])
    moved = job.X.copy()
    moved[left_out] = moved[left_out[::-1]]  # rows of the two classes change places
    kept = job.is_trained[:, mask]
    monkeypatch.setattr("s2auc.solvers.qsg.qsg.measure_curvature", lambda *_: np.array([4.0]))
    before, after = (QSG().train(replace(job, X=X)).scores for X in (job.X, moved))
    np.testing.assert_allclose(after[0, mask, :14][kept], before[0, mask, :14][kept], rtol=1e-5, atol=1e-6)
    assert np.abs(after[0, 0, :14][kept] - before[0, 0, :14][kept]).max() > 1e-3


@pytest.mark.parametrize(
    ("solver", "n_frequencies"), [(QSG(), 6), (QSG(average=False), 6), (Exact(), 40), (Exact(), 5)]
)
@pytest.mark.parametrize(("n_negative", "n_pool"), [(8, 20), (0, 20), (8, 0)])
def test_coefficients_are_those_of_the_mask_of_all_rows(solver, n_frequencies, n_negative, n_pool):
    points = make_points(usable_weights(n_negative, n_pool))
    job = make_job(points, n_frequencies=n_frequencies, n_negative=n_negative, n_pool=n_pool)
    trained = solver.train(job)
    for place, point in enumerate(points.listed):
        used = solver.frequencies_of(point, n_frequencies)
        assert not trained.coefficients[place, :, used:].any()
        assert trained.coefficients[place, :, used - 1].any()
        scores = job.stream.evaluate(job.X[job.rows.followed], *trained.coefficients[place])
        expected = trained.scores[place, 0]
        np.testing.assert_allclose(scores, expected, rtol=1e-5, atol=1e-5 * np.abs(expected).max())


@pytest.mark.parametrize(("n_negative", "n_pool"), [(8, 20), (0, 20), (8, 0)])
@pytest.mark.parametrize("n_frequencies", [3, 40])
def test_both_routes_of_the_closed_form_agree(n_negative, n_pool, n_frequencies):
    points = make_points(usable_weights(n_negative, n_pool, (1.0, 0.3, 0.0)), (1,))
    job = make_job(points, n_frequencies=n_frequencies, n_negative=n_negative, n_pool=n_pool)
    rows, followed = featured_rows(job, np.float64)
    by_rows = rows.weights_by_rows(points, job.risk, job.is_trained)
    by_features = rows.weights_by_features(points, job.risk, job.is_trained)
    assert by_rows.shape == by_features.shape == (len(points.listed), 2 * n_frequencies, job.is_trained.shape[1])
    np.testing.assert_allclose(by_rows, by_features, rtol=1e-6, atol=1e-6 * np.abs(by_features).max())
    expected = np.einsum("pfs,rf->psr", by_features, followed)
    np.testing.assert_allclose(Exact().train(job).scores, expected, rtol=1e-4, atol=1e-4 * np.abs(expected).max())


@pytest.mark.parametrize("n_frequencies", [4, 30], ids=["by features", "by rows"])
def test_closed_forms_are_the_minimisers_without_the_left_out_rows(n_frequencies):
    points = make_points((1.0, 0.3, 0.0), (1,))
    job = make_job(points, n_frequencies=n_frequencies)
    trained = Exact().train(job)
    W = job.stream.take(0, n_frequencies)
    for (place, point), mask in product(enumerate(points.listed), range(job.is_trained.shape[1])):
        used = np.flatnonzero(job.is_trained[:, mask])
        pool = np.arange(len(job.X))[job.rows.pool]
        groups = {"positive": used[used < 6], "negative": used[used >= 6], "unlabeled": pool}
        sizes = {group: len(rows) for group, rows in groups.items()}
        terms = reference.semi_supervised_terms("square", point.labeled_weight, sizes, "all")
        Phi = reference.features(job.X[np.concatenate(list(groups.values()))], W)
        w = reference.linear_minimiser(Phi, *reference.quadratic_risk(terms, sizes), point.alpha)
        expected = reference.features(job.X[job.rows.followed], W) @ w
        np.testing.assert_allclose(trained.scores[place, mask], expected, rtol=1e-3, atol=1e-4 * np.abs(expected).max())


def test_stops_are_all_the_same_to_the_closed_form():
    for n_frequencies in (4, 40):
        once, twice = (
            Exact().train(make_job(make_points(max_iters=stops), n_frequencies=n_frequencies))
            for stops in ((1,), (1, 9))
        )
        np.testing.assert_allclose(twice.scores, np.concatenate([once.scores, once.scores]), rtol=1e-12)


def test_solvers_by_name():
    assert {"qsg": QSG, "exact": Exact} == SOLVERS
    for name, solver in SOLVERS.items():
        assert solver.name == name
        assert solver.usual_frequencies >= solver.search_frequencies > 0


@pytest.mark.parametrize("n_frequencies", [4, 40], ids=["by features", "by rows"])
@pytest.mark.parametrize("labeled_weight", [1.0, 0.5])
def test_a_closed_form_with_too_small_an_alpha_is_an_error_that_names_a_usable_one(n_frequencies, labeled_weight):
    def solve(alpha):
        return Exact().train(make_job(make_points((labeled_weight,), (1,), (alpha,)), n_frequencies=n_frequencies))

    with pytest.raises(ValueError, match=r"alpha is too small.*Got 1e-20; use at least") as error:
        solve(1e-20)
    usable = float(str(error.value).split("at least ")[1].rstrip("."))
    assert np.isfinite(solve(1.1 * usable).scores).all()


def test_jobs_and_what_comes_out_of_them_can_be_sent():
    for solver in (QSG(), Exact()):
        job = make_job()
        copy, sent = pickle.loads(pickle.dumps(job)), pickle.loads(pickle.dumps(solver))
        before, after = solver.train(job), pickle.loads(pickle.dumps(sent.train(copy)))
        np.testing.assert_array_equal(after.scores, before.scores)
        np.testing.assert_array_equal(after.coefficients, before.coefficients)


def test_rows_that_only_others_need_change_nothing():
    """Steps of a model that pairs labelled rows are as long with a pool beside them as without."""
    job = make_job(make_points((1.0,), (12,), (0.1,)), n_frequencies=1)
    moved = job.X.copy()
    moved[job.rows.pool] *= 5.0
    before, after = (QSG().train(replace(job, X=X)).scores for X in (job.X, moved))
    np.testing.assert_array_equal(after, before)


def test_a_run_goes_on_from_its_arrays():
    job = make_job(make_points((0.5,), (12,), (0.1,)))
    problem = Problem(
        X=job.X,
        steps=job.rows.steps,
        objective=semi_supervised(SQUARE, np.array([0.5])),
        alpha=np.array([0.1]),
        followed=job.rows.followed,
        row_weight=None,
        n_frequencies=N_FREQUENCIES,
    )
    halves = [
        replace(problem, steps={group: index[part] for group, index in problem.steps.items()})
        for part in (slice(0, 6), slice(6, 12))
    ]
    curvature = np.array([4.0])
    whole, state = RunState.fresh(), RunState.fresh()
    for _ in QSG().advance(problem, job.stream, whole, curvature):
        pass
    for half in halves:
        for _ in QSG().advance(half, job.stream, state, curvature):
            pass
        state = RunState.from_arrays(state.as_arrays())
    assert state.n_drawn == whole.n_drawn == 12
    for averaged in (False, True):
        for ours, expected in zip(
            state.iterates.coefficients(averaged=averaged), whole.iterates.coefficients(averaged=averaged), strict=True
        ):
            np.testing.assert_allclose(ours, expected, rtol=1e-5, atol=1e-7)


def test_a_job_with_neighbour_weights_needs_its_graph():
    with pytest.raises(ValueError, match=r"must have the graph of its nodes\. Got none; pass graph=NeighborGraph"):
        make_job(Points((0.1,), (1.0,), (1,), (0.0, 10.0)))
