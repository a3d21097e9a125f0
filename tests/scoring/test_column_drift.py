"""Columns that lie far from those of the fit are named; others, and few rows, are not."""

import re
import warnings
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array

from s2auc import S2AUCClassifier, S2AUCClassifierCV, SAMULTClassifier, score_table
from s2auc.data.features.scaling import ColumnSample
from s2auc.data.schema.schema import Schema
from s2auc.estimators.fitting.record import describe_statistics
from s2auc.scoring.column_drift import FittedColumns
from text_tables import make_text_table, make_texts

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


def fitted_on(rows):
    """Return what is known of rows, with medians of columns that hold numbers."""
    is_number = [column["kind"] == "numbers" for column in make_record(rows)["columns"]]
    median = np.where(is_number, np.nanmedian(rows, axis=0), np.nan)
    return replace(FittedColumns.from_record(make_record(rows), 4), median=median)


FITTED = fitted_on(make_rows(2000))


def told_of(rows, fitted=FITTED, n_chunks=1):
    first, *others = (fitted.tally(chunk) for chunk in np.array_split(rows, n_chunks))
    return fitted.describe_drift(sum(others, first))


@pytest.mark.parametrize("n_rows", [1, 10, 29, 30, 50, 300, 20_000])
@pytest.mark.parametrize("n_fitted", [30, 100, 2000])
def test_rows_of_the_same_kind_raise_no_alarm(n_rows, n_fitted):
    for seed in range(50):
        fitted = fitted_on(make_rows(n_fitted, seed=100 + seed))
        assert told_of(make_rows(n_rows, seed), fitted) is None


KINDS = {
    "uniform": lambda random, size: random.uniform(0, 1000, size),
    "heavy-tailed": lambda random, size: random.standard_cauchy(size),
    "skewed": lambda random, size: random.lognormal(5, 2, size),
    "mostly zero": lambda random, size: random.exponential(9.0, size) * (random.random(size) < 0.3),
    "rare": lambda random, size: random.random(size) < 0.01,
    "as likely as not": lambda random, size: random.random(size) < 0.5,
    "codes": lambda random, size: random.integers(7, size=size),
    "counts": lambda random, size: random.poisson(2.0, size),
}


def fitted_on_kind(kind, n_fitted, n_rows, n_columns):
    """Return what is known of rows with columns of one kind, and other such rows."""
    random, schema = np.random.default_rng(n_fitted), Schema(n_columns, {})
    rows = KINDS[kind](random, (n_fitted + n_rows, n_columns)).astype(float)
    described = describe_statistics(ColumnSample.of_rows(rows[:n_fitted], schema), schema)
    fitted = FittedColumns.from_record({"columns": described, "n_sampled": n_fitted}, n_columns)
    return replace(fitted, median=np.median(rows[:n_fitted], axis=0)), rows[n_fitted:]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n_fitted", [30, 60, 1000])
def test_random_halves_of_many_columns_raise_no_alarm(kind, n_fitted):
    for n_rows in (30, 100, 2000):
        fitted, rows = fitted_on_kind(kind, n_fitted, n_rows, n_columns=200)
        assert told_of(rows, fitted) is None


@pytest.mark.parametrize("kind", ["uniform", "skewed"])
@pytest.mark.parametrize("n_rows", [30, 1000])
def test_columns_of_another_size_within_their_range_are_named(kind, n_rows):
    fitted, rows = fitted_on_kind(kind, 5000, n_rows, n_columns=1)
    for other in (np.log(rows), np.log1p(rows), rows / 300):
        assert re.search(
            r"(9[89]|100) % of column '0' lie below \d+(\.\d+)?, at most half did;", told_of(other, fitted)
        )
    assert "% of column '0' lie above" in told_of(fitted.median + rows / 100, fitted)


@pytest.mark.parametrize("kind", ["uniform", "heavy-tailed", "skewed", "codes", "as likely as not"])
def test_columns_that_became_constant_are_named(kind):
    fitted, rows = fitted_on_kind(kind, 500, 100, n_columns=1)
    for value in (rows[0, 0], rows.min(), np.quantile(rows, 0.9)):
        assert f"column '0' is {value:.4g} in every row, it was " in told_of(np.full_like(rows, value), fitted)


