"""Meta-estimators of scikit-learn: those that misread unlabelled rows silently are warned of; what works, works."""

import warnings

import numpy as np
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import BaggingClassifier, StackingClassifier, VotingClassifier
from sklearn.frozen import FrozenEstimator
from sklearn.inspection import permutation_importance
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss, roc_auc_score
from sklearn.model_selection import (
    FixedThresholdClassifier,
    GridSearchCV,
    TunedThresholdClassifierCV,
    cross_val_predict,
    learning_curve,
)
from sklearn.multiclass import OneVsOneClassifier, OneVsRestClassifier
from sklearn.semi_supervised import SelfTrainingClassifier

from s2auc import LabeledKFold, S2AUCClassifier, S2AUCClassifierCV, SAMULTClassifier

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(300, 3))
TRUTH = (X[:, 0] + 0.5 * RANDOM.normal(size=300) > 0).astype(int)
Y = np.where(np.arange(300) < 60, TRUTH, -1)
POSITIVES = np.where(Y == 1, 1, -1)
SMALL = {"alphas": [0.1], "kernels": ["gaussian"], "kernel_gammas": ["median"], "scalings": ["standard"]}
SMALL |= {"column_weightings": ["none"], "neighbor_weights": [0], "members": ["kernels"], "judge": False}


def fast(**changes):
    return S2AUCClassifier(max_iter=10, n_frequencies=16, random_state=0, **changes)


def small(**changes):
    return S2AUCClassifierCV(**SMALL, random_state=0, **changes)


MISREADING = {
    "calibration": (lambda: CalibratedClassifierCV(fast(), cv=2), Y, "its probabilities mean nothing. Instead, calib"),
    "calibration of a search": (lambda: CalibratedClassifierCV(small(), cv=2), Y, "its probabilities mean nothing"),
    "calibration of a baseline": (
        lambda: CalibratedClassifierCV(SAMULTClassifier(), cv=2),
        Y,
        "its probabilities mean n",
    ),
    "calibration with labelled folds": (
        lambda: CalibratedClassifierCV(fast(), cv=LabeledKFold(2)),
        Y,
        r"CalibratedClassifierCV\(FrozenEstimator\(fitted\)\)\.fit\(X, y\), or use S2AUCClassifierCV, whose pred",
    ),
    "one against the rest": (lambda: OneVsRestClassifier(fast()), Y, "sklearn.multiclass .* their predictions mean"),
    "one against one": (lambda: OneVsOneClassifier(fast()), Y, "sklearn.multiclass .* their predictions mean nothing"),
    "bagging": (lambda: BaggingClassifier(fast(pos_label=1), 2), POSITIVES, "ensembles .* learnt as negative rows"),
    "voting": (lambda: VotingClassifier([("a", fast(pos_label=1))]), POSITIVES, "ensembles .* learnt as negative rows"),
    "stacking": (
        lambda: StackingClassifier([("a", fast(pos_label=1))], LogisticRegression(), cv=2),
        POSITIVES,
        "ensembles .* learnt as negative rows",
    ),
    "threshold": (
        lambda: TunedThresholdClassifierCV(fast(pos_label=1), cv=2, scoring="accuracy"),
        POSITIVES,
        "TunedThresholdClassifierCV takes .* with cv='prefit' and refit=False",
    ),
}


@pytest.mark.filterwarnings("ignore:There are no unlabelled rows")
@pytest.mark.filterwarnings("ignore:y_pred contains classes")
@pytest.mark.parametrize("case", MISREADING)
def test_meta_estimators_that_misread_unlabelled_rows_are_warned_of(case):
    make, y, sentence = MISREADING[case]
    with pytest.warns(UserWarning, match=f"y holds rows that are marked as unlabelled: .*{sentence}"):
        make().fit(X, y)


WORKING = {
    "itself": lambda: fast().fit(X, Y),
    "grid search": lambda: GridSearchCV(fast(), {"alpha": [0.1]}, cv=LabeledKFold(2)).fit(X, Y),
    "fixed threshold": lambda: FixedThresholdClassifier(
        fast(pos_label=1), threshold=0.0, response_method="decision_function"
    ).fit(X, POSITIVES),
    "calibration of labelled rows": lambda: CalibratedClassifierCV(fast(), cv=2).fit(X[:60], TRUTH[:60]),
    "another marker": lambda: CalibratedClassifierCV(fast(unlabeled=None), cv=2).fit(X[:60], 2 * TRUTH[:60] - 1),
    "three true classes": lambda: OneVsRestClassifier(fast()).fit(X, np.arange(300) % 3),
    "self-training": lambda: SelfTrainingClassifier(small(), max_iter=1).fit(X, Y),
    "curves": lambda: learning_curve(fast(), X, Y, cv=LabeledKFold(2), train_sizes=[0.5, 1.0]),
    "importances": lambda: permutation_importance(fast().fit(X, Y), X, Y, n_repeats=1),
    "predictions": lambda: cross_val_predict(fast(), X, Y, cv=2),
}


@pytest.mark.filterwarnings("ignore:There are no unlabelled rows")
@pytest.mark.parametrize("case", WORKING)
def test_no_other_use_is_warned_of(case):
    with warnings.catch_warnings(record=True) as caught:
        warnings.filterwarnings("always", message="y holds rows that are marked")
        WORKING[case]()
    assert not [warning for warning in caught if "y holds rows that are marked" in str(warning.message)]


@pytest.mark.parametrize("classes", [[0, 1], ["ham", "spam"]], ids=["numbers", "text"])
@pytest.mark.parametrize("make", [fast, small], ids=["single", "search"])
def test_a_fitted_model_can_be_calibrated_on_rows_of_its_own(make, classes):
    marker = -1 if classes == [0, 1] else "?"
    labels = np.array(classes)[TRUTH]
    y = np.where(np.arange(300) < 60, labels, np.array(marker, dtype=labels.dtype))
    fitted = make(unlabeled=marker).fit(X, y)
    calibrated = CalibratedClassifierCV(FrozenEstimator(fitted)).fit(X[60:180], labels[60:180])
    assert calibrated.classes_.tolist() == classes
    found = calibrated.predict_proba(X[180:])[:, 1]
    assert roc_auc_score(TRUTH[180:], found) == pytest.approx(fitted.score(X[180:], labels[180:]))
    assert brier_score_loss(TRUTH[180:], found) < 0.15
    assert set(calibrated.predict(X[180:])) == set(classes)
    if make is small:
        own = fitted.predict_proba(X[180:])[:, 1]
        assert brier_score_loss(TRUTH[180:], own) < 0.15
        assert fitted.classes_.tolist() == classes


def test_a_threshold_can_be_tuned_on_rows_of_its_own():
    tuned = TunedThresholdClassifierCV(fast().fit(X, Y), cv="prefit", refit=False).fit(X[60:180], TRUTH[60:180])
    assert np.mean(tuned.predict(X[180:]) == TRUTH[180:]) > 0.75
