"""What a model file says about the table that was fitted: `{"n_columns": 3, "names": […], "levels": […]}`.

Names, all text or all whole numbers, are null where the columns had none. There is one
`{"column": 1, "type": "text", "values": ["Oslo", "Rome"]}` for every categorical column; the type is "text", "boolean",
"integer" or "float", the values of floats are in hexadecimal, and both are null where numbers stand for themselves.
`"left_out": [{"column": 0, "name": "id"}]` is there only if the table had columns that are not read, which have the
numbers that they had in the table. `"parts": [{"column": 2, "source": "signed", "part": "month"}]` is there only if
columns are parts of dates, times or durations. `"readings": [{"column": 2, "reading": "dates, day first"}]` is there
only if columns were text in an unusual spelling, and `"first_number": 1` only if the table was a LIBSVM file.
"""

from collections.abc import Collection, Mapping
from itertools import pairwise
from math import isfinite
from operator import index, itemgetter
from reprlib import repr as shown
from typing import Any

from s2auc.data.schema.date_parts import PARTS, part_name
from s2auc.data.schema.learnt_columns import Level
from s2auc.data.schema.schema import Schema
from s2auc.data.schema.text_readings import READINGS
from s2auc.models.strict_json import decode_count, decode_float, fields_of, is_text

_LEVEL_TYPES: dict[str, type[Level]] = {"text": str, "boolean": bool, "integer": int, "float": float}


def encode_schema(schema: Schema) -> dict[str, Any]:
    """Return the JSON value of a sound schema.

    Examples
    --------
    >>> encode_schema(Schema(2, {1: (False, True)}, names=("age", "member")))["levels"]
    [{'column': 1, 'type': 'boolean', 'values': [False, True]}]
    """
    left_out = [{"column": place, "name": schema.left_out[place]} for place in sorted(schema.left_out)]
    parts = [
        {"column": column, "source": source, "part": part} for column, (source, part) in sorted(schema.parts.items())
    ]
    readings = [{"column": column, "reading": reading} for column, reading in sorted(schema.readings.items())]
    return (
        {
            "n_columns": index(schema.n_columns),
            "names": None if schema.names is None else list(schema.names),
            "levels": [_encode_levels(column, schema.levels[column]) for column in sorted(schema.levels)],
        }
        | ({"left_out": left_out} if left_out else {})
        | ({"parts": parts} if parts else {})
        | ({"readings": readings} if readings else {})
        | ({} if schema.first_number is None else {"first_number": index(schema.first_number)})
    )


def decode_schema(value: Any) -> Schema:
    """Return the schema that a JSON value stands for."""
    more = {"left_out", "parts", "readings", "first_number"} & set(value) if isinstance(value, dict) else set()
    fields = fields_of(value, "schema", {"n_columns", "names", "levels"} | more)
    names = fields["names"]
    if names is not None and not isinstance(names, list):
        raise ValueError(f"names of its schema must be a list or null, got {shown(names)}")
    if not isinstance(fields["levels"], list):
        raise ValueError(f"levels of its schema must be a list, got {shown(fields['levels'])}")
    levels: dict[int, tuple[Level, ...] | None] = {}
    for entry in fields["levels"]:
        entry = fields_of(entry, "levels of a column", {"column", "type", "values"})
        column, last = decode_count(entry["column"]), max(levels, default=-1)
        if column <= last:
            raise ValueError(f"columns of its schema must be in their order, got {column} after {last}")
        levels[column] = _decode_levels(entry["type"], entry["values"], column)
    readings = _decode_entries(fields, "readings", "readings of a column", ("reading",))
    if not all(isinstance(reading, str) for reading in readings.values()):
        raise ValueError(f"readings of its schema must be texts, got {shown(fields['readings'])}")
    return Schema(
        n_columns=decode_count(fields["n_columns"]),
        levels=levels,
        names=None if names is None else tuple(names),
        left_out=_decode_entries(fields, "left_out", "columns left out", ("name",)),
        parts=_decode_entries(fields, "parts", "parts of dates", ("source", "part")),
        readings=readings,
        first_number=decode_count(fields["first_number"]) if "first_number" in more else None,
    )


