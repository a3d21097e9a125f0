"""What columns matter: against plain loops, for dense and sparse rows, dates as a whole and very many columns."""

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array
from sklearn.metrics import roc_auc_score

from s2auc import S2AUCClassifier
from s2auc.common.randomness import derived_seed
from s2auc.reports.measures import importance as importance_module
from s2auc.reports.measures.importance import likely_columns, measure_importance, strongest_columns
from s2auc.reports.measures.partial_effects import partial_effect
from s2auc.reports.measures.source_columns import source_columns, with_columns


def fitted(X, y):
    return S2AUCClassifier(random_state=0, max_iter=60).fit(X, y, X).model_


@pytest.fixture(scope="module")
def rows():
    return np.random.default_rng(0).normal(size=(120, 5))


@pytest.fixture(scope="module")
def is_positive(rows):
    return rows[:, 3] + 0.3 * rows[:, 1] > 0


@pytest.fixture(scope="module")
def model(rows, is_positive):
    return fitted(rows, is_positive)


@pytest.fixture(scope="module")
def dated():
    """A frame with a column of dates, whose hour matters, and one of categories."""
    rng = np.random.default_rng(1)
    hours = rng.integers(0, 24, 200)
    days = pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 300, 200), "D")
    frame = pd.DataFrame({"filed": days + pd.to_timedelta(hours, "h"), "city": rng.choice(["Rome", "Oslo"], 200)})
    return frame, hours > 12


def slow_drops(model, rows, is_positive, columns, seed, n_shuffles=5):
    random = np.random.default_rng(derived_seed(seed, "importance"))
    orders = [random.permutation(len(rows)) for _ in range(n_shuffles)]
    whole = roc_auc_score(is_positive, model.decision_function(rows))
    drops = []
    for order in orders:
        changed = rows.copy()
        for place in range(len(rows)):
            for column in columns:
                changed[place, column] = rows[order[place], column]
        drops.append(whole - roc_auc_score(is_positive, model.decision_function(changed)))
    return drops


@pytest.mark.parametrize("seed", [0, 7])
def test_drops_are_those_of_plain_loops(model, rows, is_positive, seed):
    found = measure_importance(model, rows, is_positive, seed=seed)
    assert found.columns[0].column.name == "column 3"
    assert (found.n_columns, found.n_tried, found.n_rows, len(found.columns)) == (5, 5, 120, 5)
    assert [entry.mean for entry in found.columns] == sorted((entry.mean for entry in found.columns), reverse=True)
    for entry in found.columns:
        slow = slow_drops(model, rows, is_positive, [entry.column.first], seed)
        np.testing.assert_allclose(entry.drops, slow, atol=1e-12)


def test_parts_of_a_date_are_shuffled_together(dated):
    frame, is_positive = dated
    model = fitted(frame, is_positive)
    rows = model.open_rows(frame).gather(np.arange(len(frame)))
    found = measure_importance(model, rows, is_positive)
    assert {entry.column.name for entry in found.columns} == {"filed", "city"}
    first = found.columns[0]
    assert (first.column.name, first.column.parts) == ("filed", ("day", "month", "weekday", "hour"))
    slow = slow_drops_of_rows(model, rows, is_positive, range(first.column.first, first.column.last))
    np.testing.assert_allclose(first.drops, slow, atol=1e-12)


def slow_drops_of_rows(model, rows, is_positive, columns):
    random = np.random.default_rng(derived_seed(0, "importance"))
    whole = roc_auc_score(is_positive, model.score_rows(rows))
    drops = []
    for order in [random.permutation(len(rows)) for _ in range(5)]:
        changed = rows.copy()
        for column in columns:
            changed[:, column] = rows[order, column]
        drops.append(whole - roc_auc_score(is_positive, model.score_rows(changed)))
    return drops


