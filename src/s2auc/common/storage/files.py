"""Files that are written completely or not at all, checks of output paths, and temporary folders.

A process that is killed removes neither files that it was writing nor temporary folders. So it keeps these files, and a
file in each folder, locked. The next process that writes the same file, or makes a folder, removes those that nobody
holds the lock of.
"""

import hashlib
import os
import platform
import re
import secrets
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from shutil import rmtree
from tempfile import gettempdir, mkdtemp
from typing import Any, BinaryIO
from weakref import WeakSet, finalize

from s2auc.common.errors import InputError
from s2auc.common.storage.file_locks import HAS_LOCKS, create_locked, lock_left_behind

TEMPORARY_FILES = ".s2auc-*.tmp"
"""Names of files that are being written, as a pattern."""

_PREFIX, _LOCK = "s2auc-", "lock"


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

    Whatever happens meanwhile, the target is the old file or the new one, and nothing else is left behind, except
    after a kill, until the same target is written on the same machine again. Of several writers the last one to end
    wins. A file that is replaced hands on its permissions and, if this process may, its owner, from the first byte on.

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
    # Locks of another machine may not be seen here, so that files are told apart by machines too.
    writer = hashlib.sha256(os.fsencode(f"{platform.node()} {target.name}")).hexdigest()[:16]
    for path in target.parent.glob(TEMPORARY_FILES.replace("*", f"{writer}-*")):
        lock = lock_left_behind(path)
        if lock is not None:
            with suppress(OSError):
                path.unlink()
            os.close(lock)
    # Readers of whole folders pass over names that begin with a dot.
    temporary = target.with_name(TEMPORARY_FILES.replace("*", f"{writer}-{secrets.token_hex(8)}"))
    before = target.stat() if target.exists() else None
    mode = 0o666 if before is None else 0o600
    try:
        with open(temporary, "xb", opener=lambda path, flags: create_locked(path, flags, mode)) as file:
            if before is not None:
                temporary.chmod(_hand_on_owner(file.fileno(), before))
            yield file
            file.flush()
            os.fsync(file.fileno())
            if HAS_LOCKS:  # while it is locked
                os.replace(temporary, target)
        if not HAS_LOCKS:  # Windows moves no open file
            os.replace(temporary, target)
    except BaseException:
        with suppress(FileNotFoundError):
            temporary.unlink()
        raise


def _hand_on_owner(file: int, before: os.stat_result) -> int:
    """Give an open file the group and the owner of another, as far as is allowed; return the permissions to give it."""
    for owner, group in ((-1, before.st_gid), (before.st_uid, -1)):
        with suppress(PermissionError, AttributeError):  # somebody else's file; Windows
            os.fchown(file, owner, group)
    # What one group may do is not for another.
    is_same_group = os.fstat(file).st_gid == before.st_gid
    return before.st_mode & (0o777 if is_same_group else 0o707)


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
        if any(re.fullmatch("[a-z][a-z0-9+.-]+:", part) for part in target.parts):
            raise ValueError(
                f"Cannot {purpose}: files are written on this machine only, not to an address; name a file here."
            )
        raise FileNotFoundError(f"Cannot {purpose}: there is no folder {str(target.parent)!r}, create it first.")
    if target.is_dir():
        raise IsADirectoryError(f"Cannot {purpose}: {str(target)!r} is a folder, name a file in it.")
    if target.exists() and not target.is_file():
        raise OSError(f"Cannot {purpose}: {str(target)!r} is a device or a pipe, name a file.")
    for place in (target.parent, target):
        if place.exists() and not os.access(place, os.W_OK):
            raise PermissionError(f"Cannot {purpose}: {str(place)!r} may not be written, choose another path.")


def unwritable(purpose: str, path: str | os.PathLike[str], error: OSError, advice: str) -> OSError:
    """Return an error of the same kind that says in one sentence what cannot be written, why, and what to do.

    Examples
    --------
    >>> unwritable("save the model", "a.model", OSError(28, "No space left on device"), "choose another path")
    OSError("Cannot save the model to 'a.model': No space left on device; choose another path.")
    """
    reason = (error.strerror or str(error)).rstrip(".")
    told = type(error)(f"Cannot {purpose} to {os.fspath(path)!r}: {reason}; {advice}.")
    told.errno = error.errno
    return told


