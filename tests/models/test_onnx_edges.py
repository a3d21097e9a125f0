"""Exported models on odd rows: missing values, strangers, huge numbers, ties at thresholds, no rows at all."""

import numpy as np
import pandas as pd
import pytest

from model_samples import CLASSES, PART_SAMPLES, make_model, make_table_model
from onnx_runs import feed_of, run_file, run_onnx
from s2auc import export_onnx
from s2auc.data.features.scaling import ColumnScaling
from s2auc.data.schema.date_parts import DATE_PARTS
from s2auc.data.schema.schema import Schema
from s2auc.models.model import Model
from s2auc.models.onnx.columns import PART_MAKERS
from s2auc.models.parts.kernel import KernelPart
from s2auc.models.parts.kinds import PARTS
from s2auc.models.parts.linear import LinearPart
from s2auc.models.parts.trees.part import TreePart
from s2auc.models.parts.trees.tables import TreeTables

pytest.importorskip("onnx")

HUGE = np.array(
    [
        [1e300, -1e300, 5.0],
        [1.7e308, 1.7e308, -1.7e308],
        [1e155, -1e155, 1e155],
        [3.5e38, -3.5e38, 1e39],
        [5e-324, -0.0, 1e-310],
    ]
)


def close(found, wanted):
    return np.abs(found - wanted).max() <= 1e-5 * np.abs(wanted).max()


def test_missing_values_strangers_and_empty_texts(tmp_path):
    model = make_table_model()
    frame = pd.DataFrame(
        {
            "a": [np.nan, 0.5, -1.0, 4.0, 100.0, -100.0, 0.25],
            "b": ["Rome", None, "", "rome", "東京 🦊", "Oslo", "oslo"],
            "c": [True, False, None, True, None, False, True],
            "d": [5, None, -(2**70), 6, 5.5, 4, 5],
            "e": [0.1, np.nan, -0.5, 0.1 + 2e-17, 0.1 + 1e-16, 1e300, -1e300],
            "f": [2.0, np.nan, 1.0, 0.0, 2.5, 9.0, 0.1],
            "g": [np.nan, 1.0, np.nan, np.nan, 3.0, np.nan, np.nan],
        }
    ).astype({"b": object, "c": object, "d": object})
    assert close(run_onnx(model, frame, tmp_path)["score"], model.decision_function(frame))


def test_blanks_around_text_are_left_to_whoever_runs_a_file(tmp_path):
    model = make_table_model()
    rows = {"a": [0.5], "c": [True], "d": [5], "e": [0.1], "f": [2.0], "g": [1.0]}
    padded, plain, unknown = (pd.DataFrame({**rows, "b": [city]}) for city in (" Oslo ", "Oslo", "Lima"))
    np.testing.assert_array_equal(model.decision_function(padded), model.decision_function(plain))
    assert close(run_onnx(model, padded, tmp_path)["score"], model.decision_function(unknown))
    assert not close(model.decision_function(unknown), model.decision_function(plain))


@pytest.mark.parametrize("kind", PARTS)
def test_huge_values_score_like_the_library_and_never_nan(kind, tmp_path):
    model = make_model(parts=(PART_SAMPLES[kind](),))
    wanted, found = model.decision_function(HUGE), run_onnx(model, HUGE, tmp_path)["score"]
    assert np.isfinite(wanted).all()
    assert np.isfinite(found).all()
    if kind in ("kernels", "linear", "trees"):  # the angles of cosines that turn 1e100 times are anybody's guess
        assert all(close(mine, theirs) for mine, theirs in zip(found, wanted, strict=True))


@pytest.mark.parametrize("kind", PARTS)
def test_infinity_counts_as_a_huge_number(kind, tmp_path):
    model = make_model(parts=(PART_SAMPLES[kind](),))
    scores = run_onnx(model, np.array([[np.inf, -np.inf, 0.0], [np.inf, np.inf, np.inf]]), tmp_path)["score"]
    assert np.isfinite(scores).all()


@pytest.mark.parametrize("kind", PARTS)
def test_missing_values_that_nothing_stands_in_for(kind, tmp_path):
    model = make_model(parts=(PART_SAMPLES[kind](),), classes=CLASSES["text"])
    rows = np.array([[0.5, np.nan, 1.0], [0.5, 0.5, 1.0]])
    outputs = run_onnx(model, rows, tmp_path)
    assert np.isnan(outputs["score"]).tolist() == [not model.takes_missing, False]
    if not model.takes_missing:
        assert outputs["label"][0] == "ham"


