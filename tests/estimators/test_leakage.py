"""Columns that alone tell the label are named; strong columns that do not are left alone."""

import numpy as np
import pandas as pd
import pytest

import reference
from s2auc import S2AUCClassifierCV, load_model
from s2auc.estimators.fitting.leakage import MIN_ROWS, category_shares, find_telling_columns
from searches import SMALL

N_ROWS, N_LABELED = 600, 100


def make_table(seed=0):
    random = np.random.default_rng(seed)
    truth = random.random(N_ROWS) < 0.3
    is_labeled = np.arange(N_ROWS) < N_LABELED
    status = np.where(truth, random.choice(["canceled", "no-show"], N_ROWS), "arrived")
    table = pd.DataFrame(
        {
            "size": random.normal(size=N_ROWS) + truth,
            "status": status,
            "reason": np.where(truth, random.random(N_ROWS), np.nan),
            "refund": np.where(truth, random.random(N_ROWS) + 5, random.random(N_ROWS)),
        }
    )
    return table, np.where(is_labeled, truth.astype(int), -1)


def test_leaks_are_named(tmp_path):
    table, y = make_table()
    search = S2AUCClassifierCV(**SMALL, random_state=0).fit(table, y)
    question = "alone gives AUC 1.000: is it known before the outcome?"
    assert {column.name: column.sentence for column in search.telling_columns_} == {
        "status": f"status {question}",
        "refund": f"refund {question}",
        "reason": f"Whether reason is missing {question}",
    }
    assert all(column.is_suspect for column in search.telling_columns_)
    search.save(tmp_path / "model.safetensors")
    record = load_model(tmp_path / "model.safetensors").record
    kept = [entry["name"] for entry in record["telling_columns"]]
    assert kept == [column.name for column in search.telling_columns_]


def test_columns_that_are_filled_in_where_rows_are_labelled_are_named():
    rows = np.random.default_rng(0).normal(size=(100, 3))
    unlabeled = rows + np.array([0.0, np.nan, 0.0])
    (found,) = find_telling_columns(rows, np.arange(100) < 40, unlabeled, np.zeros(3, dtype=bool))
    assert (found.column, found.is_suspect) == (1, True)
    assert found.sentence("checked").startswith("checked is filled in where rows are labelled and blank elsewhere")


@pytest.mark.parametrize(("gap", "is_mentioned"), [(1.5, False), (2.8, True)])
def test_a_strong_column_gets_a_soft_sentence(gap, is_mentioned):
    random = np.random.default_rng(0)
    is_positive = np.arange(400) < 150
    column = random.normal(size=(400, 1)) + gap * is_positive[:, None]
    found = find_telling_columns(column, is_positive, column[:0], np.array([False]))
    assert [each.is_suspect for each in found] == ([False] if is_mentioned else [])
    if is_mentioned:
        assert "fine if it is known before the outcome" in found[0].sentence("size")


def test_few_rows_and_many_columns_raise_no_alarm():
    random = np.random.default_rng(0)
    for n_positive in (3, MIN_ROWS):
        rows = random.normal(size=(150, 500))
        is_positive = np.arange(150) < n_positive
        assert find_telling_columns(rows, is_positive, rows[:0], np.zeros(500, dtype=bool)) == []
    codes = random.integers(0, 100, size=(150, 20)).astype(float)
    assert find_telling_columns(codes, np.arange(150) < 50, codes[:0], np.ones(20, dtype=bool)) == []


def test_aucs_are_those_of_all_pairs():
    random = np.random.default_rng(0)
    is_positive = np.arange(60) < 25
    values = random.normal(size=60) - 3.5 * is_positive
    values[[3, 30]] = np.nan
    (found,) = find_telling_columns(values[:, None], is_positive, values[:0, None], np.array([False]))
    filled = [np.where(np.isnan(values), end, -values) for end in (-np.inf, np.inf)]
    expected = max(reference.auc(each[is_positive].tolist(), each[~is_positive].tolist()) for each in filled)
    assert found.auc == pytest.approx(expected)


def test_shares_of_categories_come_from_other_rows():
    random = np.random.default_rng(0)
    codes, is_positive = random.integers(0, 4, 50).astype(float), np.arange(50) < 20
    fold = np.concatenate([np.arange(20) % 5, np.arange(30) % 5])
    found = category_shares(codes, is_positive)
    for row in range(50):
        others = [other for other in range(50) if fold[other] != fold[row] and codes[other] == codes[row]]
        expected = (sum(is_positive[other] for other in others) + 0.4) / (len(others) + 1)
        assert found[row] == pytest.approx(expected)
