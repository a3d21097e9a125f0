"""Files of a table, given by a path, a folder, a pattern or a list of paths, and their format."""

import glob
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from s2auc.common.errors import InputError
from s2auc.common.storage.files import ScratchFolder
from s2auc.common.storage.opened_files import OpenedFile
from s2auc.data.schema.column_names import listed
from s2auc.data.tables.formats.copies import copy_here, is_elsewhere, without_scheme

FORMATS = {
    ".parquet": "parquet",
    ".pq": "parquet",
    ".feather": "ipc",
    ".arrow": "ipc",
    ".ipc": "ipc",
    ".orc": "orc",
    ".csv": "csv",
    ".tsv": "tsv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "json",
    ".xlsx": "excel",
    ".xlsm": "excel",
    ".xlsb": "excel",
    ".xls": "excel",
    ".ods": "excel",
    ".sqlite": "sqlite",
    ".sqlite3": "sqlite",
    ".db": "sqlite",
    ".duckdb": "duckdb",
    ".npy": "npy",
    ".svm": "libsvm",
    ".libsvm": "libsvm",
    ".svmlight": "libsvm",
}
"""What the end of a file's name says of its format."""

LABELED_FORMATS = ("libsvm",)
"""Formats whose files hold a label beside every row, whatever is asked for."""

FORMAT_NAMES = {"arrow": "ipc"} | {name: name for name in FORMATS.values() if name != "ipc"}
"""Formats by the names that users know them by."""

_BEGINNINGS = {
    b"PAR1": "parquet",
    b"ARROW1": "ipc",
    b"ORC": "orc",
    b"\x93NUMPY": "npy",
    b"SQLite format 3\0": "sqlite",
    b"PK\3\4": "excel",
    b"{": "jsonl",
    b"[": "json",
}
_DUCKDB, _DUCKDB_PLACE = b"DUCK", slice(8, 12)
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
    keeper
        Something that must live as long as the files are used, such as the folder of copies.
    """

    paths: tuple[Path, ...]
    format: str
    base: Path | None = None
    keeper: object = None

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


def find_files(where: Any, file_format: str | None = None) -> TableFiles:
    """Return the files that a path, a folder, a pattern such as `claims/*.parquet`, or a list of paths means.

    Standard input and addresses such as `s3://bucket/rows.csv` are copied to a temporary folder.

    Parameters
    ----------
    where
        What names the files.
    file_format
        Their format, one of `FORMAT_NAMES`; None to tell it from endings and first bytes.

    Raises
    ------
    FileNotFoundError
        If there are none.
    ValueError
        If they have several formats, or one that is not known.
    """
    if file_format is not None and file_format not in FORMAT_NAMES:
        names = ", ".join(map(repr, FORMAT_NAMES))
        raise InputError(
            "be one of {names}", parameter="file_format", found=repr(file_format), fix="choose one", names=names
        )
    if isinstance(where, list | tuple):
        return _listed_files([without_scheme(one) for one in where], file_format)
    where = without_scheme(where)
    if is_elsewhere(where):
        return _listed_files([where], file_format)
    path = Path(fspath(where)).expanduser()
    if path.is_file():
        return TableFiles((path,), _one_format([path], file_format))
    found = [path] if path.is_dir() else [Path(one) for one in sorted(glob.glob(str(path), recursive=True))]
    paths = [one for one in found if one.is_file()]
    paths = paths or [file for folder in found for file in sorted(_files_below(folder))]
    if not paths:
        rule = "be a file, a folder with files, or a pattern that some files fit"
        raise FileNotFoundError(f"A table must {rule}. Got {str(path)!r}, where there is none; correct the path.")
    return TableFiles(tuple(paths), _one_format(paths, file_format), path if path.is_dir() else _fixed_part(path))


def _listed_files(where: list[Any], file_format: str | None) -> TableFiles:
    """Return files that are named one by one; of addresses, copies."""
    keeper = ScratchFolder() if any(map(is_elsewhere, where)) else None
    paths: list[Path] = []
    for one in where:
        paths += [Path(fspath(one))] if keeper is None or not is_elsewhere(one) else copy_here(one, keeper)
    absent = [path for path in paths if not path.is_file()]
    if absent:
        raise FileNotFoundError(f"Files of a table must exist. Got {str(absent[0])!r}, which does not; correct it.")
    unknown = None if keeper is None else "csv"
    return TableFiles(tuple(paths), _one_format(paths, file_format, unknown), keeper=keeper)


def _files_below(folder: Path) -> Iterable[Path]:
    """Yield the files of a folder, and of those in it, whose names do not say that they are hidden."""
    for path in folder.rglob("*"):
        hidden = any(part.startswith((".", "_")) for part in path.relative_to(folder).parts)
        if path.is_file() and not hidden:
            yield path


def _fixed_part(pattern: Path) -> Path:
    """Return the folders of a pattern up to the first that is one itself."""
    return Path(*takewhile(lambda part: not glob.has_magic(part), pattern.parts))


def _one_format(paths: list[Path], given: str | None, unknown: str | None = None) -> str:
    """Return the format that is given, or that all files have; where nothing tells it, the one for unknown files."""
    if given is not None:
        return FORMAT_NAMES[given]
    formats = {_format(path) or unknown: path for path in reversed(paths)}
    strange = formats.get(None)
    if strange is not None:
        rule, fix = "end in {endings}, or in {compressed} after one of text", "name its format in {file_format}"
        subject, found, endings = "Files of a table", repr(strange.name), ", ".join(FORMATS)
        raise InputError(rule, subject=subject, found=found, fix=fix, endings=endings, compressed=_COMPRESSED)
    if len(formats) > 1:
        examples = listed([path.name for path in formats.values()])
        raise ValueError(f"Files of a table must be of one format. Got {examples}; pass those of one format.")
    return str(next(iter(formats)))


def _format(path: Path) -> str | None:
    *_, inner, ending = ["", "", *(ending.lower() for ending in path.suffixes)]
    if ending == _COMPRESSED:
        return FORMATS.get(inner) if FORMATS.get(inner) in ("csv", "tsv", "jsonl", "libsvm") else None
    if ending in FORMATS and ending != ".db":
        return FORMATS[ending]
    with path.open("rb") as file:
        start = file.read(16)
    if start[_DUCKDB_PLACE] == _DUCKDB:
        return "duckdb"
    return next((found for beginning, found in _BEGINNINGS.items() if start.startswith(beginning)), None)
