"""Parts of every kind score as their formulas say, and come back from their form in a file."""

import json
import pickle
import re
from dataclasses import replace

import numpy as np
import pytest
from scipy.sparse import coo_array, csr_array, csr_matrix
from sklearn.ensemble import RandomForestClassifier

from model_samples import PART_SAMPLES, make_kernel_part, make_linear_part, make_part, make_table_model, make_tree_part
from reference import trees as reference
from s2auc.data.features.encoding import Encoding
from s2auc.data.features.scaling import SCALINGS, ColumnSample, ColumnScaling, prepare_columns
from s2auc.data.schema.schema import Schema
from s2auc.kernels.frequencies import draw_frequencies
from s2auc.kernels.shift_invariant import KERNELS
from s2auc.models.parts.kinds import PARTS, PLAIN_PARTS, kind_of_part
from s2auc.models.parts.trees.part import TreePart
from sparse_rows import random_rows

X = np.random.default_rng(0).normal(size=(200, 3))


@pytest.fixture(params=PARTS)
def kind(request):
    return request.param


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_sum_of_cosines_scores_as_its_formula_says(kernel):
    part = make_part(kernel, n_frequencies=30, gamma=0.2)
    frequencies = draw_frequencies(KERNELS[kernel], 0.2, 3, part.seed, 0, 30)
    angles = ((X - part.columns.shift) * part.columns.scale) @ frequencies.T
    expected = np.cos(angles) @ part.cosine + np.sin(angles) @ part.sine
    np.testing.assert_allclose(part.score(X), expected, atol=1e-4)


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_sum_of_kernels_scores_as_its_formula_says(kernel):
    part = make_kernel_part(kernel)
    rows = (X - part.columns.shift) * part.columns.scale
    expected = KERNELS[kernel].matrix(rows, part.centers, 0.1) @ part.coefficients
    np.testing.assert_allclose(part.score(X), expected, rtol=1e-10)


def test_a_weighted_sum_of_columns_scores_as_its_formula_says():
    part = make_linear_part()
    expected = ((X - part.columns.shift) * part.columns.scale) @ part.weights
    np.testing.assert_allclose(part.score(X), expected, rtol=1e-12)


def test_many_columns_are_weighed_some_rows_at_a_time(monkeypatch):
    part = make_linear_part()
    expected = part.score(X)
    monkeypatch.setattr("s2auc.models.parts.linear.SCORE_NUMBERS", 20)
    assert np.array_equal(part.score(X), expected)


@pytest.mark.parametrize("missing", [False, True])
def test_sparse_rows_stay_sparse_where_columns_stand_for_themselves(missing, monkeypatch):
    sparse = random_rows((300, 50), density=0.1, rng=np.random.default_rng(0))
    columns = make_linear_part(n_columns=50).columns
    if missing:
        sparse.data[::7] = np.nan
        values = np.arange(50, dtype=np.intp), np.zeros(50, dtype=np.intp), np.linspace(-1, 1, 50)
        encoding = Encoding(50, *values, bounds=np.zeros(1, np.intp), knots=np.zeros(0), ranks=np.zeros(0))
        columns = replace(columns, encoding=encoding)
    part = replace(make_linear_part(n_columns=50), columns=columns)
    before, expected = sparse.copy(), part.score(sparse.toarray())
    assert np.isfinite(expected).all()
    monkeypatch.setattr("scipy.sparse.csr_array.toarray", None)
    for rows in (sparse, csr_matrix(sparse), coo_array(sparse)):
        scores = part.score(rows)
        assert scores.shape == (300,)
        np.testing.assert_allclose(scores, expected, rtol=1e-10, atol=1e-12)
    assert np.array_equal(part.score(sparse[7:11]), part.score(sparse)[7:11])
    assert np.array_equal(sparse.data, before.data, equal_nan=True)


def test_sparse_rows_that_are_encoded_are_made_dense():
    columns = make_table_model().parts[0].columns
    part = replace(make_linear_part(n_columns=10), columns=columns)
    rows = np.random.default_rng(1).integers(0, 3, (50, 7)).astype(float)
    assert np.array_equal(part.score(csr_array(rows)), part.score(rows))


def test_a_forest_scores_as_its_formula_says():
    part = make_tree_part()
    rows = ((X - part.columns.shift) * part.columns.scale).astype(np.float32)
    assert np.array_equal(part.score(X), part.share * (reference.sums(part.column, part.number, rows) / 4))
    assert np.array_equal(part.score(csr_array(X)), part.score(X))


def test_a_forest_takes_values_beyond_float32():
    part = replace(make_tree_part(), columns=ColumnScaling(np.zeros(3), np.ones(3)))
    assert np.array_equal(part.score(np.array([[1e300, -1e300, 1e-300]])), part.score(np.array([[1e30, -1e30, 0.0]])))
    assert np.isnan(part.score(np.array([[0.0, np.nan, 0.0]]))).all()


