"""A model as a description, which is JSON, and arrays by name: the two things that a model file holds."""

from collections.abc import Mapping
from reprlib import repr as shown
from typing import Any

import numpy as np

from s2auc.common.arrays import FloatArray
from s2auc.models.file_classes import decode_classes, encode_classes
from s2auc.models.files.schema import decode_schema, encode_schema
from s2auc.models.model import Model
from s2auc.models.part_lists import arrays_by_part, arrays_of_parts, decode_part, describe_parts
from s2auc.models.parts.kinds import PARTS
from s2auc.models.parts.part import Part
from s2auc.models.strict_json import decode_float, fields_of
from s2auc.ranking.calibration import PlattScaling

_FIELDS = {"classes", "frequency_version", "offset", "parts", "probabilities", "record", "schema"}


def encode_description(model: Model) -> tuple[dict[str, Any], dict[str, FloatArray]]:
    """Return the description and the arrays of a sound model."""
    description = {
        "classes": encode_classes(model.classes),
        "frequency_version": model.frequency_version,
        "offset": float(model.offset).hex(),
        "parts": describe_parts(model.parts, PARTS),
        "probabilities": _encode_probabilities(model.probabilities),
        "record": model.record,
        "schema": encode_schema(model.schema),
    }
    return description, arrays_of_parts(model.parts)


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
    arrays = {name: _decode_array(name, tensor) for name, tensor in tensors.items()}
    grouped = arrays_by_part(arrays, len(values))
    return tuple(decode_part(value, grouped[place], place, PARTS) for place, value in enumerate(values))


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
