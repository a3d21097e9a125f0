"""A model as a description, which is JSON, and arrays by name: the two things that a model file holds.

Classes are `{"dtype": "<U4", "values": ["ham", "spam"]}`, negative first; values of floats and of bytes are in
hexadecimal. `check_model` asks whether values make sense, before a model is saved and again after a file was read.
"""

import re
from collections.abc import Callable, Mapping
from math import isfinite
from reprlib import repr as shown
from typing import Any

import numpy as np

from s2auc.common.arrays import AnyArray
from s2auc.kernels.frequencies import FREQUENCY_VERSION
from s2auc.models.checks import require
from s2auc.models.files.schema import check_schema, decode_schema, encode_schema
from s2auc.models.files.texts import PREFIX, TEXT_TYPES, encode_texts
from s2auc.models.model import Model
from s2auc.models.parts.bounds import MAX_TOTAL
from s2auc.models.parts.kinds import PARTS, arrays_of_parts, decode_parts, describe_parts, kind_of_part
from s2auc.models.record import check_record
from s2auc.models.strict_json import decode_float, fields_of, is_text
from s2auc.ranking.calibration import PlattScaling

CLASS_DTYPE = re.compile(r"\|b1|\|[iu]1|[<>][iu][248]|[<>]f[248]|[<>]U[1-9][0-9]{0,4}|\|S[1-9][0-9]{0,4}")
"""Types of classes: booleans, integers, floats, text and bytes. The width of text is bounded, as it costs memory."""

_SCALING = "slope", "intercept"
_FIELDS = {"classes", "frequency_version", "offset", "parts", "probabilities", "record", "schema"}


def encode_description(model: Model) -> tuple[dict[str, Any], dict[str, AnyArray]]:
    """Return the description and the arrays of a sound model."""
    scaling = model.probabilities
    description = {
        "classes": encode_classes(model.classes),
        "frequency_version": model.frequency_version,
        "offset": float(model.offset).hex(),
        "parts": describe_parts(model.parts, PARTS),
        "probabilities": None if scaling is None else {name: float(getattr(scaling, name)).hex() for name in _SCALING},
        "record": model.record,
        "schema": encode_schema(model.schema),
    }
    return description, _arrays_of(model)


def _arrays_of(model: Model) -> dict[str, AnyArray]:
    return arrays_of_parts(model.parts) | encode_texts(model.schema)[1]


def decode_description(value: Any, tensors: Mapping[str, Mapping[str, Any]]) -> Model:
    """Return the model that a JSON value describes, whose arrays are tensors as safetensors gives them."""
    description = fields_of(value, "description", _FIELDS)
    require(isinstance(description["parts"], list), f"its parts must be a list, got {shown(description['parts'])}")
    arrays = {name: _decode_array(name, tensor) for name, tensor in tensors.items()}
    of_parts = {name: array for name, array in arrays.items() if not name.startswith(PREFIX)}
    scaling = None
    if description["probabilities"] is not None:
        fields = fields_of(description["probabilities"], "probabilities", set(_SCALING))
        scaling = PlattScaling(*(decode_float(fields[name], f"the {name} of its probabilities") for name in _SCALING))
    return Model(
        parts=decode_parts(description["parts"], of_parts, PARTS),
        offset=decode_float(description["offset"], "its offset"),
        classes=decode_classes(description["classes"]),
        schema=decode_schema(description["schema"], {name: arrays[name] for name in arrays.keys() - of_parts.keys()}),
        probabilities=scaling,
        record=description["record"],
        frequency_version=description["frequency_version"],
    )


def _decode_array(name: str, tensor: Mapping[str, Any]) -> AnyArray:
    shape = tensor["shape"]
    if name.startswith(PREFIX) and tensor["dtype"] in TEXT_TYPES:
        return np.frombuffer(tensor["data"], dtype=TEXT_TYPES[tensor["dtype"]]).reshape(shape)
    require(
        tensor["dtype"] == "F64" and len(shape) in (1, 2),
        f"its array {shown(name)} must be a vector or matrix of float64 numbers (F64), got {tensor['dtype']} of shape "
        f"{shown(shape)}",
    )
    numbers = np.frombuffer(tensor["data"], dtype="<f8").astype(np.float64, copy=False)
    # A file may claim any number of rows of no columns, which take no bytes.
    sentence = f"its array {shown(name)} must have rows and columns, got shape {shown(shape)}"
    require(numbers.size > 0 or max(shape) == 0, sentence)
    return numbers.reshape(shape)


