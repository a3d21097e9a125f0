from dataclasses import replace

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.sparse import csr_array

from s2auc.data.column_scaling import SCALINGS, prepare_columns
from s2auc.data.column_summary import summarise
from s2auc.data.schema import Schema
from s2auc.kernels.frequencies import FREQUENCY_VERSION, draw_frequencies
from s2auc.kernels.shift_invariant import KERNELS
from s2auc.models.model import Model, Part
from s2auc.solvers.iterates import Iterates
from s2auc.solvers.schedules import SCHEDULES

X = np.random.default_rng(0).normal(3.0, 5.0, (200, 4))


def make_part(kernel="gaussian", seed=1, scaling="standard"):
    cosine, sine = np.random.default_rng(seed).normal(size=(2, 30))
    return Part(SCALINGS[scaling](X), kernel, 0.2, seed, cosine, sine)


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_part_scores_as_its_formula_says(kernel):
    part = make_part(kernel)
    W = draw_frequencies(KERNELS[kernel], 0.2, 4, 1, 0, 30)
    angles = ((X - X.mean(axis=0)) / X.std(axis=0)) @ W.T
    expected = np.cos(angles) @ part.cosine + np.sin(angles) @ part.sine
    np.testing.assert_allclose(part.score(X), expected, atol=1e-4)


def test_the_score_of_a_model_is_the_sum_of_its_parts():
    parts = make_part(), make_part("laplacian", seed=2, scaling="minmax")
    model = Model(parts, offset=0.0, classes=np.array([0, 1]))
    np.testing.assert_allclose(model.decision_function(X), parts[0].score(X) + parts[1].score(X), rtol=1e-12)
    assert model.n_columns == 4
    assert model.frequency_version == FREQUENCY_VERSION


def test_scalings():
    standard = SCALINGS["standard"](X).apply(X)
    np.testing.assert_allclose([standard.mean(axis=0), standard.std(axis=0)], [[0] * 4, [1] * 4], atol=1e-12)
    minmax = SCALINGS["minmax"](X).apply(X)
    np.testing.assert_allclose([minmax.min(axis=0), minmax.max(axis=0)], [[0] * 4, [1] * 4], atol=1e-12)
    assert np.array_equal(SCALINGS["none"](X).apply(X), X)


@pytest.mark.parametrize("scaling", SCALINGS)
@pytest.mark.parametrize("constant", [0.0, 0.1, 1e12])
def test_constant_columns_stay_finite(scaling, constant):
    rows = np.full((7, 2), constant)
    scaled = SCALINGS[scaling](rows).apply(rows)
    assert np.isfinite(scaled).all()
    assert scaling == "none" or np.abs(scaled).max() < 1e-3


def test_schedules():
    t, rate, curvature = np.array([1.0, 10.0, 1e9]), np.array(0.2), np.array(2.0)
    np.testing.assert_allclose(SCHEDULES["printed"](t, rate, curvature), 5 / t, rtol=1e-15)
    shifted = SCHEDULES["shifted"](t, rate, curvature)
    np.testing.assert_allclose(shifted, 5 / (t + 10), rtol=1e-15)
    assert shifted[0] < 1 / curvature


def test_an_untouched_path_is_empty():
    path = Iterates(n_models=3)
    for averaged in (False, True):
        cosine, sine = path.coefficients(averaged=averaged)
        assert cosine.shape == sine.shape == (0, 3)
    assert path.n_frequencies == path.n_iterations == 0


def test_a_path_survives_factors_that_underflow_or_vanish():
    path = Iterates(n_models=1)
    decay = np.full((3000, 1), 0.5)
    decay[1500] = 0.0
    path.extend(np.ones((3000, 1, 1)), np.ones((3000, 1, 1)), decay)
    last, _ = path.coefficients()
    assert last[-1] == 1.0
    assert last[-2] == 0.5
    assert (last[:1500] == 0).all()
    averaged, _ = path.coefficients(averaged=True)
    assert np.isfinite(averaged).all()
    assert averaged[1499] == pytest.approx(1500 / (3000 * 3001 / 2))


@pytest.mark.parametrize("size", [1e-200, 1e-30, 1e30, 1e200])
def test_columns_of_any_size_are_scaled_alike(size):
    scaled = SCALINGS["standard"](size * X).apply(size * X)
    np.testing.assert_allclose(scaled, SCALINGS["standard"](X).apply(X), rtol=1e-9, atol=1e-9)


