"""Sources made of others: some of their rows, two in a row, and rows that are read once."""

from abc import abstractmethod
from collections.abc import Callable, Iterator
from functools import cached_property, partial

import numpy as np

from s2auc.common.arrays import IndexArray
from s2auc.common.storage.opened_files import OpenedFile
from s2auc.data.sources.rows import Rows, count_rows, stack_rows
from s2auc.data.sources.source import Result, RowsOfAnother, RowSource


class _SomeRows(RowsOfAnother):
    """Some rows of another source, which a few numbers tell: ascending, each once."""

    def __init__(self, source: RowSource, numbers: IndexArray) -> None:
        super().__init__(source)
        self.numbers = numbers

    @abstractmethod
    def _in_source(self, numbers: IndexArray) -> IndexArray:
        """Return the numbers of rows in the other source."""

    @staticmethod
    @abstractmethod
    def _in_chunk(numbers: IndexArray, rows: Rows, first: int) -> tuple[Rows, int]:
        """Return the rows of a chunk of the other source, and the number here of the first."""

    def announce(self, numbers: IndexArray) -> None:
        """Tell which rows will be gathered."""
        self.source.announce(self._in_source(numbers))

    def gather(self, numbers: IndexArray) -> Rows:
        """Return the rows with these numbers."""
        return self.source.gather(self._in_source(np.asarray(numbers)))

    def map_chunks(self, work: Callable[[Rows, int], Result], chunk_rows: int) -> Iterator[Result]:
        """Yield work(rows, number of the first of them), in order: one pass over the other source."""
        # Other rows are passed over, so that rows are never asked for one by one.
        on_chunk = partial(_work_on_some, partial(self._in_chunk, self.numbers), work)
        return (result[0] for result in self.source.map_chunks(on_chunk, chunk_rows) if result is not None)

    def mapped(self, *_: object) -> None:
        """Return that some rows are not mapped."""


def _work_on_some(
    in_chunk: Callable[[Rows, int], tuple[Rows, int]], work: Callable[[Rows, int], Result], rows: Rows, first: int
) -> tuple[Result] | None:
    """Return what the work makes of some rows of a chunk, in a tuple; None where there are none."""
    some, place = in_chunk(rows, first)
    return (work(some, place),) if count_rows(some) else None


class SelectedRows(_SomeRows):
    """Some rows of another source, by their numbers in ascending order."""

    def __init__(self, source: RowSource, numbers: IndexArray) -> None:
        if np.any(np.diff(numbers) <= 0) or (len(numbers) and not 0 <= numbers[0] <= numbers[-1] < source.n_rows):
            rule = f"must rise, each once, from 0 to {source.n_rows - 1}"
            raise ValueError(f"The numbers of selected rows {rule}. Got others; sort them, and leave out strange ones.")
        super().__init__(source, numbers)
        self.n_rows = len(numbers)

    def _in_source(self, numbers: IndexArray) -> IndexArray:
        return self.numbers[numbers]

    @staticmethod
    def _in_chunk(numbers: IndexArray, rows: Rows, first: int) -> tuple[Rows, int]:
        place, end = np.searchsorted(numbers, [first, first + count_rows(rows)])
        return rows[numbers[place:end] - first], int(place)


def numbers_beside(left_out: IndexArray, numbers: IndexArray) -> IndexArray:
    """Turn numbers among the rows that are not left out into numbers among all.

    Parameters
    ----------
    left_out
        Numbers of the rows that are left out, ascending, each once.
    numbers
        Numbers among the others.

    Examples
    --------
    >>> numbers_beside(np.array([0, 3]), np.array([0, 1, 2])).tolist()
    [1, 2, 4]
    """
    return numbers + np.searchsorted(left_out - np.arange(len(left_out)), numbers, side="right")


class ExcludedRows(_SomeRows):
    """All rows of another source but those with some numbers, ascending, each once: no list of the others is made."""

    @cached_property
    def n_rows(self) -> int:
        """Number of rows, which may take reading them."""
        return self.source.n_rows - len(self.numbers)

    def _in_source(self, numbers: IndexArray) -> IndexArray:
        return numbers_beside(self.numbers, numbers)

    @staticmethod
    def _in_chunk(numbers: IndexArray, rows: Rows, first: int) -> tuple[Rows, int]:
        place, end = np.searchsorted(numbers, [first, first + count_rows(rows)])
        if place == end:
            return rows, first - int(place)
        is_kept = np.ones(count_rows(rows), dtype=bool)
        is_kept[numbers[place:end] - first] = False
        return rows[is_kept], first - int(place)


