"""Only labels that were drawn at random are held out; later rows are tested on by models of earlier ones."""

import numpy as np
import pandas as pd
import pytest

from reference import auc
from s2auc import LabeledKFold, S2AUCClassifierCV, fit_table, load_model
from s2auc.data.labels.label_facts import read_random_labels, read_time
from s2auc.data.labels.labels import read_labels
from s2auc.search.plan import make_plan, time_steps
from searches import SMALL, rare_rows


def test_only_labels_drawn_at_random_are_held_out():
    X, y, truth = rare_rows()
    first = S2AUCClassifierCV(**SMALL, random_state=0).fit(X, y)
    top = np.argsort(-np.where(y < 0, first.decision_function(X), -np.inf))[:100]
    is_random, checked = y >= 0, y.copy()
    checked[top] = truth[top]
    search = S2AUCClassifierCV(**SMALL, random_state=0).fit(X, checked, random_labels=is_random)
    assert search.label_sampling_.answer == "not tested"
    assert search.held_out_auc_.value == pytest.approx(search.score(X[250:], truth[250:]), abs=0.1)
    # The same with folds of users, of which only rows that were drawn at random are tested.
    folds = LabeledKFold(3, shuffle=True, random_state=0)
    given = S2AUCClassifierCV(**SMALL, random_state=0, cv=folds).fit(X, checked, random_labels=is_random)
    assert given.held_out_auc_.value == pytest.approx(search.held_out_auc_.value, abs=0.08)
    with pytest.raises(ValueError, match="must test rows of both classes that 'random_labels' marks"):
        given.set_params(cv=LabeledKFold(3)).fit(X, checked, random_labels=np.arange(len(X)) < 20)


def make_drifting(seed=0, n_rows=900, n_labeled=300):
    """The larger the first column, the likelier a positive label, or the less likely: it turns twice with time."""
    random = np.random.default_rng(seed)
    time = random.permutation(n_rows) / n_rows
    X = np.stack([random.normal(size=n_rows), 3.0 * time], axis=1)
    signal = np.where((time > 0.35) & (time < 0.7), -X[:, 0], X[:, 0])
    truth = (4.0 * signal + random.normal(size=n_rows) > 0).astype(int)
    return X, np.where(np.arange(n_rows) < n_labeled, truth, -1), time


def test_drift_is_noticed_by_testing_on_later_rows():
    X, y, time = make_drifting()
    search = S2AUCClassifierCV(**SMALL, random_state=0).fit(X, y, time=time)
    assert search.time_auc_.high < search.held_out_auc_.value
    assert "lower than with random folds" in search.time_verdict_
    assert search.model_.record["time"]["sentence"] == search.time_verdict_
    without = S2AUCClassifierCV(**SMALL, random_state=0).fit(X, y)
    assert (without.time_auc_, without.time_verdict_) == (None, None)
    # The model is that of all rows, whatever time says.
    np.testing.assert_array_equal(without.decision_function(X), search.decision_function(X))


def test_later_rows_are_never_trained_on():
    time = np.repeat(np.arange(12.0), 5)
    is_positive = np.arange(60) % 3 == 0
    steps = time_steps(time, is_positive)
    assert len(steps) == 4
    plan = make_plan([np.arange(20), np.arange(20, 40), np.arange(40, 60)], is_positive, judged=True).with_later(steps)
    for mask, tested in plan.later:
        assert time[plan.is_trained[:, mask]].max() < time[tested].min()
    assert time_steps(np.zeros(60), is_positive) == []


@pytest.mark.filterwarnings("ignore:Labelled and unlabelled rows differ")
def test_the_auc_of_later_rows_by_brute_force():
    """With a single setting nothing is chosen: the AUC is the mean over the parts of time."""
    X, y, time = make_drifting(n_rows=300, n_labeled=150)
    one = SMALL | {"alphas": (1e-2,), "scalings": ("none",), "labeled_weights": (1.0,), "column_weightings": ("none",)}
    search = S2AUCClassifierCV(**one, random_state=0).fit(X, y, time=time)
    labeled = np.flatnonzero(y >= 0)
    total, count = 0.0, 0
    for earlier, later in time_steps(time[labeled], y[labeled] == 1):
        train, test = labeled[earlier], labeled[later]
        rest = np.setdiff1d(np.arange(300), labeled)
        single = S2AUCClassifierCV(**one, random_state=0, judge=False).fit(X[train], y[train], X[rest])
        scores = single.decision_function(X[test])
        n_positive = int(np.sum(y[test] == 1))
        total += n_positive * auc(scores[y[test] == 1].tolist(), scores[y[test] == 0].tolist())
        count += n_positive
    assert search.time_auc_.value == pytest.approx(total / count, abs=0.05)