def test_a_forest_on_encoded_columns_scores_as_scikit_learn_does():
    rng = np.random.default_rng(3)
    rows = np.column_stack([rng.normal(1e6, 1.0, 300), rng.integers(0, 4, 300), rng.random(300)])
    rows[::4, 2] = np.nan
    sample = ColumnSample.of_rows(rows, Schema(3, {1: None}))
    columns = prepare_columns(sample, SCALINGS["none"])
    encoded = columns.apply(rows)
    assert encoded.shape == (300, 1 + 4 + 2)
    forest = RandomForestClassifier(10, random_state=0).fit(encoded, (rows[:, 0] > 1e6) ^ (rows[:, 1] == 2))
    part = TreePart.of_forest(columns, forest)
    part.check(0, 3)
    assert np.array_equal(part.score(rows), forest.predict_proba(encoded)[:, 1])


def test_the_form_in_a_file_is_the_part(kind):
    part = PART_SAMPLES[kind]("laplacian")
    assert kind_of_part(part, PARTS) == kind
    words = json.loads(json.dumps(part.description(), allow_nan=False))
    assert "kind" not in words
    arrays = {name: array.copy() for name, array in part.arrays().items()}
    assert {array.dtype for array in arrays.values()} == {np.dtype(np.float64)}
    assert {array.ndim for array in arrays.values()} <= {1, 2}
    other = PARTS[kind].from_file(words, arrays)
    other.check(0, 3)
    assert other.description() == part.description()
    assert np.array_equal(other.score(X), part.score(X))


def test_parts_can_be_copied_before_and_after_they_score(kind):
    part = PART_SAMPLES[kind]()
    for _ in range(2):
        other = pickle.loads(pickle.dumps(part))
        assert np.array_equal(other.score(X), part.score(X))


def test_the_score_of_a_row_does_not_depend_on_the_others(kind):
    part = PART_SAMPLES[kind]()
    together = part.score(X)
    assert np.array_equal(together, np.concatenate([part.score(X[:7]), part.score(X[7:])]))
    assert part.score(X[:0]).shape == (0,)


def test_words_that_are_missing_are_named(kind):
    part = PART_SAMPLES[kind]()
    for name in part.description():
        words = part.description()
        del words[name]
        with pytest.raises(ValueError, match="its description must have the name"):
            PARTS[kind].from_file(words, part.arrays())
    with pytest.raises(ValueError, match="its description must have the names"):
        PARTS[kind].from_file(part.description() | {"more": 1}, part.arrays())


def test_arrays_that_are_missing_are_named(kind):
    part = PART_SAMPLES[kind]()
    for name in part.arrays():
        arrays = part.arrays()
        del arrays[name]
        with pytest.raises(ValueError, match="its arrays must have the name"):
            PARTS[kind].from_file(part.description(), arrays)
    with pytest.raises(ValueError, match=r"its arrays must (have the names|be those of its 4 parts, got 'more')"):
        PARTS[kind].from_file(part.description(), part.arrays() | {"more": np.zeros(1)})


def test_arrays_of_any_shape_and_value_are_checked(kind):
    part = PART_SAMPLES[kind]()
    for name, array in part.arrays().items():
        wrong = [np.zeros((0,) * array.ndim), np.full_like(array, np.nan), np.full_like(array, -np.inf)]
        wrong += [array[:-1], array[..., None] if array.ndim == 1 else array[0], np.zeros((2,) * array.ndim)]
        for other in wrong:
            with pytest.raises(ValueError, match=r"of part 5 must|inside part 5, .* of part [0-3] must"):
                PARTS[kind].from_file(part.description(), part.arrays() | {name: other}).check(5, 3)
    with pytest.raises(ValueError, match=r"of part 5 must .* for each of 4 (> 0 )?columns.*, got (3|shape \(3, 4\))"):
        part.check(5, 4)


@pytest.mark.parametrize("kind", PLAIN_PARTS)
def test_parts_take_encodings(kind):
    columns = make_table_model().parts[0].columns
    part = replace(PART_SAMPLES[kind](n_columns=len(columns.shift)), columns=columns)
    rows = np.random.default_rng(1).integers(0, 3, (50, 7)).astype(float)
    rows[::5] = np.nan
    other = PARTS[kind].from_file(part.description(), part.arrays())
    other.check(0, 7)
    assert np.isfinite(other.score(rows)).all()
    assert np.array_equal(other.score(rows), part.score(rows))
    with pytest.raises(ValueError, match="the encoding of part 0 must be one of 10 columns, got 7"):
        other.check(0, 10)


def test_a_part_of_no_kind_is_refused():
    with pytest.raises(ValueError, match=rf"kinds {re.escape(str(sorted(PARTS)))}, got one of type object"):
        kind_of_part(object(), PARTS)
