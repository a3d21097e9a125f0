"""Metrics against counting pairs, and against averages over all orders of tied rows."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

from s2auc.ranking.metrics import (
    auc,
    auc_of_columns,
    auc_of_groups,
    auc_positive_unlabeled,
    auc_unlabeled_negative,
    count_top,
)

# Few distinct values make ties the rule.
TIED_SCORES = st.lists(st.sampled_from([-np.inf, -1.0, 0.0, 0.5, 3.0, np.inf]), min_size=1, max_size=12)
WEIGHTS = st.floats(0, 1e6, allow_subnormal=False)


def count_pairs(higher, lower, higher_weight=None, lower_weight=None):
    higher_weight = np.ones(len(higher)) if higher_weight is None else higher_weight
    lower_weight = np.ones(len(lower)) if lower_weight is None else lower_weight
    won = total = 0.0
    for above, above_weight in zip(higher, higher_weight, strict=True):
        for below, below_weight in zip(lower, lower_weight, strict=True):
            won += above_weight * below_weight * ((above > below) + (above == below) / 2)
            total += above_weight * below_weight
    return won / total


def weighted_auc(y_true, y_score, weight):
    higher, lower = y_true == 1, y_true == 0
    return auc_of_groups(y_score[higher], y_score[lower], weight[higher], weight[lower])


def average_precision_over_orders(y_true, y_score, k):
    values = []
    for order in permutations(range(len(y_true))):
        scores = [y_score[row] for row in order]
        if scores == sorted(scores, reverse=True):
            values.append(np.mean([y_true[row] for row in order[:k]]))
    return np.mean(values)


def labeled_rows(min_size=2, max_size=20):
    row = st.tuples(st.booleans(), st.sampled_from([-2.0, 0.0, 0.25, 1.0]))
    return st.lists(row, min_size=min_size, max_size=max_size).map(lambda rows: tuple(zip(*rows, strict=True)))


@given(TIED_SCORES, TIED_SCORES)
def test_auc_of_groups_counts_pairs(higher, lower):
    assert auc_of_groups(higher, lower) == pytest.approx(count_pairs(higher, lower), abs=1e-14)


@given(st.integers(0, 2**32), st.integers(1, 9), st.integers(1, 9), st.integers(0, 5))
def test_auc_of_columns_counts_the_pairs_of_each(seed, n_higher, n_lower, n_columns):
    rng = np.random.default_rng(seed)
    higher, lower = rng.integers(0, 5, (n_higher, n_columns)), rng.integers(0, 5, (n_lower, n_columns))
    for dtype in (np.float64, np.float32):
        found = auc_of_columns(higher.astype(dtype), lower.astype(dtype))
        assert found.dtype == np.float64
        expected = [count_pairs(higher[:, column], lower[:, column]) for column in range(n_columns)]
        np.testing.assert_allclose(found, np.reshape(expected, n_columns), rtol=0, atol=1e-14)


def test_auc_of_many_rows_in_columns_is_that_of_groups():
    rng = np.random.default_rng(0)
    higher, lower = rng.normal(0.5, 1.0, (3000, 4)).round(2), rng.normal(size=(2000, 4)).round(2)
    expected = [auc_of_groups(above, below) for above, below in zip(higher.T, lower.T, strict=True)]
    np.testing.assert_allclose(auc_of_columns(higher, lower), expected, rtol=0, atol=1e-12)


@given(TIED_SCORES, TIED_SCORES)
def test_exchanging_groups_mirrors_the_auc(higher, lower):
    assert auc_of_groups(higher, lower) + auc_of_groups(lower, higher) == pytest.approx(1, abs=1e-15)


@given(st.data(), TIED_SCORES, TIED_SCORES)
def test_weighted_auc_of_groups_counts_pairs(data, higher, lower):
    higher_weight, lower_weight = (
        np.array(data.draw(st.lists(WEIGHTS, min_size=len(side), max_size=len(side)).filter(any)))
        for side in (higher, lower)
    )
    both = auc_of_groups(higher, lower, higher_weight, lower_weight)
    assert 0 <= both <= 1
    # The reference normalises first: products of tiny weights would underflow.
    higher_share, lower_share = higher_weight / np.max(higher_weight), lower_weight / np.max(lower_weight)
    assert both == pytest.approx(count_pairs(higher, lower, higher_share, lower_share), abs=1e-12)
    one = auc_of_groups(higher, lower, lower_weight=lower_weight)
    assert one == pytest.approx(count_pairs(higher, lower, None, lower_share), abs=1e-12)


@given(labeled_rows())
def test_auc_counts_pairs(rows):
    y_true, y_score = (True, False, *rows[0]), (0.0, 0.25, *rows[1])
    higher = [score for truth, score in zip(y_true, y_score, strict=True) if truth]
    lower = [score for truth, score in zip(y_true, y_score, strict=True) if not truth]
    assert auc(y_true, y_score) == pytest.approx(count_pairs(higher, lower), abs=1e-14)


@pytest.mark.parametrize(("n_positive", "n_negative"), [(1, 3000), (3000, 1), (700, 2300), (2300, 700)])
@pytest.mark.parametrize("dtype", [float, np.float32, int, np.uint8])
def test_auc_agrees_with_scikit_learn(n_positive, n_negative, dtype):
    rng = np.random.default_rng(0)
    y_true = rng.permutation(np.repeat([1, 0], [n_positive, n_negative]))
    y_score = (20 * rng.random(y_true.size) + 5 * y_true).astype(dtype)
    weight = rng.random(y_true.size)
    assert auc(y_true, y_score) == pytest.approx(roc_auc_score(y_true, y_score), abs=1e-13)
    expected = roc_auc_score(y_true, y_score, sample_weight=weight)
    assert weighted_auc(y_true, y_score, weight) == pytest.approx(expected, abs=1e-13)


@given(labeled_rows())
def test_auc_does_not_change_under_increasing_maps(rows):
    y_true, y_score = (True, False, *rows[0]), np.array((0.0, 0.25, *rows[1]))
    for increasing in (np.exp, np.arctan, lambda scores: 1e9 * scores - 5, lambda scores: scores**3):
        assert auc(y_true, increasing(y_score)) == auc(y_true, y_score)


def test_whole_weights_repeat_rows():
    y_true, y_score, weight = np.array([1, 0, 1, 0, 0]), np.array([2, 2, 0, 1, 0]), np.array([3, 1, 2, 0, 4])
    repeated = auc(np.repeat(y_true, weight), np.repeat(y_score, weight))
    assert weighted_auc(y_true, y_score, weight) == pytest.approx(repeated, abs=1e-15)


@pytest.mark.parametrize("scale", [1e-300, 1e308])
def test_extreme_weights_keep_their_ratios(scale):
    assert auc_of_groups([3, 1], [2, 1], np.full(2, scale), np.full(2, scale)) == 0.625


def test_large_integers_are_not_rounded():
    assert auc_of_groups([2**62 + 1], [2**62]) == 1
    assert auc([1, 0], np.array([2**63 + 1, 2**63], dtype=np.uint64)) == 1


@pytest.mark.parametrize("is_positive", [[1, 1, 0, 0, 0], [1, 0, 1, 0, 0], [0, 1, 0, 1, 1]])
def test_unlabeled_estimates_are_exact_in_a_finite_population(is_positive):
    is_positive, score = np.array(is_positive, dtype=bool), np.array([3, 2, 2, 1, 0])
    positive, negative, prior = score[is_positive], score[~is_positive], np.mean(is_positive)
    expected = count_pairs(positive, negative)
    assert auc_positive_unlabeled(positive, score, prior) == pytest.approx(expected, abs=1e-14)
    assert auc_unlabeled_negative(score, negative, prior) == pytest.approx(expected, abs=1e-14)


def test_unlabeled_estimates_are_unbiased():
    rng, prior, shift = np.random.default_rng(0), 0.3, 1.0
    estimates = []
    for _ in range(400):
        positive, negative = rng.normal(shift, size=20), rng.normal(size=20)
        unlabeled = rng.normal(shift * (rng.random(40) < prior))
        estimates.append(
            [
                auc_positive_unlabeled(positive, unlabeled, prior),
                auc_unlabeled_negative(unlabeled, negative, prior),
            ]
        )
    truth = 0.7602499389065233  # Φ(1/√2)
    errors = np.std(estimates, axis=0) / np.sqrt(len(estimates))
    assert np.all(np.abs(np.mean(estimates, axis=0) - truth) < 3 * errors)
    assert np.max(estimates) > 1, "clipped estimates would be biased"


@given(labeled_rows(min_size=0, max_size=5), st.data())
def test_precision_averages_over_orders_of_ties(rows, data):
    y_true, y_score = ((True, *rows[0]), (0.0, *rows[1])) if rows else ((True,), (0.0,))
    k = data.draw(st.integers(1, len(y_true)))
    expected = average_precision_over_orders(y_true, y_score, k)
    found = count_top(np.array(y_true), np.array(y_score), k)
    assert found.precision == pytest.approx(expected, abs=1e-14)
    assert found.lift == pytest.approx(expected / np.mean(y_true), abs=1e-13)
    assert found.recall == pytest.approx(expected * k / np.sum(y_true), abs=1e-13)


@pytest.mark.parametrize(("fraction", "k"), [(0.07, 7), (0.071, 8), (1e-9, 1), (0.999, 100), (np.float32(0.5), 50)])
def test_fraction_is_rounded_up_as_written(fraction, k):
    is_positive, scores = np.arange(100) % 3 == 0, -np.arange(100)
    share, number = count_top(is_positive, scores, fraction), count_top(is_positive, scores, k)
    assert share.precision == number.precision == is_positive[:k].mean()
    assert share.n_rows == number.n_rows == k


def test_numpy_integers_are_counts():
    found = count_top(np.array([True, False, True]), np.array([3, 2, 1]), np.int64(2))
    assert (type(found.cut), found.n_rows, found.precision) == (int, 2, 0.5)


def test_a_cut_beyond_the_rows_takes_all_of_them():
    found = count_top(np.array([True, False, False, True]), np.array([3, 2, 1, 0]), 9)
    assert (found.cut, found.n_rows, found.lift, found.recall) == (9, 4, 1, 1)


MISTAKES = {
    "no positive": (lambda: auc([0, 0], [1, 2]), "both classes, got 0 positive and 2 negative"),
    "no negative": (lambda: auc([True, True], [1, 2]), "both classes, got 2 positive and 0 negative"),
    "empty group": (lambda: auc_of_groups([1], []), r"lower must be a vector .* got shape \(0,\)"),
    "empty rows": (lambda: auc([], []), r"y_score must be a vector .* got shape \(0,\)"),
    "matrix": (lambda: auc([0, 1], [[1], [2]]), r"y_score must be a vector .* got shape \(2, 1\)"),
    "lengths": (lambda: auc([0, 1, 1], [1, 2]), r"y_true and y_score .* shapes \(3,\) and \(2,\)"),
    "NaN": (lambda: auc_of_groups([1, np.nan], [1]), "higher must not hold NaN, got 1 of them"),
    "NaN score": (lambda: auc([1, 0], [1, np.nan]), "y_score must not hold NaN"),
    "text scores": (lambda: auc([0, 1], ["a", "b"]), "y_score must hold real numbers, got dtype <U1"),
    "minus one": (
        lambda: auc([-1, 1], [1, 2]),
        r"booleans or 0 and 1 only, got -1: pass y == positive_class",
    ),
    "NaN label": (lambda: auc([1, 0, np.nan], [1, 2, 3]), "booleans or 0 and 1 only, got nan"),
    "None label": (lambda: auc([1, 0, None], [1, 2, 3]), "booleans or 0 and 1 only, got None"),
    "text label": (lambda: auc(["a", "b"], [1, 2]), "booleans or 0 and 1 only, got 'a'"),
    "prior 0": (
        lambda: auc_positive_unlabeled([1], [2], 0),
        r"class_prior must be a number in \(0, 1\), got 0",
    ),
    "prior 1": (lambda: auc_unlabeled_negative([1], [2], 1.0), r"class_prior .* got 1\.0"),
    "prior NaN": (lambda: auc_positive_unlabeled([1], [2], np.nan), "class_prior .* got nan"),
    "prior text": (lambda: auc_unlabeled_negative([1], [2], "0.5"), "class_prior .* got '0.5'"),
}


@pytest.mark.parametrize(("call", "message"), MISTAKES.values(), ids=MISTAKES)
def test_mistake(call, message):
    with pytest.raises(ValueError, match=message):
        call()
