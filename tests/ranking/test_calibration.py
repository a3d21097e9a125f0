"""Scores become probabilities by the smoothed log loss."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from s2auc.ranking.calibration import PlattScaling, fit_platt, fit_platt_without_negatives


def make_scores(seed=0, n_positive=30, n_negative=50, gap=1.0):
    rng = np.random.default_rng(seed)
    is_positive = rng.permutation(np.arange(n_positive + n_negative) < n_positive)
    return is_positive, rng.normal(gap * is_positive, 1.0)


def worth(weights):
    return sum(weights) ** 2 / sum(weight * weight for weight in weights)


def smoothed_log_loss(slope, intercept, is_positive, scores, weight=None):
    """Platt's loss, one row at a time: targets (n+ + 1)/(n+ + 2) and 1/(n- + 2), each n what a class is worth."""
    weight = np.ones(len(scores)) if weight is None else weight / np.mean(weight)
    n_positive, n_negative = worth(weight[is_positive]), worth(weight[~is_positive])
    total = 0.0
    for positive, score, counted in zip(is_positive, scores, weight, strict=True):
        target = (n_positive + 1) / (n_positive + 2) if positive else 1 / (n_negative + 2)
        margin = slope * float(score) + intercept
        # log(1 + exp(margin)) without overflow
        total += counted * (max(margin, 0.0) + math.log1p(math.exp(-abs(margin))) - target * margin)
    return total


def slow_platt(is_positive, scores, weight=None):
    """The least loss over slopes >= 0 by an optimiser that needs no gradient."""

    def loss(parameters):
        return smoothed_log_loss(abs(parameters[0]), parameters[1], is_positive, scores, weight)

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


@pytest.mark.parametrize("seed", range(3))
def test_weighted_rows_equal_a_slow_optimiser(seed):
    is_positive, scores = make_scores(seed)
    weight = np.random.default_rng(seed + 50).uniform(0.1, 4.0, len(scores))
    slope, intercept, least = slow_platt(is_positive, scores, weight)
    ours = fit_platt(is_positive, scores, weight=weight)
    found = ours.slope, ours.intercept
    assert smoothed_log_loss(*found, is_positive, scores, weight) <= least + 1e-6
    np.testing.assert_allclose(found, (slope, intercept), rtol=1e-2, atol=1e-2)
    scaled = fit_platt(is_positive, scores, weight=1e-3 * weight)
    np.testing.assert_allclose((scaled.slope, scaled.intercept), found, rtol=1e-6)


def test_weighted_rows_are_repeated_rows_but_for_the_smoothing():
    """Many rows: targets are as good as 0 and 1, whatever they are worth."""
    is_positive, scores = make_scores(0, 3000, 5000, gap=1.5)
    times = np.random.default_rng(1).integers(1, 4, len(scores))
    for prior in (None, 0.1):
        ours = fit_platt(is_positive, scores, prior, times.astype(float))
        theirs = fit_platt(np.repeat(is_positive, times), np.repeat(scores, times), prior)
        np.testing.assert_allclose((ours.slope, ours.intercept), (theirs.slope, theirs.intercept), rtol=5e-3)


def test_the_share_of_the_weights_as_prior_changes_nothing():
    is_positive, scores = make_scores(n_positive=20, n_negative=60)
    weight = np.where(is_positive, 3.0, 1.0)
    plain, given = (fit_platt(is_positive, scores, prior, weight) for prior in (None, 0.5))
    assert given.intercept == pytest.approx(plain.intercept, abs=1e-12)


def make_mixture(seed=0, n_positive=400, n_unlabeled=2000, prior=0.3, gap=2.0):
    """Scores of positive rows, N(gap, 1), and of unlabelled ones, of which a share is positive and the rest N(0, 1)."""
    rng = np.random.default_rng(seed)
    truth = rng.random(n_unlabeled) < prior
    return rng.normal(gap, size=n_positive), rng.normal(gap * truth)


def test_without_negatives_the_truth_is_found():
    """Two normals of unit variance, gap apart: the log-odds are gap·s - gap²/2 + logit(prior)."""
    for prior, gap in ((0.3, 2.0), (0.1, 2.0), (0.5, 1.0)):
        positive, unlabeled = make_mixture(0, 4000, 20_000, prior, gap)
        found = fit_platt_without_negatives(positive, unlabeled, prior)
        assert found.slope == pytest.approx(gap, rel=0.1)
        grid = np.linspace(-2.0, 4.0, 50)
        truth = PlattScaling(gap, math.log(prior / (1 - prior)) - gap * gap / 2).apply(grid)
        np.testing.assert_allclose(found.apply(grid), truth, atol=0.04)


