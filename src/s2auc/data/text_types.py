"""What the text of a column stands for: settled over all rows of a file, not over the first.

A column holds booleans if all its values are spelled "true" or "false"; whole numbers; numbers, with commas for points
where values are not separated by commas; dates, if all of them are spelled the same way; or else text. "yes" and "no"
stay text, and so do numbers with leading zeros, such as codes of places. The spellings of `MISSING` stand for a missing
value, with spaces around them or not.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from s2auc.data.arrow_pieces import load_pyarrow

MISSING = ("", "NA", "N/A", "n/a", "#N/A", "NaN", "nan", "-NaN", "-nan", "null", "NULL", "Null", "None", "<NA>", "NaT")
"""What stands for a missing value."""

_DAYS = {"day first, dots": "%d.%m.%Y", "day first": "%d/%m/%Y", "month first": "%m/%d/%Y", "year first": "%Y/%m/%d"}
_CLOCKS = ("", " %H:%M", " %H:%M:%S")
_LEADING_ZERO = r"^[+-]?0[0-9]"
_WITH_COMMA = r"^[+-]?[0-9]+(,[0-9]+)?([eE][+-]?[0-9]+)?$"


WITH_COMMAS = "numbers with commas"
"""Numbers such as "1,5", in files where commas do not stand between values."""


@dataclass(frozen=True)
class TextType:
    """What text may stand for, and how to turn it into that; an error of pyarrow says that it does not."""

    name: str
    convert: Callable[[Any], Any]


def present_text(text: Any) -> Any:
    """Return text without spaces around it, and nulls where it stands for a missing value.

    Examples
    --------
    >>> import pyarrow as pa
    >>> present_text(pa.array([" a", "NA", "", None])).to_pylist()
    ['a', None, None, None]
    """
    pyarrow, compute = load_pyarrow(), load_pyarrow("pyarrow.compute")
    trimmed = compute.utf8_trim_whitespace(text)
    missing = compute.is_in(trimmed, value_set=pyarrow.array(MISSING, trimmed.type))
    return compute.if_else(missing, pyarrow.scalar(None, trimmed.type), trimmed)


def _booleans(text: Any) -> Any:
    pyarrow, compute = load_pyarrow(), load_pyarrow("pyarrow.compute")
    lower = compute.utf8_lower(text)
    known = compute.is_in(lower, value_set=pyarrow.array(["true", "false"], lower.type))
    _refuse_unless(compute.all(compute.or_(known, compute.is_null(text))).as_py() is not False)
    return compute.equal(lower, "true")


def _whole_numbers(text: Any) -> Any:
    _refuse_codes(text)
    return text.cast(load_pyarrow().int64())


def _numbers(text: Any) -> Any:
    _refuse_codes(text)
    return text.cast(load_pyarrow().float64())


def _numbers_with_commas(text: Any) -> Any:
    compute = load_pyarrow("pyarrow.compute")
    _refuse_unless(compute.all(compute.match_substring_regex(text, _WITH_COMMA)).as_py() is not False)
    return _numbers(compute.replace_substring(text, ",", "."))


def _refuse_codes(text: Any) -> None:
    compute = load_pyarrow("pyarrow.compute")
    _refuse_unless(not compute.any(compute.match_substring_regex(text, _LEADING_ZERO)).as_py())


def _iso_dates(text: Any) -> Any:
    return text.cast(load_pyarrow().timestamp("us"))


def _iso_dates_of_zones(text: Any) -> Any:
    return text.cast(load_pyarrow().timestamp("us", "UTC"))


def _dates_spelled(spelling: str) -> Callable[[Any], Any]:
    def convert(text: Any) -> Any:
        compute = load_pyarrow("pyarrow.compute")
        dates = compute.strptime(text, format=spelling, unit="us", error_is_null=True)
        _refuse_unless(dates.null_count == text.null_count)
        return dates

    return convert


def _refuse_unless(condition: bool) -> None:
    if not condition:
        raise load_pyarrow().ArrowInvalid("text that stands for something else")


def _text(text: Any) -> Any:
    return text


TEXT_TYPES = {
    kind.name: kind
    for kind in (
        TextType("booleans", _booleans),
        TextType("whole numbers", _whole_numbers),
        TextType("numbers", _numbers),
        TextType(WITH_COMMAS, _numbers_with_commas),
        TextType("dates", _iso_dates),
        TextType("dates of zones", _iso_dates_of_zones),
        *(
            TextType(f"dates, {order}{clock}", _dates_spelled(f"{days}{clock}"))
            for order, days in _DAYS.items()
            for clock in _CLOCKS
        ),
        TextType("text", _text),
    )
}
"""What text may stand for: the first that holds for all rows counts."""


class TextColumn:
    """What the rows of a column seen so far leave open.

    Parameters
    ----------
    has_commas
        Whether a comma may stand for the point of a number.
    """

    def __init__(self, *, has_commas: bool = False) -> None:
        self._open = [name for name in TEXT_TYPES if has_commas or name != WITH_COMMAS]
        self._has_values = False

    def look_at(self, text: Any) -> None:
        """Take in some more rows, as `present_text` gives them."""
        if text.null_count == len(text):
            return
        self._has_values = True
        self._open = [name for name in self._open if _fits(name, text)]

    def settle(self) -> str | None:
        """Return what the text stands for, by its name in `TEXT_TYPES`; None if no row has a value."""
        if not self._has_values:
            return None
        # Days and months that could be either way round stay text.
        dates = {name for name in self._open if name.startswith(("dates, day first", "dates, month first"))}
        is_ambiguous = len(dates) > 1
        return next(name for name in self._open if not (is_ambiguous and name in dates))


def _fits(name: str, text: Any) -> bool:
    try:
        TEXT_TYPES[name].convert(text)
    except load_pyarrow().ArrowInvalid:
        return False
    return True
