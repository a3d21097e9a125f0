"""Readings of text: the numbers, booleans, dates and times that the cells of a text column stand for.

One reading holds for a whole column. It is settled over all rows by `TextProfile` and stored in the schema, so that a
model reads later tables the same way. A cell of the spellings in `MISSING` is missing in every column; one of
`PLACEHOLDERS` is missing in a column of numbers, booleans, dates or times only. Numbers with leading zeros and whole
numbers of 16 or more digits are codes and stay text; so do "yes" and "no", and days and months that could be either way
round.
"""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from s2auc.common.lazy_modules import pa, pc

MISSING = ("", "NA", "N/A", "n/a", "#N/A", "NaN", "nan", "-NaN", "-nan", "null", "NULL", "Null", "None", "<NA>", "NaT")
"""Spellings of a missing value."""

PLACEHOLDERS = ("-", "--", "?", ".", "na", "n/a", "n.a.", "none", "unknown", "missing", "not available", "nil", "#n/a")
"""Words, in lower case, that stand for a missing value among numbers, dates or times."""

NUMBERS, DECIMAL_COMMAS = "numbers", "numbers with decimal commas"

FIRST_CELLS = 10
"""Cells that are looked at before all others, and rule most readings out."""

MIN_DOT_GROUPS = 50
"""Cells such as "1.234" that must stand next to whole numbers below 1,000 for the dot to separate thousands."""

_BLANKS = r" \x{a0}\x{2009}\x{202f}"  # plain ones, those that do not break, thin ones, and thin ones that do not break
_SPACES = f"[{_BLANKS}'’]"  # blanks and apostrophes between groups of digits
_EXPONENT = "([eE][+-]?[0-9]+)?"
# For each way to write numbers: a pattern of the whole cell, and one of what separates thousands.
_STYLES = {
    NUMBERS: (
        rf"^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+|[1-9][0-9]{{0,2}}((,|{_SPACES})[0-9]{{3}})+(\.[0-9]*)?){_EXPONENT}$|"
        r"^[+-]?(?i:inf|infinity|nan)$",
        rf",|{_SPACES}",
    ),
    DECIMAL_COMMAS: (
        rf"^[+-]?([0-9]+,?[0-9]*|,[0-9]+|[1-9][0-9]{{0,2}}((\.|{_SPACES})[0-9]{{3}})+(,[0-9]*)?){_EXPONENT}$",
        rf"\.|{_SPACES}",
    ),
}

_NUMBER_SHAPES = {
    "dot group": r"^[+-]?[1-9][0-9]{0,2}\.[0-9]{3}$",
    "comma group": r"^[+-]?[1-9][0-9]{0,2},[0-9]{3}$",
    "long": r"^[+-]?[0-9]{4,}",
    "short": r"^[+-]?[0-9]{1,3}$",
}
_NO_DECIMAL_POINT = "^[^.0-9]*([1-9][0-9]{0,2}([^0-9][0-9]{3})+(?![0-9])[^.]*|[^.]*)$"  # which all points would be
_CODES = r"^[+-]?0[0-9]|^[+-]?[0-9]{16,}$"
_SYMBOLS = rf"^([+-]?)[{_BLANKS}]*\p{{Sc}}[{_BLANKS}]*|[{_BLANKS}]*(%|\p{{Sc}})$"
_DAYS = {"day first, dots": "%d.%m.%Y", "day first": "%d/%m/%Y", "month first": "%m/%d/%Y", "year first": "%Y/%m/%d"}
_CLOCKS = ("", " %H:%M", " %H:%M:%S")
_TIMES = {"times": "%H:%M", "times with seconds": "%H:%M:%S", "times with dots": "%H.%M.%S"}
_TWO_DIGITS, _UP_TO_59 = "[0-9]{1,2}", "[0-5]?[0-9]"
_DIGITS = {"%d": _TWO_DIGITS, "%m": _TWO_DIGITS, "%Y": "[0-9]{4}", "%H": _TWO_DIGITS, "%M": _UP_TO_59, "%S": _UP_TO_59}


