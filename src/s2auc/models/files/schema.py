"""The schema of the fitted table in a model file: `{"n_columns": 3, "names": […], "levels": […]}`.

Names, all text or all whole numbers, are null where the columns had none. There is one
`{"column": 1, "type": "text", "values": ["Oslo", "Rome"]}` for every categorical column; the type is "text", "boolean",
"integer" or "float", the values of floats are in hexadecimal, and both are null where numbers stand for themselves.
`"left_out": [{"column": 0, "name": "id"}]` is there only if the table had columns that are not read, which have the
numbers that they had in the table. `"parts": [{"column": 2, "source": "signed", "part": "month"}]` is there only if
columns are parts of dates, times or durations. `"readings": [{"column": 2, "reading": "dates, day first"}]` is there
only if columns were text in an unusual spelling, and `"first_number": 1` only if the table was a LIBSVM file. `"texts"`
is there only if there are text columns (`models.files.texts`).
"""

from collections.abc import Collection, Mapping
from itertools import pairwise
from math import isfinite
from operator import index
from reprlib import repr as shown
from typing import Any

from s2auc.common.arrays import AnyArray
from s2auc.data.schema.date_parts import DATE_PARTS, part_name
from s2auc.data.schema.schema import Level, Schema
from s2auc.data.schema.text_readings import READINGS
from s2auc.models.checks import require
from s2auc.models.files.texts import check_texts, decode_texts, encode_texts
from s2auc.models.strict_json import decode_count, decode_float, fields_of, is_text

_LISTS = {"left_out": ("name",), "parts": ("source", "part"), "readings": ("reading",)}
"""Optional lists of a schema, and the words that they have for a column."""

_LEVEL_TYPES: dict[str, type[Level]] = {"text": str, "boolean": bool, "integer": int, "float": float}


def encode_schema(schema: Schema) -> dict[str, Any]:
    """Return the JSON value of a sound schema.

    Examples
    --------
    >>> encode_schema(Schema(2, {1: (False, True)}, names=("age", "member")))["levels"]
    [{'column': 1, 'type': 'boolean', 'values': [False, True]}]
    """
    value = {
        "n_columns": index(schema.n_columns),
        "names": None if schema.names is None else list(schema.names),
        "levels": [_encode_levels(column, schema.levels[column]) for column in sorted(schema.levels)],
    }
    for name, words in _LISTS.items():
        entries = sorted(getattr(schema, name).items())
        if entries:
            pairs = [(column, (entry,) if len(words) == 1 else entry) for column, entry in entries]
            value[name] = [{"column": column, **dict(zip(words, entry, strict=True))} for column, entry in pairs]
    value |= {} if schema.first_number is None else {"first_number": index(schema.first_number)}
    return value | ({"texts": encode_texts(schema)[0]} if schema.texts else {})


def decode_schema(value: Any, arrays: Mapping[str, AnyArray] | None = None) -> Schema:
    """Return the schema that a JSON value stands for, given the arrays of its text columns."""
    more = (_LISTS.keys() | {"first_number", "texts"}) & value.keys() if isinstance(value, dict) else set()
    fields = fields_of(value, "schema", {"n_columns", "names", "levels"} | more)
    names, levels = fields["names"], fields["levels"]
    require(names is None or isinstance(names, list), f"names of its schema must be a list or null, got {shown(names)}")
    require(isinstance(levels, list), f"levels of its schema must be a list, got {shown(levels)}")
    require(
        "texts" in more or not arrays, f"its schema must have the texts of its arrays {shown(sorted(arrays or ()))}"
    )
    return Schema(
        n_columns=decode_count(fields["n_columns"]),
        levels={
            column: _decode_levels(kind, values, column)
            for column, (kind, values) in _decode_entries(levels, "levels", ("type", "values")).items()
        },
        names=None if names is None else tuple(names),
        first_number=decode_count(fields["first_number"]) if "first_number" in more else None,
        texts=decode_texts(fields["texts"], arrays or {}) if "texts" in more else {},
        **{name: _decode_list(fields[name], name) for name in _LISTS.keys() & more},
    )


def check_schema(schema: Schema) -> None:
    """Raise a ValueError that names the first thing wrong with the values of a schema."""
    n_columns, names = schema.n_columns, schema.names
    if names is not None:
        require(
            isinstance(names, tuple) and len(names) == n_columns and _are_names(names),
            f"names of its schema must be one text for each of {n_columns} columns that UTF-8 can carry, or one "
            f"whole number, got {shown(names)}",
        )
        require(len(set(names)) == len(names), f"names of its schema must be different, got {shown(names)}")
    check_texts(schema)  # which bounds how many columns texts give
    if schema.parts:
        _check_parts(schema)
    if schema.left_out:
        _check_left_out(schema)
    first = schema.first_number
    require(first in (None, 0, 1), f"first_number of its schema must be 0 or 1, got {shown(first)}")
    for column, reading in schema.readings.items():
        require(
            _is_place(column, n_columns) and isinstance(reading, str) and reading in READINGS,
            f"readings of its schema must be known ones of columns from 0 to {n_columns - 1}, got {shown(reading)} of "
            f"{shown(column)}",
        )
    for column, levels in schema.levels.items():
        sentence = f"columns of its schema must be numbers from 0 to {n_columns - 1}, got {shown(column)}"
        require(_is_place(column, n_columns), sentence)
        require(
            levels is None or _are_levels(levels),
            f"levels of column {column} must be different texts that UTF-8 can carry, booleans, integers or finite "
            f"floats, got {shown(levels)}",
        )


