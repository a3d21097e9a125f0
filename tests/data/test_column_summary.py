import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference
from s2auc.data.column_summary import measure, summarise


def check_summary(summary, X, rtol=1e-9):
    statistics = summary.statistics
    columns = [reference.moments(column) for column in X.T.tolist()]
    mean, deviation, low, high, n_missing = (np.array(values) for values in zip(*columns, strict=True))
    # Rounding of the values themselves is all that may be lost.
    slack = 1e-15 * np.maximum(np.abs(low), np.abs(high))
    assert np.all(np.abs(statistics.mean - mean) <= slack + rtol * deviation)
    assert np.all(np.abs(statistics.deviation - deviation) <= slack + rtol * deviation)
    np.testing.assert_array_equal(statistics.low, low)
    np.testing.assert_array_equal(statistics.high, high)
    np.testing.assert_array_equal(statistics.size, np.maximum(np.abs(low), np.abs(high)))
    np.testing.assert_array_equal(summary.n_missing, n_missing)
    assert summary.n_rows == len(X)


def random_rows(seed, n_rows, n_columns, missing=0.3):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, n_columns)) * 10.0 ** rng.integers(-3, 4, n_columns) + rng.integers(-9, 9, n_columns)
    X[rng.random(X.shape) < missing] = np.nan
    return X


@given(st.integers(0, 2**32), st.integers(1, 40), st.integers(1, 4), st.lists(st.integers(0, 40), max_size=5))
def test_chunks_do_not_matter(seed, n_rows, n_columns, cuts):
    X = random_rows(seed, n_rows, n_columns)
    chunks = np.split(X, sorted(cut for cut in cuts if cut <= n_rows))  # some are empty
    check_summary(summarise(chunks, X[: n_rows // 2 + 1]), X)
    check_summary(summarise(iter([X]), X), X)


@given(st.lists(st.floats(-1e300, 1e300), min_size=1, max_size=30))
def test_any_numbers_are_summarised_or_refused(values):
    X = np.array(values)[:, None]
    check_summary(summarise([X], X), X, rtol=1e-6)
    statistics = measure(X)
    _, deviation, low, high, _ = reference.moments(values)
    size = max(abs(low), abs(high))
    assert abs(statistics.deviation[0] - deviation) <= 1e-12 * size + 1e-320
    assert (statistics.low[0], statistics.high[0]) == (low, high)


@pytest.mark.parametrize("size", [1e-300, 1e-200, 1e-30, 1e30, 1e200, 1e300])
def test_columns_of_any_size_keep_their_digits(size):
    X = size * random_rows(0, 200, 3)
    check_summary(summarise([X[:50], X[50:]], X[:40]), X)


def test_columns_far_from_zero_keep_their_digits():
    X = 1e9 + random_rows(1, 300, 3, missing=0.0)
    check_summary(summarise([X[:100], X[100:]], X[:50]), X, rtol=1e-6)


@pytest.mark.parametrize("missing", [0.5, 0.7, 0.9])
def test_columns_far_from_zero_keep_their_digits_where_most_values_are_missing(missing):
    X = 1e9 + random_rows(2, 300, 3, missing=missing)
    check_summary(summarise([X[:100], X[100:]], X), X, rtol=1e-6)


def test_constant_columns_have_no_deviation():
    X = np.tile([0.1, 1e12, -3e-9, 0.0], (1000, 1))
    X[::3, 1] = np.nan
    statistics = summarise([X[:300], X[300:]], X[:100]).statistics
    assert statistics.deviation.tolist() == [0.0] * 4
    assert statistics.mean.tolist() == [0.1, 1e12, -3e-9, 0.0]


def test_columns_without_values_give_zeros():
    X = np.full((5, 2), np.nan)
    X[3, 1] = 7.0
    for sample in (X, X[:3], X[:0]):
        check_summary(summarise([X[:2], X[2:]], sample), X)


def test_values_unlike_those_of_the_sample_count_too():
    X = np.concatenate([np.zeros((10, 1)), np.full((10, 1), 5.0)])
    summary = summarise([X], X[:10])
    assert (summary.statistics.mean[0], summary.statistics.deviation[0]) == (2.5, 2.5)
    assert summary.sample.tolist() == X[:10].tolist()


@pytest.mark.parametrize(
    "bad", [[np.inf], [-np.inf, 1.0], [np.inf, -np.inf], [np.inf, np.nan], [1.7e308, -1.7e308], [1e308, 1e308]]
)
@pytest.mark.parametrize("in_sample", [True, False])
def test_what_cannot_be_added_up_is_refused(bad, in_sample):
    X = np.ones((6, 3))
    X[3 : 3 + len(bad), 1] = bad
    with pytest.raises(ValueError, match=r"Column 1 of X must hold finite numbers .* Got (inf|1.*e\+308); divide"):
        summarise([X[:2], X[2:]], X if in_sample else X[:2])
