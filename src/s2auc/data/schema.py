"""What the columns of a table mean: which hold numbers, which categories, and what these are."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from s2auc.common.arrays import BoolArray, FloatArray, is_sparse
from s2auc.data.column_matching import (
    Name,
    checked_names,
    listed,
    select_columns,
    short,
    text_names,
)
from s2auc.data.frames import (
    Column,
    Level,
    check_text,
    holds_objects,
    is_frame,
    object_numbers,
    plain_levels,
    read_columns,
)


@dataclass(frozen=True)
class Schema:
    """What was learnt about the columns of a table, for reading others like it.

    Attributes
    ----------
    n_columns
        How many columns there are.
    levels
        The categories of every categorical column, by its number, in the order of their codes 0, 1, 2, …; None for a
        column of an array of numbers, which are the categories themselves.
    names
        The names of the columns, all different, if they had any: data frames are then read by name. All are text, or
        all whole numbers; None also stands for 0, 1, 2, …
    left_out
        Columns that the table had besides, and that are not read: their names, by their number in that table.

    Examples
    --------
    >>> import pandas as pd
    >>> from s2auc.data.learning import learn_schema
    >>> schema = learn_schema(pd.DataFrame({"age": [31, None], "city": ["Rome", "Oslo"]}))
    >>> schema.names, schema.levels
    (('age', 'city'), {1: ('Oslo', 'Rome')})
    >>> schema.read(pd.DataFrame({"city": ["Rome", "Lima"], "age": [45, 20]})).tolist()
    [[45.0, 1.0], [20.0, nan]]
    """

    n_columns: int
    levels: Mapping[int, tuple[Level, ...] | None]
    names: tuple[Name, ...] | None = None
    left_out: Mapping[int, Name] = field(default_factory=dict)

    @property
    def n_passed(self) -> int:
        """How many columns the table had, those that are left out among them."""
        return self.n_columns + len(self.left_out)

    @property
    def passed_names(self) -> list[Name]:
        """The names of the columns that the table had, those that are left out among them; numbers without names."""
        kept = iter(self.names or range(self.n_columns))
        return [self.left_out[place] if place in self.left_out else next(kept) for place in range(self.n_passed)]

    @property
    def places(self) -> list[int]:
        """The number that each column had in the table."""
        return [place for place in range(self.n_passed) if place not in self.left_out]

    @property
    def is_categorical(self) -> BoolArray:
        """Which columns hold categories."""
        mask = np.zeros(self.n_columns, dtype=bool)
        mask[list(self.levels)] = True
        return mask

    @property
    def column_labels(self) -> list[str]:
        """What to call each column: its name, or its number where columns have no names."""
        return list(map(str, self.names or range(self.n_columns)))

    @property
    def called_columns(self) -> list[str]:
        """What a sentence calls each column: its name, as it is spelled, or its number where columns have no names."""
        return list(map(str, range(self.n_columns)) if self.names is None else map(short, self.names))

    def without(self, places: Collection[int]) -> "Schema":
        """Return the schema of the same data frame, none of whose columns was left out, that leaves some out."""
        if not places:
            return self
        names = self.names or tuple(range(self.n_columns))
        kept = [place for place in range(self.n_columns) if place not in places]
        return Schema(
            n_columns=len(kept),
            levels={column: self.levels[place] for column, place in enumerate(kept) if place in self.levels},
            names=tuple(names[place] for place in kept),
            left_out={place: names[place] for place in sorted(places)},
        )

    def joined(self, other: "Schema") -> "Schema":
        """Return a schema that knows the categories of both; names, and which columns have categories, stay."""
        levels = dict(self.levels)
        for column, own in self.levels.items():
            more = other.levels.get(self._place_in(other, column))
            if own is not None and more is not None:
                levels[column] = _joined_levels(own, more)
        return replace(self, levels=levels)

    def align(self, X: Any, called: str = "X") -> Any:
        """Return a table with the columns that were learnt, in their order.

        Columns of a data frame are found by name where both have names, and a warning lists those that are ignored;
        all others go by their place. Columns that were left out may be there or not.

        Parameters
        ----------
        X
            A pandas or polars data frame, an array, a sparse matrix, or anything else, which is returned as it is.
        called
            What errors and warnings call it.

        Raises
        ------
        ValueError
            If columns are missing or their names are not unique; by place, if a frame has too many or too few.
        TypeError
            If the names of a frame are neither all text nor all whole numbers, unless it is read by text.
        """
        if not is_frame(X):
            is_whole = (isinstance(X, np.ndarray) or is_sparse(X)) and X.shape[1] == self.n_passed
            return X[:, self.places] if self.left_out and is_whole else X
        names = self._names_to_find(X, called)
        if names is not None:
            return select_columns(X, names, called, self.left_out.values())
        if self.left_out and X.shape[1] == self.n_passed:
            return X.iloc[:, self.places] if hasattr(X, "iloc") else X[:, self.places]
        if X.shape[1] != self.n_columns:
            raise ValueError(
                f"{called} must have the {self.n_passed} columns that the model was fitted on. Got {X.shape[1]}; pass "
                "rows of the same table."
            )
        return X

    def read(self, X: Any, called: str = "X") -> Any:
        """Return a data frame or an array of objects as a float64 matrix, and anything else as it is.

        Columns are found as by `align`. Categories become codes. Missing values become NaN, and so do categories that
        were not there to be learnt.
        """
        table = self.align(X, called)
        if not is_frame(table):
            is_of_objects = holds_objects(table)
            if self._encoded and (self.names is not None or not is_of_objects):
                raise self._needs_frame(X, called)
            numbers = None if self._encoded else object_numbers(table) if is_of_objects else table
            if numbers is not None:
                return numbers
            check_text(table, self._encoded, called)
        matrix: FloatArray = np.empty(table.shape, dtype=np.float64)
        for number, column in enumerate(read_columns(table, called)):
            levels = self.levels.get(number)
            matrix[:, number] = column.numbers() if levels is None else _codes(column, levels)
        return matrix

    @property
    def _encoded(self) -> list[int]:
        """The columns whose categories become codes."""
        return sorted(column for column, levels in self.levels.items() if levels is not None)

    def _needs_frame(self, X: Any, called: str) -> ValueError:
        columns = listed([(self.names or self.places)[column] for column in self._encoded])
        return ValueError(
            f"{called} must be a data frame like the one that was fitted, as its columns {columns} held categories. "
            f"Got {type(X).__name__}; pass a data frame with the same columns."
        )

    def _names_to_find(self, X: Any, called: str) -> tuple[Name, ...] | None:
        """Return the names to look for in a data frame; None where columns go by their place."""
        if self.names is not None and isinstance(self.names[0], str):
            return self.names
        found, own = checked_names(X, called), self.names or tuple(range(self.n_columns))
        if text_names(X) is not None:
            return None
        if self.names is None:
            return own if set(found) == set(own) else None
        # Frames made of arrays have numbers that say nothing, unless they are those that were learnt.
        says_nothing = found == tuple(range(len(found))) and not set(own) <= set(found)
        return None if says_nothing else own

    def _place_in(self, other: "Schema", column: int) -> int:
        """Return the number that a column has in another schema; -1 if it is not there."""
        if self.names is None or other.names is None:
            return column
        return other.names.index(self.names[column]) if self.names[column] in other.names else -1


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
