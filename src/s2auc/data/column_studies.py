"""What the columns of a large table are, learnt batch by batch: until no further row could change it.

Most columns of numbers are settled by the first rows; text and dates are looked at to the end. Where rows are on other
machines, each looks at its own, and what they have learnt is joined in the order of the rows.
"""

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from s2auc.common.arrays import AnyArray
from s2auc.data.arrow_columns import ArrowColumn, distinct_values, numbers_of
from s2auc.data.date_parts import PARTS
from s2auc.data.frames import Column
from s2auc.data.identifiers import has_repeats, why_numbers_are_left_out, why_text_is_left_out
from s2auc.data.learning import checked_levels
from s2auc.data.learnt_columns import LearntColumn

MOST_KEPT = 2**21
"""Whole numbers of a column that are compared with one another: those of the first rows, if there are more."""

MOST_LEVELS = 2**20
"""Different values that a column of text may have; where there are more, it is left out."""


class Study(ABC):
    """What is known so far of a column.

    Parameters
    ----------
    name
        The name of the column.
    called
        What errors call it.
    """

    def __init__(self, name: str, called: str) -> None:
        self.name, self.called = name, called
        self.n_values = self.n_missing = 0
        self._first: Any = None
        self._varies = False

    @property
    @abstractmethod
    def is_settled(self) -> bool:
        """Whether further rows could change nothing."""

    @abstractmethod
    def look_at(self, array: Any) -> None:
        """Take in some more rows."""

    def join(self, later: Any) -> None:
        """Take in what another study of the same column has learnt of rows that come after those of this one."""
        self.n_values, self.n_missing = self.n_values + later.n_values, self.n_missing + later.n_missing
        both = self._first is not None and later._first is not None
        self._varies = self._varies or later._varies or (both and bool(self._first != later._first))
        self._first = later._first if self._first is None else self._first

    @abstractmethod
    def learnt(self) -> LearntColumn:
        """Return what the column is."""

    def why_left_out(self, n_rows: int) -> str | None:
        """Return why the column says nothing of the rows of a table with so many, None if it may say something."""
        if not self.n_values:
            return "no values"
        return None if self._varies or self.n_missing or n_rows == 1 else "the same in every row"

    def _count(self, present: AnyArray, n_missing: int) -> None:
        """Take in values that are not missing."""
        self.n_values, self.n_missing = self.n_values + len(present), self.n_missing + n_missing
        if len(present) and not self._varies:
            self._first = present[0] if self._first is None else self._first
            self._varies = bool(np.any(present != self._first))


class NumberStudy(Study):
    """Numbers, of which whole ones may count the rows."""

    def __init__(self, name: str, called: str, *, is_whole: bool) -> None:
        super().__init__(name, called)
        self._kept: list[AnyArray] | None = [] if is_whole else None
        self._n_kept = 0

    @property
    def is_settled(self) -> bool:
        """Whether the numbers vary, and are known to name rows or not."""
        return self._varies and (self._kept is None or self._n_kept >= MOST_KEPT)

    def look_at(self, array: Any) -> None:
        """Take in some more rows."""
        if self._kept is None:
            no_values = array.null_count == len(array)  # of whatever type
            column = ArrowColumn.of_array(array, self.called)
            values = np.full(len(array), np.nan) if no_values else np.asarray(column.numbers())
            is_missing = np.isnan(values) if values.dtype.kind == "f" else np.zeros(len(values), dtype=bool)
            self._count(values[~is_missing], int(np.count_nonzero(is_missing)))
            return
        values = np.asarray(numbers_of(array.drop_null()))
        self._count(values, array.null_count)
        if has_repeats(values):
            self._kept = None
        elif self._n_kept < MOST_KEPT:
            self._kept.append(values.copy())
            self._n_kept += len(values)

    def join(self, later: "NumberStudy") -> None:
        """Take in what another study has learnt of later rows."""
        super().join(later)
        if self._kept is None or later._kept is None:
            self._kept = None
        elif self._n_kept < MOST_KEPT:
            self._kept += later._kept
            self._n_kept += later._n_kept

    def forget_numbers(self) -> None:
        """Let go of the whole numbers that were kept: enough others come before them."""
        if self._kept is not None:
            self._kept, self._n_kept = [], 0

    def learnt(self) -> LearntColumn:
        """Return that the column holds numbers."""
        return LearntColumn(self.name)

    def why_left_out(self, n_rows: int) -> str | None:
        """Return why the numbers say nothing of the rows."""
        reason = super().why_left_out(n_rows)
        if reason is None and self._kept:
            beside = max(0, n_rows - self._n_kept - self.n_missing) if self._n_kept >= MOST_KEPT else 0
            reason = why_numbers_are_left_out(self.name, [np.concatenate(self._kept)], beside)
        return reason


