"""Files as they were when they were opened: they must not change while they are read, and their content names them."""

import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from s2auc.common.errors import InputError

Item = TypeVar("Item")


@dataclass(frozen=True)
class OpenedFile:
    """A file, and its state when it was opened.

    Attributes
    ----------
    path
        The file.
    state
        Its size, and the times of the last change of its content and of its status.
    meaning
        The part of its path that says something of its rows, such as `year=2024`.
    """

    path: Path
    state: tuple[int, int, int]
    meaning: str = ""

    @classmethod
    def open(cls, path: Path, meaning: str = "") -> "OpenedFile":
        """Return a file as it is now.

        Examples
        --------
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     _ = Path(folder, "rows").write_bytes(b"one")
        ...     file = OpenedFile.open(Path(folder, "rows"))
        ...     file.check()
        ...     _ = Path(folder, "rows").write_bytes(b"another")
        ...     file.check()
        Traceback (most recent call last):
        ...
        s2auc.common.errors.InputError: The file '.../rows' must stay as it is while it is read. Got another one ...
        """
        return cls(path, _state(path), meaning)

    def check(self) -> None:
        """Raise an InputError if the file was changed or replaced since it was opened."""
        if _state(self.path) != self.state:
            raise InputError(
                "stay as it is while it is read",
                subject="The file {path}",
                path=repr(os.fspath(self.path)),
                found="another one than was opened",
                fix="wait until it is written, and start again",
            )

    def reading(self, items: Iterator[Item]) -> Iterator[Item]:
        """Yield items that are read from the file, each after a check that comes after its reading."""
        nothing = object()
        while True:
            try:
                item = next(items, nothing)
            finally:  # what cannot be read may be that of another file
                self.check()
            if item is nothing:
                return
            yield item  # type: ignore[misc]

    def content(self) -> str:
        """Return what tells the rows of the file from others, wherever it is: a digest of all its bytes."""
        digest = self._digest
        self.check()
        return f"{self.meaning} {digest}"

    @cached_property
    def _digest(self) -> str:
        with self.path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()


def _state(path: Path) -> tuple[int, int, int]:
    # Without the number of the file (inode), which some network file systems make up as they go.
    found = path.stat()
    return found.st_size, found.st_mtime_ns, found.st_ctime_ns
