"""Intervals cover what they should, and the verdict follows from the interval."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit, logit, ndtri
from scipy.stats import t as student

from s2auc.ranking.intervals import delong_difference, delong_interval
from s2auc.search.verdict import Answer, Estimate, cannot_tell, estimate_auc, estimate_difference
from s2auc.search.verdict import say_whether_unlabeled_helped as say


def placements(positive, negative):
    wins = (positive[:, None] > negative) + 0.5 * (positive[:, None] == negative)
    return wins.mean(axis=1), wins.mean(axis=0)


def ranking(positive, negative):
    return np.arange(len(positive) + len(negative)) < len(positive), np.concatenate([positive, negative])


def widening(n_positive, n_negative, level):
    """Return how much wider Student's interval is than the normal one."""
    return student.ppf((1 + level) / 2, min(n_positive, n_negative) - 1) / ndtri((1 + level) / 2)


@given(st.integers(0, 2**32), st.integers(2, 20), st.integers(2, 20), st.floats(0.5, 0.99))
def test_is_delongs_interval_with_students_quantile(seed, n_positive, n_negative, level):
    rng = np.random.default_rng(seed)
    positive, negative = rng.integers(0, 6, n_positive) + 0.0, rng.integers(0, 5, n_negative) + 0.0
    ours = estimate_auc(*placements(positive, negative), level)
    expected = delong_interval(*ranking(positive, negative), level)
    low, high = expected.low, expected.high
    if expected.standard_error > 0:
        centre, factor = logit(expected.auc), widening(n_positive, n_negative, level)
        low, high = (expit(centre + factor * (logit(end) - centre)) for end in (low, high))
    np.testing.assert_allclose((ours.value, ours.low, ours.high), (expected.auc, low, high), atol=1e-9)
    assert ours.level == level


def gains_of(first, second, n_positive):
    pairs = [placements(scores[:n_positive], scores[n_positive:]) for scores in (first, second)]
    return [mine - other for mine, other in zip(*pairs, strict=True)]


@given(st.integers(0, 2**32), st.integers(2, 12), st.integers(2, 12), st.integers(1, 20))
def test_is_delongs_difference_with_students_quantile(seed, n_positive, n_negative, n_values):
    rng = np.random.default_rng(seed)
    first, second = rng.integers(0, n_values, (2, n_positive + n_negative)) + 0.0
    ours = estimate_difference(*gains_of(first, second, n_positive), 0.95)
    expected = delong_difference(np.arange(len(first)) < n_positive, first, second)
    low, high = expected.low, expected.high
    if expected.standard_error > 0:
        factor, value = widening(n_positive, n_negative, 0.95), expected.difference
        reach = factor * -ndtri(0.025) * expected.standard_error
        low, high = max(-1.0, value - reach), min(1.0, value + reach)
    elif expected.difference == 0:
        assert ours.low < 0 < ours.high
        return
    np.testing.assert_allclose((ours.value, ours.low, ours.high), (expected.difference, low, high), atol=1e-9)


@pytest.mark.parametrize("n_rows", [2, 3, 10])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_equal_gains_of_few_rows_are_no_proof(n_rows, sign):
    """Where all rows gain the same their variance is zero, and an interval of zero width would be a lie."""
    truth = sign * (np.arange(2 * n_rows) < n_rows)
    for other in (np.zeros(2 * n_rows), -truth):
        found = estimate_difference(*gains_of(truth, other, n_rows), 0.95)
        expected = delong_difference(np.arange(2 * n_rows) < n_rows, truth, other)
        assert (found.low, found.high) == (pytest.approx(expected.low), pytest.approx(expected.high))
        assert found.high - found.low > 0.1
        if n_rows == 2:
            assert say(found).answer == Answer.CANNOT_TELL


def test_gains_that_are_equal_but_for_rounding_are_equal():
    gains = np.array([1.0 - 2 / 3, 2 / 3 - 1 / 3, 1 / 3])
    assert np.ptp(gains) > 0.0
    found = estimate_difference(gains, gains, 0.95)
    assert found.low < 0.0 < 1 / 3 < found.high


