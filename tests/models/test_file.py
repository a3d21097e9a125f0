"""Model files that are saved and loaded: every bit comes back, and what cannot be saved is not."""

import hashlib
import json
import os
import stat
import sys
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from safetensors import safe_open
from safetensors.numpy import load_file

from forged_files import read_by_hand
from model_samples import (
    CLASSES,
    ENCODING_ARRAYS,
    LEVELS,
    PART_SAMPLES,
    RECORD,
    check_round_trip,
    load_bytes,
    make_golden_committee,
    make_golden_model,
    make_golden_projection,
    make_kernel_part,
    make_linear_part,
    make_model,
    make_part,
    make_projected_part,
    make_table_model,
    make_tree_part,
    same,
    save_and_read,
)
from s2auc.data.schema.schema import Schema
from s2auc.kernels.frequencies import FREQUENCY_VERSION
from s2auc.kernels.shift_invariant import KERNELS
from s2auc.models.files.file import load_model, save_model
from s2auc.models.parts.kinds import PARTS
from s2auc.ranking.calibration import PlattScaling


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.safetensors"


def test_every_kind_of_part_has_a_sample():
    assert PART_SAMPLES.keys() == PARTS.keys()


@pytest.mark.parametrize("kind", PART_SAMPLES)
@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("n_parts", [1, 3, 11])
def test_round_trip_of_parts_and_kernels(kind, kernel, n_parts, path):
    check_round_trip(make_model(parts=(PART_SAMPLES[kind](kernel),) * n_parts), path)


def test_round_trip_of_parts_of_different_kinds_and_sizes(path):
    parts = [make_part(n_frequencies=place, seed=place) for place in range(11)]
    parts += [make_kernel_part(n_centers=1), make_tree_part(n_trees=1, n_splits=0), make_linear_part()]
    parts += [make_projected_part(n_components=n) for n in (1, 12)]
    check_round_trip(make_model(parts=(*parts, make_part("laplacian"), make_tree_part(n_splits=100))), path)


@pytest.mark.parametrize("kind", CLASSES)
def test_round_trip_of_classes(kind, path):
    check_round_trip(make_model(classes=CLASSES[kind]), path)


@pytest.mark.parametrize("names", [None, ("a", "b", "c"), (" ", "größe\t\"'\\", "\x00陽🦊")])
def test_round_trip_of_names(names, path):
    check_round_trip(make_model(schema=Schema(3, {}, names)), path)


TABLES = {
    "golden": make_golden_model(),
    "committee": make_golden_committee(),
    "projection": make_golden_projection(),
    "table": make_table_model(),
    "encoding": make_table_model(schema=Schema(7, {})),
    "mixed": make_table_model(
        parts=(make_table_model().parts[0], make_part(n_columns=7)), schema=Schema(7, {2: None}, names=tuple("abcdefg"))
    ),
    "levels": make_model(schema=Schema(3, {2: None, 0: ("a", "b")})),
    "probabilities": make_model(probabilities=PlattScaling(5e-324, -0.0)),
    "record": make_model(record=RECORD),
}


@pytest.mark.parametrize("case", TABLES)
def test_round_trip_of_tables_probabilities_and_records(case, path):
    check_round_trip(TABLES[case], path)


FINITE = st.floats(allow_nan=False, allow_infinity=False)
LEVEL_VALUES = st.sampled_from([st.text(), st.booleans(), st.integers(), FINITE])
COLUMN_LEVELS = st.none() | LEVEL_VALUES.flatmap(lambda values: st.lists(values, unique=True, max_size=4)).map(tuple)


@st.composite
def schemas(draw):
    """Return a schema of three columns with any names and categories."""
    levels = draw(st.dictionaries(st.integers(0, 2), COLUMN_LEVELS))
    names = draw(st.none() | st.lists(st.text(), min_size=3, max_size=3, unique=True).map(tuple))
    return Schema(3, levels, names)


@given(schemas())
def test_any_schema_comes_back(tmp_path_factory, schema):
    path = tmp_path_factory.getbasetemp() / "schema.safetensors"
    model = make_model(schema=schema)
    data = save_and_read(model, path)
    assert same(load_model(path), model)
    turned = dict(reversed(schema.levels.items()))
    assert save_and_read(replace(model, schema=replace(schema, levels=turned)), path) == data


@pytest.mark.parametrize("number", [5e-324, 0.1, 1e13])
def test_round_trip_of_extreme_numbers(number, path):
    part = replace(make_part("laplacian"), gamma=number, cosine=np.full(5, -number), sine=np.full(5, -0.0))
    kernels = replace(make_kernel_part("laplacian"), gamma=number, centers=np.full((4, 3), -number))
    weights, trees = replace(make_linear_part(), weights=np.full(3, -number)), make_tree_part(share=-number)
    trees = replace(trees, number=np.full(len(trees.number), number))
    model = make_model(parts=(part, kernels, weights, trees), offset=-number)
    save_model(model, path)
    assert same(load_model(path), model)


