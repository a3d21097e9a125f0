"""Model files that are damaged or forged: refused with a sentence, or good for a model like any other."""

import itertools
import json
import os
import subprocess
import sys
import tracemalloc
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forged_files import (
    VALUES,
    altered_files,
    edited,
    in_model,
    mutate,
    put,
    read_by_hand,
    sign,
    write_by_hand,
)
from model_samples import (
    frame_of,
    load_bytes,
    make_golden_committee,
    make_golden_model,
    make_golden_projection,
    make_model,
    make_part,
    same,
    save_and_read,
)
from s2auc.models.files.file import SIZE_LIMIT, ModelFileError, load_model, save_model


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.safetensors"


@pytest.fixture
def small(path):
    """Return the bytes of a small file."""
    return save_and_read(make_model(parts=(make_part(n_columns=2, n_frequencies=3),)), path)


@pytest.fixture
def golden(path):
    """Return the bytes of a file with everything in it."""
    return save_and_read(make_golden_model(), path)


@pytest.fixture
def committee(path):
    """Return the bytes of a file with trees and weights in it."""
    return save_and_read(make_golden_committee(), path)


@pytest.fixture
def projection(path):
    """Return the bytes of a file whose parts are in one another."""
    return save_and_read(make_golden_projection(), path)


def test_every_truncation_is_noticed(small, path):
    for length in range(len(small)):
        with pytest.raises(ModelFileError):
            load_bytes(small[:length], path)


def test_every_flipped_bit_is_noticed(small, path):
    for place in range(len(small)):
        with pytest.raises(ModelFileError):
            load_bytes(small[:place] + bytes([small[place] ^ (1 << place % 8)]) + small[place + 1 :], path)


@pytest.mark.parametrize(("file", "n_mutants"), [("small", 1000), ("golden", 500), ("committee", 500)])
def test_random_mutations_are_noticed(file, n_mutants, path, request):
    data = request.getfixturevalue(file)
    random = Random(20190810)
    mutants = (mutate(data, random) for _ in itertools.count())
    for mutant in itertools.islice((mutant for mutant in mutants if mutant != data), n_mutants):
        with pytest.raises(ModelFileError):
            load_bytes(mutant, path)


def loads_or_is_refused(data, path):
    """Load a file; if it is not refused, the model must work like any other."""
    try:
        model = load_bytes(data, path)
    except ModelFileError:
        return False
    with np.errstate(all="ignore"):
        assert model.decision_function(frame_of(model)).shape == (6,)
    assert len(repr(model)) < 200
    assert model._repr_html_().startswith("<table>")
    save_model(model, path)
    assert same(load_model(path), model)
    return True


@pytest.mark.parametrize(
    ("file", "n_examples"), [("small", 150), ("golden", 100), ("committee", 100), ("projection", 60)]
)
def test_altered_headers_are_refused_or_give_models(file, n_examples, path, request):
    data, outcomes = request.getfixturevalue(file), []

    @settings(max_examples=n_examples)
    @given(altered_files(data))
    def check(forged):
        outcomes.append(loads_or_is_refused(forged, path))

    check()
    assert set(outcomes) == {True, False}


def test_forests_of_any_numbers_are_refused_or_give_models(committee, path):
    header, payload = read_by_hand(committee)
    data, outcomes = np.frombuffer(payload, "<f8"), []
    places = {name: slice(*np.array(header[f"parts.0.{name}"]["data_offsets"]) // 8) for name in ("column", "number")}
    n_nodes = len(data[places["column"]])
    columns = st.integers(-2, 11) | st.sampled_from([-1.0, 0.5, -0.0, 1e300, 2.0**31, 2.0**40, np.nan, np.inf])
    numbers = st.floats(-10, 10) | st.sampled_from([5e-324, -1e300, np.nan, -np.inf])

    @settings(max_examples=50)
    @given(
        st.lists(st.tuples(st.integers(0, n_nodes - 1), columns), max_size=4),
        st.lists(st.tuples(st.integers(0, n_nodes - 1), numbers), max_size=2),
    )
    def check(other_columns, other_numbers):
        changed = data.copy()
        for name, changes in {"column": other_columns, "number": other_numbers}.items():
            for node, value in changes:
                changed[places[name]][node] = value
        outcomes.append(loads_or_is_refused(write_by_hand(header, changed.tobytes()), path))

    check()
    assert set(outcomes) == {True, False}


def test_arbitrary_headers_are_refused(path):
    opening = '{"__metadata__":{"format":"s2auc-model","sha256":"' + "0" * 64 + '"'

    @settings(max_examples=50)
    @given(
        metadata=st.dictionaries(
            st.sampled_from(["version", "model", "written_by", "x"]), VALUES | st.just("3") | VALUES.map(json.dumps)
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


@settings(max_examples=60)
@given(data=st.binary(max_size=200))
def test_arbitrary_bytes_are_refused(data, tmp_path_factory):
    with pytest.raises(ModelFileError, match="not a model file"):
        load_bytes(data, tmp_path_factory.getbasetemp() / "bytes")


def test_claims_of_size_allocate_nothing(small, path):
    claims = [
        put("parts.0.cosine", "shape", value=[2**37]),
        put("parts.0.cosine", "data_offsets", value=[0, 2**40]),
        put("__metadata__", "model", "schema", "n_columns", value=2**50),
        in_model("classes", {"dtype": "<U999999999", "values": ["a", "b"]}),
        in_model("record", {"a": 10**300}),
    ]
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
from s2auc.models.files.file import load_model
events = []
watching = False
sys.addaudithook(lambda event, args: events.append([event, repr(args[:1])]) if watching else None)
for path in sys.argv[1:]:
    watching = True
    load_model(path)
    watching = False
print(json.dumps(events))
"""


def test_loading_runs_nothing_and_opens_nothing_else(small, golden, committee, projection, tmp_path):
    paths = []
    for number, data in enumerate((small, golden, committee, projection)):
        paths.append(str(tmp_path / f"{number}.safetensors"))
        (tmp_path / f"{number}.safetensors").write_bytes(data)
    command = [sys.executable, "-c", AUDITED_LOAD, *paths]
    events = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    assert events == [["open", repr((path,))] for path in paths]


def test_only_regular_files_are_loaded(tmp_path):
    with pytest.raises(IsADirectoryError, match="is a folder: name the file in it"):
        load_model(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ModelFileError, match="a device or a pipe"):
        load_model(tmp_path / "pipe")
