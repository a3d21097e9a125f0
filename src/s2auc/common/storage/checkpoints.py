"""A folder that keeps what a long run has done so far, item by item, so that a run that was killed can go on.

An item is a file of arrays and a few words. It appears whole or not at all, and vouches for its bytes: one that is
damaged counts as absent, and is made again. Several processes may work in one folder: they make the same items.
"""

import hashlib
import json
import os
import shutil
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from joblib import hash as joblib_hash

from s2auc.common.arrays import AnyArray, is_sparse
from s2auc.common.memory import show_bytes
from s2auc.common.messages import Message
from s2auc.common.storage.files import TEMPORARY_FILES, whole_file
from s2auc.common.user_warnings import warn_user

ENDING = ".kept"
_DIGEST_CHARACTERS = 64
_WORDS = "words"
_STALE_SECONDS = 3600.0
"""A temporary file that is older belongs to a run that was killed."""


class Checkpoint:
    """The items of one run.

    Parameters
    ----------
    folder
        Where they are; it is made if it is not there.

    Raises
    ------
    OSError
        If the folder cannot be made, or nothing can be written there.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     checkpoint = Checkpoint(Path(folder, "run"))
    ...     checkpoint.save("first", {"seed": 7}, {"scores": np.arange(3.0)})
    ...     words, arrays = checkpoint.load("first")
    ...     words["seed"], arrays["scores"].tolist(), checkpoint.load("second")
    (7, [0.0, 1.0, 2.0], None)
    """

    def __init__(self, folder: Path) -> None:
        check_safetensors()
        self.folder = folder
        self._is_full = False
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if not os.access(folder, os.W_OK | os.X_OK):
                raise PermissionError("it may not be written")
        except OSError as error:
            told = (
                "{checkpoint} must be a folder that can be written to. Got {folder} ({reason}); choose another folder."
            )
            facts = {"folder": repr(os.fspath(folder)), "reason": error.strerror or str(error)}
            raise type(error)(Message(told, **facts)) from error
        self._remove_stale_files()

    def check_space(self, needed: int) -> None:
        """Raise an OSError if items of so many bytes, less those that are there, would not fit on the disk."""
        there = sum(path.stat().st_size for path in self.folder.glob(f"*{ENDING}"))
        free = shutil.disk_usage(self.folder).free
        if needed - there > free:
            raise OSError(
                f"The checkpoint folder {os.fspath(self.folder)!r} may need {show_bytes(needed - there)}. Got "
                f"{show_bytes(free)} of free space; make room there, or name a folder on another disk."
            )

    def load(self, name: str) -> tuple[dict[str, Any], dict[str, AnyArray]] | None:
        """Return the words and the arrays of an item; None if there is none, or not a whole one."""
        from safetensors.numpy import load

        try:
            content = self._path(name).read_bytes()
        except OSError:
            return None
        digest, data = content[:_DIGEST_CHARACTERS], content[_DIGEST_CHARACTERS:]
        if hashlib.sha256(data).hexdigest().encode() != digest:
            return None
        # Copies, since views into the bytes of a file are not aligned, and sums of these round otherwise.
        arrays = {name: np.array(array) for name, array in load(data).items()}
        return json.loads(arrays.pop(_WORDS).tobytes()), arrays

    def save(self, name: str, words: Mapping[str, Any], arrays: Mapping[str, AnyArray]) -> None:
        """Keep an item, in place of an earlier one of that name; where the disk is full, warn once and go on."""
        if self._is_full:
            return
        from safetensors.numpy import save

        text = np.frombuffer(json.dumps(dict(words)).encode(), dtype=np.uint8)
        data = save({_WORDS: text} | {name: np.asarray(array, order="C") for name, array in arrays.items()})
        try:
            with whole_file(self._path(name)) as file:
                file.write(hashlib.sha256(data).hexdigest().encode())
                file.write(data)
        except OSError as error:
            self._is_full = True
            warn_user(
                f"The checkpoint folder {os.fspath(self.folder)!r} takes nothing more ({error.strerror or error}): the "
                "run goes on, but from here on its work is lost if it is killed. Make room there."
            )

    def _path(self, name: str) -> Path:
        return self.folder / f"{name}{ENDING}"

    def _remove_stale_files(self) -> None:
        """Remove what runs that were killed while they wrote have left."""
        for path in self.folder.glob(TEMPORARY_FILES):
            try:
                if time.time() - path.stat().st_mtime > _STALE_SECONDS:
                    path.unlink()
            except OSError:  # another process was faster
                continue


def check_safetensors() -> None:
    """Raise an ImportError that names the extra unless items can be read and written."""
    try:
        import safetensors.numpy  # noqa: F401
    except ImportError as error:
        raise ImportError(
            "Checkpoints need the safetensors library, which is not installed: pip install 's2auc[files]'"
        ) from error


def digest_of(*values: Any) -> str:
    """Return a name of 32 characters for some values: numbers, texts, arrays, sparse rows, and what is made of these.

    Arrays are named by what they hold, objects by their attributes.

    Examples
    --------
    >>> import numpy as np
    >>> digest_of("a", np.arange(3)) == digest_of("a", np.arange(3))
    True
    >>> digest_of("a", np.arange(3)) == digest_of("a", np.arange(4))
    False
    """
    return str(joblib_hash([_plain(value) for value in values]))


def _plain(value: Any) -> Any:
    """Return sparse rows as what they store: beside it they keep notes of what is known about it so far."""
    if isinstance(value, tuple):
        return tuple(map(_plain, value))
    return (value.shape, value.data, value.indices, value.indptr) if is_sparse(value) else value