class ChainedRows(RowSource):
    """The rows of one source, then those of another with the same columns."""

    def __init__(self, head: RowSource, tail: RowSource) -> None:
        self.head, self.tail, self.schema = head, tail, head.schema
        self.is_read_whole = head.is_read_whole or tail.is_read_whole
        self.origin = None if head.origin is None or tail.origin is None else (*head.origin, *tail.origin)
        self.crew = head.crew or tail.crew

    @cached_property
    def n_rows(self) -> int:
        """Number of rows, which may take reading them."""
        return self.head.n_rows + self.tail.n_rows

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
        return stack_rows(parts)[np.argsort(np.argsort(~in_head, kind="stable"))]

    def map_chunks(self, work: Callable[[Rows, int], Result], chunk_rows: int) -> Iterator[Result]:
        """Yield work(rows, number of the first of them), in order."""
        yield from self.head.map_chunks(work, chunk_rows)
        yield from self.tail.map_chunks(partial(_work_on_later, self.head.n_rows, work), chunk_rows)


class GatheredRows(RowsOfAnother):
    """Another source, some of whose rows have been gathered: it is asked for others only.

    Parameters
    ----------
    source
        Where the rows come from.
    numbers, rows
        The numbers of those that are at hand, ascending, and these.

    Examples
    --------
    >>> from s2auc.data.sources.matrix_rows import DenseRows
    >>> at_hand = GatheredRows(DenseRows(np.zeros((10, 1))), np.array([2, 7]), np.array([[2.0], [7.0]]))
    >>> at_hand.gather(np.array([7, 2])).tolist(), at_hand.gather(np.array([3])).tolist()
    ([[7.0], [2.0]], [[0.0]])
    """

    def __init__(self, source: RowSource, numbers: IndexArray, rows: Rows) -> None:
        super().__init__(source)
        self._numbers, self._rows = numbers, rows

    def gather(self, numbers: IndexArray) -> Rows:
        """Return the rows with these numbers."""
        if not np.isin(numbers, self._numbers).all():
            return self.source.gather(numbers)
        return self._rows[np.searchsorted(self._numbers, numbers)]


class ScannedOnce(RowsOfAnother):
    """Another source, each of whose rows is read at most once where it is told before which rows will be gathered.

    The first `gather` reads all announced rows in one pass and keeps them; later ones take them from there. Rows that
    were never announced cost a pass of their own.

    Examples
    --------
    >>> from s2auc.data.sources.matrix_rows import DenseRows
    >>> rows = ScannedOnce(DenseRows(np.arange(10.0)[:, None]))
    >>> rows.announce(np.array([7, 2]))
    >>> rows.gather(np.array([2, 2])).tolist(), rows.gather(np.array([7])).tolist()
    ([[2.0], [2.0]], [[7.0]])
    """

    def __init__(self, source: RowSource, origin: tuple[OpenedFile, ...] | None = None) -> None:
        super().__init__(source)
        self.is_read_whole, self.origin = True, origin
        self._announced = self._numbers = np.zeros(0, dtype=np.intp)
        self._at_hand: RowSource = source

    def announce(self, numbers: IndexArray) -> None:
        """Tell which rows will be gathered."""
        self._announced = np.union1d(self._announced, numbers).astype(np.intp)

    def gather(self, numbers: IndexArray) -> Rows:
        """Return the rows with these numbers."""
        if len(np.setdiff1d(numbers, self._numbers)):
            self._numbers = np.union1d(self._announced, np.union1d(numbers, self._numbers)).astype(np.intp)
            self._at_hand = GatheredRows(self.source, self._numbers, self.source.gather(self._numbers))
        return self._at_hand.gather(np.asarray(numbers, dtype=np.intp))


def _work_on_later(n_before: int, work: Callable[[Rows, int], Result], rows: Rows, first: int) -> Result:
    return work(rows, n_before + first)
