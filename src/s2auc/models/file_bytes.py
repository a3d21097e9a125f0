"""A fitted model as bytes: a safetensors file that vouches for every one of its bytes.

The bytes are what the safetensors format asks for: eight that hold the header's length, a JSON header, float64 arrays
`parts.<i>.shift`, `.scale`, `.cosine` and `.sine`. The header's `__metadata__` maps these words to text:

- `format`: "s2auc-model"
- `sha256`: the digest of all bytes, with 64 zeros in the place of the digest itself
- `version`: of the format, 1 or 2; readers refuse later ones
- `written_by`: the library and its version, for people to read
- `model`: JSON of the classes, the names of the columns, the offset, and kernel, gamma and seed of every part

Version 2 is for models that encode columns or know categories, and is written for no others: parts have arrays
`parts.<i>.encoding.<name>` as well, and the description says more (`s2auc.models.file_columns`).

`format` and `sha256` open the header in this and every later version, so that the digest is checked before anything is
parsed. It finds accidents, not forgers: whoever edits a file can also compute its digest, so what comes after trusts
nothing. Floats are written in hexadecimal, which is exact. Equal models give equal bytes.
"""

import hashlib
import re
from collections.abc import Callable
from importlib.metadata import version
from operator import index
from reprlib import repr as shown
from typing import Any

import numpy as np

from s2auc.common.arrays import AnyArray, FloatArray
from s2auc.data.column_scaling import ColumnScaling
from s2auc.models.file_columns import ENCODING_ARRAYS, decode_encoding, decode_schema, encode_schema, encoding_arrays
from s2auc.models.file_json import decode_float, fields_of, from_json, to_json
from s2auc.models.model import Model, Part

FORMAT_VERSION = 2
"""The latest version, which is written only where the first does not do."""

HEADER_LIMIT = 10**8
"""The longest header the safetensors format allows, in bytes."""

CLASS_DTYPE = re.compile(r"\|b1|\|[iu]1|[<>][iu][248]|[<>]f[248]|[<>]U[1-9][0-9]{0,4}|\|S[1-9][0-9]{0,4}")
"""Types of classes: booleans, integers, floats, text and bytes. The width of text is bounded, as it costs memory."""

_OPENING = b'{"__metadata__":{"format":"s2auc-model","sha256":"'
_LENGTH_BYTES = 8
_DIGEST = slice(_LENGTH_BYTES + len(_OPENING), _LENGTH_BYTES + len(_OPENING) + 64)
_NO_DIGEST = b"0" * 64

OPENING_BYTES = _DIGEST.stop
"""How many bytes tell whether a file is a model file."""


def encode_model(model: Model) -> bytes:
    """Return the bytes of a sound model.

    Examples
    --------
    >>> columns = ColumnScaling(np.zeros(1), np.ones(1))
    >>> part = Part(columns, "gaussian", gamma=0.5, seed=0, cosine=np.array([1.0]), sine=np.array([0.0]))
    >>> data = encode_model(Model((part,), offset=0.25, classes=np.array(["ham", "spam"])))
    >>> decode_model(data).classes
    array(['ham', 'spam'], dtype='<U4')
    """
    parts = cosine_parts(model)
    is_plain = model.schema is None and all(part.columns.encoding is None for part in parts)
    description = {
        "classes": _encode_classes(model.classes),
        "feature_names": None if model.feature_names is None else list(model.feature_names),
        "frequency_version": model.frequency_version,
        "offset": float(model.offset).hex(),
        "parts": [_describe_part(part, is_plain=is_plain) for part in parts],
    }
    if not is_plain:
        description["table"] = encode_schema(model.schema)
    metadata = {
        "format": "s2auc-model",
        "sha256": _NO_DIGEST.decode(),
        "version": "1" if is_plain else str(FORMAT_VERSION),
        "written_by": f"s2auc {version('s2auc')}",
        "model": to_json(description),
    }
    # The library's own writer puts metadata in an order of its own each time: the header is written here instead.
    header: dict[str, Any] = {"__metadata__": metadata}
    arrays, end = [], 0
    for place, part in enumerate(parts):
        for name, array in _arrays(part).items():
            first, end = end, end + array.nbytes
            header[_array_name(place, name)] = {
                "dtype": "F64",
                "shape": list(array.shape),
                "data_offsets": [first, end],
            }
            arrays.append(array.astype("<f8").tobytes())
    text = to_json(header).encode()
    text += b" " * (-len(text) % 8)  # arrays start at a multiple of eight
    data = b"".join([len(text).to_bytes(_LENGTH_BYTES, "little"), text, *arrays])
    return data[: _DIGEST.start] + _digest(data) + data[_DIGEST.stop :]


