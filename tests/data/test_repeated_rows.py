"""Labelled rows that repeat one another: found cell by cell, with their contradictory labels."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from s2auc.data.labels.repeated_rows import find_repeated_rows


def same(one, other):
    return all(a == b or (a != a and b != b) for a, b in zip(one, other, strict=True))


@given(st.lists(st.tuples(st.sampled_from([0.0, -0.0, 1.0, np.nan]), st.sampled_from([0.0, 2.0])), max_size=12))
def test_equal_rows_are_found_row_by_row(rows):
    found = find_repeated_rows(np.array(rows).reshape(-1, 2), np.arange(len(rows)) % 2 == 0)
    expected = [next(place for place, other in enumerate(rows) if same(row, other)) for row in rows]
    assert found.first.tolist() == expected
    assert found.n_repeated == sum(place != first for place, first in enumerate(expected))
    pairs = [(first, place) for place, first in enumerate(expected) if (place - first) % 2]
    assert list(found.contradictory) == pairs


def test_sparse_rows_say_what_dense_ones_say():
    dense = np.random.default_rng(0).integers(0, 2, (40, 5)).astype(float)
    is_positive = np.arange(40) < 20
    sparse = csr_array(dense)
    sparse.data[0] = 0.0  # stored, and zero all the same
    dense[np.nonzero(dense)[0][0], np.nonzero(dense)[1][0]] = 0.0
    assert (
        find_repeated_rows(sparse, is_positive).first.tolist() == find_repeated_rows(dense, is_positive).first.tolist()
    )


@pytest.mark.parametrize(("n_distinct", "n_wrong", "are_copies"), [(30, 0, True), (30, 20, False), (10, 0, False)])
def test_copies_are_told_from_rows_that_are_alike_by_chance(n_distinct, n_wrong, are_copies):
    rows = np.repeat(np.arange(n_distinct), 2)[:, None].astype(float)
    is_positive = rows[:, 0] % 2 == 0
    is_positive[1 : 2 * n_wrong : 2] ^= True
    found = find_repeated_rows(rows, is_positive)
    assert found.are_copies == are_copies
    assert len(found.contradictory) == n_wrong


def test_rows_are_named_by_their_numbers():
    rows = np.repeat(np.arange(30.0), 2)[:, None]
    is_positive = np.arange(60) < 29  # rows 28 and 29 contradict each other
    text = find_repeated_rows(rows, is_positive).sentence(np.arange(60) + 100, is_kept_together=True)
    assert text == (
        "30 of 60 labelled rows repeat others; equal rows are held out together. Equal rows with contradictory labels: "
        "1 (rows 128 and 129)."
    )
    assert find_repeated_rows(rows[::2], is_positive[::2]).sentence(np.arange(30), is_kept_together=True) == ""
