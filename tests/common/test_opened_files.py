"""Files that change after they were opened are found out; their content alone names them."""

import os
import shutil

import pytest

from changed_files import change_silently, replace_silently
from s2auc.common.errors import InputError
from s2auc.common.storage.opened_files import OpenedFile


@pytest.fixture
def path(tmp_path):
    (tmp_path / "rows").write_bytes(b"content")
    os.utime(tmp_path / "rows", (1e9, 1e9))
    return tmp_path / "rows"


@pytest.mark.parametrize("change", [change_silently, replace_silently])
def test_changes_that_keep_size_and_date_are_found(change, path):
    file = OpenedFile.open(path)
    file.check()
    change(path, b"another")
    with pytest.raises(InputError, match=r"^The file '.*rows' must stay as it is while it is read\. Got another"):
        file.check()
    with pytest.raises(InputError, match="must stay as it is"):
        file.content()


def test_the_content_names_a_file_wherever_it_is(path, tmp_path):
    before = OpenedFile.open(path).content()
    shutil.copy(path, tmp_path / "copy")
    assert OpenedFile.open(tmp_path / "copy").content() == before
    assert OpenedFile.open(path, "year=2024").content() != before
    change_silently(path, b"another")
    assert OpenedFile.open(path).content() != before


def test_a_file_that_changed_is_the_reason_why_it_cannot_be_read(path):
    file = OpenedFile.open(path)

    def read():
        yield "first"
        change_silently(path, b"another")
        raise ValueError("no such row")

    items = file.reading(read())
    assert next(items) == "first"
    with pytest.raises(InputError, match="must stay as it is"):
        next(items)