def decode_model(data: bytes) -> Model:
    """Return the model in bytes that passed `check_digest`; a ValueError says what is wrong with them.

    Types and shapes are then those of a model; whether its values make sense is for the caller to check.
    """
    deserialize, safetensors_error = safetensors_reader()
    header_bytes = int.from_bytes(data[:_LENGTH_BYTES], "little")
    if header_bytes > min(HEADER_LIMIT, len(data) - _LENGTH_BYTES):
        raise ValueError(f"its header claims {header_bytes} bytes, more than there are or may be")
    metadata = _read_metadata(data[_LENGTH_BYTES : _LENGTH_BYTES + header_bytes])
    is_plain = metadata["version"] == "1"
    names = {"classes", "feature_names", "frequency_version", "offset", "parts"} | (set() if is_plain else {"table"})
    description = fields_of(from_json(metadata["model"]), "description", names)
    feature_names = description["feature_names"]
    if feature_names is not None and not isinstance(feature_names, list):
        raise ValueError(f"its feature_names must be a list or null, got {shown(feature_names)}")
    try:
        tensors = dict(deserialize(data))
    except safetensors_error as error:
        raise ValueError(f"its arrays are not those of a safetensors file ({str(error)[:200]})") from error
    return Model(
        parts=_decode_parts(description["parts"], tensors, is_plain=is_plain),
        offset=decode_float(description["offset"], "its offset"),
        classes=_decode_classes(description["classes"]),
        feature_names=None if feature_names is None else tuple(feature_names),
        frequency_version=description["frequency_version"],
        schema=None if is_plain else decode_schema(description["table"]),
    )


def cosine_parts(model: Model) -> tuple[Part, ...]:
    """Return the parts of a model; a ValueError says so if one is not a sum of cosines, which alone have a format."""
    parts = tuple(part for part in model.parts if isinstance(part, Part))
    if len(parts) < len(model.parts):
        raise ValueError(
            "its parts must be sums of cosines, got a sum of kernels at training rows, which has no file format; "
            "pickle the estimator instead"
        )
    return parts


def check_opening(data: bytes) -> None:
    """Raise a ValueError unless these bytes begin like a model file; `OPENING_BYTES` of them are enough."""
    if len(data) < OPENING_BYTES or data[_LENGTH_BYTES : _DIGEST.start] != _OPENING:
        raise ValueError("it is not a model file, or only the beginning of one; name a saved model")


def check_digest(data: bytes) -> None:
    """Raise a ValueError unless these bytes are, every one of them, those that were written."""
    check_opening(data)
    if _digest(data) != data[_DIGEST]:
        raise ValueError("it is damaged or cut short (its SHA-256 digest does not match); copy it or save it again")


def safetensors_reader() -> tuple[Callable[[bytes], list[tuple[str, dict[str, Any]]]], type[Exception]]:
    """Return the function that cuts bytes into arrays, and the error it raises."""
    try:
        from safetensors import SafetensorError, deserialize
    except ImportError as error:
        raise ImportError(
            "Model files need the safetensors library, which is not installed: pip install 's2auc[files]'"
        ) from error
    return deserialize, SafetensorError


def _digest(data: bytes) -> bytes:
    """Return the digest of the bytes, those of the digest itself taken as zeros."""
    view = memoryview(data)
    sha256 = hashlib.sha256(view[: _DIGEST.start])
    sha256.update(_NO_DIGEST)
    sha256.update(view[_DIGEST.stop :])
    return sha256.hexdigest().encode()


def _describe_part(part: Part, *, is_plain: bool) -> dict[str, Any]:
    description = {"gamma": float(part.gamma).hex(), "kernel": part.kernel, "seed": index(part.seed)}
    if is_plain:
        return description
    encoding = part.columns.encoding
    return {**description, "encoding": None if encoding is None else {"n_columns": index(encoding.n_columns)}}


def _arrays(part: Part) -> dict[str, FloatArray]:
    arrays = {"shift": part.columns.shift, "scale": part.columns.scale, "cosine": part.cosine, "sine": part.sine}
    if part.columns.encoding is None:
        return arrays
    encoded = encoding_arrays(part.columns.encoding)
    return arrays | {f"encoding.{name}": array for name, array in encoded.items()}


