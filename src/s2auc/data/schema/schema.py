"""The schema of a table: which columns hold numbers, which categories, and how their cells are read."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from math import isfinite
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from s2auc.common.arrays import BoolArray, FloatArray, IndexArray
from s2auc.common.errors import InputError
from s2auc.data.schema.column_names import Name, check_distinct, listed, short
from s2auc.data.schema.date_parts import part_name
from s2auc.data.text.text_encoding import TextEncoding

if TYPE_CHECKING:  # which reads columns for a schema
    from s2auc.data.schema.arrow_columns import ArrowColumn

EVERY, TEXT, OTHER = "all", "text", "other"
VIEWS = EVERY, TEXT, OTHER
"""Columns that a part of a model may see: all, those of texts, or the others."""

Level = str | bool | int | float
"""The type of a category."""


@dataclass(frozen=True)
class LearntColumn:
    """One column of a table as it was learnt.

    Attributes
    ----------
    name
        What it is called, or its number.
    is_categorical
        Whether it holds categories.
    levels
        These, in the order of their codes; None where numbers stand for themselves.
    parts
        If it holds dates, times or durations: the parts that are read, in the order of `date_parts.DATE_PARTS`.
    reading
        How its cells are read where they are text (`text_readings.READINGS`); None for the usual way.
    text
        If it holds text: how that becomes numbers. A column of names is both text and categorical.
    """

    name: Name
    is_categorical: bool = False
    levels: tuple[Level, ...] | None = None
    parts: tuple[str, ...] = ()
    reading: str | None = None
    text: TextEncoding | None = None

    @property
    def n_columns(self) -> int:
        """Number of numeric columns that it gives."""
        n_text = 0 if self.text is None else self.text.n_numbers
        return max(1, len(self.parts) + n_text + (self.is_categorical and self.text is not None))


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
    texts
        Where columns are the numbers that a text column gives, by the number of the first of them: the name of the text
        column, and its encoding. They stand side by side, after the codes of the same column if it has categories, too.

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
    texts: Mapping[int, tuple[Name, TextEncoding]] = field(default_factory=dict)

    @classmethod
    def of_columns(
        cls, columns: Iterable[LearntColumn], left_out: Mapping[int, Name] | None = None, *, named: bool = True
    ) -> "Schema":
        """Return the schema of the columns of a table, each of which gives one column, or one a part."""
        names: list[Name] = []
        levels: dict[int, tuple[Level, ...] | None] = {}
        parts: dict[int, tuple[Name, str]] = {}
        readings: dict[int, str] = {}
        texts: dict[int, tuple[Name, TextEncoding]] = {}
        for column in columns:
            if column.reading is not None:
                readings[len(names)] = column.reading
            if column.is_categorical:
                levels[len(names)] = column.levels
            for part in column.parts:
                parts[len(names)] = column.name, part
                names.append(part_name(str(column.name), part))
            if column.is_categorical or not (column.parts or column.text):
                names.append(column.name)
            if column.text is not None:
                texts[len(names)] = column.name, column.text
                names += text_names(str(column.name), column.text)
        if parts or texts:
            check_distinct(names, "X, the parts of its dates and the components of its texts")
        left_out = dict(left_out or {})
        return cls(len(names), levels, tuple(names) if named else None, left_out, parts, readings, texts=texts)

    def columns(self) -> list[LearntColumn]:
        """Return what was learnt of each column of the table that is read."""
        names: Sequence[Name] = self.names or range(self.n_columns)
        return [
            LearntColumn(
                name=(self.parts.get(first) or self.texts.get(first) or (names[first],))[0],
                is_categorical=first in self.levels,
                levels=self.levels.get(first),
                parts=tuple(self.parts[number][1] for number in (first, *others) if number in self.parts),
                reading=self.readings.get(first),
                text=next((self.texts[number][1] for number in (first, *others) if number in self.texts), None),
            )
            for first, *others in self._columns_of_sources()
        ]

    @property
    def n_sources(self) -> int:
        """How many columns of the table are read."""
        return len(self._columns_of_sources()) if self.parts or self.texts else self.n_columns

    @property
    def n_passed(self) -> int:
        """How many columns the table had, those that are left out among them."""
        return self.n_sources + len(self.left_out)

    @property
    def source_names(self) -> tuple[Name, ...] | None:
        """The names of the columns of the table that are read; None if they had none."""
        return self.names if not (self.parts or self.texts) else tuple(column.name for column in self.columns())

    def columns_of_view(self, view: str) -> IndexArray:
        """Return the numbers of the columns that a view shows, one of `VIEWS`; none shows learnt sums of words."""
        is_text, is_sum = np.zeros((2, self.n_columns), dtype=bool)
        for block in self.text_blocks.values():
            is_text[block], is_sum[block.stop - 1] = True, True
        shown = {EVERY: ~is_sum, TEXT: is_text & ~is_sum, OTHER: ~is_text}[view]
        return np.flatnonzero(shown)

    def with_sums(self, weights: FloatArray) -> "Schema":
        """Return the schema with learnt sums of words, given a weight for each term of each text column in turn."""
        first, texts = 0, {}
        for number, (source, encoding) in self.texts.items():
            n_terms = encoding.vocabulary.n_terms
            texts[number] = source, encoding.with_sum(weights[first : first + n_terms])
            first += n_terms
        return replace(self, texts=texts)

    def fill_sums(self, rows: FloatArray, terms: Any) -> None:
        """Fill the learnt sums of words into rows that were read before these were learnt, given their terms."""
        first = 0
        for column, (_, encoding) in zip(self.sum_columns, self.texts.values(), strict=True):
            n_terms = encoding.vocabulary.n_terms
            rows[:, column] = terms[:, first : first + n_terms] @ encoding.components[:, -1]
            first += n_terms

    @property
    def sum_columns(self) -> IndexArray:
        """The numbers of the columns that hold learnt sums of words."""
        return np.array([block.stop - 1 for block in self.text_blocks.values()], dtype=np.intp)

    @property
    def text_blocks(self) -> dict[int, slice]:
        """The columns that each text column gives, by the number of the first of them."""
        return {first: slice(first, first + encoding.n_numbers) for first, (_, encoding) in self.texts.items()}

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
        return np.isin(np.arange(self.n_columns), list(self.levels))

    @property
    def column_labels(self) -> list[str]:
        """What to call each column: its name, or its number where columns have no names."""
        return list(map(str, self._numbers if self.names is None else self.names))

    @property
    def displayed_names(self) -> list[str]:
        """What to call the columns where they are listed: text columns once each."""
        blocks = self.text_blocks
        inside = {number for block in blocks.values() for number in range(block.start, block.stop)}
        texts = {first: str(source) for first, (source, _) in self.texts.items() if not self._has_codes(first)}
        labels = self.column_labels
        return [
            texts.get(number, labels[number])
            for number in range(self.n_columns)
            if number not in inside or number in texts
        ]

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
                elif number in self.texts:
                    _, encoding = self.texts[number]
                    matrix[:, number : number + encoding.n_numbers] = encoding.numbers(column.texts())
                    break
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
        self.check_n_columns(X.shape[1], display_name)
        encoded = sorted(number for number, levels in self.levels.items() if levels is not None)
        if encoded or self.parts or self.texts:
            labels = self.names or self.places
            texts = [source for source, _ in self.texts.values()]
            held = "categories" if encoded else "dates, times or durations" if self.parts else "text"
            columns = listed([labels[number] for number in encoded or sorted(self.parts)] or texts)
            rule = "be a data frame like the one that was fitted, as its columns {columns} held {held}"
            fix = "pass a data frame with the same columns"
            found = type(X).__name__
            raise InputError(rule, parameter=display_name, found=found, fix=fix, columns=columns, held=held)
        return X[:, self.source_places] if X.shape[1] != self.n_sources else X

    def check_n_columns(self, n_columns: int, display_name: str) -> None:
        """Raise an InputError unless rows have all columns that the table had, or those of them that are read."""
        if n_columns not in (self.n_sources, self.n_passed):
            rule, found = f"have the {self.n_passed} columns that the model was fitted on", str(n_columns)
            raise InputError(rule, parameter=display_name, found=found, fix="pass rows of the same table")

    @property
    def _numbers(self) -> Sequence[int]:
        """The numbers that columns without names had in the table."""
        return self.places if self.left_out else range(self.n_columns)

    def _has_codes(self, first: int) -> bool:
        """Return whether the columns that a text column gives come after codes of the same column."""
        return first - 1 in self.levels and self.names is not None and self.names[first - 1] == self.texts[first][0]

    def _columns_of_sources(self) -> list[list[int]]:
        """Return the numbers of the columns that come from each column of the table that is read."""
        sources: list[Any] = [
            self.parts[number][:1] if number in self.parts else number for number in range(self.n_columns)
        ]
        for first, block in self.text_blocks.items():
            source = self.texts[first][:1]
            begin = first - 1 if self._has_codes(first) else first
            sources[begin : block.stop] = [source] * (block.stop - begin)
        return [[number for number, _ in group] for _, group in groupby(enumerate(sources), key=itemgetter(1))]


def text_names(source: str, encoding: TextEncoding) -> list[str]:
    """Return what the columns are called that a text column gives.

    Examples
    --------
    >>> from s2auc.data.text.text_encoding import learn_text_encoding
    >>> text_names("note", learn_text_encoding(["free prize", "your prize"], n_components=2, min_texts=2))
    ['note (text 1)', 'note (text 2)', 'note (words)']
    """
    return [*(f"{source} (text {number})" for number in range(1, encoding.n_numbers)), f"{source} (words)"]


def sorted_levels(values: Iterable[Any], display_name: str) -> tuple[Level, ...]:
    """Return the categories of a column, each once and sorted, or raise a ValueError if one is infinite.

    Examples
    --------
    >>> sorted_levels(["b", "a", "b"], "'city' of X"), sorted_levels([2, 1.5], "'size' of X")
    (('a', 'b'), (1.5, 2.0))
    """
    levels = list(dict.fromkeys(values))
    types = set(map(type, levels))
    if len(types) > 1:  # where one table has booleans or whole numbers, and another has numbers
        levels = list(map(int if types <= {bool, int} else float, levels))
    levels.sort()
    strange = [level for level in levels if isinstance(level, float) and not isfinite(level)]
    if strange:
        rule = "hold finite numbers or other categories"
        raise ValueError(f"Column {display_name} must {rule}. Got {strange[0]}; replace infinity by a missing value.")
    return tuple(levels)
