"""Files that are written completely or not at all: their permissions, what a kill leaves, inputs that must stay."""

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from s2auc.common.errors import InputError
from s2auc.common.storage import file_locks
from s2auc.common.storage.files import _hand_on_owner, check_other_file, whole_file

needs_modes = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such permissions")


@needs_modes
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664])
def test_a_file_that_is_replaced_keeps_its_permissions_from_the_first_byte(mode, tmp_path):
    target = tmp_path / "scores.csv"
    target.write_bytes(b"before")
    target.chmod(mode)
    with whole_file(target) as file:
        file.write(b"after")
        (temporary,) = tmp_path.glob(".s2auc-*.tmp")
        assert temporary.stat().st_mode & 0o777 == mode
    assert (target.stat().st_mode & 0o777, target.read_bytes()) == (mode, b"after")


@needs_modes
@pytest.mark.parametrize(("allowed", "mode"), [(("owner", "group"), 0o664), (("group",), 0o664), ((), 0o604)])
def test_what_a_group_may_do_is_not_for_another(allowed, mode, monkeypatch):
    before = SimpleNamespace(st_mode=0o100664, st_uid=1, st_gid=2)
    now = {"owner": 3, "group": 4}

    def fchown(file, owner, group):
        wanted = {name: number for name, number in (("owner", owner), ("group", group)) if number != -1}
        if not wanted.keys() <= set(allowed):
            raise PermissionError
        now.update(wanted)

    with monkeypatch.context() as patched:
        patched.setattr(os, "fchown", fchown)
        patched.setattr(os, "fstat", lambda file: SimpleNamespace(st_gid=now["group"]))
        found = _hand_on_owner(0, before)
    assert found == mode
    assert now == {"owner": 1 if "owner" in allowed else 3, "group": 2 if "group" in allowed else 4}


@needs_modes
def test_nobody_else_can_open_a_file_before_its_permissions_are_those_of_the_replaced_one(tmp_path, monkeypatch):
    target, modes = tmp_path / "scores.csv", []
    target.write_bytes(b"before")
    target.chmod(0o664)
    monkeypatch.setattr(os, "fchown", lambda file, owner, group: modes.append(os.fstat(file).st_mode & 0o777))
    with whole_file(target) as file:
        modes.append(os.fstat(file.fileno()).st_mode & 0o777)
    assert modes == [0o600, 0o600, 0o664]


@needs_modes
def test_a_new_file_has_the_permissions_of_new_files(tmp_path):
    with whole_file(tmp_path / "scores.csv") as file:
        file.write(b"all")
    (tmp_path / "other").touch()
    assert (tmp_path / "scores.csv").stat().st_mode == (tmp_path / "other").stat().st_mode


KILLED = """
import os, signal, sys
from pathlib import Path
from s2auc.common.storage.files import whole_file
with whole_file(Path(sys.argv[1])) as file:
    file.write(b"half")
    file.flush()
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(not file_locks.HAS_LOCKS, reason="files cannot be locked here")
def test_what_a_killed_writer_left_goes_when_the_same_file_is_written(tmp_path, monkeypatch):
    target, other = tmp_path / "scores.csv", tmp_path / "other.csv"
    subprocess.run([sys.executable, "-c", KILLED, target], check=False)
    (left,) = tmp_path.iterdir()
    assert left.read_bytes() == b"half"
    stranger = tmp_path / ".s2auc-notes.tmp"
    stranger.touch()
    with monkeypatch.context() as patched:
        patched.setattr(os, "geteuid", lambda: os.getuid() + 1)  # it is another user's
        target.write_bytes(b"")
        with whole_file(target) as file:
            file.write(b"first")
    with whole_file(other) as file:
        file.write(b"another file")
    assert set(tmp_path.iterdir()) == {left, stranger, target, other}
    with whole_file(target) as file:
        in_use = Path(file.name)
        assert set(tmp_path.iterdir()) == {in_use, stranger, target, other}
        with whole_file(target) as second:
            second.write(b"second")
        assert in_use.exists()
        file.write(b"third")
    assert set(tmp_path.iterdir()) == {stranger, target, other}
    assert target.read_bytes() == b"third"


def test_inputs_are_not_overwritten(tmp_path):
    table, link = tmp_path / "table.csv", tmp_path / "link.csv"
    table.touch()
    os.symlink(table, link)
    with pytest.raises(InputError, match="not overwrite an input file"):
        check_other_file(table, [object(), str(link)])
    check_other_file(tmp_path / "new.csv", [table])
