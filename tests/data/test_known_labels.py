"""Labels that are known already read like the column they were found in."""

import numpy as np
import pytest

from lazy_tables import LazyLabels
from s2auc.data.labels.labeled_rows import KnownLabels, find_labeled_rows
from s2auc.data.labels.labels import read_labels
from s2auc.data.tables.lazy_table import values_at
from s2auc.data.tables.matrix_files import ArrayLabels

COLUMNS = {
    "numbers": np.array([1, np.nan, 0, np.nan, np.nan, np.nan, np.nan, np.nan, np.nan, 1, 0]),
    "text": np.array(["yes", None, "no", *[None] * 6, "yes", "no"], dtype=object),
    "booleans": np.array([True, None, False, *[None] * 6, True, False], dtype=object),
    "no blanks": np.array([1, 0] * 5),
    "blank at both ends": np.array([np.nan] * 5 + [0, 1, 1] + [np.nan] * 4),
}


@pytest.fixture(params=[1, 3, 4, 100])
def chunk_rows(request):
    return request.param


@pytest.mark.parametrize("case", COLUMNS)
def test_they_mean_what_the_column_means(case, chunk_rows):
    column = COLUMNS[case]
    known = KnownLabels(find_labeled_rows(column, None), chunk_rows)
    assert known.n_rows == len(known) == len(column)
    chunks = list(known.chunks())
    assert [len(chunk) for chunk in chunks[:-1]] == [chunk_rows] * (len(chunks) - 1)
    found, expected = (read_labels(y, unlabeled=None) for y in (known, column))
    for name in ("classes", "positive", "negative"):
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))
    assert (found.n_rows, found.n_unlabeled) == (expected.n_rows, expected.n_unlabeled)
    assert found.classes.dtype == expected.classes.dtype


def test_markers_are_labels_here_and_can_be_told_apart_later(chunk_rows):
    known = KnownLabels(find_labeled_rows([1, None, -1, 0], None), chunk_rows)
    found = read_labels(known, unlabeled=-1)
    assert (found.positive.tolist(), found.negative.tolist(), found.n_unlabeled) == ([0], [3], 2)


@pytest.mark.parametrize("case", COLUMNS)
def test_as_an_array_blanks_are_missing_values(case, chunk_rows):
    """A blank that came out as some class would be a label."""
    column = COLUMNS[case]
    found = np.asarray(KnownLabels(find_labeled_rows(column, None), chunk_rows))
    np.testing.assert_array_equal(found, column)
    np.testing.assert_array_equal(np.asarray(LazyLabels(column)), column)


def test_no_rows_and_no_labels():
    assert list(KnownLabels(find_labeled_rows(np.zeros(0), None)).chunks()) == []
    (chunk,) = KnownLabels(find_labeled_rows([None, None], None)).chunks()
    assert np.ma.getmaskarray(chunk).all()


def test_values_of_some_rows(chunk_rows):
    labels = ["a", None, "b", "c", None]
    for column in (
        KnownLabels(find_labeled_rows(labels, None), chunk_rows),
        LazyLabels(np.array(labels, dtype=object), 2),
    ):
        assert values_at(column, np.array([3, 0, 4, 3, 1])).tolist() == ["c", "a", None, "c", None]
        assert values_at(column, np.zeros(0, dtype=np.intp)).tolist() == []


def test_values_are_of_pythons_own_types():
    found = values_at(ArrayLabels(np.array([3, 1, 2], dtype=np.int32)), np.array([2, 0]))
    assert [(type(value), value) for value in found.tolist()] == [(int, 2), (int, 3)]
