"""Columns of data frames found by their names: in any order, none missing, strangers left aside."""

from collections import Counter
from collections.abc import Collection, Sequence
from numbers import Integral
from typing import Any, TypeAlias

from s2auc.common.user_warnings import warn_user

Name: TypeAlias = str | int
"""What a column can be called: the columns of a table all by text, or all by whole numbers."""

MOST_LISTED = 5
"""Names that a sentence lists; of more it says how many there are."""

LONGEST_NAME = 80
"""Characters of a name that a sentence spells out."""


def text_names(X: Any) -> tuple[str, ...] | None:
    """Return the names of the columns of a data frame; None if there are no columns or some name is not text.

    Examples
    --------
    >>> import pandas as pd
    >>> text_names(pd.DataFrame({"age": [31], "city": ["Rome"]}))
    ('age', 'city')
    >>> text_names(pd.DataFrame([[31, 1.5]])) is None
    True
    """
    names = list(X.columns)
    if not names or not all(isinstance(name, str) for name in names):
        return None
    return tuple(map(str.__str__, names))


def whole_names(X: Any) -> tuple[int, ...] | None:
    """Return the names of the columns of a data frame if all of them are whole numbers.

    Examples
    --------
    >>> import pandas as pd
    >>> whole_names(pd.DataFrame([[31, 1.5]]))
    (0, 1)
    """
    names = list(X.columns)
    if not names or not all(isinstance(name, Integral) and not isinstance(name, bool) for name in names):
        return None
    return tuple(map(int, names))


def checked_names(X: Any, called: str) -> tuple[Name, ...]:
    """Return the names of the columns of a data frame, all different, and all text or all whole numbers."""
    names = text_names(X) or whole_names(X)
    if names is None and len(X.columns):
        examples = {type(name): name for name in reversed(list(X.columns))}
        shown = " and ".join(f"{short(name)} ({kind.__name__})" for kind, name in examples.items())
        raise TypeError(
            f"Columns of {called} must have names that are all text or all whole numbers. Got {shown}; rename them, "
            f"such as by {called}.columns = {called}.columns.map(str)."
        )
    check_distinct(names or (), called)
    return names or ()


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
    words = ", ".join(map(short, names[:MOST_LISTED]))
    return words if len(names) <= MOST_LISTED else f"{words} and {len(names) - MOST_LISTED} more"


def check_distinct(names: Sequence[Name], called: str) -> None:
    """Raise a ValueError if a name occurs twice: which column it means could not be told."""
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise ValueError(
            f"Columns of {called} must have different names. Got {listed(twice)} more than once; rename or leave out "
            "all but one."
        )


def select_columns(X: Any, names: tuple[Name, ...], called: str, ignored: Collection[Name] = ()) -> Any:
    """Return the columns of a data frame with these names, in their order; the frame itself if it has just these.

    Columns with other names are left out, with a warning that lists those that are not to be ignored.

    Examples
    --------
    >>> import pandas as pd
    >>> select_columns(pd.DataFrame({"city": ["Rome"], "age": [31]}), ("age", "city"), "X").columns.tolist()
    ['age', 'city']
    """
    if (text_names(X) or whole_names(X)) == names:
        return X
    found, known = list(X.columns), set(names)
    check_distinct([name for name in found if name in known], called)
    absent = known.difference(found)
    if absent:
        missing = [name for name in names if name in absent]
        raise ValueError(
            f"{called} must have the columns that the model was fitted on. Missing: {listed(missing)}; add them."
        )
    strangers = [str(name) for name in found if name not in known and name not in ignored]
    if strangers:
        warn_user(
            f"{called} has columns that the model was not fitted on, and that are ignored: {listed(strangers)}. Leave "
            "them out."
        )
    # Not polars' select, which takes names such as "*" for patterns.
    return X[list(names)]