def _is_place(column: Any, n_columns: int) -> bool:
    return type(column) is int and 0 <= column < n_columns


def _are_names(names: Collection[Any]) -> bool:
    return all(map(is_text, names)) or all(type(name) is int for name in names)


def _are_levels(levels: Any) -> bool:
    """Return whether levels are different values of one type."""
    types = set(map(type, levels))
    if not isinstance(levels, tuple) or len(types) > 1 or not types <= set(_LEVEL_TYPES.values()):
        return False
    is_sound = {str: is_text, float: isfinite}.get(next(iter(types), int), lambda _: True)
    return len(set(levels)) == len(levels) and all(map(is_sound, levels))


def _check_left_out(schema: Schema) -> None:
    left_out, names = schema.left_out, schema.source_names
    # Names tell which columns of another table are left out; numbers which ones of an array.
    if names is None:
        is_sound = all(name == str(place) for place, name in left_out.items())
    else:
        together = [*names, *left_out.values()]
        is_sound = _are_names(together) and len(set(together)) == schema.n_passed
    require(
        is_sound,
        "names of columns that its schema leaves out must be different from all others, and the numbers of the columns "
        f"where they have no names, got {shown(left_out)}",
    )
    strange = [place for place in left_out if not _is_place(place, schema.n_passed)]
    last = schema.n_passed - 1
    require(not strange, f"columns that its schema leaves out must be numbers from 0 to {last}, got {shown(strange)}")


def _check_parts(schema: Schema) -> None:
    """Raise unless the parts of every column of dates stand side by side, in their order, under their own names."""
    names, parts, order = schema.names or (), schema.parts, list(DATE_PARTS)
    for column, (source, part) in parts.items():
        is_placed = _is_place(column, len(names)) and column not in schema.levels
        is_known = is_text(source) and isinstance(part, str) and part in DATE_PARTS
        require(
            is_placed and is_known and names[column] == part_name(str(source), part),
            "parts of its schema must be columns of numbers that are named after the column that they come from, got "
            f"{shown({column: (source, part)})}",
        )
    for learnt in schema.columns():
        is_sorted = list(learnt.parts) == sorted(set(learnt.parts), key=order.index)
        require(
            is_sorted and len({DATE_PARTS[part].kind for part in learnt.parts}) <= 1,
            f"parts of column {shown(learnt.name)} must be of one kind, in their order, got {shown(learnt.parts)}",
        )
    sources = schema.source_names or ()
    sentence = f"parts of one column of its schema must stand side by side, got {shown(parts)}"
    require(len(set(sources)) == len(sources), sentence)


def _decode_list(value: Any, name: str) -> dict[int, Any]:
    """Return what an optional list in a schema says of some columns, a tuple where it has several words for each."""
    is_list = isinstance(value, list) and len(value) > 0
    require(is_list, f"{name} of its schema must be a list of columns, got {shown(value)}")
    entries = _decode_entries(value, name, _LISTS[name])
    return {column: entry if len(entry) > 1 else entry[0] for column, entry in entries.items()}


def _decode_entries(values: list[Any], name: str, words: tuple[str, ...]) -> dict[int, tuple[Any, ...]]:
    """Return the words of each entry of a list, by the number of its column."""
    entries = [fields_of(value, f"entry of {name}", {"column", *words}) for value in values]
    columns = [decode_count(entry["column"]) for entry in entries]
    is_sorted = all(last < column for last, column in pairwise(columns))
    require(is_sorted, f"{name} of its schema must be in the order of columns, got {shown(columns)}")
    return {column: tuple(entry[word] for word in words) for column, entry in zip(columns, entries, strict=True)}


def _encode_levels(column: int, levels: tuple[Level, ...] | None) -> dict[str, Any]:
    if levels is None:
        return {"column": column, "type": None, "values": None}
    kind = next((name for name, kind in _LEVEL_TYPES.items() if levels and type(levels[0]) is kind), "text")
    values = [level.hex() if isinstance(level, float) else level for level in levels]
    return {"column": column, "type": kind, "values": values}


def _decode_levels(kind: Any, values: Any, column: int) -> tuple[Level, ...] | None:
    if kind is None and values is None:
        return None
    is_known = isinstance(kind, str) and kind in _LEVEL_TYPES
    require(is_known, f"the type of column {column} must be one of {sorted(_LEVEL_TYPES)} or null, got {shown(kind)}")
    stored_type = str if kind == "float" else _LEVEL_TYPES[kind]
    is_sound = isinstance(values, list) and all(type(value) is stored_type for value in values)
    require(is_sound, f"levels of column {column} must be a list of type {kind}, got {shown(values)}")
    return tuple(decode_float(value, f"a level of column {column}") if kind == "float" else value for value in values)
