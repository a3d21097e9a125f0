"""Files of a table, given by a path, a folder, a pattern or a list of paths, and their format."""

import glob
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from s2auc.common.opened_files import OpenedFile
from s2auc.data.schema.column_names import listed

FORMATS = {
    ".parquet": "parquet",
    ".pq": "parquet",
    ".feather": "ipc",
    ".arrow": "ipc",
    ".ipc": "ipc",
    ".csv": "csv",
    ".tsv": "tsv",
    ".npy": "npy",
    ".svm": "libsvm",
    ".libsvm": "libsvm",
    ".svmlight": "libsvm",
}
"""What the end of a file's name says of its format."""

LABELED_FORMATS = ("libsvm",)
"""Formats whose files hold a label beside every row, whatever is asked for."""

_BEGINNINGS = {b"PAR1": "parquet", b"ARROW1": "ipc", b"\x93NUMPY": "npy"}
_COMPRESSED = ".gz"


@dataclass(frozen=True)
class TableFiles:
    """The files of a table.

    Attributes
    ----------
    paths
        The files, in the order of their rows.
    format
        One of the values of `FORMATS`.
    base
        The folder below which `key=value` in paths names columns; None if paths say nothing.
    """

    paths: tuple[Path, ...]
    format: str
    base: Path | None = None

    @cached_property
    def opened(self) -> tuple[OpenedFile, ...]:
        """The files as they are when this is first asked for, before they are read."""
        meanings = ["" if self.base is None else path.relative_to(self.base).as_posix() for path in self.paths]
        return tuple(map(OpenedFile.open, map(Path.absolute, self.paths), meanings))


def is_path(where: Any) -> bool:
    """Return whether something names a file: a text, a path, or a list of these."""
    if isinstance(where, str | PathLike):
        return True
    return isinstance(where, list | tuple) and bool(where) and all(isinstance(one, str | PathLike) for one in where)


def find_files(where: Any) -> TableFiles:
    """Return the files that a path, a folder, a pattern such as `claims/*.parquet`, or a list of paths means.

    Raises
    ------
    FileNotFoundError
        If there are none.
    ValueError
        If they have several formats, or one that is not known.
    """
    if isinstance(where, list | tuple):
        paths = [Path(fspath(one)) for one in where]
        absent = [path for path in paths if not path.is_file()]
        if absent:
            raise FileNotFoundError(f"Files of a table must exist. Got {str(absent[0])!r}, which does not; correct it.")
        return TableFiles(tuple(paths), _one_format(paths))
    path = Path(fspath(where)).expanduser()
    if path.is_file():
        return TableFiles((path,), _one_format([path]))
    found = [path] if path.is_dir() else [Path(one) for one in sorted(glob.glob(str(path), recursive=True))]
    paths = [one for one in found if one.is_file()]
    paths = paths or [file for folder in found for file in sorted(_files_below(folder))]
    if not paths:
        rule = "be a file, a folder with files, or a pattern that some files fit"
        raise FileNotFoundError(f"A table must {rule}. Got {str(path)!r}, where there is none; correct the path.")
    return TableFiles(tuple(paths), _one_format(paths), path if path.is_dir() else _fixed_part(path))


def _files_below(folder: Path) -> Iterable[Path]:
    """Yield the files of a folder, and of those in it, whose names do not say that they are hidden."""
    for path in folder.rglob("*"):
        hidden = any(part.startswith((".", "_")) for part in path.relative_to(folder).parts)
        if path.is_file() and not hidden:
            yield path


def _fixed_part(pattern: Path) -> Path:
    """Return the folders of a pattern up to the first that is one itself."""
    return Path(*takewhile(lambda part: not glob.has_magic(part), pattern.parts))


def _one_format(paths: list[Path]) -> str:
    formats = {_format(path): path for path in reversed(paths)}
    unknown = formats.get(None)
    if unknown is not None:
        fix = "give it the ending of what it is, or read it yourself and pass the data frame"
        endings = f"{', '.join(FORMATS)}, or text with {_COMPRESSED} behind"
        raise ValueError(f"Files of a table must be {endings}. Got {unknown.name!r}; {fix}.")
    if len(formats) > 1:
        examples = listed([path.name for path in formats.values()])
        raise ValueError(f"Files of a table must be of one format. Got {examples}; pass those of one format.")
    return str(next(iter(formats)))


def _format(path: Path) -> str | None:
    *_, inner, ending = ["", "", *(ending.lower() for ending in path.suffixes)]
    if ending == _COMPRESSED:
        return FORMATS.get(inner) if FORMATS.get(inner) in ("csv", "tsv", "libsvm") else None
    if ending in FORMATS:
        return FORMATS[ending]
    with path.open("rb") as file:
        start = file.read(8)
    return next((found for beginning, found in _BEGINNINGS.items() if start.startswith(beginning)), None)
