"""Model files and models whose bytes are in order and whose contents are not."""

from dataclasses import replace

import numpy as np
import pytest

from model_file_edits import (
    classes_of,
    edited,
    in_cosine,
    in_metadata,
    in_model,
    in_part,
    payload_of,
    swapped,
    without_parts,
)
from model_files import load_bytes, make_model, make_part, same
from s2auc.models.file import ModelFileError, save_model

BAD_CONTENTS = {
    "newer": (in_metadata("version", "3"), "written by a newer s2auc .*version 3.*upgrade"),
    "version_2": (in_metadata("version", "2"), "description must be an object with .*'table'"),
    "version_odd": (in_metadata("version", "one"), "format version"),
    "version_number": (in_metadata("version", 1), "format version"),
    "metadata_extra": (in_metadata("more", "x"), "metadata must be an object with"),
    "frequency_version": (in_model("frequency_version", "mt19937"), "frequency_version must be"),
    "description_extra": (in_model("more", 1), "description must be an object with"),
    "kernel": (in_part("kernel", "linear"), "kernel of part 0 must be one of"),
    "kernel_list": (in_part("kernel", ["gaussian"]), "kernel of part 0 must be one of"),
    "gamma_zero": (in_part("gamma", "0x0.0p+0"), "gamma of part 0"),
    "gamma_negative": (in_part("gamma", "-0x1.0000000000000p+0"), "gamma of part 0"),
    "gamma_nan": (in_part("gamma", "nan"), "gamma of part 0"),
    "gamma_inf": (in_part("gamma", "inf"), "gamma of part 0"),
    "gamma_huge": (in_part("gamma", "0x1.fffffffffffffp+1023"), "gamma of part 0"),
    "gamma_overflow": (in_part("gamma", "0x1p+99999"), "gamma of part 0 must be a number in hexadecimal"),
    "gamma_decimal": (in_part("gamma", 0.5), "gamma of part 0 must be a number in hexadecimal"),
    "gamma_spelling": (in_part("gamma", "0x1p0"), "gamma of part 0 must be a number in hexadecimal"),
    "seed_large": (in_part("seed", 2**64), "seed of part 0 must be an integer from 0"),
    "seed_huge": (in_part("seed", 10**4000), "seed of part 0 must be an integer from 0"),
    "seed_negative": (in_part("seed", -1), "seed of part 0 must be an integer from 0"),
    "seed_float": (in_part("seed", 1.0), "seed of part 0 must be an integer from 0"),
    "seed_bool": (in_part("seed", True), "seed of part 0 must be an integer from 0"),
    "part_extra": (in_part("more", 1), "part 0 must be an object with"),
    "parts_none": (in_model("parts", []), "arrays must be those of its 0 parts"),
    "parts_and_arrays_none": (without_parts, "at least one part, got none"),
    "parts_number": (in_model("parts", 3), "parts must be a list"),
    "offset_inf": (in_model("offset", "-inf"), "offset must be a finite"),
    "offset_null": (in_model("offset", None), "offset must be a number in hexadecimal"),
    "names_few": (in_model("feature_names", ["a"]), "feature_names must be one text for each of 2 columns"),
    "names_numbers": (in_model("feature_names", [1, 2]), "feature_names must be one text"),
    "names_surrogate": (in_model("feature_names", ["a", "\ud800"]), "feature_names must be one text"),
    "names_text": (in_model("feature_names", "ab"), "feature_names must be a list or null"),
    "classes_null": (in_model("classes", None), "classes must be an object with"),
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
    "dtype": (in_cosine("dtype", "I64"), r"must be a vector of float64 numbers \(F64\), got I64"),
    "dtype_unknown": (in_cosine("dtype", "F65"), "not those of a safetensors file"),
    "matrix": (in_cosine("shape", [3, 1]), r"must be a vector of float64 numbers \(F64\)"),
    "shape": (in_cosine("shape", [4]), "not those of a safetensors file"),
    "shape_huge": (in_cosine("shape", [2**61]), "not those of a safetensors file"),
    "shape_overflow": (in_cosine("shape", [2**63, 2**63]), "not those of a safetensors file"),
    "offsets_huge": (in_cosine("data_offsets", [0, 2**63]), "not those of a safetensors file"),
    "trailing": (lambda header: bytes(81), "not those of a safetensors file"),
    "short": (lambda header: bytes(72), "not those of a safetensors file"),
    "sine_longer": (swapped("parts.0.cosine", "parts.0.sine"), "cosine and sine of part 0 must be of one length"),
    "scale_longer": (swapped("parts.0.shift", "parts.0.scale"), "scale of part 0 must hold a number for each of 1 > 0"),
    "extra_array": (
        lambda header: header.update(more={"dtype": "F64", "shape": [0], "data_offsets": [80, 80]}),
        "arrays must be those of its 1 parts",
    ),
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


def test_an_edit_that_changes_nothing_loads(small, path):
    assert same(load_bytes(edited(small, lambda header: None), path), load_bytes(small, path))


BAD_MODELS = {
    "parts": (make_model(parts=()), "at least one part, got none"),
    "offset": (make_model(offset=np.nan), "offset must be a finite float, got nan"),
    "classes_decimal": (make_model(classes=np.array([1, 2], dtype=object)), "booleans, integers, floats or texts"),
    "classes_long": (make_model(classes=np.array([1, 2], dtype=np.longdouble)), "booleans, integers, floats or texts"),
    "classes_surrogate": (make_model(classes=np.array(["a", "\ud800"])), "two different values"),
    "names": (make_model(feature_names=("a",)), "one text for each of 3 columns"),
    "frequency_version": (make_model(frequency_version="mt19937"), "frequency_version must be"),
    "columns": (make_model(parts=(make_part(), make_part(n_columns=2))), "shift of part 1 must hold .* for each of 3"),
    "no_columns": (make_model(parts=(make_part(n_columns=0),)), "for each of 0 > 0 columns"),
    "nan": (make_model(parts=(replace(make_part(), sine=np.full(5, np.nan)),)), "sine of part 0 must hold finite"),
    "float32": (make_model(parts=(replace(make_part(), sine=np.zeros(5, np.float32)),)), "must be a float64 vector"),
    "gamma": (make_model(parts=(make_part(gamma=np.float32(0.1)),)), "gamma of part 0 must be a finite float > 0"),
    "gamma_int": (make_model(parts=(make_part(gamma=10**400),)), "gamma of part 0 must be a finite float > 0"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD_MODELS)
def test_models_that_no_file_can_hold(case, path):
    model, message = BAD_MODELS[case]
    with pytest.raises(ValueError, match=f"Cannot save the model to .*: .*{message}.*; correct the model first"):
        save_model(model, path)
    assert list(path.parent.iterdir()) == []
