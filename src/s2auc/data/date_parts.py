"""Dates, times of day and durations as numbers: what a model learns from of a column that holds them.

A column of dates gives up to four columns of numbers, the parts that vary:

- `day`: days since 1970-01-01, the time of day as a fraction;
- `month`: 1 to 12;
- `weekday`: 0 (Monday) to 6;
- `hour`: hours since midnight, with a fraction.

A column of times of day gives `time`, hours since midnight; one of durations `seconds`. Times with a zone count in UTC.
Every number is the same whatever unit holds it, from days to nanoseconds.
"""

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from s2auc.common.arrays import AnyArray, FloatArray

TEMPORAL_KINDS = {"date": "dates", "time": "times of day", "duration": "durations"}
"""Kinds of columns that become numbers by parts, and what sentences call their values."""


@dataclass(frozen=True)
class Part:
    """One number that values of a kind give."""

    kind: str
    of_values: Callable[[AnyArray], FloatArray]


def _day(dates: AnyArray) -> FloatArray:
    days = _days(dates)
    whole: FloatArray = days.astype(np.int64).astype(np.float64)
    return whole + (dates - days) / np.timedelta64(1, "D")


def _days(dates: AnyArray) -> AnyArray:
    return dates.astype("datetime64[D]")


def _month(dates: AnyArray) -> FloatArray:
    months: AnyArray = dates.astype("datetime64[M]").astype(np.int64)
    return (months % 12 + 1).astype(np.float64)


def _weekday(dates: AnyArray) -> FloatArray:
    return ((_days(dates).astype(np.int64) + 3) % 7).astype(np.float64)  # 1970 began on a Thursday


def _hour(dates: AnyArray) -> FloatArray:
    hours: FloatArray = (dates - _days(dates)) / np.timedelta64(1, "h")
    return hours


def _time(since_midnight: AnyArray) -> FloatArray:
    hours: FloatArray = since_midnight / np.timedelta64(1, "h")
    return hours


def _seconds(durations: AnyArray) -> FloatArray:
    second = np.timedelta64(1, "s")
    # Nanoseconds of many years are more than a float can tell apart.
    whole: FloatArray = (durations // second).astype(np.float64)
    return whole + (durations % second) / second


PARTS = {
    "day": Part("date", _day),
    "month": Part("date", _month),
    "weekday": Part("date", _weekday),
    "hour": Part("date", _hour),
    "time": Part("time", _time),
    "seconds": Part("duration", _seconds),
}
"""All parts, those of one kind in the order of their columns; the first of a kind is called like the column itself."""


def parts_of_kind(kind: str) -> tuple[str, ...]:
    """Return the names of the parts that a kind of values has.

    Examples
    --------
    >>> parts_of_kind("date")
    ('day', 'month', 'weekday', 'hour')
    """
    return tuple(name for name, part in PARTS.items() if part.kind == kind)


def varying_parts(kind: str, values: AnyArray) -> tuple[str, ...]:
    """Return the parts that are not the same in all values; the first of the kind if all are.

    Examples
    --------
    >>> varying_parts("date", np.array(["2024-01-01", "2024-01-02"], dtype="datetime64[D]"))
    ('day', 'weekday')
    """
    names = parts_of_kind(kind)
    found = [name for name in names if len(values) and np.ptp(PARTS[name].of_values(values)) > 0]
    return tuple(found) or names[:1]


def part_name(source: str, part: str) -> str:
    """Return what the column of a part is called: like its source, or with the part in brackets.

    Examples
    --------
    >>> part_name("signed", "day"), part_name("signed", "month")
    ('signed', 'signed (month)')
    """
    return source if part == parts_of_kind(PARTS[part].kind)[0] else f"{source} ({part})"


def temporal_objects(values: Sequence[Any]) -> tuple[str, AnyArray] | None:
    """Return the kind of Python's dates, times or durations, and an array of them; None if some are something else.

    Examples
    --------
    >>> temporal_objects([dt.date(1970, 1, 3)])
    ('date', array(['1970-01-03'], dtype='datetime64[D]'))
    """
    types = set(map(type, values))
    if not types:
        return None
    if all(issubclass(kind, dt.datetime) for kind in types):
        return "date", np.array([_in_utc(value) for value in values], dtype="datetime64[us]")
    if all(issubclass(kind, dt.date) and not issubclass(kind, dt.datetime) for kind in types):
        return "date", np.array(values, dtype="datetime64[D]")
    if all(issubclass(kind, dt.timedelta) for kind in types):
        return "duration", np.array([np.timedelta64(value) for value in values], dtype="timedelta64[us]")
    if all(issubclass(kind, dt.time) for kind in types):
        return "time", np.array([_since_midnight(value) for value in values], dtype="timedelta64[us]")
    return None


def _in_utc(value: dt.datetime) -> dt.datetime:
    plain = value.replace(fold=0) if value.tzinfo is None else value.astimezone(dt.UTC).replace(tzinfo=None)
    return dt.datetime(*plain.timetuple()[:6], plain.microsecond)


def _since_midnight(value: dt.time) -> dt.timedelta:
    return dt.timedelta(hours=value.hour, minutes=value.minute, seconds=value.second, microseconds=value.microsecond)