def test_rows_at_the_thresholds_of_trees(tmp_path):
    rng = np.random.default_rng(0)
    column = np.array([0, 0, -1, -1, 0, -1, -1, -1], dtype=np.int32)  # a tree, and a leaf that is one
    number = np.array([0.1, -1 / 3, 1.0, 2.0, 1e30, 4.0, 8.0, 16.0])
    model = make_model(parts=(TreePart(ColumnScaling(np.zeros(1), np.ones(1)), column, number, 3.0),))
    thresholds = TreeTables.of_preorder(column, number).threshold[[0, 1, 4]]
    near = np.concatenate([np.nextafter(thresholds, np.float32(end)) for end in (-np.inf, np.inf)])
    exact = np.concatenate([thresholds, near]).astype(np.float64)
    between = np.concatenate(
        [exact, number[[0, 1, 4]], exact * (1 + 1e-8 * rng.normal(size=len(exact))), [1e60, -1e60]]
    )
    rows = between[:, None]
    assert np.array_equal(run_onnx(model, rows, tmp_path)["score"].round(6), model.decision_function(rows).round(6))


def test_centres_far_from_zero_keep_their_digits(tmp_path):
    centers = 1e9 + np.arange(12.0).reshape(4, 3)
    part = KernelPart(ColumnScaling(np.zeros(3), np.ones(3)), "gaussian", 0.1, centers, np.arange(1.0, 5.0))
    rows = centers + 0.5
    model = make_model(parts=(part,), offset=0.0)
    assert close(run_onnx(model, rows, tmp_path)["score"], model.decision_function(rows))


@pytest.mark.parametrize("kind", [kind for kind in CLASSES if kind != "bytes"])
def test_labels_of_any_type(kind, tmp_path):
    model = make_model(classes=CLASSES[kind])
    rows = np.random.default_rng(0).normal(size=(20, 3))
    labels = run_onnx(model, rows, tmp_path)["label"]
    assert len(set(labels.tolist())) == 2
    assert labels.tolist() == model.predict(rows).tolist()


@pytest.mark.parametrize("kind", PARTS)
def test_no_rows_and_one(kind, tmp_path):
    model = make_model(parts=(PART_SAMPLES[kind](),))
    assert run_onnx(model, np.zeros((0, 3)), tmp_path)["score"].shape == (0,)
    assert close(run_onnx(model, np.ones((1, 3)), tmp_path)["score"], model.decision_function(np.ones((1, 3))))


def test_columns_called_like_outputs_values_or_nothing(tmp_path):
    names = ("score", "label", "score_", "", "value 0", "X")
    schema = Schema(6, {2: ("a", "b")}, names)
    part = LinearPart(ColumnScaling(np.zeros(6), np.ones(6)), np.arange(1.0, 7.0))
    model = Model((part,), 0.0, np.array([0, 1]), schema)
    exported = export_onnx(model, tmp_path / "model.onnx")
    assert list(exported.inputs) == ["score__", "label_", "score_", "column_3", "value 0", "X"]
    frame = pd.DataFrame([[1.0, 2.0, "b", 4.0, 5.0, 6.0]], columns=list(names))
    assert run_file(exported, feed_of(model, frame, exported.inputs))["score"].tolist() == [1 + 4 + 3 + 16 + 25 + 36]


def test_parts_of_dates_are_those_of_the_library():
    days = np.concatenate([np.arange(-800_000, 400_000, 97), np.arange(-800, 30_000)])
    dates = days.astype("datetime64[D]")
    for name in ("month", "weekday"):
        assert np.array_equal(PART_MAKERS[name](days.astype(float)), DATE_PARTS[name].of_values(dates))
    times = np.arange("1995-01-01", "2040-01-01", 86_412_345_678, dtype="datetime64[us]")
    assert np.array_equal(PART_MAKERS["hour"](DATE_PARTS["day"].of_values(times)), DATE_PARTS["hour"].of_values(times))
    assert set(PART_MAKERS) == set(DATE_PARTS)
