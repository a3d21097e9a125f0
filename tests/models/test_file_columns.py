"""Forged model files about columns and kernels: encodings, categories and centres that make no sense."""

import json
import tracemalloc
from dataclasses import replace

import numpy as np
import pytest

from forged_files import edited, in_part, put, read_by_hand
from model_samples import (
    load_bytes,
    make_encoding,
    make_kernel_part,
    make_model,
    make_part,
    make_table_model,
    save_and_read,
)
from s2auc.data.features.scaling import ColumnScaling
from s2auc.data.schema.schema import Schema
from s2auc.models.files.bytes import encode_model
from s2auc.models.files.file import ModelFileError, load_model, save_model
from s2auc.models.files.schema import check_schema, decode_schema, encode_schema


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.safetensors"


@pytest.fixture
def file(path):
    return save_and_read(make_table_model(), path)


def numbers(name, *changes):
    """Change numbers of an array of the encoding: pairs of place and value."""

    def edit(header):
        _, payload = read_by_hand(encode_model(make_table_model()))
        first, last = header[f"parts.0.encoding.{name}"]["data_offsets"]
        array = np.frombuffer(payload[first:last], "<f8").copy()
        for place, value in changes:
            array[place] = value
        return payload[:first] + array.tobytes() + payload[last:]

    return edit


