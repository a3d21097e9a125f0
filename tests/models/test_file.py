import hashlib
import itertools
import json
import os
import stat
import subprocess
import sys
import tracemalloc
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors import safe_open
from safetensors.numpy import load_file

from s2auc.data.column_scaling import ColumnScaling
from s2auc.kernels.frequencies import FREQUENCY_VERSION
from s2auc.kernels.shift_invariant import KERNELS
from s2auc.models.file import SIZE_LIMIT, ModelFileError, load_model, save_model
from s2auc.models.model import Model, Part

GOLDEN = Path(__file__).parent / "golden" / "model_version_1.safetensors"
GOLDEN_VERSION = "0.1.0"
GOLDEN_SCORES = [7.67882100922, 7.57809024755, 7.21649364606, 4.53152332393]

CLASSES = {
    "bool": np.array([False, True]),
    "int": np.array([0, 1]),
    "int_reversed": np.array([7, -3], dtype=np.int8),
    "int_big_endian": np.array([1, 2], dtype=">i4"),
    "unsigned": np.array([0, 2**64 - 1], dtype=np.uint64),
    "float": np.array([0.1, 1e300]),
    "float32": np.array([-0.0, 0.1], dtype=np.float32),
    "text": np.array(["ham", "spam"]),
    "text_wide": np.array(["ham", "spam"], dtype="<U40"),
    "text_unicode": np.array(['naïve\n"\\', "陽性 🦊"]),
    "bytes": np.array([b"a\xff", b"b"]),
}


def make_part(kernel="gaussian", n_columns=3, n_frequencies=5, seed=2**64 - 1, gamma=0.1):
    rng = np.random.default_rng(n_frequencies)
    columns = ColumnScaling(rng.normal(size=n_columns), rng.random(n_columns) + 0.5)
    return Part(columns, kernel, gamma, seed, *rng.normal(size=(2, n_frequencies)))


def make_model(**changes):
    return replace(Model((make_part(),), offset=1 / 3, classes=CLASSES["int"]), **changes)


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


def read_by_hand(data):
    """Return header and arrays of a model file, by the letter of the format."""
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + length])
    return header, data[8 + length :]


def write_by_hand(header, payload=b""):
    """Return a file with this header (JSON text or a value) and a correct digest, so that later checks are reached."""
    text = header if isinstance(header, str) else json.dumps(header, separators=(",", ":"))
    return sign(len(text.encode()).to_bytes(8, "little") + text.encode() + payload)


def sign(data):
    start = data.index(b'"sha256":"') + 10
    unsigned = data[:start] + b"0" * 64 + data[start + 64 :]
    return data[:start] + hashlib.sha256(unsigned).hexdigest().encode() + data[start + 64 :]


def same(model, other):
    """Return whether two models are equal bit by bit."""

    def pieces(m):
        arrays = [a for p in m.parts for a in (p.columns.shift, p.columns.scale, p.cosine, p.sine)]
        scalars = [(p.kernel, float(p.gamma).hex(), p.seed) for p in m.parts]
        exact = [(a.dtype.str, a.shape, a.tobytes()) for a in [*arrays, m.classes]]
        return exact, scalars, float(m.offset).hex(), m.feature_names, m.frequency_version

    return pieces(model) == pieces(other)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.safetensors"


@pytest.fixture
def small(path):
    """Return the bytes of a small file."""
    return save_and_read(make_model(parts=(make_part(n_columns=2, n_frequencies=3),)), path)


def save_and_read(model, path):
    save_model(model, path)
    return path.read_bytes()


def load_bytes(data, path):
    path.write_bytes(data)
    return load_model(path)


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


def test_every_truncation_is_noticed(small, path):
    for length in range(len(small)):
        with pytest.raises(ModelFileError):
            load_bytes(small[:length], path)


def test_every_flipped_bit_is_noticed(small, path):
    for place in range(len(small)):
        with pytest.raises(ModelFileError):
            load_bytes(small[:place] + bytes([small[place] ^ (1 << place % 8)]) + small[place + 1 :], path)


