"""Files of exported models: whole or absent, sound, and refused in one sentence where ONNX cannot hold a model."""

import json
import sys
from dataclasses import replace

import numpy as np
import pytest

from model_samples import (
    CLASSES,
    PART_SAMPLES,
    RECORD,
    make_golden_model,
    make_kernel_part,
    make_model,
    make_part,
    make_tree_part,
)
from onnx_runs import check_same
from s2auc import S2AUCClassifier, export_onnx
from s2auc.data.schema.schema import Schema
from s2auc.kernels.shift_invariant import KERNELS
from s2auc.models.files.file import save_model
from s2auc.models.onnx.parts import count_bytes
from s2auc.models.parts.kinds import PARTS

onnx = pytest.importorskip("onnx")


def test_files_are_sound_and_of_old_operators(tmp_path):
    proto = onnx.load(export_onnx(make_golden_model(), tmp_path / "model.onnx"))
    onnx.checker.check_model(proto, full_check=True)
    assert {opset.domain: opset.version for opset in proto.opset_import} == {"": 16, "ai.onnx.ml": 3}
    assert proto.ir_version == 8
    assert [output.name for output in proto.graph.output] == ["score", "label", "probability"]
    assert all(value.doc_string for value in (*proto.graph.input, *proto.graph.output))


def test_what_a_file_says_of_the_model(tmp_path):
    proto = onnx.load(export_onnx(make_golden_model(), tmp_path / "model.onnx"))
    said = {prop.key: prop.value for prop in proto.metadata_props}
    assert said.pop("fitted_by") == "S2AUCClassifierCV"
    assert {name: json.loads(text) for name, text in said.items()} == {
        "classes": ["no", "yes"],
        "columns": list("abcdefg"),
        "held_out_auc": RECORD["held_out_auc"],
        "rows": RECORD["rows"],
        "versions": RECORD["versions"],
    }


def test_equal_models_give_equal_files_that_hold_no_paths(tmp_path):
    model = make_golden_model()
    one, other = export_onnx(model, tmp_path / "one.onnx"), export_onnx(model, tmp_path / "other.onnx")
    data = one.path.read_bytes()
    assert data == other.path.read_bytes()
    assert len(data) == one.n_bytes
    assert str(tmp_path).encode() not in data


def test_classifiers_models_and_files_are_the_same(tmp_path):
    ranker = S2AUCClassifier(max_iter=5, random_state=3).fit([[0.0], [1.0], [2.0]], ["a", "b", -1])
    save_model(ranker.model_, tmp_path / "a.model")
    given = ranker, ranker.model_, tmp_path / "a.model"
    assert len({export_onnx(model, tmp_path / "a.onnx").path.read_bytes() for model in given}) == 1


def test_types_and_their_names(tmp_path):
    exported = export_onnx(make_golden_model(), tmp_path / "model.onnx")
    assert dict(exported.inputs) == dict.fromkeys("acdefg", "float64") | {"b": "text"}
    assert exported.outputs == {"score": "float64", "label": "text", "probability": "float64"}


def refusal(model, path, error=ValueError):
    """Return the one sentence with which a model is refused, once nothing is known to be written."""
    before = path.read_bytes() if path.is_file() else None
    with pytest.raises(error) as caught:
        export_onnx(model, path)
    assert (path.read_bytes() if path.is_file() else None) == before
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_models_beyond_two_gigabytes_are_refused_before_any_work(tmp_path):
    wide = make_part(n_columns=2048, n_frequencies=2**17)
    sentence = refusal(make_model(parts=(wide,)), tmp_path / "model.onnx")
    assert "must take at most 2.13 GB" in sentence
    assert "got about 2.15 GB; fit with fewer frequencies" in sentence


def test_the_estimated_size_is_near_the_true_one(tmp_path):
    model = make_model(parts=(make_part(n_frequencies=5000),))
    size = export_onnx(model, tmp_path / "model.onnx").n_bytes
    assert 0 <= size - count_bytes(model.parts) < 4000


@pytest.mark.parametrize("kind", PARTS)
def test_the_estimated_size_is_hardly_exceeded(kind, tmp_path):
    model = make_model(parts=(PART_SAMPLES[kind](n_columns=300),))
    size = export_onnx(model, tmp_path / "model.onnx").n_bytes
    assert size - count_bytes(model.parts) < 12_000


def test_nodes_of_trees_take_no_more_than_estimated(tmp_path):
    model = make_model(parts=(make_tree_part(n_columns=300, n_trees=200, n_splits=100),))
    assert 30_000 < export_onnx(model, tmp_path / "model.onnx").n_bytes < count_bytes(model.parts)


def test_bytes_for_classes_are_refused(tmp_path):
    assert "must be text, numbers or booleans, got bytes" in refusal(
        make_model(classes=CLASSES["bytes"]), tmp_path / "model.onnx"
    )


def test_categories_that_float64_cannot_tell_apart_are_refused(tmp_path):
    schema = Schema(3, {1: (2**60, 2**60 + 1)}, names=("x", "code", "y"))
    sentence = refusal(make_model(schema=schema), tmp_path / "model.onnx")
    assert "categories of column 'code' must be different as float64" in sentence


def test_models_that_cannot_be_right_are_refused(tmp_path):
    (tmp_path / "model.onnx").write_bytes(b"mine")
    broken = make_model(parts=(replace(make_part(), gamma=-1.0),))
    assert "gamma of part 0 must be a finite float > 0" in refusal(broken, tmp_path / "model.onnx")
    assert "must be a fitted classifier" in refusal(7, tmp_path / "model.onnx", TypeError)


def new_kernel(monkeypatch, shape):
    kernel = replace(KERNELS["gaussian"], name="new", shape=shape)
    monkeypatch.setitem(KERNELS, "new", kernel)
    return make_model(parts=(make_kernel_part("new"),))


def test_kernels_that_were_added_come_along(monkeypatch, tmp_path):
    model = new_kernel(monkeypatch, lambda distance, gamma: (1 + gamma * distance / 2) ** -2)
    check_same(model, np.random.default_rng(0).normal(size=(20, 3)), tmp_path)


@pytest.mark.parametrize("function", [np.log1p, lambda distance: np.where(distance, 1.0, 0.0)])
def test_kernels_of_functions_that_onnx_has_not_are_refused(function, monkeypatch, tmp_path):
    model = new_kernel(monkeypatch, lambda distance, gamma: function(distance))
    sentence = refusal(model, tmp_path / "model.onnx")
    assert "formulas of its kernels must be made of absolute, add" in sentence
    assert sentence.endswith("; score with s2auc.")


def test_places_that_cannot_be_written(tmp_path):
    assert "there is no folder" in refusal(make_model(), tmp_path / "none" / "model.onnx", FileNotFoundError)
    assert "is a folder" in refusal(make_model(), tmp_path, IsADirectoryError)
    with pytest.raises(TypeError, match="must be a path"):
        export_onnx(make_model(), 3)


def test_without_onnx_it_says_what_to_install(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "onnx", None)
    assert "pip install 's2auc[onnx]'" in refusal(make_model(), tmp_path / "model.onnx", ImportError)


def test_an_interruption_leaves_what_was_there(monkeypatch, tmp_path):
    (tmp_path / "model.onnx").write_bytes(b"mine")

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("os.fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        export_onnx(make_model(), tmp_path / "model.onnx")
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"mine"]
