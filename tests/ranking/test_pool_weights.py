"""Weights of labelled rows that were chosen by score, and the tests that tell these from random samples."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference
from s2auc.ranking.metrics import auc_of_groups
from s2auc.ranking.pool_weights import PoolStrata, merge_small

QUANTILES = st.lists(st.floats(0, 1), min_size=2, max_size=60)


def make_strata(quantile, is_positive, n_unlabeled=10_000, n_reference=200):
    return PoolStrata.of_quantiles(np.asarray(quantile), np.asarray(is_positive), n_unlabeled, n_reference)


@given(QUANTILES, st.integers(1, 10_000), st.integers(0, 2**32))
def test_weights_and_p_values_match_the_reference(quantile, n_unlabeled, seed):
    is_positive = np.random.default_rng(seed).permutation(np.arange(len(quantile)) % 3 == 0)
    strata = make_strata(quantile, is_positive, n_unlabeled)
    assert strata.random_p_value() == pytest.approx(reference.random_p_value(quantile, n_unlabeled, 200), rel=1e-6)
    expected = reference.class_rates_p_value(quantile, is_positive.tolist(), n_unlabeled, 200)
    assert strata.class_rates_p_value() == pytest.approx(expected, rel=1e-6, abs=1e-300)
    weights = strata.weights()
    if weights is not None:
        merged = merge_small(strata.counts)
        np.testing.assert_allclose(weights, reference.pool_weights(quantile, n_unlabeled, merged), rtol=1e-9)


@given(st.lists(st.integers(0, 9), min_size=1, max_size=9))
def test_merged_strata_are_large_enough_and_stay_in_order(counts):
    merged = merge_small(np.array(counts))
    assert set(np.diff(merged).tolist()) <= {0, 1}
    sizes = np.bincount(merged, counts)
    assert len(sizes) == 1 or sizes.min() >= 5


def test_weights_are_none_where_nothing_stands_for_half_of_the_pool():
    top = make_strata(np.repeat([0.85, 0.99], 40), np.arange(80) % 2 == 0)
    assert top.weights() is None
    covered = make_strata(np.repeat([0.3, 0.6, 0.99], 40), np.arange(120) % 2 == 0)
    assert covered.weights() is not None


def draw(seed, chooses, n_rows=5000):
    """A pool with a score, and the quantiles and classes of the labelled rows that a rule chooses."""
    random = np.random.default_rng(seed)
    is_positive = random.random(n_rows) < 0.2
    score = random.normal(size=n_rows) + 1.5 * is_positive
    is_labeled = chooses(random, score, is_positive)
    unlabeled = np.sort(random.choice(score[~is_labeled], 200, replace=False))
    quantile = np.searchsorted(unlabeled, score[is_labeled]) / 200
    truth = auc_of_groups(score[is_positive], score[~is_positive])
    return make_strata(quantile, is_positive[is_labeled], n_rows), score[is_labeled], truth


def at_random(random, score, is_positive):
    return random.permutation(len(score)) < 150


def balanced(random, score, is_positive):
    return (random.random(len(score)) < np.where(is_positive, 75 / 1000, 75 / 4000)) | (score > 99)


def top_too(random, score, is_positive):
    return at_random(random, score, is_positive) | (score >= np.sort(score)[-50])


def seems_chosen(strata):
    return strata.random_p_value() < 1e-4 and strata.class_rates_p_value() < 0.05


def test_random_and_balanced_labels_raise_no_alarm():
    assert not any(seems_chosen(draw(seed, at_random)[0]) for seed in range(60))
    # At a level of 5 %.
    assert sum(seems_chosen(draw(seed, balanced)[0]) for seed in range(60)) <= 6


def test_weights_harm_little_where_classes_were_balanced():
    errors = []
    for seed in range(60):
        strata, score, truth = draw(seed, balanced)
        side, weight = strata.is_positive, strata.weights()
        errors.append(auc_of_groups(score[side], score[~side], weight[side], weight[~side]) - truth)
    assert abs(np.mean(errors)) < 0.01


def test_rows_from_the_top_are_noticed_and_their_bias_is_removed():
    errors = []
    for seed in range(30):
        strata, score, truth = draw(seed, top_too)
        assert seems_chosen(strata)
        side, weight = strata.is_positive, strata.weights()
        plain = auc_of_groups(score[side], score[~side])
        weighted = auc_of_groups(score[side], score[~side], weight[side], weight[~side])
        errors.append((plain - truth, weighted - truth))
    plain, weighted = np.mean(errors, axis=0)
    assert plain > 0.03
    assert abs(weighted) < 0.015
