"""Model files that were damaged or made up are refused, whatever is in them."""

import itertools
import json
import os
import tracemalloc
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model_file_edits import VALUES, altered_files, classes_of, edited, in_cosine, loads_or_is_refused, mutate
from model_files import (
    load_bytes,
    read_by_hand,
    sign,
    write_by_hand,
)
from s2auc.models.file import SIZE_LIMIT, ModelFileError, load_model


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
