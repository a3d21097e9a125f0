"""What the columns of a table mean: which hold numbers, which categories, and what these are."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from numbers import Integral
from typing import Any

import numpy as np

from s2auc.common.arrays import BoolArray, FloatArray
from s2auc.data.column_matching import check_distinct, listed, select_columns, text_names
from s2auc.data.frames import Column, Level, column_names, is_frame, plain_levels, read_columns

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
    names
        The names of the columns, all different, if they had any: data frames are then read by name.

    Examples
    --------
    >>> import pandas as pd
    >>> schema = learn_schema(pd.DataFrame({"age": [31, None], "city": ["Rome", "Oslo"]}))
    >>> schema.names, schema.levels
    (('age', 'city'), {1: ('Oslo', 'Rome')})
    >>> schema.read(pd.DataFrame({"city": ["Rome", "Lima"], "age": [45, 20]})).tolist()
    [[45.0, 1.0], [20.0, nan]]
    """

    n_columns: int
    levels: Mapping[int, tuple[Level, ...] | None]
    names: tuple[str, ...] | None = None

    @property
    def is_categorical(self) -> BoolArray:
        """Which columns hold categories."""
        mask = np.zeros(self.n_columns, dtype=bool)
        mask[list(self.levels)] = True
        return mask

    def joined(self, other: "Schema") -> "Schema":
        """Return a schema that knows the categories of both; names, and which columns have categories, stay."""
        levels = dict(self.levels)
        for column, own in self.levels.items():
            more = other.levels.get(self._place_in(other, column))
            if own is not None and more is not None:
                levels[column] = _joined_levels(own, more)
        return replace(self, levels=levels)

    def align(self, X: Any, called: str = "X") -> Any:
        """Return a data frame with the columns that were learnt, in their order, and anything else as it is.

        Columns are found by name where they had names, and a warning lists those that are left out.

        Parameters
        ----------
        X
            A pandas or polars data frame, or anything else.
        called
            What errors and warnings call it.

        Raises
        ------
        ValueError
            If columns are missing or their names are not unique; without names, if there are too many or too few.
        """
        if not is_frame(X):
            return X
        if self.names is not None:
            return select_columns(X, self.names, called)
        if X.shape[1] != self.n_columns:
            raise ValueError(
                f"{called} must have the {self.n_columns} columns that the model was fitted on. Got {X.shape[1]}; pass "
                "rows of the same table."
            )
        return X

    def read(self, X: Any, called: str = "X") -> Any:
        """Return a data frame as a float64 matrix, and anything else as it is.

        Columns are found as by `align`. Categories become codes. Missing values become NaN, and so do categories that
        were not there to be learnt.
        """
        if not is_frame(X):
            self._check_needs_no_frame(X, called)
            return X
        aligned = self.align(X, called)
        matrix: FloatArray = np.empty(aligned.shape, dtype=np.float64)
        for number, column in enumerate(read_columns(aligned, called)):
            levels = self.levels.get(number)
            matrix[:, number] = column.numbers() if levels is None else _codes(column, levels)
        return matrix

    def _check_needs_no_frame(self, X: Any, called: str) -> None:
        encoded = sorted(column for column, levels in self.levels.items() if levels is not None)
        if encoded:
            columns = ", ".join(map(str, encoded)) if self.names is None else listed([self.names[i] for i in encoded])
            raise ValueError(
                f"{called} must be a data frame like the one that was fitted, as its columns {columns} held "
                f"categories. Got {type(X).__name__}; pass a data frame with the same columns."
            )

    def _place_in(self, other: "Schema", column: int) -> int:
        """Return the number that a column has in another schema; -1 if it is not there."""
        if self.names is None or other.names is None:
            return column
        return other.names.index(self.names[column]) if self.names[column] in other.names else -1


def learn_schema(
    X: Any, categorical_features: str | Sequence[str | int] | None = FROM_DTYPE, called: str = "X"
) -> Schema:
    """Return what the columns of X mean.

    Parameters
    ----------
    X
        A pandas or polars data frame, or anything else of two dimensions: array, sparse matrix, list of rows.
    categorical_features
        Which columns hold categories. "from_dtype": those of a data frame that hold text or booleans or have a type
        made for categories. None: none. Or the names (text) and numbers (integers, from 0) of the columns.
    called
        What errors call the table.

    Raises
    ------
    ValueError
        If a listed column does not exist, two columns have one name, or a column holds neither numbers nor, where
        these are allowed, categories.

    Examples
    --------
    >>> learn_schema([[1.5, 7], [2.5, 9]], categorical_features=[1]).is_categorical.tolist()
    [False, True]
    """
    shape = tuple(X.shape) if hasattr(X, "shape") else np.asarray(X).shape
    if len(shape) != 2:
        raise ValueError(
            f"Expected 2D array, got {len(shape)}D array instead: {called} must have rows and columns; reshape it to "
            "(n_rows, n_columns)."
        )
    if not is_frame(X):
        marked = _marked_columns(categorical_features, shape[1], None)
        return Schema(shape[1], dict.fromkeys(sorted(marked or ())))
    names = text_names(X)
    check_distinct(names or (), called)
    marked = _marked_columns(categorical_features, shape[1], column_names(X))
    levels: dict[int, tuple[Level, ...] | None] = {}
    for number, column in enumerate(read_columns(X, called)):
        has_type_of_categories = column.kind != "number" or column.declared is not None
        if has_type_of_categories if marked is None else number in marked:
            levels[number] = _checked_levels(column)
        else:
            column.numbers()
    return Schema(shape[1], levels, names)


def _marked_columns(categorical_features: Any, n_columns: int, names: list[str] | None) -> set[int] | None:
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
            f"Column {column.name} must hold finite numbers or other categories. Got {strange[0]}; replace "
            "infinity by a missing value."
        )
    return levels


def _joined_levels(own: tuple[Level, ...], more: tuple[Level, ...]) -> tuple[Level, ...]:
    together = list(dict.fromkeys([*own, *more]))
    # One of two tables may hold the numbers of a column as floats, as it does where some are missing.
    is_text = {isinstance(level, str) for level in together}
    return tuple(together if len(is_text) > 1 else dict.fromkeys(plain_levels(together)))


def _codes(column: Column, levels: tuple[Level, ...]) -> FloatArray:
    """Return the codes of a column; an error if no value could ever be a level."""
    held_text = bool(levels) and isinstance(levels[0], str)
    if levels and column.kind is not None and held_text != (column.kind == "text"):
        raise ValueError(
            f"Column {column.name} must hold {'text' if held_text else 'numbers or booleans'}, as it did when "
            f"it was fitted. Got {column.values[:1].tolist()[0]!r}; convert it."
        )
    return column.codes(levels)
