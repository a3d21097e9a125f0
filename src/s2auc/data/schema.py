"""What the columns of a table mean: which hold numbers, which categories, and what these are."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from s2auc.common.arrays import BoolArray, FloatArray, is_sparse
from s2auc.data.column_matching import (
    Name,
    check_distinct,
    checked_names,
    listed,
    select_columns,
    short,
    text_names,
)
from s2auc.data.date_parts import TEMPORAL_KINDS
from s2auc.data.frames import Column, Level, check_text, holds_objects, is_frame, object_numbers, read_columns
from s2auc.data.learnt_columns import LearntColumn, joined_column


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
    parts
        Where a column is a part of a column of dates, times or durations (`s2auc.data.date_parts`), by its number: the
        name of that column of the table, and of the part. The parts of one column stand side by side.

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
    parts: Mapping[int, tuple[Name, str]] = field(default_factory=dict)

    @classmethod
    def of_columns(
        cls, columns: Iterable[LearntColumn], left_out: Mapping[int, Name] | None = None, *, named: bool = True
    ) -> "Schema":
        """Return the schema of the columns of a table, each of which gives one column, or one a part."""
        names: list[Name] = []
        levels: dict[int, tuple[Level, ...] | None] = {}
        parts: dict[int, tuple[Name, str]] = {}
        for column in columns:
            if column.is_categorical:
                levels[len(names)] = column.levels
            for name, part in column.named_parts():
                parts[len(names)] = column.name, part
                names.append(name)
            if not column.parts:
                names.append(column.name)
        if parts:
            check_distinct(names, "X and the parts of its dates")
        return cls(len(names), levels, tuple(names) if named else None, dict(left_out or {}), parts)

    def columns(self) -> list[LearntColumn]:
        """Return what was learnt of each column of the table that is read."""
        learnt: list[LearntColumn] = []
        for numbers in self._columns_of_sources():
            first = numbers[0]
            learnt.append(
                LearntColumn(
                    name=self._source_name(first),
                    is_categorical=first in self.levels,
                    levels=self.levels.get(first),
                    parts=tuple(self.parts[number][1] for number in numbers if number in self.parts),
                )
            )
        return learnt

    @property
    def n_sources(self) -> int:
        """How many columns of the table are read."""
        return self.n_columns if not self.parts else len(self._columns_of_sources())

    @property
    def n_passed(self) -> int:
        """How many columns the table had, those that are left out among them."""
        return self.n_sources + len(self.left_out)

    @property
    def source_names(self) -> tuple[Name, ...] | None:
        """The names of the columns of the table that are read; None if they had none."""
        return self.names if not self.parts else tuple(column.name for column in self.columns())

    @property
    def source_places(self) -> list[int]:
        """The number that each column of the table that is read had there."""
        return [place for place in range(self.n_passed) if place not in self.left_out]

    @property
    def passed_names(self) -> list[Name]:
        """The names of the columns that the table had, those that are left out among them; numbers without names."""
        kept = iter(self.source_names or range(self.n_sources))
        return [self.left_out[place] if place in self.left_out else next(kept) for place in range(self.n_passed)]

    @property
    def places(self) -> list[int]:
        """The number that each column had in the table; parts have that of the column that they come from."""
        pairs = zip(self.source_places, self._columns_of_sources(), strict=True)
        return [place for place, numbers in pairs for _ in numbers]

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
        columns = self.columns()
        return Schema.of_columns(
            [column for place, column in enumerate(columns) if place not in places],
            left_out={place: columns[place].name for place in sorted(places)},
        )

    def joined(self, other: "Schema") -> "Schema":
        """Return a schema that knows the categories and the parts of dates of both; which columns there are stays."""
        has_names = self.names is not None and other.names is not None
        theirs = {column.name if has_names else place: column for place, column in enumerate(other.columns())}
        joined = []
        for place, own in enumerate(self.columns()):
            more = theirs.get(own.name if has_names else place)
            joined.append(own if more is None else joined_column(own, more))
        return Schema.of_columns(joined, self.left_out, named=self.names is not None)

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
            return X[:, self.source_places] if self.left_out and is_whole else X
        names = self._names_to_find(X, called)
        if names is not None:
            return select_columns(X, names, called, self.left_out.values())
        if self.left_out and X.shape[1] == self.n_passed:
            return X.iloc[:, self.source_places] if hasattr(X, "iloc") else X[:, self.source_places]
        if X.shape[1] != self.n_sources:
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
            if self.parts or (self._encoded and (self.names is not None or not is_of_objects)):
                raise self._needs_frame(X, called)
            numbers = None if self._encoded else object_numbers(table) if is_of_objects else table
            if numbers is not None:
                return numbers
            check_text(table, self._encoded, called)
        return self.encode(read_columns(table, called), int(table.shape[0]))

    def encode(self, columns: Iterable[Column], n_rows: int, into: FloatArray | None = None) -> FloatArray:
        """Return the columns of a table that are read, in their order, as a float64 matrix: a new one, or a given."""
        matrix: FloatArray = np.empty((n_rows, self.n_columns), dtype=np.float64) if into is None else into
        for numbers, column in zip(self._columns_of_sources(), columns, strict=True):
            for number in numbers:
                levels = self.levels.get(number)
                if number in self.parts:
                    matrix[:, number] = column.part(self.parts[number][1])
                else:
                    matrix[:, number] = column.numbers() if levels is None else _codes(column, levels)
        return matrix

    def _columns_of_sources(self) -> list[list[int]]:
        """Return the numbers of the columns that come from each column of the table that is read."""
        numbers: list[list[int]] = []
        for number in range(self.n_columns):
            is_next_part = number in self.parts and number - 1 in self.parts
            if is_next_part and self.parts[number][0] == self.parts[number - 1][0]:
                numbers[-1].append(number)
            else:
                numbers.append([number])
        return numbers

    def _source_name(self, number: int) -> Name:
        return self.parts[number][0] if number in self.parts else number if self.names is None else self.names[number]

    @property
    def _encoded(self) -> list[int]:
        """The columns whose categories become codes."""
        return sorted(column for column, levels in self.levels.items() if levels is not None)

    def _needs_frame(self, X: Any, called: str) -> ValueError:
        labels = self.names or self.places
        held = "categories" if self._encoded else "dates, times or durations"
        columns = listed([labels[column] for column in self._encoded or sorted(self.parts)])
        return ValueError(
            f"{called} must be a data frame like the one that was fitted, as its columns {columns} held {held}. "
            f"Got {type(X).__name__}; pass a data frame with the same columns."
        )

    def _names_to_find(self, X: Any, called: str) -> tuple[Name, ...] | None:
        """Return the names to look for in a data frame; None where columns go by their place."""
        if self.names is not None and isinstance(self.names[0], str):
            return self.source_names
        found, own = checked_names(X, called), self.names or tuple(range(self.n_columns))
        if text_names(X) is not None:
            return None
        if self.names is None:
            return own if set(found) == set(own) else None
        # Frames made of arrays have numbers that say nothing, unless they are those that were learnt.
        says_nothing = found == tuple(range(len(found))) and not set(own) <= set(found)
        return None if says_nothing else own


def _codes(column: Column, levels: tuple[Level, ...]) -> FloatArray:
    """Return the codes of a column; an error if no value could ever be a level."""
    held_text = bool(levels) and isinstance(levels[0], str)
    is_other = held_text != (column.kind == "text") or column.kind in TEMPORAL_KINDS
    if levels and column.kind is not None and is_other and not column.is_empty:
        raise ValueError(
            f"Column {column.name} must hold {'text' if held_text else 'numbers or booleans'}, as it did when "
            f"it was fitted. Got {column.shown}; convert it."
        )
    return column.codes(levels)
