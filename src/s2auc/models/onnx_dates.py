"""Parts of dates, times of day and durations in an ONNX graph, from one number a value.

ONNX has no dates: a date comes as days since 1970-01-01 in UTC, the time of day as a fraction; a time of day as hours
since midnight; a duration as seconds. Those are the first parts of each kind in `s2auc.data.schema.date_parts`, and the others
follow from them.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from s2auc.models.onnx.graph import Tensor

UNITS = {
    "date": "days since 1970-01-01 in UTC, the time of day as a fraction",
    "time": "hours since midnight",
    "duration": "seconds",
}
"""What a number of each kind counts."""

_MICROSECONDS = 86_400e6


def _itself(number: Any) -> Any:
    return number


def _month(days: Any) -> Any:
    """Return the month of the Gregorian calendar, whose years begin in March here: leap days then end them."""
    since_march = np.floor(days) + 719_468.0  # since 0000-03-01
    in_era = since_march - 146_097.0 * np.floor(since_march / 146_097.0)  # 400 years
    leaps = np.floor(in_era / 1_460.0) - np.floor(in_era / 36_524.0) + np.floor(in_era / 146_096.0)
    year = np.floor((in_era - leaps) / 365.0)
    in_year = in_era - (365.0 * year + np.floor(year / 4.0) - np.floor(year / 100.0))
    from_march = np.floor((5.0 * in_year + 2.0) / 153.0)
    from_january = from_march + 2.0
    return from_january - 12.0 * np.floor(from_january / 12.0) + 1.0


def _weekday(days: Any) -> Any:
    since_monday = np.floor(days) + 3.0  # 1970 began on a Thursday
    return since_monday - 7.0 * np.floor(since_monday / 7.0)


def _hour(days: Any) -> Any:
    # Days as float64 tell microseconds apart, but do not add up to them: they are rounded to whole ones.
    return np.floor((days - np.floor(days)) * _MICROSECONDS + 0.5) / 3_600e6


DATE_PARTS: Mapping[str, Callable[[Any], Tensor]] = MappingProxyType(
    {"day": _itself, "month": _month, "weekday": _weekday, "hour": _hour, "time": _itself, "seconds": _itself}
)
"""What makes each of `s2auc.data.schema.date_parts.PARTS` of a number; NumPy's arrays may stand for tensors."""
