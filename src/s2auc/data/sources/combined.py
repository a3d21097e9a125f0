"""Sources made of others: some of their rows, two in a row, one that is checked."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from s2auc.common.arrays import AnyArray, IndexArray
from s2auc.common.crews import Crew
from s2auc.data.schema.schema import Schema
from s2auc.data.sources.finite import check_finite
from s2auc.data.sources.rows import Rows, count_rows, stack_rows
from s2auc.data.sources.source import Result, RowsOfAnother, RowSource
from s2auc.data.sources.sparse_structure import checked_structure
from s2auc.data.sparse import SparseRows


class SelectedRows(RowsOfAnother):
    """Some rows of another source, by their numbers in ascending order."""

    def __init__(self, source: RowSource, numbers: IndexArray) -> None:
        if np.any(np.diff(numbers) <= 0) or (len(numbers) and not 0 <= numbers[0] <= numbers[-1] < source.n_rows):
            raise ValueError(
                f"The numbers of selected rows must rise, each once, from 0 to {source.n_rows - 1}. Got others; sort "
                "them, and leave out those that are not there."
            )
        super().__init__(source)
        self.numbers = numbers

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.numbers)

    def announce(self, numbers: IndexArray) -> None:
        """Tell which rows will be gathered."""
        self.source.announce(self.numbers[numbers])

    def gather(self, numbers: IndexArray) -> Rows:
        """Return the rows with these numbers."""
        return self.source.gather(self.numbers[numbers])

    def map_chunks(self, work: Callable[[Rows, int], Result], chunk_rows: int) -> Iterator[Result]:
        """Yield work(rows, number of the first of them), in order: one pass over the other source."""
        # Rows that are not selected are passed over, so that rows are never asked for one by one.
        for result in self.source.map_chunks(partial(_work_on_selected, self.numbers, work), chunk_rows):
            if result is not None:
                yield result[0]


class ChainedRows(RowSource):
    """The rows of one source, then those of another with the same columns."""

    def __init__(self, head: RowSource, tail: RowSource) -> None:
        self.head, self.tail = head, tail

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return self.head.n_rows + self.tail.n_rows

    @property
    def schema(self) -> Schema:
        """What the columns are."""
        return self.head.schema

    @property
    def is_read_whole(self) -> bool:
        """Whether some rows can only be had by reading all of them."""
        return self.head.is_read_whole or self.tail.is_read_whole

    @property
    def origin(self) -> tuple[str, ...] | None:
        """What tells these rows from all others, if known of both."""
        head, tail = self.head.origin, self.tail.origin
        return None if head is None or tail is None else (*head, *tail)

    @property
    def crew(self) -> Crew | None:
        """Who works where the rows are, those of one of both at least."""
        return self.head.crew or self.tail.crew

    def announce(self, numbers: IndexArray) -> None:
        """Tell which rows will be gathered."""
        in_head = numbers < self.head.n_rows
        self.head.announce(numbers[in_head])
        self.tail.announce(numbers[~in_head] - self.head.n_rows)

    def gather(self, numbers: IndexArray) -> Rows:
        """Return the rows with these numbers."""
        in_head = numbers < self.head.n_rows
        parts = [self.head.gather(numbers[in_head]), self.tail.gather(numbers[~in_head] - self.head.n_rows)]
        # Where each row went, to bring them back into order.
        place = np.empty(len(numbers), dtype=np.intp)
        place[np.concatenate([np.flatnonzero(in_head), np.flatnonzero(~in_head)])] = np.arange(len(numbers))
        return stack_rows(parts)[place]

    def map_chunks(self, work: Callable[[Rows, int], Result], chunk_rows: int) -> Iterator[Result]:
        """Yield work(rows, number of the first of them), in order."""
        yield from self.head.map_chunks(work, chunk_rows)
        yield from self.tail.map_chunks(partial(_work_on_later, self.head.n_rows, work), chunk_rows)


class FiniteRows(RowsOfAnother):
    """The rows of another source, searched for NaN and infinity, and sparse ones for faults, as they are read.

    Parameters
    ----------
    source
        Where the rows come from.
    name
        What to call them in an error.
    allows_missing
        Whether NaN may stand for a missing value.
    """

    def __init__(self, source: RowSource, name: str, *, allows_missing: bool = False) -> None:
        super().__init__(source)
        self._rule = _FiniteRule(name, source.schema, allows_missing, is_sound=isinstance(source, SparseRows))

    def gather(self, numbers: IndexArray) -> Rows:
        """Return the rows with these numbers."""
        return self._rule.checked(self.source.gather(numbers), numbers)

    def map_chunks(self, work: Callable[[Rows, int], Result], chunk_rows: int) -> Iterator[Result]:
        """Yield work(rows, number of the first of them), in order."""
        # The rule travels to where the rows are, this object, which holds them, does not.
        return self.source.map_chunks(partial(_work_on_checked, self._rule, work), chunk_rows)

    def mapped(
        self, work: Callable[[Rows, int], AnyArray], shape: tuple[int, ...] = (), dtype: Any = np.float64
    ) -> Any:
        """Return a lazy array of work over all rows, where they are on other machines."""
        return self.source.mapped(partial(_work_on_checked, self._rule, work), shape, dtype)


@dataclass(frozen=True)
class _FiniteRule:
    """What `FiniteRows` asks of rows."""

    name: str
    schema: Schema
    allows_missing: bool
    is_sound: bool  # the structure of sparse rows was checked where they come from

    def checked(self, rows: Rows, numbers: IndexArray) -> Rows:
        """Return the rows, or raise a ValueError that names the first one that is not finite."""
        if not self.is_sound:
            rows = checked_structure(rows, self.name)
        check_finite(rows, self.schema, self.name, allows_missing=self.allows_missing, numbers=numbers)
        return rows


def _work_on_checked(rule: _FiniteRule, work: Callable[[Rows, int], Result], rows: Rows, first: int) -> Result:
    return work(rule.checked(rows, np.arange(first, first + count_rows(rows))), first)


def _work_on_selected(
    numbers: IndexArray, work: Callable[[Rows, int], Result], rows: Rows, first: int
) -> tuple[Result] | None:
    """Return what the work makes of the selected rows of a chunk, in a tuple; None where there are none."""
    place, end = np.searchsorted(numbers, [first, first + count_rows(rows)])
    return (work(rows[numbers[place:end] - first], int(place)),) if end > place else None


def _work_on_later(n_before: int, work: Callable[[Rows, int], Result], rows: Rows, first: int) -> Result:
    return work(rows, n_before + first)
