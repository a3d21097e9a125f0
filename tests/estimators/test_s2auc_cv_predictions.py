"""Probabilities and thresholds of S2AUCClassifierCV, and what it is told about the class prior."""

from itertools import pairwise

import numpy as np

from s2auc import S2AUCClassifierCV
from searches import SMALL, moons


def test_probabilities_follow_the_scores_and_the_prior():
    X, y, truth = moons(200, 2000)
    search = S2AUCClassifierCV(**SMALL, random_state=0).fit(X, y)
    probabilities = search.predict_proba(X)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1.0)
    order = np.argsort(search.decision_function(X))
    assert np.all(np.diff(probabilities[order, 1]) >= 0)
    for low, high in pairwise([0.0, 0.3, 0.7, 1.0]):
        inside = (probabilities[200:, 1] >= low) & (probabilities[200:, 1] < high)
        assert abs(probabilities[200:, 1][inside].mean() - truth[200:][inside].mean()) < 0.12
    rare = S2AUCClassifierCV(**SMALL, class_prior=0.01, random_state=0).fit(X, y)
    ranked = search.decision_function(X) + search.offset_
    np.testing.assert_allclose(rare.decision_function(X) + rare.offset_, ranked)
    np.testing.assert_array_equal(search.predict(X), np.argmax(probabilities, axis=1))
    assert rare.predict_proba(X)[:, 1].mean() < 0.5 * probabilities[:, 1].mean()


def test_thresholds_serve_the_metric_that_was_named():
    random = np.random.default_rng(0)
    truth = random.random(1200) < 0.15
    X = random.normal(size=(1200, 2)) + truth[:, None]
    y = np.where(np.arange(1200) < 400, truth.astype(int), -1)
    balanced, accurate = (
        S2AUCClassifierCV(**SMALL, threshold=threshold, random_state=0).fit(X, y)
        for threshold in ("balanced_accuracy", "accuracy")
    )
    assert np.mean(accurate.predict(X) == 1) < np.mean(balanced.predict(X) == 1)
    ranked = balanced.decision_function(X) + balanced.offset_
    np.testing.assert_allclose(accurate.decision_function(X) + accurate.offset_, ranked)


def test_thresholds_know_the_prior():
    X, y, _ = moons(200, 1000)
    common, rare = (
        S2AUCClassifierCV(**SMALL, threshold="accuracy", class_prior=prior, random_state=0).fit(X, y)
        for prior in (0.5, 0.02)
    )
    assert np.mean(rare.predict(X)) < np.mean(common.predict(X))
