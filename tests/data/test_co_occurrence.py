"""Whether columns have to do with each other."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from s2auc.data.features.co_occurrence import have_common_components, shuffled


def independent(n_rows, n_columns, seed=0):
    random = np.random.default_rng(seed)
    share = 1.0 / np.arange(2, n_columns + 2) ** 0.5
    values = random.random((n_rows, n_columns)) * (random.random((n_rows, n_columns)) < 0.5 * share)
    return csr_array(values)


def in_topics(n_rows, n_columns, seed=0):
    """Every row has one of five topics, which have columns of their own."""
    random = np.random.default_rng(seed)
    topic_of_row, topic_of_column = random.integers(5, size=n_rows), np.arange(n_columns) % 5
    share = np.where(topic_of_row[:, None] == topic_of_column, 0.1, 0.01)
    return csr_array((random.random((n_rows, n_columns)) < share).astype(float))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("shape", [(600, 300), (3500, 1000)])
def test_topics_are_told_from_chance(shape, seed):
    assert have_common_components(in_topics(*shape, seed), seed)
    assert not have_common_components(independent(*shape, seed), seed)


def test_shuffling_moves_the_values_of_every_column():
    rows = in_topics(101, 40)
    moved = shuffled(rows, seed=0)
    assert moved.nnz == rows.nnz
    for before, after in zip(rows.toarray().T, moved.toarray().T, strict=True):
        np.testing.assert_array_equal(np.sort(before), np.sort(after))
    assert np.mean(rows.toarray() != moved.toarray()) > 0.01
    assert (shuffled(rows, seed=0) != moved).nnz == 0
    assert (shuffled(rows, seed=1) != moved).nnz > 0


@pytest.mark.parametrize("n_rows", [1, 2, 3, 4, 12])
def test_any_number_of_rows_can_be_shuffled(n_rows):
    rows = csr_array(np.arange(1.0, 5 * n_rows + 1).reshape(n_rows, 5))
    moved = shuffled(rows, seed=3).toarray()
    np.testing.assert_array_equal(np.sort(moved, axis=0), rows.toarray())


@pytest.mark.parametrize("rows", [csr_array((50, 60)), csr_array((1, 60)), csr_array(np.eye(5))])
def test_hardly_any_rows_have_nothing_in_common(rows):
    assert not have_common_components(rows, seed=0)
