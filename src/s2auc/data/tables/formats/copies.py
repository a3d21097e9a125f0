"""Tables that come from standard input or another machine: copied to a temporary folder first."""

import re
import shutil
import sys
from pathlib import Path, PurePosixPath
from tempfile import mkdtemp
from typing import Any

from s2auc.common.errors import InputError
from s2auc.common.lazy_modules import import_optional
from s2auc.common.messages import one_line
from s2auc.common.progress import Progress, tell_progress
from s2auc.common.storage.files import ScratchFolder

STANDARD_INPUT = "-"

_ADDRESS = re.compile(r"([a-zA-Z][a-zA-Z0-9+.-]+)://")
_OWN = re.compile(r"(file|local)://(/(?=[a-zA-Z]:))?")
_LIBRARIES = {"s3": "s3fs", "s3a": "s3fs", "gs": "gcsfs", "gcs": "gcsfs", "abfs": "adlfs", "az": "adlfs"}
"""What fsspec needs for addresses of a kind."""


def is_elsewhere(where: Any) -> bool:
    """Return whether a text means standard input, or an address such as ``s3://bucket/rows.parquet``."""
    return isinstance(where, str) and (where == STANDARD_INPUT or _ADDRESS.match(where) is not None)


def without_scheme(where: Any) -> Any:
    """Return the path of an address on this machine; anything else as it is.

    Examples
    --------
    >>> without_scheme("file:///data/rows.csv"), without_scheme("s3://bucket/rows.csv")
    ('/data/rows.csv', 's3://bucket/rows.csv')
    """
    own = _OWN.match(where) if isinstance(where, str) else None
    return where if own is None else where[own.end() :]


def copy_here(where: str, folder: ScratchFolder) -> list[Path]:
    """Return copies of what standard input, or an address of files, holds."""
    tell_progress(Progress("copying", where))
    target = folder.path / str(len(list(folder.path.iterdir())))
    target.mkdir()
    return [_copy_input(target / "standard input")] if where == STANDARD_INPUT else _copy_files(where, target)


def _copy_input(target: Path) -> Path:
    with target.open("wb") as file:
        if sys.stdin is not None:  # as where it was closed before the start
            shutil.copyfileobj(sys.stdin.buffer, file, 2**20)
    if not target.stat().st_size:
        fix = "check the command before the pipe"
        raise InputError("hold a table", subject="Standard input", found="nothing", fix=fix)
    return target


def _copy_files(where: str, folder: Path) -> list[Path]:
    fsspec = import_optional("fsspec", "Files on other machines need fsspec", "remote")
    try:
        system, path = fsspec.core.url_to_fs(where)
        signs = "*[" if where.startswith("http") else "*?["  # a question mark may begin the query of a page
        found = sorted(system.glob(path)) if any(sign in path for sign in signs) else [path]
        if len(found) == 1 and system.isdir(found[0]):
            found = sorted(system.find(found[0]))
        paths = []
        for source in found:
            paths.append(Path(mkdtemp(dir=folder), PurePosixPath(source.split("?")[0]).name))
            system.get_file(source, str(paths[-1]))
    except ImportError as error:  # a kind of address that needs a library of its own
        raise _missing(where, error) from error
    except Exception as error:  # libraries for addresses raise errors of their own
        rule, fix = "be a file that can be read", "check the address, and that you may read it"
        words = f"an error ({one_line(error)})" if str(error) else f"an error ({type(error).__name__})"
        found_error = "nothing there" if isinstance(error, FileNotFoundError) else words
        raise InputError(rule, subject="{where}", found=found_error, fix=fix, where=repr(where)) from error
    if not paths:
        raise FileNotFoundError(
            f"A table must be a file, or a pattern that some files fit. Got {where!r}; correct the address."
        )
    return paths


def _missing(where: str, error: ImportError) -> ImportError:
    """Return the error about a kind of address that fsspec needs another library for."""
    scheme = where.partition("://")[0].lower()
    if scheme in ("http", "https"):
        return ImportError(f"{where!r} needs aiohttp, which is not installed: pip install 's2auc[remote]'")
    if scheme in _LIBRARIES:
        library = _LIBRARIES[scheme]
        return ImportError(f"{where!r} needs {library}, which is not installed: pip install {library}")
    return ImportError(f"{where!r} cannot be opened: {one_line(error)}.")
