"""Model files: written whole or not at all, read without running anything they contain.

The format is that of `models.files.bytes`, a safetensors file. Loading one parses JSON and copies numbers; it runs
no code, opens no other file, and needs memory in proportion to the file's size whatever the file claims.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from s2auc.common.docstrings import describes_parameters_like
from s2auc.common.storage.files import check_target, unwritable, write_whole
from s2auc.models.checks import require
from s2auc.models.files.bytes import (
    OPENING_BYTES,
    OldFormatError,
    check_digest,
    check_opening,
    decode_model,
    encode_model,
    load_safetensors,
)
from s2auc.models.files.description import check_model
from s2auc.models.model import Model

SIZE_LIMIT = 2**32
"""Larger files are neither written nor read, in bytes. A million cosines take 16 MB."""


class ModelFileError(ValueError):
    """A file is not a model file, is damaged, or holds a model that this version of s2auc cannot use.

    Examples
    --------
    >>> try:
    ...     load_model(os.__file__)
    ... except ModelFileError as error:
    ...     print(error)
    Cannot load model file '...os.py': it is not a model file, or only the beginning of one; name a saved model.
    """


@describes_parameters_like()
def save_model(model: Model, path: str | os.PathLike[str]) -> None:
    """Write a model to a file.

    The file appears whole or not at all: an error or an interruption leaves what was there before. Equal models give
    equal files: they hold neither the time nor anything about the machine.

    Parameters
    ----------
    model
        Any model whose parts are of the kinds in `PARTS`, with finite numbers only.
    path
        Where to. An existing file is replaced and keeps its permissions; a symbolic link keeps pointing where it did.

    Raises
    ------
    ValueError
        If the model holds something that no file can, such as a coefficient that is not finite.
    OSError
        If the folder does not exist or the file cannot be written there.
    ImportError
        If the safetensors library is not installed.

    Examples
    --------
    >>> import tempfile
    >>> import numpy as np
    >>> from s2auc.data.features.scaling import ColumnScaling
    >>> from s2auc.data.schema.schema import Schema
    >>> from s2auc.models.parts.cosine import CosinePart
    >>> columns = ColumnScaling(np.zeros(2), np.ones(2))
    >>> part = CosinePart(columns, "gaussian", gamma=0.5, seed=0, cosine=np.array([1.0]), sine=np.array([0.0]))
    >>> model = Model((part,), offset=0.0, classes=np.array([False, True]), schema=Schema(2, {}))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "model.safetensors")
    ...     save_model(model, path)
    ...     load_model(path).decision_function(np.zeros((1, 2))).tolist()
    [1.0]
    """
    load_safetensors()
    target = Path(os.path.realpath(path))
    check_target(target, "save the model")
    try:
        with advising("correct the model first"):
            check_model(model)
            data = encode_model(model)
            require(len(data) <= SIZE_LIMIT, f"its file must have at most {SIZE_LIMIT} bytes, got {len(data)}")
            # What cannot be read back is not written: the model is still in memory now, and may not be later.
            decode_model(data)
    except ValueError as error:
        raise ValueError(f"Cannot save the model to {os.fspath(path)!r}: {error}.") from error
    try:
        write_whole(target, data)
    except OSError as error:
        raise unwritable("save the model", path, error, "choose another path") from error


@describes_parameters_like()
def load_model(path: str | os.PathLike[str]) -> Model:
    """Return the model that `save_model` wrote to a file.

    Nothing in the file is run, so a file from a stranger can at worst score badly or slowly.

    Parameters
    ----------
    path
        The file.

    Returns
    -------
    Model
        It scores rows exactly as the saved one does on the same machine.

    Raises
    ------
    ModelFileError
        If the content is not that of a model file, is damaged, or needs a newer or an older s2auc.
    OSError
        If there is no such file (`FileNotFoundError`) or it cannot be read.
    ImportError
        If the safetensors library is not installed.

    Examples
    --------
    `save_model` shows how a model is saved and loaded.

    >>> load_model("elsewhere.safetensors")
    Traceback (most recent call last):
    ...
    FileNotFoundError: There is no model file 'elsewhere.safetensors': check the path, or save a model there first.
    """
    load_safetensors()
    source, name = Path(path), repr(os.fspath(path))
    if not source.exists():
        raise FileNotFoundError(f"There is no model file {name}: check the path, or save a model there first.")
    if source.is_dir():
        raise IsADirectoryError(f"A model file must be a file, but {name} is a folder: name the file in it.")
    try:
        require(source.is_file(), "it is a device or a pipe; copy its content to a file")
        with source.open("rb") as file:
            opening = file.read(OPENING_BYTES)
            check_opening(opening)
            size = os.fstat(file.fileno()).st_size
            require(size <= SIZE_LIMIT, f"it must have at most {SIZE_LIMIT} bytes, got {size}; name a smaller file")
            data = opening + file.read()
        check_digest(data)
        with advising("upgrade s2auc or save the model again"):
            model = decode_model(data)
            check_model(model)
    except ValueError as error:
        raise ModelFileError(f"Cannot load model file {name}: {error}.") from error
    return model


@contextmanager
def advising(text: str) -> Iterator[None]:
    """Let every ValueError end with what to do about it."""
    try:
        yield
    except OldFormatError:  # says so itself
        raise
    except ValueError as error:
        raise ValueError(f"{error}; {text}") from error
