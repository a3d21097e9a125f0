"""The schema of a table: which columns hold numbers, which categories, and how their cells are read."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from s2auc.common.arrays import BoolArray, FloatArray
from s2auc.common.errors import InputError
from s2auc.data.schema.column_names import Name, check_distinct, listed, short
from s2auc.data.schema.learnt_columns import LearntColumn, Level

if TYPE_CHECKING:  # which reads columns for a schema
    from s2auc.data.schema.arrow_columns import ArrowColumn


@dataclass(frozen=True)
class Schema:
    """The columns of a table as they were learnt, for reading other tables like it.

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
        Where a column is a part of a column of dates, times or durations (`data.schema.date_parts`), by its number: the
        name of that column of the table, and of the part. The parts of one column stand side by side.
    readings
        Where the cells of a column were text in an unusual spelling, such as decimal commas or days before months: the
        name of the reading (`data.schema.text_readings`), by the number of the column, or of the first of its parts.
    first_number
        What LIBSVM files call the first column, 0 or 1; None where the columns did not come from such files.

    Examples
    --------
    >>> schema = Schema(2, {1: ("Oslo", "Rome")}, names=("age", "city"))
    >>> schema.is_categorical.tolist(), schema.column_labels
    ([False, True], ['age', 'city'])
    """

    n_columns: int
    levels: Mapping[int, tuple[Level, ...] | None]
    names: tuple[Name, ...] | None = None
    left_out: Mapping[int, Name] = field(default_factory=dict)
    parts: Mapping[int, tuple[Name, str]] = field(default_factory=dict)
    readings: Mapping[int, str] = field(default_factory=dict)
    first_number: int | None = None

    @classmethod
    def of_columns(
        cls, columns: Iterable[LearntColumn], left_out: Mapping[int, Name] | None = None, *, named: bool = True
    ) -> "Schema":
        """Return the schema of the columns of a table, each of which gives one column, or one a part."""
        names: list[Name] = []
        levels: dict[int, tuple[Level, ...] | None] = {}
        parts: dict[int, tuple[Name, str]] = {}
        readings: dict[int, str] = {}
        for column in columns:
            if column.reading is not None:
                readings[len(names)] = column.reading
            if column.is_categorical:
                levels[len(names)] = column.levels
            for name, part in column.named_parts():
                parts[len(names)] = column.name, part
                names.append(name)
            if not column.parts:
                names.append(column.name)
        if parts:
            check_distinct(names, "X and the parts of its dates")
        return cls(len(names), levels, tuple(names) if named else None, dict(left_out or {}), parts, readings)

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
                    reading=self.readings.get(first),
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
        if self.source_names is None:
            return list(range(self.n_passed))
        kept = iter(self.source_names)
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
        return list(map(str, self._numbers if self.names is None else self.names))

    @property
    def called_columns(self) -> list[str]:
        """What a sentence calls each column: its name, as it is spelled, or its number where columns have no names."""
        return list(map(str, self._numbers) if self.names is None else map(short, self.names))

    def encode(self, columns: Iterable["ArrowColumn"], matrix: FloatArray) -> FloatArray:
        """Fill a matrix with the columns of a table that are read, in their order, and return it."""
        for numbers, column in zip(self._columns_of_sources(), columns, strict=True):
            for number in numbers:
                levels = self.levels.get(number)
                if number in self.parts:
                    matrix[:, number] = column.part(self.parts[number][1])
                else:
                    matrix[:, number] = column.numbers() if levels is None else column.codes(levels)
        return matrix

    def of_matrix(self, X: Any, display_name: str = "X") -> Any:
        """Return a matrix of numbers without columns that were ignored, by their place.

        Raises
        ------
        ValueError
            If it has too many or too few columns, or if numbers cannot stand for them.
        """
        if X.shape[1] not in (self.n_sources, self.n_passed):
            raise InputError(
                "have the {n_columns} columns that the model was fitted on",
                n_columns=self.n_passed,
                parameter=display_name,
                found=str(X.shape[1]),
                fix="pass rows of the same table",
            )
        encoded = sorted(number for number, levels in self.levels.items() if levels is not None)
        if encoded or self.parts:
            labels = self.names or self.places
            held = "categories" if encoded else "dates, times or durations"
            raise InputError(
                "be a data frame like the one that was fitted, as its columns {columns} held {held}",
                parameter=display_name,
                columns=listed([labels[number] for number in encoded or sorted(self.parts)]),
                held=held,
                found=type(X).__name__,
                fix="pass a data frame with the same columns",
            )
        return X[:, self.source_places] if X.shape[1] != self.n_sources else X

    @property
    def _numbers(self) -> Sequence[int]:
        """The numbers that columns without names had in the table."""
        return self.places if self.left_out else range(self.n_columns)

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