@pytest.fixture
def passed(monkeypatch):
    """What searches are given besides rows and labels; none of them is run."""
    given = []

    def fit(ranker, X, y, X_unlabeled=None, **facts):
        given.append((set(X.learn_schema("from_dtype").names), facts))
        raise KeyboardInterrupt

    monkeypatch.setattr(S2AUCClassifierCV, "fit", fit)
    return given


@pytest.mark.parametrize("features", [None, ["a", "seen"]])
def test_columns_of_tables_say_what_is_random_and_when(passed, features):
    X, y, time = make_drifting()
    table = pd.DataFrame(X, columns=["a", "b"])
    table["seen"] = pd.Timestamp("2024-01-01") + pd.to_timedelta((1000 * time).round(), unit="h")
    table["drawn"] = np.where(np.arange(len(y)) < 200, "random", "top")
    table["fraud"] = np.where(y < 0, np.nan, y)
    with pytest.raises(KeyboardInterrupt):
        fit_table(table, "fraud", random_labels="drawn", time="seen", features=features)
    ((names, facts),) = passed
    assert ({"a", "b"} == names) if features is None else (names > {"a"} and "b" not in names)
    labels = read_labels(y)
    is_random = read_random_labels(facts["random_labels"], labels)
    assert is_random.tolist() == (labels.positive_first() < 200).tolist()
    hours = (1000 * time).round()[labels.positive_first()]
    np.testing.assert_allclose(np.diff(read_time(facts["time"], labels)), 3600 * np.diff(hours))


def test_times_are_for_cross_validation():
    with pytest.raises(ValueError, match="only cross-validation uses it"):
        fit_table({"a": [1, 2], "fraud": [0, 1]}, "fraud", time="a", tune=False)


def test_verdicts_of_the_strategy_random_count_as_random(passed):
    X, _, _ = make_drifting()
    table = pd.DataFrame(X, columns=["a", "b"])
    table["claim"] = np.arange(len(X))
    verdicts = pd.DataFrame({"claim": np.arange(100), "verdict": np.resize(["ok", "fraud"], 100)})
    verdicts["strategy"] = np.repeat(["random", "top"], 50)
    for few in (False, True):
        if few:
            verdicts["strategy"] = np.repeat(["random", "top"], [10, 90])
        with pytest.raises(KeyboardInterrupt):
            fit_table(table, labels=verdicts, row_id="claim", positive="fraud")
    assert np.flatnonzero(passed[0][1]["random_labels"]).tolist() == list(range(50))
    assert passed[1][1] == {}


def test_what_time_says_is_kept_in_files(tmp_path):
    X, y, time = make_drifting()
    search = S2AUCClassifierCV(**SMALL, random_state=0).fit(X, y, time=time)
    search.save(tmp_path / "model.safetensors")
    kept = load_model(tmp_path / "model.safetensors").record["time"]
    assert (kept["sentence"], kept["auc"]["value"]) == (search.time_verdict_, search.time_auc_.value)


def test_the_auc_of_positive_rows_is_called_what_it_is(tmp_path):
    X, truth, _ = make_drifting()
    y = np.where((np.arange(900) < 300) & (truth == 1), 1, -1)
    search = S2AUCClassifierCV(**SMALL, pos_label=1, class_prior=0.4, random_state=0).fit(X, y)
    stated, corrected = search.held_out_auc_, search.corrected_auc_
    assert corrected.value == pytest.approx((stated.value - 0.2) / 0.6)
    search.save(tmp_path / "model.safetensors")
    model = load_model(tmp_path / "model.safetensors")
    assert model.record["corrected_auc"]["value"] == corrected.value
    assert "held-out AUC (positive against unlabelled)" in repr(model)
    assert "positive against unlabelled rows" in model._repr_html_()
    plain = S2AUCClassifierCV(**SMALL, pos_label=1, random_state=0).fit(X, y)
    assert plain.corrected_auc_ is None