def check_schema(schema: Schema) -> None:
    """Raise a ValueError that names the first thing wrong with the values of a schema."""
    n_columns, names = schema.n_columns, schema.names
    if names is not None:
        if not isinstance(names, tuple) or len(names) != n_columns or not _are_names(names):
            raise ValueError(
                f"names of its schema must be one text for each of {n_columns} columns that UTF-8 can carry, or one "
                f"whole number, got {shown(names)}"
            )
        if len(set(names)) != len(names):
            raise ValueError(f"names of its schema must be different, got {shown(names)}")
    if schema.parts:
        _check_parts(schema)
    if schema.left_out:
        _check_left_out(schema)
    if schema.first_number not in (None, 0, 1):
        raise ValueError(f"first_number of its schema must be 0 or 1, got {shown(schema.first_number)}")
    for column, reading in schema.readings.items():
        if type(column) is not int or not 0 <= column < n_columns or reading not in READINGS:
            raise ValueError(
                f"readings of its schema must be known ones of columns from 0 to {n_columns - 1}, got "
                f"{shown(reading)} of {shown(column)}"
            )
    for column, levels in schema.levels.items():
        if type(column) is not int or not 0 <= column < n_columns:
            raise ValueError(f"columns of its schema must be numbers from 0 to {n_columns - 1}, got {shown(column)}")
        if levels is None:
            continue
        types = set(map(type, levels))
        is_sound = isinstance(levels, tuple) and (not types or types in [{kind} for kind in _LEVEL_TYPES.values()])
        if not is_sound or len(set(levels)) != len(levels) or not all(map(_is_level, levels)):
            raise ValueError(
                f"levels of column {column} must be different texts that UTF-8 can carry, booleans, integers or finite "
                "floats, "
                f"got {shown(levels)}"
            )


def _are_names(names: Collection[Any]) -> bool:
    return all(map(is_text, names)) or all(type(name) is int for name in names)


def _check_left_out(schema: Schema) -> None:
    left_out, names = schema.left_out, schema.source_names
    # Names tell which columns of another table are left out; numbers which ones of an array.
    if names is None:
        is_sound = all(name == str(place) for place, name in left_out.items())
    else:
        together = [*names, *left_out.values()]
        is_sound = _are_names(together) and len(set(together)) == schema.n_passed
    if not is_sound:
        raise ValueError(
            "names of columns that its schema leaves out must be different from all others, and the numbers of the "
            f"columns where they have no names, got {shown(left_out)}"
        )
    strange = [place for place in left_out if type(place) is not int or not 0 <= place < schema.n_passed]
    if strange:
        raise ValueError(
            f"columns that its schema leaves out must be numbers from 0 to {schema.n_passed - 1}, got "
            f"{shown(strange[0])}"
        )


def _check_parts(schema: Schema) -> None:
    """Raise unless the parts of every column of dates stand side by side, in their order, under their own names."""
    names, parts, order = schema.names or (), schema.parts, list(PARTS)
    for column, (source, part) in parts.items():
        is_placed = type(column) is int and 0 <= column < len(names) and column not in schema.levels
        is_known = is_text(source) and isinstance(part, str) and part in PARTS
        if not is_placed or not is_known or names[column] != part_name(str(source), part):
            raise ValueError(
                "parts of its schema must be columns of numbers that are named after the column that they come from, "
                f"got {shown({column: (source, part)})}"
            )
    for learnt in schema.columns():
        is_sorted = list(learnt.parts) == sorted(set(learnt.parts), key=order.index)
        if not is_sorted or len({PARTS[part].kind for part in learnt.parts}) > 1:
            raise ValueError(
                f"parts of column {shown(learnt.name)} must be of one kind, in their order, got {shown(learnt.parts)}"
            )
    sources = schema.source_names or ()
    if len(set(sources)) != len(sources):
        raise ValueError(f"parts of one column of its schema must stand side by side, got {shown(parts)}")


def _decode_entries(fields: Mapping[str, Any], name: str, what: str, words: tuple[str, ...]) -> dict[int, Any]:
    """Return what a list in a schema says of some columns, in their order; of several words it is a tuple."""
    value = fields.get(name)
    if name in fields and (not isinstance(value, list) or not value):
        raise ValueError(f"{name} of its schema must be a list of columns, got {shown(value)}")
    entries = [fields_of(entry, what, {"column", *words}) for entry in value or ()]
    columns = [decode_count(entry["column"]) for entry in entries]
    if any(column <= last for last, column in pairwise(columns)):
        raise ValueError(f"{name} of its schema must be in the order of columns, got {shown(columns)}")
    take = itemgetter(*words)
    return {column: take(entry) for column, entry in zip(columns, entries, strict=True)}


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