def _array_name(place: int, name: str) -> str:
    return f"parts.{place}.{name}"


def _read_metadata(header: bytes) -> dict[str, Any]:
    """Return the metadata in a header, once its version is known to be one that can be read."""
    try:
        text = header.decode()
    except UnicodeDecodeError as error:
        raise ValueError(f"its header is not UTF-8 ({error.reason} at byte {error.start})") from error
    values = from_json(text)
    metadata = values.get("__metadata__") if isinstance(values, dict) else None
    found = metadata.get("version") if isinstance(metadata, dict) else None
    if found not in [str(number) for number in range(1, FORMAT_VERSION + 1)]:
        if isinstance(found, str) and re.fullmatch("[1-9][0-9]{0,8}", found):
            raise ValueError(
                f"it was written by a newer s2auc (in format version {found}; this s2auc reads {FORMAT_VERSION})"
            )
        raise ValueError(f"its format version must be a whole number, got {shown(found)}")
    return fields_of(metadata, "metadata", {"format", "sha256", "version", "written_by", "model"})


def _decode_parts(values: Any, tensors: dict[str, dict[str, Any]], *, is_plain: bool) -> tuple[Part, ...]:
    if not isinstance(values, list):
        raise ValueError(f"its parts must be a list, got {shown(values)}")
    names = {"gamma", "kernel", "seed"} | (set() if is_plain else {"encoding"})
    parts = [fields_of(value, f"part {place}", names) for place, value in enumerate(values)]
    expected = {_array_name(place, name) for place, fields in enumerate(parts) for name in _names_of_arrays(fields)}
    if tensors.keys() != expected:
        raise ValueError(f"its arrays must be those of its {len(values)} parts, got {shown(sorted(tensors))}")

    def array(place: int, name: str) -> FloatArray:
        tensor = tensors[_array_name(place, name)]
        if tensor["dtype"] != "F64" or len(tensor["shape"]) != 1:
            raise ValueError(
                f"its array {_array_name(place, name)} must be a vector of float64 numbers (F64), "
                f"got {tensor['dtype']} of shape {shown(tensor['shape'])}"
            )
        return np.frombuffer(tensor["data"], dtype="<f8").astype(np.float64, copy=False)

    def decode(place: int, fields: dict[str, Any]) -> Part:
        encoding = None
        if fields.get("encoding") is not None:
            encoding = decode_encoding(fields["encoding"], lambda name: array(place, f"encoding.{name}"), place)
        columns = ColumnScaling(array(place, "shift"), array(place, "scale"), encoding)
        gamma = decode_float(fields["gamma"], f"gamma of part {place}")
        return Part(columns, fields["kernel"], gamma, fields["seed"], array(place, "cosine"), array(place, "sine"))

    return tuple(decode(place, fields) for place, fields in enumerate(parts))


def _names_of_arrays(fields: dict[str, Any]) -> list[str]:
    encoded = [] if fields.get("encoding") is None else [f"encoding.{name}" for name in ENCODING_ARRAYS]
    return ["shift", "scale", "cosine", "sine", *encoded]


def _encode_classes(classes: AnyArray) -> dict[str, Any]:
    values: list[Any] = classes.tolist()
    if classes.dtype.kind in "fS":
        values = [value.hex() for value in values]
    return {"dtype": classes.dtype.str, "values": values}


def _decode_classes(value: Any) -> AnyArray:
    fields = fields_of(value, "classes", {"dtype", "values"})
    if not isinstance(fields["dtype"], str) or not CLASS_DTYPE.fullmatch(fields["dtype"]):
        raise ValueError(f"its classes have an unknown dtype, got {shown(fields['dtype'])}")
    dtype, values = np.dtype(fields["dtype"]), fields["values"]
    stored_type = {"b": bool, "i": int, "u": int}.get(dtype.kind, str)
    if not isinstance(values, list) or len(values) != 2 or any(type(value) is not stored_type for value in values):
        raise ValueError(f"its classes must be two values of dtype {dtype.str}, got {shown(values)}")
    try:
        if dtype.kind == "f":
            values = [decode_float(value, "a class") for value in values]
        elif dtype.kind == "S":
            values = [bytes.fromhex(value) for value in values]
        with np.errstate(over="ignore"):  # the comparison tells
            classes = np.array(values, dtype=dtype)
        fits = classes.tolist() == values
    except (ValueError, OverflowError):
        fits = False
    if not fits:
        raise ValueError(f"its classes do not fit their dtype {dtype.str}, got {shown(values)}")
    return classes
