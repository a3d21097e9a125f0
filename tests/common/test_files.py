"""Files that are written completely or not at all: their permissions, and inputs that are not overwritten."""

import os
import sys

import pytest

from s2auc.common.errors import InputError
from s2auc.common.files import check_other_file, whole_file

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
def test_a_new_file_has_the_permissions_of_new_files(tmp_path):
    with whole_file(tmp_path / "scores.csv") as file:
        file.write(b"all")
    (tmp_path / "other").touch()
    assert (tmp_path / "scores.csv").stat().st_mode == (tmp_path / "other").stat().st_mode


def test_inputs_are_not_overwritten(tmp_path):
    table, link = tmp_path / "table.csv", tmp_path / "link.csv"
    table.touch()
    os.symlink(table, link)
    with pytest.raises(InputError, match="not overwrite an input file"):
        check_other_file(table, [object(), str(link)])
    check_other_file(tmp_path / "new.csv", [table])
