"""Columns that name rows instead of describing them: row IDs and codes.

A column is looked at in all rows of a fit, labelled and unlabelled. It is ignored if it has `MIN_VALUES` or more
different values and

- is text that is different in every row;
- is text of which more than half is different, and more than `MAX_CATEGORIES` of them, unless it is language
  (`s2auc.data.text.language`);
- holds whole numbers that are different in every row, and that rise or fall from row to row; or fill at least half of
  the range from the least to the greatest, so that chance would have repeated at least `SURE_REPEATS` of them; or have
  `ID_DIGITS` digits or more; or belong to a column whose name says that it is an identifier ("id", "customer_id",
  "id_str", "PassengerId", "rownames", "Unnamed: 0").

Amounts, populations and times are whole numbers that may all be different too, but are in no order and far apart: they
stay. Columns that a user names as features or categories, or whose type is one of categories, stay, and so do floats,
booleans, and the columns of arrays.
"""

import re
from collections.abc import Sequence

import numpy as np

from s2auc.common.arrays import AnyArray

MIN_VALUES = 20
"""In fewer rows, values may all be different by chance."""

MAX_CATEGORIES = 100
"""Text with at most this many different values may be categories, however few rows there are."""

SURE_REPEATS = 10
"""Repeats that chance would have made; that it made none has a probability of exp(-10)."""

ID_DIGITS = 15
"""Digits of whole numbers that are no amounts any more."""

_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_ID_WORDS = {"id", "uuid", "guid"}
_WHOLE_NAMES = {"index", "rowid", "rownum", "rowname", "rownames"}


def why_text_is_ignored(sizes: Sequence[tuple[int, int]], n_different: int) -> str | None:
    """Return why text does not describe rows, None if it may.

    Parameters
    ----------
    sizes : sequence of (int, int)
        For each table of the fit, how many values there are and how many different ones. Rows of one table may occur
        in another.
    n_different : int
        How many different values there are in all tables together.
    """
    n_values = sum(values for values, _ in sizes)
    if n_different < MIN_VALUES:
        return None
    if all(values == different for values, different in sizes):
        return "text that is different in every row"
    if n_different > max(MAX_CATEGORIES, n_values / 2):
        return f"codes, {n_different} different ones in {n_values} rows"
    return None


def why_numbers_are_ignored(name: str, tables: Sequence[AnyArray], n_more: int = 0) -> str | None:
    """Return why whole numbers do not describe rows, None if they may.

    Parameters
    ----------
    name : str
        The name of their column.
    tables : sequence of arrays
        The numbers that each table of the fit holds, in the order of its rows.
    n_more : int, default=0
        How many more numbers there are that were not looked at, and are taken to be like the others.

    Examples
    --------
    >>> cents = np.arange(100)[::-1] ** 3
    >>> why_numbers_are_ignored("client", [np.arange(100)]), why_numbers_are_ignored("cents", [np.roll(cents, 7)])
    ('row ID: whole numbers in the order of rows', None)
    """
    tables = [values for values in tables if len(values)]
    together = np.concatenate(tables) if tables else np.zeros(0, dtype=np.int64)
    n_different = count_different(together)
    if n_different < MIN_VALUES or any(count_different(values) < len(values) for values in tables):
        return None
    if says_identifier(name):
        return "row ID: whole numbers, different in every row, in a column of that name"
    if all(_is_ordered(values) for values in tables):
        return "row ID: whole numbers in the order of rows"
    low, high = int(together.min()), int(together.max())
    n_values, spread = n_different + n_more, high - low + 1
    if _is_dense(n_values, spread) or _is_dense(n_different, spread):
        return "row ID: whole numbers that count rows"
    if len(str(abs(int(np.median(together))))) >= ID_DIGITS:
        return f"row ID: whole numbers of {ID_DIGITS} or more digits, different in every row"
    return None


def count_different(values: AnyArray) -> int:
    """Return how many different values there are."""
    ordered = np.sort(values)  # many times as fast as np.unique
    return min(1, len(values)) + int(np.count_nonzero(ordered[1:] != ordered[:-1]))


def _is_ordered(values: AnyArray) -> bool:
    return bool(np.all(values[1:] > values[:-1]) or np.all(values[1:] < values[:-1]))


def _is_dense(n_values: int, spread: int) -> bool:
    return spread <= 2 * n_values and n_values * n_values >= 2 * SURE_REPEATS * spread


def says_identifier(name: str) -> bool:
    """Return whether a name says that a column holds identifiers.

    Examples
    --------
    >>> [says_identifier(name) for name in ("id", "customer_id", "PassengerId", "id_str", "humid", "idle", "paid")]
    [True, True, True, True, False, False, False]
    """
    words = [word.lower() for word in _WORDS.findall(name)]
    if "".join(words) in _WHOLE_NAMES or name.startswith("Unnamed: "):
        return True
    return bool(words) and (words[-1] in _ID_WORDS or words[0] in _ID_WORDS)
