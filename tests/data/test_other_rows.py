"""All rows of a source but some, and rows that are read in one pass: the same rows as by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from s2auc.data.sources.combined import ChainedRows, ExcludedRows, ScannedOnce, SelectedRows, numbers_beside
from s2auc.data.sources.finite import FiniteRows
from s2auc.data.sources.matrix_rows import DenseRows, SparseRows


def make_source(n_rows, kind):
    X = np.arange(2.0 * n_rows).reshape(n_rows, 2)
    return SparseRows(csr_array(X)) if kind == "sparse" else DenseRows(X)


def dense(rows):
    return rows.toarray() if hasattr(rows, "toarray") else rows


@given(st.integers(0, 30), st.data())
def test_numbers_count_through_what_is_left(n_rows, data):
    left_out = np.array(sorted(data.draw(st.sets(st.integers(0, n_rows - 1)))) if n_rows else [], dtype=np.intp)
    others = [row for row in range(n_rows) if row not in set(left_out.tolist())]
    assert numbers_beside(left_out, np.arange(len(others))).tolist() == others


@pytest.mark.parametrize("kind", ["dense", "sparse"])
@pytest.mark.parametrize("left_out", [[], [0], [19], [3, 4, 5, 11], list(range(20)), list(range(0, 20, 2))])
@pytest.mark.parametrize("chunk_rows", [1, 3, 7, 100])
def test_other_rows_are_those_that_are_not_left_out(kind, left_out, chunk_rows):
    source = make_source(20, kind)
    rows = ExcludedRows(source, np.array(left_out, dtype=np.intp))
    kept = np.delete(np.arange(20), left_out)
    expected = dense(source.gather(kept)) if len(kept) else np.zeros((0, 2))
    assert (rows.n_rows, rows.schema.n_columns) == (len(kept), 2)
    np.testing.assert_array_equal(dense(rows.gather(np.arange(len(kept)))), expected)
    found = list(rows.map_chunks(lambda part, first: (first, dense(part)), chunk_rows))
    assert [first for first, _ in found] == np.cumsum([0, *(len(part) for _, part in found)])[:-1].tolist()
    np.testing.assert_array_equal(np.concatenate([np.zeros((0, 2)), *(part for _, part in found)]), expected)


class Counted(DenseRows):
    """Rows that tell how often they were gathered."""

    def __init__(self, n_rows):
        super().__init__(np.arange(2.0 * n_rows).reshape(n_rows, 2))
        self.gathered = []

    def gather(self, numbers):
        self.gathered.append(np.asarray(numbers).tolist())
        return super().gather(numbers)


def test_what_is_announced_through_other_sources_is_read_in_one_pass():
    inner = Counted(30), Counted(10)
    slow = [ScannedOnce(source) for source in inner]
    head = ExcludedRows(FiniteRows(slow[0], "X"), np.array([0, 5]))
    chained = ChainedRows(head, SelectedRows(slow[1], np.array([2, 3, 9])))
    assert chained.is_read_whole
    assert not ExcludedRows(DenseRows(np.ones((3, 1))), np.array([0])).is_read_whole
    slow[0].announce(np.array([5, 0]))
    chained.announce(np.array([27, 30, 3]))
    chained.announce(np.array([1, 29]))
    assert inner[0].gathered == inner[1].gathered == []
    assert slow[0].gather(np.array([5, 0, 5]))[:, 0].tolist() == [10.0, 0.0, 10.0]
    assert chained.gather(np.array([30, 1, 27, 3]))[:, 0].tolist() == [18.0, 4.0, 58.0, 8.0]
    assert chained.gather(np.array([29]))[:, 0].tolist() == [6.0]
    assert inner[0].gathered == [[0, 2, 4, 5, 29]]
    assert inner[1].gathered == [[3, 9]]
    # Rows that nobody told of cost another pass, which brings what is known already, too.
    assert slow[0].gather(np.array([7, 2]))[:, 0].tolist() == [14.0, 4.0]
    assert len(inner[0].gathered) == 2
