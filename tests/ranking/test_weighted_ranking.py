"""Weighted AUCs, placements and intervals: integer weights are repeated rows, and intervals hold what they promise."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

import reference
from s2auc.ranking.intervals import estimate_auc, estimate_difference, placements
from s2auc.ranking.metrics import auc_of_columns

SEEDS, COUNTS = st.integers(0, 2**32), st.integers(1, 12)


def estimate_gains(of_positive, of_negative, *others):
    """The estimate of a difference, from differences of placements."""
    return estimate_difference((of_positive, of_negative), (0.0 * of_positive, 0.0 * of_negative), *others)


def make_groups(seed, n_higher, n_lower, n_columns=3):
    """Scores with ties, and whole weights, of two groups."""
    rng = np.random.default_rng(seed)
    scores = (rng.normal(size=(n, n_columns)).round(1) for n in (n_higher, n_lower))
    return (*scores, rng.integers(1, 5, n_higher), rng.integers(1, 5, n_lower))


@given(SEEDS, COUNTS, COUNTS)
def test_aucs_of_columns_are_those_of_weighted_pairs(seed, n_higher, n_lower):
    higher, lower, *weights = make_groups(seed, n_higher, n_lower)
    weights = [0.7 * weight for weight in weights]
    for of_higher, of_lower in (weights, (weights[0], None), (None, weights[1])):
        expected = [reference.auc(*(rows[:, k] for rows in (higher, lower)), of_higher, of_lower) for k in range(3)]
        np.testing.assert_allclose(auc_of_columns(higher, lower, of_higher, of_lower), expected, atol=1e-12)


@given(SEEDS, COUNTS, COUNTS)
def test_aucs_of_columns_are_those_of_repeated_rows(seed, n_higher, n_lower):
    higher, lower, *weights = make_groups(seed, n_higher, n_lower)
    repeated = (np.repeat(rows, times, axis=0) for rows, times in zip((higher, lower), weights, strict=True))
    np.testing.assert_allclose(auc_of_columns(higher, lower, *weights), auc_of_columns(*repeated), atol=1e-12)


@given(SEEDS, COUNTS, COUNTS)
def test_placements_are_those_of_repeated_rows(seed, n_higher, n_lower):
    higher, lower, *weights = make_groups(seed, n_higher, n_lower, 1)
    higher, lower = higher[:, 0], lower[:, 0]
    ours = placements(higher, lower, tuple(np.asarray(weight, float) for weight in weights))
    theirs = placements(*(np.repeat(rows, times) for rows, times in zip((higher, lower), weights, strict=True)))
    for mine, other, times in zip(ours, theirs, weights, strict=True):
        np.testing.assert_allclose(np.repeat(mine, times), other, atol=1e-12)
    area = reference.auc(higher, lower, *weights)
    for mine, times in zip(ours, weights, strict=True):
        assert np.average(mine, weights=times) == pytest.approx(area, abs=1e-12)
    assert estimate_auc(*ours, 0.95, tuple(weights)).value == pytest.approx(area, abs=1e-12)


def test_one_class_may_have_weights_and_the_other_none():
    higher, lower = np.array([3.0, 1.0]), np.array([2.0, 0.0, 0.0])
    of_higher, of_lower = placements(higher, lower, (np.array([3.0, 1.0]), None))
    assert of_higher.tolist() == pytest.approx([1.0, 2 / 3])
    assert of_lower.tolist() == pytest.approx([0.75, 1.0, 1.0])


@given(SEEDS, st.integers(2, 12), st.integers(2, 12))
def test_equal_weights_give_the_interval_without_weights(seed, n_higher, n_lower):
    higher, lower, *_ = make_groups(seed, n_higher, n_lower, 1)
    equal = np.full(n_higher, 2.5), np.full(n_lower, 0.1)
    ours, theirs = placements(higher[:, 0], lower[:, 0], equal), placements(higher[:, 0], lower[:, 0])
    for mine, other in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(mine, other, atol=1e-12)
    for estimate in (estimate_auc, estimate_gains):
        weighted, plain = estimate(*theirs, 0.9, equal), estimate(*theirs, 0.9)
        for name in ("value", "low", "high", "standard_error"):
            assert getattr(weighted, name) == pytest.approx(getattr(plain, name), abs=1e-9)


def test_no_weights_at_all_need_not_be_the_same_tuple():
    higher, lower = (rows[:, 0] for rows in make_groups(0, 9, 11, 1)[:2])
    nothing = None, None
    for mine, other in zip(placements(higher, lower, nothing), placements(higher, lower), strict=True):
        np.testing.assert_array_equal(mine, other)


@pytest.mark.parametrize("unit", [1e-200, 1.0, 1e150])
def test_the_unit_of_weights_does_not_matter(unit):
    higher, lower, *weights = make_groups(3, 9, 11, 1)
    placed = placements(higher[:, 0], lower[:, 0])
    plain, other = (estimate_auc(*placed, 0.95, tuple(u * weight for weight in weights)) for u in (1.0, unit))
    np.testing.assert_allclose([other.low, other.high], [plain.low, plain.high], rtol=1e-9)


def test_unequal_weights_widen_an_interval():
    higher, lower, *_ = make_groups(1, 40, 40, 1)
    placed = placements(higher[:, 0], lower[:, 0])
    uneven = np.tile([1.0, 20.0], 20)
    assert (
        estimate_auc(*placed, 0.95, (uneven, uneven)).standard_error > 1.2 * estimate_auc(*placed, 0.95).standard_error
    )


def test_perfect_rankings_have_an_interval_of_as_many_trials_as_rows_are_worth():
    weight = np.array([1.0, 1.0, 2.0])
    placed = placements(np.array([3.0, 4.0, 5.0]), np.array([0.0, 1.0, 2.0]), (weight, weight))
    found = estimate_auc(*placed, 0.95, (weight, weight))
    assert found.value == pytest.approx(1.0)
    assert found.low == pytest.approx(0.025 ** (6 / 16))
    assert found.low <= found.value <= found.high <= 1.0


def test_weighted_intervals_cover_the_auc_that_weights_restore():
    """Rows are picked by their score, and weighted by one over the chance of being picked."""
    rng = np.random.default_rng(0)
    truth, n_covered, n_unweighted, n_trials = float(norm.cdf(1.0 / np.sqrt(2.0))), 0, 0, 300
    for _ in range(n_trials):
        groups, weights = [], []
        for centre in (1.0, 0.0):
            scores = rng.normal(centre, size=400)
            chance = np.where(scores > 0.5, 0.6, 0.15)
            is_picked = rng.random(400) < chance
            groups.append(scores[is_picked])
            weights.append(1.0 / chance[is_picked])
        weighted = estimate_auc(*placements(*groups, tuple(weights)), 0.95, tuple(weights))
        plain = estimate_auc(*placements(*groups), 0.95)
        n_covered += weighted.low <= truth <= weighted.high
        n_unweighted += plain.low <= truth <= plain.high
    assert 0.91 <= n_covered / n_trials <= 0.99
    assert n_unweighted / n_trials < 0.9
