"""A fitted model as bytes: a safetensors file that vouches for every one of its bytes.

The bytes are what the safetensors format asks for: eight that hold the header's length, a JSON header, arrays
`parts.<i>.<name>`, vectors and matrices of float64, and arrays of text columns (`models.files.texts`). The header's
`__metadata__` maps these words to text:

- `format`: "s2auc-model"
- `sha256`: the digest of all bytes, with 64 zeros in the place of the digest itself
- `version`: of the format, 3; readers refuse others
- `written_by`: the library and its version, for people to read
- `model`: JSON of classes, schema, offset, probabilities, record, and of the kind and the description of every part

`format` and `sha256` open the header in this and every later version, so that the digest is checked before anything is
parsed. It finds accidents, not forgers: whoever edits a file can also compute its digest, so what comes after trusts
nothing. Floats that scores depend on are written in hexadecimal, which is exact. Equal models give equal bytes.
"""

import hashlib
import re
from collections.abc import Mapping
from importlib.metadata import version
from reprlib import repr as shown
from typing import Any

import numpy as np

from s2auc.common.lazy_modules import import_optional
from s2auc.models.checks import require
from s2auc.models.files.description import decode_description, encode_description
from s2auc.models.files.texts import TEXT_TYPES
from s2auc.models.model import Model
from s2auc.models.strict_json import fields_of, from_json, to_json

FORMAT_VERSION = 3
"""The only version that is written and read."""

HEADER_LIMIT = 10**8
"""The longest header the safetensors format allows, in bytes."""

_OPENING = b'{"__metadata__":{"format":"s2auc-model","sha256":"'
_LENGTH_BYTES = 8
_DIGEST = slice(_LENGTH_BYTES + len(_OPENING), _LENGTH_BYTES + len(_OPENING) + 64)
_NO_DIGEST = b"0" * 64

OPENING_BYTES = _DIGEST.stop
"""How many bytes tell whether a file is a model file."""


class OldFormatError(ValueError):
    """A file is of a version that is no longer read."""


def encode_model(model: Model) -> bytes:
    """Return the bytes of a sound model.

    Examples
    --------
    >>> import numpy as np
    >>> from s2auc.data.features.scaling import ColumnScaling
    >>> from s2auc.data.schema.schema import Schema
    >>> from s2auc.models.parts.cosine import CosinePart
    >>> columns = ColumnScaling(np.zeros(1), np.ones(1))
    >>> part = CosinePart(columns, "gaussian", gamma=0.5, seed=0, cosine=np.array([1.0]), sine=np.array([0.0]))
    >>> data = encode_model(Model((part,), 0.25, np.array(["ham", "spam"]), Schema(1, {})))
    >>> decode_model(data).classes
    array(['ham', 'spam'], dtype='<U4')
    """
    description, arrays = encode_description(model)
    metadata = {
        "format": "s2auc-model",
        "sha256": _NO_DIGEST.decode(),
        "version": str(FORMAT_VERSION),
        "written_by": f"s2auc {version('s2auc')}",
        "model": to_json(description),
    }
    # The library's own writer puts metadata in an order of its own each time: the header is written here instead.
    header: dict[str, Any] = {"__metadata__": metadata}
    pieces, end = [], 0
    for name, array in arrays.items():
        first, end = end, end + array.nbytes
        word = next((word for word, kind in TEXT_TYPES.items() if array.dtype == kind), "F64")
        header[name] = {"dtype": word, "shape": list(array.shape), "data_offsets": [first, end]}
        pieces.append(array.astype(TEXT_TYPES.get(word, np.dtype("<f8"))).tobytes())
    text = to_json(header, sort_names=False).encode()
    text += b" " * (-len(text) % 8)  # arrays start at a multiple of eight
    data = b"".join([len(text).to_bytes(_LENGTH_BYTES, "little"), text, *pieces])
    return data[: _DIGEST.start] + _digest(data) + data[_DIGEST.stop :]


def decode_model(data: bytes) -> Model:
    """Return the model in bytes that passed `check_digest`; a ValueError says what is wrong with them.

    Types and shapes are then those of a model; whether its values make sense is for the caller to check.
    """
    safetensors = load_safetensors()
    header_bytes = int.from_bytes(data[:_LENGTH_BYTES], "little")
    is_there = header_bytes <= min(HEADER_LIMIT, len(data) - _LENGTH_BYTES)
    require(is_there, f"its header claims {header_bytes} bytes, more than there are or may be")
    metadata = _read_metadata(data[_LENGTH_BYTES : _LENGTH_BYTES + header_bytes])
    description = from_json(metadata["model"])
    try:
        tensors = dict(safetensors.deserialize(data))
    except safetensors.SafetensorError as error:
        raise ValueError(f"its arrays are not those of a safetensors file ({str(error)[:200]})") from error
    return decode_description(description, tensors)


def check_opening(data: bytes) -> None:
    """Raise a ValueError unless these bytes begin like a model file; `OPENING_BYTES` of them are enough."""
    is_opening = len(data) >= OPENING_BYTES and data[_LENGTH_BYTES : _DIGEST.start] == _OPENING
    require(is_opening, "it is not a model file, or only the beginning of one; name a saved model")


def check_digest(data: bytes) -> None:
    """Raise a ValueError unless these bytes are, every one of them, those that were written."""
    sentence = "it is damaged or cut short (its SHA-256 digest does not match); copy it or save it again"
    require(_digest(data) == data[_DIGEST], sentence)


def load_safetensors() -> Any:
    """Return the safetensors library, or raise an ImportError that says how to install it."""
    return import_optional("safetensors", "Model files need the safetensors library", "files")


def _digest(data: bytes) -> bytes:
    """Return the digest of the bytes, those of the digest itself taken as zeros."""
    view = memoryview(data)
    sha256 = hashlib.sha256(view[: _DIGEST.start])
    sha256.update(_NO_DIGEST)
    sha256.update(view[_DIGEST.stop :])
    return sha256.hexdigest().encode()


def _read_metadata(header: bytes) -> Mapping[str, Any]:
    """Return the metadata in a header, once its version is known to be the one that can be read."""
    try:
        text = header.decode()
    except UnicodeDecodeError as error:
        raise ValueError(f"its header is not UTF-8 ({error.reason} at byte {error.start})") from error
    values = from_json(text)
    metadata = values.get("__metadata__") if isinstance(values, dict) else None
    found: Any = metadata.get("version") if isinstance(metadata, dict) else None
    is_number = isinstance(found, str) and re.fullmatch("[1-9][0-9]{0,8}", found) is not None
    require(is_number, f"its format version must be a whole number, got {shown(found)}")
    versions = f"in format version {found}; this s2auc reads version {FORMAT_VERSION}"
    if int(found) < FORMAT_VERSION:
        raise OldFormatError(
            f"it was written by an older s2auc ({versions}); save the model again with this version of s2auc"
        )
    require(int(found) == FORMAT_VERSION, f"it was written by a newer s2auc ({versions})")
    return fields_of(metadata, "metadata", {"format", "sha256", "version", "written_by", "model"})
