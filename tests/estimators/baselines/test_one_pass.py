"""FOAM and NOAM against pairs taken one by one, on features and with the kernel itself."""

import numpy as np
import pytest

import reference
from s2auc import FOAMClassifier, NOAMClassifier
from s2auc.estimators.baselines.online.one_pass import OnePassPairs, RunningMoments
from s2auc.kernels.frequencies import FrequencyStream

GAMMA, ALPHA, STEP = 0.6, 1e-2, 0.3
PLAIN = {"kernel_gamma": GAMMA, "alpha": ALPHA, "step_size": STEP, "scaling": "none", "random_state": 3}


def few_rows(n_rows=80, seed=0):
    rng = np.random.default_rng(seed)
    is_positive = rng.random(n_rows) < 0.4
    return rng.normal(size=(n_rows, 2)) + 0.7 * is_positive[:, None], is_positive


def raw_scores(model, X):
    return model.decision_function(X) + model.offset_


@pytest.mark.parametrize("recent_rows", [1, 3, 64])
def test_moments_are_those_of_all_rows(recent_rows):
    rng = np.random.default_rng(0)
    Z, w = rng.normal(size=(20, 4)), rng.normal(size=4)
    moments = RunningMoments(4, recent_rows)
    for n_rows, row in enumerate(Z, start=1):
        moments.add(row)
        np.testing.assert_allclose(moments.mean(), Z[:n_rows].mean(axis=0), atol=1e-12)
        covariance = np.cov(Z[:n_rows].T, bias=True)
        np.testing.assert_allclose(moments.covariance_times(w), covariance @ w, atol=1e-12)


@pytest.mark.parametrize("positive", [True, False])
def test_a_step_goes_against_the_derivative_of_the_loss(positive):
    rng = np.random.default_rng(1)
    others, z, w = rng.normal(size=(7, 4)), rng.normal(size=4), rng.normal(size=4)
    pairs = OnePassPairs(4, ALPHA, STEP)
    pairs.learn(others, np.full(7, not positive))
    pairs.weights = w.copy()
    pairs.learn(z[None], np.array([positive]))
    h = 1e-4

    def loss(at):
        return reference.one_pass_loss(at, z, positive, others, ALPHA)

    numerical = [(loss(w + h * axis) - loss(w - h * axis)) / (2 * h) for axis in np.eye(4)]
    np.testing.assert_allclose((w - pairs.weights) / STEP, numerical, atol=1e-8)


def test_steps_are_those_of_pairs_one_by_one():
    X, is_positive = few_rows(200)
    pairs = OnePassPairs(2, ALPHA, STEP)
    for row, positive, w in zip(X, is_positive, reference.one_pass(X, is_positive, ALPHA, STEP), strict=True):
        pairs.learn(row[None], np.array([positive]))
        np.testing.assert_allclose(pairs.weights, w, atol=1e-10)


@pytest.mark.parametrize("kernel", ["gaussian", "laplacian"])
def test_foam_is_one_pass_on_random_features(kernel):
    X, is_positive = few_rows()
    model = FOAMClassifier(kernel, n_frequencies=20, **PLAIN).partial_fit(X, is_positive)
    part = model.model_.parts[0]
    W = FrequencyStream(kernel, GAMMA, 2, part.seed).take(0, 20)
    Z = np.hstack([np.cos(X @ W.T), np.sin(X @ W.T)]) / np.sqrt(20)
    w = reference.one_pass(Z, is_positive, ALPHA, STEP)[-1]
    np.testing.assert_allclose(np.concatenate([part.cosine, part.sine]), w / np.sqrt(20), atol=1e-9)
    np.testing.assert_allclose(raw_scores(model, X), Z @ w, atol=1e-6)


def kernel_scores(X, is_positive):
    K = reference.kernel_matrix("gaussian", X, X, GAMMA)
    return K @ reference.kernel_one_pass(K, is_positive, ALPHA, STEP)


def test_foam_tends_to_the_kernel_itself():
    X, is_positive = few_rows()
    exact = kernel_scores(X, is_positive)
    errors = []
    for n_frequencies in (20, 320):
        gaps = [
            raw_scores(
                FOAMClassifier(n_frequencies=n_frequencies, **PLAIN | {"random_state": seed}).partial_fit(
                    X, is_positive
                ),
                X,
            )
            - exact
            for seed in range(6)
        ]
        errors.append(np.sqrt(np.mean(np.square(gaps))))
    # Sixteen times the frequencies, a quarter of the error.
    assert errors[0] / errors[1] == pytest.approx(4, rel=0.3)
    assert errors[1] < 0.1 * np.std(exact)


def test_noam_with_all_rows_as_landmarks_is_the_kernel_itself():
    X, is_positive = few_rows()
    model = NOAMClassifier(n_landmarks=1000, **PLAIN).partial_fit(X, is_positive)
    assert model.n_landmarks_ == 80
    np.testing.assert_allclose(raw_scores(model, X), kernel_scores(X, is_positive), atol=1e-9)
    new = np.random.default_rng(5).normal(size=(9, 2))
    K = reference.kernel_matrix("gaussian", X, X, GAMMA)
    beta = reference.kernel_one_pass(K, is_positive, ALPHA, STEP)
    np.testing.assert_allclose(
        raw_scores(model, new), reference.kernel_matrix("gaussian", new, X, GAMMA) @ beta, atol=1e-6
    )


def test_noam_with_some_landmarks_is_one_pass_on_their_features():
    X, is_positive = few_rows()
    model = NOAMClassifier(n_landmarks=8, **PLAIN).partial_fit(X, is_positive)
    L = X[:8]
    root = reference.symmetric_root(reference.kernel_matrix("gaussian", L, L, GAMMA))
    Z = reference.kernel_matrix("gaussian", X, L, GAMMA) @ np.linalg.inv(root)
    w = reference.one_pass(Z, is_positive, ALPHA, STEP)[-1]
    np.testing.assert_allclose(raw_scores(model, X), Z @ w, atol=1e-6)


def test_landmarks_that_come_twice_are_no_harm():
    X, is_positive = few_rows(20)
    twice, both = np.repeat(X, 2, axis=0), np.repeat(is_positive, 2)
    model = NOAMClassifier(n_landmarks=40, **PLAIN).partial_fit(twice, both)
    np.testing.assert_allclose(raw_scores(model, twice), kernel_scores(twice, both), atol=1e-6)
