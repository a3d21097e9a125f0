"""`score` where a class is missing: why, and a way out that works; and how scikit-learn's folds deal with labels."""

import re

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score

from s2auc import LabeledKFold, S2AUCClassifier

X = np.random.default_rng(0).normal(size=(120, 3))
TRUTH = (X[:, 0] > 0).astype(int)
Y = np.where(np.arange(120) < 40, TRUTH, -1)


def fast(**changes):
    return S2AUCClassifier(max_iter=10, n_frequencies=8, random_state=0, **changes)


@pytest.mark.parametrize(
    ("negative", "positive", "way_out", "advice"),
    [
        (0, 1, lambda y: y == 1, "let y hold booleans, y == 1"),
        (0, 2, lambda y: np.where(y == 0, 7, y), "replace it by another label"),
        ("ham", "spam", lambda y: np.where(y == "ham", "other", y), "replace it by another label"),
    ],
)
def test_a_marker_that_is_a_class_when_scored(negative, positive, way_out, advice):
    everything = np.where(TRUTH == 1, positive, negative)
    y = np.where(np.arange(120) < 60, everything, negative)
    model = fast(unlabeled=negative, pos_label=positive).fit(X, y)
    n_positive = int(TRUTH[60:].sum())
    sentence = (
        f"Got {n_positive} positive and 0 negative rows, and {60 - n_positive} that are missing or hold "
        f"{negative!r}, which marks unlabelled rows; if it means the negative class here, {advice}."
    )
    with pytest.raises(ValueError, match=re.escape(sentence)):
        model.score(X[60:], everything[60:].tolist())
    assert model.score(X[60:], way_out(everything[60:])) > 0.9


def test_a_class_without_rows():
    model = fast().fit(X, Y)
    with pytest.raises(ValueError, match=r"Got 2 positive and 0 negative rows; add rows of the missing class\.$"):
        model.score(X[:2], [1, 1])
    with pytest.raises(ValueError, match=r"and 3 that are missing or hold -1, which marks unlabelled rows; add rows"):
        model.score(X[:3], [-1, np.nan, -1])
    with pytest.raises(ValueError, match=r"and 1 that are missing; add rows of the missing class\.$"):
        fast(unlabeled=None).fit(X[:40], TRUTH[:40], X).score(X[:2], [1, np.nan])


FORMS = {
    "marker": Y,
    "nan": np.where(Y == -1, np.nan, Y),
    "none": np.array([None if label == -1 else label for label in Y], dtype=object),
    "nullable": pd.Series(Y).where(Y != -1).astype("Int64"),
}


@pytest.mark.parametrize("form", FORMS)
def test_labelled_folds_work_whatever_marks_unlabelled_rows(form):
    splitter = LabeledKFold(4, shuffle=True, random_state=0)
    scores = cross_val_score(fast(), X, FORMS[form], cv=splitter, error_score="raise")
    np.testing.assert_array_equal(scores, cross_val_score(fast(), X, Y, cv=splitter, error_score="raise"))
    search = GridSearchCV(fast(), {"alpha": [0.01, 1.0]}, cv=splitter, error_score="raise").fit(X, FORMS[form])
    assert search.best_score_ > 0.8


def test_folds_of_scikit_learn_take_the_marker_for_a_class_and_do_no_harm():
    assert cross_val_score(fast(), X, Y, cv=5, error_score="raise").min() > 0.7
    with pytest.raises(ValueError, match="contains NaN"), np.errstate(invalid="ignore"):
        cross_val_score(fast(), X, FORMS["nan"], cv=5, error_score="raise")


def test_folds_without_labelled_rows_name_the_splitter_that_has_them():
    # The last folds of rows in order hold no labelled ones; so do the default ones where labels are None.
    for y, splitter in ((Y, KFold(5)), (FORMS["none"], 5)):
        with pytest.raises(ValueError, match=r"Got 0 positive and 0 negative rows, .*; use cv=LabeledKFold\(\), which"):
            cross_val_score(fast(), X, y, cv=splitter, error_score="raise")
