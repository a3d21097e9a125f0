"""Scores are finite whatever finite rows come, and whoever wrote the model file."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from extreme_forgeries import count_fates, extreme_rows
from forged_files import edited, in_model, in_part
from model_samples import PART_SAMPLES, load_bytes, make_columns, make_model, save_and_read
from s2auc import S2AUCClassifier, S2AUCClassifierCV
from s2auc.data.features.projection import Projection
from s2auc.data.features.scaling import ColumnScaling
from s2auc.data.schema.schema import Schema
from s2auc.data.sources.matrix_rows import open_source
from s2auc.models.files.file import ModelFileError, save_model
from s2auc.models.parts.bounds import MAX_VALUE, finite_components, scaled_rows
from s2auc.models.parts.cosine import CosinePart
from s2auc.models.parts.kernel import KernelPart
from s2auc.models.parts.linear import LinearPart
from s2auc.models.parts.trees.part import TreePart


def test_forged_files_are_refused_or_score_finite_numbers():
    fates, failed = count_fates(300, seed=1)
    assert not failed, fates
    assert set(fates) == {"refused", "finite"}
    assert min(fates.values()) > 100


@pytest.mark.parametrize("kind", PART_SAMPLES)
def test_extreme_rows_have_finite_scores_alike_in_every_form(kind):
    model = make_model(parts=(PART_SAMPLES[kind](),))
    rows = extreme_rows(model)
    dense, sparse = (model.score_source(open_source(form)) for form in (rows, csr_array(rows)))
    assert np.isfinite(dense).all()
    np.testing.assert_allclose(sparse, dense, rtol=1e-9)


def test_values_within_the_bound_are_seen_as_they_are():
    columns = make_columns()
    rows = np.random.default_rng(0).normal(size=(5, 3)) * [1.0, 1e30, 1e90]
    np.testing.assert_array_equal(scaled_rows(columns, rows), columns.apply(rows))
    missing = np.array([[1.7e308, np.nan, -1.7e308]])
    np.testing.assert_array_equal(scaled_rows(columns, missing), [[MAX_VALUE, np.nan, -MAX_VALUE]])


@pytest.mark.parametrize("kind", PART_SAMPLES)
def test_scores_of_few_rows_at_a_time_have_the_same_bits(kind, monkeypatch):
    part = PART_SAMPLES[kind]()
    rows = np.random.default_rng(0).normal(size=(200, make_model(parts=(part,)).n_columns))
    whole = part.score(rows)
    monkeypatch.setattr("s2auc.models.parts.bounds.CHUNK_NUMBERS", 30)
    monkeypatch.setattr("s2auc.data.features.scaled_rows.KEPT_NUMBERS", 0)
    np.testing.assert_array_equal(part.score(rows), whole)
    np.testing.assert_array_equal(part.score(rows[:0]), whole[:0])


@pytest.mark.parametrize("unit", [1e-300, 1.0, 1e300])
def test_components_are_exact_until_they_overflow(unit):
    matrix = np.array([[1.0, 2.0], [-3.0, 0.5]]) / unit
    rows = np.array([[1.0, 4.0], [0.0, np.nan], [2.0, 0.0]]) * unit
    projection = Projection(matrix)
    np.testing.assert_array_equal(finite_components(projection, rows), projection.apply(rows))
    largest = np.finfo(np.float64).max
    beyond = np.concatenate([rows, [[1.7e308, 1.7e308], [1.7e308, np.nan]]])
    found = finite_components(Projection(np.array([[1.0, 2.0], [-3.0, 0.5]])), csr_array(beyond))
    np.testing.assert_allclose(found[-2:], [[-largest, largest], [1.7e308, largest]])
    np.testing.assert_allclose(found[:3], projection.apply(rows) * unit)


PLAIN = ColumnScaling(np.zeros(1), np.ones(1))
ONE = np.ones(1)
WIDE = ColumnScaling(np.zeros(2**18 + 1), np.ones(2**18 + 1))
TOO_LARGE = {
    "columns": (CosinePart(WIDE, "gaussian", 1.0, 0, ONE, ONE), "cosines of part 0 must be of at most 262144 columns"),
    "weights": (LinearPart(PLAIN, 2e30 * ONE), r"weights of part 0 must add up to at most 1e\+30 .* got 2e\+30"),
    "centers": (KernelPart(PLAIN, "gaussian", 1.0, np.full((1, 1), 1e101), ONE), r"centers .* must be at most 1e\+100"),
    "coefficients": (
        KernelPart(PLAIN, "gaussian", 1.0, np.ones((1, 1)), 1e31 * ONE),
        "coefficients of part 0 must add",
    ),
    "leaves": (TreePart(PLAIN, np.array([-1], np.int32), 1e31 * ONE), "leaves, times the share, of part 0 must add up"),
    "share": (TreePart(PLAIN, np.array([-1], np.int32), 10 * ONE, 1e30), "leaves, times the share, of part 0 must add"),
    "gamma": (
        KernelPart(PLAIN, "gaussian", 1e101, np.ones((1, 1)), ONE),
        r"gamma of part 0 must be .* 1e\+100 at most",
    ),
}


@pytest.mark.parametrize("case", TOO_LARGE)
def test_parts_beyond_bounds_are_not_saved(case, tmp_path):
    part, sentence = TOO_LARGE[case]
    with pytest.raises(ValueError, match=f"Cannot save the model to .*{sentence}"):
        save_model(make_model(parts=(part,), schema=Schema(part.columns.n_columns, {})), tmp_path / "model.safetensors")


@pytest.mark.parametrize(
    ("edit", "sentence"),
    [
        (in_model("offset", (1e31).hex()), r"offset must be a finite float, 1e\+30 at most"),
        (in_model("probabilities", {"slope": (1e31).hex(), "intercept": (0.0).hex()}), "slope .* at most"),
        (in_model("probabilities", {"slope": (1.0).hex(), "intercept": (-1e31).hex()}), "intercept .* at most"),
        (in_part("gamma", (1e101).hex()), r"gamma of part 0 must be a finite float > 0, 1e\+100 at most"),
    ],
)
def test_files_beyond_bounds_are_not_loaded(edit, sentence, tmp_path):
    path = tmp_path / "model.safetensors"
    data = save_and_read(make_model(), path)
    with pytest.raises(ModelFileError, match=sentence):
        load_bytes(edited(data, edit), path)


@pytest.mark.usefixtures("few_trees")
@pytest.mark.parametrize("members", [["kernels"], ["linear"], ["trees"]])
def test_fitted_models_score_absurd_rows(members):
    X = np.random.default_rng(0).normal(size=(80, 2))
    y = np.where(np.arange(80) < 40, X[:, 0] > 0, -1)
    search = S2AUCClassifierCV(members=members, alphas=[0.1], kernels=["gaussian"], judge=False, random_state=0).fit(
        X, y
    )
    single = S2AUCClassifier(max_iter=5, random_state=0).fit(X, y)
    absurd = np.array([[1.7e308, 1.7e308], [-1.7e308, -1.7e308], [1.7e308, 0.0]])
    for model in (search, single):
        assert np.isfinite(model.decision_function(absurd)).all()
    assert np.isfinite(search.predict_proba(absurd)).all()
    if members == ["linear"]:
        assert search.predict([[1.7e308, 0.0], [-1.7e308, 0.0]]).tolist() == [1, 0]
