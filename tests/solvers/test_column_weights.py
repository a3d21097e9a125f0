import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import reference
from s2auc.common.groups import PositiveFirst
from s2auc.solvers import space


def auc_weights(positive, negative, weight=None):
    rows = np.concatenate([positive, negative])
    return space.auc_weights(rows, PositiveFirst(len(positive), len(negative), weight))


def rows(seed, n_positive, n_negative, n_columns=3):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_positive + n_negative, n_columns))
    X[:, 0] = X[:, 0].round()  # ties
    X[:n_positive] += rng.normal(size=n_columns)
    return X[:n_positive], X[n_positive:]


@given(st.integers(0, 2**32), st.integers(1, 15), st.integers(1, 15), st.integers(1, 4))
def test_weights_are_those_of_all_pairs(seed, n_positive, n_negative, n_columns):
    positive, negative = rows(seed, n_positive, n_negative, n_columns)
    weights = auc_weights(positive, negative)
    np.testing.assert_allclose(weights, reference.auc_weights(positive, negative), rtol=1e-9)
    np.testing.assert_allclose(np.mean(weights**2), 1.0, rtol=1e-12)
    assert np.all(weights > 0)


@given(st.integers(0, 2**32))
def test_neither_sign_nor_size_nor_classes_nor_order_matter(seed):
    positive, negative = rows(seed, 12, 9)
    weights = auc_weights(positive, negative)
    np.testing.assert_allclose(auc_weights(-positive, -negative), weights, rtol=1e-12)
    np.testing.assert_allclose(auc_weights(1024.0 * positive, 1024.0 * negative), weights, rtol=1e-12)
    np.testing.assert_allclose(auc_weights(negative, positive), weights, rtol=1e-12)
    np.testing.assert_allclose(auc_weights(positive[::-1, ::-1], negative[:, ::-1]), weights[::-1], rtol=1e-12)


def test_constant_columns_weigh_least_and_equal_ones_the_same():
    positive, negative = rows(0, 40, 40, 1)
    weights = auc_weights(np.hstack([positive + 2, np.ones((40, 1))]), np.hstack([negative, np.ones((40, 1))]))
    assert weights[0] > 3 * weights[1] > 0
    assert auc_weights(np.ones((3, 4)), np.ones((5, 4))).tolist() == [1.0] * 4


def test_columns_whose_extremes_belong_together_count():
    rng = np.random.default_rng(0)
    noise = rng.normal(size=(200, 2))
    positive, negative = noise[:100], noise[100:]
    positive[:, 0] += 4.0 * rng.choice([-1, 1], 100)
    weights = auc_weights(positive, negative)
    assert weights[0] > 4 * weights[1]


def test_columns_that_tell_nothing_weigh_less_the_more_labels_there_are():
    noise = np.random.default_rng(1).normal(size=(8000, 11))
    noise[::2, 0] += 2.0
    shares = [np.median(auc_weights(noise[:n:2], noise[1:n:2])[1:]) for n in (20, 200, 8000)]
    assert shares[0] > shares[1] > shares[2]
