"""Names of columns, and how sentences spell them."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, TypeAlias

from s2auc.common.messages import Message, Parameter

Name: TypeAlias = str | int
"""What a column can be called: the columns of a table all by text, or all by whole numbers."""

NO_NAME = "Unnamed: {}"
"""The name of a column without one, given its place; pandas calls it the same."""

MAX_LISTED = 5
"""Names that a sentence lists; of more it says how many there are."""

LONGEST_NAME = 80
"""Characters of a name that a sentence spells out."""


def short(name: Any) -> str:
    """Return a name as a sentence spells it out, the beginning of a long one."""
    if isinstance(name, str) and len(name) > LONGEST_NAME:
        name = f"{name[: LONGEST_NAME - 1]}…"
    return repr(name)


def listed(names: Sequence[Any]) -> str:
    """Return names as a sentence lists them, the first few of many.

    Examples
    --------
    >>> listed(["age", "city"]), listed(list("abcdefgh"))
    ("'age', 'city'", "'a', 'b', 'c', 'd', 'e' and 3 more")
    """
    words = ", ".join(map(short, names[:MAX_LISTED]))
    return words if len(names) <= MAX_LISTED else f"{words} and {len(names) - MAX_LISTED} more"


def display_column(name: str, table: str, *, named: bool = True) -> Message:
    """Return what errors call a column of a table: by its name as it is spelled, or its number if it has no name.

    Examples
    --------
    >>> display_column("age", "X"), display_column("0", "X", named=False)
    ("'age' of X", '0 of X')
    """
    return Message("{column} of {table}", column=short(name) if named else name, table=Parameter(table))


def header_names(cells: Sequence[str], file_name: str) -> list[str]:
    """Return the names of columns that the first row of a file gives, or raise a ValueError if it gives none."""
    names = [cell.strip() or NO_NAME.format(place) for place, cell in enumerate(cells)]
    if not names:
        raise ValueError(f"{file_name} must name its columns in its first row. Got an empty file; save it again.")
    check_distinct(names, file_name)
    return names


def check_distinct(names: Sequence[Name], display_name: str) -> None:
    """Raise a ValueError if a name occurs twice: which column it means could not be told."""
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        found = f"{listed(twice)} more than once; rename or leave out all but one"
        raise ValueError(f"Columns of {display_name} must have different names. Got {found}.")
