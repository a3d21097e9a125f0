"""Model files of version 2: models that encode columns and know categories."""

import itertools
import json
import tracemalloc
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from safetensors.numpy import load_file

from model_file_edits import altered_files, edited, in_metadata, in_model, in_part, mutate, put
from model_files import GOLDEN_VERSION, load_bytes, make_part, read_by_hand, save_and_read
from model_files import same as same_otherwise
from s2auc.data.column_scaling import ColumnScaling
from s2auc.data.encoding import Encoding, Kind
from s2auc.data.schema import Schema
from s2auc.models.file import ModelFileError, load_model, save_model
from s2auc.models.model import Model, Part

GOLDEN = Path(__file__).parent / "golden" / "model_version_2.safetensors"
GOLDEN_SCORES = [1.39951225122, 1.98838578661, 3.79832800229, 3.31533010801, 1.67409046491, 3.57540090879]

ARRAYS = "source", "kind", "number", "bounds", "knots", "ranks"
LEVELS = {1: ("Oslo", "Rome", "東京 🦊"), 2: (False, True), 3: (-(2**70), 5), 4: (-0.5, 0.1), 5: None, 6: ()}


def make_encoding():
    """Return an encoding of every kind, two ranks among them, in fractions that every processor computes alike."""
    return Encoding(
        n_columns=7,
        source=np.array([0, 0, 1, 1, 2, 3, 4, 5, 6, 0]),
        kind=np.array([Kind.RANK, Kind.MISSING, *[Kind.LEVEL] * 5, Kind.RANK, Kind.MISSING, Kind.VALUE]),
        number=np.array([0.5, 0.0, 0.0, 2.0, 1.0, 1.0, 0.0, 2.0, 0.0, -1 / 3]),
        bounds=np.array([0, 3, 5]),
        knots=np.array([-1.0, 0.5, 4.0, 0.1, 9.0]),
        ranks=np.array([0.25, 0.5, 0.75, 1 / 8, 7 / 8]),
    )


def make_model(encoding=None, **changes):
    count = np.arange(1.0, 11.0)
    columns = ColumnScaling(1 / count, count / 7, make_encoding() if encoding is None else encoding)
    part = Part(columns, "gaussian", 0.1, 5, 1 / count[:4], -1 / count[1:5])
    # Values as they come, with no rank at all.
    nothing = {"bounds": np.zeros(1, np.intp), "knots": np.zeros(0), "ranks": np.zeros(0)}
    values = Encoding(7, np.arange(7), np.zeros(7, np.intp), np.zeros(7), **nothing)
    other = replace(part, columns=ColumnScaling(np.zeros(7), np.full(7, 0.25), values), kernel="laplacian", seed=2**63)
    names = tuple("abcdefg")
    model = Model((part, other), -1 / 3, np.array(["no", "yes"]), names, schema=Schema(7, LEVELS))
    return replace(model, **changes)


def frame_of(model):
    """Return rows that a model can read, whatever its schema says."""
    frame = pd.DataFrame(np.arange(6.0 * model.n_columns).reshape(6, -1) % 11 - 2.25)
    for column, levels in (model.schema.levels if model.schema else {}).items():
        if levels:
            # A list of objects: levels beyond 64 bits have no other type.
            frame[column] = pd.Series([levels[i % len(levels)] for i in range(6)], dtype=object)
    if model.feature_names is not None:
        frame.columns = list(model.feature_names)
    return frame


def same(model, other):
    """Return whether two models are equal bit by bit, encodings and schemas included."""

    def pieces(m):
        encodings = [p.columns.encoding for p in m.parts]
        arrays = [[getattr(e, name) for name in ARRAYS] for e in encodings if e is not None]
        exact = [(a.dtype.str, a.shape, a.tobytes()) for group in arrays for a in group]
        levels = (
            None if m.schema is None else [(c, [(type(v), v) for v in vs or ()]) for c, vs in m.schema.levels.items()]
        )
        return exact, [e and e.n_columns for e in encodings], levels, m.schema

    return same_otherwise(model, other) and pieces(model) == pieces(other)


@pytest.fixture
def file(path):
    return save_and_read(make_model(), path)


MODELS = {
    "both": make_model(),
    "encoding": make_model(schema=None),
    "mixed": make_model(parts=(make_model().parts[0], make_part(n_columns=7)), schema=None),
    "table": Model((make_part(),), 0.5, np.array([0, 1]), schema=Schema(3, {0: ("a", "b"), 2: None})),
    "empty_table": Model((make_part(),), 0.5, np.array([0, 1]), schema=Schema(3, {})),
}


