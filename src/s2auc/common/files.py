"""Files that are whole or absent, never half-written."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

TEMPORARY_FILES = ".s2auc-*.tmp"
"""Names of files that are being written, as a pattern."""


def write_whole(target: Path, data: bytes) -> None:
    """Write to a file beside the target, then put it in the target's place in one step.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_whole(Path(folder, "result"), b"all of it")
    ...     Path(folder, "result").read_bytes()
    b'all of it'
    """
    with whole_file(target) as file:
        file.write(data)


@contextmanager
def whole_file(target: Path) -> Iterator[BinaryIO]:
    """Open a file beside the target to write to; where the block ends well, it takes the target's place in one step.

    Whatever happens meanwhile, the target is the old file or the new one, and nothing else is left behind. Of several
    writers the last one to end wins. A file that is replaced hands on its permissions.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with whole_file(Path(folder, "result")) as file:
    ...         _ = file.write(b"some of it, ")
    ...         is_there = Path(folder, "result").exists()
    ...         _ = file.write(b"the rest")
    ...     is_there, Path(folder, "result").read_bytes()
    (False, b'some of it, the rest')
    """
    # Readers of whole folders pass over names that begin with a dot.
    temporary = target.with_name(TEMPORARY_FILES.replace("*", secrets.token_hex(8)))
    try:
        with temporary.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            temporary.chmod(target.stat().st_mode & 0o777)
        os.replace(temporary, target)
    except BaseException:
        with suppress(FileNotFoundError):
            temporary.unlink()
        raise


def check_target(target: Path, purpose: str) -> None:
    """Raise an OSError that says why no file can be written there, if that can be foreseen.

    Parameters
    ----------
    target
        The file, symbolic links resolved.
    purpose
        What cannot be done then, such as "save the model".

    Examples
    --------
    >>> check_target(Path("/nowhere/at/all"), "save the model")
    Traceback (most recent call last):
    ...
    FileNotFoundError: Cannot save the model: there is no folder '/nowhere/at', create it first.
    """
    if not target.parent.is_dir():
        raise FileNotFoundError(f"Cannot {purpose}: there is no folder {str(target.parent)!r}, create it first.")
    if target.is_dir():
        raise IsADirectoryError(f"Cannot {purpose}: {str(target)!r} is a folder, name a file in it.")
    if target.exists() and not target.is_file():
        raise OSError(f"Cannot {purpose}: {str(target)!r} is a device or a pipe, name a file.")
    for place in (target.parent, target):
        if place.exists() and not os.access(place, os.W_OK):
            raise PermissionError(f"Cannot {purpose}: {str(place)!r} may not be written, choose another path.")
