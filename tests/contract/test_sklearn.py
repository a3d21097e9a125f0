"""scikit-learn's own checks of estimators."""

import pytest
from sklearn.utils import estimator_checks
from sklearn.utils.estimator_checks import parametrize_with_checks

from s2auc import (
    PNUAUCClassifier,
    PNUAUCClassifierCV,
    S2AUCClassifier,
    S2AUCClassifierCV,
    SAMULTClassifier,
    SAMULTClassifierCV,
)

MARKER_IS_A_CLASS = {
    "check_classifiers_classes": "its labels are {-1, 1}, and -1 marks unlabelled rows; with unlabeled=None it passes"
}
ASKS_FOR_A_COMPONENT = dict.fromkeys(
    [
        "check_dont_overwrite_parameters",
        "check_fit2d_1feature",
        "check_fit2d_predict1d",
        "check_methods_sample_order_invariance",
        "check_methods_subset_invariance",
    ],
    "it sets n_components=1, which dense rows refuse; where it cannot be set it passes",
)
fast = {"max_iter": 60, "random_state": 0}


def expected_failures(estimator):
    marker = MARKER_IS_A_CLASS if estimator.unlabeled == -1 else {}
    return marker | (ASKS_FOR_A_COMPONENT if hasattr(estimator, "n_components") else {})


@pytest.mark.filterwarnings("ignore:There are no unlabelled rows")
@parametrize_with_checks(
    [S2AUCClassifier(**fast), S2AUCClassifier(unlabeled=None, **fast), S2AUCClassifier(solver="exact", unlabeled=None)],
    expected_failed_checks=expected_failures,
    xfail_strict=True,
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


few = {"kernel_gammas": ["median"], "alphas": [1e-2, 1e-1], "random_state": 0}


@pytest.mark.filterwarnings("ignore:There are no unlabelled rows")
@parametrize_with_checks(
    [
        SAMULTClassifier(random_state=0),
        SAMULTClassifier(unlabeled=None, random_state=0),
        SAMULTClassifier(unlabeled=None, n_centers=20, random_state=0),
        SAMULTClassifierCV(unlabeled=None, **few),
        PNUAUCClassifier(unlabeled=None, random_state=0),
        PNUAUCClassifier(unlabeled=None, n_centers="all", random_state=0),
        PNUAUCClassifierCV(unlabeled=None, etas=[0.0, 0.5], **few),
    ],
    expected_failed_checks=expected_failures,
    xfail_strict=True,
)
def test_scikit_learn_checks_of_rivals(estimator, check):
    check(estimator)


small = {
    "kernels": ["gaussian"],
    "kernel_gammas": ["median"],
    "alphas": [1e-3],
    "scalings": ["standard"],
    "n_frequencies": 16,
    "cv": 3,
    "random_state": 0,
}


@pytest.mark.usefixtures("few_trees")
@pytest.mark.filterwarnings("ignore:The smaller class has", "ignore:A class has a single", "ignore:Labelled and unl")
@parametrize_with_checks(
    [
        S2AUCClassifierCV(unlabeled=None, **small),
        S2AUCClassifierCV(unlabeled=None, solver="qsg", max_iters=[8], members=["kernels"], judge=False, **small),
    ],
    expected_failed_checks=expected_failures,
    xfail_strict=True,
)
def test_scikit_learn_checks_of_the_search(estimator, check):
    check(estimator)


class AlwaysAuto:
    """Keeps `n_components` at "auto", whatever is asked for."""

    n_components = property(lambda self: "auto", lambda self, value: None)


class Single(AlwaysAuto, S2AUCClassifier):
    """One fit of dense rows, whose components nobody asks for."""


class Search(AlwaysAuto, S2AUCClassifierCV):
    """A search on dense rows, whose components nobody asks for."""


@pytest.mark.usefixtures("few_trees")
@pytest.mark.filterwarnings("ignore:There are no unlabelled rows", "ignore:The smaller class has")
@pytest.mark.parametrize("check", ASKS_FOR_A_COMPONENT)
@pytest.mark.parametrize(
    "estimator",
    [
        Single(**fast),
        Single(unlabeled=None, **fast),
        Single(solver="exact", unlabeled=None),
        Search(unlabeled=None, **small),
        Search(unlabeled=None, solver="qsg", max_iters=[8], members=["kernels"], judge=False, **small),
    ],
    ids=repr,
)
def test_checks_that_would_ask_for_a_component(estimator, check):
    getattr(estimator_checks, check)(type(estimator).__name__, estimator)
