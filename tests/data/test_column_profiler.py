"""What several profilers learn of the parts of a column is, joined, what one learns of all of it."""

import datetime as dt

import numpy as np
import pyarrow as pa
import pytest

from s2auc.data.schema import column_profiler as column_studies
from s2auc.data.schema.column_profiler import CategoryProfiler, DateProfiler, NumberProfiler
from s2auc.data.schema.date_parts import parts_of_kind

START = dt.datetime(2024, 2, 1, 10)


def whole_numbers():
    return NumberProfiler("n", "'n' of X", is_whole=True)


COLUMNS = {
    "floats": (lambda: NumberProfiler("n", "'n' of X", is_whole=False), pa.array([1.0, None, 2.0, float("nan")] * 10)),
    "one float": (lambda: NumberProfiler("n", "'n' of X", is_whole=False), pa.array([1.5] * 40)),
    "one float a half": (lambda: NumberProfiler("n", "'n' of X", is_whole=False), pa.array([1.5] * 20 + [2.5] * 20)),
    "no numbers": (lambda: NumberProfiler("n", "'n' of X", is_whole=False), pa.nulls(40, pa.float64())),
    "rows counted": (whole_numbers, pa.array(range(40))),
    "repeats within": (whole_numbers, pa.array([7, 7, *range(100, 138)])),
    "repeats across": (whole_numbers, pa.array([*range(20), *range(20)])),
    "text": (
        lambda: CategoryProfiler("n", "'n' of X", "text", is_declared=False),
        pa.array(["b", None, "a", "c"] * 10),
    ),
    "names": (
        lambda: CategoryProfiler("n", "'n' of X", "text", is_declared=False),
        pa.array(list(map(str, range(40)))),
    ),
    "numbers as text": (
        lambda: NumberProfiler("n", "'n' of X", "numbers with decimal commas", is_whole=False),
        pa.array(["1,5", "-", " 2,5", ""] * 10),
    ),
    "rows counted in text": (
        lambda: NumberProfiler("n", "'n' of X", "numbers", is_whole=True),
        pa.array([*map(str, range(39)), " 39 "]),
    ),
    "dates as text": (
        lambda: DateProfiler("n", "'n' of X", parts_of_kind("date"), "dates, day first"),
        pa.array([f"{day:02}/01/2024" for day in range(1, 21)] * 2),
    ),
    "booleans and numbers": (
        lambda: CategoryProfiler("n", "'n' of X", "boolean", is_declared=False),
        pa.array([0, 1, None, 2] * 10),
    ),
    "booleans": (
        lambda: CategoryProfiler("n", "'n' of X", "boolean", is_declared=False),
        pa.array([True] * 39 + [False]),
    ),
    "days": (
        lambda: DateProfiler("n", "'n' of X", parts_of_kind("date")),
        pa.array([START + dt.timedelta(days=day) for day in range(40)]),
    ),
    "one moment a half": (
        lambda: DateProfiler("n", "'n' of X", parts_of_kind("date")),
        pa.array([START] * 20 + [START + dt.timedelta(hours=3)] * 20),
    ),
}


def study_of(make, array):
    profiler = make()
    if len(array):
        profiler.update(array)
    return profiler


@pytest.mark.parametrize("cuts", [[20], [1], [0, 10, 10, 33]], ids=str)
@pytest.mark.parametrize("kind", COLUMNS)
def test_joined_studies(kind, cuts):
    make, array = COLUMNS[kind]
    whole = study_of(make, array)
    joined = make()
    for first, last in zip([0, *cuts], [*cuts, len(array)], strict=True):
        joined.join(study_of(make, array.slice(first, last - first)))
    assert joined.learnt() == whole.learnt()
    assert joined.why_ignored(len(array)) == whole.why_ignored(len(array))
    assert (joined.n_values, joined.n_missing) == (whole.n_values, whole.n_missing)


def test_numbers_that_come_late_are_not_kept(monkeypatch):
    monkeypatch.setattr(column_studies, "MAX_KEPT", 30)
    first, later = (study_of(whole_numbers, pa.array(np.arange(start, start + 30))) for start in (0, 30))
    later.forget_numbers()
    first.join(later)
    assert first.is_settled
    assert first.why_ignored(60) == "row ID: whole numbers in the order of rows"
