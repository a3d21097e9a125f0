"""Steps that draw edges: those of the literal algorithm, in bundles as alone, as long as they may be."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

import reference
from neighbor_jobs import GAMMA, N_COLUMNS, N_ITERATIONS, SEED, make_job, make_points
from s2auc.kernels.frequencies import draw_frequencies
from s2auc.kernels.shift_invariant import KERNELS
from s2auc.ranking.losses import LOSSES
from s2auc.ranking.objective import semi_supervised, with_neighbors
from s2auc.ranking.pairs import PAIRINGS
from s2auc.solvers.neighbors import EdgeDraw, NeighborGraph
from s2auc.solvers.qsg import panels as blocked_solver
from s2auc.solvers.qsg.curvature import measure_curvature
from s2auc.solvers.qsg.iterates import Iterates
from s2auc.solvers.qsg.panels import Problem, run_panels
from s2auc.solvers.qsg.qsg import FOLD_MARGIN, QSG, SCHEDULES

RANKING_LOSSES = [name for name in LOSSES if name != "squared_difference"]


def draw(first, last):
    return draw_frequencies(KERNELS["gaussian"], GAMMA, N_COLUMNS, SEED, first, last)


def literal_iterates(job, point, pairing, step_sizes, is_used=None):
    """All iterates of one model by the reference, on rows with a mask's weights."""
    is_used = np.ones(job.rows.order.n_rows) if is_used is None else is_used.astype(float)
    weight = np.concatenate([is_used, np.ones(len(job.X) - len(is_used))])
    labeled = {group: weight for group in job.steps if group not in ("node", "neighbor")}
    return list(
        reference.algorithm_1(
            dict.fromkeys(job.steps, job.X),
            [{group: index[t] for group, index in job.steps.items()} for t in range(N_ITERATIONS)],
            loss=job.loss.name,
            labeled_weight=point.labeled_weight,
            alpha=point.alpha,
            steps=step_sizes,
            draw=draw,
            n_frequencies=job.n_frequencies,
            pairing=pairing,
            weights=labeled,
            neighbor_weight=point.neighbor_weight,
        )
    )


def step_sizes_of(job, point, margin=1.0):
    problem = QSG().problem(replace(job, points=one_point(point)), job.rows.tested)
    curvature = measure_curvature(problem, job.stream, Iterates.empty(1)) * margin
    return SCHEDULES["shifted"](np.arange(1.0, N_ITERATIONS + 1)[:, None], problem.alpha, curvature)[:, 0]


def one_point(point):
    return make_points((point.alpha,), (point.labeled_weight,), (point.neighbor_weight,), (point.max_iter,))


def plain(coefficients):
    """The reference's coefficients of scaled features, as those of plain cosines and sines."""
    m = coefficients.shape[1] // 2
    return np.stack([coefficients[:, :m].ravel(), coefficients[:, m:].ravel()]) / np.sqrt(m)


@pytest.mark.parametrize("loss", RANKING_LOSSES)
@pytest.mark.parametrize("pairing", PAIRINGS)
@pytest.mark.parametrize(("dtype", "tolerance"), [(np.float32, 1e-5), (np.float64, 1e-10)])
@pytest.mark.parametrize("length", [5, 64])
def test_blocked_equals_literal(loss, pairing, dtype, tolerance, length, monkeypatch):
    monkeypatch.setattr(blocked_solver, "panel_length", lambda _: length)
    job = make_job(make_points((0.05,), (0.4,), (10.0,), (N_ITERATIONS,)), loss=loss)
    if pairing == "triplet":
        alike = {group: index[:, :5] for group, index in job.rows.steps.items()}
        job = replace(job, rows=replace(job.rows, steps=alike))
    problem = replace(QSG(pairing=pairing).problem(job, job.rows.tested), dtype=dtype)
    point = job.points.listed[0]
    sizes = step_sizes_of(job, point)
    iterates = Iterates.empty(1)
    list(run_panels(problem, iterates, job.stream, sizes[:, None], averaged=True))
    expected = literal_iterates(job, point, pairing, sizes)
    for averaged, theirs in ((False, expected[-1]), (True, reference.average(expected))):
        ours = np.stack([array[:, 0] for array in iterates.coefficients(averaged=averaged)])
        assert np.abs(ours - plain(theirs)).max() < tolerance * np.abs(plain(theirs)).max()


