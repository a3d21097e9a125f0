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

_ADDRESS = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]+://")
_OWN = re.compile(r"(file|local)://(/(?=[a-zA-Z]:))?")


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
    return [_copy_input(folder.path / "input")] if where == STANDARD_INPUT else _copy_files(where, folder.path)


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
        found = sorted(system.glob(path)) if any(sign in path for sign in "*?[") else [path]
        if len(found) == 1 and system.isdir(found[0]):
            found = sorted(system.find(found[0]))
        paths = []
        for source in found:
            paths.append(Path(mkdtemp(dir=folder), PurePosixPath(source.split("?")[0]).name))
            system.get_file(source, str(paths[-1]))
    except ImportError as error:  # a kind of address that needs a library of its own
        way_out = "for s3:// pip install s3fs, for gs:// pip install gcsfs"
        raise ImportError(f"{where!r} cannot be opened: {one_line(error)}; {way_out}.") from error
    except Exception as error:  # libraries for addresses raise errors of their own
        rule, fix = "be a file that can be read", "check the address, and that you may read it"
        found_error = f"an error ({type(error).__name__}: {one_line(error)})"
        raise InputError(rule, subject="{where}", found=found_error, fix=fix, where=repr(where)) from error
    if not paths:
        raise FileNotFoundError(
            f"A table must be a file, or a pattern that some files fit. Got {where!r}; correct the address."
        )
    return paths
