"""Class priors: right on mixtures with known shares, whatever the shares of the labelled rows."""

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

import reference
from s2auc import estimate_class_prior
from s2auc.estimators.priors.class_prior import (
    PENALTIES,
    PRIORS,
    RELATIVE_WIDTHS,
    EnergyEstimator,
    PenalizedL1Estimator,
)


def mixture(prior, n_positive=60, n_negative=60, n_unlabeled=600, distance=3.0, n_columns=2, seed=0):
    rng = np.random.default_rng(seed)
    sizes = n_positive, n_negative, round(prior * n_unlabeled), n_unlabeled - round(prior * n_unlabeled)
    groups = [rng.normal(size=(size, n_columns)) for size in sizes]
    for group in (groups[0], groups[2]):
        group[:, 0] += distance
    return np.vstack(groups), np.repeat([1, 0, -1], [n_positive, n_negative, n_unlabeled])


@pytest.mark.parametrize("prior", [0.05, 0.3, 0.5, 0.8])
@pytest.mark.parametrize("labeled", [(60, 60), (110, 30), (30, 110)])
def test_energy_on_mixtures_with_biased_labels(prior, labeled):
    found = [estimate_class_prior(*mixture(prior, *labeled, seed=seed), random_state=0).estimate for seed in range(8)]
    assert np.mean(found) == pytest.approx(prior, abs=0.04)
    assert np.abs(np.array(found) - prior).max() < 0.15


@pytest.mark.parametrize("prior", [0.1, 0.3, 0.6])
@pytest.mark.parametrize("labeled", [(150, 0), (150, 20)])
def test_l1_on_mixtures(prior, labeled):
    def estimate(seed):
        X, y = mixture(prior, *labeled, distance=4.0, seed=seed)
        return estimate_class_prior(X, y, method="l1", pos_label=1, n_bootstrap=0, random_state=0).estimate

    found = [estimate(seed) for seed in range(4)]
    assert np.mean(found) == pytest.approx(prior, abs=0.08)


def test_l1_estimates_too_much_where_classes_overlap():
    X, y = mixture(0.3, 200, 0, distance=1.0)
    assert estimate_class_prior(X, y, method="l1", pos_label=1, n_bootstrap=0, random_state=0).estimate > 0.35


@pytest.mark.parametrize("method", ["energy", "l1"])
def test_the_interval_covers_the_truth_about_as_often_as_it_says(method):
    n_times, n_bootstrap = (30, 200) if method == "energy" else (8, 30)
    results = [
        estimate_class_prior(
            *mixture(0.4, 80, 40, 300, distance=4.0, seed=seed),
            method=method,
            n_bootstrap=n_bootstrap,
            random_state=seed,
        )
        for seed in range(n_times)
    ]
    assert all(
        0 <= result.low <= result.estimate + 0.05 and result.estimate <= result.high + 0.05 for result in results
    )
    share = np.mean([result.low <= 0.4 <= result.high for result in results])
    assert share >= {"energy": 0.83, "l1": 0.5}[method]
    assert np.mean([result.high - result.low for result in results]) < 0.4


def test_a_wider_confidence_is_a_wider_interval():
    X, y = mixture(0.4)
    narrow, wide = (estimate_class_prior(X, y, confidence=c, random_state=0) for c in (0.5, 0.99))
    assert wide.low < narrow.low < narrow.estimate < narrow.high < wide.high
    assert narrow.estimate == wide.estimate
    without = estimate_class_prior(X, y, n_bootstrap=0)
    assert np.isnan([without.low, without.high]).all()


def test_energy_is_the_minimum_of_the_energy_distance():
    X, y = mixture(0.35, 7, 9, 20)
    groups = X[y == 1], X[y == 0], X[y == -1]
    best = minimize_scalar(reference.energy_distance, args=groups, bounds=(0, 1), options={"xatol": 1e-10})
    assert EnergyEstimator(*groups).estimate()[0] == pytest.approx(best.x, abs=1e-7)


def test_the_penalised_distance_by_loops():
    X, y = mixture(0.3, 25, 0, 60)
    estimator = PenalizedL1Estimator(X[y == 1], X[y == -1], np.random.default_rng(0))
    (to_positive, to_unlabeled), (fold_positive, fold_unlabeled) = estimator._distances, estimator._folds

    def beta(prior, positive, unlabeled):
        return prior * positive.mean(axis=0) - unlabeled.mean(axis=0)

    distances = []
    for prior in PRIORS:
        tried = []
        for width in RELATIVE_WIDTHS:
            P, U = (np.exp(-distance / (2 * width**2)) for distance in (to_positive, to_unlabeled))
            bound = 0.0
            for k in range(5):
                learnt = beta(prior, P[fold_positive != k], U[fold_unlabeled != k])
                bound += np.maximum(0, learnt) @ beta(prior, P[fold_positive == k], U[fold_unlabeled == k]) / 5
            whole = np.maximum(0, beta(prior, P, U))
            tried += [(bound / penalty, whole @ whole / penalty - prior + 1) for penalty in PENALTIES]
        distances.append(max(tried, key=lambda pair: pair[0])[1])
    assert estimator.estimate()[0] == PRIORS[np.argmin(distances)]


def test_rows_from_elsewhere_and_large_pools():
    X, y = mixture(0.3, n_unlabeled=5000)
    whole = estimate_class_prior(X, y, n_bootstrap=0, random_state=3)
    apart = estimate_class_prior(X[y >= 0], y[y >= 0], X[y == -1], n_bootstrap=0, random_state=3)
    few = estimate_class_prior(X, y, max_rows=300, n_bootstrap=0, random_state=3)
    assert whole.estimate == apart.estimate
    assert few.estimate == pytest.approx(whole.estimate, abs=0.1)
    assert few.estimate != whole.estimate


@pytest.mark.parametrize("max_rows", [300, 5000])
def test_unlabelled_rows_may_be_partly_marked_and_partly_elsewhere(max_rows):
    X, y = mixture(0.3, n_unlabeled=1000)
    settings = {"max_rows": max_rows, "n_bootstrap": 0, "random_state": 3}
    whole = estimate_class_prior(X, y, **settings)
    # The pool stands last, its positive rows first: both parts matter to the estimate.
    for n_elsewhere in (1, 350, 999):
        parts = estimate_class_prior(X[:-n_elsewhere], y[:-n_elsewhere], X[-n_elsewhere:], **settings)
        assert parts.estimate == whole.estimate


WRONG = {
    "positives only": (
        lambda X, y: {"y": np.where(y == 0, -1, y), "pos_label": 1},
        r"'energy' needs labelled rows of both classes\. Got positive rows only; use method='l1'",
    ),
    "no pool": (lambda X, y: {"X": X[y >= 0], "y": y[y >= 0]}, "Got none of them; mark or pass some"),
    "method": (lambda X, y: {"method": "guess"}, r"'method' parameter of estimate_class_prior must be .* Got 'guess'"),
    "confidence": (lambda X, y: {"confidence": 0}, r"'confidence' parameter .* Got 0 instead"),
    "certainty": (lambda X, y: {"confidence": 1}, r"a float in the range \(0, 1\)\. Got 1 instead"),
    "columns": (lambda X, y: {"X_unlabeled": np.ones((3, 5))}, "must have the 2 columns of X. Got 5"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_input(case):
    change, sentence = WRONG[case]
    X, y = mixture(0.3)
    with pytest.raises(ValueError, match=sentence):
        estimate_class_prior(**{"X": X, "y": y} | change(X, y))