def check_model(model: Model) -> None:
    """Raise a ValueError that names the first thing wrong with the values of a model."""
    version = model.frequency_version
    require(version == FREQUENCY_VERSION, f"its frequency_version must be {FREQUENCY_VERSION!r}, got {shown(version)}")
    require(len(model.parts) > 0, "it must have at least one part, got none")
    # The parts bound the number of columns, on which everything after them relies.
    for place, part in enumerate(model.parts):
        kind_of_part(part, PARTS)
        part.check(place, model.n_columns)
    # No file claims more columns than it has numbers.
    n_numbers = sum(array.size for array in _arrays_of(model).values())
    sentence = f"it must have at most {n_numbers} columns, as many as numbers, got {model.n_columns}"
    require(model.n_columns <= n_numbers, sentence)
    _check_bounded(model.offset, "its offset")
    check_classes(model.classes)
    check_schema(model.schema)
    if model.probabilities is not None:
        _check_bounded(model.probabilities.slope, "the slope of its probabilities", is_positive=True)
        _check_bounded(model.probabilities.intercept, "the intercept of its probabilities")
    check_record(model.record)


def _check_bounded(value: Any, what: str, *, is_positive: bool = False) -> None:
    is_sound = isinstance(value, int | float) and abs(value) <= MAX_TOTAL and (value > 0 or not is_positive)
    wanted = "a finite float > 0" if is_positive else "a finite float"
    require(is_sound, f"{what} must be {wanted}, {MAX_TOTAL:g} at most, got {shown(value)}")


def encode_classes(classes: AnyArray) -> dict[str, Any]:
    """Return the JSON value of sound classes.

    Examples
    --------
    >>> encode_classes(np.array(["ham", "spam"]))
    {'dtype': '<U4', 'values': ['ham', 'spam']}
    """
    values: list[Any] = classes.tolist()
    if classes.dtype.kind in "fS":
        values = [value.hex() for value in values]
    return {"dtype": classes.dtype.str, "values": values}


def decode_classes(value: Any) -> AnyArray:
    """Return the classes that a JSON value stands for."""
    fields = fields_of(value, "classes", {"dtype", "values"})
    is_known = isinstance(fields["dtype"], str) and CLASS_DTYPE.fullmatch(fields["dtype"]) is not None
    require(is_known, f"its classes have an unknown dtype, got {shown(fields['dtype'])}")
    dtype, values = np.dtype(fields["dtype"]), fields["values"]
    stored_type = {"b": bool, "i": int, "u": int}.get(dtype.kind, str)
    are_two = isinstance(values, list) and [type(value) for value in values] == [stored_type] * 2
    require(are_two, f"its classes must be two values of dtype {dtype.str}, got {shown(values)}")
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
    require(fits, f"its classes do not fit their dtype {dtype.str}, got {shown(values)}")
    return classes


def check_classes(classes: AnyArray) -> None:
    """Raise a ValueError unless these are two different values of a type that a file can hold."""
    require(
        classes.shape == (2,) and CLASS_DTYPE.fullmatch(classes.dtype.str) is not None,
        "its classes must be two booleans, integers, floats or texts, got shape "
        f"{classes.shape} of dtype {classes.dtype.str[:20]}",
    )
    negative, positive = classes.tolist()
    tests: dict[str, Callable[[Any], bool]] = {"f": isfinite, "U": is_text}
    is_sound = tests.get(classes.dtype.kind, lambda _: True)
    require(
        negative != positive and is_sound(negative) and is_sound(positive),
        "its classes must be two different values, finite numbers or text that UTF-8 can carry, got "
        f"{shown([negative, positive])}",
    )