def shorter(name):
    """Take the last number of an array of the encoding away."""

    def edit(header):
        _, payload = read_by_hand(encode_model(make_table_model()))
        entry = header[f"parts.0.encoding.{name}"]
        first, last = entry["data_offsets"]
        for other in header.values():
            if "data_offsets" in other:
                other["data_offsets"] = [end - 8 * (end >= last) for end in other["data_offsets"]]
        entry.update(shape=[(last - first) // 8 - 1], data_offsets=[first, last - 8])
        return payload[: last - 8] + payload[last:]

    return edit


def in_levels(place, key, value):
    return put("__metadata__", "model", "schema", "levels", place, key, value=value)


def in_schema(key, value):
    return put("__metadata__", "model", "schema", key, value=value)


def without_encoding(header):
    header["__metadata__"]["model"]["parts"][0]["encoding"] = None


BAD_CONTENTS = {
    "encoding_number": (in_part("encoding", 7), "in part 0, its encoding must have the names"),
    "encoding_none": (without_encoding, "in part 0, its arrays must have the names"),
    "encoding_extra": (in_part("encoding", {"n_columns": 7, "more": 1}), "in part 0, its encoding must have the names"),
    "columns_float": (in_part("encoding", {"n_columns": 7.0}), "must be a whole number from 0"),
    "columns_bool": (in_part("encoding", {"n_columns": True}), "must be a whole number from 0"),
    "columns_negative": (in_part("encoding", {"n_columns": -1}), "must be a whole number from 0"),
    "columns_huge": (in_part("encoding", {"n_columns": 10**400}), "must be a whole number from 0"),
    "columns_many": (in_part("encoding", {"n_columns": 2**52}), "encoding of part 0 must be one of 7 columns"),
    "columns_few": (in_part("encoding", {"n_columns": 6}), "source .* must name some of 6 > 0 columns"),
    "columns_none": (in_part("encoding", {"n_columns": 0}), "source .* must name some of 0 > 0 columns"),
    "source_negative": (numbers("source", (0, -1.0)), "source .* must hold whole numbers from 0, got -1.0"),
    "source_fraction": (numbers("source", (0, 0.5)), "source .* must hold whole numbers from 0, got 0.5"),
    "source_nan": (numbers("source", (0, np.nan)), "source .* must hold whole numbers from 0, got nan"),
    "source_huge": (numbers("source", (0, 1e300)), r"source .* must hold whole numbers from 0, got 1e\+300"),
    "source_large": (numbers("source", (0, 7.0)), "source .* must name some of 7 > 0 columns"),
    "source_short": (shorter("source"), r"source, kind and number .* must be of one length, got \(9, 10, 10\)"),
    "kind_unknown": (numbers("kind", (1, 4.0)), r"kind .* must hold numbers from 0 to 3, got \[4\]"),
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
    "array_dtype": (put("parts.0.encoding.kind", "dtype", value="I64"), "must be a vector or matrix of float64"),
    "array_huge": (put("parts.0.encoding.kind", "shape", value=[2**61]), "not those of a safetensors file"),
    "array_matrix": (put("parts.0.encoding.kind", "shape", value=[5, 2]), "kind .* must be a vector of integers"),
    "array_empty": (put("parts.1.encoding.knots", "shape", value=[2**60, 0]), "must have rows and columns, got shape"),
    "schema_columns": (in_schema("n_columns", 6), "encoding of part 0 must be one of 6 columns, got 7"),
    "schema_wide": (in_schema("n_columns", 2**50), "encoding of part 0 must be one of 1125899906842624 columns"),
    "schema_levels": (in_schema("levels", {}), "levels of its schema must be a list"),
    "column_outside": (in_levels(5, "column", 7), "columns of its schema must be numbers from 0 to 6, got 7"),
    "column_twice": (in_levels(1, "column", 1), "levels of its schema must be in the order of columns"),
    "column_text": (in_levels(0, "column", "1"), "must be a whole number from 0"),
    "level_extra": (in_levels(0, "more", 1), "its entry of levels must have the names"),
    "level_type": (in_levels(0, "type", "bytes"), "type of column 1 must be one of .* or null, got 'bytes'"),
    "level_type_list": (in_levels(0, "type", ["text"]), "type of column 1 must be one of"),
    "level_type_null": (in_levels(0, "type", None), "type of column 1 must be one of"),
    "level_values_null": (in_levels(0, "values", None), "levels of column 1 must be a list of type text"),
    "level_mixed": (in_levels(0, "values", ["a", 1]), "levels of column 1 must be a list of type text"),
    "level_bool": (in_levels(2, "values", [True, 5]), "levels of column 3 must be a list of type integer"),
    "level_float": (in_levels(3, "values", [0.5]), "levels of column 4 must be a list of type float"),
    "level_spelling": (in_levels(3, "values", ["0.5"]), "a level of column 4 must be a number in hexadecimal"),
    "level_nan": (in_levels(3, "values", ["nan"]), "levels of column 4 must be different"),
    "level_twice": (in_levels(0, "values", ["a", "a"]), "levels of column 1 must be different"),
    "level_zeros": (in_levels(3, "values", [(0.0).hex(), (-0.0).hex()]), "levels of column 4 must be different"),
    "level_surrogate": (in_levels(0, "values", ["\ud800"]), "levels of column 1 must be different"),
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


def make_kernel_file(path):
    return save_and_read(make_model(parts=(make_kernel_part(n_columns=2, n_centers=3),)), path)


def in_centers(key, value):
    return put("parts.0.centers", key, value=value)


def payload_of(**changes):
    """Put one number in the place of all numbers of an array."""

    def edit(header):
        payload = b""
        for name, entry in header.items():
            if "data_offsets" in entry:
                first, last = entry["data_offsets"]
                number = changes.get(name.removeprefix("parts.0."), 1.0)
                payload += np.full((last - first) // 8, number, dtype="<f8").tobytes()
        return payload

    return edit


BAD_KERNELS = {
    "kind": (in_part("kind", "cosines"), "in part 0, its description must have the names"),
    "kind_unknown": (in_part("kind", "kernel"), "kind of part 0 must be one of .*, got 'kernel'"),
    "kernel": (in_part("kernel", "linear"), "kernel of part 0 must be one of"),
    "gamma": (in_part("gamma", (0.0).hex()), "gamma of part 0 must be a finite float > 0"),
    "seed": (in_part("seed", 7), "in part 0, its description must have the names"),
    "encoding": (in_part("encoding", {"n_columns": 2}), "its arrays must have the names .*'encoding.source'"),
    "vector": (in_centers("shape", [6]), r"centers of part 0 must be a float64 matrix, got shape \(6,\)"),
    "turned": (in_centers("shape", [2, 3]), r"a row of 2 numbers for each of 3 > 0 coefficients, got shape \(2, 3\)"),
    "cube": (in_centers("shape", [3, 2, 1]), "must be a vector or matrix of float64"),
    "nan": (payload_of(centers=np.nan), "centers of part 0 must hold finite numbers, got nan"),
    "inf": (payload_of(coefficients=-np.inf), "coefficients of part 0 must hold finite numbers, got -inf"),
    "scale": (payload_of(scale=np.nan), "scale of part 0 must hold finite numbers, got nan"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD_KERNELS)
def test_sums_of_kernels_that_make_no_sense(case, path):
    edit, message = BAD_KERNELS[case]
    with pytest.raises(ModelFileError, match=message) as caught:
        load_bytes(edited(make_kernel_file(path), edit), path)
    assert str(caught.value).endswith("; upgrade s2auc or save the model again.")


def test_centres_of_no_columns_claim_nothing(path):
    def without_numbers(header):
        for name, entry in header.items():
            if name == "parts.0.centers":
                entry.update(shape=[2**55, 0], data_offsets=[32, 32])
            elif name == "parts.0.coefficients":
                entry.update(data_offsets=[32, 56])
        return np.ones(7).tobytes()

    with pytest.raises(ModelFileError, match="centers' must have rows and columns, got shape"):
        load_bytes(edited(make_kernel_file(path), without_numbers), path)


def test_claims_of_size_allocate_nothing(file, path):
    claims = [
        in_part("encoding", {"n_columns": 2**50}),
        in_schema("n_columns", 2**50),
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


OFTEN = {name: np.repeat(getattr(make_encoding(), name), 129) for name in ("source", "kind", "number")}


def encoding_with(**changes):
    return make_table_model(encoding=replace(make_encoding(), **changes))


BAD_MODELS = {
    "source_float": (encoding_with(source=make_encoding().source * 1.0), "source .* must be a vector of integers"),
    "knots_float32": (encoding_with(knots=np.zeros(5, np.float32)), "knots .* must be a float64 vector"),
    "kind_matrix": (encoding_with(kind=np.zeros((10, 1), np.intp)), "kind .* must be a vector of integers"),
    "number_nan": (encoding_with(number=np.full(10, np.nan)), "number .* must hold finite numbers"),
    "source_often": (
        encoding_with(**OFTEN),
        "source .* must name no column more than 128 times, got 387 times",
    ),
    "columns": (encoding_with(n_columns=8), "the encoding of part 0 must be one of 7 columns, got 8"),
    "shift": (
        make_table_model(parts=(replace(make_part(), columns=ColumnScaling(*np.ones((2, 7)), make_encoding())),)),
        "shift of part 0 must hold a number for each of 10 > 0 columns, got 7",
    ),
    "parts": (
        make_model(parts=(make_part(), make_table_model().parts[0])),
        "the encoding of part 1 must be one of 3 columns, got 7",
    ),
    "schema": (make_table_model(schema=Schema(3, {})), "encoding of part 0 must be one of 3 columns, got 7"),
    "levels_list": (make_table_model(schema=Schema(7, {0: ["a"]})), "levels of column 0 must be different"),
    "levels_mixed": (make_table_model(schema=Schema(7, {0: ("a", 1)})), "levels of column 0 must be different"),
    "levels_inf": (make_table_model(schema=Schema(7, {0: (np.inf,)})), "levels of column 0 must be different"),
    "levels_numpy": (make_table_model(schema=Schema(7, {0: (np.int64(1),)})), "levels of column 0 must be different"),
    "levels_tuple": (make_table_model(schema=Schema(7, {0: ((1,),)})), "levels of column 0 must be different"),
    "column_text": (make_table_model(schema=Schema(7, {"a": ("b",)})), "columns of its schema must be numbers"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD_MODELS)
def test_models_that_no_file_can_hold(case, path):
    model, message = BAD_MODELS[case]
    with pytest.raises(ValueError, match=f"Cannot save the model to .*: .*{message}.*; correct the model first"):
        save_model(model, path)
    assert list(path.parent.iterdir()) == []


LEFT_OUT = {
    "no list": ("id", "left_out of its schema must be a list of columns"),
    "empty": ([], "left_out of its schema must be a list of columns"),
    "other fields": ([{"column": 0}], "its entry of left_out must have the names"),
    "no number": ([{"column": "0", "name": "id"}], "a number of columns must be a whole number"),
    "order": ([{"column": 2, "name": "id"}, {"column": 1, "name": "no"}], "must be in the order of columns"),
    "outside": ([{"column": 4, "name": "id"}], r"leaves out must be numbers from 0 to 3, got \[4\]"),
    "name of another": ([{"column": 0, "name": "a"}], "leaves out must be different from all others"),
    "number as name": ([{"column": 0, "name": 7}], "leaves out must be different from all others"),
    "surrogate": ([{"column": 0, "name": "\ud800"}], "leaves out must be different from all others|not the JSON"),
}


@pytest.mark.parametrize("case", LEFT_OUT)
def test_left_out_columns_that_make_no_sense(case):
    value, sentence = LEFT_OUT[case]
    described = {"n_columns": 3, "names": ["a", "b", "c"], "levels": [], "left_out": value}
    with pytest.raises(ValueError, match=sentence):
        check_schema(decode_schema(described))


@pytest.mark.parametrize(
    "schema",
    [
        Schema(3, {1: ("x",)}, ("a", "b", "c"), {0: "id", 3: "name"}),
        Schema(2, {}, (5, 7)),
        Schema(2, {}, (1, 2), {0: 0}),
        Schema(2, {}, None, {0: "0", 3: "3"}),
    ],
)
def test_left_out_columns_and_numbers_as_names_come_back(schema):
    check_schema(schema)
    described = json.loads(json.dumps(encode_schema(schema)))
    assert decode_schema(described) == schema
    assert ("left_out" in described) == bool(schema.left_out)


@pytest.mark.parametrize("left_out", [{0: "id"}, {0: 0}, {0: "1"}], ids=str)
def test_left_out_columns_need_names(left_out):
    with pytest.raises(
        ValueError, match=r"leaves out must be different from all others, and the numbers of the columns"
    ):
        check_schema(Schema(2, {}, None, left_out))


READ = Schema(
    4,
    {},
    ("price", "when", "when (month)", "at"),
    parts={1: ("when", "day"), 2: ("when", "month"), 3: ("at", "time")},
    readings={0: "numbers with decimal commas", 1: "dates, day first", 3: "times with dots"},
)


def test_readings_come_back():
    check_schema(READ)
    described = json.loads(json.dumps(encode_schema(READ)))
    assert described["readings"][1] == {"column": 1, "reading": "dates, day first"}
    assert decode_schema(described) == READ
    assert "readings" not in encode_schema(replace(READ, readings={}))


ENTRY = {"column": 0, "reading": "numbers"}
STRANGE_READINGS = {
    "no list": ({"0": "numbers"}, "readings of its schema must be a list of columns"),
    "nothing": ([], "readings of its schema must be a list of columns"),
    "an entry without a reading": ([{"column": 0}], "its entry of readings must have the names"),
    "an entry with more": ([ENTRY | {"zone": "UTC"}], "its entry of readings must have the names"),
    "columns that fall": ([ENTRY | {"column": 1}, ENTRY], "readings of its schema must be in the order of columns"),
    "a column twice": ([ENTRY, ENTRY], "readings of its schema must be in the order of columns"),
    "a column of text": ([ENTRY | {"column": "0"}], "'0'"),
    "a number as reading": ([ENTRY | {"reading": 3}], "readings of its schema must be known ones .* got 3 of 0"),
    "an unknown reading": (
        [ENTRY | {"reading": "roman"}],
        "readings of its schema must be known ones .* got 'roman' of 0",
    ),
    "a column too many": ([ENTRY | {"column": 4}], "known ones of columns from 0 to 3, got 'numbers' of 4"),
}


@pytest.mark.parametrize("case", STRANGE_READINGS)
def test_readings_that_make_no_sense(case):
    value, sentence = STRANGE_READINGS[case]
    with pytest.raises(ValueError, match=sentence):
        check_schema(decode_schema(encode_schema(READ) | {"readings": value}))
