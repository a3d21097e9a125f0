"""Items of a checkpoint come back as they were, or not at all; a folder that takes nothing more is told of once."""

import errno
import os
import re
import sys
import time
from collections import namedtuple
from contextlib import contextmanager

import numpy as np
import pytest

from s2auc.common.storage import checkpoints
from s2auc.common.storage.checkpoints import ENDING, Checkpoint

ARRAYS = {
    **{
        np.dtype(dtype).name: np.arange(6).astype(dtype).reshape(2, 3)
        for dtype in (np.float64, np.float32, np.int64, np.int32, np.uint8, bool)
    },
    "odd numbers": np.array([np.nan, -0.0, np.inf, 5e-324]),
    "0-d": np.array(7),
    "empty": np.zeros((0, 3)),
    "columns first": np.asfortranarray(np.arange(12.0).reshape(3, 4)),
    "every second": np.arange(10.0)[::2],
}
WORDS = {"n_done": 3, "gamma": 0.1 + 0.2, "seed": 2**64 - 1, "name": 'é"\ud800', "none": None, "some": [1, {"a": []}]}


@pytest.fixture
def checkpoint(tmp_path):
    return Checkpoint(tmp_path / "run")


def path_of(checkpoint, name):
    return checkpoint.folder / f"{name}{ENDING}"


def test_items_come_back_as_they_were(checkpoint):
    checkpoint.save("first", WORDS, ARRAYS)
    words, arrays = Checkpoint(checkpoint.folder).load("first")
    assert words == WORDS
    assert arrays.keys() == ARRAYS.keys()
    for name, expected in ARRAYS.items():
        assert (arrays[name].dtype, arrays[name].shape) == (expected.dtype, expected.shape), name
        assert arrays[name].tobytes() == expected.tobytes(), name
        assert arrays[name].flags.aligned
        assert arrays[name].flags.writeable


def test_an_item_takes_the_place_of_an_earlier_one(checkpoint):
    checkpoint.save("run", {"n_done": 1}, {"scores": np.zeros(3)})
    checkpoint.save("run", {"n_done": 2}, {"other": np.ones(1)})
    words, arrays = checkpoint.load("run")
    assert (words, list(arrays)) == ({"n_done": 2}, ["other"])
    assert os.listdir(checkpoint.folder) == [f"run{ENDING}"]


def test_equal_items_have_equal_bytes(checkpoint):
    for name in ("first", "second"):
        checkpoint.save(name, WORDS, ARRAYS)
    assert path_of(checkpoint, "first").read_bytes() == path_of(checkpoint, "second").read_bytes()


def test_absent_items(checkpoint):
    assert checkpoint.load("never") is None
    path_of(checkpoint, "folder").mkdir()
    assert checkpoint.load("folder") is None


@pytest.mark.parametrize("place", [0, 63, 64, 70, 200, 0.5, -1])
def test_items_with_a_wrong_byte_count_as_absent(checkpoint, place):
    checkpoint.save("first", WORDS, ARRAYS)
    content = bytearray(path_of(checkpoint, "first").read_bytes())
    content[int(place * len(content)) if isinstance(place, float) else place] ^= 1
    path_of(checkpoint, "first").write_bytes(content)
    assert checkpoint.load("first") is None
    checkpoint.save("first", {}, {})
    assert checkpoint.load("first") == ({}, {})


@pytest.mark.parametrize(("last", "more"), [(0, b""), (64, b""), (-1, b""), (None, b"\0")], ids=str)
def test_items_that_are_cut_or_grown_count_as_absent(checkpoint, last, more):
    checkpoint.save("first", WORDS, ARRAYS)
    path_of(checkpoint, "first").write_bytes(path_of(checkpoint, "first").read_bytes()[:last] + more)
    assert checkpoint.load("first") is None


def test_a_full_disk_is_told_of_once_and_leaves_nothing_half_written(checkpoint, monkeypatch):
    checkpoint.save("kept", {"n": 1}, {})
    attempts = []
    whole_file = checkpoints.whole_file

    @contextmanager
    def full(target):
        attempts.append(target)
        with whole_file(target) as file:
            yield file
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(checkpoints, "whole_file", full)
    with pytest.warns(UserWarning, match=r"takes nothing more \(No space left on device\): the run goes on") as caught:
        checkpoint.save("lost", {}, {"scores": np.zeros(3)})
    assert len(caught) == 1
    assert repr(os.fspath(checkpoint.folder)) in str(caught[0].message)
    checkpoint.save("kept", {"n": 2}, {})
    assert len(attempts) == 1
    assert os.listdir(checkpoint.folder) == [f"kept{ENDING}"]
    assert checkpoint.load("lost") is None
    assert checkpoint.load("kept") == ({"n": 1}, {})


def test_a_folder_that_is_gone_is_told_of(checkpoint):
    os.rmdir(checkpoint.folder)
    with pytest.warns(UserWarning, match=r"takes nothing more \(No such file or directory\)"):
        checkpoint.save("lost", {}, {})


def test_a_file_where_the_folder_should_be(tmp_path):
    (tmp_path / "file").write_text("mine")
    for path in (tmp_path / "file", tmp_path / "file" / "run"):
        sentence = (
            "checkpoint must be a folder that can be written to. Got "
            f"{re.escape(repr(os.fspath(path)))} .+; choose another folder."
        )
        with pytest.raises(OSError, match=f"^{sentence}$"):
            Checkpoint(path)
    assert (tmp_path / "file").read_text() == "mine"


def test_a_folder_that_may_not_be_written(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(
        OSError, match=r"can be written to. Got '.+' \(it may not be written\); choose another folder.$"
    ):
        Checkpoint(tmp_path)


def test_space_that_is_needed_beyond_what_is_there(checkpoint, monkeypatch):
    checkpoint.save("first", {}, {"numbers": np.zeros(1000)})
    size = path_of(checkpoint, "first").stat().st_size
    assert size > 8000
    (checkpoint.folder / "model.safetensors").write_bytes(bytes(5000))
    usage = namedtuple("usage", "total used free")(10**6, 10**6 - 1000, 1000)
    asked = []
    monkeypatch.setattr("shutil.disk_usage", lambda path: asked.append(path) or usage)
    checkpoint.check_space(size + 1000)
    with pytest.raises(OSError, match=r"may need .+\. Got .+ of free space; make room there, or name a folder on"):
        checkpoint.check_space(size + 1001)
    assert set(asked) == {checkpoint.folder}


def test_what_killed_runs_left_is_removed(tmp_path):
    stale, fresh, other = (tmp_path / name for name in (".s2auc-1.tmp", ".s2auc-2.tmp", "mine.tmp"))
    for path in (stale, fresh, other):
        path.write_bytes(b"half")
    for path in (stale, other):
        os.utime(path, (time.time() - 4000,) * 2)
    Checkpoint(tmp_path)
    assert set(os.listdir(tmp_path)) == {fresh.name, other.name}


def test_without_safetensors_the_extra_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "safetensors.numpy", None)
    with pytest.raises(ImportError, match=r"not installed: pip install 's2auc\[files\]'"):
        Checkpoint(tmp_path / "run")
    assert not (tmp_path / "run").exists()
