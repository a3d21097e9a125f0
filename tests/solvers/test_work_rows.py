"""The rows that a solver works on: spread rows, nodes and the edges of steps, beside what was drawn without them."""

import numpy as np
import pytest

from s2auc.common.groups import PositiveFirst
from s2auc.data.sources.matrix_rows import DenseRows
from s2auc.data.training_rows import TrainingRows
from s2auc.solvers import work_rows
from s2auc.solvers.neighbors import NeighborGraph
from s2auc.solvers.work_rows import DrawRule, collect_rows

RULE = DrawRule(n_steps=6, batch_size=5)


def make_rows(n_positive=3, n_negative=4, n_unlabeled=50):
    """Labelled row i holds -1 - i, unlabelled row i holds i."""
    labeled = -1.0 - np.arange(n_positive + n_negative)[:, None]
    pool = DenseRows(np.arange(float(n_unlabeled))[:, None]) if n_unlabeled else None
    return TrainingRows(labeled, PositiveFirst(n_positive, n_negative), pool)


def values(work, places):
    return work.X[places][..., 0]


@pytest.mark.parametrize("uses_pool", [True, False])
@pytest.mark.parametrize("n_negative", [0, 4])
def test_other_draws_do_not_change_by_the_term(n_negative, uses_pool):
    rows = make_rows(n_negative=n_negative)
    without, with_term = (
        collect_rows(rows, RULE, seed=3, uses_pool=uses_pool, uses_neighbors=uses) for uses in (False, True)
    )
    assert without.n_spread == 0
    assert without.edge_draw is None
    assert with_term.steps.keys() == without.steps.keys()
    for group, index in without.steps.items():
        np.testing.assert_array_equal(values(with_term, with_term.steps[group]), values(without, index))
    for name in ("reference", "pool"):
        ours, theirs = (values(work, getattr(work, name)) for work in (with_term, without))
        np.testing.assert_array_equal(ours, theirs)
    assert with_term.has_pool == without.has_pool == uses_pool


def test_nodes_are_the_labelled_rows_and_all_unlabelled_ones_where_these_are_few():
    work = collect_rows(make_rows(), RULE, seed=0, uses_neighbors=True)
    np.testing.assert_array_equal(values(work, work.nodes), [*(-1.0 - np.arange(7)), *np.arange(50.0)])
    assert not set(work.nodes) & set(range(work.pool.start, work.pool.stop))


@pytest.mark.parametrize("n_unlabeled", [2, 3, 50, 4000])
def test_nodes_hold_no_reference_rows_where_there_are_no_negatives(n_unlabeled):
    for seed in range(5):
        work = collect_rows(make_rows(n_negative=0, n_unlabeled=n_unlabeled), RULE, seed=seed, uses_neighbors=True)
        reference, spread = (values(work, places) for places in (work.reference, work.spread))
        assert len(reference) > 0
        assert len(spread) > 0
        assert not set(reference) & set(spread)
        if n_unlabeled <= 50:
            assert set(reference) | set(spread) == set(np.arange(float(n_unlabeled)))


def test_a_single_unlabelled_row_is_reference_and_node():
    """It cannot be held out, or nothing would be left to learn from."""
    work = collect_rows(make_rows(n_negative=0, n_unlabeled=1), RULE, seed=0, uses_neighbors=True)
    assert values(work, work.reference).tolist() == values(work, work.spread).tolist() == [0.0]


def test_of_many_rows_some_are_drawn(monkeypatch):
    monkeypatch.setattr(work_rows, "SPREAD_ROWS", 40)
    seen = [values(work, work.spread) for work in (_collect(seed) for seed in range(60))]
    assert all(30 <= len(spread) == len(np.unique(spread)) <= 40 for spread in seen)
    assert len({tuple(spread) for spread in seen}) == 60
    # All rows alike: the first half, the second half.
    assert np.concatenate(seen).mean() == pytest.approx(199.5, abs=10)
    np.testing.assert_array_equal(values(_collect(0), _collect(0).spread), seen[0])


def _collect(seed):
    return collect_rows(make_rows(n_unlabeled=400), RULE, seed=seed, uses_neighbors=True)


def test_edges_of_steps_are_places_of_nodes_and_do_not_depend_on_the_length_of_a_run():
    rows = make_rows()
    short, long, later = (
        collect_rows(rows, DrawRule(n_steps, 5), seed=3, first=first, uses_neighbors=True)
        for n_steps, first in ((6, 0), (20, 0), (4, 2))
    )
    graph = NeighborGraph.of_rows(short.X[short.nodes], 3)
    assert short.edges_of_steps(graph).keys() == {"node", "neighbor"}
    ends = [
        {group: values(work, index) for group, index in work.edges_of_steps(graph).items()}
        for work in (short, long, later)
    ]
    known = {tuple(short.X[short.nodes][edge, 0]) for edge in graph.edges}
    for group in ("node", "neighbor"):
        assert ends[0][group].shape == (6, 5)
        np.testing.assert_array_equal(ends[1][group][:6], ends[0][group])
        np.testing.assert_array_equal(ends[2][group], ends[0][group][2:])
    assert set(zip(ends[0]["node"].ravel(), ends[0]["neighbor"].ravel(), strict=True)) <= known


@pytest.mark.parametrize("n_unlabeled", [0, 1])
def test_without_edges_steps_draw_none(n_unlabeled):
    work = collect_rows(make_rows(n_unlabeled=n_unlabeled), RULE, seed=0, uses_neighbors=True)
    assert len(work.nodes) == 7 + n_unlabeled
    assert work.edges_of_steps(NeighborGraph(np.zeros((0, 2), dtype=np.intp), len(work.nodes))) == {}