@dataclass(frozen=True)
class Reading:
    """A way to read the cells of a text column.

    Attributes
    ----------
    kind
        The kind of column that it gives: "boolean", "number", "date" or "time".
    convert
        From an array of text without blanks around it to one of values, null where a cell cannot be read.
    shape
        A pattern that every cell has that can be read: some cells are soon looked at.
    skips
        Whether cells that cannot be read are missing, as a user said what the column holds.
    convert_plain
        From text as it stands to values; None unless all cells are spelled so plainly that they are read at once.
    """

    kind: str
    convert: Callable[[Any], Any]
    shape: str = ""
    skips: bool = False
    convert_plain: Callable[[Any], Any] = lambda _: None


def present_text(text: Any) -> Any:
    """Return text without blanks around it, and nulls where it spells a missing value.

    Examples
    --------
    >>> import pyarrow as pa
    >>> present_text(pa.array([" a", "NA", "", None])).to_pylist()
    ['a', None, None, None]
    """
    trimmed = pc.utf8_trim_whitespace(text)
    return _null_where(pc.is_in(trimmed, value_set=pa.array(MISSING, trimmed.type)), trimmed)


def read_text(text: Any, name: str) -> tuple[Any, Any]:
    """Return the values that a text column holds by a reading, and which cells are there but cannot be read.

    Parameters
    ----------
    text : pa.Array
        Text as it stands in a file or a frame.
    name : str
        One of `READINGS`.

    Examples
    --------
    >>> import pyarrow as pa
    >>> values, is_unreadable = read_text(pa.array(["$1,234.50", "-", "12 %", "many"]), "numbers")
    >>> values.to_pylist(), is_unreadable.to_pylist()
    ([1234.5, None, 12.0, None], [False, False, False, True])
    """
    plain = READINGS[name].convert_plain(text)
    if plain is not None:
        return plain, pa.repeat(False, len(text))
    present = present_text(text)
    cells = _null_where(_is_placeholder(present), present)
    values = READINGS[name].convert(cells)
    if READINGS[name].skips:
        return values, pa.repeat(False, len(values))
    return values, pc.and_(pc.is_null(values), pc.is_valid(cells))


def _booleans(text: Any) -> Any:
    lower = pc.utf8_lower(text)
    known = pc.is_in(lower, value_set=pa.array(["true", "false"], lower.type))
    return _null_where(pc.invert(known), pc.equal(lower, "true"))


def _numbers(text: Any) -> Any:
    plain = _plain_numbers(text)
    return _spelled_numbers(text, NUMBERS) if plain is None else plain


def _plain_numbers(text: Any) -> Any:
    """Return numbers that Arrow reads; None if some cells have separators or symbols, or are no numbers."""
    try:
        values = text.cast(pa.float64())
    except pa.ArrowInvalid:
        return None
    return None if pc.any(pc.is_nan(values)).as_py() else values  # Arrow reads "nan(1)", too


def _spelled_numbers(text: Any, style: str) -> Any:
    pattern, separators = _STYLES[style]
    bare = _without_symbols(text)
    plain = pc.replace_substring_regex(bare, separators, "")
    if style == DECIMAL_COMMAS:
        plain = pc.replace_substring(plain, ",", ".")
    fits = pc.match_substring_regex(bare, pattern)
    return _null_where(pc.invert(fits), plain).cast(pa.float64())


def _without_symbols(text: Any) -> Any:
    """Return numbers without currency and percent signs, brackets of negative amounts as a minus."""
    if not _n_matches(text, "[^0-9a-zA-Z.,+-]"):
        return text
    bare = pc.replace_substring_regex(text, r"^\((.+)\)$", r"-\1")
    bare = pc.replace_substring(bare, "−", "-")
    for _ in range(2):  # one sign in front of the number, one behind it
        bare = pc.replace_substring_regex(bare, _SYMBOLS, r"\1")
    return bare


def _timestamps(text: Any, zone: str | None) -> Any:
    try:
        return text.cast(pa.timestamp("us", zone))
    except pa.ArrowInvalid:
        if len(text) == 1:
            return pa.nulls(1, pa.timestamp("us", zone))
        return pa.concat_arrays([_timestamps(text[place : place + 1], zone) for place in range(len(text))])


def _spelled(spelling: str) -> Callable[[Any], Any]:
    """Return what converts dates or times that are spelled just so, which libraries of C take less exactly."""
    pattern, late = _pattern(spelling), _pattern(spelling, day="(29|30|31)")

    def convert(text: Any) -> Any:
        moments = pc.strptime(text, format=spelling, unit="us", error_is_null=True)
        moments = _null_where(pc.invert(pc.match_substring_regex(text, pattern)), moments)
        if "%d" not in spelling:
            return moments.cast(pa.time64("us"))
        # 30 February has become 1 March.
        is_moved = pc.and_(pc.match_substring_regex(text, late), pc.less(pc.day(moments), 4))
        return _null_where(is_moved, moments)

    return convert


