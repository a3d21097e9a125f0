"""DeLong's variance against loops over pairs, against the bootstrap, and intervals in simulation."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.special import expit, logit
from scipy.stats import norm
from scipy.stats import t as student

from s2auc.ranking.intervals import (
    Estimate,
    corrected_for_positives,
    delong_difference,
    delong_interval,
    estimate_auc,
    estimate_difference,
    placements,
)
from s2auc.ranking.metrics import auc, auc_of_groups


def estimate_gains(of_positive, of_negative, *others):
    """The estimate of a difference, from differences of placements."""
    return estimate_difference((of_positive, of_negative), (0.0 * of_positive, 0.0 * of_negative), *others)


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


def quantile(y_true, level):
    """Student's, with the smaller class's degrees of freedom."""
    smaller = min(sum(y_true), len(y_true) - sum(y_true))
    return student.isf((1 - level) / 2, smaller - 1)


def placements_of(y_true, y_score):
    y_true, y_score = np.asarray(y_true, dtype=bool), np.asarray(y_score)
    return placements(y_score[y_true], y_score[~y_true])


def gains_of(y_true, first, second):
    pairs = zip(placements_of(y_true, first), placements_of(y_true, second), strict=True)
    return [mine - other for mine, other in pairs]


@given(rankings())
def test_placements_are_structural_components(ranking):
    y_true, score, _ = ranking
    for found, expected in zip(placements_of(y_true, score), structural_components(y_true, score), strict=True):
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-15)
        # Both classes' placements average to the AUC.
        assert found.mean() == pytest.approx(auc(y_true, score), abs=1e-14)


@given(rankings(), st.floats(0.01, 0.999))
def test_interval_from_structural_components(ranking, level):
    y_true, score, _ = ranking
    result = delong_interval(y_true, score, level)
    variance = component_covariance(y_true, score, score)
    assert result.value == pytest.approx(auc(y_true, score), abs=1e-14)
    assert result.level == level
    assert result.standard_error**2 == pytest.approx(variance, abs=1e-12)
    assert 0 <= result.low <= result.value <= result.high <= 1
    assert estimate_auc(*placements_of(y_true, score), level) == result
    assume(variance > 1e-9)
    reach = quantile(y_true, level) * np.sqrt(variance) / (result.value * (1 - result.value))
    assert result.low == pytest.approx(expit(logit(result.value) - reach), abs=1e-9)
    assert result.high == pytest.approx(expit(logit(result.value) + reach), abs=1e-9)


@given(rankings(), st.floats(0.01, 0.999))
def test_difference_from_component_covariances(ranking, level):
    y_true, first, second = ranking
    result = delong_difference(y_true, first, second, level)
    variance = (
        component_covariance(y_true, first, first)
        + component_covariance(y_true, second, second)
        - 2 * component_covariance(y_true, first, second)
    )
    assert result.value == pytest.approx(auc(y_true, first) - auc(y_true, second), abs=1e-14)
    assert result.standard_error**2 == pytest.approx(variance, abs=1e-12)
    assert -1 <= result.low <= result.high <= 1
    assert estimate_gains(*gains_of(y_true, first, second), level) == result
    assume(variance > 1e-9)
    reach = quantile(y_true, level) * np.sqrt(variance)
    assert result.low == pytest.approx(max(-1, result.value - reach), abs=1e-9)
    assert result.high == pytest.approx(min(1, result.value + reach), abs=1e-9)


@given(rankings())
def test_exchanging_scores_mirrors_the_difference(ranking):
    y_true, first, second = ranking
    one, other = delong_difference(y_true, first, second), delong_difference(y_true, second, first)
    assert one.value == -other.value
    assert (one.low, one.high) == pytest.approx((-other.high, -other.low), abs=1e-15)
    assert one.standard_error == other.standard_error


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


def test_intervals_of_differences_cover_as_often_as_they_say():
    # A standard error wrong by 10 % moves the coverage at level 0.8 by more than 0.04; one sd here is 0.009.
    rng, levels = np.random.default_rng(3), (0.5, 0.8, 0.95)
    covered = np.zeros(len(levels))
    for _ in range(2000):
        y_true, common = normal_rows(rng, 60, 90)
        gains = gains_of(y_true, *(common + rng.normal(size=(2, y_true.size))))
        found = [estimate_gains(*gains, level) for level in levels]
        covered += [interval.low < 0 < interval.high for interval in found]
    np.testing.assert_allclose(covered / 2000, levels, atol=0.025)


def share_that_covers_one_half(n_positive, n_negative):
    covered = 0
    for seed in range(1000):
        rng = np.random.default_rng(seed)
        shares = placements(rng.normal(size=n_positive), rng.normal(size=n_negative))
        found = estimate_auc(*shares, 0.95)
        covered += found.low <= 0.5 <= found.high
    return covered / 1000


@pytest.mark.parametrize(("n_positive", "n_negative"), [(20, 30), (60, 40), (15, 200)])
def test_the_interval_of_random_scores_covers_one_half(n_positive, n_negative):
    assert 0.93 < share_that_covers_one_half(n_positive, n_negative) < 0.975


@pytest.mark.parametrize(("n_positive", "n_negative"), [(2, 3), (3, 50), (5, 5), (8, 40)])
def test_the_interval_of_few_rows_covers_no_less_than_it_says(n_positive, n_negative):
    """With the normal quantile it would: the error itself is uncertain."""
    assert share_that_covers_one_half(n_positive, n_negative) >= 0.95


def test_the_interval_over_folds_covers_at_least_as_often():
    """Shares among the few opponents of a fold vary more, so the interval is a little wide."""
    covered = 0
    for seed in range(1000):
        rng = np.random.default_rng(seed)
        folds = [placements(rng.normal(size=8), rng.normal(size=8)) for _ in range(5)]
        found = estimate_auc(*map(np.concatenate, zip(*folds, strict=True)), 0.95)
        covered += found.low <= 0.5 <= found.high
    assert 0.94 < covered / 1000 < 0.99


def test_clear_difference_lies_above_zero():
    rng = np.random.default_rng(4)
    y_true, score = normal_rows(rng, 100, 100, shift=2.0)
    result = delong_difference(y_true, score, rng.normal(size=200), level=1 - 1e-6)
    assert 0 < result.low < result.value < result.high < 1


@pytest.mark.parametrize(("n_positive", "n_negative"), [(2, 9), (50, 40)])
def test_perfect_ranking_has_an_interval_of_honest_width(n_positive, n_negative):
    y_true = np.repeat([1, 0], [n_positive, n_negative])
    perfect, reverse = delong_interval(y_true, y_true, 0.9), delong_interval(y_true, -y_true, 0.9)
    share = 0.05 ** (1 / min(n_positive, n_negative))
    assert (perfect.value, perfect.standard_error, perfect.high) == (1, 0, 1)
    assert perfect.low == pytest.approx(share, abs=1e-15)
    assert (reverse.value, reverse.standard_error, reverse.low) == (0, 0, 0)
    assert reverse.high == pytest.approx(1 - share, abs=1e-15)


def test_constant_score_has_an_interval_around_one_half():
    result = delong_interval([1, 1, 1, 0, 0, 0, 0], [0.3] * 7)
    share = 0.025 ** (1 / 3)
    assert (result.value, result.standard_error) == (0.5, 0)
    assert (result.low, result.high) == pytest.approx((share / 2, 1 - share / 2), abs=1e-15)


@pytest.mark.parametrize("value", [0.0, 0.5, 1.0])
def test_no_interval_has_zero_width(value):
    widths = []
    for n_rows in (2, 10, 100):
        found = estimate_auc(np.full(n_rows, value), np.full(n_rows + 3, value), 0.95)
        assert 0.0 <= found.low <= found.value <= found.high <= 1.0
        widths.append(found.high - found.low)
    assert widths[0] > widths[1] > widths[2] > 0.01


def test_scores_of_the_same_order_may_still_differ():
    """Seven rows that gain nothing leave a gain, or a loss, in one row of some more credible."""
    rng = np.random.default_rng(5)
    y_true, score = normal_rows(rng, 7, 11)
    result = delong_difference(y_true, score, np.exp(score))
    share = 0.025 ** (1 / 7)
    assert (result.value, result.standard_error) == (0, 0)
    assert (result.low, result.high) == pytest.approx((share - 1, 1 - share), abs=1e-15)


def test_same_gain_in_every_row_is_not_certain():
    y_true = np.array([1, 1, 1, 0, 0, 0, 0])
    result = delong_difference(y_true, y_true, np.zeros(7))
    share = 0.025 ** (1 / 3)
    assert (result.value, result.standard_error) == (0.5, 0)
    assert (result.low, result.high) == pytest.approx((share / 2 - (1 - share), 1 - share / 2), abs=1e-15)


@pytest.mark.parametrize("n_rows", [2, 3, 10])
@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_equal_gains_of_few_rows_are_no_proof(n_rows, sign, level):
    """Where all rows gain the same their variance is zero, and an interval of zero width would be a lie."""
    y_true = np.arange(2 * n_rows) < n_rows
    score = sign * y_true
    share = ((1 - level) / 2) ** (1 / n_rows)
    for other, gain in ((np.zeros(2 * n_rows), sign / 2), (-score, sign)):
        found = delong_difference(y_true, score, other, level)
        assert found.value == gain
        # A row that has not been seen may gain anything from -1 to 1.
        ends = gain * share - (1 - share), gain * share + (1 - share)
        assert (found.low, found.high) == pytest.approx(ends, abs=1e-12)


def test_gains_that_are_equal_but_for_rounding_are_equal():
    gains = np.array([1.0 - 2 / 3, 2 / 3 - 1 / 3, 1 / 3])
    assert np.ptp(gains) > 0.0
    found = estimate_gains(gains, gains, 0.95)
    assert found.low < 0.0 < 1 / 3 < found.high


def test_one_row_of_a_class_has_an_interval():
    found = estimate_auc(np.array([0.75]), np.array([1.0, 1.0, 1.0, 0.0]), 0.95)
    assert 0.0 < found.low < 0.75 < found.high < 1.0
    found = estimate_auc(np.array([1.0]), np.array([1.0]), 0.95)
    assert (found.low, found.high) == (pytest.approx(0.025), 1.0)


@given(st.integers(0, 2**32))
def test_higher_levels_are_wider(seed):
    rng = np.random.default_rng(seed)
    shares = placements(rng.normal(0.5, 1.0, 12), rng.normal(size=9))
    for estimate in (estimate_auc, estimate_gains):
        narrow, wide = estimate(*shares, 0.8), estimate(*shares, 0.99)
        assert wide.low <= narrow.low <= narrow.value <= narrow.high <= wide.high


def test_estimates_are_readable():
    assert str(Estimate(0.75, 0.5, 0.9, 0.9, 0.1)) == "0.750 (90% interval 0.500 to 0.900)"


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


def test_the_auc_against_unlabelled_rows_is_corrected_by_the_class_prior():
    """Of unlabelled rows a quarter is positive: all of these tie with positive rows, on average."""
    positive, negative, class_prior = [3.0, 1.0, 2.0, 4.0], [0.0, 1.5, 2.5], 0.25
    unlabeled = np.concatenate([np.repeat(negative, 4), positive])  # three quarters of twelve, one of four
    of_unlabeled = auc_of_groups(positive, unlabeled)
    found = corrected_for_positives(Estimate(of_unlabeled, of_unlabeled - 0.1, 1.0, 0.95, 0.05), class_prior)
    assert found.value == pytest.approx(auc_of_groups(positive, negative))
    assert found.value - found.low == pytest.approx(0.1 / 0.75)
    assert found.standard_error == pytest.approx(0.05 / 0.75)
    assert found.high == 1.0


def test_training_counts_at_most_as_much_as_the_rows_that_judge():
    placed = np.linspace(0.2, 1.0, 30), np.linspace(0.3, 0.9, 40)
    plain, some, much = (estimate_auc(*placed, 0.95, training_variance=variance) for variance in (0.0, 1e-4, 1.0))
    assert plain.value == some.value == much.value
    assert some.standard_error**2 == pytest.approx(plain.standard_error**2 + 1e-4)
    assert much.standard_error**2 == pytest.approx(2 * plain.standard_error**2)
    assert much.low < some.low < plain.low < plain.high < some.high < much.high
