"""Columns of data frames that name rows instead of saying something about them: identifiers and free text.

A column is looked at in all rows of a fit, labelled and unlabelled, whatever their order. It is left out if its values
are `FEWEST_VALUES` or more and

- text that is different in every row;
- text of which more than half is different, and more than `MOST_CATEGORIES` of them: free text;
- whole numbers that are different in every row, and either fill at least half of the range from the least to the
  greatest, so that chance would have repeated at least `SURE_REPEATS` of them, as numbers of rows do; or belong to a
  column whose name says that it is an identifier ("id", "customer_id", "PassengerId", "Unnamed: 0").

Amounts, populations and times are whole numbers that may all be different too, but far apart: they stay. Columns that a
user calls categorical, by listing them or by their type, stay, and so do floats, booleans, and the columns of arrays.
"""

import re
from collections.abc import Sequence

import numpy as np

from s2auc.common.arrays import AnyArray
from s2auc.data.frames import Column

FEWEST_VALUES = 20
"""In fewer rows, values may all be different by chance."""

MOST_CATEGORIES = 100
"""Text with at most this many different values may be categories, however few rows there are."""

SURE_REPEATS = 10
"""Repeats that chance would have made; that it made none has a probability of exp(-10)."""

_QUICK_VALUES = 1000
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_WHOLE_NAMES = {"index", "rowid", "rownum", "unnamed: 0"}


def is_doubtful(column: Column) -> bool:
    """Return whether one table alone leaves open that a column must be left out: a quick look, before a thorough one.

    Examples
    --------
    >>> import pandas as pd
    >>> from s2auc.data.frames import read_columns
    >>> frame = pd.DataFrame({"city": ["Rome", "Rome", "Oslo", "Rome"], "client": [7, 9, 1, 3]})
    >>> [is_doubtful(column) for column in read_columns(frame)]
    [False, True]
    """
    if column.declared is not None:
        return False
    if column.kind == "text":
        return 2 * len(column.distinct) > len(column.values)
    # Floats are measurements.
    return column.values.dtype.kind in "iu" and not has_repeats(_some(column.values))


def why_left_out(name: str, columns: Sequence[Column]) -> str | None:
    """Return why a column cannot be learnt from, None if it may be.

    Parameters
    ----------
    name
        Its name.
    columns
        The column as it stands in each table of the fit. Rows of one table may occur in another.

    Examples
    --------
    >>> import pandas as pd
    >>> from s2auc.data.frames import read_columns
    >>> numbers = read_columns(pd.DataFrame({"client": range(100), "cents": [i**3 for i in range(100)]}))
    >>> [why_left_out("client", [next(numbers)]), why_left_out("cents", [next(numbers)])]
    ['whole numbers that count rows', None]
    """
    if all(column.kind in ("text", None) and column.declared is None for column in columns):
        sizes = [len(column.values) for column in columns]
        n_different = len(set().union(*(column.distinct for column in columns)))
        is_different = _are_different(n_different, sizes, [len(column.distinct) for column in columns])
        return why_text_is_left_out(sum(sizes), n_different, is_different=is_different)
    if all(column.values.dtype.kind in "iu" and column.declared is None for column in columns):
        return why_numbers_are_left_out(name, [column.values for column in columns])
    return None


def why_text_is_left_out(n_values: int, n_different: int, *, is_different: bool) -> str | None:
    """Return why text cannot be learnt from, given how much there is, and whether every row has its own."""
    if n_different < FEWEST_VALUES:
        return None
    if is_different:
        return "text that is different in every row"
    if n_different > max(MOST_CATEGORIES, n_values / 2):
        return f"free text, {n_different} different ones in {n_values} rows"
    return None


def why_numbers_are_left_out(name: str, tables: Sequence[AnyArray], n_beside: int = 0) -> str | None:
    """Return why whole numbers cannot be learnt from.

    Parameters
    ----------
    name
        The name of their column.
    tables
        The numbers that each table holds.
    n_beside
        How many more numbers there are, which nobody looks at: they are taken to be like the others.
    """
    tables = [values for values in tables if len(values)]
    if sum(map(len, tables)) < FEWEST_VALUES:
        return None
    # Cheap reasons to stay come first: few columns are looked at whole.
    if any(has_repeats(_some(values)) for values in tables):
        return None
    spread = max(int(values.max()) for values in tables) - min(int(values.min()) for values in tables) + 1
    most = sum(map(len, tables))
    if not (_is_dense(most + n_beside, spread) or _is_dense(most, spread) or says_identifier(name)):
        return None
    n_different = _count_different(np.concatenate(tables))
    if n_different < FEWEST_VALUES or not _are_different(
        n_different, [len(values) for values in tables], [_count_different(values) for values in tables]
    ):
        return None
    if says_identifier(name):
        return "whole numbers, a different one in every row, and an identifier by its name"
    is_dense = _is_dense(n_different, spread) or (n_beside > 0 and _is_dense(n_different + n_beside, spread))
    return "whole numbers that count rows" if is_dense else None


def _are_different(n_different: int, sizes: Sequence[int], different: Sequence[int]) -> bool:
    """Return whether every row has a value of its own; a table may hold the rows of another once more."""
    return list(sizes) == list(different) and n_different in (sum(sizes), max(sizes))


def _some(values: AnyArray) -> AnyArray:
    return values[:: max(1, len(values) // _QUICK_VALUES)]


def has_repeats(values: AnyArray) -> bool:
    """Return whether a value occurs twice."""
    return _count_different(values) < len(values)


def _count_different(values: AnyArray) -> int:
    ordered = np.sort(values)  # many times as fast as np.unique
    return min(1, len(values)) + int(np.count_nonzero(ordered[1:] != ordered[:-1]))


def _is_dense(n_values: int, spread: int) -> bool:
    return spread <= 2 * n_values and n_values * n_values >= 2 * SURE_REPEATS * spread


def says_identifier(name: str) -> bool:
    """Return whether a name says that a column holds identifiers.

    Examples
    --------
    >>> [says_identifier(name) for name in ("id", "customer_id", "PassengerId", "userID", "humid", "idle", "paid")]
    [True, True, True, True, False, False, False]
    """
    words = [word.lower() for word in _WORDS.findall(name)]
    return name.lower() in _WHOLE_NAMES or (bool(words) and words[-1] in ("id", "uuid", "guid"))
