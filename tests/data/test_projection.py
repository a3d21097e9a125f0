"""Components of very many columns: units, leading singular vectors, and rows that are seen through them."""

import pickle

import numpy as np
import pytest
from scipy.sparse import coo_array, csc_array, csr_array, csr_matrix

import reference
from s2auc.data.features.projection import (
    MANY_COLUMNS,
    MAX_COLUMN,
    MAX_DENSE_COLUMNS,
    USUAL_COMPONENTS,
    ProjectedRows,
    Projection,
    choose_n_components,
    column_units,
    in_units,
    learn_projection,
    stored_numbers,
)
from s2auc.data.schema.schema import Schema
from s2auc.data.sources.matrix_rows import DenseRows, SparseRows
from sparse_rows import random_rows

N_ROWS, N_COLUMNS = 60, 30


def make_rows(seed=0, n_rows=N_ROWS, n_columns=N_COLUMNS):
    """Sparse rows in which columns differ in size; some values are missing, some stored ones are zero."""
    rng = np.random.default_rng(seed)
    rows = random_rows((n_rows, n_columns), density=0.2, rng=rng, sampler=rng.standard_normal)
    rows.data *= np.exp(2.0 * rng.normal(size=n_columns))[rows.indices]
    rows.data[::11] = np.nan
    rows.data[5::13] = 0.0
    return rows


def make_topics(seed=0, n_rows=300, n_columns=80):
    """Counts of three groups of columns that occur together, which a few singular vectors tell from noise."""
    rng = np.random.default_rng(seed)
    rate = 0.05 + 4.0 * rng.random((n_rows, 3, 1)) * (np.arange(n_columns) % 3 == np.arange(3)[:, None])
    return csr_array(rng.poisson(rate.max(axis=1)).astype(float))


FORMS = {"csr": csr_array, "csr matrix": csr_matrix, "csc": csc_array, "coo": coo_array, "dense": lambda X: X.toarray()}


@pytest.mark.parametrize("form", FORMS)
def test_components_are_products_without_what_is_missing(form):
    rows, matrix = make_rows(), np.random.default_rng(1).normal(size=(N_COLUMNS, 4))
    found = Projection(matrix).apply(FORMS[form](rows))
    expected = [reference.components(row, matrix) for row in rows.toarray()]
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)
    assert found.dtype == np.float64
    np.testing.assert_array_equal(found, Projection(matrix).apply(rows))


def test_components_of_a_row_do_not_depend_on_the_others():
    rows, projection = make_rows(), Projection(np.random.default_rng(1).normal(size=(N_COLUMNS, 4)))
    together = projection.apply(rows)
    np.testing.assert_array_equal(np.concatenate([projection.apply(rows[:7]), projection.apply(rows[7:])]), together)
    assert projection.apply(rows[:0]).shape == (0, 4)
    assert projection.apply(csr_array((3, N_COLUMNS))).tolist() == [[0.0] * 4] * 3


def test_sizes_and_the_column_that_adds_most():
    projection = Projection(np.array([[1.0, 0.0], [-3.0, 0.5], [2.0, -0.25]]))
    assert (projection.n_columns, projection.n_components) == (3, 2)
    assert (projection.heaviest_column(0), projection.heaviest_column(1)) == (1, 1)


@pytest.mark.parametrize("form", FORMS)
def test_stored_numbers_are_those_that_count_and_rows_stay_as_they_were(form):
    rows = make_rows()
    given = FORMS[form](rows)
    before = given.copy()
    found = stored_numbers(given)
    assert isinstance(found, csr_array)
    assert found.nnz == np.count_nonzero(np.nan_to_num(rows.data))
    np.testing.assert_array_equal(found.toarray(), np.nan_to_num(rows.toarray()))
    values, values_before = (held if form == "dense" else held.data for held in (given, before))
    np.testing.assert_array_equal(values, values_before)


def test_stored_numbers_that_all_count_are_not_copied():
    rows = csr_array(np.eye(3))
    assert np.shares_memory(stored_numbers(rows).data, rows.data)


@pytest.mark.parametrize("seed", range(5))
def test_units_are_one_over_the_usual_size_and_less_for_large_columns(seed):
    rows = make_rows(seed)
    units = column_units(stored_numbers(rows))
    np.testing.assert_allclose(units, reference.column_units(rows.toarray(), MAX_COLUMN), rtol=1e-12)
    scaled = in_units(rows, units)
    np.testing.assert_allclose(scaled.toarray(), np.nan_to_num(rows.toarray()) * units, rtol=1e-15)
    sizes = [np.sqrt(np.mean(np.square(values[values != 0]))) for values in scaled.toarray().T if values.any()]
    # Some columns are made smaller, none becomes larger than it may be.
    assert max(sizes) == pytest.approx(MAX_COLUMN)
    assert np.median(sizes) == pytest.approx(1.0)


def test_columns_of_one_size_keep_their_proportions():
    rows = make_topics()
    assert len(set(column_units(rows).tolist())) == 1


def test_columns_without_values_have_the_usual_unit():
    rows = csr_array([[0.0, 2.0, 0.0, 0.0], [0.0, 0.0, 4.0, 0.0], [0.0, 2.0, 0.0, 0.0]])
    assert column_units(rows).tolist() == [1 / 3] * 4
    assert column_units(csr_array((5, 3))).tolist() == [1.0] * 3


@pytest.mark.parametrize("power", [-1000, -500, 500, 1000])
def test_units_of_very_small_and_very_large_values(power):
    rows = stored_numbers(make_rows())
    expected = np.ldexp(column_units(rows), -power)
    rows.data = np.ldexp(rows.data, power)
    np.testing.assert_array_equal(column_units(rows), expected)