@pytest.mark.parametrize("kind", ["rare", "mostly zero"])
def test_a_column_that_was_mostly_one_value_may_be_it(kind):
    fitted, rows = fitted_on_kind(kind, 500, 100, n_columns=1)
    assert told_of(np.zeros_like(rows), fitted) is None


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
    "constant": ("age", lambda age: np.full_like(age, 31.0), "column 'age' is 31 in every row, it was 39.88 ± 9.972"),
    "the old mean": (
        "age",
        lambda age: np.full_like(age, 40.0),
        "column 'age' is 40 in every row, it was 39.88 ± 9.972",
    ),
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
    "still rare": ("rate", np.zeros_like),
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
    for name in ("n_missing", "n_outside", "n_below", "n_above", "held_total", "low", "high"):
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


@pytest.mark.parametrize(
    "estimator",
    [
        S2AUCClassifier(max_iter=5, n_frequencies=8, random_state=0),
        S2AUCClassifierCV(members=["kernels"], alphas=[0.1], max_iters=[5], n_frequencies=8, cv=2, random_state=0),
        SAMULTClassifier(random_state=0),
    ],
)
def test_fitted_models_know_what_columns_were_like(estimator, tmp_path):
    random = np.random.default_rng(0)
    table = pd.DataFrame({"age": random.normal(40, 10, 300), "amount": random.lognormal(5, 2, 300)})
    model = estimator.fit(table, np.where(np.arange(300) < 100, random.random(300) < 0.5, -1)).model_
    score_table(model, table, tmp_path / "same.csv")
    with pytest.warns(UserWarning, match=r"of column 'amount' lie below \d+(\.\d+)?, at most half did; check units"):
        score_table(model, table.assign(amount=np.log(table["amount"])), tmp_path / "logged.csv")
    with pytest.warns(UserWarning, match="column 'age' is 35 in every row, it was 39"):
        score_table(model, table.assign(age=35.0), tmp_path / "constant.csv")


def test_categories_that_became_one_are_named(tmp_path):
    random = np.random.default_rng(0)
    table = pd.DataFrame({"city": random.choice(["Lima", "Oslo", "Rome"], 300), "rare": random.random(300) < 0.01})
    ranker = S2AUCClassifier(max_iter=5, n_frequencies=8, random_state=0).fit(table, np.arange(300) % 3 - 1)
    score_table(ranker, table.assign(rare=False), tmp_path / "same.csv")
    for city in ("Lima", "Oslo", "Rome"):
        with pytest.warns(UserWarning, match=f"column 'city' is '{city}' in every row, it was one of 3 categories;"):
            score_table(ranker, table.assign(city=city), tmp_path / "constant.csv")
    with pytest.warns(UserWarning, match="column 'rare' is True in every row, it was one of 2 categories;"):
        score_table(ranker, table.assign(rare=True), tmp_path / "constant.csv")


def test_rows_of_one_day_share_parts_of_their_date(tmp_path):
    when = pd.date_range("2024-01-01", periods=400, freq="23h")
    table = pd.DataFrame({"when": when, "age": np.random.default_rng(0).normal(40, 10, 400)})
    ranker = S2AUCClassifier(max_iter=5, n_frequencies=8, random_state=0).fit(table, np.arange(400) % 3 - 1)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        score_table(ranker, table.assign(when=pd.Timestamp("2024-09-30 09:00")), tmp_path / "scores.csv")
    assert not caught


@pytest.mark.parametrize("note", ["", "entirely different words of another language"])
def test_a_text_column_is_told_of_once(note, tmp_path):
    frame, y, truth = make_text_table()
    model = S2AUCClassifier(max_iter=4, random_state=0).fit(frame, y).model_
    with pytest.warns(UserWarning, match=r"fitted on: texts of column 'note' are unlike .* fitted on; check"):
        score_table(model, frame.assign(note=note), tmp_path / "scores.csv")
    score_table(model, frame.assign(note=make_texts(truth, seed=9)), tmp_path / "others.csv")
