"""`s2auc export`: what it prints, and mistakes in one line."""

import json
import sys

import numpy as np
import pytest

from model_samples import make_golden_model, make_model
from s2auc.__main__ import main
from s2auc.data.schema.schema import Schema
from s2auc.models.files.file import save_model

pytest.importorskip("onnx")


@pytest.fixture(autouse=True)
def saved(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    save_model(make_golden_model(), tmp_path / "model.safetensors")


def test_says_what_goes_in_and_comes_out(capsys, tmp_path):
    assert main(["export", "model.safetensors", "-o", "model.onnx"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert out.splitlines()[0] == "Model written to model.onnx, 0.01 MB."
    assert "a (float64), b (text), c (float64)" in out
    assert "score (float64), label (text), probability (float64)" in out
    assert (tmp_path / "model.onnx").stat().st_size > 1000


def test_for_machines(capsys, tmp_path):
    assert main(["export", "model.safetensors", "-o", "model.onnx", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["path"] == "model.onnx"
    assert told["n_bytes"] == (tmp_path / "model.onnx").stat().st_size
    assert told["inputs"]["b"] == "text"
    assert told["outputs"] == {"score": "float64", "label": "text", "probability": "float64"}


def test_quietly(capsys, tmp_path):
    assert main(["export", "model.safetensors", "-o", "model.onnx", "--quiet"]) == 0
    assert capsys.readouterr() == ("", "")
    assert (tmp_path / "model.onnx").exists()


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["none.safetensors", "-o", "model.onnx"], 2, "There is no model file 'none.safetensors'"),
        (["model.safetensors"], 2, "--output"),
        (["model.safetensors", "-o", "none/model.onnx"], 2, "there is no folder"),
        (["odd.safetensors", "-o", "model.onnx"], 2, "must be different as float64"),
    ],
)
def test_mistakes_cost_one_line(arguments, code, sentence, capsys, tmp_path):
    schema = Schema(3, {1: (2**60, 2**60 + 1)}, names=("x", "code", "y"))
    save_model(make_model(schema=schema, classes=np.array([0, 1])), tmp_path / "odd.safetensors")
    assert main(["export", *arguments]) == code
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert sentence in err
    assert not (tmp_path / "model.onnx").exists()


@pytest.mark.parametrize("output", ["model.safetensors", "link.onnx"])
def test_the_model_file_is_not_overwritten(output, capsys, tmp_path):
    (tmp_path / "link.onnx").symlink_to("model.safetensors")
    before = (tmp_path / "model.safetensors").read_bytes()
    assert main(["export", "model.safetensors", "-o", output]) == 2
    assert "must not overwrite an input file" in capsys.readouterr().err
    assert (tmp_path / "model.safetensors").read_bytes() == before


def test_without_onnx(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "onnx", None)
    assert main(["export", "model.safetensors", "-o", "model.onnx"]) == 1
    assert "pip install 's2auc[onnx]'" in capsys.readouterr().err
