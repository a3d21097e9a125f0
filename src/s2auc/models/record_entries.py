"""What a record says, whoever wrote it: anything may be missing, or something else may stand in its place."""

from collections.abc import Mapping
from typing import Any


def find_entry(record: Any, *names: str) -> Any:
    """Return what stands under these names, one inside the other; None if nothing does.

    Examples
    --------
    >>> find_entry({"shift": {"column": 3}}, "shift", "column"), find_entry({"shift": 3}, "shift", "column")
    (3, None)
    """
    for name in names:
        if not isinstance(record, Mapping):
            return None
        record = record.get(name)
    return record


def number_entry(record: Any, *names: str) -> int | float | None:
    """Return the number that stands under these names; None if there is none of usual size."""
    value = find_entry(record, *names)
    # Numbers beyond the floats could not be written with a few digits.
    is_number = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e15
    return value if is_number else None


def text_entry(record: Any, *names: str) -> str:
    """Return the text that stands under these names; an empty one if there is none."""
    value = find_entry(record, *names)
    return value if isinstance(value, str) else ""