def _pattern(spelling: str, day: str = _TWO_DIGITS) -> str:
    pattern = spelling.replace(".", r"\.").replace(" ", " +")
    for sign, digits in (_DIGITS | {"%d": day}).items():
        pattern = pattern.replace(sign, digits)
    return f"^{pattern}$"


def _null_where(is_missing: Any, values: Any) -> Any:
    return pc.if_else(is_missing, pa.scalar(None, values.type), values)


def _is_placeholder(cells: Any) -> Any:
    lower = pc.utf8_lower(cells)
    return pc.is_in(lower, value_set=pa.array(PLACEHOLDERS, lower.type))


_EXACT = {
    "booleans": Reading("boolean", _booleans, "^[tTfF]"),
    NUMBERS: Reading("number", _numbers, convert_plain=_plain_numbers),
    DECIMAL_COMMAS: Reading("number", partial(_spelled_numbers, style=DECIMAL_COMMAS), _NO_DECIMAL_POINT),
    "dates": Reading("date", partial(_timestamps, zone=None), "^[0-9]{4}-"),
    "dates with time zones": Reading("date", partial(_timestamps, zone="UTC"), "^[0-9]{4}-"),
    **{
        f"dates, {order}{clock}": Reading("date", _spelled(f"{days}{clock}"), _pattern(f"{days}{clock}"))
        for order, days in _DAYS.items()
        for clock in _CLOCKS
    },
    **{name: Reading("time", _spelled(spelling), _pattern(spelling)) for name, spelling in _TIMES.items()},
}
"""Readings of all cells; the first that fits every cell of a column counts. A column that none fits stays text."""

READINGS = _EXACT | {
    f"{name}, other cells missing": replace(reading, skips=True)
    for name, reading in _EXACT.items()
    if reading.kind in ("number", "date")
}
"""All readings."""

USUAL_READINGS = {"number": NUMBERS, "boolean": "booleans", "date": "dates", "time": "times with seconds"}
"""By the kind of a column that held no text when a model was fitted: how text in its place is read."""