@pytest.mark.parametrize("loss", ["square", "logistic"])
@pytest.mark.parametrize(("n_negative", "n_pool"), [(8, 20), (0, 20), (8, 0)])
def test_a_bundle_scores_as_literal_runs_whose_left_out_rows_are_nodes_only(loss, n_negative, n_pool):
    weights = (1.0, 0.5) if n_negative and n_pool else (1.0,) if n_negative else (0.0,)
    job = make_job(make_points((0.05,), weights), loss=loss, n_negative=n_negative, n_pool=n_pool)
    trained = QSG().train(job)
    n_masks = job.is_trained.shape[1]
    assert trained.scores.shape == (len(job.points.listed), n_masks, len(job.rows.followed))
    for (place, point), mask in product(enumerate(job.points.listed), (0, 1, n_masks - 1)):
        sizes = step_sizes_of(job, point, FOLD_MARGIN if mask else 1.0)
        iterates = literal_iterates(job, point, "all", sizes, job.is_trained[:, mask])
        average = reference.average(iterates[: point.max_iter])
        expected = reference.predict(job.X[job.rows.followed], average, draw)
        np.testing.assert_allclose(trained.scores[place, mask], expected, rtol=2e-5, atol=2e-5 * np.abs(expected).max())
        if mask == 0:
            found = trained.coefficients[place][:, : average.size // 2]
            np.testing.assert_allclose(found, plain(average), rtol=2e-5, atol=2e-5 * np.abs(found).max())


def test_a_model_without_the_term_is_the_same_in_a_bundle_with_it():
    """Edges draw from a stream of their own: those who do not look at them do not see them."""
    with_term = make_job(make_points(neighbor_weights=(0.0, 5.0)))
    without = replace(with_term, points=make_points(neighbor_weights=(0.0,)), graph=None)
    together, alone = QSG().train(with_term), QSG().train(without)
    np.testing.assert_allclose(together.scores[::2], alone.scores, rtol=1e-5, atol=1e-6)
    assert np.abs(together.scores[1::2] - alone.scores).max() > 1e-2


def test_no_edges_are_drawn_where_no_point_looks_at_them():
    """A graph that other jobs of a search need costs this one no cosines, and changes no bit."""
    near = make_job(make_points(neighbor_weights=(0.0, 5.0)))
    plain_job = replace(near, points=make_points(neighbor_weights=(0.0,)))
    assert near.steps.keys() - plain_job.steps.keys() == {"node", "neighbor"}
    without = QSG().train(replace(plain_job, graph=None))
    np.testing.assert_array_equal(QSG().train(plain_job).scores, without.scores)


@pytest.mark.parametrize("pairing", PAIRINGS)
@pytest.mark.parametrize(("batch_size", "n_frequencies"), [(1, 1), (8, 4)])
def test_default_steps_do_not_diverge(batch_size, n_frequencies, pairing):
    """Few rows and frequencies a step, every weight: the term never lets scores grow beyond those without it."""
    rng = np.random.default_rng(2)
    X = np.concatenate([rng.normal(shift, 1, (n, N_COLUMNS)) for shift, n in ((0.5, 15), (-0.5, 15), (0, 300))])
    n_iterations, groups = 150, {"positive": (0, 15), "negative": (15, 30), "unlabeled": (30, 330)}
    steps = {group: rng.integers(*ends, (n_iterations, batch_size)) for group, ends in groups.items()}
    node, neighbor = NeighborGraph.of_rows(X, 10).draw(EdgeDraw(SEED, batch_size, 0, n_iterations))
    mixes = np.array(list(product([1e-6, 0.1], [0.0, 0.5, 1.0], [0.0, 1.0, 10.0, 100.0])))
    alpha, labeled_weight, neighbor_weight = mixes.T
    for loss in RANKING_LOSSES:
        problem = Problem(
            X=X,
            steps={**steps, "node": node, "neighbor": neighbor},
            objective=with_neighbors(semi_supervised(LOSSES[loss], labeled_weight, pairing), neighbor_weight),
            alpha=alpha,
            followed=np.arange(30),
            row_weight=None,
            n_frequencies=n_frequencies,
        )
        stream = make_job().stream
        sizes = SCHEDULES["shifted"](
            np.arange(1.0, n_iterations + 1)[:, None], alpha, measure_curvature(problem, stream, Iterates.empty(1))
        )
        panels = run_panels(problem, Iterates.empty(len(alpha)), stream, sizes, averaged=False)
        largest = max(float(np.abs(panel.scores).max()) for panel in panels)
        assert largest < (4 if LOSSES[loss].curvature_bound == 2 else 20), loss
