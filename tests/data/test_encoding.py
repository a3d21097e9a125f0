"""Encoded columns against one value at a time."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

import reference
from s2auc.data.features.encoding import Encoding, Kind, ranks_of
from s2auc.data.features.scaling import ColumnScaling

WORDS = {Kind.VALUE: "value", Kind.RANK: "rank", Kind.LEVEL: "level", Kind.MISSING: "missing"}


def random_encoding(rng, n_columns, n_encoded):
    kind = rng.integers(0, len(Kind), n_encoded)
    sizes = rng.integers(1, 6, np.count_nonzero(kind == Kind.RANK))
    bounds = np.concatenate([[0], np.cumsum(sizes)])
    return Encoding(
        n_columns=n_columns,
        source=rng.integers(0, n_columns, n_encoded),
        kind=kind,
        number=rng.integers(-2, 3, n_encoded).astype(float),
        bounds=bounds,
        knots=np.concatenate([np.zeros(0), *(np.sort(rng.choice(20, size, replace=False)) - 10.0 for size in sizes)]),
        ranks=np.concatenate([np.zeros(0), *(np.sort(rng.random(size)) for size in sizes)]),
    )


def by_reference(encoding, X):
    columns = [(s, WORDS[k], v) for s, k, v in zip(encoding.source, encoding.kind, encoding.number, strict=True)]
    parts = [slice(a, b) for a, b in zip(encoding.bounds[:-1], encoding.bounds[1:], strict=True)]
    knots = [list(zip(encoding.knots[part], encoding.ranks[part], strict=True)) for part in parts]
    return [reference.encode(row, columns, knots) for row in X]


@given(st.integers(0, 2**32), st.integers(1, 4), st.integers(1, 8))
def test_rows_are_encoded_as_the_reference_does(seed, n_columns, n_encoded):
    rng = np.random.default_rng(seed)
    encoding = random_encoding(rng, n_columns, n_encoded)
    X = rng.choice([np.nan, -1e300, -11.0, -2.0, -0.5, 0.0, 1.0, 2.0, 3.3, 11.0], (7, n_columns))
    before = X.copy()
    encoded = encoding.apply(X)
    np.testing.assert_allclose(encoded, by_reference(encoding, X), rtol=1e-12, atol=1e-12)
    assert encoded.dtype == np.float64
    np.testing.assert_array_equal(X, before)
    np.testing.assert_array_equal(encoding.apply(np.asfortranarray(X)), encoded)
    np.testing.assert_array_equal(np.vstack([encoding.apply(X[:3]), encoding.apply(X[3:])]), encoded)


@given(st.integers(0, 2**32), st.integers(1, 4), st.integers(0, 8), st.integers(0, 8))
def test_parts_of_an_encoding_give_some_of_its_columns(seed, n_columns, first, n_chosen):
    rng = np.random.default_rng(seed)
    encoding = random_encoding(rng, n_columns, first + n_chosen + 2)
    X = rng.choice([np.nan, -11.0, -0.5, 1.0, 2.0], (7, n_columns))
    places = slice(first, first + n_chosen)
    np.testing.assert_array_equal(encoding.part(places).apply(X), encoding.apply(X)[:, places])


def test_integers_and_no_rows_at_all_are_encoded():
    encoding = random_encoding(np.random.default_rng(0), 3, 5)
    X = np.arange(6).reshape(2, 3)
    np.testing.assert_array_equal(encoding.apply(X), encoding.apply(X.astype(float)))
    assert encoding.apply(np.zeros((0, 3))).shape == (0, 5)


def plain_encoding(n_columns):
    """Every column stands for itself."""
    return Encoding(
        n_columns=n_columns,
        source=np.arange(n_columns),
        kind=np.full(n_columns, Kind.VALUE),
        number=np.arange(n_columns) + 0.5,
        bounds=np.array([0]),
        knots=np.zeros(0),
        ranks=np.zeros(0),
    )


@given(st.integers(0, 2**32), st.integers(1, 4))
def test_columns_that_stand_for_themselves_are_encoded_as_the_reference_does(seed, n_columns):
    encoding = plain_encoding(n_columns)
    X = np.random.default_rng(seed).choice([np.nan, -1e300, -2.0, 0.0, 3.3, 1e300], (5, n_columns))
    before = X.copy()
    np.testing.assert_array_equal(encoding.apply(X), by_reference(encoding, X))
    np.testing.assert_array_equal(X, before)


def test_complete_rows_that_stand_for_themselves_are_not_copied():
    X = np.random.default_rng(0).normal(size=(6, 3))
    encoding = plain_encoding(3)
    assert encoding.apply(X) is X
    assert encoding.apply(X.astype(np.float32)).dtype == np.float64
    assert encoding.apply(np.zeros((0, 3))).shape == (0, 3)
    missing = X.copy()
    missing[4, 1] = np.nan
    filled = encoding.apply(missing)
    assert filled[4, 1] == 1.5
    assert np.isnan(missing[4, 1])
    # Columns in another order, or some of them only, are no such rows.
    for source in ([0, 2, 1], [0, 1]):
        other = replace(
            encoding, source=np.array(source), kind=np.zeros(len(source), int), number=np.zeros(len(source))
        )
        np.testing.assert_array_equal(other.apply(X), X[:, source])


@pytest.mark.parametrize("values", [[np.inf, -np.inf], [1.7e308, 1.7e308], [np.inf, np.inf]])
def test_sums_that_overflow_do_not_hide_what_is_there(values):
    """The search for NaN sums all values."""
    X = np.array([values, [1.0, 2.0]])
    np.testing.assert_array_equal(plain_encoding(2).apply(X), X)


def one_column(kind, numbers, knots=(), ranks=()):
    n = len(numbers)
    bounds = np.array([0, len(knots)] if knots else [0])
    return Encoding(
        1, np.zeros(n, np.intp), np.full(n, kind), np.array(numbers), bounds, np.array(knots), np.array(ranks)
    )


def test_an_unknown_level_and_a_missing_one_become_zeros():
    encoding = one_column(Kind.LEVEL, [0.0, 1.0, 2.0])
    assert encoding.apply([[1.0], [7.0], [0.5], [np.nan]]).tolist() == [[0, 1, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]]


def test_ranks_stay_beyond_the_ends():
    encoding = one_column(Kind.RANK, [2.0], [1.0, 3.0], [0.25, 0.75])
    assert encoding.apply([[-np.inf], [-1e308], [1.0], [2.0], [3.0], [1e308], [np.nan]]).ravel().tolist() == [
        *(0.25, 0.25, 0.25, 0.5, 0.75, 0.75, 0.5)
    ]


@pytest.mark.parametrize("size", [5e-324, 1e-310, 1e-300, 1.0, 1e300])
def test_ranks_between_knots_of_any_size_are_finite(size):
    knots = size * np.arange(1.0, 4.0)
    encoding = one_column(Kind.RANK, [0.0], knots.tolist(), [0.1, 0.5, 0.9])
    encoded = encoding.apply((size * np.linspace(0, 5, 21))[:, None])
    assert np.isfinite(encoded).all()
    np.testing.assert_array_equal(encoding.apply(knots[:, None]).ravel(), [0.1, 0.5, 0.9])


VALUES = st.lists(st.one_of(st.integers(-5, 5).map(float), st.floats(-1e300, 1e300)), min_size=1, max_size=60)


@given(VALUES)
def test_ranks_of_few_values_are_those_of_counting(values):
    knots, ranks = ranks_of(np.array(values), n_knots=100)
    assert knots.tolist() == sorted(set(values))
    np.testing.assert_allclose(ranks, [reference.rank(knot, values) for knot in knots], rtol=1e-12)


@given(VALUES, st.integers(2, 9))
def test_ranks_at_some_knots_are_exact_and_rise(values, n_knots):
    knots, ranks = ranks_of(np.array(values), n_knots)
    assert len(knots) <= n_knots or len(knots) == len(set(values))
    assert (knots[0], knots[-1]) == (min(values), max(values))
    np.testing.assert_allclose(ranks, [reference.rank(knot, values) for knot in knots], rtol=1e-12)
    assert np.all(np.diff(knots) > 0)
    assert np.all(np.diff(ranks) > 0)
    assert ranks.min() > 0
    assert ranks.max() < 1


@given(st.lists(st.integers(-1000, 1000), min_size=1, max_size=50), st.integers(2, 12))
def test_ranks_do_not_change_with_monotone_transforms(values, n_knots):
    plain = np.array(values, dtype=float)
    knots, ranks = ranks_of(plain, n_knots)
    cubed_knots, cubed_ranks = ranks_of(plain**3, n_knots)
    np.testing.assert_array_equal(cubed_knots, knots**3)
    np.testing.assert_array_equal(cubed_ranks, ranks)


def test_ranks_between_knots_are_close_to_those_of_counting():
    values = np.random.default_rng(0).lognormal(size=2000)
    knots, ranks = ranks_of(values, n_knots=100)
    encoding = one_column(Kind.RANK, [1.0], knots.tolist(), ranks.tolist())
    exact = [reference.rank(value, values.tolist()) for value in values[:200]]
    np.testing.assert_allclose(encoding.apply(values[:200, None]).ravel(), exact, atol=1 / 99)


def test_columns_that_stand_for_themselves():
    encoding = Encoding.plain(np.array([5.0, 0.0, -1.0]))
    rows = np.array([[1.0, np.nan, np.nan], [np.nan, 2.0, 3.0], [4.0, 5.0, 6.0]])
    expected = [reference.encode(row, [(0, "value", 5.0), (1, "value", 0.0), (2, "value", -1.0)], []) for row in rows]
    assert encoding.is_plain
    np.testing.assert_array_equal(encoding.apply(rows), expected)
    np.testing.assert_array_equal(encoding.fill_sparse(csr_array(rows)).toarray(), expected)
    assert ColumnScaling(np.zeros(3), np.ones(3), encoding).takes_missing
    assert not ColumnScaling(np.zeros(3), np.ones(3)).takes_missing
