"""The rows of a fit: groups, and the samples of unlabelled rows that settle columns and widths."""

import numpy as np
import pytest
from scipy import sparse, stats

from s2auc.common.groups import PositiveFirst
from s2auc.data.features.projection import Projection
from s2auc.data.schema.schema import Schema
from s2auc.data.sources.matrix_rows import DenseRows, SparseRows
from s2auc.data.sources.rows import dense_rows, is_sparse
from s2auc.data.training_rows import SAMPLE_ROWS, SAMPLE_VALUES, TrainingRows

LABELED = np.array([[1.0, 10.0], [2.0, 20.0], [-1.0, -10.0], [-2.0, -20.0], [-3.0, -30.0]])


def make(n_unlabeled=50, kind=DenseRows):
    """Unlabelled row i holds i in both columns."""
    pool = kind(np.repeat(np.arange(n_unlabeled, dtype=float)[:, None], 2, axis=1)) if n_unlabeled else None
    return TrainingRows(LABELED, PositiveFirst(2, 3), pool)


def test_groups_and_their_sizes():
    rows = make()
    np.testing.assert_array_equal(rows.positive, LABELED[:2])
    np.testing.assert_array_equal(rows.negative, LABELED[2:])
    assert rows.sizes == {"positive": 2, "negative": 3, "unlabeled": 50}
    assert make(0).sizes == {"positive": 2, "negative": 3, "unlabeled": 0}
    assert make(0).n_unlabeled == 0


@pytest.mark.parametrize("most", [50, 51, 10**6])
def test_few_rows_are_all_taken(most):
    for seed in range(3):
        assert make().unlabeled_numbers(most, seed).tolist() == list(range(50))


@pytest.mark.parametrize("most", [1, 2, 10, 49])
def test_of_many_rows_no_more_are_taken_than_asked_for(most):
    for seed in range(20):
        numbers = make().unlabeled_numbers(most, seed)
        assert 1 <= len(numbers) <= most
        assert np.all(np.diff(numbers) > 0)
        assert 0 <= numbers[0] <= numbers[-1] < 50


def test_no_rows_have_no_numbers():
    assert make(0).unlabeled_numbers(10, 0).tolist() == []
    assert make(0).unlabeled_sample(10, 0) == []


def test_a_seed_decides_what_is_drawn():
    rows = make(10_000)
    first = rows.unlabeled_numbers(100, 1)
    np.testing.assert_array_equal(make(10_000).unlabeled_numbers(100, 1), first)
    assert set(first) != set(rows.unlabeled_numbers(100, 2))


def test_every_row_is_as_likely_as_any_other():
    rows = make(20)
    counts = sum(np.bincount(rows.unlabeled_numbers(6, seed), minlength=20) for seed in range(3000))
    expected = np.full(20, counts.mean())
    assert stats.chisquare(counts, expected).pvalue > 1e-3


def test_a_sample_holds_the_rows_of_its_numbers():
    rows = make(1000)
    (sample,) = rows.unlabeled_sample(30, 4)
    assert sample[:, 0].tolist() == rows.unlabeled_numbers(30, 4).tolist()


def test_a_sample_of_all_groups_ends_with_the_labelled_rows():
    found = make().sample(0)
    assert found[:50, 0].tolist() == list(range(50))
    np.testing.assert_array_equal(found[50:], LABELED)
    np.testing.assert_array_equal(make(0).sample(0), LABELED)


def test_a_sample_of_very_many_rows_is_drawn():
    rows = make(3 * SAMPLE_ROWS)
    found = rows.sample(7)
    assert 0.8 * SAMPLE_ROWS < len(found) <= SAMPLE_ROWS + len(LABELED)
    np.testing.assert_array_equal(found[:-5, 0], rows.unlabeled_numbers(SAMPLE_ROWS, 7))
    np.testing.assert_array_equal(found[-5:], LABELED)
    np.testing.assert_array_equal(found, rows.sample(7))
    assert len(np.setdiff1d(found[:-5, 0], rows.sample(8)[:-5, 0]))