def test_components_are_the_leading_singular_vectors():
    rows = make_topics()
    units = np.array(reference.column_units(rows.toarray()))
    vectors = reference.singular_vectors(rows.toarray() * units, 3)
    matrix = learn_projection(rows, 3, seed=0).matrix
    assert matrix.flags.c_contiguous
    # Singular vectors are unique but for their signs.
    signs = np.sign((matrix / units[:, None] * vectors).sum(axis=0))
    np.testing.assert_allclose(matrix, units[:, None] * vectors * signs, atol=1e-4 * np.abs(matrix).max())


def test_all_components_keep_all_there_is():
    rows = make_rows()
    units = column_units(stored_numbers(rows))
    scaled = in_units(rows, units).toarray()
    components = learn_projection(rows, N_COLUMNS, seed=0).apply(rows)
    np.testing.assert_allclose(components @ components.T, scaled @ scaled.T, atol=1e-9 * np.square(scaled).sum())


@pytest.mark.parametrize(("n_rows", "n_columns", "asked", "expected"), [(1, 9, 5, 1), (4, 9, 5, 4), (50, 9, 90, 9)])
def test_there_are_no_more_components_than_rows_or_columns(n_rows, n_columns, asked, expected):
    projection = learn_projection(make_rows(0, n_rows, n_columns), asked, seed=0)
    assert projection.matrix.shape == (n_columns, expected)
    assert np.isfinite(projection.matrix).all()


def test_a_seed_decides_on_all_bits():
    rows = make_rows()
    first = learn_projection(rows, 4, seed=2**64 - 1).matrix
    np.testing.assert_array_equal(learn_projection(rows.toarray(), 4, seed=2**64 - 1).matrix, first)
    assert not np.array_equal(learn_projection(rows, 4, seed=5).matrix, first)


def test_rows_without_values_and_rows_that_are_alike_have_components():
    empty = learn_projection(csr_array((20, 9)), 4, seed=0)
    assert np.isfinite(empty.matrix).all()
    assert not empty.apply(csr_array((20, 9))).any()
    alike = csr_array(np.tile([0.0, 1.0, 0.0, 3.0], (20, 1)))
    components = learn_projection(alike, 4, seed=0).apply(alike)
    np.testing.assert_allclose(np.square(components).sum(axis=1), np.square([1.0, 3.0]).sum() / 2.0**2, rtol=1e-12)
    assert len(np.unique(components, axis=0)) == 1


@pytest.mark.parametrize("pool", ["sparse", "dense"])
def test_a_source_of_components(pool):
    rows, projection = make_rows(), Projection(np.random.default_rng(1).normal(size=(N_COLUMNS, 4)))
    source = ProjectedRows(SparseRows(rows) if pool == "sparse" else DenseRows(rows.toarray()), projection)
    expected = projection.apply(rows)
    assert (source.n_rows, source.n_columns, source.schema) == (N_ROWS, 4, Schema(4, {}))
    numbers = np.array([3, 3, 59, 0])
    np.testing.assert_array_equal(source.gather(numbers), expected[numbers])
    np.testing.assert_array_equal(np.concatenate(list(source.scan(7))), expected)
    firsts = list(pickle.loads(pickle.dumps(source)).map_chunks(first_and_size, 7))
    assert firsts == [(first, min(7, N_ROWS - first)) for first in range(0, N_ROWS, 7)]


def first_and_size(rows, first):
    return first, len(rows)


NUMBERS, CATEGORIES = Schema(MANY_COLUMNS + 1, {}), Schema(MANY_COLUMNS + 1, {3: None})
SPARSE, DENSE = csr_array((2, MANY_COLUMNS + 1)), np.zeros((2, MANY_COLUMNS + 1))


@pytest.mark.parametrize(
    ("asked", "rows", "schema", "expected"),
    [
        ("auto", SPARSE, NUMBERS, USUAL_COMPONENTS),
        ("auto", SPARSE[:, :-1], Schema(MANY_COLUMNS, {}), None),
        ("auto", DENSE, NUMBERS, None),
        ("auto", SPARSE, CATEGORIES, None),
        (None, SPARSE, NUMBERS, None),
        (None, csr_array((2, MAX_DENSE_COLUMNS)), Schema(MAX_DENSE_COLUMNS, {}), None),
        (None, np.zeros((2, MAX_DENSE_COLUMNS + 1)), Schema(MAX_DENSE_COLUMNS + 1, {}), None),
        (7, SPARSE, NUMBERS, 7),
        (7, DENSE, NUMBERS, None),
        (7, SPARSE[:, :3], Schema(3, {}), 7),
    ],
)
def test_how_many_components_are_wanted(asked, rows, schema, expected):
    assert choose_n_components(asked, rows, schema) == expected


def test_a_number_is_refused_where_columns_hold_categories():
    sentence = r"^The 'sparse_components' parameter must be .* Got 7 and \d+ such columns; leave .*\.$"
    with pytest.raises(ValueError, match=sentence):
        choose_n_components(7, SPARSE, CATEGORIES)


def test_sparse_rows_that_would_take_too_much_memory_when_dense_are_refused():
    n_columns = MAX_DENSE_COLUMNS + 1
    sentence = (
        rf"^The 'sparse_components' parameter must be 'auto' or a number .* Got None and {n_columns} columns; .*\.$"
    )
    with pytest.raises(ValueError, match=sentence):
        choose_n_components(None, csr_array((2, n_columns)), Schema(n_columns, {}))