def test_numbers_of_numpy_and_arrays_with_gaps_are_saved_as_they_are(path):
    gaps = np.arange(10.0)[::2]
    part = replace(make_part(), seed=np.uint64(2**63), gamma=np.float64(0.1), cosine=gaps)
    loaded = load_bytes(save_and_read(make_model(parts=(part,), offset=np.float64(0.1)), path), path)
    assert (loaded.parts[0].seed, loaded.parts[0].gamma, loaded.offset) == (2**63, 0.1, 0.1)
    assert type(loaded.parts[0].seed) is int
    assert loaded.parts[0].cosine.tolist() == gaps.tolist()
    model = make_model(parts=(replace(make_kernel_part(), centers=np.asfortranarray(make_kernel_part().centers)),))
    assert load_bytes(save_and_read(model, path), path).parts[0].centers.tolist() == model.parts[0].centers.tolist()
    check_round_trip(model, path)


def test_bytes_are_the_documented_ones(path):
    parts = make_part(), make_kernel_part()
    probabilities = PlattScaling(slope=2.5, intercept=-0.1)
    record = {"seed": 7, "held_out_auc": None, "rows": {"positive": 3}, "settings_tried": [{"mean_auc": 0.1}]}
    schema = Schema(3, {1: None}, names=("a", "b", "ü"))
    data = save_and_read(make_model(parts=parts, schema=schema, probabilities=probabilities, record=record), path)
    header, payload = read_by_hand(data)
    metadata = header.pop("__metadata__")
    assert data[8:].startswith(b'{"__metadata__":{"format":"s2auc-model","sha256":"')
    assert len(data[: -len(payload)]) % 8 == 0
    assert metadata["sha256"] == hashlib.sha256(data.replace(metadata["sha256"].encode(), b"0" * 64)).hexdigest()
    assert metadata["version"] == "3"
    assert json.loads(metadata["model"]) == {
        "classes": {"dtype": "<i8", "values": [0, 1]},
        "frequency_version": FREQUENCY_VERSION,
        "offset": (1 / 3).hex(),
        "parts": [
            {"kind": "cosines", "encoding": None, "gamma": (0.1).hex(), "kernel": "gaussian", "seed": 2**64 - 1},
            {"kind": "kernels", "encoding": None, "gamma": (0.1).hex(), "kernel": "gaussian"},
        ],
        "probabilities": {"slope": (2.5).hex(), "intercept": (-0.1).hex()},
        "record": record,
        "schema": {
            "n_columns": 3,
            "names": ["a", "b", "ü"],
            "levels": [{"column": 1, "type": None, "values": None}],
        },
    }
    expected = {f"parts.{place}.{name}": array for place in (0, 1) for name, array in parts[place].arrays().items()}
    assert {"parts.0.cosine", "parts.1.centers", "parts.1.scale"} < expected.keys()
    by_hand = {
        name: np.frombuffer(payload[slice(*entry["data_offsets"])], "<f8").reshape(entry["shape"])
        for name, entry in header.items()
    }
    for arrays in (by_hand, load_file(path)):
        assert arrays.keys() == expected.keys()
        assert all(arrays[name].tobytes() == array.tobytes() for name, array in expected.items())
        assert all(arrays[name].shape == array.shape for name, array in expected.items())
    with safe_open(path, framework="np") as file:
        assert file.metadata() == metadata


def test_bytes_of_tables_are_the_documented_ones(path):
    header, _ = read_by_hand(save_and_read(make_table_model(), path))
    description = json.loads(header["__metadata__"]["model"])
    assert [part["encoding"] for part in description["parts"]] == [{"n_columns": 7}, {"n_columns": 7}]
    assert description["schema"]["levels"] == [
        {"column": 1, "type": "text", "values": ["Oslo", "Rome", "東京 🦊"]},
        {"column": 2, "type": "boolean", "values": [False, True]},
        {"column": 3, "type": "integer", "values": [-(2**70), 5]},
        {"column": 4, "type": "float", "values": [(-0.5).hex(), (0.1).hex()]},
        {"column": 5, "type": None, "values": None},
        {"column": 6, "type": "text", "values": []},
    ]
    assert len(LEVELS) == 6
    arrays = load_file(path)
    for name in ENCODING_ARRAYS:
        stored = arrays[f"parts.0.encoding.{name}"]
        assert stored.dtype == np.float64
        assert stored.tolist() == getattr(make_table_model().parts[0].columns.encoding, name).tolist()
    encoded = {f"parts.{place}.encoding.{name}" for place in (0, 1) for name in ENCODING_ARRAYS}
    assert {name for name in arrays if "encoding" in name} == encoded


