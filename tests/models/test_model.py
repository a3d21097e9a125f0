"""Models score rows from any container, find columns by name, and survive being copied."""

import copy
import pickle
import warnings
from dataclasses import replace

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.sparse import csr_array

from model_samples import frame_of, make_golden_model, make_kernel_part, same
from s2auc.data.features.scaling import SCALINGS, ColumnSample, prepare_columns
from s2auc.data.schema.schema import Schema
from s2auc.data.sources.matrix_rows import open_source
from s2auc.kernels.frequencies import FREQUENCY_VERSION
from s2auc.models.model import Model
from s2auc.models.parts.cosine import CosinePart
from s2auc.ranking.calibration import PlattScaling

X = np.random.default_rng(0).normal(3.0, 5.0, (200, 4))
NAMES = "a", "b", "c", "d"
FRAMES = [pd.DataFrame, pl.DataFrame]


def make_part(kernel="gaussian", seed=1, scaling="standard"):
    cosine, sine = np.random.default_rng(seed).normal(size=(2, 30))
    return CosinePart(SCALINGS[scaling](X), kernel, 0.2, seed, cosine, sine)


def make_model(names=None, **changes):
    return replace(Model((make_part(),), 0.5, np.array(["no", "yes"]), Schema(4, {}, names)), **changes)


def frame(*names, make=pd.DataFrame):
    """Return the columns of X with these names, one of zeros for any other name."""
    columns = dict(zip(NAMES, X.T, strict=True))
    return make({name: columns.get(name, np.zeros(len(X))) for name in names})


def test_the_score_of_a_model_is_the_sum_of_its_parts():
    parts = make_part(), make_part("laplacian", seed=2, scaling="minmax"), make_kernel_part(n_columns=4)
    model = Model(parts, 0.0, np.array([0, 1]), Schema(4, {}))
    np.testing.assert_allclose(model.decision_function(X), sum(part.score(X) for part in parts), rtol=1e-12)
    assert model.n_columns == 4
    assert model.n_numbers == (8 + 60) + (8 + 60) + (8 + 16 + 4)
    assert model.frequency_version == FREQUENCY_VERSION
    assert model.record == {}
    assert model.probabilities is None


@pytest.mark.parametrize("rows", [frame(*NAMES), frame(*NAMES, make=pl.DataFrame), X.tolist(), X[0], X[:, :3]])
def test_rows_of_sources_are_arrays(rows):
    told = r"^rows must be an array or a CSR array with 4 columns of numbers\. Got .* of shape .*; call decision_f"
    with pytest.raises(TypeError, match=told):
        make_model(NAMES).score_rows(rows)


def test_a_model_takes_any_container_and_gives_the_same_bits():
    model = make_model(NAMES)
    expected = model.decision_function(X)
    assert np.array_equal(expected, model.parts[0].score(X) - 0.5)
    for rows in (X.tolist(), csr_array(X), frame(*NAMES), np.asfortranarray(X), frame(*NAMES, make=pl.DataFrame)):
        assert np.array_equal(model.decision_function(rows), expected)
    assert np.array_equal(model.score_source(open_source(X)), expected)
    for rows in (X, csr_array(X)):
        assert np.array_equal(model.score_rows(rows), expected)
    assert (
        model.predict(X).tolist() == model.classes_of(expected).tolist() == np.where(expected > 0, "yes", "no").tolist()
    )
    assert model.decision_function(X[:0]).shape == (0,)
    assert model.decision_function(frame(*NAMES).iloc[:0]).shape == (0,)


@pytest.mark.parametrize("make", FRAMES)
def test_columns_are_found_by_name(make):
    model, expected = make_model(NAMES), make_model().decision_function(X)
    assert np.array_equal(model.decision_function(frame("d", "b", "a", "c", make=make)), expected)
    assert np.array_equal(make_model().decision_function(frame("a", "b", "c", "d", make=make)), expected)
    by_position = make_model().decision_function(frame("d", "b", "a", "c", make=make))
    assert np.array_equal(by_position, make_model().decision_function(X[:, [3, 1, 0, 2]]))


