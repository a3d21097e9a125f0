"""What a model file of version 2 says about columns: how they are encoded, and which categories they hold.

An encoding is kept as float64 vectors named after its attributes, whole numbers included, and the number of columns in
the description of its part: `{"n_columns": 3}`. A table is kept in the description: `{"n_columns": 3, "levels": […]}`,
with one `{"column": 1, "type": "text", "values": ["Oslo", "Rome"]}` for every categorical column; the type is "text",
"boolean", "integer" or "float", the values of floats are in hexadecimal, and both are null where numbers stand for
themselves.
"""

from collections.abc import Callable
from math import isfinite
from operator import index
from reprlib import repr as shown
from typing import Any

import numpy as np

from s2auc.common.arrays import AnyArray, FloatArray
from s2auc.data.encoding import Encoding, Kind
from s2auc.data.frames import Level
from s2auc.data.schema import Schema
from s2auc.models.file_json import decode_float, fields_of, is_text

WHOLE_ARRAYS = "source", "kind", "bounds"
FLOAT_ARRAYS = "number", "knots", "ranks"
ENCODING_ARRAYS = "source", "kind", "number", "bounds", "knots", "ranks"

_LEVEL_TYPES: dict[str, type[Level]] = {"text": str, "boolean": bool, "integer": int, "float": float}


def encoding_arrays(encoding: Encoding) -> dict[str, FloatArray]:
    """Return the vectors of an encoding as float64."""
    return {name: np.asarray(getattr(encoding, name), dtype=np.float64) for name in ENCODING_ARRAYS}


def decode_encoding(value: Any, array: Callable[[str], FloatArray], place: int) -> Encoding:
    """Return the encoding of a part from its description and its vectors."""
    n_columns = _whole_number(fields_of(value, f"encoding of part {place}", {"n_columns"})["n_columns"])
    whole = {}
    for name in WHOLE_ARRAYS:
        numbers = array(name)
        with np.errstate(invalid="ignore"):  # there are NaN that raise a flag when they are looked at
            is_whole = (numbers == np.floor(numbers)) & (numbers >= 0) & (numbers < 2**53)
        if not is_whole.all():
            raise ValueError(
                f"{name} of the encoding of part {place} must hold whole numbers from 0, got "
                f"{shown(numbers[~is_whole][0].item())}"
            )
        whole[name] = numbers.astype(np.intp)
    return Encoding(
        n_columns=n_columns,
        source=whole["source"],
        kind=whole["kind"],
        number=array("number"),
        bounds=whole["bounds"],
        knots=array("knots"),
        ranks=array("ranks"),
    )


def check_encoding(encoding: Encoding, place: int) -> None:
    """Raise a ValueError that names the first thing wrong with the values of an encoding."""
    of_part = f"of the encoding of part {place}"
    for name in ENCODING_ARRAYS:
        array: AnyArray = getattr(encoding, name)
        is_right_type = array.dtype == np.float64 if name in FLOAT_ARRAYS else array.dtype.kind == "i"
        if not is_right_type or array.ndim != 1:
            wanted = "float64 numbers" if name in FLOAT_ARRAYS else "integers"
            raise ValueError(f"{name} {of_part} must be a vector of {wanted}, got shape {array.shape} of {array.dtype}")
        if not np.isfinite(array).all():
            raise ValueError(f"{name} {of_part} must hold finite numbers, got {array[~np.isfinite(array)][0]}")
    source, kind, bounds = encoding.source, encoding.kind, encoding.bounds
    if not len(source) == len(kind) == len(encoding.number):
        raise ValueError(
            f"source, kind and number {of_part} must be of one length, got {len(source)}, {len(kind)} and "
            f"{len(encoding.number)}"
        )
    # Every column is used, so that no file claims more columns than it has numbers.
    if not 0 < encoding.n_columns <= len(source) or not np.array_equal(
        np.unique(source), np.arange(encoding.n_columns)
    ):
        raise ValueError(
            f"source {of_part} must name each of {encoding.n_columns} > 0 columns, got {shown(source.tolist())}"
        )
    strange = kind[~np.isin(kind, list(Kind))]
    if len(strange):
        raise ValueError(f"kind {of_part} must hold numbers from 0 to {max(Kind)}, got {strange[0]}")
    n_ranked, n_knots = np.count_nonzero(kind == Kind.RANK), len(encoding.knots)
    is_sound = len(bounds) == n_ranked + 1 and bounds[0] == 0 and bounds[-1] == n_knots
    if not is_sound or np.any(np.diff(bounds) <= 0):
        raise ValueError(
            f"bounds {of_part} must rise from 0 to {n_knots} in {n_ranked} steps, got {shown(bounds.tolist())}"
        )
    _check_knots(encoding, of_part)