class LevelStudy(Study):
    """Categories: text, booleans, and whatever a user or a type calls categories."""

    def __init__(self, name: str, called: str, kind: str, *, is_declared: bool) -> None:
        super().__init__(name, called)
        self._kind, self._is_declared = kind, is_declared
        self._levels: dict[Any, None] = {}

    @property
    def is_settled(self) -> bool:
        """Whether there are too many categories, or both that booleans can be."""
        return len(self._levels) > MOST_LEVELS or (self._kind == "boolean" and len(self._levels) == 2)

    def look_at(self, array: Any) -> None:
        """Take in some more rows."""
        places, distinct = distinct_values(array)
        is_used = np.zeros(len(distinct) + 1, dtype=bool)
        is_used[places] = True
        is_missing = np.array([*(value is None or value != value for value in distinct), True])
        self._levels.update(
            dict.fromkeys(value for value, used in zip(distinct, is_used[:-1] & ~is_missing[:-1], strict=True) if used)
        )
        n_missing = int(np.count_nonzero(is_missing[places]))
        self.n_values, self.n_missing = self.n_values + len(places) - n_missing, self.n_missing + n_missing
        self._varies = len(self._levels) > 1

    def join(self, later: "LevelStudy") -> None:
        """Take in what another study has learnt of later rows."""
        super().join(later)
        self._levels.update(later._levels)
        self._varies = len(self._levels) > 1

    def learnt(self) -> LearntColumn:
        """Return the categories, sorted."""
        values = np.empty(len(self._levels), dtype=object)
        values[:] = list(self._levels)
        column = Column(self.called, values, np.zeros(len(values), dtype=bool), self._kind, None)
        return LearntColumn(self.name, is_categorical=True, levels=checked_levels(column))

    def why_left_out(self, n_rows: int) -> str | None:
        """Return why the categories say nothing of the rows."""
        reason = super().why_left_out(n_rows)
        if reason is not None or self._kind != "text" or self._is_declared:
            return reason
        n_different = len(self._levels)
        if n_different > MOST_LEVELS:
            return f"text with more than {MOST_LEVELS} different values"
        return why_text_is_left_out(self.n_values, n_different, is_different=n_different == self.n_values)


class MomentStudy(Study):
    """Dates, times or durations, and which of their parts vary.

    Parameters
    ----------
    name, called
        As for all studies.
    parts
        The parts that may.
    """

    def __init__(self, name: str, called: str, parts: tuple[str, ...]) -> None:
        super().__init__(name, called)
        self._parts = parts
        self._firsts: dict[str, float] = {}
        self._varying: set[str] = set()

    @property
    def is_settled(self) -> bool:
        """Whether all parts vary."""
        return len(self._varying) == len(self._parts)

    def look_at(self, array: Any) -> None:
        """Take in some more rows."""
        present, _ = ArrowColumn.of_array(array, self.called).present()
        self._count(present, array.null_count)
        if not len(present):
            return
        for part in self._parts:
            if part not in self._varying:
                values = PARTS[part].of_values(present)
                if np.any(values != self._firsts.setdefault(part, float(values[0]))):
                    self._varying.add(part)

    def join(self, later: "MomentStudy") -> None:
        """Take in what another study has learnt of later rows."""
        super().join(later)
        self._varying |= later._varying
        for part, value in later._firsts.items():
            if self._firsts.setdefault(part, value) != value:
                self._varying.add(part)

    def learnt(self) -> LearntColumn:
        """Return the parts that vary, or the first of all."""
        varying = tuple(part for part in self._parts if part in self._varying)
        return LearntColumn(self.name, parts=varying or self._parts[:1])
