import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array

from s2auc.frequencies import FREQUENCY_VERSION, draw_frequencies
from s2auc.kernels import KERNELS
from s2auc.model import Model, Part
from s2auc.path import Path
from s2auc.preprocessing import SCALINGS
from s2auc.schedules import SCHEDULES

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
    path = Path(n_models=3)
    for averaged in (False, True):
        cosine, sine = path.coefficients(averaged=averaged)
        assert cosine.shape == sine.shape == (0, 3)
    assert path.n_frequencies == path.n_iterations == 0


def test_a_path_survives_factors_that_underflow_or_vanish():
    path = Path(n_models=1)
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