@pytest.mark.parametrize("case", MODELS)
def test_round_trip(case, path):
    model = MODELS[case]
    data = save_and_read(model, path)
    loaded = load_model(path)
    assert same(model, loaded)
    rows = frame_of(model)
    assert loaded.decision_function(rows).tobytes() == model.decision_function(rows).tobytes()
    assert save_and_read(loaded, path) == data
    assert read_by_hand(data)[0]["__metadata__"]["version"] == "2"


def test_bytes_are_the_documented_ones(file, path):
    header, _ = read_by_hand(file)
    description = json.loads(header["__metadata__"]["model"])
    assert [part["encoding"] for part in description["parts"]] == [{"n_columns": 7}, {"n_columns": 7}]
    assert description["table"] == {
        "n_columns": 7,
        "levels": [
            {"column": 1, "type": "text", "values": ["Oslo", "Rome", "東京 🦊"]},
            {"column": 2, "type": "boolean", "values": [False, True]},
            {"column": 3, "type": "integer", "values": [-(2**70), 5]},
            {"column": 4, "type": "float", "values": [(-0.5).hex(), (0.1).hex()]},
            {"column": 5, "type": None, "values": None},
            {"column": 6, "type": "text", "values": []},
        ],
    }
    arrays = load_file(path)
    for name in ARRAYS:
        stored = arrays[f"parts.0.encoding.{name}"]
        assert stored.dtype == np.float64
        assert stored.tolist() == getattr(make_encoding(), name).tolist()
    encoded = {f"parts.{place}.encoding.{name}" for place in (0, 1) for name in ARRAYS}
    assert {name for name in arrays if "encoding" in name} == encoded


def test_models_without_encodings_and_table_are_written_as_version_1(path):
    plain = Model((make_part(),), 0.5, np.array([0, 1]))
    assert read_by_hand(save_and_read(plain, path))[0]["__metadata__"]["version"] == "1"


def test_golden_file_of_version_2(path, monkeypatch):
    # If this fails, models that users saved are lost: keep reading version 2, and write a version 3 instead.
    data = GOLDEN.read_bytes()
    model = load_model(GOLDEN)
    assert same(model, make_model())
    rows = frame_of(model)
    np.testing.assert_allclose(model.decision_function(rows), GOLDEN_SCORES, rtol=1e-6)
    monkeypatch.setattr("s2auc.models.file_bytes.version", lambda name: GOLDEN_VERSION)
    assert save_and_read(model, path) == data


def test_every_truncation_is_noticed(file, path):
    for length in range(0, len(file), 7):
        with pytest.raises(ModelFileError):
            load_bytes(file[:length], path)


def test_random_mutations_are_noticed(file, path):
    random = Random(20190810)
    mutants = (mutate(file, random) for _ in itertools.count())
    for mutant in itertools.islice((mutant for mutant in mutants if mutant != file), 3000):
        with pytest.raises(ModelFileError):
            load_bytes(mutant, path)


def numbers(name, *changes):
    """Change numbers of an array of the encoding: pairs of place and value."""

    def edit(header):
        _, payload = read_by_hand(save_to_bytes())
        first, last = header[f"parts.0.encoding.{name}"]["data_offsets"]
        array = np.frombuffer(payload[first:last], "<f8").copy()
        for place, value in changes:
            array[place] = value
        return payload[:first] + array.tobytes() + payload[last:]

    return edit


