"""Model files: what is saved comes back bit by bit, in the documented bytes."""

import hashlib
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from safetensors import safe_open
from safetensors.numpy import load_file

from model_files import (
    CLASSES,
    GOLDEN_VERSION,
    load_bytes,
    make_model,
    make_part,
    read_by_hand,
    same,
    save_and_read,
)
from s2auc.data.column_scaling import ColumnScaling
from s2auc.kernels.frequencies import FREQUENCY_VERSION
from s2auc.kernels.shift_invariant import KERNELS
from s2auc.models.file import load_model, save_model
from s2auc.models.model import Model, Part

GOLDEN = Path(__file__).parent / "golden" / "model_version_1.safetensors"
GOLDEN_SCORES = [7.67882100922, 7.57809024755, 7.21649364606, 4.53152332393]


def golden_model():
    """Return the model of the golden file, made of fractions that every processor computes alike."""
    count = np.arange(1.0, 9.0)
    first = Part(
        ColumnScaling(np.array([1.0, -2.0]), np.array([0.5, 1 / 3])),
        "laplacian",
        0.7,
        2**64 - 1,
        1 / count,
        0.1 / count,
    )
    second = Part(ColumnScaling(np.zeros(2), np.ones(2)), "matern52", 0.1, 7, 2.0 + count[:3] / 7, -count[:3] / 16)
    return Model((first, second), -1 / 3, np.array(["négatif", "🦊"]), ("longueur (µm)", "x"))


ROWS = np.array([[0.0, 0.0], [0.25, -0.5], [0.5, 0.25], [-0.5, 0.125]])


def check_round_trip(model, path):
    data = save_and_read(model, path)
    loaded = load_model(path)
    assert same(model, loaded)
    rows = np.random.default_rng(0).normal(size=(20, model.n_columns))
    assert loaded.decision_function(rows).tobytes() == model.decision_function(rows).tobytes()
    assert save_and_read(model, path) == data
    assert save_and_read(loaded, path) == data


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("n_parts", [1, 3, 11])
def test_round_trip_of_parts_and_kernels(kernel, n_parts, path):
    check_round_trip(
        make_model(parts=tuple(make_part(kernel, n_frequencies=place, seed=place) for place in range(n_parts))), path
    )


@pytest.mark.parametrize("kind", CLASSES)
def test_round_trip_of_classes(kind, path):
    check_round_trip(make_model(classes=CLASSES[kind]), path)


@pytest.mark.parametrize("names", [None, ("a", "b", "c"), ("", "größe\t\"'\\", "\x00陽🦊")])
def test_round_trip_of_names(names, path):
    check_round_trip(make_model(feature_names=names), path)


@pytest.mark.parametrize("number", [5e-324, 0.1, 1.7e308 / 2])
def test_round_trip_of_extreme_numbers(number, path):
    part = replace(make_part("laplacian"), gamma=number, cosine=np.full(5, -number), sine=np.full(5, -0.0))
    save_model(make_model(parts=(part,), offset=-number), path)
    assert same(load_model(path), make_model(parts=(part,), offset=-number))


def test_numbers_of_numpy_and_arrays_with_gaps_are_saved_as_they_are(path):
    gaps = np.arange(10.0)[::2]
    part = replace(make_part(), seed=np.uint64(2**63), gamma=np.float64(0.1), cosine=gaps)
    loaded = load_bytes(save_and_read(make_model(parts=(part,), offset=np.float64(0.1)), path), path)
    assert (loaded.parts[0].seed, loaded.parts[0].gamma, loaded.offset) == (2**63, 0.1, 0.1)
    assert type(loaded.parts[0].seed) is int
    assert loaded.parts[0].cosine.tolist() == gaps.tolist()


def test_bytes_are_the_documented_ones(path):
    model = make_model(feature_names=("a", "b", "ü"))
    data = save_and_read(model, path)
    header, payload = read_by_hand(data)
    metadata = header.pop("__metadata__")
    assert data[8:].startswith(b'{"__metadata__":{"format":"s2auc-model","sha256":"')
    assert len(data[: -len(payload)]) % 8 == 0
    assert metadata["sha256"] == hashlib.sha256(data.replace(metadata["sha256"].encode(), b"0" * 64)).hexdigest()
    assert metadata["version"] == "1"
    assert json.loads(metadata["model"]) == {
        "classes": {"dtype": "<i8", "values": [0, 1]},
        "feature_names": ["a", "b", "ü"],
        "frequency_version": FREQUENCY_VERSION,
        "offset": (1 / 3).hex(),
        "parts": [{"gamma": (0.1).hex(), "kernel": "gaussian", "seed": 2**64 - 1}],
    }
    part = model.parts[0]
    expected = {"shift": part.columns.shift, "scale": part.columns.scale, "cosine": part.cosine, "sine": part.sine}
    by_hand = {name: np.frombuffer(payload[slice(*entry["data_offsets"])], "<f8") for name, entry in header.items()}
    for arrays in (by_hand, load_file(path)):
        assert arrays.keys() == {f"parts.0.{name}" for name in expected}
        assert all(arrays[f"parts.0.{name}"].tobytes() == array.tobytes() for name, array in expected.items())
    with safe_open(path, framework="np") as file:
        assert file.metadata() == metadata


def test_golden_file_of_version_1(path, monkeypatch):
    # If this fails, models that users saved are lost: keep reading version 1, and write a version 2 instead.
    data = GOLDEN.read_bytes()
    model = load_model(GOLDEN)
    assert same(model, golden_model())
    np.testing.assert_allclose(model.decision_function(ROWS) + model.offset, GOLDEN_SCORES, rtol=1e-6)
    monkeypatch.setattr("s2auc.models.file_bytes.version", lambda name: GOLDEN_VERSION)
    assert save_and_read(model, path) == data
