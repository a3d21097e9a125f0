"""Times of labelled rows, and which of them were drawn at random."""

import datetime as dt

import numpy as np
import pytest

from s2auc.data.labels.label_facts import read_random_labels, read_time
from s2auc.data.labels.labels import read_labels

LABELS = read_labels([0, 1, -1, 0])  # positive first: rows 1, 0, 3


@pytest.mark.parametrize(
    "values",
    [
        [3, 1, None, 2],
        ["2024-01-03", "2024-01-01", "soon", "2024-01-02"],
        ["2024-01-01 12:00", "2024-01-01 10:59:59", "", "2024-01-01T11:30"],
        np.array(["2024-03-01", "2024-01-01", "NaT", "2024-02-01"], dtype="datetime64[ns]"),
        [dt.date(2024, 1, 3), dt.date(2024, 1, 1), None, dt.date(2024, 1, 2)],
        [" 10", "9.5", None, "9.75"],
    ],
    ids=str,
)
def test_times_are_ordered(values):
    assert read_time(values, LABELS).argsort().tolist() == [0, 2, 1]


@pytest.mark.parametrize("strange", ["31/05/2024", None, float("nan"), np.datetime64("NaT"), "", [1]])
def test_labelled_rows_without_a_time_are_refused(strange):
    values = np.array([1, 2, 3, None], dtype=object)
    values[3] = strange
    with pytest.raises(ValueError, match="time"):
        read_time(values, LABELS)


@pytest.mark.parametrize(
    "values",
    [
        [1, 0, 1, 0],
        ["Random", "top", "random", ""],
        [True, False, None, None],
        ["yes", "", "", "0"],
        [np.True_, None, 0, float("nan")],
    ],
    ids=str,
)
def test_rows_that_were_drawn_at_random(values):
    assert read_random_labels(values, LABELS).tolist() == [False, True, False]


def test_nobody_said_so():
    assert read_random_labels(None, LABELS) is None
    assert read_time(None, LABELS) is None
    with pytest.raises(ValueError, match="drawn at random"):
        read_random_labels([0, 0, 1, 0], LABELS)
    with pytest.raises(ValueError, match="one value for each of 4 rows"):
        read_random_labels([0, 1], LABELS)
