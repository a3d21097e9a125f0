"""Where model files are read from and written to, and what happens when that fails."""

import json
import os
import stat
import subprocess
import sys

import pytest

from model_files import make_model, same
from s2auc.models.file import ModelFileError, load_model, save_model

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