class Counted(DenseRows):
    """Rows of very many columns, of which only the numbers that are asked for are kept."""

    def __init__(self, n_rows):
        super().__init__(np.zeros((1, 1)))
        self.n_rows, self.numbers = n_rows, None

    def gather(self, numbers):
        self.numbers = numbers
        return sparse.csr_array((len(numbers), 1))


@pytest.mark.parametrize(
    ("n_columns", "most"),
    [
        (SAMPLE_VALUES // SAMPLE_ROWS, SAMPLE_ROWS),
        (4 * SAMPLE_VALUES // SAMPLE_ROWS, SAMPLE_ROWS // 4),
        (10**6, SAMPLE_ROWS // 10),
    ],
)
def test_wide_rows_are_fewer(n_columns, most, monkeypatch):
    pool = Counted(10 * SAMPLE_ROWS)
    monkeypatch.setattr("s2auc.data.training_rows.stack_rows", lambda parts: parts)
    TrainingRows(sparse.csr_array((2, n_columns)), PositiveFirst(1, 1), pool).sample(0)
    assert 0.9 * most < len(pool.numbers) <= most


def test_sparse_rows_stay_sparse():
    dense = make(30)
    rows = TrainingRows(
        sparse.csr_array(LABELED),
        PositiveFirst(2, 3),
        SparseRows(sparse.csr_array(dense.unlabeled.gather(np.arange(30)))),
    )
    assert is_sparse(rows.sample(0))
    np.testing.assert_array_equal(dense_rows(rows.sample(0)), dense.sample(0))
    np.testing.assert_array_equal(dense_rows(rows.negative), LABELED[2:])


@pytest.mark.parametrize("pool", [DenseRows, lambda X: SparseRows(sparse.csr_array(X))], ids=["dense", "sparse"])
def test_a_sparse_sample_is_sparse_whatever_the_pool_is(pool):
    rows = TrainingRows(sparse.csr_array(LABELED), PositiveFirst(2, 3), make(30, pool).unlabeled)
    found = rows.sparse_sample(0, most=30)
    assert is_sparse(found)
    # Unlabelled row 0 holds nothing.
    assert found.nnz == 29 * 2 + LABELED.size
    np.testing.assert_array_equal(found.toarray(), make(30).sample(0))
    fewer = rows.sparse_sample(0, most=10).toarray()
    np.testing.assert_array_equal(fewer[:-5, 0], rows.unlabeled_numbers(10, 0))
    np.testing.assert_array_equal(fewer[-5:], LABELED)


@pytest.mark.parametrize(
    ("n_stored", "most"),
    [(0, SAMPLE_ROWS), (4 * SAMPLE_VALUES // SAMPLE_ROWS, SAMPLE_ROWS // 4), (10**5, SAMPLE_ROWS // 10)],
)
def test_in_a_sparse_sample_stored_values_count_and_not_columns(n_stored, most, monkeypatch):
    pool, columns = Counted(10 * SAMPLE_ROWS), np.tile(np.arange(n_stored), 2)
    monkeypatch.setattr("s2auc.data.training_rows.stack_rows", lambda parts: parts)
    labeled = sparse.csr_array((np.ones(2 * n_stored), columns, [0, n_stored, 2 * n_stored]), shape=(2, 10**6))
    TrainingRows(labeled, PositiveFirst(1, 1), pool).sparse_sample(0, SAMPLE_ROWS)
    assert 0.9 * most < len(pool.numbers) <= most


@pytest.mark.parametrize("n_unlabeled", [0, 50])
def test_components_of_rows(n_unlabeled):
    rows, matrix = make(n_unlabeled), np.array([[1.0, 0.5, 0.0], [-1.0, 2.0, 3.0]])
    found = rows.projected(Projection(matrix))
    np.testing.assert_array_equal(found.labeled, LABELED @ matrix)
    assert (found.order, found.sizes) == (rows.order, rows.sizes)
    np.testing.assert_array_equal(found.sample(0), rows.sample(0) @ matrix)
    assert found.unlabeled is None if not n_unlabeled else found.unlabeled.schema == Schema(3, {})