@pytest.mark.parametrize(("n_positive", "n_negative"), [(20, 30), (60, 40), (15, 200)])
def test_the_interval_of_random_scores_covers_one_half(n_positive, n_negative):
    covered = 0
    for seed in range(1000):
        rng = np.random.default_rng(seed)
        found = estimate_auc(*placements(rng.normal(size=n_positive), rng.normal(size=n_negative)), 0.95)
        covered += found.low <= 0.5 <= found.high
    assert 0.93 < covered / 1000 < 0.975


def test_the_interval_over_folds_covers_at_least_as_often():
    """Shares among the few opponents of a fold vary more, so the interval is a little wide."""
    covered = 0
    for seed in range(1000):
        rng = np.random.default_rng(seed)
        folds = [placements(rng.normal(size=8), rng.normal(size=8)) for _ in range(5)]
        found = estimate_auc(*map(np.concatenate, zip(*folds, strict=True)), 0.95)
        covered += found.low <= 0.5 <= found.high
    assert 0.94 < covered / 1000 < 0.99


@pytest.mark.parametrize("value", [0.0, 0.5, 1.0])
def test_no_interval_has_zero_width(value):
    widths = []
    for n_rows in (2, 10, 100):
        found = estimate_auc(np.full(n_rows, value), np.full(n_rows + 3, value), 0.95)
        assert 0.0 <= found.low <= found.value <= found.high <= 1.0
        widths.append(found.high - found.low)
    assert widths[0] > widths[1] > widths[2] > 0.01
    if value == 1.0:
        assert found.high == 1.0
        assert found.low == pytest.approx(0.025 ** (1 / 100))


def test_one_row_of_a_class_has_an_interval():
    found = estimate_auc(np.array([0.75]), np.array([1.0, 1.0, 1.0, 0.0]), 0.95)
    assert 0.0 < found.low < 0.75 < found.high < 1.0
    found = estimate_auc(np.array([1.0]), np.array([1.0]), 0.95)
    assert (found.low, found.high) == (pytest.approx(0.025), 1.0)


@given(st.integers(0, 2**32))
def test_higher_levels_are_wider(seed):
    rng = np.random.default_rng(seed)
    shares = placements(rng.normal(0.5, 1.0, 12), rng.normal(size=9))
    for estimate in (estimate_auc, estimate_difference):
        narrow, wide = estimate(*shares, 0.8), estimate(*shares, 0.99)
        assert wide.low <= narrow.low <= narrow.value <= narrow.high <= wide.high


@pytest.mark.parametrize(
    ("low", "high", "answer", "begin"),
    [
        (0.01, 0.03, Answer.YES, "Yes, the unlabelled rows helped"),
        (-0.03, -0.01, Answer.NO, "No, the unlabelled rows did not help"),
        (-0.02, 0.0, Answer.NO, "No, the unlabelled rows did not help"),
        (0.0, 0.0, Answer.NO, "No, the unlabelled rows did not help"),
        (-0.01, 0.02, Answer.CANNOT_TELL, "Cannot tell whether the unlabelled rows helped"),
        (0.0, 0.02, Answer.CANNOT_TELL, "Cannot tell whether the unlabelled rows helped"),
    ],
)
def test_the_answer_follows_from_the_interval(low, high, answer, begin):
    difference = Estimate((low + high) / 2, low, high, 0.95)
    verdict = say(difference)
    assert verdict.answer == answer
    assert verdict.difference is difference
    assert str(verdict).startswith(f"{begin}: held-out AUC {difference.value:+.3f} (95% interval {low:+.3f} to ")
    assert str(verdict).endswith(".")


def test_nothing_to_compare():
    verdict = cannot_tell("there are none")
    assert (verdict.answer, verdict.difference) == (Answer.CANNOT_TELL, None)
    assert str(verdict) == "Cannot tell whether the unlabelled rows helped: there are none."


def test_answers_and_estimates_are_readable():
    assert [str(answer) for answer in Answer] == ["yes", "no", "cannot tell"]
    assert str(Estimate(0.75, 0.5, 0.9, 0.9)) == "0.750 (90% interval 0.500 to 0.900)"
