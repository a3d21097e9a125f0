"""Folders for what is kept while it is used: removed with the object that holds them, or when the process ends.

A process that is killed removes nothing. So every folder holds a file that its process keeps locked, and the next
process that makes a folder removes those whose lock nobody holds.
"""

import os
from pathlib import Path
from shutil import rmtree
from tempfile import gettempdir, mkdtemp
from weakref import WeakSet, finalize

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

_PREFIX, _LOCK = "s2auc-", "lock"


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
        lock = _locked(self.path / f"{_LOCK}.new")
        if lock is not None:
            # It is locked by the time that others see it.
            os.rename(self.path / f"{_LOCK}.new", self.path / _LOCK)
        self.remove = finalize(self, _remove, self.path, lock)
        _in_use.add(self)


_in_use: WeakSet[ScratchFolder] = WeakSet()


def remove_scratch_folders() -> None:
    """Remove all folders of this process, which is about to end in a way that removes nothing."""
    for folder in list(_in_use):
        folder.remove()


def _locked(path: Path) -> int | None:
    """Return a file that is locked until it is closed, be it by the end of the process; None if that cannot be."""
    if fcntl is None:
        return None
    file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(file)
        return None
    return file


def _remove(path: Path, lock: int | None) -> None:
    rmtree(path, ignore_errors=True)
    if lock is not None:
        os.close(lock)


def _remove_forgotten_folders() -> None:
    """Remove the folders of processes that were killed."""
    for path in Path(gettempdir()).glob(f"{_PREFIX}*/{_LOCK}"):
        try:
            lock = _locked(path)
        except OSError:  # somebody else's
            continue
        if lock is not None:
            _remove(path.parent, lock)