def test_a_missing_file_is_not_found(path):
    with pytest.raises(FileNotFoundError, match=r"There is no model file '.*model\.safetensors': check the path"):
        load_model(path)


def test_places_that_cannot_be_written(tmp_path, monkeypatch):
    with pytest.raises(FileNotFoundError, match=r"there is no folder '.*missing', create it first"):
        save_model(make_model(), tmp_path / "missing" / "model")
    with pytest.raises(IsADirectoryError, match="is a folder, name a file in it"):
        save_model(make_model(), tmp_path)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="is a device or a pipe, name a file"):
        save_model(make_model(), tmp_path / "pipe")
    monkeypatch.setattr("os.access", lambda place, mode: False)
    with pytest.raises(PermissionError, match="may not be written, choose another path"):
        save_model(make_model(), tmp_path / "model")


class Stranger:
    """A part of no kind in `PARTS`."""

    columns = make_part().columns


def with_part(part):
    return make_model(parts=(part,))


def tree_of(*column):
    return replace(make_tree_part(), column=np.array(column, dtype=np.int32), number=np.zeros(len(column)))


BAD_MODELS = {
    "parts": (make_model(parts=(), schema=Schema(3, {})), "at least one part, got none"),
    "part_type": (with_part(Stranger()), "its parts must be of the kinds .*, got one of type Stranger"),
    "offset": (make_model(offset=np.nan), "offset must be a finite float, .*got nan"),
    "classes_decimal": (make_model(classes=np.array([1, 2], dtype=object)), "booleans, integers, floats or texts"),
    "classes_long": (make_model(classes=np.array([1, 2], dtype=np.longdouble)), "booleans, integers, floats or texts"),
    "classes_surrogate": (make_model(classes=np.array(["a", "\ud800"])), "two different values"),
    "names": (make_model(schema=Schema(3, {}, ("a",))), "one text for each of 3 columns"),
    "names_surrogate": (make_model(schema=Schema(3, {}, ("a", "\ud800", "c"))), "one text for each of 3 columns"),
    "names_list": (make_model(schema=Schema(3, {}, ["a", "b", "c"])), "one text for each of 3 columns"),
    "names_twice": (make_model(schema=Schema(3, {}, ("a", "b", "a"))), "names of its schema must be different"),
    "frequency_version": (make_model(frequency_version="mt19937"), "frequency_version must be"),
    "slope": (make_model(probabilities=PlattScaling(0.0, 1.0)), "slope of its probabilities must be .* > 0, .*got 0.0"),
    "slope_inf": (make_model(probabilities=PlattScaling(np.inf, 1.0)), "slope of its probabilities must be .* got inf"),
    "intercept": (make_model(probabilities=PlattScaling(1.0, np.nan)), "intercept of its probabilities .* got nan"),
    "record": (make_model(record={"a": [np.nan]}), "numbers in its record must be finite, or None, got nan at a.0"),
    "record_none": (make_model(record=None), "its record must be a dict, got NoneType"),
    "columns": (make_model(parts=(make_part(), make_part(n_columns=2))), "shift of part 1 must hold .* for each of 3"),
    "no_columns": (with_part(make_part(n_columns=0)), "for each of 0 > 0 columns"),
    "nan": (with_part(replace(make_part(), sine=np.full(5, np.nan))), "sine of part 0 must hold finite"),
    "float32": (with_part(replace(make_part(), sine=np.zeros(5, np.float32))), "must be a float64 vector"),
    "list": (with_part(replace(make_part(), sine=[1.0] * 5)), "sine of part 0 must be a float64 vector, got .1.0, "),
    "gamma": (with_part(make_part(gamma=np.float32(0.1))), "gamma of part 0 must be a finite float > 0"),
    "gamma_int": (with_part(make_part(gamma=10**400)), "gamma of part 0 must be a finite float > 0"),
    "centers_nan": (with_part(replace(make_kernel_part(), centers=np.full((4, 3), np.nan))), "centers .* finite"),
    "centers_vector": (with_part(replace(make_kernel_part(), centers=np.zeros(4))), "centers .* float64 matrix"),
    "centers_narrow": (with_part(replace(make_kernel_part(), centers=np.zeros((4, 2)))), "a row of 3 numbers"),
    "centers_few": (with_part(replace(make_kernel_part(), centers=np.zeros((3, 3)))), r"got shape \(3, 3\)"),
    "centers_none": (with_part(make_kernel_part(n_centers=0)), "for each of 0 > 0 coefficients"),
    "weights_nan": (with_part(replace(make_linear_part(), weights=np.full(3, np.nan))), "weights of part 0 .* finite"),
    "weights_few": (with_part(replace(make_linear_part(), weights=np.zeros(2))), "for each of 3 columns, got 2"),
    "share": (with_part(make_tree_part(share=np.inf)), "share of part 0 must be a finite float, got inf"),
    "share_float32": (with_part(make_tree_part(share=np.float32(1))), "share of part 0 must be a finite float"),
    "share_none": (with_part(make_tree_part(share=None)), "share of part 0 must be a finite float, got None"),
    "node_nan": (with_part(replace(make_tree_part(), number=np.full(52, np.nan))), "number of part 0 must hold finite"),
    "node_few": (with_part(replace(make_tree_part(), number=np.zeros(51))), "of one length, got 52 and 51"),
    "node_column": (with_part(tree_of(3, -1, -1)), "int32 numbers from -1, which is for leaves, to 2, got 3"),
    "node_below": (with_part(tree_of(0, -2, -1)), "int32 numbers from -1, which is for leaves, to 2, got -2"),
    "node_wide": (with_part(replace(tree_of(-1), column=np.array([-1]))), "int32 numbers .*, got int64"),
    "node_part": (with_part(replace(tree_of(-1), column=np.array([0.5]))), "int32 numbers .*, got 0.5"),
    "node_list": (with_part(replace(tree_of(-1), column=[-1])), r"column of part 0 must be a vector of int32, got .-1"),
    "no_nodes": (with_part(tree_of()), "at least one node, got none"),
    "tree_cut": (with_part(tree_of(0, -1, 1, -1)), "that of whole trees, .* got 4 nodes that end in the middle"),
    "tree_after": (with_part(tree_of(0, -1, -1, 2)), "that of whole trees, .* got 4 nodes that end in the middle"),
    "coefficients": (with_part(replace(make_kernel_part(), coefficients=np.zeros((4, 1)))), "must be a float64 vector"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD_MODELS)
def test_models_that_no_file_can_hold(case, path):
    model, message = BAD_MODELS[case]
    with pytest.raises(ValueError, match=f"Cannot save the model to .*: .*{message}.*; correct the model first"):
        save_model(model, path)
    assert list(path.parent.iterdir()) == []


def test_forests_are_bounded(path, monkeypatch):
    monkeypatch.setattr("s2auc.models.parts.trees.part.MAX_NODES", 51)
    with pytest.raises(ValueError, match="the trees of part 0 must have at most 51 nodes, got 52"):
        save_model(with_part(make_tree_part()), path)


def test_forests_take_sixteen_bytes_a_node(path):
    small, large = (make_model(parts=(make_tree_part(n_trees=100, n_splits=n_splits),)) for n_splits in (0, 200))
    n_nodes = 100 * 2 * 200
    assert len(save_and_read(large, path)) - len(save_and_read(small, path)) == pytest.approx(16 * n_nodes, abs=100)


@pytest.mark.parametrize("step", ["os.fsync", "os.replace"])
@pytest.mark.parametrize("error", [OSError("disk full"), KeyboardInterrupt()])
@pytest.mark.parametrize("before", [None, b"what was there"])
def test_a_failing_write_leaves_everything_as_it_was(step, error, before, path, monkeypatch):
    def fail(*args):
        assert len(list(path.parent.glob(".s2auc-*.tmp"))) == 1
        raise error

    if before is not None:
        path.write_bytes(before)
    monkeypatch.setattr(step, fail)
    with pytest.raises(type(error)):
        save_model(make_model(), path)
    assert {file.name: file.read_bytes() for file in path.parent.iterdir()} == (
        {} if before is None else {path.name: before}
    )


def test_a_saved_file_stands_alone_with_the_usual_permissions(path):
    previous = os.umask(0o027)
    try:
        save_model(make_model(), path)
        assert stat.S_IMODE(path.stat().st_mode) == 0o640
        path.chmod(0o600)
        save_model(make_model(offset=1.0), path)
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    finally:
        os.umask(previous)
    assert load_model(path).offset == 1.0
    assert list(path.parent.iterdir()) == [path]


def test_a_link_keeps_pointing_where_it_did(tmp_path):
    link, target = tmp_path / "link", tmp_path / "folder" / "model"
    target.parent.mkdir()
    link.symlink_to(target)
    save_model(make_model(), link)
    assert link.is_symlink()
    assert same(load_model(target), make_model())


def test_a_missing_library_is_named(path, monkeypatch):
    small = save_and_read(make_model(), path)
    monkeypatch.setitem(sys.modules, "safetensors", None)
    with pytest.raises(ImportError, match=r"pip install 's2auc\[files\]'"):
        save_model(make_model(), path)
    with pytest.raises(ImportError, match=r"pip install 's2auc\[files\]'"):
        load_model(path)
    assert path.read_bytes() == small