@pytest.mark.parametrize("make", FRAMES)
@pytest.mark.parametrize("method", ["decision_function", "predict", "predict_proba"])
def test_other_columns_are_ignored_with_one_warning(make, method):
    model = make_model(NAMES, probabilities=PlattScaling(2.0, 0.5))
    rows = frame("id", *NAMES, "when", make=make)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = getattr(model, method)(rows)
    assert [warning.filename for warning in caught] == [__file__]
    assert "ignored: 'id', 'when'" in str(caught[0].message)
    assert np.array_equal(found, getattr(model, method)(X))


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        (frame("a", "b"), "X must have the columns that the model was fitted on. Missing: 'c', 'd'; add them."),
        (frame("A", "B", "C", "D", make=pl.DataFrame), "Missing: 'a', 'b', 'c', 'd'; add them."),
        (pd.DataFrame(X), "Missing: 'a', 'b', 'c', 'd'; add them."),
        (pd.DataFrame(X, columns=list("aabb")), "Columns of X must have different names. Got 'a', 'b' more than once"),
        (
            frame(*NAMES).assign(b="x"),
            "Column 'b' of X must hold numbers, as it did when the model was fitted. Got 'x' in",
        ),
        (X[:, :3], "X must have the 4 columns that the model was fitted on. Got 3"),
        (np.full((2, 4), np.nan), "contains NaN"),
        (frame(*NAMES).assign(b=np.nan), "contains NaN"),
        (X[0], "Expected 2D array"),
    ],
)
def test_rows_that_a_model_cannot_score(rows, sentence):
    with pytest.raises(ValueError, match=sentence.replace(".", r"\.")):
        make_model(NAMES).decision_function(rows)


def test_probabilities_are_those_of_the_decision_function():
    model = make_model(probabilities=PlattScaling(2.0, 0.5))
    scores, probabilities = model.decision_function(X), model.predict_proba(X)
    assert probabilities.shape == (200, 2)
    np.testing.assert_allclose(probabilities[:, 1], 1 / (1 + np.exp(-(2.0 * scores + 0.5))), rtol=1e-12)
    assert (probabilities.sum(axis=1) == 1.0).all()
    even = replace(model, probabilities=PlattScaling(2.0, 0.0))
    assert np.array_equal(even.predict_proba(X)[:, 1] > 0.5, even.predict(X) == "yes")


def test_a_model_without_probabilities_says_how_to_get_them():
    with pytest.raises(ValueError, match=r"held-out rows\. .* without them; fit it with S2AUCClassifierCV on .*\.$"):
        make_model().predict_proba(X)


@pytest.mark.parametrize("duplicate", [lambda model: pickle.loads(pickle.dumps(model)), copy.deepcopy])
def test_models_can_be_copied(duplicate):
    model = make_golden_model()
    rows = frame_of(model)
    for _ in range(2):  # the second time with frequencies in memory
        other = duplicate(model)
        assert same(other, model)
        assert np.array_equal(other.decision_function(rows), model.decision_function(rows))


def encoded_model(categorical, schema=None):
    """Return a model with an encoding, as if fitted on rows with missing values in the last column."""
    rows = X.copy()
    rows[:, 0] = np.arange(200) % 3
    rows[::5, 3] = np.nan
    sample = ColumnSample.of_rows(rows, Schema(4, {0: None} if categorical else {}))
    columns = prepare_columns(sample, SCALINGS["rank"])
    return make_model(parts=(replace(make_part(), columns=columns),), schema=schema or Schema(4, {}))


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
    schema = Schema(4, {0: ("Lagos", "Oslo", "Rome")}, names=("city", "a", "b", "c"))
    model = encoded_model(categorical=True, schema=schema)
    codes = np.array([[1, 1, 0.5, 1], [2, 2, 1.5, 0], [np.nan, 3, 2.5, 1], [np.nan, np.nan, 3.5, 0]])
    for make in FRAMES:
        rows = make(columns)
        for same_rows in (rows, rows[["b", "c", "a", "city"]]):
            assert np.array_equal(model.decision_function(same_rows), model.parts[0].score(codes) - 0.5)
        assert model.predict(rows).shape == (4,)
    with pytest.raises(ValueError, match=r"X must be a data frame .* columns 'city' held categories"):
        model.decision_function(codes)
    with pytest.raises(ValueError, match=r"must have the 4 columns that the model was fitted on\. Got 3"):
        replace(model, schema=replace(schema, names=None)).decision_function(pd.DataFrame(columns).iloc[:, :3])