def _check_knots(encoding: Encoding, of_part: str) -> None:
    knots, ranks = encoding.knots, encoding.ranks
    if len(knots) != len(ranks) or not np.all((ranks >= 0) & (ranks <= 1)):
        raise ValueError(
            f"ranks {of_part} must be a number from 0 to 1 for each of {len(knots)} knots, got {shown(ranks.tolist())}"
        )
    # Between the last knot of one column and the first of the next anything goes.
    is_inside = np.ones(max(len(knots) - 1, 0), dtype=bool)
    is_inside[encoding.bounds[1:-1] - 1] = False
    falls = np.flatnonzero((knots[1:] <= knots[:-1]) & is_inside)
    if len(falls):
        raise ValueError(
            f"knots {of_part} must rise within a column, got {knots[falls[0]]} before {knots[falls[0] + 1]}"
        )


def encode_schema(table: Schema | None) -> dict[str, Any] | None:
    """Return the JSON value of a sound table."""
    if table is None:
        return None
    levels = [_encode_levels(column, table.levels[column]) for column in sorted(table.levels)]
    return {"n_columns": index(table.n_columns), "levels": levels}


def decode_schema(value: Any) -> Schema | None:
    """Return the table that a JSON value stands for."""
    if value is None:
        return None
    fields = fields_of(value, "table", {"n_columns", "levels"})
    if not isinstance(fields["levels"], list):
        raise ValueError(f"levels of its table must be a list, got {shown(fields['levels'])}")
    levels: dict[int, tuple[Level, ...] | None] = {}
    for entry in fields["levels"]:
        entry = fields_of(entry, "levels of a column", {"column", "type", "values"})
        column = _whole_number(entry["column"])
        if levels and column <= max(levels):
            raise ValueError(f"columns of its table must be in their order, got {column} after {max(levels)}")
        levels[column] = _decode_levels(entry["type"], entry["values"], column)
    return Schema(_whole_number(fields["n_columns"]), levels)


def check_schema(table: Schema, n_columns: int) -> None:
    """Raise a ValueError that names the first thing wrong with the values of a table."""
    if table.n_columns != n_columns:
        raise ValueError(f"n_columns of its table must be that of its parts, {n_columns}, got {shown(table.n_columns)}")
    for column, levels in table.levels.items():
        if type(column) is not int or not 0 <= column < n_columns:
            raise ValueError(f"columns of its table must be numbers from 0 to {n_columns - 1}, got {shown(column)}")
        if levels is None:
            continue
        types = set(map(type, levels))
        is_sound = isinstance(levels, tuple) and (not types or types in [{kind} for kind in _LEVEL_TYPES.values()])
        if not is_sound or len(set(levels)) != len(levels) or not all(map(_is_level, levels)):
            raise ValueError(
                f"levels of column {column} must be different texts, booleans, integers or finite floats, "
                f"got {shown(levels)}"
            )


def _is_level(level: Level) -> bool:
    return is_text(level) if isinstance(level, str) else isinstance(level, int) or isfinite(level)


def _encode_levels(column: int, levels: tuple[Level, ...] | None) -> dict[str, Any]:
    if levels is None:
        return {"column": column, "type": None, "values": None}
    kind = next((name for name, kind in _LEVEL_TYPES.items() if levels and type(levels[0]) is kind), "text")
    return {
        "column": column,
        "type": kind,
        "values": [level.hex() if isinstance(level, float) else level for level in levels],
    }


def _decode_levels(kind: Any, values: Any, column: int) -> tuple[Level, ...] | None:
    if kind is None and values is None:
        return None
    if not isinstance(kind, str) or kind not in _LEVEL_TYPES:
        raise ValueError(
            f"the type of column {column} must be one of {sorted(_LEVEL_TYPES)} or null, got {shown(kind)}"
        )
    stored_type = str if kind == "float" else _LEVEL_TYPES[kind]
    if not isinstance(values, list) or any(type(value) is not stored_type for value in values):
        raise ValueError(f"levels of column {column} must be a list of type {kind}, got {shown(values)}")
    return tuple(decode_float(value, f"a level of column {column}") if kind == "float" else value for value in values)


def _whole_number(value: Any) -> int:
    if type(value) is not int or not 0 <= value < 2**53:
        raise ValueError(f"a number of columns must be a whole number from 0, got {shown(value)}")
    return value
