"""The record of a model: what was tried and found when it was fitted, as values that JSON can carry exactly."""

from collections.abc import Iterable, Mapping
from math import isfinite
from reprlib import repr as shown
from typing import Any

from s2auc.models.strict_json import is_text, to_json

DEEPEST = 6
"""Lists and objects inside one another, the record itself being the first."""

LONGEST_TEXT = 10_000
"""Characters of a text, or of a name."""

MAX_INTEGER = 2**64
"""Integers are below it in size: seeds fit."""

RECORD_BYTES = 2**24
"""Of the record's JSON."""


def check_record(record: Any) -> None:
    """Raise a ValueError that names the first thing in a record that no file can hold.

    A record is a dict with text for names, of texts, numbers, booleans, None, lists and dicts. Numbers are Python's own
    and finite: None stands for what is not known.

    Examples
    --------
    >>> check_record({"seed": 7, "settings_tried": [{"alpha": 0.1, "mean_auc": 0.93}]})
    >>> check_record({"settings_tried": [{"mean_auc": float("nan")}]})
    Traceback (most recent call last):
    ...
    ValueError: numbers in its record must be finite, or None, got nan at settings_tried.0.mean_auc
    """
    if not isinstance(record, dict):
        raise ValueError(f"its record must be a dict, got {type(record).__name__}")
    _check_inside(record, (), RECORD_BYTES // 2)
    size = len(to_json(record).encode())
    if size > RECORD_BYTES:
        raise _too_large(f"{size}")


def recorded_roles(record: Any) -> dict[str, str]:
    """Return the columns of the fitted table that a record says are something else than columns to learn from.

    Examples
    --------
    >>> recorded_roles({"table": {"label": "fraud", "id": None}})
    {'label': 'fraud'}
    """
    roles = record.get("table") if isinstance(record, Mapping) else None
    found = roles.items() if isinstance(roles, Mapping) else ()
    return {role: name for role, name in found if isinstance(role, str) and isinstance(name, str)}


def _check_inside(value: Any, place: tuple[Any, ...], room: int) -> int:
    """Return how many values there are inside a value, itself included; an error if there is no room for them."""
    if not isinstance(value, dict | list):
        _check_leaf(value, place)
        return 1
    if len(place) >= DEEPEST:
        raise ValueError(f"its record must be at most {DEEPEST} lists and dicts deep, got more at {_path(place)}")
    n_values = 1
    inner: Iterable[tuple[Any, Any]] = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in inner:
        if isinstance(value, dict) and (not is_text(key) or len(key) > LONGEST_TEXT):
            raise ValueError(
                f"names in its record must be text of at most {LONGEST_TEXT} characters, got {shown(key)} at "
                f"{_path(place)}"
            )
        n_values += _check_inside(item, (*place, key), room - n_values)
        # Every value takes two bytes of JSON or more, one for its comma. Lists may share lists, so that a walk through
        # all of them may take forever.
        if n_values > room:
            raise _too_large("even more")
    return n_values


def _check_leaf(value: Any, place: tuple[Any, ...]) -> None:
    if value is None or isinstance(value, bool):
        return
    if isinstance(value, str):
        if not is_text(value) or len(value) > LONGEST_TEXT:
            raise ValueError(
                f"texts in its record must be UTF-8 of at most {LONGEST_TEXT} characters, got {shown(value)} of "
                f"{len(value)} at {_path(place)}"
            )
    elif isinstance(value, float):
        if not isfinite(value):
            raise ValueError(f"numbers in its record must be finite, or None, got {value} at {_path(place)}")
    elif isinstance(value, int):
        if abs(value) >= MAX_INTEGER:
            raise ValueError(f"integers in its record must be smaller than 2**64, got {shown(value)} at {_path(place)}")
    else:
        raise ValueError(
            "its record must hold texts, Python's own numbers, booleans, None, lists and dicts, got "
            f"{type(value).__name__} at {_path(place)}"
        )


def _path(place: tuple[Any, ...]) -> str:
    return ".".join(shown(step).strip("'") for step in place) or "its top"


def _too_large(size: str) -> ValueError:
    return ValueError(f"the JSON of its record must have at most {RECORD_BYTES} bytes, got {size}")
