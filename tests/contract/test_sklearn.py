"""scikit-learn's own checks of estimators."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks
from sklearn.utils.validation import has_fit_parameter

from s2auc import (
    DSGClassifier,
    FOAMClassifier,
    FSAUCClassifier,
    NOAMClassifier,
    OptAGClassifier,
    PNUAUCClassifier,
    PNUAUCClassifierCV,
    S2AUCClassifier,
    S2AUCClassifierCV,
    SAMULTClassifier,
    SAMULTClassifierCV,
    SOLAMClassifier,
    SSRankBoostClassifier,
)

MARKER_IS_A_CLASS = {
    "check_classifiers_classes": "its labels are {-1, 1}, and -1 marks unlabelled rows; with unlabeled=None it passes"
}
ROWS_SETTLE_MORE_THAN_PAIRS = {
    f"check_sample_weight_equivalence_on_{form}_data": "rows settle scaling, widths, draws and folds alike, however "
    "much they weigh; tests/estimators/test_sample_weight.py compares with repeated rows where they settle nothing"
    for form in ("dense", "sparse")
}
fast = {"max_iter": 30, "random_state": 0}


def expected_failures(estimator):
    # Stumps are the same whatever the scaling, and labelled rows alone settle nothing else.
    is_exact = isinstance(estimator, SSRankBoostClassifier) or not has_fit_parameter(estimator, "sample_weight")
    weights = {} if is_exact else ROWS_SETTLE_MORE_THAN_PAIRS
    return weights | (MARKER_IS_A_CLASS if estimator.unlabeled == -1 else {})


@pytest.mark.filterwarnings("ignore:There are no unlabelled rows")
@parametrize_with_checks(
    [S2AUCClassifier(**fast), S2AUCClassifier(solver="exact", unlabeled=None, random_state=0)],
    expected_failed_checks=expected_failures,
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


few = {"kernel_gammas": ["median"], "alphas": [1e-2], "cv": 2, "random_state": 0}


@pytest.mark.filterwarnings("ignore:There are no unlabelled rows")
@parametrize_with_checks(
    [
        SAMULTClassifier(unlabeled=None, random_state=0),
        SAMULTClassifierCV(unlabeled=None, **few),
        PNUAUCClassifier(unlabeled=None, random_state=0),
        PNUAUCClassifierCV(unlabeled=None, etas=[0.0, 0.5], **few),
        DSGClassifier(unlabeled=None, **fast),
        SSRankBoostClassifier(unlabeled=None, **fast),
        OptAGClassifier(unlabeled=None, **fast),
    ],
    expected_failed_checks=expected_failures,
)
def test_scikit_learn_checks_of_rivals(estimator, check):
    check(estimator)


@parametrize_with_checks(
    [
        SOLAMClassifier(unlabeled=None, random_state=0),
        FSAUCClassifier(unlabeled=None, random_state=0),
        FOAMClassifier(unlabeled=None, n_frequencies=20, random_state=0),
        NOAMClassifier(unlabeled=None, n_landmarks=20, random_state=0),
    ],
    expected_failed_checks=expected_failures,
)
def test_scikit_learn_checks_of_online_rivals(estimator, check):
    check(estimator)


small = {
    "kernels": ["gaussian"],
    "kernel_gammas": ["median"],
    "alphas": [1e-3],
    "scalings": ["standard"],
    "n_frequencies": 16,
    "cv": 2,
    "random_state": 0,
}


@pytest.mark.usefixtures("few_trees")
@pytest.mark.filterwarnings("ignore:The smaller class has", "ignore:A class has a single", "ignore:Labelled and unl")
@parametrize_with_checks(
    [S2AUCClassifierCV(unlabeled=None, **small)],
    expected_failed_checks=expected_failures,
)
def test_scikit_learn_checks_of_the_search(estimator, check):
    check(estimator)
