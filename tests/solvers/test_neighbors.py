"""The graph of neighbours: who is in it, what it weighs, and which of its edges steps draw."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from threadpoolctl import threadpool_limits

import reference
from s2auc.solvers.neighbors import EdgeDraw, NeighborGraph, nearest_rows


def normal_rows(n_rows=60, n_columns=3, seed=0):
    return np.random.default_rng(seed).normal(size=(n_rows, n_columns))


def edges_of(X, n_neighbors):
    graph = NeighborGraph.of_rows(X, n_neighbors)
    assert graph.n_nodes == len(X)
    assert graph.edges.shape == (len(graph.edges), 2)
    return [tuple(edge) for edge in graph.edges.tolist()]


def assert_is_graph_of(X, n_neighbors):
    """Compare with the reference, which leaves open what ties leave open."""
    listed = edges_of(X, n_neighbors)
    edges = set(listed)
    assert len(edges) == len(listed)
    assert listed == sorted(listed)
    assert edges == {(other, row) for row, other in edges}
    assert all(row != other for row, other in edges)
    must, may = reference.neighbor_edges(X, n_neighbors)
    assert must <= edges <= may
    for row in range(len(X)):
        assert sum(start == row for start, _ in edges) >= min(n_neighbors, len(X) - 1)
    assert len(edges) <= 2 * n_neighbors * len(X)
    return edges


@pytest.mark.parametrize("n_columns", [1, 3, 20])
@pytest.mark.parametrize("n_neighbors", [1, 5, 10])
def test_edges_are_those_of_the_double_loop(n_columns, n_neighbors):
    X = normal_rows(n_columns=n_columns)
    must, may = reference.neighbor_edges(X, n_neighbors)
    assert must == may == assert_is_graph_of(X, n_neighbors)


@given(st.integers(0, 2**32), st.integers(0, 12), st.integers(1, 3), st.integers(1, 14))
def test_duplicates_and_ties(seed, n_rows, n_columns, n_neighbors):
    """Rows of small integers: many are the same, and many are equally far."""
    X = np.random.default_rng(seed).integers(0, 3, (n_rows, n_columns)).astype(float)
    assert_is_graph_of(X, n_neighbors)


def test_more_copies_of_a_row_than_neighbours():
    X = np.concatenate([np.zeros((8, 2)), np.ones((8, 2))])
    edges = assert_is_graph_of(X, 3)
    assert all((row < 8) == (other < 8) for row, other in edges)


def test_fewer_rows_than_neighbours_are_all_neighbours():
    edges = assert_is_graph_of(normal_rows(4), 10)
    assert len(edges) == 4 * 3


@pytest.mark.parametrize("n_rows", [0, 1])
def test_without_two_rows_there_are_no_edges(n_rows):
    graph = NeighborGraph.of_rows(normal_rows(n_rows), 5)
    assert graph.edges.shape == (0, 2)
    np.testing.assert_array_equal(graph.roughness(np.ones((n_rows, 3))), np.zeros((3, 3)))


def test_blocks_of_rows_do_not_matter():
    X = normal_rows(70, 5)
    whole, pieces = (np.sort(nearest_rows(X, 6, block_rows), axis=1) for block_rows in (256, 16))
    np.testing.assert_array_equal(pieces, whole)


@pytest.mark.parametrize("factor", [1e-200, 1e-3, 1e160])
def test_units_do_not_matter(factor):
    X = normal_rows()
    assert edges_of(X * factor, 5) == edges_of(X, 5)


def test_where_rows_lie_does_not_matter():
    X = normal_rows().round(3)
    assert edges_of(X + 1e8, 5) == edges_of(X, 5)


def test_ties_do_not_depend_on_the_number_of_threads():
    X = np.random.default_rng(0).integers(0, 2, (900, 20)).astype(float)
    seen = []
    for n_threads in (1, 3):
        with threadpool_limits(n_threads):
            seen.append(edges_of(X, 10))
    assert seen[0] == seen[1]


@pytest.mark.parametrize("n_neighbors", [1, 4, 30])
def test_roughness_is_the_mean_over_edges(n_neighbors):
    X, Phi = normal_rows(25), normal_rows(25, 6, seed=1)
    graph = NeighborGraph.of_rows(X, n_neighbors)
    expected = reference.roughness(graph.edges.tolist(), Phi)
    found = graph.roughness(Phi)
    assert found.dtype == np.float64
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)
    single = graph.roughness(Phi.astype(np.float32))
    assert single.dtype == np.float64
    np.testing.assert_allclose(single, expected, rtol=1e-5, atol=1e-6)


def test_the_quadratic_form_is_the_mean_squared_difference_of_scores():
    X, Phi, w = normal_rows(25), normal_rows(25, 6, seed=1), normal_rows(6, 1, seed=2)[:, 0]
    graph = NeighborGraph.of_rows(X, 4)
    value, _ = reference.risk([reference.neighbor_term(3.0, graph.edges)], {"node": Phi @ w})
    assert 0.5 * 3.0 * w @ graph.roughness(Phi) @ w == pytest.approx(value, rel=1e-12)


def test_equal_scores_have_no_roughness():
    graph = NeighborGraph.of_rows(normal_rows(25), 4)
    np.testing.assert_allclose(graph.roughness(np.ones((25, 2))), 0.0, atol=1e-14)


def test_draws_are_edges_and_a_function_of_seed_and_iteration():
    graph = NeighborGraph.of_rows(normal_rows(), 3)
    row, other = graph.draw(EdgeDraw(seed=5, size=7, first=0, last=20))
    assert row.shape == other.shape == (20, 7)
    assert set(zip(row.ravel().tolist(), other.ravel().tolist(), strict=True)) <= set(map(tuple, graph.edges.tolist()))
    for first, last in ((0, 4), (3, 11), (19, 20)):
        later = graph.draw(EdgeDraw(seed=5, size=7, first=first, last=last))
        np.testing.assert_array_equal(later, (row[first:last], other[first:last]))
    elsewhere = graph.draw(EdgeDraw(seed=6, size=7, first=0, last=20))
    assert not np.array_equal(elsewhere, (row, other))
    assert len(np.unique(np.stack([row, other], axis=-1), axis=0)) == 20


def test_draws_are_uniform_over_edges():
    graph = NeighborGraph.of_rows(normal_rows(12), 2)
    row, other = graph.draw(EdgeDraw(seed=1, size=50, first=0, last=400))
    drawn = np.bincount((row * 12 + other).ravel(), minlength=144)
    counts = drawn[graph.edges[:, 0] * 12 + graph.edges[:, 1]]
    assert counts.sum() == 50 * 400
    assert stats.chisquare(counts).pvalue > 1e-3
