"""Model files: written whole or not at all, read without running anything they contain.

The format is that of `s2auc.models.file_bytes`, a safetensors file. Loading one parses JSON and copies numbers; it runs
no code, opens no other file, and needs memory in proportion to the file's size whatever the file claims.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import isfinite
from numbers import Integral
from pathlib import Path
from reprlib import repr as shown
from sys import float_info
from typing import Any

import numpy as np

from s2auc.common.arrays import AnyArray
from s2auc.common.randomness import SEED_LIMIT
from s2auc.common.whole_files import write_whole
from s2auc.kernels.frequencies import FREQUENCY_VERSION
from s2auc.kernels.shift_invariant import KERNELS
from s2auc.models.file_bytes import (
    CLASS_DTYPE,
    OPENING_BYTES,
    check_digest,
    check_opening,
    cosine_parts,
    decode_model,
    encode_model,
    safetensors_reader,
)
from s2auc.models.file_columns import check_encoding, check_schema
from s2auc.models.file_json import is_text
from s2auc.models.model import Model, Part

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


def save_model(model: Model, path: str | os.PathLike[str]) -> None:
    """Write a model to a file.

    The file appears whole or not at all: an error or an interruption leaves what was there before. Equal models give
    equal files: they hold neither the time nor anything about the machine.

    Parameters
    ----------
    model
        What `Model` describes, with finite numbers only.
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
    >>> from s2auc.data.column_scaling import ColumnScaling
    >>> columns = ColumnScaling(np.zeros(2), np.ones(2))
    >>> part = Part(columns, "gaussian", gamma=0.5, seed=0, cosine=np.array([1.0]), sine=np.array([0.0]))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "model.safetensors")
    ...     save_model(Model((part,), offset=0.0, classes=np.array([False, True])), path)
    ...     load_model(path).decision_function(np.zeros((1, 2))).tolist()
    [1.0]
    """
    safetensors_reader()
    target = Path(os.path.realpath(path))
    _check_target(target)
    try:
        cosine_parts(model)
        with _advice("correct the model first"):
            _check_model(model)
            data = encode_model(model)
            if len(data) > SIZE_LIMIT:
                raise ValueError(f"its file must have at most {SIZE_LIMIT} bytes, got {len(data)}")
            # What cannot be read back is not written: the model is still in memory now, and may not be later.
            decode_model(data)
    except ValueError as error:
        raise ValueError(f"Cannot save the model to {os.fspath(path)!r}: {error}.") from error
    write_whole(target, data)


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
        If the content is not that of a model file, is damaged, or needs a newer s2auc.
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
    safetensors_reader()
    source, name = Path(path), repr(os.fspath(path))
    if not source.exists():
        raise FileNotFoundError(f"There is no model file {name}: check the path, or save a model there first.")
    if source.is_dir():
        raise IsADirectoryError(f"A model file must be a file, but {name} is a folder: name the file in it.")
    try:
        if not source.is_file():
            raise ValueError("it is a device or a pipe; copy its content to a file")
        with source.open("rb") as file:
            opening = file.read(OPENING_BYTES)
            check_opening(opening)
            size = os.fstat(file.fileno()).st_size
            if size > SIZE_LIMIT:
                raise ValueError(f"it must have at most {SIZE_LIMIT} bytes, got {size}; name a smaller file")
            data = opening + file.read()
        check_digest(data)
        with _advice("upgrade s2auc or save the model again"):
            model = decode_model(data)
            _check_model(model)
    except ValueError as error:
        raise ModelFileError(f"Cannot load model file {name}: {error}.") from error
    return model


def _check_target(target: Path) -> None:
    """Raise an OSError that says why no model can be written there, if that can be foreseen."""
    if not target.parent.is_dir():
        raise FileNotFoundError(f"Cannot save the model: there is no folder {str(target.parent)!r}, create it first.")
    if target.is_dir():
        raise IsADirectoryError(f"Cannot save the model: {str(target)!r} is a folder, name a file in it.")
    if target.exists() and not target.is_file():
        raise OSError(f"Cannot save the model: {str(target)!r} is a device or a pipe, name a file.")
    for place in (target.parent, target):
        if place.exists() and not os.access(place, os.W_OK):
            raise PermissionError(f"Cannot save the model: {str(place)!r} may not be written, choose another path.")


@contextmanager
def _advice(text: str) -> Iterator[None]:
    """Let every ValueError end with what to do about it."""
    try:
        yield
    except ValueError as error:
        raise ValueError(f"{error}; {text}") from error


def _check_model(model: Model) -> None:
    """Raise a ValueError that names the first thing wrong with the values of a model."""
    if model.frequency_version != FREQUENCY_VERSION:
        raise ValueError(f"its frequency_version must be {FREQUENCY_VERSION!r}, got {shown(model.frequency_version)}")
    if not model.parts:
        raise ValueError("it must have at least one part, got none")
    for place, part in enumerate(cosine_parts(model)):
        _check_part(part, place, model.n_columns)
    if not isinstance(model.offset, int | float) or not abs(model.offset) <= float_info.max:
        raise ValueError(f"its offset must be a finite float, got {shown(model.offset)}")
    _check_classes(model.classes)
    names = model.feature_names
    if names is not None and (len(names) != model.n_columns or not all(map(is_text, names))):
        raise ValueError(
            f"its feature_names must be one text for each of {model.n_columns} columns, got {shown(names)}"
        )
    if model.schema is not None:
        check_schema(model.schema, model.n_columns)


def _check_part(part: Part, place: int, n_columns: int) -> None:
    if not isinstance(part.kernel, str) or part.kernel not in KERNELS:
        raise ValueError(f"the kernel of part {place} must be one of {sorted(KERNELS)}, got {shown(part.kernel)}")
    # float32 is refused: it would count in float32 before it is saved, in float64 after. Kernels take twice gamma.
    if not isinstance(part.gamma, int | float) or not 0 < part.gamma <= float_info.max / 2:
        raise ValueError(f"gamma of part {place} must be a finite float > 0, got {shown(part.gamma)}")
    if isinstance(part.seed, bool) or not isinstance(part.seed, Integral) or not 0 <= part.seed < SEED_LIMIT:
        raise ValueError(f"the seed of part {place} must be an integer from 0 to 2**64 - 1, got {shown(part.seed)}")
    columns = {"shift": part.columns.shift, "scale": part.columns.scale}
    coefficients = {"cosine": part.cosine, "sine": part.sine}
    for name, array in (columns | coefficients).items():
        if array.dtype != np.float64 or array.ndim != 1:
            raise ValueError(
                f"{name} of part {place} must be a float64 vector, got shape {array.shape} of {array.dtype}"
            )
        if not np.isfinite(array).all():
            raise ValueError(
                f"{name} of part {place} must hold finite numbers, got {shown(array[~np.isfinite(array)][0])}"
            )
    encoding = part.columns.encoding
    n_scaled = n_columns
    if encoding is not None:
        check_encoding(encoding, place)
        n_scaled = len(encoding.source)
        if encoding.n_columns != n_columns:
            raise ValueError(
                f"the encoding of part {place} must be one of {n_columns} columns, got {shown(encoding.n_columns)}"
            )
    for name, array in columns.items():
        if n_scaled == 0 or len(array) != n_scaled:
            raise ValueError(
                f"{name} of part {place} must hold a number for each of {n_scaled} > 0 columns, got {len(array)}"
            )
    if len(part.cosine) != len(part.sine):
        raise ValueError(
            f"cosine and sine of part {place} must be of one length, got {len(part.cosine)} and {len(part.sine)}"
        )


def _check_classes(classes: AnyArray) -> None:
    if classes.shape != (2,) or not CLASS_DTYPE.fullmatch(classes.dtype.str):
        raise ValueError(
            "its classes must be two booleans, integers, floats or texts, "
            f"got shape {classes.shape} of dtype {classes.dtype.str[:20]}"
        )
    negative, positive = classes.tolist()
    tests: dict[str, Callable[[Any], bool]] = {"f": isfinite, "U": is_text}
    is_sound = tests.get(classes.dtype.kind, lambda _: True)
    if negative == positive or not is_sound(negative) or not is_sound(positive):
        raise ValueError(f"its classes must be two different values, got {shown([negative, positive])}")
