"""Every column becomes what suits it, and all of them come out of comparable width."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

import reference
from s2auc.data.features.encoding import Kind
from s2auc.data.features.scaling import FEW_VALUES, MAX_LEVELS, N_KNOTS, SCALINGS, ColumnSample, prepare_columns
from s2auc.data.schema.schema import Schema


def rows(n=300):
    """Return columns of many values, of few values, of categories, and of many values with some missing."""
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.lognormal(size=n), rng.integers(0, 3, n), rng.integers(0, 4, n), rng.normal(size=n)])
    X[rng.random(n) < 0.2, 3] = np.nan
    X[5, 2] = np.nan
    return X


def prepare(X, scaling="standard", categorical=()):
    schema = Schema(X.shape[1], dict.fromkeys(categorical))
    return prepare_columns(ColumnSample.of_rows(X, schema), SCALINGS[scaling])


def layout(columns):
    encoding = columns.encoding
    return [(int(source), Kind(kind).name) for source, kind in zip(encoding.source, encoding.kind, strict=True)]


@pytest.mark.parametrize("scaling", SCALINGS)
def test_columns_that_are_measured_in_parts_have_the_same_bits(scaling, monkeypatch):
    X = np.random.default_rng(0).lognormal(size=(300, 9))
    X[:, 4:] = (10 * X[:, 4:]).round()  # categories
    X[::7, ::2] = np.nan
    whole = prepare(X, scaling, range(4, 9))
    for n_numbers in (1, 300 * 3, 300 * (len(whole.shift) - 1)):
        monkeypatch.setattr("s2auc.data.features.scaling.MEASURED_NUMBERS", n_numbers)
        parts = prepare(X, scaling, range(4, 9))
        np.testing.assert_array_equal(parts.shift, whole.shift)
        np.testing.assert_array_equal(parts.scale, whole.scale)


@pytest.mark.parametrize("scaling", SCALINGS)
def test_every_column_becomes_what_suits_it(scaling):
    columns = prepare(rows(), scaling, categorical=[2])
    number = "RANK" if scaling == "rank" else "VALUE"
    levels = [(2, "LEVEL")] * 4 + [(2, "MISSING")]
    assert layout(columns) == [(0, number), (1, "VALUE"), *levels, (3, number), (3, "MISSING")]
    assert columns.n_columns == 4
    assert columns.apply(rows()).shape == (300, 9)
    assert np.isfinite(columns.apply(rows())).all()


@pytest.mark.parametrize("scaling", ["standard", "rank"])
def test_encoded_columns_have_mean_zero_and_deviation_one(scaling):
    X = rows()
    X[:, 3] = np.nan_to_num(X[:, 3])  # a median in place of missing values moves the mean
    scaled = prepare(X, scaling, categorical=[2]).apply(X)
    np.testing.assert_allclose([scaled.mean(axis=0), scaled.std(axis=0)], [[0] * 8, [1] * 8], atol=1e-9)


def test_minmax_goes_from_zero_to_one():
    X = rows()
    scaled = prepare(X, "minmax", categorical=[2]).apply(X)
    np.testing.assert_allclose([scaled.min(axis=0), scaled.max(axis=0)], [[0] * 9, [1] * 9], atol=1e-12)


@pytest.mark.parametrize("scaling", ["standard", "minmax", "none"])
def test_complete_numbers_are_scaled_as_without_an_encoding(scaling):
    X = rows()[:, :2]
    np.testing.assert_allclose(prepare(X, scaling).apply(X), SCALINGS[scaling](X).apply(X), rtol=1e-12, atol=1e-12)


def test_a_sample_knows_its_columns():
    X = rows()
    sample = ColumnSample.of_rows(X, Schema(4, {2: None}, ("fare", "deck", "port", "age")))
    assert sample.rows is X
    assert sample.schema.is_categorical.tolist() == [False, False, True, False]
    assert sample.statistics.n_missing.tolist() == np.isnan(X).sum(axis=0).tolist()
    np.testing.assert_allclose(sample.statistics.mean, np.nanmean(X, axis=0), rtol=1e-12)


@pytest.mark.parametrize(("names", "display_name"), [(("fare", "deck", "port", "age"), "'deck'"), (None, "1")])
@pytest.mark.parametrize("bad", [np.inf, -np.inf, 1.7e308])
def test_columns_that_do_not_add_up_are_named(names, display_name, bad):
    X = rows()
    X[[3, 7], 1] = bad
    with pytest.raises(
        ValueError, match=f"Column {display_name} of X must hold finite numbers that add up without overflow"
    ):
        ColumnSample.of_rows(X, Schema(4, {}, names))


def test_values_are_scaled_by_what_is_there_and_ranks_by_their_shares():
    X = rows()[:, [0, 1, 3]]
    plain, ranked = prepare(X, "standard"), prepare(X, "rank")
    # The third column has a mark of missing values beside it; its median takes no part.
    np.testing.assert_allclose(plain.shift[:3], np.nanmean(X, axis=0), rtol=1e-12)
    np.testing.assert_allclose(1 / plain.scale[:3], np.nanstd(X, axis=0), rtol=1e-12)
    shares = [reference.rank(value, X[:, 0].tolist()) for value in X[:, 0]]
    np.testing.assert_allclose(ranked.apply(X)[:, 0], (shares - np.mean(shares)) / np.std(shares), rtol=1e-9)
    np.testing.assert_allclose(ranked.shift[1], X[:, 1].mean(), rtol=1e-12)


@pytest.mark.parametrize("scaling", SCALINGS)
def test_the_median_stands_in_for_a_missing_value(scaling):
    X = rows()
    columns = prepare(X, scaling)
    row = np.array([[1.0, 1.0, 1.0, np.nan], [np.nan, np.nan, np.nan, 0.0]])
    filled = np.where(np.isnan(row), np.nanmedian(X, axis=0), row)
    is_mark = columns.encoding.kind == Kind.MISSING
    np.testing.assert_array_equal(columns.apply(row)[:, ~is_mark], columns.apply(filled)[:, ~is_mark])
    marks = columns.apply(row)[:, is_mark], columns.apply(filled)[:, is_mark]
    # The second mark says so; columns that were always there have none.
    assert (marks[0] != marks[1]).tolist() == [[False, True], [True, False]]


@given(st.integers(0, 2**32))
def test_ranks_do_not_change_with_monotone_transforms(seed):
    X = np.random.default_rng(seed).integers(-50, 50, (80, 2)).astype(float)
    scaled = SCALINGS["rank"](X).apply(X)
    np.testing.assert_array_equal(SCALINGS["rank"](X**3).apply(X**3), scaled)


def test_few_values_are_not_ranked():
    few = np.arange(200.0) % FEW_VALUES
    many = np.arange(200.0) % (FEW_VALUES + 1)
    assert layout(SCALINGS["rank"](np.column_stack([few, many]))) == [(0, "VALUE"), (1, "RANK")]
    huge = np.random.default_rng(0).normal(size=(5 * N_KNOTS, 1))
    assert len(SCALINGS["rank"](huge).encoding.knots) == N_KNOTS


def test_the_most_frequent_levels_are_kept():
    n_levels = MAX_LEVELS + 50
    X = np.repeat(np.arange(n_levels), np.where(np.arange(n_levels) % 3 == 0, 1, 2)).astype(float)[:, None]
    kept = prepare(X, categorical=[0]).encoding.number
    assert len(kept) == MAX_LEVELS
    assert kept.tolist() == [level for level in range(n_levels) if level % 3][:MAX_LEVELS]
    dropped = prepare(X, "none", categorical=[0]).apply([[0.0], [1.0]])
    assert dropped.sum(axis=1).tolist() == [0.0, 1.0]


@pytest.mark.parametrize("scaling", SCALINGS)
@pytest.mark.parametrize("constant", [np.nan, 0.0, 0.1, 1e12, 1e-300])
@pytest.mark.parametrize("categorical", [[], [0]])
def test_constant_and_missing_columns_stay_finite(scaling, constant, categorical):
    X = np.full((7, 2), constant)
    X[:, 1] = np.arange(7)
    columns = prepare(X, scaling, categorical)
    for value in (constant, np.nan, 5.0):
        assert np.isfinite(columns.apply(np.array([[value, 3.0]]))).all()
    if scaling != "none":
        assert np.abs(columns.apply(X)).max() < 3


@pytest.mark.parametrize("size", [1e-300, 1e-200, 1e200, 1e300])
@pytest.mark.parametrize("scaling", ["standard", "minmax", "rank"])
def test_columns_of_any_size_are_prepared_alike(size, scaling):
    X = rows()
    np.testing.assert_allclose(
        prepare(size * X, scaling).apply(size * X), prepare(X, scaling).apply(X), rtol=1e-9, atol=1e-9
    )


def test_a_value_missing_beyond_the_sample_is_filled_but_not_marked():
    X = rows()[:, :1]
    columns = prepare(X)
    assert layout(columns) == [(0, "VALUE")]
    np.testing.assert_array_equal(columns.apply([[np.nan]]), columns.apply([[np.median(X)]]))


def test_sparse_rows_are_prepared_as_dense_ones_are():
    X = np.nan_to_num(rows())
    columns = prepare(X, "rank", categorical=[2])
    np.testing.assert_array_equal(columns.apply(csr_array(X)), columns.apply(X))


def test_weights_multiply_encoded_columns():
    X = rows()
    columns = prepare(X, "rank", categorical=[2])
    weights = np.arange(1.0, 10.0)
    np.testing.assert_allclose(columns.weighted(weights).apply(X), columns.apply(X) * weights, rtol=1e-12)
    assert columns.weighted(weights).encoding is columns.encoding
    plain = SCALINGS["standard"](X[:, :2])
    assert plain.n_columns == plain.weighted(np.array([2.0, 0.0])).n_columns == 2
