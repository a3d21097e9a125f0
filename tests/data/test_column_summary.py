"""Statistics of columns against exact fractions, with missing values and numbers of any size."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference
from s2auc.data.features.summary import check_measurable, check_varying, measure


def check_statistics(X, rtol=1e-9):
    found = measure(X)
    columns = [reference.moments(column) for column in X.T.tolist()]
    mean, deviation, low, high, n_missing = (np.array(values) for values in zip(*columns, strict=True))
    size = np.maximum(np.abs(low), np.abs(high))
    # Rounding of the values and of their sum is all that may be lost.
    slack = len(X) * np.finfo(np.float64).eps * size + 1e-320
    assert np.all(np.abs(found.mean - mean) <= slack + rtol * deviation)
    assert np.all(np.abs(found.deviation - deviation) <= slack + rtol * deviation)
    np.testing.assert_array_equal(found.low, low)
    np.testing.assert_array_equal(found.high, high)
    np.testing.assert_array_equal(found.size, size)
    np.testing.assert_array_equal(found.n_missing, n_missing)
    check_measurable(found, [str(column) for column in range(X.shape[1])])


def random_rows(seed, n_rows, n_columns, missing=0.3):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, n_columns)) * 10.0 ** rng.integers(-3, 4, n_columns) + rng.integers(-9, 9, n_columns)
    X[rng.random(X.shape) < missing] = np.nan
    return X


@given(st.integers(0, 2**32), st.integers(1, 40), st.integers(1, 4), st.sampled_from([0.0, 0.3, 0.9]))
def test_statistics_are_those_of_the_values_that_are_there(seed, n_rows, n_columns, missing):
    X = random_rows(seed, n_rows, n_columns, missing)
    before = X.copy()
    check_statistics(X)
    check_statistics(np.asfortranarray(X))
    np.testing.assert_array_equal(X, before)


@given(st.lists(st.floats(-1e300, 1e300), min_size=1, max_size=30), st.integers(0, 3))
def test_any_numbers_are_measured(values, n_missing):
    check_statistics(np.array([*values, *[np.nan] * n_missing])[:, None])


@given(st.integers(0, 2**32), st.integers(1, 40))
def test_a_missing_value_elsewhere_changes_nothing(seed, n_rows):
    """Columns without missing values are measured alike, whether others have some or not."""
    X = random_rows(seed, n_rows, 3, missing=0.0)
    alone, together = measure(X), measure(np.column_stack([X, np.full(n_rows, np.nan)]))
    for name in ("mean", "deviation", "low", "high"):
        size = np.abs(X).max(axis=0)
        np.testing.assert_array_less(np.abs(getattr(together, name)[:3] - getattr(alone, name)), 1e-13 * size + 1e-320)
        assert getattr(together, name)[3] == 0.0
    assert together.n_missing.tolist() == [0, 0, 0, n_rows]


@pytest.mark.parametrize("size", [1e-300, 1e-200, 1e-30, 1e30, 1e200, 1e300])
@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_columns_of_any_size_keep_their_digits(size, missing):
    check_statistics(size * random_rows(0, 200, 3, missing))


@pytest.mark.parametrize("missing", [0.0, 0.5, 0.7, 0.9])
def test_columns_far_from_zero_keep_their_digits(missing):
    X = 1e9 + random_rows(2, 300, 3, missing=missing)
    check_statistics(X, rtol=1e-6)


def test_constant_columns_have_no_deviation_but_rounding():
    X = np.tile([0.1, 1e12, -3e-9, 0.0], (1000, 1))
    for n_missing in (0, 300):
        X[:n_missing, 1] = np.nan
        found = measure(X)
        np.testing.assert_allclose(found.mean, [0.1, 1e12, -3e-9, 0.0], rtol=1e-13)
        assert np.all(found.deviation <= 1e-13 * found.size)


def test_columns_without_values_give_zeros():
    X = np.full((5, 2), np.nan)
    X[3, 1] = 7.0
    check_statistics(X)
    found = measure(X[:3])
    assert found.n_missing.tolist() == [3, 3]
    for part in (found.mean, found.deviation, found.low, found.high, found.size):
        assert part.tolist() == [0.0, 0.0]


@pytest.mark.parametrize(
    "bad", [[np.inf], [-np.inf, 1.0], [np.inf, -np.inf], [np.inf, np.nan], [1.7e308, -1.7e308], [1e308, 1e308]]
)
@pytest.mark.parametrize("missing_elsewhere", [True, False])
def test_what_cannot_be_added_up_is_refused(bad, missing_elsewhere):
    X = np.ones((6, 3))
    X[3 : 3 + len(bad), 1] = bad
    if missing_elsewhere:
        X[0, 0] = np.nan
    with np.errstate(over="ignore", invalid="ignore"):
        found = measure(X)
    with pytest.raises(ValueError, match=r"Column shoe of X must hold finite numbers .* Got (inf|1.*e\+308); divide"):
        check_measurable(found, ["age", "shoe", "height"])


def test_the_first_column_that_cannot_be_used_is_named():
    with np.errstate(over="ignore", invalid="ignore"):
        found = measure(np.array([[1.0, np.inf, -np.inf], [2.0, 1.0, 1.0]]))
    with pytest.raises(ValueError, match=r"Column 1 of X .* Got inf;"):
        check_measurable(found, ["0", "1", "2"])


def test_some_column_must_differ_between_rows():
    constant = np.tile([1.0, np.nan, -3.0], (5, 1))
    with pytest.raises(
        ValueError, match=r"X must have a column that differs .* Got one value or none .* of 5 rows; add"
    ):
        check_varying(measure(constant), 5, list("abc"))
    check_varying(measure(constant[:1]), 1, list("abc"))
    for column, value in ((0, 2.0), (0, np.nan), (1, 0.0)):
        other = constant.copy()
        other[2, column] = value
        check_varying(measure(other), 5, list("abc"))


def test_columns_that_vary_by_next_to_nothing_are_named():
    X = np.column_stack([np.arange(4.0), 1e-310 * np.arange(4)])
    with pytest.warns(UserWarning, match=r"^Column b of X varies by 1.12e-310 only, .*; multiply it by 1e300\.$"):
        check_varying(measure(X), 4, ["a", "b"])