def test_sparse_rows_say_the_same(model, rows, is_positive):
    dense = measure_importance(model, rows, is_positive)
    sparse = measure_importance(model, csr_array(rows), is_positive)
    assert [entry.column for entry in dense.columns] == [entry.column for entry in sparse.columns]
    np.testing.assert_allclose([e.drops for e in dense.columns], [e.drops for e in sparse.columns], atol=1e-9)


def test_few_of_many_columns_are_looked_at(model, rows, is_positive, monkeypatch):
    monkeypatch.setattr(importance_module, "MAX_COLUMNS", 2)
    some = measure_importance(model, rows, is_positive)
    assert [entry.column.first for entry in some.columns] == [3, 1]
    monkeypatch.setattr(importance_module, "MAX_TRIED", 3)
    monkeypatch.setattr(importance_module, "STACKED_VALUES", 1)
    fewer = measure_importance(model, rows, is_positive)
    assert (fewer.n_tried, fewer.n_columns) == (3, 5)
    np.testing.assert_allclose([e.drops for e in some.columns], [e.drops for e in fewer.columns], atol=1e-12)


def test_columns_that_go_along_with_scores(model, rows, monkeypatch):
    monkeypatch.setattr(importance_module, "MAX_TRIED", 2)
    columns = source_columns(model.schema)
    holes = rows.copy()
    holes[:60, 0] = np.nan
    holes[:, 4] = np.nan
    filled = np.nan_to_num(holes)
    assert [c.first for c in likely_columns(model, filled, columns)] == [1, 3]
    assert [c.first for c in likely_columns(model, csr_array(filled), columns)] == [1, 3]
    correlations = importance_module._correlations(holes, model.score_rows(filled) - model.score_rows(filled).mean())
    assert np.all(np.isfinite(correlations))
    assert strongest_columns(model, rows, columns, 1)[0].first == 3


def test_columns_are_replaced_in_sparse_and_dense_rows(rows):
    values = np.arange(240.0).reshape(120, 2)
    dense = with_columns(rows, 1, values)
    np.testing.assert_array_equal(with_columns(csr_array(rows), 1, values).toarray(), dense)
    np.testing.assert_array_equal(dense[:, 1:3], values)
    np.testing.assert_array_equal(dense[:, [0, 3, 4]], rows[:, [0, 3, 4]])


def test_effects_are_those_of_plain_loops(model, rows, monkeypatch):
    monkeypatch.setattr("s2auc.reports.measures.partial_effects.N_POINTS", 7)
    found = partial_effect(model, rows, 3)
    assert len(found.values) == 7
    assert set(found.values) <= set(rows[:, 3])
    for value, score in zip(found.values, found.scores, strict=True):
        changed = rows.copy()
        for place in range(len(rows)):
            changed[place, 3] = value
        assert score == pytest.approx(np.mean([model.decision_function(row[None])[0] for row in changed]), abs=1e-9)
    sparse = partial_effect(model, csr_array(rows), 3)
    np.testing.assert_allclose(sparse.scores, found.scores, atol=1e-9)
    assert found.shares is None
    assert found.missing_score is None


def test_effects_of_categories_and_of_missing_values():
    rng = np.random.default_rng(2)
    frame = pd.DataFrame({"c": rng.choice([*"abcdefghijklmnop", None], 300), "x": rng.normal(size=300)})
    frame.loc[:20, "x"] = np.nan
    model = fitted(frame, (frame["c"] == "a") | (frame["x"] > 0))
    rows = model.open_rows(frame).gather(np.arange(300))
    of_text = partial_effect(model, rows, 0, by_category=True)
    assert len(of_text.values) == 12
    counts = frame["c"].value_counts()
    assert sorted(of_text.shares * 300, reverse=True) == pytest.approx(counts.tolist()[:12])
    for column, found in ((0, of_text), (1, partial_effect(model, rows, 1))):
        missing = rows.copy()
        missing[:, column] = np.nan
        assert found.missing_score == pytest.approx(model.score_rows(missing).mean())
        assert found.missing_share == pytest.approx(np.isnan(rows[:, column]).mean())
