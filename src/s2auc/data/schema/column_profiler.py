"""Profiles of the columns of a large table, batch by batch: until no further row could change what is learnt.

Most columns of numbers are settled by the first rows; text and dates are looked at to the end. Where rows are on other
machines, each looks at its own, and what they have learnt is joined in the order of the rows.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np

from s2auc.common.arrays import AnyArray
from s2auc.common.lazy_modules import patypes
from s2auc.data.schema.arrow_columns import HELD, ArrowColumn, distinct_values
from s2auc.data.schema.date_parts import DATE_PARTS
from s2auc.data.schema.identifiers import count_different, why_numbers_are_ignored
from s2auc.data.schema.schema import LearntColumn, sorted_levels
from s2auc.data.schema.text_readings import USUAL_READINGS

MAX_KEPT = 2**21
"""Whole numbers of a column that are compared with one another: those of the first rows, if there are more."""

MAX_TEXT_VALUES = 2**20
"""Different values that a column of categories may have."""


class ColumnProfiler(ABC):
    """Facts learnt so far about a column of one table.

    Parameters
    ----------
    name
        The name of the column.
    display_name
        What errors call it.
    holds
        The kind of values, in a word.
    reading
        How its text is read, if it holds text that stands for something else.
    """

    def __init__(self, name: str, display_name: str, holds: str, reading: str | None = None) -> None:
        self.name, self.display_name, self.holds, self.reading = name, display_name, holds, reading
        self._unusual_reading = None if reading in USUAL_READINGS.values() else reading  # which a schema must remember
        self.n_values = self.n_missing = 0
        self._first: Any = None
        self._varies = False

    @property
    @abstractmethod
    def is_settled(self) -> bool:
        """True once further rows can change nothing."""

    @abstractmethod
    def update(self, array: Any) -> None:
        """Take in some more rows."""

    def join(self, later: Any) -> None:
        """Take in what another profiler of the same column has learnt of rows that come after those of this one."""
        self.n_values, self.n_missing = self.n_values + later.n_values, self.n_missing + later.n_missing
        self._varies = self._varies or later._varies or self._differs(later)
        self._first = later._first if self._first is None else self._first

    @abstractmethod
    def learnt(self) -> LearntColumn:
        """Return what the column is, by all rows that were taken in."""

    def why_ignored(self, n_rows: int, others: Sequence[Any] = ()) -> str | None:
        """Return why the column says nothing of the rows of a fit, None if it may say something.

        Parameters
        ----------
        n_rows
            How many rows the table has.
        others
            Profilers of the same column in other tables of the fit.
        """
        profilers = [one for one in (self, *others) if one.n_values]
        if not profilers:
            return "no values"
        varies = any(one._varies or one.n_missing or one._differs(profilers[0]) for one in profilers)
        if not varies and (n_rows > 1 or others):
            return "the same in every row"
        return self._why_identifier(n_rows, profilers)

    def _why_identifier(self, n_rows: int, profilers: Sequence[Any]) -> str | None:  # noqa: ARG002 most columns are none
        """Return why the column names rows instead of describing them, by its profilers in tables that have values."""
        return None

    def _differs(self, other: "ColumnProfiler") -> bool:
        return self._first is not None and other._first is not None and bool(self._first != other._first)

    def _column(self, array: Any) -> ArrowColumn:
        return ArrowColumn(array, self.display_name, self.reading)

    def _count(self, present: AnyArray, n_missing: int) -> None:
        """Take in values that are not missing."""
        self.n_values, self.n_missing = self.n_values + len(present), self.n_missing + n_missing
        if len(present) and not self._varies:
            self._first = present[0] if self._first is None else self._first
            self._varies = bool(np.any(present != self._first))


class NumberProfiler(ColumnProfiler):
    """Numbers, of which whole ones may be row IDs."""

    def __init__(self, name: str, display_name: str, reading: str | None = None, *, is_whole: bool) -> None:
        super().__init__(name, display_name, "numbers", reading)
        self._kept: list[AnyArray] | None = [] if is_whole else None
        self._n_kept = 0

    @property
    def is_settled(self) -> bool:
        """True once the numbers vary, and are known to be row IDs or not."""
        return self._varies and (self._kept is None or self._n_kept >= MAX_KEPT)

    def update(self, array: Any) -> None:
        """Take in some more rows."""
        # Large integers keep all their digits where none is missing.
        values = self._column(array.drop_null() if patypes.is_integer(array.type) else array).numbers()
        values = values[~np.isnan(values)] if values.dtype.kind == "f" else values
        self._count(values, len(array) - len(values))
        if self._kept is None:
            return
        if count_different(values) < len(values):
            self._kept = None
        elif self._n_kept < MAX_KEPT:
            self._kept.append(values.copy())
            self._n_kept += len(values)

    def join(self, later: "NumberProfiler") -> None:
        """Take in what another profiler has learnt of later rows."""
        super().join(later)
        if self._kept is None or later._kept is None:
            self._kept = None
        elif self._n_kept < MAX_KEPT:
            self._kept += later._kept
            self._n_kept += later._n_kept

    def forget_numbers(self) -> None:
        """Drop the whole numbers that were kept: enough others come before them."""
        if self._kept is not None:
            self._kept, self._n_kept = [], 0

    def learnt(self) -> LearntColumn:
        """Return that the column holds numbers."""
        return LearntColumn(self.name, reading=self._unusual_reading)

    def _why_identifier(self, n_rows: int, profilers: Sequence["NumberProfiler"]) -> str | None:
        if any(one._kept is None for one in profilers):
            return None
        n_more = max(0, n_rows - self._n_kept - self.n_missing) if self._n_kept >= MAX_KEPT else 0
        return why_numbers_are_ignored(self.name, [np.concatenate(one._kept or ()) for one in profilers], n_more)


class CategoryProfiler(ColumnProfiler):
    """Categories: booleans, and whatever a user or a type calls categories."""

    def __init__(
        self, name: str, display_name: str, kind: str, reading: str | None = None, *, is_declared: bool
    ) -> None:
        super().__init__(name, display_name, "categories" if is_declared else HELD.get(kind, "no values"), reading)
        self._kind, self._is_declared = kind, is_declared
        self._levels: dict[Any, None] = {}

    @property
    def is_settled(self) -> bool:
        """True once there are too many categories, or both booleans."""
        has_both = self._kind == "boolean" and len(self._levels) == 2
        return len(self._levels) > MAX_TEXT_VALUES or (
            has_both and all(isinstance(level, bool) for level in self._levels)
        )

    def update(self, array: Any) -> None:
        """Take in some more rows."""
        # One table may have booleans where another has 0 and 1.
        others = {"boolean": ["number"], "number": ["boolean"]}.get(self._kind, [])
        places, distinct = distinct_values(self._column(array).of_kind(self._kind, *others))
        is_missing = np.array([*(value is None or value != value for value in distinct), True])
        used = np.unique(places)
        self._levels.update(dict.fromkeys(distinct[place] for place in used[~is_missing[used]]))
        n_missing = int(np.count_nonzero(is_missing[places]))
        self.n_values, self.n_missing = self.n_values + len(places) - n_missing, self.n_missing + n_missing
        self._first = next(iter(self._levels), None)
        self._varies = len(self._levels) > 1

    def join(self, later: "CategoryProfiler") -> None:
        """Take in what another profiler has learnt of later rows."""
        super().join(later)
        self._levels.update(later._levels)

    def learnt(self) -> LearntColumn:
        """Return the categories, sorted."""
        levels = sorted_levels(self._levels, self.display_name)
        return LearntColumn(self.name, True, levels, reading=self._unusual_reading)


class DateProfiler(ColumnProfiler):
    """Dates, times or durations, and which of their parts vary.

    Parameters
    ----------
    name, display_name, reading
        As for all profilers.
    parts
        The parts that may.
    """

    def __init__(self, name: str, display_name: str, parts: tuple[str, ...], reading: str | None = None) -> None:
        super().__init__(name, display_name, HELD[DATE_PARTS[parts[0]].kind], reading)
        self._parts = parts
        self._firsts: dict[str, float] = {}
        self._varying: set[str] = set()

    @property
    def is_settled(self) -> bool:
        """True once all parts vary."""
        return len(self._varying) == len(self._parts)

    def update(self, array: Any) -> None:
        """Take in some more rows."""
        column = self._column(array)
        for part in self._parts:
            if part not in self._varying or part == self._parts[0]:
                values = column.part(part)
                present = values[~np.isnan(values)]
                if part == self._parts[0]:
                    self._count(present, len(values) - len(present))
                if len(present) and np.any(present != self._firsts.setdefault(part, float(present[0]))):
                    self._varying.add(part)

    def join(self, later: "DateProfiler") -> None:
        """Take in what another profiler has learnt of later rows."""
        super().join(later)
        self._varying |= later._varying
        for part, value in later._firsts.items():
            if self._firsts.setdefault(part, value) != value:
                self._varying.add(part)

    def learnt(self) -> LearntColumn:
        """Return the parts that vary, or the first of all."""
        varying = tuple(part for part in self._parts if part in self._varying)
        return LearntColumn(self.name, parts=varying or self._parts[:1], reading=self._unusual_reading)
