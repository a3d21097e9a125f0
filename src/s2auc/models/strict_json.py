"""The JSON of model files: exact floats, exact names, nothing that has two meanings."""

import json
from collections.abc import Mapping
from reprlib import repr as shown
from typing import Any


def to_json(value: Any, *, sort_names: bool = True) -> str:
    """Return the one text that stands for a value, or for this order of its names if they are not sorted.

    Examples
    --------
    >>> to_json({"kernel": "gaussian", "gamma": (0.5).hex()})
    '{"gamma":"0x1.0000000000000p-1","kernel":"gaussian"}'
    """
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"), sort_keys=sort_names)


def from_json(text: Any) -> Any:
    """Return the value that a text stands for; a ValueError if it stands for none, or for more than one."""
    try:
        return json.loads(text, object_pairs_hook=_without_duplicates, parse_constant=_refuse_constant)
    except (TypeError, ValueError, RecursionError) as error:
        raise ValueError(f"its description is not the JSON it should be ({str(error)[:200]})") from error


def fields_of(value: Any, what: str, names: set[str]) -> Mapping[str, Any]:
    """Return an object, once it is known to have exactly these names.

    Examples
    --------
    >>> fields_of({"slope": 1}, "probabilities", {"slope", "intercept"})
    Traceback (most recent call last):
    ...
    ValueError: its probabilities must have the names ['intercept', 'slope'], got ['slope']
    """
    if not isinstance(value, Mapping) or value.keys() != names:
        got = sorted(value) if isinstance(value, Mapping) else value
        raise ValueError(f"its {what} must have the names {sorted(names)}, got {shown(got)}")
    return value


def decode_count(value: Any) -> int:
    """Return a number of columns, once it is known to be one."""
    if type(value) is not int or not 0 <= value < 2**53:
        raise ValueError(f"a number of columns must be a whole number from 0, got {shown(value)}")
    return value


def decode_float(value: Any, what: str) -> float:
    """Return the number that is written in hexadecimal, in its only spelling.

    Examples
    --------
    >>> decode_float("0x1.8000000000000p+1", "gamma")
    3.0
    """
    try:
        number = float.fromhex(value)
    except (TypeError, ValueError, OverflowError):
        number = None
    if number is None or number.hex() != value:
        raise ValueError(f"{what} must be a number in hexadecimal such as '0x1.8p+1', got {shown(value)}")
    return number


def is_text(value: Any) -> bool:
    """Return whether a value is text that UTF-8 can carry: lone surrogates are not."""
    try:
        return isinstance(value, str) and value.encode() is not None
    except UnicodeEncodeError:
        return False


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) != len(pairs):
        raise ValueError("a name occurs twice")
    return values


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON number")
