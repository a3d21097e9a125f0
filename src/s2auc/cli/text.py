"""Names, numbers and lists as people read and write them on a command line."""

import csv
import shlex
from collections.abc import Iterable, Sequence

from s2auc.common.messages import printable


def quoted(value: object) -> str:
    """Return a value in quotes if it is text, else as it is written.

    Examples
    --------
    >>> quoted("yes"), quoted(1.0), quoted(True)
    ("'yes'", '1', 'True')
    """
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return printable(repr(value) if not isinstance(value, str) else f"'{value}'")


def listed(names: Iterable[str], most: int) -> str:
    """Return names in a line, and how many more there are.

    Examples
    --------
    >>> listed(["age", "city", "income"], most=2)
    'age, city and 1 more'
    """
    found = [printable(name) for name in names]
    line = ", ".join(found[:most])
    return line if len(found) <= most else f"{line} and {len(found) - most:,} more"


def read_names(given: Sequence[str] | None) -> list[str] | None:
    """Return the names that an option was given: several times, or separated by commas; quotes hold commas together.

    Examples
    --------
    >>> read_names(["age,city", '"last, first"'])
    ['age', 'city', 'last, first']
    """
    if not given:
        return None
    return [name for line in given for name in next(csv.reader([line], skipinitialspace=True), [])]


def read_amount(given: str) -> int | float:
    """Return how many rows are meant: so many, or a share of all as a number below 1 or in percent.

    Examples
    --------
    >>> read_amount("100"), read_amount("0.01"), read_amount("5%")
    (100, 0.01, 0.05)
    """
    try:
        if given.strip().endswith("%"):
            return float(given.strip()[:-1]) / 100.0
        return int(given) if given.strip().lstrip("+-").isdecimal() else float(given)
    except ValueError:
        raise ValueError(
            f"A number of rows must be a count, a share below 1 or a percentage. Got {given!r}; write 100, 0.01 or 1%."
        ) from None


def show_seconds(seconds: float) -> str:
    """Return a span of time with the digits that matter.

    Examples
    --------
    >>> show_seconds(0.312), show_seconds(59.7), show_seconds(95), show_seconds(7300)
    ('0.3 s', '1 min 0 s', '1 min 35 s', '2 h 2 min')
    """
    if round(seconds) < 60:
        return f"{seconds:.1f} s" if seconds < 2 else f"{seconds:.0f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    hours, minutes = divmod(round(seconds / 60), 60)
    return f"{hours} h {minutes} min"


def command_line(*words: object) -> str:
    """Return words as they would be typed into a shell.

    Examples
    --------
    >>> command_line("s2auc", "score", "my model")
    "s2auc score 'my model'"
    """
    return shlex.join(map(str, words))
