"""Rows that S2AUCClassifierCV is given: shifted, incomplete, in groups, in categories, and how they are split."""

import warnings

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.model_selection import StratifiedKFold, TimeSeriesSplit

from s2auc import LabeledGroupKFold, LabeledKFold, S2AUCClassifierCV, load_model
from searches import EVERYONE, SMALL, moons


def test_shift_is_told_and_case_control_labels_are_not_shift():
    random = np.random.default_rng(0)
    truth = random.random(3000) < 0.1
    X = random.normal(size=(3000, 4)) + 1.5 * truth[:, None]
    chosen = np.concatenate([np.flatnonzero(truth)[:60], np.flatnonzero(~truth)[:60]])
    y = np.full(3000, -1)
    y[chosen] = truth[chosen]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fine = S2AUCClassifierCV(**SMALL, random_state=0).fit(X, y)
    assert fine.shift_.p_value > 1e-3
    X[chosen, 2] += 2.0
    with pytest.warns(UserWarning, match="Labelled and unlabelled rows differ in column 2"):
        shifted = S2AUCClassifierCV(**SMALL, random_state=0).fit(X, y)
    assert shifted.shift_.column == 2


def test_missing_values_are_filled_in_and_marked():
    X, y, truth = moons(100, 1000)
    random = np.random.default_rng(0)
    X[random.random(X.shape) < 0.2] = np.nan
    search = S2AUCClassifierCV(**SMALL, random_state=0).fit(X, y)
    assert np.isfinite(search.decision_function(X)).all()
    assert search.score(X[100:], truth[100:]) > 0.8


def test_splitters_and_groups():
    X, y, _ = moons()
    groups = np.arange(len(y)) // 3
    grouped = S2AUCClassifierCV(**SMALL, cv=LabeledGroupKFold(4), random_state=0).fit(X, y, groups=groups)
    assert "split3_test_score" in grouped.cv_results_
    plain = S2AUCClassifierCV(**SMALL, cv=StratifiedKFold(3), random_state=0).fit(X, y)
    assert "split2_test_score" in plain.cv_results_


def test_groups_stay_together_with_a_number_of_folds():
    X, y, _ = moons()
    groups = np.arange(len(y)) // 20
    search = S2AUCClassifierCV(**SMALL, cv=3, random_state=0).fit(X, y, groups=groups)
    assert "split2_test_score" in search.cv_results_
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        S2AUCClassifierCV(**SMALL).fit(X, y, groups=groups[:-1])


def test_splitters_are_given_plain_labels():
    X, y, _ = moons()
    text = np.where(y == -1, "?", np.where(y == 1, "p", "n"))
    splitter = LabeledKFold(3, unlabeled="?", pos_label="p")
    search = S2AUCClassifierCV(**SMALL, unlabeled="?", pos_label="p", cv=splitter, random_state=0).fit(X, text)
    assert "split2_test_score" in search.cv_results_


def test_splitters_that_leave_rows_out_are_refused():
    X, y, _ = moons()
    with pytest.raises(ValueError, match="must train on all labelled rows that it does not test"):
        S2AUCClassifierCV(**SMALL, cv=TimeSeriesSplit(3)).fit(X, y)


def test_categories_of_unlabeled_rows_are_known():
    random = np.random.default_rng(0)
    pandas = pytest.importorskip("pandas")
    labeled = pandas.DataFrame({"place": random.choice(["a", "b"], 40), "size": random.normal(size=40)})
    pool = pandas.DataFrame({"place": random.choice(["c", "d"], 90), "size": random.normal(size=90)})
    search = S2AUCClassifierCV(**SMALL, random_state=0).fit(labeled, np.arange(40) % 2, pool)
    c, d, strange = search.decision_function(pandas.DataFrame({"place": ["c", "d", "z"], "size": [0.0, 0.0, 0.0]}))
    assert len({c, d, strange}) == 3


