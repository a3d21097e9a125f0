"""Labels that a fold leaves out say nothing to the fold's models, though its rows are neighbours all the same."""

from dataclasses import replace

import numpy as np
import pytest

from neighbor_jobs import N_POSITIVE, make_job, make_points
from s2auc.solvers.exact.exact import Exact
from s2auc.solvers.neighbors import NeighborGraph
from s2auc.solvers.qsg.qsg import QSG

POINTS = make_points((0.05,), (1.0, 0.5), (0.0, 20.0), (12,))


def swapped(job, mask):
    """The same rows, but those that a mask leaves out have each other's labels: positives stand where negatives did."""
    left_out = np.flatnonzero(~job.is_trained[:, mask])
    assert {row < N_POSITIVE for row in left_out} == {True, False}
    order = np.arange(len(job.X))
    order[left_out] = left_out[::-1]
    assert np.any((order < N_POSITIVE) != (np.arange(len(order)) < N_POSITIVE))
    return order


@pytest.mark.parametrize("n_frequencies", [4, 30], ids=["by features", "by rows"])
def test_closed_forms_of_a_fold_do_not_see_its_labels(n_frequencies):
    job = make_job(POINTS, n_frequencies=n_frequencies)
    before = Exact().train(job).scores
    for mask in (1, 2, 3):
        order = swapped(job, mask)
        X = job.X[order]
        after = Exact().train(replace(job, X=X, graph=NeighborGraph.of_rows(X[job.rows.nodes], 3))).scores
        moved = order[job.rows.followed]
        places = np.searchsorted(job.rows.followed, moved)
        np.testing.assert_allclose(after[:, mask], before[:, mask][:, places], rtol=1e-4, atol=1e-4)
        assert np.abs(after[:, 0] - before[:, 0][:, places]).max() > 1e-2


def test_steps_of_a_fold_do_not_see_its_labels(monkeypatch):
    """Edges keep their order, so that the same ones are drawn."""
    # How long steps are is settled on all rows, for all masks alike.
    monkeypatch.setattr("s2auc.solvers.qsg.qsg.measure_curvature", lambda problem, *_: np.full(len(problem.alpha), 8.0))
    job = make_job(POINTS)
    before = QSG().train(job).scores
    for mask in (1, 2, 3):
        order = swapped(job, mask)
        place_of = np.argsort(order[: job.rows.order.n_rows])
        renamed = np.concatenate([place_of, np.arange(len(place_of), job.graph.n_nodes)])
        graph = replace(job.graph, edges=renamed[job.graph.edges])
        after = QSG().train(replace(job, X=job.X[order], graph=graph)).scores
        places = np.searchsorted(job.rows.followed, order[job.rows.followed])
        np.testing.assert_allclose(after[:, mask], before[:, mask][:, places], rtol=1e-5, atol=1e-5)
        assert np.abs(after[:, 0] - before[:, 0][:, places]).max() > 1e-3


@pytest.mark.parametrize("solver", [QSG(), Exact()], ids=["qsg", "exact"])
def test_rows_of_a_fold_are_neighbours_of_its_models(solver):
    """Without a fold's rows among the nodes its models are others: leaving rows out is about labels only."""
    job = make_job(POINTS)
    mask = 1
    left_out = np.flatnonzero(~job.is_trained[:, mask])
    is_apart = np.isin(job.graph.edges, left_out).any(axis=1)
    assert is_apart.any()
    before, after = (
        solver.train(each).scores[:, mask]
        for each in (job, replace(job, graph=replace(job.graph, edges=job.graph.edges[~is_apart])))
    )
    is_rough = np.array([point.neighbor_weight == 0 for point in job.points.listed])
    np.testing.assert_allclose(after[is_rough], before[is_rough], rtol=1e-5, atol=1e-5)
    assert np.abs(after - before)[~is_rough].max() > 1e-3
