"""Dates, times of day and durations as numbers: what a model learns from of a column that holds them.

A column of dates gives up to four columns of numbers, the parts that vary:

- `day`: days since 1970-01-01, the time of day as a fraction;
- `month`: 1 to 12;
- `weekday`: 0 (Monday) to 6;
- `hour`: hours since midnight, with a fraction.

A column of times of day gives `time`, hours since midnight; one of durations `seconds`. Times with a zone count in UTC.
Every number is the same whatever unit holds it, from days to nanoseconds.
"""

from collections.abc import Callable
from dataclasses import dataclass

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
    return _time(dates - _days(dates))


def _time(since_midnight: AnyArray) -> FloatArray:
    return np.asarray(since_midnight / np.timedelta64(1, "h"))


def _seconds(durations: AnyArray) -> FloatArray:
    second = np.timedelta64(1, "s")
    # Nanoseconds of many years are more than a float can tell apart.
    whole: FloatArray = (durations // second).astype(np.float64)
    return whole + (durations % second) / second


DATE_PARTS = {
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
    return tuple(name for name, part in DATE_PARTS.items() if part.kind == kind)


def part_name(source: str, part: str) -> str:
    """Return what the column of a part is called: like its source, or with the part in brackets.

    Examples
    --------
    >>> part_name("signed", "day"), part_name("signed", "month")
    ('signed', 'signed (month)')
    """
    return source if part == parts_of_kind(DATE_PARTS[part].kind)[0] else f"{source} ({part})"