def test_random_mutations_are_noticed(small, path):
    random = Random(20190810)
    mutants = (mutate(small, random) for _ in itertools.count())
    for mutant in itertools.islice((mutant for mutant in mutants if mutant != small), 10_000):
        with pytest.raises(ModelFileError):
            load_bytes(mutant, path)


def mutate(data, random):
    changed = bytearray(data)
    for _ in range(random.randint(1, 3)):
        first, length = random.randrange(len(changed)), random.choice([1, 1, 2, 8, 64])
        piece = slice(first, first + length)
        match random.randrange(6):
            case 0:
                changed[first] ^= 1 << random.randrange(8)
            case 1:
                changed[first:first] = random.randbytes(length)
            case 2:
                del changed[piece]
            case 3:
                changed[piece] = random.randbytes(len(changed[piece]))
            case 4:
                changed[first:first] = changed[piece]
            case 5:
                changed += bytes(changed[piece])
        changed = changed or bytearray(b"?")
    return bytes(changed)


def unpack(data):
    """Return header and arrays of a model file, the description in it parsed as well."""
    header, payload = read_by_hand(data)
    header["__metadata__"]["model"] = json.loads(header["__metadata__"]["model"])
    return header, payload


def pack(header, payload):
    if "model" in header["__metadata__"]:
        header["__metadata__"]["model"] = json.dumps(header["__metadata__"]["model"])
    return write_by_hand(header, payload)


def edited(data, edit):
    """Return the file after `edit(header)`, which may return other arrays, with a correct digest."""
    header, payload = unpack(data)
    other = edit(header)
    return pack(header, payload if other is None else other)


def put(*place, value):
    def edit(header):
        inside = header
        for step in place[:-1]:
            inside = inside[step]
        inside[place[-1]] = value

    return edit


def in_metadata(key, value):
    return put("__metadata__", key, value=value)


def in_model(key, value):
    return put("__metadata__", "model", key, value=value)


def in_part(key, value):
    return put("__metadata__", "model", "parts", 0, key, value=value)


def in_cosine(key, value):
    return put("parts.0.cosine", key, value=value)


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
    twice = text.replace(b'"version":"1"', b'"version":"1","version":"1"')
    with pytest.raises(ModelFileError, match="a name occurs twice"):
        load_bytes(sign(len(twice).to_bytes(8, "little") + twice + payload), path)


LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.integers(-(2**70), 2**70),
    st.floats(),
    st.floats().map(float.hex),
    st.text(max_size=5),
    st.sampled_from([*KERNELS, FREQUENCY_VERSION, "<U3", "|b1", "<i8", "<f8", "F64", "F32", "BOOL"]),
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


