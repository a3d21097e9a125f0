"""Forged model files whose digest is right: contents that make no sense are named in a sentence."""

import json

import numpy as np
import pytest

from forged_files import edited, in_metadata, in_model, in_part, put, read_by_hand, sign, write_by_hand
from model_samples import load_bytes, make_model, make_part, same, save_and_read
from s2auc.models.files.file import ModelFileError


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.safetensors"


@pytest.fixture
def small(path):
    """Return the bytes of a small file."""
    return save_and_read(make_model(parts=(make_part(n_columns=2, n_frequencies=3),)), path)


def in_cosine(key, value):
    return put("parts.0.cosine", key, value=value)


def in_schema(key, value):
    return put("__metadata__", "model", "schema", key, value=value)


def probabilities_of(slope, intercept):
    return in_model("probabilities", {"slope": slope, "intercept": intercept})


def renamed(name, other):
    def edit(header):
        header[other] = header.pop(name)

    return edit


def classes_of(dtype, *values):
    return in_model("classes", {"dtype": dtype, "values": list(values)})


def payload_of(number):
    def edit(header):
        return np.full(10, number, dtype="<f8").tobytes()

    return edit


def swapped(shorter, longer):
    """Move one number from one array to the next: all offsets stay valid."""

    def edit(header):
        first, last = header[shorter]["data_offsets"]
        header[shorter].update(shape=[(last - first) // 8 - 1], data_offsets=[first, last - 8])
        start, stop = header[longer]["data_offsets"]
        header[longer].update(shape=[(stop - start) // 8 + 1], data_offsets=[start - 8, stop])

    return edit


def without_parts(header):
    header["__metadata__"]["model"]["parts"] = []
    for name in header.keys() - {"__metadata__"}:
        del header[name]
    return b""


BAD_CONTENTS = {
    "newer": (in_metadata("version", "4"), "written by a newer s2auc .*version 4; this s2auc reads version 3.; up"),
    "version_zero": (in_metadata("version", "0"), "format version"),
    "version_long": (in_metadata("version", "1" * 5000), "format version"),
    "version_odd": (in_metadata("version", "one"), "format version"),
    "version_number": (in_metadata("version", 1), "format version"),
    "metadata_extra": (in_metadata("more", "x"), "metadata must have the names"),
    "frequency_version": (in_model("frequency_version", "mt19937"), "frequency_version must be"),
    "description_extra": (in_model("more", 1), "description must have the names"),
    "kernel": (in_part("kernel", "linear"), "kernel of part 0 must be one of"),
    "kernel_list": (in_part("kernel", ["gaussian"]), "kernel of part 0 must be one of"),
    "gamma_zero": (in_part("gamma", "0x0.0p+0"), "gamma of part 0"),
    "gamma_negative": (in_part("gamma", "-0x1.0000000000000p+0"), "gamma of part 0"),
    "gamma_nan": (in_part("gamma", "nan"), "gamma of part 0"),
    "gamma_inf": (in_part("gamma", "inf"), "gamma of part 0"),
    "gamma_huge": (in_part("gamma", "0x1.fffffffffffffp+1023"), "gamma of part 0"),
    "gamma_overflow": (in_part("gamma", "0x1p+99999"), "in part 0, gamma must be a number in hexadecimal"),
    "gamma_decimal": (in_part("gamma", 0.5), "in part 0, gamma must be a number in hexadecimal"),
    "gamma_spelling": (in_part("gamma", "0x1p0"), "in part 0, gamma must be a number in hexadecimal"),
    "seed_large": (in_part("seed", 2**64), "seed of part 0 must be an integer from 0"),
    "seed_huge": (in_part("seed", 10**4000), "seed of part 0 must be an integer from 0"),
    "seed_negative": (in_part("seed", -1), "seed of part 0 must be an integer from 0"),
    "seed_float": (in_part("seed", 1.0), "seed of part 0 must be an integer from 0"),
    "seed_bool": (in_part("seed", True), "seed of part 0 must be an integer from 0"),
    "part_extra": (in_part("more", 1), "in part 0, its description must have the names"),
    "part_number": (put("__metadata__", "model", "parts", 0, value=7), "kind of part 0 must be one of .* got None"),
    "kind": (in_part("kind", "forests"), "kind of part 0 must be one of .*'kernels'.*, got 'forests'"),
    "kind_list": (in_part("kind", ["cosines"]), "kind of part 0 must be one of"),
    "kind_other": (in_part("kind", "kernels"), "in part 0, its description must have the names"),
    "parts_none": (in_model("parts", []), "arrays must be those of its 0 parts"),
    "parts_and_arrays_none": (without_parts, "at least one part, got none"),
    "parts_number": (in_model("parts", 3), "parts must be a list"),
    "offset_inf": (in_model("offset", "-inf"), "offset must be a finite"),
    "offset_null": (in_model("offset", None), "offset must be a number in hexadecimal"),
    "names_few": (in_schema("names", ["a"]), "names of its schema must be one text for each of 2 columns"),
    "names_mixed": (in_schema("names", ["a", 2]), "names of its schema must be one text"),
    "names_surrogate": (in_schema("names", ["a", "\ud800"]), "names of its schema must be one text"),
    "names_text": (in_schema("names", "ab"), "names of its schema must be a list or null"),
    "names_twice": (in_schema("names", ["a", "a"]), "names of its schema must be different"),
    "schema_null": (in_model("schema", None), "schema must have the names"),
    "schema_wide": (in_schema("n_columns", 2**50), "shift of part 0 must hold a number for each of 1125899906842624"),
    "probabilities_number": (in_model("probabilities", 1), "probabilities must have the names"),
    "slope_decimal": (probabilities_of(1.0, (0.0).hex()), "slope of its probabilities must be a number in hexa"),
    "slope_zero": (probabilities_of((0.0).hex(), (0.0).hex()), "slope of its probabilities must be a finite float > 0"),
    "slope_nan": (probabilities_of("nan", (0.0).hex()), "slope of its probabilities must be a finite float > 0"),
    "intercept_inf": (probabilities_of((1.0).hex(), "-inf"), "intercept of its probabilities must be a finite"),
    "record_list": (in_model("record", []), "record must be a dict, got list"),
    "record_null": (in_model("record", None), "record must be a dict, got NoneType"),
    "record_deep": (in_model("record", {"a": [[[[[[1]]]]]]}), "at most 6 lists and dicts deep, got more at a.0.0"),
    "record_integer": (in_model("record", {"a": 2**64}), "integers in its record must be smaller"),
    "record_text": (in_model("record", {"a": "x" * 10_001}), "texts in its record must be .* at most 10000"),
    "record_surrogate": (in_model("record", {"a": "\ud800"}), "texts in its record must be UTF-8"),
    "record_name": (in_model("record", {"\ud800": 1}), "names in its record must be text"),
    "classes_null": (in_model("classes", None), "classes must have the names"),
    "classes_three": (classes_of("<i8", 0, 1, 2), "classes must be two values"),
    "classes_equal": (classes_of("<i8", 1, 1), "two different values"),
    "classes_mixed": (classes_of("<i8", 1, True), "classes must be two values"),
    "classes_large": (classes_of("|i1", 1, 300), "do not fit"),
    "classes_huge": (classes_of("<i8", 1, 10**4000), "do not fit"),
    "classes_cut": (classes_of("<U1", "ab", "ac"), "do not fit"),
    "classes_zero": (classes_of("<U2", "a\0", "b"), "do not fit"),
    "classes_surrogate": (classes_of("<U2", "a", "\udfff"), "two different values"),
    "classes_rounded": (classes_of("<f4", (0.1).hex(), (1.0).hex()), "do not fit"),
    "classes_overflow": (classes_of("<f2", (1e300).hex(), (1.0).hex()), "do not fit"),
    "classes_nan": (classes_of("<f8", "nan", (1.0).hex()), "do not fit"),
    "classes_inf": (classes_of("<f8", "inf", (1.0).hex()), "two different values"),
    "classes_not_hex": (classes_of("|S2", "zz", "00"), "do not fit"),
    "classes_object": (classes_of("|O", "a", "b"), "unknown dtype"),
    "classes_record": (classes_of("i4,i4", 0, 1), "unknown dtype"),
    "classes_wide": (classes_of("<U999999999", "a", "b"), "unknown dtype"),
    "classes_digits": (classes_of("<U٣", "a", "b"), "unknown dtype"),
    "nan": (payload_of(np.nan), "shift of part 0 must hold finite numbers"),
    "inf": (payload_of(-np.inf), "shift of part 0 must hold finite numbers"),
    "dtype": (in_cosine("dtype", "I64"), r"must be a vector or matrix of float64 numbers \(F64\), got I64"),
    "dtype_unknown": (in_cosine("dtype", "F65"), "not those of a safetensors file"),
    "matrix": (in_cosine("shape", [3, 1]), r"cosine of part 0 must be a float64 vector, got shape \(3, 1\)"),
    "cube": (in_cosine("shape", [3, 1, 1]), r"must be a vector or matrix of float64 numbers \(F64\)"),
    "shape": (in_cosine("shape", [4]), "not those of a safetensors file"),
    "shape_huge": (in_cosine("shape", [2**61]), "not those of a safetensors file"),
    "shape_overflow": (in_cosine("shape", [2**63, 2**63]), "not those of a safetensors file"),
    "offsets_huge": (in_cosine("data_offsets", [0, 2**63]), "not those of a safetensors file"),
    "trailing": (lambda header: bytes(81), "not those of a safetensors file"),
    "short": (lambda header: bytes(72), "not those of a safetensors file"),
    "sine_longer": (swapped("parts.0.cosine", "parts.0.sine"), "cosine and sine of part 0 must be of one length"),
    "scale_longer": (swapped("parts.0.shift", "parts.0.scale"), "shift of part 0 must hold a number for each of 2 > 0"),
    "extra_array": (
        lambda header: header.update(more={"dtype": "F64", "shape": [0], "data_offsets": [80, 80]}),
        "arrays must be those of its 1 parts, got 'more'",
    ),
    "array_of_no_part": (renamed("parts.0.sine", "parts.1.sine"), "arrays must be those of its 1 parts"),
    "array_spelled_otherwise": (renamed("parts.0.sine", "parts.00.sine"), "arrays must be those of its 1 parts"),
    "array_digits": (renamed("parts.0.sine", "parts.٠.sine"), "arrays must be those of its 1 parts"),
    "array_renamed": (renamed("parts.0.sine", "parts.0.\nsin"), "in part 0, its arrays must have the names"),
    "array_missing": (renamed("parts.0.scale", "parts.0.size"), "in part 0, its arrays must have the names .*'scale'"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD_CONTENTS)
def test_bad_contents_with_a_good_digest(case, small, path):
    edit, message = BAD_CONTENTS[case]
    with pytest.raises(ModelFileError, match=message) as caught:
        load_bytes(edited(small, edit), path)
    sentence = str(caught.value)
    assert sentence.startswith(f"Cannot load model file {str(path)!r}: ")
    assert sentence.endswith("; upgrade s2auc or save the model again.")
    assert "\n" not in sentence
    assert len(sentence) < len(str(path)) + 500


@pytest.mark.parametrize("version", ["1", "2"])
def test_files_of_older_versions_say_what_to_do(version, small, path):
    with pytest.raises(ModelFileError) as caught:
        load_bytes(edited(small, in_metadata("version", version)), path)
    assert str(caught.value) == (
        f"Cannot load model file {str(path)!r}: it was written by an older s2auc (in format version {version}; this "
        "s2auc reads version 3); save the model again with this version of s2auc."
    )


def test_numbers_of_a_record_that_are_no_floats_are_refused(small, path):
    header, payload = read_by_hand(small)
    for number in ("1e400", "-1e400"):
        metadata = header["__metadata__"]
        text = metadata["model"].replace('"record":{}', '"record":{"a":' + number + "}")
        forged = {**header, "__metadata__": {**metadata, "model": text}}
        with pytest.raises(ModelFileError, match="numbers in its record must be finite"):
            load_bytes(write_by_hand(forged, payload), path)


def test_an_edit_that_changes_nothing_loads(small, path):
    assert same(load_bytes(edited(small, lambda header: None), path), load_bytes(small, path))


DEEP = 200_000
BAD_JSON = {
    "deep": "[" * DEEP + "]" * DEEP,
    "deep_objects": '{"a":' * DEEP + "1" + "}" * DEEP,
    "huge_integer": "1" * 10_000,
    "nan": "NaN",
    "infinity": '{"offset":-Infinity}',
    "duplicate": '{"offset":1,"offset":1}',
    "unfinished": '{"offset":',
    "empty": "",
    "surrogate": '"\\ud800"',
}


@pytest.mark.parametrize("case", BAD_JSON)
def test_bad_json_with_a_good_digest(case, small, path):
    header, payload = read_by_hand(small)
    text = BAD_JSON[case]
    as_description = {**header, "__metadata__": {**header["__metadata__"], "model": text}}
    with pytest.raises(ModelFileError):
        load_bytes(write_by_hand(as_description, payload), path)
    as_entry = json.dumps(header, separators=(",", ":"))[:-1] + f',"more":{text}}}'
    with pytest.raises(ModelFileError):
        load_bytes(write_by_hand(as_entry, payload), path)


def test_bad_header_bytes_with_a_good_digest(small, path):
    header, payload = read_by_hand(small)
    text = json.dumps(header, separators=(",", ":")).encode()
    for length in (0, 1, len(text) - 1, len(text) + 1, 10**8, 2**63, 2**64 - 1):
        with pytest.raises(ModelFileError):
            load_bytes(sign(length.to_bytes(8, "little") + text + payload), path)
    for replacement in (b"\xff\xfe", b"\xed\xa0\x80", b"\x00"):
        with pytest.raises(ModelFileError):
            load_bytes(sign(small.replace(b"gaussian", replacement.ljust(8, b"x"))), path)
    twice = text.replace(b'"version":"3"', b'"version":"3","version":"3"')
    with pytest.raises(ModelFileError, match="a name occurs twice"):
        load_bytes(sign(len(twice).to_bytes(8, "little") + twice + payload), path)
