"""Columns that lie far from those of the fit are named; others, and few rows, are not."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from s2auc.data.features.scaling import ColumnSample
from s2auc.data.schema.schema import Schema
from s2auc.estimators.fitting.record import describe_statistics
from s2auc.scoring.column_drift import FittedColumns

NAMES = "age", "income", "rate", "city"
SCHEMA = Schema(4, {3: ("Lima", "Oslo", "Rome")}, NAMES)


def make_rows(n_rows, seed=0):
    """Return rows with a normal, a heavy-tailed, a rare and a categorical column, of which some values are missing."""
    random = np.random.default_rng(seed)
    columns = [
        random.normal(40, 10, n_rows),
        random.lognormal(10, 2, n_rows),
        random.random(n_rows) < 0.01,
        random.integers(3, size=n_rows),
    ]
    rows = np.column_stack(columns).astype(float)
    rows[random.random((n_rows, 4)) < 0.05] = np.nan
    return rows


def make_record(rows, **changes):
    return {
        "columns": describe_statistics(ColumnSample.of_rows(rows, SCHEMA), SCHEMA),
        "n_sampled": len(rows),
    } | changes


FITTED = FittedColumns.from_record(make_record(make_rows(2000)), 4)


def told_of(rows, fitted=FITTED, n_chunks=1):
    first, *others = (fitted.tally(chunk) for chunk in np.array_split(rows, n_chunks))
    return fitted.describe_drift(sum(others, first))


@pytest.mark.parametrize("n_rows", [1, 10, 29, 30, 50, 300, 20_000])
@pytest.mark.parametrize("n_fitted", [30, 100, 2000])
def test_rows_of_the_same_kind_raise_no_alarm(n_rows, n_fitted):
    for seed in range(50):
        fitted = FittedColumns.from_record(make_record(make_rows(n_fitted, seed=100 + seed)), 4)
        assert told_of(make_rows(n_rows, seed), fitted) is None


def test_a_fit_on_few_rows_says_nothing():
    assert FittedColumns.from_record(make_record(make_rows(29)), 4) is None
    assert FittedColumns.from_record(make_record(make_rows(30)), 4) is not None


def changed(column, change, n_rows=1000):
    rows = make_rows(n_rows, seed=1)
    rows[:, NAMES.index(column)] = change(rows[:, NAMES.index(column)])
    return rows


CHANGES = {
    "another unit": ("age", lambda age: age * 12, "100 % of column 'age' lie outside"),
    "a smaller unit": ("age", lambda age: age / 100, "100 % of column 'age' lie outside"),
    "a shift": ("age", lambda age: age + 27, "the mean of column 'age' is about 6"),
    "blank": ("income", lambda income: np.full_like(income, np.nan), "100 % of column 'income' are missing, 5 % were"),
    "mostly blank": ("age", lambda age: np.where(np.arange(len(age)) % 10, np.nan, age), "of column 'age' are missing"),
    "unseen": ("city", lambda city: np.full_like(city, np.nan), "of column 'city' are missing or unknown categories"),
    "no longer rare": ("rate", lambda rate: np.ones_like(rate), "the mean of column 'rate' is about 1, it was 0.0"),
}


@pytest.mark.parametrize("case", CHANGES)
def test_columns_far_away_are_named(case):
    column, change, expected = CHANGES[case]
    told = told_of(changed(column, change))
    assert expected in told
    assert sum(f"'{name}'" in told for name in NAMES) == 1
    assert told_of(changed(column, change)[:29]) is None


QUIET = {
    "one huge value": ("age", lambda age: np.where(np.arange(len(age)) == 3, 1e300, age)),
    "somewhat older": ("age", lambda age: age + 15),
    "one city": ("city", lambda city: np.zeros_like(city)),
    "some blank": ("age", lambda age: np.where(np.arange(len(age)) % 3, age, np.nan)),
    "single precision": ("age", lambda age: age.astype(np.float32)),
}


@pytest.mark.parametrize("case", QUIET)
def test_smaller_changes_raise_no_alarm(case):
    assert told_of(changed(*QUIET[case])) is None


def test_a_constant_in_single_precision_is_the_same():
    constant = make_rows(100)
    constant[:, 0] = 0.1
    fitted = FittedColumns.from_record(make_record(constant), 4)
    constant[:, 0] = np.float32(0.1)
    assert told_of(constant, fitted) is None
    constant[:, 0] = 0.2
    assert "'age' lie outside 0.1 to 0.1" in told_of(constant, fitted)


def test_a_column_that_never_had_values_is_passed_over():
    empty = make_rows(100)
    empty[:, 0] = np.nan
    fitted = FittedColumns.from_record(make_record(empty), 4)
    assert told_of(empty, fitted) is None
    assert told_of(make_rows(100), fitted) is None


def test_the_worst_are_named_first_and_others_counted():
    told = told_of(np.full((100, 4), np.nan))
    assert told.count("100 %") == 3
    assert "'rate' are missing, 5 % were; and 1 columns more; check units" in told
    rows = changed("age", lambda age: age + 27)
    rows[:, 1] = -1e9
    told = told_of(rows)
    assert told.index("'income'") < told.index("'age'")


def test_what_chunks_say_adds_up_and_large_ones_are_sampled():
    rows = changed("age", lambda age: age + 27, n_rows=40_000)
    whole, halves = FITTED.tally(rows), FITTED.tally(rows[:20_000]) + FITTED.tally(rows[20_000:])
    assert whole.n_rows == 10_000
    assert halves.n_rows == 20_000
    assert whole.held_total[0] / whole.n_rows == pytest.approx(halves.held_total[0] / halves.n_rows, rel=0.01)
    assert "'age' is about 6" in told_of(rows)
    assert "'age' is about 6" in told_of(rows, n_chunks=1000)


def test_sparse_rows_say_the_same():
    rows = np.nan_to_num(changed("age", lambda age: age + 27))
    dense, sparse = FITTED.tally(rows), FITTED.tally(csr_array(rows))
    assert dense.n_rows == sparse.n_rows
    for name in ("n_missing", "n_outside", "held_total"):
        assert np.array_equal(getattr(dense, name), getattr(sparse, name))


def test_older_records_do_not_say_how_many_rows_there_were():
    record = make_record(make_rows(200))
    del record["n_sampled"]
    nothing = np.full((100, 4), np.nan)
    assert told_of(nothing, FittedColumns.from_record(record, 4)) is None
    record["columns"][0]["n_missing"] = 0
    assert "'age' are missing, 0 % were" in told_of(nothing, FittedColumns.from_record(record, 4))


def test_records_that_do_not_describe_every_column_say_nothing():
    column = make_record(make_rows(50))["columns"][0]
    for record in ({}, {"columns": []}, {"columns": [column] * 2}):
        assert FittedColumns.from_record(record, 1) is None
    strange = FittedColumns.from_record({"columns": [column | {"low": 1e308, "high": -1e308, "deviation": 0}]}, 1)
    strange.describe_drift(strange.tally(np.full((100, 1), -1.7e308)))
