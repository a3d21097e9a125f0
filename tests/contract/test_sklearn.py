"""scikit-learn's own checks of estimators."""

import pytest
from sklearn.utils.estimator_checks import (
    check_sample_weight_equivalence_on_dense_data,
    check_sample_weight_equivalence_on_sparse_data,
    parametrize_with_checks,
)

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
SCALED = "rows count alike in scaling and kernel width, however much they weigh; without these it passes, see below"
STEPS = "steps are the shorter the fewer rows there are, however much they weigh: their gradients are noisier"
CENTRES = "every row is a centre, and repeated rows are centres several times, each with a penalty"
SPREAD = "rows count alike in the spread that scores are divided by, and probabilities are smoothed by their number"
WHY_WEIGHTS_ARE_NO_REPEATS = {
    S2AUCClassifier: SCALED,
    S2AUCClassifierCV: SPREAD,
    SAMULTClassifier: SCALED,
    SAMULTClassifierCV: SCALED,
    PNUAUCClassifier: CENTRES,
    PNUAUCClassifierCV: CENTRES,
    DSGClassifier: STEPS,
    OptAGClassifier: SCALED,
}
WEIGHT_CHECKS = (
    check_sample_weight_equivalence_on_dense_data,
    check_sample_weight_equivalence_on_sparse_data,
)
fast = {"max_iter": 30, "random_state": 0}


def expected_failures(estimator):
    # Stumps are the same whatever the scaling, and labelled rows alone settle nothing else.
    reason = WHY_WEIGHTS_ARE_NO_REPEATS.get(type(estimator))
    weights = {} if reason is None else {check.__name__: reason for check in WEIGHT_CHECKS}
    return weights | (MARKER_IS_A_CLASS if estimator.unlabeled == -1 else {})


settled = {"unlabeled": None, "scaling": "none", "random_state": 0}


@pytest.mark.filterwarnings("ignore:There are no unlabelled rows")
@pytest.mark.parametrize("check", WEIGHT_CHECKS)
@pytest.mark.parametrize(
    "estimator",
    [
        S2AUCClassifier(solver="exact", kernel_gamma=1.0, **settled),
        SAMULTClassifier(kernel_gamma=1.0, **settled),
        SAMULTClassifierCV(kernel_gammas=[1.0, 3.0], alphas=[1e-2, 1e-1], **settled),
        OptAGClassifier(max_iter=30, **settled),
    ],
    ids=lambda estimator: type(estimator).__name__,
)
def test_weights_are_repeats_where_rows_settle_nothing_else(estimator, check):
    check(type(estimator).__name__, estimator)


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