def frame(*names):
    return pd.DataFrame(X[:, : len(names)], columns=list(names))


def make_model(names=None):
    return Model((make_part(),), offset=0.5, classes=np.array(["no", "yes"]), feature_names=names)


def test_a_model_takes_any_container_and_gives_the_same_bits():
    model = make_model(("a", "b", "c", "d"))
    expected = model.decision_function(X)
    assert np.array_equal(expected, model.parts[0].score(X) - 0.5)
    for rows in (X.tolist(), csr_array(X), frame("a", "b", "c", "d"), np.asfortranarray(X)):
        assert np.array_equal(model.decision_function(rows), expected)
    assert model.predict(X).tolist() == np.where(expected > 0, "yes", "no").tolist()
    assert model.decision_function(X[:0]).shape == (0,)


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        (frame("b", "a", "c", "d"), "in their order: a, b, c, d. Got b, a, c, d; select and order"),
        (frame("a", "b"), "Got a, b; select"),
        (X[:, :3], "must have the 4 columns that the model was fitted on. Got 3"),
        (np.full((2, 4), np.nan), "contains NaN"),
        (X[0], "Expected 2D array"),
    ],
)
def test_rows_that_a_model_cannot_score(rows, sentence):
    with pytest.raises(ValueError, match=sentence.replace(".", r"\.")):
        make_model(("a", "b", "c", "d")).decision_function(rows)


def encoded_model(categorical, schema=None):
    """Return a model with an encoding, as if fitted on rows with missing values in the last column."""
    rows = X.copy()
    rows[:, 0] = np.arange(200) % 3
    rows[::5, 3] = np.nan
    columns = prepare_columns(summarise([rows], rows), SCALINGS["rank"], np.array([categorical, False, False, False]))
    return Model((replace(make_part(), columns=columns),), 0.5, np.array(["no", "yes"]), schema=schema)


def test_a_model_with_an_encoding_takes_missing_values():
    model = encoded_model(categorical=True)
    rows = np.array([[0.0, 1.0, 2.0, np.nan], [np.nan, np.nan, np.nan, np.nan], [7.0, 1.0, 2.0, 3.0]])
    assert model.takes_missing
    assert model.n_columns == 4
    scores = model.decision_function(rows)
    assert np.array_equal(scores, model.parts[0].score(rows) - 0.5)
    assert np.array_equal(model.decision_function(pl.DataFrame(rows)), scores)
    # A level that the model does not know is like a missing one.
    assert model.decision_function(np.where(rows == 7.0, np.nan, rows))[2] == scores[2]
    with pytest.raises(ValueError, match="contains infinity"):
        model.decision_function(np.full((1, 4), np.inf))


def test_missing_values_are_an_error_if_one_part_has_no_encoding():
    model = replace(encoded_model(categorical=False), parts=(encoded_model(categorical=False).parts[0], make_part()))
    assert not model.takes_missing
    assert model.decision_function(X).shape == (200,)
    with pytest.raises(ValueError, match="contains NaN"):
        model.decision_function(np.full((2, 4), np.nan))


def test_a_model_with_a_schema_reads_categories():
    columns = {"city": ["Oslo", "Rome", None, "Lima"], "a": [1, 2, 3, None], "b": [0.5, 1.5, 2.5, 3.5]}
    columns["c"] = [1, 0, 1, 0]
    schema = Schema(4, {0: ("Lagos", "Oslo", "Rome")})
    model = replace(encoded_model(categorical=True, schema=schema), feature_names=("city", "a", "b", "c"))
    codes = np.array([[1, 1, 0.5, 1], [2, 2, 1.5, 0], [np.nan, 3, 2.5, 1], [np.nan, np.nan, 3.5, 0]])
    for data in (pd.DataFrame(columns), pl.DataFrame(columns)):
        assert np.array_equal(model.decision_function(data), model.parts[0].score(codes) - 0.5)
        assert model.predict(data).shape == (4,)
    swapped = pd.DataFrame(columns)[["a", "city", "b", "c"]]
    with pytest.raises(ValueError, match=r"in their order: city, a, b, c\. Got a, city, b, c; select"):
        model.decision_function(swapped)
    with pytest.raises(ValueError, match=r"X must be a data frame .* columns 0 held categories"):
        model.decision_function(codes)
    with pytest.raises(ValueError, match=r"must have the 4 columns that the model was fitted on\. Got 3"):
        replace(model, feature_names=None).decision_function(pd.DataFrame(columns).iloc[:, :3])
