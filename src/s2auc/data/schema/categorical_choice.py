"""Which columns users call categorical: `categorical_features` as numbers of columns."""

from collections.abc import Iterable, Sequence
from numbers import Integral
from typing import Any

from s2auc.data.schema.column_names import listed

FROM_DTYPE = "from_dtype"
"""Columns whose type is one of categories, text or booleans are categorical."""


def marked_columns(categorical_features: Any, n_columns: int, names: Sequence[str] | None) -> set[int] | None:
    """Return the numbers of the columns that are listed, or None if their types are to tell.

    Parameters
    ----------
    categorical_features
        "from_dtype", None, or names and numbers of columns.
    n_columns
        How many columns there are.
    names
        Their names; None where they have none.

    Examples
    --------
    >>> marked_columns(["city", 0], 3, ["age", "height", "city"])
    {0, 2}
    """
    if categorical_features is None:
        return set()
    if isinstance(categorical_features, str) and categorical_features == FROM_DTYPE:
        return None
    if isinstance(categorical_features, str) or not isinstance(categorical_features, Iterable):
        raise ValueError(
            f"categorical_features must be {FROM_DTYPE!r}, None, or a list of column names and numbers. "
            f"Got {categorical_features!r}; pass [{categorical_features!r}] for a single column."
        )
    marked: set[int] = set()
    for entry in categorical_features:
        if isinstance(entry, str):
            marked.update(_columns_named(entry, names))
        elif isinstance(entry, Integral) and not isinstance(entry, bool) and 0 <= int(entry) < n_columns:
            marked.add(int(entry))
        else:
            raise ValueError(
                f"categorical_features must list column names, or column numbers from 0 to {n_columns - 1}. "
                f"Got {entry!r}; correct or remove it."
            )
    return marked


def _columns_named(name: str, names: Sequence[str] | None) -> list[int]:
    if names is None:
        raise ValueError(
            f"categorical_features must list column numbers where X is no data frame. Got the name {name!r}; pass the "
            "column's number, from 0."
        )
    if name not in names:
        raise ValueError(
            f"categorical_features must list columns of X, which are {listed(names)}. Got {name!r}; correct or remove "
            "it."
        )
    return [number for number, other in enumerate(names) if other == name]
