"""A model as a description, which is JSON, and arrays by name: the two things that a model file holds."""

import re
from collections.abc import Mapping
from reprlib import repr as shown
from typing import Any

import numpy as np

from s2auc.common.arrays import FloatArray
from s2auc.models.file_classes import decode_classes, encode_classes
from s2auc.models.file_json import decode_float, fields_of
from s2auc.models.file_schema import decode_schema, encode_schema
from s2auc.models.model import Model
from s2auc.models.part import PARTS, Part, kind_of_part
from s2auc.ranking.calibration import PlattScaling

_FIELDS = {"classes", "frequency_version", "offset", "parts", "probabilities", "record", "schema"}
_ARRAY_NAME = re.compile(r"parts\.(0|[1-9][0-9]{0,8})\.(.+)", flags=re.ASCII | re.DOTALL)


def encode_description(model: Model) -> tuple[dict[str, Any], dict[str, FloatArray]]:
    """Return the description and the arrays of a sound model."""
    description = {
        "classes": encode_classes(model.classes),
        "frequency_version": model.frequency_version,
        "offset": float(model.offset).hex(),
        "parts": [{"kind": kind_of_part(part), **part.description()} for part in model.parts],
        "probabilities": _encode_probabilities(model.probabilities),
        "record": model.record,
        "schema": encode_schema(model.schema),
    }
    arrays = {
        f"parts.{place}.{name}": array
        for place, part in enumerate(model.parts)
        for name, array in part.arrays().items()
    }
    return description, arrays


def decode_description(value: Any, tensors: Mapping[str, Mapping[str, Any]]) -> Model:
    """Return the model that a JSON value describes, whose arrays are tensors as safetensors gives them."""
    description = fields_of(value, "description", _FIELDS)
    return Model(
        parts=_decode_parts(description["parts"], tensors),
        offset=decode_float(description["offset"], "its offset"),
        classes=decode_classes(description["classes"]),
        schema=decode_schema(description["schema"]),
        probabilities=_decode_probabilities(description["probabilities"]),
        record=description["record"],
        frequency_version=description["frequency_version"],
    )


def _decode_parts(values: Any, tensors: Mapping[str, Mapping[str, Any]]) -> tuple[Part, ...]:
    if not isinstance(values, list):
        raise ValueError(f"its parts must be a list, got {shown(values)}")
    arrays: list[dict[str, FloatArray]] = [{} for _ in values]
    for name, tensor in tensors.items():
        match = _ARRAY_NAME.fullmatch(name)
        if match is None or int(match[1]) >= len(values):
            raise ValueError(f"its arrays must be those of its {len(values)} parts, got {shown(name)}")
        arrays[int(match[1])][match[2]] = _decode_array(name, tensor)
    return tuple(_decode_part(value, arrays[place], place) for place, value in enumerate(values))


def _decode_array(name: str, tensor: Mapping[str, Any]) -> FloatArray:
    shape = tensor["shape"]
    if tensor["dtype"] != "F64" or len(shape) not in (1, 2):
        raise ValueError(
            f"its array {shown(name)} must be a vector or matrix of float64 numbers (F64), got {tensor['dtype']} of "
            f"shape {shown(shape)}"
        )
    numbers = np.frombuffer(tensor["data"], dtype="<f8").astype(np.float64, copy=False)
    return numbers.reshape(shape) if numbers.size else _empty(name, shape)


def _empty(name: str, shape: list[int]) -> FloatArray:
    # A file may claim any number of rows of no columns, which take no bytes.
    if max(shape) > 0:
        raise ValueError(f"its array {shown(name)} must have rows and columns, got shape {shown(shape)}")
    return np.zeros(shape)


def _decode_part(value: Any, arrays: dict[str, FloatArray], place: int) -> Part:
    words = dict(value) if isinstance(value, dict) else {}
    kind = words.pop("kind", None)
    if not isinstance(kind, str) or kind not in PARTS:
        raise ValueError(f"the kind of part {place} must be one of {sorted(PARTS)}, got {shown(kind)}")
    try:
        return PARTS[kind].from_file(words, arrays)
    except ValueError as error:
        raise ValueError(f"in part {place}, {error}") from error


def _encode_probabilities(probabilities: PlattScaling | None) -> dict[str, str] | None:
    if probabilities is None:
        return None
    return {"slope": float(probabilities.slope).hex(), "intercept": float(probabilities.intercept).hex()}


def _decode_probabilities(value: Any) -> PlattScaling | None:
    if value is None:
        return None
    fields = fields_of(value, "probabilities", {"slope", "intercept"})
    return PlattScaling(
        slope=decode_float(fields["slope"], "the slope of its probabilities"),
        intercept=decode_float(fields["intercept"], "the intercept of its probabilities"),
    )