def slow_likelihood(slope, intercept, positive, unlabeled, prior, weight):
    """Log-likelihood of which rows are labelled, one row at a time: odds are p·(positive)/(prior·unlabelled)."""
    total = 0.0
    for scores, counts, is_labeled in ((positive, weight, True), (unlabeled, np.ones(len(unlabeled)), False)):
        for score, count in zip(scores, counts, strict=True):
            odds = len(positive) / (prior * len(unlabeled)) / (1 + math.exp(-(slope * score + intercept)))
            total += count * math.log((odds if is_labeled else 1.0) / (1 + odds))
    return total


@pytest.mark.parametrize("seed", range(3))
def test_without_negatives_no_slope_is_likelier(seed):
    positive, unlabeled = make_mixture(seed, 40, 150)
    weight = np.random.default_rng(seed).uniform(0.2, 3.0, 40)
    for given_weight in (None, weight):
        counted = np.ones(40) if given_weight is None else weight / weight.mean()
        found = fit_platt_without_negatives(positive, unlabeled, 0.3, given_weight)
        assert found.apply(unlabeled).mean() == pytest.approx(0.3, abs=1e-9)
        most = slow_likelihood(found.slope, found.intercept, positive, unlabeled, 0.3, counted)
        for slope in found.slope * np.array([0.25, 0.8, 0.98, 1.02, 1.25, 4.0]):
            low, high = -50.0 * slope, 50.0 * slope
            for _ in range(60):  # the intercept with which the mean is the prior, by halving
                middle = (low + high) / 2
                mean = PlattScaling(slope, middle).apply(unlabeled).mean()
                low, high = (middle, high) if mean < 0.3 else (low, middle)
            assert slow_likelihood(slope, middle, positive, unlabeled, 0.3, counted) < most


def test_without_negatives_weights_are_repeated_rows_but_for_their_number():
    """Weights are in units of their mean; as many times more rows weigh as many times more against the others."""
    positive, unlabeled = make_mixture(0, 60, 300)
    times = np.random.default_rng(0).integers(1, 4, 60)
    weighted = fit_platt_without_negatives(positive, unlabeled, 0.3, times.astype(float))
    scaled = fit_platt_without_negatives(positive, unlabeled, 0.3, 1e-5 * times)
    assert scaled.slope == pytest.approx(weighted.slope, rel=1e-9)
    repeated = fit_platt_without_negatives(np.repeat(positive, times), unlabeled, 0.3)
    assert weighted.slope == pytest.approx(repeated.slope, rel=0.1)
    plain = fit_platt_without_negatives(positive, unlabeled, 0.3)
    equal = fit_platt_without_negatives(positive, unlabeled, 0.3, np.full(60, 7.0))
    assert equal == plain


@given(
    st.integers(0, 2**32),
    st.integers(1, 20),
    st.integers(1, 40),
    st.floats(0.01, 0.99),
    st.floats(-3, 3),
    st.sampled_from([1e-6, 1.0, 1e6]),
)
def test_without_negatives_probabilities_rise_and_average_to_the_prior(seed, n_positive, n_unlabeled, prior, gap, unit):
    positive, unlabeled = (unit * scores for scores in make_mixture(seed, n_positive, n_unlabeled, prior, gap))
    scaling = fit_platt_without_negatives(positive, unlabeled, prior)
    assert scaling.slope > 0
    probabilities = scaling.apply(np.sort(np.concatenate([positive, unlabeled])))
    assert np.all(np.diff(probabilities) >= 0)
    assert scaling.apply(unlabeled).mean() == pytest.approx(prior, abs=1e-6)


def test_without_negatives_equal_scores_give_the_prior():
    scaling = fit_platt_without_negatives(np.full(3, 2.0), np.full(5, 2.0), 0.2)
    np.testing.assert_allclose(scaling.apply(np.full(2, 2.0)), 0.2, rtol=1e-9)


@pytest.mark.parametrize("probability", [0.01, 0.3, 0.5, 0.999])
def test_the_score_of_a_probability_has_it(probability):
    scaling = PlattScaling(2.5, -0.7)
    score = scaling.score_of(probability)
    assert scaling.apply(np.array([score]))[0] == pytest.approx(probability)
    assert scaling.moved(score).apply(np.zeros(1))[0] == pytest.approx(probability)
    assert scaling.moved(scaling.score_of(0.5)).apply(np.zeros(1))[0] == 0.5
