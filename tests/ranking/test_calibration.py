"""Scores become probabilities by the smoothed log loss."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from s2auc.ranking.calibration import fit_platt


def make_scores(seed=0, n_positive=30, n_negative=50, gap=1.0):
    rng = np.random.default_rng(seed)
    is_positive = rng.permutation(np.arange(n_positive + n_negative) < n_positive)
    return is_positive, rng.normal(gap * is_positive, 1.0)


def smoothed_log_loss(slope, intercept, is_positive, scores):
    """Platt's loss, one row at a time: targets (n+ + 1)/(n+ + 2) and 1/(n- + 2)."""
    n_positive = sum(map(bool, is_positive))
    n_negative = len(is_positive) - n_positive
    total = 0.0
    for positive, score in zip(is_positive, scores, strict=True):
        target = (n_positive + 1) / (n_positive + 2) if positive else 1 / (n_negative + 2)
        margin = slope * float(score) + intercept
        # log(1 + exp(margin)) without overflow
        total += max(margin, 0.0) + math.log1p(math.exp(-abs(margin))) - target * margin
    return total


def slow_platt(is_positive, scores):
    """The least loss over slopes >= 0 by an optimiser that needs no gradient."""

    def loss(parameters):
        return smoothed_log_loss(abs(parameters[0]), parameters[1], is_positive, scores)

    options = {"xatol": 1e-8, "fatol": 1e-12, "maxiter": 4000}
    first = minimize(loss, [1.0, 0.0], method="Nelder-Mead", options=options)
    found = minimize(loss, first.x, method="Nelder-Mead", options=options)
    return abs(found.x[0]), found.x[1], found.fun


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("gap", "scale", "move"), [(1.0, 1.0, 0.0), (3.0, 0.01, 5.0), (0.5, 100.0, -40.0)])
def test_equals_a_slow_optimiser(seed, gap, scale, move):
    is_positive, scores = make_scores(seed, gap=gap)
    slope, intercept, least = slow_platt(is_positive, scores)
    ours = fit_platt(is_positive, scale * scores + move)
    # slope·s + intercept, said in terms of the scores before they were stretched and moved
    found = ours.slope * scale, ours.intercept + ours.slope * move
    assert smoothed_log_loss(*found, is_positive, scores) <= least + 1e-6
    np.testing.assert_allclose(found, (slope, intercept), rtol=1e-2, atol=1e-2)


@settings(max_examples=30)
@given(st.integers(0, 2**32), st.integers(1, 40), st.integers(1, 40), st.floats(0.001, 0.999))
def test_a_prior_moves_the_log_odds_and_nothing_else(seed, n_positive, n_negative, prior):
    is_positive, scores = make_scores(seed, n_positive, n_negative)
    plain, shifted = fit_platt(is_positive, scores), fit_platt(is_positive, scores, prior)
    move = math.log(prior / (1 - prior)) - math.log(n_positive / n_negative)
    assert shifted.slope == plain.slope
    assert shifted.intercept == pytest.approx(plain.intercept + move, abs=1e-9)
    before, after = plain.apply(scores), shifted.apply(scores)
    np.testing.assert_allclose(np.log(after / (1 - after)) - np.log(before / (1 - before)), move, atol=1e-6)


def test_the_share_of_the_labels_as_prior_changes_nothing():
    is_positive, scores = make_scores(n_positive=20, n_negative=60)
    assert fit_platt(is_positive, scores, 0.25) == fit_platt(is_positive, scores)


@settings(max_examples=40)
@given(st.integers(0, 2**32), st.floats(-3.0, 3.0))
def test_the_ranking_is_never_turned_round(seed, gap):
    is_positive, scores = make_scores(seed, 12, 15, gap)
    scaling = fit_platt(is_positive, scores)
    assert scaling.slope >= 0.0
    assert np.all(np.diff(scaling.apply(np.sort(scores))) >= 0)


def test_scores_that_rank_the_wrong_way_give_equal_probabilities():
    is_positive, scores = make_scores(gap=-2.0)
    probabilities = fit_platt(is_positive, scores).apply(scores)
    mean_target = (30 * 31 / 32 + 50 * 1 / 52) / 80
    np.testing.assert_allclose(probabilities, mean_target, rtol=1e-3)
    assert np.all(np.diff(probabilities[np.argsort(scores)]) >= 0)


@pytest.mark.parametrize("gap", [10.0, 1e6])
@pytest.mark.parametrize("n_rows", [1, 2, 100])
def test_separable_classes_stay_finite(gap, n_rows):
    is_positive = np.arange(2 * n_rows) < n_rows
    scores = np.where(is_positive, gap, -gap) + np.linspace(0.0, 1.0, 2 * n_rows)
    scaling = fit_platt(is_positive, scores)
    assert np.isfinite([scaling.slope, scaling.intercept]).all()
    probabilities = scaling.apply(scores)
    target = np.where(is_positive, (n_rows + 1) / (n_rows + 2), 1 / (n_rows + 2))
    np.testing.assert_allclose(probabilities, target, atol=0.05)


@pytest.mark.parametrize("value", [0.0, 0.1, -7.0])
def test_equal_scores_give_the_share_of_positives(value):
    is_positive = np.arange(8) < 2
    probabilities = fit_platt(is_positive, np.full(8, value)).apply(np.full(8, value))
    np.testing.assert_allclose(probabilities, (2 * 3 / 4 + 6 * 1 / 8) / 8, rtol=1e-4)
