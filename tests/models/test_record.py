"""Records hold what JSON can carry exactly, and nothing else."""

import json
from dataclasses import replace
from types import MappingProxyType

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from model_samples import RECORD, exact_record, make_model, save_and_read
from s2auc.models.files.file import load_model, save_model
from s2auc.models.record import DEEPEST, LONGEST_TEXT, RECORD_BYTES, Record, check_record
from s2auc.models.strict_json import to_json

LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**64) + 1, 2**64 - 1),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=20),
)


def nested(leaves, depth):
    """Return values with at most so many lists and dicts around the leaves."""
    for _ in range(depth):
        leaves = leaves | st.lists(leaves, max_size=3) | st.dictionaries(st.text(max_size=5), leaves, max_size=3)
    return leaves


RECORDS = st.dictionaries(
    st.text(max_size=5).filter(lambda name: name not in Record.__annotations__), nested(LEAVES, DEEPEST - 1), max_size=4
)


@given(RECORDS)
def test_any_record_comes_back(tmp_path_factory, record):
    path = tmp_path_factory.getbasetemp() / "record.safetensors"
    save_model(make_model(record=record), path)
    assert exact_record(load_model(path).record) == exact_record(record)


@given(RECORDS)
def test_equal_records_give_equal_files(tmp_path_factory, record):
    path = tmp_path_factory.getbasetemp() / "equal.safetensors"
    model = make_model(record=record)
    assert save_and_read(model, path) == save_and_read(replace(model, record=turned(record)), path)


def turned(value):
    """Return the same value with the names of all dicts in another order."""
    if isinstance(value, dict):
        return {name: turned(value[name]) for name in reversed(value)}
    return [turned(item) for item in value] if isinstance(value, list) else value


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_floats_are_exact(number):
    assert json.loads(to_json({"a": number}))["a"].hex() == number.hex()


def test_the_record_of_an_estimator_is_sound():
    check_record(RECORD)
    check_record({})
    check_record({"auc": np.float64(0.5)})  # is a float


def deep(n_levels):
    value = 1
    for _ in range(n_levels - 1):
        value = [value]
    return {"a": value}


LOOP = {}
LOOP["self"] = LOOP

BAD_RECORDS = {
    "nan": ({"a": [{"b": np.nan}]}, "numbers in its record must be finite, or None, got nan at a.0.b"),
    "inf": ({"a": -np.inf}, "numbers in its record must be finite, or None, got -inf at a"),
    "integer": ({"a": -(2**64)}, r"integers in its record must be smaller than 2\*\*64, got -1844"),
    "integer_huge": ({"a": 10**4000}, "integers in its record must be smaller"),
    "numpy_integer": ({"a": np.int64(1)}, "Python's own numbers, .* got int64 at a"),
    "numpy_boolean": ({"a": np.bool_(True)}, "got bool(_)? at a"),
    "float32": ({"a": np.float32(0.5)}, "got float32 at a"),
    "array": ({"a": np.zeros(2)}, "got ndarray at a"),
    "tuple": ({"a": (1, 2)}, "got tuple at a"),
    "set": ({"a": {1}}, "got set at a"),
    "bytes": ({"a": b"1"}, "got bytes at a"),
    "mapping": ({"a": MappingProxyType({})}, "got mappingproxy at a"),
    "text": ({"a": "x" * (LONGEST_TEXT + 1)}, "texts in its record must be UTF-8 of at most 10000 .* got 'xxx"),
    "surrogate": ({"a": "\ud800"}, "texts in its record must be UTF-8"),
    "name_number": ({1: "a"}, "names in its record must be text of at most 10000 characters, got 1 at its top"),
    "name_none": ({"a": {None: 1}}, "names in its record must be text .* got None at a"),
    "name_long": ({"x" * (LONGEST_TEXT + 1): 1}, "names in its record must be text"),
    "name_surrogate": ({"\ud800": 1}, "names in its record must be text"),
    "deep": (deep(DEEPEST + 1), "at most 6 lists and dicts deep, got more at a.0.0.0.0.0"),
    "loop": (LOOP, "at most 6 lists and dicts deep"),
    "large": ({"a": ["x" * LONGEST_TEXT] * 1700}, "JSON of its record must have at most 16777216 bytes, got 17005107"),
    "type": (RECORD | {"estimator": 7}, "its record must hold a value of type str at estimator, got 7"),
    "type_float": (RECORD | {"seed": 1.0}, "a value of type int at seed, got 1.0"),
    "type_boolean": (RECORD | {"rows": {"positive": True}}, "a value of type int at rows.positive, got True"),
    "type_none": (RECORD | {"unlabeled": None}, "a value of type dict at unlabeled, got None"),
    "type_inside": (RECORD | {"columns": [*RECORD["columns"], 7]}, "a value of type dict at columns.1, got 7"),
    "type_deep": (
        RECORD | {"unlabeled": RECORD["unlabeled"] | {"difference": RECORD["held_out_auc"] | {"low": "x"}}},
        "a value of type float at unlabeled.difference.low, got 'x'",
    ),
    "incomplete": (
        RECORD | {"shift": {"column": 1}},
        r"must hold the names \['class_prior', 'column', 'p_value'\] at shift, got \['column'\]",
    ),
    "chosen": (RECORD | {"settings_chosen": [2]}, r"settings_chosen .* among 2 settings_tried, .* got \[2\]"),
    "chosen_below": (RECORD | {"settings_chosen": [-1]}, r"settings_chosen .* got \[-1\]"),
    "shares": (RECORD | {"shares": [0.5, 0.5]}, r"settings_chosen .* with a share each, got \[0\]"),
    "list": ([], "its record must be a dict, got list"),
    "proxy": (MappingProxyType({}), "its record must be a dict, got mappingproxy"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD_RECORDS)
def test_records_that_no_file_can_hold(case, tmp_path):
    record, message = BAD_RECORDS[case]
    with pytest.raises(ValueError, match=message) as caught:
        check_record(record)
    assert len(str(caught.value)) < 300
    assert "\n" not in str(caught.value)
    with pytest.raises(ValueError, match=f"^Cannot save the model to .*{message}.*; correct the model first\\.$"):
        save_model(make_model(record=record), tmp_path / "model.safetensors")
    assert not list(tmp_path.iterdir())


def test_limits_can_be_reached(tmp_path):
    path = tmp_path / "model.safetensors"
    full = {"a": '"' * LONGEST_TEXT, "x" * LONGEST_TEXT: [True, 1 - 2**64], "deep": deep(DEEPEST - 1)["a"]}
    save_model(make_model(record=full), path)
    assert load_model(path).record == full
    texts = ["\\" * LONGEST_TEXT] * 830
    assert 0.98 * RECORD_BYTES < len(to_json({"a": texts})) < RECORD_BYTES
    save_model(make_model(record={"a": texts}), path)
    assert load_model(path).record == {"a": texts}
