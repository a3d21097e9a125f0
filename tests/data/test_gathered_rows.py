"""Rows that are at hand are not asked for once more."""

import numpy as np
import pytest
from scipy import sparse

from lazy_tables import CountedRows
from s2auc.data.schema.schema import Schema
from s2auc.data.sources.combined import GatheredRows, ScannedOnce
from s2auc.data.sources.matrix_rows import DenseRows

X = np.arange(20.0).reshape(10, 2)
AT_HAND = np.array([1, 4, 8])


@pytest.fixture
def passes():
    return []


@pytest.fixture
def rows(passes):
    return GatheredRows(CountedRows(X, Schema(2, {}), passes), AT_HAND, X[AT_HAND])


@pytest.mark.parametrize("numbers", [[], [4], [8, 1, 1, 4], [1, 4, 8]], ids=str)
def test_rows_at_hand_come_in_any_order_without_a_pass(rows, passes, numbers):
    wanted = np.array(numbers, dtype=np.intp)
    np.testing.assert_array_equal(rows.gather(wanted), X[wanted])
    assert passes == []


@pytest.mark.parametrize("numbers", [[0], [9], [4, 5], [8, 9, 1]], ids=str)
def test_others_are_asked_for(rows, passes, numbers):
    np.testing.assert_array_equal(rows.gather(np.array(numbers)), X[numbers])
    assert passes == [len(numbers)]


def test_they_are_the_rows_of_the_other_source(rows, passes):
    assert (rows.n_rows, rows.n_columns, rows.schema) == (10, 2, rows.source.schema)
    np.testing.assert_array_equal(np.concatenate(list(rows.scan(4))), X)
    assert passes == [10]
    known = GatheredRows(ScannedOnce(DenseRows(X), ("file", "date")), AT_HAND, X[AT_HAND])
    assert known.origin == ("file", "date")
    assert known.is_read_whole


def test_sparse_rows_stay_sparse():
    rows = GatheredRows(DenseRows(X), AT_HAND, sparse.csr_array(X[AT_HAND]))
    found = rows.gather(np.array([8, 1]))
    assert sparse.issparse(found)
    np.testing.assert_array_equal(found.toarray(), X[[8, 1]])