@pytest.mark.usefixtures("few_trees")
def test_groups_stay_together_where_labels_are_very_many(monkeypatch):
    # Rows that are not followed would give away the labels of tested rows of their group, if they were trained on.
    monkeypatch.setattr("s2auc.solvers.batches.LABELED_LIMIT", 200)
    random = np.random.default_rng(0)
    groups = random.permutation(np.repeat(np.arange(60), 20))
    X = random.normal(size=(60, 4))[groups] + 0.01 * random.normal(size=(1200, 4))
    y = random.integers(0, 2, 60)[groups]
    narrow = {"kernels": ["gaussian"], "scalings": ["standard"], "column_weightings": ["none"], "alphas": [1e-3]}
    search = S2AUCClassifierCV(**narrow, kernel_gammas=["2 median"], labeled_weights=[1], random_state=0)
    search.fit(X, y, random.normal(size=(100, 4)), groups=groups)
    assert search.best_score_ < 0.7


@pytest.mark.usefixtures("few_trees")
def test_every_member_takes_sparse_rows():
    random = np.random.default_rng(0)
    X, y, truth = moons(60, 300)
    wide = np.concatenate([X, random.random((300, 30)) < 0.1], axis=1)
    dense = S2AUCClassifierCV(**EVERYONE, random_state=0, judge=False).fit(wide, y)
    sparse = S2AUCClassifierCV(**EVERYONE, random_state=0, judge=False).fit(csr_array(wide), y)
    np.testing.assert_allclose(sparse.decision_function(csr_array(wide)), dense.decision_function(wide), atol=1e-6)
    assert sparse.score(csr_array(wide[60:]), truth[60:]) > 0.7


@pytest.mark.usefixtures("few_trees")
def test_every_member_takes_frames_with_categories_and_missing_values(tmp_path):
    pandas = pytest.importorskip("pandas")
    X, y, truth = moons(80, 500)
    random = np.random.default_rng(0)
    frame = pandas.DataFrame({"a": X[:, 0], "b": np.where(random.random(500) < 0.2, np.nan, X[:, 1])})
    frame["side"] = np.where(truth == 1, random.choice(["left", "up"], 500), random.choice(["right", "up"], 500))
    for members in (("kernels",), ("linear",), ("trees",), "auto"):
        search = S2AUCClassifierCV(**EVERYONE | {"members": members}, random_state=0).fit(frame, y)
        assert search.score(frame[80:], truth[80:]) > 0.9
        strange = frame.assign(side="elsewhere", b=np.nan)
        assert np.isfinite(search.decision_function(strange)).all()
        shuffled = frame[["side", "b", "a"]]
        np.testing.assert_array_equal(search.decision_function(shuffled), search.decision_function(frame))
        search.save(tmp_path / "model")
        loaded = load_model(tmp_path / "model")
        np.testing.assert_array_equal(loaded.decision_function(strange), search.decision_function(strange))


@pytest.mark.usefixtures("few_trees")
def test_groups_that_are_told_by_their_columns_deceive_no_member():
    """Rows of a group are copies of each other: whoever saw one knows the others, and no label means anything."""
    random = np.random.default_rng(1)
    groups = np.repeat(np.arange(120), 2)
    X = random.normal(size=(120, 3))[groups]
    y = np.repeat(np.arange(120) % 2, 2)
    pool = random.normal(size=(200, 3))
    narrow = EVERYONE | {"kernel_gammas": ("30 median",), "judge": False, "random_state": 0}
    together = S2AUCClassifierCV(**narrow).fit(X, y, pool, groups=groups)
    # Folds of users are left as they are; others test equal rows together.
    apart = S2AUCClassifierCV(**narrow, cv=LabeledKFold(20, shuffle=True, random_state=0)).fit(X, y, pool)
    assert together.cv_results_["mean_test_score"].max() < 0.65
    for member in ("kernels", "trees"):
        assert apart.cv_results_["mean_test_score"][apart.cv_results_["member"] == member].max() > 0.8
