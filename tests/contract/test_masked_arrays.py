"""What a mask hides is missing, wherever arrays are taken: the numbers below a mask never count."""

import numpy as np
import pytest

from s2auc import (
    LabeledGroupKFold,
    LabeledKFold,
    S2AUCClassifier,
    S2AUCClassifierCV,
    SAMULTClassifier,
    estimate_class_prior,
    evaluate_model,
)

N_ROWS = 120
RANDOM = np.random.default_rng(0)
PLAIN = RANDOM.normal(size=(N_ROWS, 3))
IS_HIDDEN = RANDOM.random((N_ROWS, 3)) < 0.2
X = np.where(IS_HIDDEN, np.nan, PLAIN)
MASKED = np.ma.array(np.where(IS_HIDDEN, 1e6, PLAIN), mask=IS_HIDDEN)

TRUTH = (PLAIN[:, 0] > 0).astype(int)
IS_UNLABELED = np.arange(N_ROWS) >= 50
Y = np.where(IS_UNLABELED, -1, TRUTH)
MASKED_Y = np.ma.array(np.where(IS_UNLABELED, 1 - TRUTH, TRUTH), mask=IS_UNLABELED)


def fast(**changes):
    return S2AUCClassifier(**{"max_iter": 4, "n_frequencies": 4, "batch_size": 8, "random_state": 0} | changes)


FITTED = fast().fit(X, Y)
SCORES = FITTED.decision_function(X)

FORMS = {
    "masked": MASKED,
    "in Fortran order": np.ma.array(np.asfortranarray(MASKED.data), mask=IS_HIDDEN),
    "of objects": MASKED.astype(object),
    "rows in a list": list(MASKED),
    "columns in a dict": {str(place): MASKED[:, place] for place in range(3)},
}


@pytest.mark.parametrize("form", FORMS)
def test_masked_values_are_missing(form):
    rows = FORMS[form]
    named = {str(place): X[:, place] for place in range(3)} if isinstance(rows, dict) else X
    np.testing.assert_array_equal(
        fast().fit(rows, Y).decision_function(rows), fast().fit(named, Y).decision_function(named)
    )
    if named is X:
        np.testing.assert_array_equal(FITTED.decision_function(rows), SCORES)
        np.testing.assert_array_equal(FITTED.model_.predict(rows), FITTED.predict(X))


@pytest.mark.parametrize("dtype", [np.float32, np.int16, bool])
def test_masked_values_of_any_type_are_missing(dtype):
    values = (10 * PLAIN).astype(dtype)
    expected = FITTED.decision_function(np.where(IS_HIDDEN, np.nan, values))
    np.testing.assert_array_equal(FITTED.decision_function(np.ma.array(values, mask=IS_HIDDEN)), expected)


def test_masked_values_of_a_pool_are_missing():
    pool = fast().fit(X[:50], TRUTH[:50], X[50:]).decision_function(X)
    np.testing.assert_array_equal(fast().fit(MASKED[:50], TRUTH[:50], MASKED[50:]).decision_function(X), pool)


LABELS = {
    "numbers": MASKED_Y,
    "booleans": MASKED_Y == 1,
    "text": np.ma.array(np.where(MASKED_Y.data == 1, "yes", "no"), mask=IS_UNLABELED),
    "a list": list(MASKED_Y),
}


@pytest.mark.parametrize("form", LABELS)
def test_rows_with_masked_labels_are_unlabelled(form):
    np.testing.assert_array_equal(fast().fit(X, LABELS[form]).decision_function(X), SCORES)


@pytest.mark.usefixtures("few_trees")
def test_searches_parts_of_fits_and_judgements_look_at_masks():
    settings = {"alphas": [0.1], "kernels": ["gaussian"], "max_iters": [4], "n_frequencies": 4, "cv": 2}
    search, masked = (S2AUCClassifierCV(**settings, random_state=0).fit(*rows) for rows in ((X, Y), (MASKED, MASKED_Y)))
    np.testing.assert_array_equal(masked.predict_proba(MASKED), search.predict_proba(X))
    assert evaluate_model(search, MASKED, MASKED_Y).auc == evaluate_model(search, X, Y).auc
    assert FITTED.score(MASKED, MASKED_Y) == FITTED.score(X, Y)
    step = fast().partial_fit(MASKED, MASKED_Y, classes=[0, 1]).decision_function(MASKED)
    np.testing.assert_array_equal(step, fast().partial_fit(X, Y, classes=[0, 1]).decision_function(X))


def test_masked_weights_count_where_a_row_is_unlabelled_only():
    weight = RANDOM.random(N_ROWS)
    hidden = np.ma.array(np.where(IS_UNLABELED, np.inf, weight), mask=IS_UNLABELED)
    expected = fast().fit(X, Y, sample_weight=weight).decision_function(X)
    np.testing.assert_array_equal(fast().fit(X, Y, sample_weight=hidden).decision_function(X), expected)
    assert FITTED.score(X, Y, sample_weight=hidden) == FITTED.score(X, Y, sample_weight=weight)
    hidden = np.ma.array(weight, mask=np.arange(N_ROWS) == 3)
    for use in (fast().fit, FITTED.score):
        with pytest.raises(ValueError, match=r"sample_weight must hold finite numbers >= 0\. Got nan in row 3"):
            use(X, Y, sample_weight=hidden)


def test_a_labelled_row_must_not_have_a_masked_group():
    groups = np.arange(N_ROWS) // 4
    hidden = np.ma.array(np.where(IS_UNLABELED, 0, groups), mask=IS_UNLABELED)
    folds = [test.tolist() for _, test in LabeledGroupKFold(3).split(X, Y, groups)]
    assert [test.tolist() for _, test in LabeledGroupKFold(3).split(MASKED, MASKED_Y, hidden)] == folds
    hidden = np.ma.array(groups, mask=np.arange(N_ROWS) == 3)
    for use in (S2AUCClassifierCV().fit, lambda X, y, groups: list(LabeledGroupKFold(3).split(X, y, groups))):
        with pytest.raises(ValueError, match=r"groups must name the group of every labelled row\. Got None in row 3"):
            use(X, Y, groups=hidden)


def test_what_takes_no_missing_values_takes_no_masked_ones():
    complete = np.ma.array(PLAIN, mask=False)
    expected = SAMULTClassifier(random_state=0).fit(PLAIN, Y).decision_function(PLAIN)
    found = SAMULTClassifier(random_state=0).fit(complete, MASKED_Y)
    np.testing.assert_array_equal(found.decision_function(complete), expected)
    assert estimate_class_prior(complete, MASKED_Y, random_state=0) == estimate_class_prior(PLAIN, Y, random_state=0)
    for use in (found.fit, estimate_class_prior):
        with pytest.raises(ValueError, match="contains NaN"):
            use(MASKED, Y)
    with pytest.raises(ValueError, match="contains NaN"):
        found.decision_function(MASKED)


def test_folds_look_at_masks_of_labels():
    folds = [test.tolist() for _, test in LabeledKFold(3).split(X, Y)]
    assert [test.tolist() for _, test in LabeledKFold(3).split(MASKED, MASKED_Y)] == folds
