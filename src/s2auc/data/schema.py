"""What the columns of a table mean: which hold numbers, which categories, and what these are."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from numbers import Integral
from typing import Any

import numpy as np

from s2auc.common.arrays import BoolArray, FloatArray
from s2auc.data.frames import Column, Level, column_names, is_frame, read_columns

FROM_DTYPE = "from_dtype"
"""Columns whose type is one of categories, text or booleans are categorical."""


@dataclass(frozen=True)
class Schema:
    """What was learnt about the columns of a table, for reading others like it.

    Attributes
    ----------
    n_columns
        How many columns there are.
    levels
        The categories of every categorical column, by its number, in the order of their codes 0, 1, 2, …; None for a
        column of an array, whose numbers are the categories themselves.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"age": [31, None], "city": ["Rome", "Oslo"]})
    >>> table = learn_schema(frame)
    >>> table.levels
    {1: ('Oslo', 'Rome')}
    >>> table.read(pd.DataFrame({"age": [45, 20], "city": ["Rome", "Lima"]})).tolist()
    [[45.0, 1.0], [20.0, nan]]
    """

    n_columns: int
    levels: Mapping[int, tuple[Level, ...] | None]

    @property
    def is_categorical(self) -> BoolArray:
        """Which columns hold categories."""
        mask = np.zeros(self.n_columns, dtype=bool)
        mask[list(self.levels)] = True
        return mask

    @property
    def column_labels(self) -> list[str]:
        """What errors call each column: its number."""
        return list(map(str, range(self.n_columns)))

    def joined(self, other: "Schema") -> "Schema":
        """Return a table that knows the categories of both; which columns have categories is for this one to say."""
        levels = dict(self.levels)
        for column, own in self.levels.items():
            more = other.levels.get(column)
            if own is not None and more is not None:
                strangers = [level for level in more if level not in set(own)]
                levels[column] = (*own, *strangers)
        return Schema(self.n_columns, levels)

    def read(self, X: Any) -> Any:
        """Return a data frame as a float64 matrix, and anything else as it is.

        Categories become codes. Missing values become NaN, and so do categories that were not there to be learnt.
        """
        encoded = sorted(column for column, levels in self.levels.items() if levels is not None)
        if not is_frame(X):
            if encoded:
                raise ValueError(
                    f"X must be a data frame like the one that was fitted, as its columns "
                    f"{', '.join(map(str, encoded))} held categories. Got {type(X).__name__}; pass a "
                    "data frame with the same columns."
                )
            return X
        if X.shape[1] != self.n_columns:
            raise ValueError(
                f"X must have the {self.n_columns} columns that the model was fitted on. Got {X.shape[1]}; pass rows "
                "of the same table."
            )
        matrix: FloatArray = np.empty(X.shape, dtype=np.float64)
        for number, column in enumerate(read_columns(X)):
            levels = self.levels.get(number)
            matrix[:, number] = column.numbers() if levels is None else _codes(column, levels)
        return matrix


def learn_schema(X: Any, categorical_features: str | Sequence[str | int] | None = FROM_DTYPE) -> Schema:
    """Return what the columns of X mean.

    Parameters
    ----------
    X
        A pandas or polars data frame, or anything else of two dimensions: array, sparse matrix, list of rows.
    categorical_features
        Which columns hold categories. "from_dtype": those of a data frame that hold text or booleans or have a type
        made for categories. None: none. Or the names (text) and numbers (integers, from 0) of the columns.

    Raises
    ------
    ValueError
        If a listed column does not exist, or a column holds neither numbers nor, where these are allowed, categories.

    Examples
    --------
    >>> learn_schema([[1.5, 7], [2.5, 9]], categorical_features=[1]).is_categorical.tolist()
    [False, True]
    """
    shape = tuple(X.shape) if hasattr(X, "shape") else np.asarray(X).shape
    if len(shape) != 2:
        raise ValueError(
            f"Expected 2D array, got {len(shape)}D array instead: X must have rows and columns; reshape it to "
            "(n_rows, n_columns)."
        )
    names = column_names(X) if is_frame(X) else None
    listed = _listed_columns(categorical_features, shape[1], names)
    if names is None:
        return Schema(shape[1], dict.fromkeys(sorted(listed or ())))
    levels: dict[int, tuple[Level, ...] | None] = {}
    for number, column in enumerate(read_columns(X)):
        has_type_of_categories = column.kind != "number" or column.declared is not None
        if has_type_of_categories if listed is None else number in listed:
            levels[number] = _checked_levels(column)
        else:
            column.numbers()
    return Schema(shape[1], levels)


def _listed_columns(categorical_features: Any, n_columns: int, names: list[str] | None) -> set[int] | None:
    """Return the numbers of the columns that are listed, or None if their types are to tell."""
    if categorical_features is None:
        return set()
    if isinstance(categorical_features, str) and categorical_features == FROM_DTYPE:
        return None
    if isinstance(categorical_features, str) or not isinstance(categorical_features, Iterable):
        raise ValueError(
            f"categorical_features must be {FROM_DTYPE!r}, None, or a list of column names and numbers. "
            f"Got {categorical_features!r}; pass [{categorical_features!r}] for a single column."
        )
    listed: set[int] = set()
    for entry in categorical_features:
        if isinstance(entry, str):
            listed.update(_columns_named(entry, names))
        elif isinstance(entry, Integral) and not isinstance(entry, bool) and 0 <= int(entry) < n_columns:
            listed.add(int(entry))
        else:
            raise ValueError(
                f"categorical_features must list column names, or column numbers from 0 to {n_columns - 1}. "
                f"Got {entry!r}; correct or remove it."
            )
    return listed


def _columns_named(name: str, names: list[str] | None) -> list[int]:
    if names is None:
        raise ValueError(
            f"categorical_features must list column numbers where X is no data frame. Got the name {name!r}; pass the "
            "column's number, from 0."
        )
    if name not in names:
        raise ValueError(
            f"categorical_features must list columns of X, which are {', '.join(names)}. Got {name!r}; correct or "
            "remove it."
        )
    return [number for number, other in enumerate(names) if other == name]


def _checked_levels(column: Column) -> tuple[Level, ...]:
    levels = column.levels()
    strange = [level for level in levels if isinstance(level, float) and not isfinite(level)]
    if strange:
        raise ValueError(
            f"Column {column.name} of X must hold finite numbers or other categories. Got {strange[0]}; replace "
            "infinity by a missing value."
        )
    return levels


def _codes(column: Column, levels: tuple[Level, ...]) -> FloatArray:
    """Return the codes of a column; an error if no value could ever be a level."""
    held_text = bool(levels) and isinstance(levels[0], str)
    if levels and column.kind is not None and held_text != (column.kind == "text"):
        raise ValueError(
            f"Column {column.name} of X must hold {'text' if held_text else 'numbers or booleans'}, as it did when "
            f"it was fitted. Got {column.values[:1].tolist()[0]!r}; convert it."
        )
    return column.codes(levels)
