"""DeLong's variance against loops over pairs, against the bootstrap, and its intervals in simulation."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.special import expit, logit
from scipy.stats import norm

from s2auc.ranking.intervals import delong_difference, delong_interval
from s2auc.ranking.metrics import auc


def structural_components(y_true, y_score):
    """Return for each positive row its share of wins and for each negative row its share of losses."""
    positive = [score for truth, score in zip(y_true, y_score, strict=True) if truth]
    negative = [score for truth, score in zip(y_true, y_score, strict=True) if not truth]
    beats = [[(above > below) + 0.5 * (above == below) for below in negative] for above in positive]
    wins = [sum(row) / len(negative) for row in beats]
    losses = [sum(column) / len(positive) for column in zip(*beats, strict=True)]
    return wins, losses


def covariance(first, second):
    first_mean, second_mean = sum(first) / len(first), sum(second) / len(second)
    products = [(a - first_mean) * (b - second_mean) for a, b in zip(first, second, strict=True)]
    return sum(products) / (len(first) - 1)


def component_covariance(y_true, first_score, second_score):
    first_wins, first_losses = structural_components(y_true, first_score)
    second_wins, second_losses = structural_components(y_true, second_score)
    from_positive = covariance(first_wins, second_wins) / len(first_wins)
    return from_positive + covariance(first_losses, second_losses) / len(first_losses)


@st.composite
def rankings(draw):
    """Two rows of each class at least, two scores with many ties."""
    y_true = [True, True, False, False, *draw(st.lists(st.booleans(), max_size=15))]
    score = st.lists(st.integers(0, 5).map(float), min_size=len(y_true), max_size=len(y_true))
    return y_true, draw(score), draw(score)


def normal_rows(rng, n_positive, n_negative, shift=1.0):
    y_true = np.repeat([True, False], [n_positive, n_negative])
    return y_true, rng.normal(shift * y_true)


@given(rankings(), st.floats(0.01, 0.999))
def test_interval_from_structural_components(ranking, level):
    y_true, score, _ = ranking
    result = delong_interval(y_true, score, level)
    variance = component_covariance(y_true, score, score)
    assert result.auc == auc(y_true, score)
    assert result.standard_error**2 == pytest.approx(variance, abs=1e-12)
    assert 0 <= result.low <= result.auc <= result.high <= 1
    assume(variance > 1e-9)
    reach = norm.isf((1 - level) / 2) * np.sqrt(variance) / (result.auc * (1 - result.auc))
    assert result.low == pytest.approx(expit(logit(result.auc) - reach), abs=1e-9)
    assert result.high == pytest.approx(expit(logit(result.auc) + reach), abs=1e-9)


@given(rankings())
def test_difference_from_component_covariances(ranking):
    y_true, first, second = ranking
    result = delong_difference(y_true, first, second)
    variance = (
        component_covariance(y_true, first, first)
        + component_covariance(y_true, second, second)
        - 2 * component_covariance(y_true, first, second)
    )
    assert result.difference == pytest.approx(auc(y_true, first) - auc(y_true, second), abs=1e-14)
    assert result.standard_error**2 == pytest.approx(variance, abs=1e-12)
    assume(variance > 1e-9)
    z = result.difference / np.sqrt(variance)
    assert result.p_value == pytest.approx(2 * norm.sf(abs(z)), rel=1e-9, abs=1e-12)
    reach = norm.isf(0.025) * np.sqrt(variance)
    assert result.low == pytest.approx(max(-1, result.difference - reach), abs=1e-9)
    assert result.high == pytest.approx(min(1, result.difference + reach), abs=1e-9)


@given(rankings())
def test_exchanging_scores_mirrors_the_difference(ranking):
    y_true, first, second = ranking
    one, other = delong_difference(y_true, first, second), delong_difference(y_true, second, first)
    assert one.difference == -other.difference
    assert (one.low, one.high) == pytest.approx((-other.high, -other.low), abs=1e-15)
    assert one.p_value == pytest.approx(other.p_value, rel=1e-12)


def test_standard_error_agrees_with_the_bootstrap():
    rng = np.random.default_rng(1)
    y_true, score = normal_rows(rng, 60, 150)
    score = np.round(score, 1)
    positive, negative = score[y_true], score[~y_true]
    again = [
        auc(y_true, np.concatenate([rng.choice(positive, positive.size), rng.choice(negative, negative.size)]))
        for _ in range(3000)
    ]
    assert delong_interval(y_true, score).standard_error == pytest.approx(np.std(again), rel=0.15)


def test_interval_covers_as_often_as_it_says():
    # A standard error wrong by 10 % moves the coverage at level 0.8 by more than 0.04; one sd here is 0.007.
    rng, truth = np.random.default_rng(2), norm.cdf(1 / np.sqrt(2))
    covered = []
    for _ in range(3000):
        interval = delong_interval(*normal_rows(rng, 60, 90), level=0.8)
        covered.append(interval.low < truth < interval.high)
    assert np.mean(covered) == pytest.approx(0.8, abs=0.02)


def test_p_values_are_uniform_if_the_scores_are_equally_good():
    # A standard error wrong by 10 % moves the share below 0.2 by more than 0.04; one sd here is 0.009.
    rng = np.random.default_rng(3)
    p_values = []
    for _ in range(2000):
        y_true, common = normal_rows(rng, 60, 90)
        first, second = common + rng.normal(size=(2, y_true.size))
        p_values.append(delong_difference(y_true, first, second).p_value)
    for share in (0.05, 0.2, 0.5):
        assert np.mean(np.less(p_values, share)) == pytest.approx(share, abs=0.025)


def test_clear_difference_has_a_small_p_value():
    rng = np.random.default_rng(4)
    y_true, score = normal_rows(rng, 100, 100, shift=2.0)
    result = delong_difference(y_true, score, rng.normal(size=200))
    assert result.p_value < 1e-6
    assert 0 < result.low < result.difference < result.high < 1


@pytest.mark.parametrize(("n_positive", "n_negative"), [(2, 9), (50, 40)])
def test_perfect_ranking_has_an_interval_of_honest_width(n_positive, n_negative):
    y_true = np.repeat([1, 0], [n_positive, n_negative])
    perfect, reverse = delong_interval(y_true, y_true, 0.9), delong_interval(y_true, -y_true, 0.9)
    share = 0.05 ** (1 / min(n_positive, n_negative))
    assert (perfect.auc, perfect.standard_error, perfect.high) == (1, 0, 1)
    assert perfect.low == pytest.approx(share, abs=1e-15)
    assert (reverse.auc, reverse.standard_error, reverse.low) == (0, 0, 0)
    assert reverse.high == pytest.approx(1 - share, abs=1e-15)


def test_constant_score_has_an_interval_around_one_half():
    result = delong_interval([1, 1, 1, 0, 0, 0, 0], [0.3] * 7)
    share = 0.025 ** (1 / 3)
    assert (result.auc, result.standard_error) == (0.5, 0)
    assert (result.low, result.high) == pytest.approx((share / 2, 1 - share / 2), abs=1e-15)


def test_scores_of_the_same_order_do_not_differ():
    rng = np.random.default_rng(5)
    y_true, score = normal_rows(rng, 7, 11)
    result = delong_difference(y_true, score, np.exp(score))
    assert (result.difference, result.standard_error, result.low, result.high, result.p_value) == (
        0,
        0,
        0,
        0,
        1,
    )


def test_same_gain_in_every_row_is_not_certain():
    y_true = np.array([1, 1, 1, 0, 0, 0, 0])
    result = delong_difference(y_true, y_true, np.zeros(7))
    share = 0.025 ** (1 / 3)
    assert (result.difference, result.standard_error, result.p_value) == (0.5, 0, 0.25)
    assert (result.low, result.high) == pytest.approx((share / 2 - (1 - share), 1 - share / 2), abs=1e-15)


MISTAKES = {
    "one positive": (
        lambda: delong_interval([1, 0, 0], [3, 2, 1]),
        "two rows of each class, got 1 positive and 2",
    ),
    "one negative": (
        lambda: delong_difference([1, 1, 0], [3, 2, 1], [1, 2, 3]),
        "two rows .* 2 positive and 1",
    ),
    "no negative": (lambda: delong_interval([1, 1], [3, 2]), "both classes"),
    "level 1": (lambda: delong_interval([1, 1, 0, 0], [4, 3, 2, 1], 1), r"level must be .* \(0, 1\), got 1:"),
    "level 95": (lambda: delong_difference([1, 1, 0, 0], [4, 3, 2, 1], [1, 2, 3, 4], 95), "level .* got 95:"),
    "second length": (
        lambda: delong_difference([1, 1, 0, 0], [4, 3, 2, 1], [1, 2]),
        r"y_true and second_score",
    ),
    "first NaN": (lambda: delong_difference([1, 0], [1, np.nan], [1, 2]), "first_score must not hold NaN"),
}


@pytest.mark.parametrize(("call", "message"), MISTAKES.values(), ids=MISTAKES)
def test_mistake(call, message):
    with pytest.raises(ValueError, match=message):
        call()