def shorter(name):
    """Take the last number of an array of the encoding away."""

    def edit(header):
        _, payload = read_by_hand(save_to_bytes())
        entry = header[f"parts.0.encoding.{name}"]
        first, last = entry["data_offsets"]
        for other in header.values():
            if "data_offsets" in other:
                other["data_offsets"] = [end - 8 * (end >= last) for end in other["data_offsets"]]
        entry.update(shape=[(last - first) // 8 - 1], data_offsets=[first, last - 8])
        return payload[: last - 8] + payload[last:]

    return edit


def save_to_bytes():
    from s2auc.models.file_bytes import encode_model

    return encode_model(make_model())


def in_table(place, key, value):
    return put("__metadata__", "model", "table", "levels", place, key, value=value)


def without_encoding(header):
    header["__metadata__"]["model"]["parts"][0]["encoding"] = None


BAD_CONTENTS = {
    "newer": (in_metadata("version", "3"), "written by a newer s2auc .*version 3"),
    "older": (in_metadata("version", "1"), "description must be an object with"),
    "encoding_number": (in_part("encoding", 7), "encoding of part 0 must be an object with"),
    "encoding_none": (without_encoding, "arrays must be those of its 2 parts"),
    "encoding_extra": (in_part("encoding", {"n_columns": 7, "more": 1}), "encoding of part 0 must be an object with"),
    "columns_float": (in_part("encoding", {"n_columns": 7.0}), "must be a whole number from 0"),
    "columns_bool": (in_part("encoding", {"n_columns": True}), "must be a whole number from 0"),
    "columns_negative": (in_part("encoding", {"n_columns": -1}), "must be a whole number from 0"),
    "columns_huge": (in_part("encoding", {"n_columns": 10**400}), "must be a whole number from 0"),
    "columns_many": (in_part("encoding", {"n_columns": 2**52}), "source .* must name each of 4503599627370496 > 0"),
    "columns_few": (in_part("encoding", {"n_columns": 6}), "source .* must name each of 6 > 0 columns"),
    "columns_none": (in_part("encoding", {"n_columns": 0}), "source .* must name each of 0 > 0 columns"),
    "source_negative": (numbers("source", (0, -1.0)), "source .* must hold whole numbers from 0, got -1.0"),
    "source_fraction": (numbers("source", (0, 0.5)), "source .* must hold whole numbers from 0, got 0.5"),
    "source_nan": (numbers("source", (0, np.nan)), "source .* must hold whole numbers from 0, got nan"),
    "source_huge": (numbers("source", (0, 1e300)), r"source .* must hold whole numbers from 0, got 1e\+300"),
    "source_large": (numbers("source", (0, 7.0)), "source .* must name each of 7 > 0 columns"),
    "source_gap": (numbers("source", (8, 5.0)), "source .* must name each of 7 > 0 columns"),
    "source_short": (shorter("source"), "source, kind and number .* must be of one length, got 9, 10 and 10"),
    "kind_unknown": (numbers("kind", (1, 4.0)), "kind .* must hold numbers from 0 to 3, got 4"),
    "kind_rank": (numbers("kind", (1, 1.0)), "bounds .* must rise from 0 to 5 in 3 steps"),
    "number_inf": (numbers("number", (0, np.inf)), "number .* must hold finite numbers, got inf"),
    "number_short": (shorter("number"), "must be of one length"),
    "bounds_first": (numbers("bounds", (0, 1.0)), "bounds .* must rise from 0 to 5 in 2 steps"),
    "bounds_last": (numbers("bounds", (2, 4.0)), "bounds .* must rise from 0 to 5 in 2 steps"),
    "bounds_falling": (numbers("bounds", (1, 6.0)), "bounds .* must rise from 0 to 5 in 2 steps"),
    "bounds_flat": (numbers("bounds", (1, 0.0)), "bounds .* must rise from 0 to 5 in 2 steps"),
    "bounds_short": (shorter("bounds"), "bounds .* must rise from 0 to 5 in 2 steps"),
    "knots_short": (shorter("knots"), "bounds .* must rise from 0 to 4 in 2 steps"),
    "knots_falling": (numbers("knots", (1, 5.0)), "knots .* must rise within a column, got 5.0 before 4.0"),
    "knots_equal": (numbers("knots", (4, 0.1)), "knots .* must rise within a column, got 0.1 before 0.1"),
    "knots_nan": (numbers("knots", (1, np.nan)), "knots .* must hold finite numbers"),
    "ranks_short": (shorter("ranks"), "ranks .* must be a number from 0 to 1 for each of 5 knots"),
    "ranks_large": (numbers("ranks", (0, 1.5)), "ranks .* must be a number from 0 to 1"),
    "ranks_negative": (numbers("ranks", (4, -0.5)), "ranks .* must be a number from 0 to 1"),
    "array_dtype": (put("parts.0.encoding.kind", "dtype", value="I64"), "must be a vector of float64 numbers"),
    "array_huge": (put("parts.0.encoding.kind", "shape", value=[2**61]), "not those of a safetensors file"),
    "table_list": (in_model("table", []), "table must be an object with"),
    "table_columns": (put("__metadata__", "model", "table", "n_columns", value=6), "must be that of its parts, 7,"),
    "table_wide": (put("__metadata__", "model", "table", "n_columns", value=2**50), "must be that of its parts, 7"),
    "table_levels": (put("__metadata__", "model", "table", "levels", value={}), "levels of its table must be a list"),
    "column_outside": (in_table(5, "column", 7), "columns of its table must be numbers from 0 to 6, got 7"),
    "column_twice": (in_table(1, "column", 1), "must be in their order, got 1 after 1"),
    "column_text": (in_table(0, "column", "1"), "must be a whole number from 0"),
    "level_extra": (in_table(0, "more", 1), "levels of a column must be an object with"),
    "level_type": (in_table(0, "type", "bytes"), "type of column 1 must be one of .* or null, got 'bytes'"),
    "level_type_list": (in_table(0, "type", ["text"]), "type of column 1 must be one of"),
    "level_type_null": (in_table(0, "type", None), "type of column 1 must be one of"),
    "level_values_null": (in_table(0, "values", None), "levels of column 1 must be a list of type text"),
    "level_mixed": (in_table(0, "values", ["a", 1]), "levels of column 1 must be a list of type text"),
    "level_bool": (in_table(2, "values", [True, 5]), "levels of column 3 must be a list of type integer"),
    "level_float": (in_table(3, "values", [0.5]), "levels of column 4 must be a list of type float"),
    "level_spelling": (in_table(3, "values", ["0.5"]), "a level of column 4 must be a number in hexadecimal"),
    "level_nan": (in_table(3, "values", ["nan"]), "levels of column 4 must be different"),
    "level_twice": (in_table(0, "values", ["a", "a"]), "levels of column 1 must be different"),
    "level_zeros": (in_table(3, "values", [(0.0).hex(), (-0.0).hex()]), "levels of column 4 must be different"),
    "level_surrogate": (in_table(0, "values", ["\ud800"]), "levels of column 1 must be different"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD_CONTENTS)
def test_bad_contents_with_a_good_digest(case, file, path):
    edit, message = BAD_CONTENTS[case]
    with pytest.raises(ModelFileError, match=message) as caught:
        load_bytes(edited(file, edit), path)
    sentence = str(caught.value)
    assert sentence.endswith("; upgrade s2auc or save the model again.")
    assert "\n" not in sentence
    assert len(sentence) < len(str(path)) + 500


def test_altered_files_are_refused_or_give_models(file, path):
    outcomes = []

    @settings(max_examples=400)
    @given(altered_files(file))
    def check(data):
        try:
            model = load_bytes(data, path)
        except ModelFileError:
            outcomes.append(False)
            return
        with np.errstate(all="ignore"):
            assert model.decision_function(frame_of(model)).shape == (6,)
        save_model(model, path)
        assert same(load_model(path), model)
        outcomes.append(True)

    check()
    assert set(outcomes) == {True, False}


def test_claims_of_size_allocate_nothing(file, path):
    claims = [
        in_part("encoding", {"n_columns": 2**50}),
        put("__metadata__", "model", "table", "n_columns", value=2**50),
        numbers("bounds", (2, 2.0**50)),
        numbers("source", (0, 2.0**50)),
    ]
    for claim in claims:
        path.write_bytes(edited(file, claim))
        tracemalloc.start()
        with pytest.raises(ModelFileError):
            load_model(path)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 1e6


def encoding_with(**changes):
    return make_model(encoding=replace(make_encoding(), **changes))


BAD_MODELS = {
    "source_float": (encoding_with(source=make_encoding().source * 1.0), "source .* must be a vector of integers"),
    "knots_float32": (encoding_with(knots=np.zeros(5, np.float32)), "knots .* must be a vector of float64 numbers"),
    "kind_matrix": (encoding_with(kind=np.zeros((10, 1), np.intp)), "kind .* must be a vector of integers"),
    "number_nan": (encoding_with(number=np.full(10, np.nan)), "number .* must hold finite numbers"),
    "columns": (encoding_with(n_columns=8), "source .* must name each of 8 > 0 columns"),
    "shift": (
        make_model(parts=(replace(make_model().parts[0], columns=ColumnScaling(*np.ones((2, 7)), make_encoding())),)),
        "shift of part 0 must hold a number for each of 10 > 0 columns, got 7",
    ),
    "parts": (
        make_model(parts=(make_part(), make_model().parts[0]), schema=None, feature_names=None),
        "the encoding of part 1 must be one of 3 columns, got 7",
    ),
    "table_columns": (make_model(schema=Schema(3, {})), "n_columns of its table must be that of its parts, 7, got 3"),
    "levels_list": (make_model(schema=Schema(7, {0: ["a"]})), "levels of column 0 must be different"),
    "levels_mixed": (make_model(schema=Schema(7, {0: ("a", 1)})), "levels of column 0 must be different"),
    "levels_inf": (make_model(schema=Schema(7, {0: (np.inf,)})), "levels of column 0 must be different"),
    "levels_numpy": (make_model(schema=Schema(7, {0: (np.int64(1),)})), "levels of column 0 must be different"),
    "levels_tuple": (make_model(schema=Schema(7, {0: ((1,),)})), "levels of column 0 must be different"),
    "column_text": (make_model(schema=Schema(7, {"a": ("b",)})), "columns of its table must be numbers from 0 to 6"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD_MODELS)
def test_models_that_no_file_can_hold(case, path):
    model, message = BAD_MODELS[case]
    with pytest.raises(ValueError, match=f"Cannot save the model to .*: .*{message}.*; correct the model first"):
        save_model(model, path)
    assert list(path.parent.iterdir()) == []