class TextProfile:
    """The readings that the rows of a text column seen so far leave open, and what was met on the way."""

    def __init__(self) -> None:
        self._open = list(_EXACT)
        self._words: Counter[str] = Counter()
        self._counts: Counter[str] = Counter()  # cells, by what they tell
        self._examples: dict[str, str] = {}  # the first "unusual" cell with signs or separators, and "1.234"

    @property
    def is_settled(self) -> bool:
        """True once further rows can change nothing: the column stays text."""
        return not self._open

    @property
    def is_empty(self) -> bool:
        """True while all cells are missing."""
        return not self._counts["cells"]

    @property
    def is_whole(self) -> bool:
        """True while all numbers are digits alone, maybe with a sign."""
        return not self._counts["other than digits"]

    def update(self, text: Any) -> None:
        """Take in some more rows."""
        values = None if self.is_settled else _plain_numbers(text)
        present = (present_text(text) if values is None else text).drop_null()
        self._counts["cells"] += len(present)
        if self.is_settled or not len(present):
            return
        cells = present
        if values is None:
            is_word = _is_placeholder(present)
            if pc.any(is_word).as_py():
                cells = present.filter(pc.invert(is_word))
                self._words.update(pc.utf8_lower(present.filter(is_word)).to_pylist())
            values = _plain_numbers(cells)
        if len(cells):
            known = self._take_numbers(cells, values)
            self._open = [name for name in self._open if (known[name] if name in known else self._fits(name, cells))]

    def join(self, later: "TextProfile") -> None:
        """Take in what another profile of the same column has met in rows that come after those of this one."""
        self._open = [name for name in self._open if name in later._open]
        self._words += later._words
        self._counts += later._counts
        self._examples = later._examples | self._examples

    def settle(self, kind: str | None = None) -> str | None:
        """Return the reading of the column, by its name in `READINGS`; None if it stays text.

        Parameters
        ----------
        kind : str or None, default=None
            The kind that the column has elsewhere, if that is known.
        """
        fitting = [name for name in self._open if self._has_values and kind in (None, READINGS[name].kind)]
        if NUMBERS in fitting and DECIMAL_COMMAS in fitting:
            return DECIMAL_COMMAS if self._has_decimal_commas() else NUMBERS
        if self._is_ambiguous_date(fitting):
            return None
        return fitting[0] if fitting else None

    def notes(self, reading: str | None) -> list[str]:
        """Return what a reader of the table should know of a reading, in a few words each."""
        if reading is None:
            is_ambiguous = self._has_values and self._is_ambiguous_date(self._open)
            return ["day or month first is not clear: kept as text"] if is_ambiguous else []
        if READINGS[reading].skips:
            return [f"cells that are no {READINGS[reading].kind} read as missing"]
        notes = []
        if self._words:
            words = ", ".join(repr(word) for word, _ in self._words.most_common(3))
            notes.append(f"{self._words.total():,} of {self._counts['cells']:,} cells {words} read as missing")
        could_be_either = NUMBERS in self._open and DECIMAL_COMMAS in self._open
        example = self._examples.get("unusual", self._examples.get("dot group") if could_be_either else None)
        if example is not None and READINGS[reading].kind == "number":
            values, _ = read_text(pa.array([example]), reading)
            shown = f"{values[0].as_py():.15g}"
            if shown != example or could_be_either:
                notes.append(f"{example!r} read as {shown}")
        return notes

    @property
    def _has_values(self) -> bool:
        """True once a cell is more than a placeholder: a column of these alone is one of text."""
        return self._counts["cells"] > self._words.total()

    def _has_decimal_commas(self) -> bool:
        """Decide between thousands and decimals where every cell could be written either way.

        Whoever separates thousands leaves no number of four digits in a row; decimals of which all have just three
        digits, next to numbers that have none, are thousands.
        """
        counts = self._counts
        if counts["comma group"]:
            return counts["long"] > 0
        return counts["dot group"] >= MIN_DOT_GROUPS and counts["short"] > 0 and not counts["long"]

    @staticmethod
    def _is_ambiguous_date(fitting: list[str]) -> bool:
        return sum(name.startswith(("dates, day first", "dates, month first")) for name in fitting) > 1

    def _take_numbers(self, cells: Any, values: Any) -> dict[str, bool]:
        """Take in what tells thousands from decimals; return which readings are known to fit all cells or not.

        Parameters
        ----------
        cells
            Text that is not missing.
        values
            The numbers that they plainly are; None if they are not.
        """
        if NUMBERS not in self._open and DECIMAL_COMMAS not in self._open:
            return {}
        if _n_matches(cells, _CODES):
            self._open = [name for name in self._open if name not in _STYLES]
            return {}
        # Plain numbers are neither dates nor times.
        known = {} if values is None else dict.fromkeys(self._open, False) | {NUMBERS: True}
        if values is not None and pc.all(pc.ascii_is_decimal(pc.ascii_ltrim(cells, "+-"))).as_py():
            sizes = pc.min_max(pc.abs(values)).as_py()
            self._counts.update({"long": sizes["max"] >= 1000, "short": sizes["min"] < 1000})
            return known | {DECIMAL_COMMAS: True}
        self._counts["other than digits"] += 1
        known[DECIMAL_COMMAS] = DECIMAL_COMMAS in self._open and self._fits(DECIMAL_COMMAS, cells)
        if known[DECIMAL_COMMAS]:
            bare = _without_symbols(cells)
            self._counts.update({name: _n_matches(bare, pattern) for name, pattern in _NUMBER_SHAPES.items()})
            self._keep_example("dot group", cells, _NUMBER_SHAPES["dot group"])
        if values is None:
            self._keep_example("unusual", cells, "[^0-9a-zA-Z.+-]")
        return known

    def _keep_example(self, name: str, cells: Any, pattern: str) -> None:
        matching = cells.filter(pc.match_substring_regex(cells, pattern))
        if len(matching):
            self._examples.setdefault(name, matching[0].as_py())

    def _fits(self, name: str, cells: Any) -> bool:
        reading = READINGS[name]
        if not all(re.search(reading.shape, cell) for cell in cells[:FIRST_CELLS].to_pylist()):
            return False
        return not reading.convert(cells[:1]).null_count and not reading.convert(cells).null_count


def _n_matches(text: Any, pattern: str) -> int:
    return int(pc.sum(pc.match_substring_regex(text, pattern)).as_py() or 0)