def places(value, here=()):
    """Return the path to everything inside a JSON value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [here] * bool(here) + [place for key, item in inner for place in places(item, (*here, key))]


KEPT = {("__metadata__",), ("__metadata__", "sha256"), ("__metadata__", "format")}
"""Without these a file is not taken for a model file at all."""


@st.composite
def altered_files(draw, data):
    """Return a file some of whose values, anywhere in its header, are replaced, removed or added to."""
    header, payload = unpack(data)
    for _ in range(draw(st.integers(1, 2))):
        options = [place for place in places(header) if place not in KEPT]
        # Most places are the arrays', where the format's own rules refuse nearly all changes: half go elsewhere.
        deeper = [place for place in options if place[1:2] == ("model",) and len(place) > 2]
        options = deeper if deeper and draw(st.booleans()) else options
        *outer, key = draw(st.sampled_from(options))
        inside = header
        for step in outer:
            inside = inside[step]
        match draw(st.integers(0, 5)):
            case 0:
                del inside[key]
            case 1 if isinstance(inside, dict):
                inside[draw(st.text(max_size=5))] = draw(VALUES)
            case 1 if isinstance(inside, list):
                inside.append(draw(VALUES))
            case _:
                inside[key] = draw(VALUES)
    payload = draw(st.one_of(st.just(payload), st.binary(min_size=len(payload), max_size=len(payload))))
    return pack(header, payload)


def loads_or_is_refused(data, path):
    """Load a file; if it is not refused, the model must work like any other."""
    try:
        model = load_bytes(data, path)
    except ModelFileError:
        return False
    with np.errstate(all="ignore"):
        assert model.decision_function(np.zeros((2, model.n_columns))).shape == (2,)
    save_model(model, path)
    assert same(load_model(path), model)
    return True


def test_altered_headers_are_refused_or_give_models(small, path):
    outcomes = []

    @settings(max_examples=600)
    @given(altered_files(small))
    def check(data):
        outcomes.append(loads_or_is_refused(data, path))

    check()
    assert set(outcomes) == {True, False}


def test_arbitrary_headers_are_refused(path):
    opening = '{"__metadata__":{"format":"s2auc-model","sha256":"' + "0" * 64 + '"'

    @settings(max_examples=300)
    @given(
        metadata=st.dictionaries(
            st.sampled_from(["version", "model", "written_by", "x"]), VALUES | st.just("1") | VALUES.map(json.dumps)
        ),
        entries=st.dictionaries(st.text(max_size=5), VALUES, max_size=3),
        payload=st.binary(max_size=40),
    )
    def check(metadata, entries, payload):
        rest = json.dumps(metadata)[1:-1], json.dumps(entries)[1:-1]
        text = opening + ("," if rest[0] else "") + rest[0] + "}" + ("," if rest[1] else "") + rest[1] + "}"
        with pytest.raises(ModelFileError):
            load_bytes(write_by_hand(text, payload), path)

    check()


@settings(max_examples=200)
@given(data=st.binary(max_size=200))
def test_arbitrary_bytes_are_refused(data, tmp_path_factory):
    with pytest.raises(ModelFileError, match="not a model file"):
        load_bytes(data, tmp_path_factory.getbasetemp() / "bytes")


def test_claims_of_size_allocate_nothing(small, path):
    claims = [in_cosine("shape", [2**37]), in_cosine("data_offsets", [0, 2**40]), classes_of("<U999999999", "a", "b")]
    files = [edited(small, claim) for claim in claims] + [sign((2**40).to_bytes(8, "little") + small[8:])]
    for data in files:
        path.write_bytes(data)
        tracemalloc.start()
        with pytest.raises(ModelFileError):
            load_model(path)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 1e6


@pytest.mark.parametrize("is_model", [False, True])
def test_absurdly_large_files_are_not_read(is_model, small, path):
    path.write_bytes(small if is_model else b"x")
    os.truncate(path, SIZE_LIMIT + 1)
    with pytest.raises(ModelFileError, match="at most .* name a smaller" if is_model else "not a model file"):
        load_model(path)


AUDITED_LOAD = """
import json, sys
import safetensors
from s2auc.models.file import load_model
events = []
watching = True
sys.addaudithook(lambda event, args: events.append([event, repr(args[:1])]) if watching else None)
model = load_model(sys.argv[1])
watching = False
print(json.dumps(events))
"""


def test_loading_runs_nothing_and_opens_nothing_else(small, path):
    path.write_bytes(small)
    command = [sys.executable, "-c", AUDITED_LOAD, str(path)]
    events = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    assert events == [["open", repr((str(path),))]]


def test_a_missing_file_is_not_found(path):
    with pytest.raises(FileNotFoundError, match=r"There is no model file '.*model\.safetensors': check the path"):
        load_model(path)


def test_only_regular_files_are_loaded(tmp_path):
    with pytest.raises(IsADirectoryError, match="is a folder: name the file in it"):
        load_model(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ModelFileError, match="a device or a pipe"):
        load_model(tmp_path / "pipe")


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


def test_a_missing_library_is_named(small, path, monkeypatch):
    monkeypatch.setitem(sys.modules, "safetensors", None)
    with pytest.raises(ImportError, match=r"pip install 's2auc\[files\]'"):
        save_model(make_model(), path)
    with pytest.raises(ImportError, match=r"pip install 's2auc\[files\]'"):
        load_model(path)
    assert path.read_bytes() == small
