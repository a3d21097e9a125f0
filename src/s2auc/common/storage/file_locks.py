"""Files that are locked while their process lives, so that others can tell what a killed process has left behind.

Locks are those of the operating system, which go with the process. Windows has none of this kind: there nothing is
locked, and nothing is found to be left behind.
"""

import os
from contextlib import suppress
from pathlib import Path
from stat import S_ISREG

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

HAS_LOCKS = fcntl is not None


def create_locked(path: str | os.PathLike[str], flags: int, mode: int = 0o600) -> int:
    """Create a file and lock it until it is closed; it gets its name when it is locked.

    Parameters
    ----------
    path, flags, mode
        As for `os.open`.
    """
    if fcntl is None:
        return os.open(path, flags, mode)
    new = f"{os.fspath(path)}.new"
    file = os.open(new, flags, mode)
    with suppress(OSError):  # some file systems have no locks; there, `lock_left_behind` finds nothing either
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    os.rename(new, path)
    return file


def lock_left_behind(path: Path, content: bytes = b"") -> int | None:
    """Lock a file of this user whose process is gone, until it is closed.

    Parameters
    ----------
    path
        The file.
    content
        The beginning of the file; one that begins otherwise is left alone.

    Returns
    -------
    int or None
        The open file; None if it is in use, somebody else's, or no such file.
    """
    if fcntl is None:
        return None
    try:
        file = os.open(path, os.O_RDWR | os.O_NOFOLLOW)
    except OSError:
        return None
    try:
        found = os.fstat(file)
        if S_ISREG(found.st_mode) and found.st_uid == os.geteuid() and os.read(file, len(content)) == content:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return file
    except OSError:  # its process holds the lock
        pass
    os.close(file)
    return None
