"""Splitters: unlabelled rows are trained on and never tested on, and scikit-learn's searches take them as they are."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import config_context
from sklearn.datasets import make_moons
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.model_selection import GridSearchCV, HalvingGridSearchCV, cross_val_score

from s2auc import LabeledGroupKFold, LabeledKFold, RepeatedLabeledKFold, S2AUCClassifier


def partly_labeled(n_positive, n_negative, n_unlabeled, seed=0):
    y = np.repeat([1, 0, -1], [n_positive, n_negative, n_unlabeled])
    return np.random.default_rng(seed).permutation(y)


def moons(n_labeled=40):
    X, truth = make_moons(400, noise=0.25, random_state=0)
    y = np.full(len(X), -1)
    y[:n_labeled] = truth[:n_labeled]
    return X, y


SPLITTERS = [
    LabeledKFold(3),
    LabeledKFold(3, shuffle=True, random_state=1),
    RepeatedLabeledKFold(3, n_repeats=2, random_state=1),
]


@pytest.mark.parametrize("splitter", SPLITTERS, ids=repr)
@given(n_positive=st.integers(3, 12), n_negative=st.integers(3, 40), n_unlabeled=st.integers(0, 30))
def test_folds_cover_labeled_rows_and_spare_unlabeled_ones(splitter, n_positive, n_negative, n_unlabeled):
    y = partly_labeled(n_positive, n_negative, n_unlabeled)
    folds = list(splitter.split(y, y))
    assert len(folds) == splitter.get_n_splits()
    unlabeled = set(np.flatnonzero(y == -1))
    for train, test in folds:
        assert unlabeled <= set(train)
        assert not set(train) & set(test)
        assert len(train) + len(test) == len(y)
        assert abs(np.sum(y[test] == 1) - n_positive / 3) < 1
        assert abs(np.sum(y[test] == 0) - n_negative / 3) < 1
    n_repeats = len(folds) // 3
    tested = np.bincount(np.concatenate([test for _, test in folds]), minlength=len(y))
    np.testing.assert_array_equal(tested, np.where(y == -1, 0, n_repeats))


def test_repeats_differ_and_a_seed_repeats_them():
    y = partly_labeled(10, 30, 5)
    tests = [test.tolist() for _, test in RepeatedLabeledKFold(5, n_repeats=2, random_state=3).split(y, y)]
    again = [test.tolist() for _, test in RepeatedLabeledKFold(5, n_repeats=2, random_state=3).split(y, y)]
    assert tests == again
    assert sorted(tests[:5]) != sorted(tests[5:])


def test_groups_stay_together():
    random = np.random.default_rng(0)
    y = partly_labeled(30, 60, 50)
    patients = random.integers(0, 12, len(y))
    for train, test in LabeledGroupKFold(4).split(y, y, patients):
        labeled_in_training = train[y[train] != -1]
        assert not set(patients[labeled_in_training]) & set(patients[test])
        assert set(np.flatnonzero(y == -1)) <= set(train)


def test_a_single_class_is_split_too():
    y = np.array(["fraud"] * 6 + [None] * 4, dtype=object)
    tests = [test for _, test in LabeledKFold(3, pos_label="fraud").split(y, y)]
    assert sorted(np.concatenate(tests).tolist()) == list(range(6))


def test_missing_labels_and_text():
    y = np.array(["ham", "spam", None, "ham", "spam", None], dtype=object)
    for train, test in LabeledKFold(2).split(y, y):
        assert {2, 5} <= set(train)
        assert sorted(y[test]) == ["ham", "spam"]


@pytest.mark.parametrize(
    ("splitter", "message"),
    [
        (LabeledKFold(6), "'n_splits' parameter of LabeledKFold must be at most .* Got 6 for 5 rows of class 1"),
        (LabeledKFold(1), "'n_splits' parameter of LabeledKFold must be an int >= 2. Got 1"),
        (RepeatedLabeledKFold(2, n_repeats=0), "'n_repeats' .* must be an int >= 1. Got 0"),
        (LabeledGroupKFold(2), "needs groups, one for each row. Got None"),
    ],
    ids=repr,
)
def test_bad_splitters_say_so(splitter, message):
    y = partly_labeled(5, 9, 4)
    with pytest.raises(ValueError, match=message):
        list(splitter.split(y, y))


def test_too_few_groups_say_so():
    y = partly_labeled(5, 9, 4)
    with pytest.raises(ValueError, match="labelled rows. Got 2 for 1 groups".replace(".", r"\.")):
        list(LabeledGroupKFold(2).split(y, y, np.zeros(len(y))))


def test_as_many_groups_as_folds_are_enough():
    y = partly_labeled(6, 9, 3)
    groups = np.arange(len(y)) % 3
    tested = [np.unique(groups[test]).tolist() for _, test in LabeledGroupKFold(3).split(y, y, groups)]
    assert sorted(tested) == [[0], [1], [2]]


def test_inside_cross_val_score():
    X, y = moons()
    scores = cross_val_score(S2AUCClassifier(max_iter=20, random_state=0), X, y, cv=LabeledKFold(4))
    assert scores.shape == (4,)
    assert scores.mean() > 0.8
    by_name = cross_val_score(S2AUCClassifier(max_iter=20, random_state=0), X, y, cv=LabeledKFold(4), scoring="roc_auc")
    np.testing.assert_allclose(by_name, scores)


def test_inside_grid_search():
    X, y = moons()
    search = GridSearchCV(
        S2AUCClassifier(max_iter=20, random_state=0),
        {"kernel_gamma": [1.0, 1e6]},
        cv=LabeledKFold(4),
        error_score="raise",
    ).fit(X, y)
    assert search.best_params_ == {"kernel_gamma": 1.0}
    groups = np.arange(len(y)) // 2
    grouped = GridSearchCV(
        S2AUCClassifier(max_iter=20, random_state=0), {"alpha": [1e-3]}, cv=LabeledGroupKFold(3), error_score="raise"
    ).fit(X, y, groups=groups)
    assert grouped.best_score_ > 0.7


def test_inside_halving_search_over_iterations():
    X, y = moons()
    search = HalvingGridSearchCV(
        S2AUCClassifier(random_state=0),
        {"kernel_gamma": [0.5, 2.0, 1e6]},
        resource="max_iter",
        min_resources=5,
        max_resources=15,
        cv=LabeledKFold(4),
        error_score="raise",
    ).fit(X, y)
    assert search.best_params_["max_iter"] == 15
    assert search.best_params_["kernel_gamma"] < 1e6


def test_groups_are_handed_on_by_metadata_routing():
    X, y, groups = np.arange(60.0)[:, None], np.tile([0, 1, -1], 20), np.repeat(np.arange(20), 3)
    ranker = S2AUCClassifier(max_iter=3, random_state=0)
    with config_context(enable_metadata_routing=True):
        found = cross_val_score(ranker, X, y, cv=LabeledGroupKFold(4), params={"groups": groups})
    np.testing.assert_array_equal(found, cross_val_score(ranker, X, y, cv=LabeledGroupKFold(4), groups=groups))