def check_other_file(target: Path, inputs: Iterable[Any]) -> None:
    """Raise an InputError if the file to write is one of the inputs, as far as these are paths."""
    paths = [Path(given) for given in inputs if isinstance(given, str | os.PathLike)]
    if target.exists() and any(path.exists() and path.samefile(target) for path in paths):
        found = f"{os.fspath(target)!r}, which is one"
        raise InputError("not overwrite an input file", parameter="path", found=found, fix="choose another path")


def check_folder(folder: Path) -> None:
    """Raise an error unless files can be written into the folder, which need not exist yet; nothing is created.

    Parameters
    ----------
    folder
        Where files will go.
    """
    nearest = next(path for path in (folder, *folder.absolute().parents) if path.exists() or path.is_symlink())
    if not nearest.is_dir():
        raise NotADirectoryError(f"The output {folder} must be a folder, but {nearest} is not one: name another.")
    if not os.access(nearest, os.W_OK | os.X_OK):
        raise PermissionError(
            f"The output {folder} must be a folder that can be written to, but {nearest} cannot: name another."
        )


def write_file(path: Path, content: bytes) -> None:
    """Write a file, whole or not at all.

    Parameters
    ----------
    path
        Where to; folders are made as needed, and an older file is replaced.
    content
        All of it.
    """
    write_files({path: content})


def write_files(contents: Mapping[Path, bytes]) -> None:
    """Write several files: they take their places when all of them are on the disk.

    Parameters
    ----------
    contents
        What each file holds; folders are made as needed, and older files are replaced.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_files({Path(folder, name): name.encode() for name in ("one", "two")})
    ...     sorted(path.name for path in Path(folder).iterdir())
    ['one', 'two']
    """
    for path in contents:
        path.parent.mkdir(parents=True, exist_ok=True)
        check_target(Path(os.path.realpath(path)), f"write {path.name}")
    with ExitStack() as stack:
        for path, content in contents.items():
            stack.enter_context(whole_file(path)).write(content)


class ScratchFolder:
    """A new folder among the system's temporary ones, which goes when this object goes.

    Attributes
    ----------
    path
        Where it is.

    Examples
    --------
    >>> folder = ScratchFolder()
    >>> path = folder.path
    >>> del folder
    >>> path.exists()
    False
    """

    def __init__(self) -> None:
        _remove_forgotten_folders()
        self.path = Path(mkdtemp(prefix=_PREFIX))
        lock = create_locked(self.path / _LOCK, os.O_RDWR | os.O_CREAT | os.O_EXCL)
        os.write(lock, _mark_of(self.path))
        self.remove = finalize(self, _remove, self.path, lock, os.getpid())
        _in_use.add(self)


_in_use: WeakSet[ScratchFolder] = WeakSet()


def remove_scratch_folders() -> None:
    """Remove all folders of this process, which is about to end in a way that removes nothing."""
    for folder in list(_in_use):
        folder.remove()


def _mark_of(folder: Path) -> bytes:
    """Return the content of the lock of a folder, which that of a copy or of a stranger does not have."""
    return os.fsencode(f"Scratch folder of s2auc: {folder.name}\n")


def _remove(path: Path, lock: int, maker: int) -> None:
    os.close(lock)  # first, as Windows removes no open file
    if os.getpid() == maker:  # and not a forked child, whose parent still reads there
        rmtree(path, ignore_errors=True)


def _remove_forgotten_folders() -> None:
    """Remove the folders of processes that were killed."""
    for path in Path(gettempdir()).glob(f"{_PREFIX}*/{_LOCK}"):
        lock = lock_left_behind(path, _mark_of(path.parent))
        if lock is not None:
            _remove(path.parent, lock, os.getpid())
