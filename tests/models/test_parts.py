"""Parts of every kind score as their formulas say, and come back from their form in a file."""

import json
import pickle
import re
from dataclasses import replace

import numpy as np
import pytest

from model_samples import PART_SAMPLES, make_kernel_part, make_part, make_table_model
from s2auc.kernels.frequencies import draw_frequencies
from s2auc.kernels.shift_invariant import KERNELS
from s2auc.models import PARTS
from s2auc.models.part import kind_of_part

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
    assert part.n_frequencies == 30


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_sum_of_kernels_scores_as_its_formula_says(kernel):
    part = make_kernel_part(kernel)
    rows = (X - part.columns.shift) * part.columns.scale
    expected = KERNELS[kernel].matrix(rows, part.centers, 0.1) @ part.coefficients
    np.testing.assert_allclose(part.score(X), expected, rtol=1e-10)
    assert part.n_centers == 4


def test_the_form_in_a_file_is_the_part(kind):
    part = PART_SAMPLES[kind]("laplacian")
    assert kind_of_part(part) == kind
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
    with pytest.raises(ValueError, match="its arrays must have the names"):
        PARTS[kind].from_file(part.description(), part.arrays() | {"more": np.zeros(1)})


def test_arrays_of_any_shape_and_value_are_checked(kind):
    part = PART_SAMPLES[kind]()
    for name, array in part.arrays().items():
        wrong = [np.zeros((0,) * array.ndim), np.full_like(array, np.nan), np.full_like(array, -np.inf)]
        wrong += [array[:-1], array[..., None] if array.ndim == 1 else array[0], np.zeros((2,) * array.ndim)]
        for other in wrong:
            with pytest.raises(ValueError, match="of part 5 must"):
                PARTS[kind].from_file(part.description(), part.arrays() | {name: other}).check(5, 3)
    with pytest.raises(ValueError, match="shift of part 5 must hold a number for each of 4 > 0 columns, got 3"):
        part.check(5, 4)


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
        kind_of_part(object())
