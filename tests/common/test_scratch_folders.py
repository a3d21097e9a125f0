"""Scratch folders go with what holds them; those of a process that was killed go with the next folder."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from s2auc.common.storage import file_locks
from s2auc.common.storage.files import ScratchFolder, remove_scratch_folders

pytestmark = pytest.mark.skipif(not file_locks.HAS_LOCKS, reason="files cannot be locked here")

KILLED = """
import os, signal
from s2auc.common.storage.files import ScratchFolder
folder = ScratchFolder()
(folder.path / "rows").write_bytes(b"many")
print(folder.path, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""

FORKED = """
import os, sys
from s2auc.common.storage.files import ScratchFolder, remove_scratch_folders
folder = ScratchFolder()
child = os.fork()
if not child:
    remove_scratch_folders()
    own = ScratchFolder()
    sys.exit(0 if own.path.is_dir() else 1)
_, status = os.waitpid(child, 0)
other = ScratchFolder()
print(status, len(list(folder.path.parent.glob("s2auc-*"))), folder.path.is_dir())
"""


@pytest.fixture(autouse=True)
def temporary(tmp_path, monkeypatch):
    """A folder of temporary ones for this test alone, in processes that it starts too."""
    monkeypatch.setenv("TMPDIR", os.fspath(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    yield tmp_path
    tempfile.tempdir = None


def test_folders_of_killed_processes_go_and_those_in_use_stay(temporary):
    mine = ScratchFolder()
    stranger, unlocked = temporary / "other", temporary / "s2auc-notes"
    for path in (stranger, unlocked):
        path.mkdir()
    ended = subprocess.run([sys.executable, "-c", KILLED], capture_output=True, text=True, check=False)
    assert ended.returncode < 0
    left = Path(ended.stdout.strip())
    assert left.parent == temporary
    assert (left / "rows").read_bytes() == b"many"
    assert mine.path.is_dir()
    other = ScratchFolder()
    assert not left.exists()
    assert all(path.is_dir() for path in (mine.path, other.path, stranger, unlocked))


def test_folders_of_strangers_stay(temporary, monkeypatch):
    ended = subprocess.run([sys.executable, "-c", KILLED], capture_output=True, text=True, check=False)
    left = Path(ended.stdout.strip())
    odd = os.fsdecode(b"\xff") if sys.platform == "linux" else "odd"
    empty, other, copy, linked = (temporary / f"s2auc-{name}" for name in ("empty", "other", "copy", odd))
    for path, content in ((empty, b""), (other, b"held by another program")):
        path.mkdir()
        (path / "lock").write_bytes(content)
    shutil.copytree(left, copy)
    os.symlink(left, linked)
    with monkeypatch.context() as patched:
        patched.setattr(os, "geteuid", lambda: os.getuid() + 1)  # the folder is another user's
        mine = ScratchFolder()
    assert all(path.is_dir() for path in (left, empty, other, copy))
    mine = ScratchFolder()
    assert all(path.is_dir() for path in (mine.path, empty, other, copy))
    assert not left.exists()


def test_a_forked_child_leaves_the_folders_of_its_parent(temporary):
    ended = subprocess.run([sys.executable, "-c", FORKED], capture_output=True, text=True, check=True)
    assert ended.stdout.split() == ["0", "2", "True"]
    assert not list(temporary.glob("s2auc-*"))


def test_folders_go_with_their_objects():
    folder = ScratchFolder()
    path = folder.path
    (path / "below").mkdir()
    (path / "below" / "rows").write_bytes(b"many")
    n_open = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else None
    del folder
    assert not path.exists()
    assert n_open is None or len(os.listdir("/proc/self/fd")) == n_open - 1


def test_all_folders_of_a_process_can_be_removed_at_once():
    folders = [ScratchFolder() for _ in range(3)]
    remove_scratch_folders()
    assert not any(folder.path.exists() for folder in folders)
    remove_scratch_folders()


def test_a_folder_is_locked_before_others_can_see_its_lock(temporary, monkeypatch):
    """Else another process could take the lock first, and the folder with it."""
    flock, seen = file_locks.fcntl.flock, []

    def watch(file, how):
        seen.extend(path.name for path in temporary.glob("s2auc-*/lock"))
        return flock(file, how)

    monkeypatch.setattr(file_locks.fcntl, "flock", watch)
    folder = ScratchFolder()
    assert seen == []
    assert (folder.path / "lock").is_file()
