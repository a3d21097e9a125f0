"""Closed forms with the term of neighbours: the minimisers over all pairs and all edges, in either precision."""

from dataclasses import replace
from functools import partial
from itertools import product

import numpy as np
import pytest

import reference
from neighbor_jobs import N_POSITIVE, literal_minimiser, make_job, make_points
from s2auc.common.groups import PositiveFirst
from s2auc.kernels.fourier import features
from s2auc.solvers.exact import exact
from s2auc.solvers.exact.closed_forms import FeatureRows
from s2auc.solvers.exact.exact import SINGLE_WORTHWHILE, Exact, featured_rows
from s2auc.solvers.neighbors import NeighborGraph
from s2auc.solvers.work_rows import WorkRows

POINTS = make_points((1e-2, 0.3), (1.0, 0.5, 0.0), (0.0, 1.0, 50.0), (1,))


def usable_points(n_negative, n_pool):
    weights = (1.0, 0.5, 0.0) if n_negative and n_pool else (1.0,) if n_negative else (0.0,)
    return replace(POINTS, labeled_weights=weights)


@pytest.mark.parametrize("route", [FeatureRows.weights_by_rows, FeatureRows.weights_by_features])
@pytest.mark.parametrize(("n_negative", "n_pool"), [(8, 20), (0, 20), (8, 0)])
@pytest.mark.parametrize("n_frequencies", [4, 30])
def test_closed_forms_are_the_minimisers(route, n_negative, n_pool, n_frequencies, monkeypatch):
    monkeypatch.setattr(exact, "features", partial(features, dtype=np.float64))
    job = make_job(usable_points(n_negative, n_pool), n_negative=n_negative, n_pool=n_pool, n_frequencies=n_frequencies)
    rows, _ = featured_rows(job, np.float64)
    found = route(rows, job.points, job.risk, job.is_trained)
    assert found.shape == (len(job.points.listed), 2 * n_frequencies, job.is_trained.shape[1])
    for (place, point), mask in product(enumerate(job.points.listed), range(job.is_trained.shape[1])):
        expected = literal_minimiser(job, point, mask)
        np.testing.assert_allclose(found[place, :, mask], expected, rtol=1e-8, atol=1e-8 * np.abs(expected).max())


def test_the_minimiser_is_that_of_a_generic_optimiser():
    """The reference's linear equations are those of the objective, edge by edge."""
    job = make_job(make_points((0.1,), (0.5,), (3.0,), (1,)), n_frequencies=3)
    W, point = job.stream.take(0, 3), job.points.listed[0]
    groups = {
        "positive": job.X[:N_POSITIVE],
        "negative": job.X[N_POSITIVE : job.rows.order.n_rows],
        "unlabeled": job.X[job.rows.pool],
        "node": job.X[job.rows.nodes],
    }
    terms = reference.semi_supervised_terms("square", 0.5, {group: len(X) for group, X in groups.items()}, "all")
    terms.append(reference.neighbor_term(3.0, job.graph.edges.tolist()))
    expected = reference.brute_force({group: reference.features(X, W) for group, X in groups.items()}, terms, 0.05)
    np.testing.assert_allclose(literal_minimiser(job, point, 0), expected, rtol=1e-8, atol=1e-9)
    scores = Exact().train(job).scores[0, 0]
    np.testing.assert_allclose(scores, reference.features(job.X[job.rows.followed], W) @ expected, atol=1e-5)


@pytest.mark.parametrize("n_frequencies", [4, 30], ids=["by features", "by rows"])
def test_a_bundle_of_weights_is_its_models_one_by_one(n_frequencies):
    job = make_job(POINTS, n_frequencies=n_frequencies)
    together = Exact().train(job)
    for place, point in enumerate(job.points.listed):
        points = make_points((point.alpha,), (point.labeled_weight,), (point.neighbor_weight,), (1,))
        for mask in (0, 2):
            alone = Exact().train(replace(job, points=points, is_trained=job.is_trained[:, [mask]]))
            np.testing.assert_allclose(together.scores[place, mask], alone.scores[0, 0], rtol=1e-4, atol=1e-4)
            if mask == 0:
                np.testing.assert_allclose(together.coefficients[place], alone.coefficients[0], rtol=1e-4, atol=1e-4)


def test_neighbours_agree_the_more_the_larger_the_weight():
    job = make_job(make_points((1e-2,), (1.0,), (0.0, 1.0, 10.0, 100.0), (1,)), n_frequencies=30)
    rows, _ = featured_rows(job, np.float64)
    weights = rows.weights(job.points, job.risk, job.is_trained)[:, :, 0]
    roughness = np.einsum("pf,fg,pg->p", weights, rows.roughness, weights)
    assert np.all(np.diff(roughness) < 0)


@pytest.mark.parametrize("neighbor_weight", [0.0, 1.0, 100.0])
@pytest.mark.parametrize("n_labeled", [(10, 10), (150, 150)], ids=["by rows", "by features"])
def test_float32_products_do_at_the_smallest_alpha_that_has_them(neighbor_weight, n_labeled):
    """Scores are within a thousandth of their spread of those with float64 products, on rows that repeat and hubs."""
    job = large_job(neighbor_weight, *n_labeled)
    single, double = (
        Exact().train(replace(job, points=replace(job.points, alphas=(smallest_alpha(job) * factor,)))).scores
        for factor in (1.0001, 0.9999)
    )
    assert np.abs(single - double).max() > 0.0
    for ours, expected in zip(single[:, 0], double[:, 0], strict=True):
        difference = ours - expected
        # What all scores have in common orders no two of them.
        assert np.abs(difference - difference.mean()).max() < 1e-3 * expected.std()


def smallest_alpha(job):
    """Of those with float32 products: just below it they are float64."""

    def precision(alpha):
        return exact._precision(replace(job, points=replace(job.points, alphas=(alpha,))))

    # Three terms of weight one half, each with two groups and a curvature of two; four for a squared difference.
    alpha = SINGLE_WORTHWHILE * (6.0 + 4.0 * max(job.points.neighbor_weights))
    assert precision(1.0001 * alpha) is np.float32
    assert precision(0.9999 * alpha) is np.float64
    return alpha


def large_job(neighbor_weight, n_positive, n_negative):
    """A job of the size that searches have."""
    rng = np.random.default_rng(3)
    order, n_spread, n_pool = PositiveFirst(n_positive, n_negative), 500, 800
    X = rng.normal(size=(order.n_rows + n_spread + n_pool, 3))
    X[:n_positive] += 0.7
    X[order.n_rows : order.n_rows + 100] = X[0]
    rows = WorkRows(X, order, 0, {}, n_spread)
    points = make_points((1.0,), (1.0, 0.5), (neighbor_weight,), (1,))
    graph = NeighborGraph.of_rows(X[rows.nodes], 10)
    is_trained = np.ones((order.n_rows, 1), dtype=bool)
    return replace(make_job(points), X=X, rows=rows, is_trained=is_trained, n_frequencies=128, graph=graph)
