"""S2AUCClassifierCV judges its choice without bias, and says when it cannot tell."""

import warnings

import numpy as np
import pytest
from sklearn.datasets import make_moons

from reference import auc
from s2auc import LabeledKFold, S2AUCClassifier, S2AUCClassifierCV
from s2auc.search.verdict import Answer
from searches import SMALL, moons


def test_held_out_aucs_by_brute_force():
    X, y, _ = moons()
    folds = LabeledKFold(3)
    search = S2AUCClassifierCV(
        **{**SMALL, "alphas": (1e-2,)},
        labeled_weights=(1.0,),
        scalings=("none",),
        column_weightings=("none",),
        cv=folds,
        random_state=0,
    ).fit(X, y)
    for fold, (train, test) in enumerate(folds.split(X[:60], y[:60])):
        plain = S2AUCClassifier(
            solver="exact",
            scaling="none",
            kernel_gamma="median",
            n_frequencies=32,
            alpha=1e-2,
            labeled_weight=1.0,
            random_state=0,
        ).fit(X[train], y[train], X[60:])
        scores = plain.decision_function(X[test])
        is_positive = y[test] == 1
        expected = auc(scores[is_positive], scores[~is_positive])
        assert search.cv_results_[f"split{fold}_test_score"][0] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(
    "setting",
    [
        {"scalings": ["standard"], "column_weightings": ["none"]},
        {"scalings": ["rank"], "column_weightings": ["none"]},
        {"scalings": ["rank"], "column_weightings": ["auc"]},
    ],
    ids=str,
)
def test_random_labels_give_an_auc_of_one_half(setting):
    random = np.random.default_rng(0)
    fixed, nested, gains = [], [], []
    for _ in range(40):
        X = random.normal(size=(160, 8))
        y = np.full(160, -1)
        y[:60] = random.random(60) < 0.5
        if min(np.sum(y == 0), np.sum(y == 1)) < 6:
            continue
        search = S2AUCClassifierCV(
            kernels=("gaussian",), alphas=(1e-3, 1e-1), n_frequencies=24, random_state=0, **setting
        ).fit(X, y)
        fixed.append(search.cv_results_["mean_test_score"])
        nested.append(search.held_out_auc_.value)
        gains.append(search.did_unlabeled_help_.difference.value)
    for values in (*np.array(fixed).T, nested):
        assert abs(np.mean(values) - 0.5) < 3.3 * np.std(values) / np.sqrt(len(values))
    assert abs(np.mean(gains)) < 3.3 * np.std(gains) / np.sqrt(len(gains))


def test_the_best_of_many_flatters_and_the_judged_auc_does_not():
    random = np.random.default_rng(1)
    best, judged = [], []
    for _ in range(15):
        X = random.normal(size=(120, 10))
        y = np.full(120, -1)
        y[:40] = np.repeat([0, 1], 20)
        search = S2AUCClassifierCV(kernels=("gaussian",), n_frequencies=24, random_state=0).fit(X, y)
        best.append(search.best_score_)
        judged.append(search.held_out_auc_.value)
    assert np.mean(best) > 0.55
    assert abs(np.mean(judged) - 0.5) < 3.3 * np.std(judged) / np.sqrt(len(judged))


def test_positive_and_unlabeled_rows_only():
    X, y, truth = moons()
    positive = np.where(y == 1, "fraud", None).astype(object)
    search = S2AUCClassifierCV(pos_label="fraud", random_state=0).fit(X, positive)
    assert search.score(X, np.where(truth == 1, "fraud", "fine")) > 0.8
    assert search.did_unlabeled_help_.answer == Answer.CANNOT_TELL
    assert 0.5 < search.best_score_ < 1.0
    assert not hasattr(search, "predict_proba")
    assert set(search.predict(X)) == {"fraud", "not fraud"}


def test_few_positives_adapt_and_warn():
    X, truth = make_moons(300, noise=0.1, random_state=0)
    y = np.full(300, -1)
    y[np.flatnonzero(truth == 0)[:30]] = 0
    y[np.flatnonzero(truth == 1)[:3]] = 1
    with pytest.warns(UserWarning, match="smaller class has 3 labelled rows: settings were chosen by 9 folds"):
        three = S2AUCClassifierCV(**SMALL, random_state=0).fit(X, y)
    assert three.held_out_auc_ is not None
    y[np.flatnonzero(y == 1)[2]] = -1
    with pytest.warns(UserWarning, match="cannot be told without bias"):
        two = S2AUCClassifierCV(**SMALL, random_state=0).fit(X, y)
    assert two.held_out_auc_ is None
    assert two.did_unlabeled_help_.answer == Answer.CANNOT_TELL


def test_a_single_positive_row_is_not_tuned_on():
    X, y, truth = moons()
    y[np.flatnonzero(y == 1)[1:]] = -1
    with pytest.warns(UserWarning, match="A class has a single labelled row, so nothing can be held out"):
        search = S2AUCClassifierCV(**SMALL, random_state=0).fit(X, y)
    assert search.score(X, truth) > 0.7
    assert search.held_out_auc_ is None
    assert np.isnan(search.best_score_)


@pytest.mark.parametrize("n_positive", [3, 4])
def test_few_positives_are_judged_without_bias(n_positive):
    random = np.random.default_rng(2)
    best, judged = [], []
    for _ in range(40):
        X = random.normal(size=(60, 5))
        y = np.full(60, -1)
        y[:30] = np.arange(30) < n_positive
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            search = S2AUCClassifierCV(
                kernels=("gaussian",), scalings=["rank"], column_weightings=["auc"], n_frequencies=16, random_state=0
            ).fit(X, y)
        best.append(search.best_score_)
        judged.append(search.held_out_auc_.value)
    # There is something to be biased by: the best of these settings flatters.
    assert np.mean(best) - 0.5 > 3.3 * np.std(best) / np.sqrt(len(best))
    assert abs(np.mean(judged) - 0.5) < 3.3 * np.std(judged) / np.sqrt(len(judged))


def test_positives_are_tested_against_unlabeled_rows_that_nothing_was_learnt_from():
    random = np.random.default_rng(3)
    judged = []
    for _ in range(40):
        X = random.normal(size=(110, 20))
        y = np.where(np.arange(110) < 20, 1, -1)
        search = S2AUCClassifierCV(**SMALL, pos_label=1, random_state=0).fit(X, y)
        judged.append(search.held_out_auc_.value)
    assert abs(np.mean(judged) - 0.5) < 3.3 * np.std(judged) / np.sqrt(len(judged))


def test_reasons_why_it_cannot_tell():
    X, y, _ = moons()
    reasons = {
        "judge=False": {"judge": False},
        "does not hold 1": {"labeled_weights": (0.5,)},
        "no setting uses them": {"labeled_weights": (1.0,)},
    }
    for reason, parameters in reasons.items():
        assert reason in str(S2AUCClassifierCV(**SMALL, **parameters, random_state=0).fit(X, y).did_unlabeled_help_)
