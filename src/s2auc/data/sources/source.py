"""The interface of sources of rows, which may be in memory, in files, or in partitions on other machines."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from functools import cached_property, partial
from typing import Any, TypeVar

import numpy as np

from s2auc.common.arrays import AnyArray, IndexArray
from s2auc.common.storage.opened_files import OpenedFile
from s2auc.common.threads import Crew
from s2auc.data.schema.schema import Schema
from s2auc.data.sources.rows import Rows, count_rows

Result = TypeVar("Result")


class RowSource(ABC):
    """Rows that may be too many to hold at once, or live elsewhere.

    A source knows its size and its columns. Rows come out in float64, dense or as CSR (`data.sources.rows`), in one of
    two ways: some of them by number, or all of them in order, some at a time. Both must be a single pass where rows
    can only be read one after the other.
    """

    schema: Schema
    """What the columns are: how many, their names if they have any, their categories."""

    @cached_property
    def n_rows(self) -> int:
        """Number of rows; an attribute where it is known from the start."""
        raise NotImplementedError

    @property
    def n_columns(self) -> int:
        """Number of columns."""
        return self.schema.n_columns

    is_read_whole: bool = False
    """Whether some rows can only be had by reading all of them: then `announce` saves passes."""

    origin: tuple[OpenedFile, ...] | None = None
    """The files that the rows come from, whose content tells them from all others; None if unknown."""

    crew: Crew | None = None
    """Who works where the rows are, if they are on other machines; None if this process does."""

    def announce(self, numbers: IndexArray) -> None:  # noqa: B027 most sources need not be told
        """Tell which rows will be gathered, before any is: sources that can only be read whole do so in one pass."""

    @abstractmethod
    def gather(self, numbers: IndexArray) -> Rows:
        """Return the rows with these numbers, in this order; a number may occur more than once."""

    @abstractmethod
    def map_chunks(self, work: Callable[[Rows, int], Result], chunk_rows: int) -> Iterator[Result]:
        """Yield work(rows, number of the first of them) for all rows, in order, about `chunk_rows` at a time.

        The work is done where the rows are, so it must be something that pickles; what it returns is what travels.
        """

    def mapped(self, work: Callable[[Rows, int], AnyArray], shape: tuple[int, ...], dtype: Any) -> Any:
        """Return a lazy array of work(rows, number of the first) over all rows; None where this process reads them.

        Parameters
        ----------
        work
            As for `map_chunks`; it returns an array with one result a row.
        shape, dtype
            Of one result.
        """
        return None

    def scan(self, chunk_rows: int) -> Iterator[Rows]:
        """Yield all rows in order, some at a time."""
        return self.map_chunks(_rows_alone, chunk_rows)


class RowsOfAnother(RowSource):
    """Base of sources that show the rows of another one: as many, with its columns, unless they say otherwise."""

    def __init__(self, source: RowSource) -> None:
        self.source, self.schema = source, source.schema
        self.is_read_whole, self.origin, self.crew = source.is_read_whole, source.origin, source.crew

    @cached_property
    def n_rows(self) -> int:
        """Number of rows, which may take reading them."""
        return self.source.n_rows

    def announce(self, numbers: IndexArray) -> None:
        """Tell which rows will be gathered."""
        self.source.announce(numbers)

    def map_chunks(self, work: Callable[[Rows, int], Result], chunk_rows: int) -> Iterator[Result]:
        """Yield work(rows, number of the first of them), in order."""
        return self.source.map_chunks(work, chunk_rows)

    def mapped(self, work: Callable[[Rows, int], AnyArray], shape: tuple[int, ...], dtype: Any) -> Any:
        """Return a lazy array of work over all rows, where they are on other machines."""
        return self.source.mapped(work, shape, dtype)


class ConvertedRows(RowsOfAnother):
    """The rows of another source after a conversion, which is done where they are.

    Parameters
    ----------
    source
        Where the rows come from.
    convert
        From rows and their numbers to other rows: something that pickles. This object, which holds them, does not.
    """

    def __init__(self, source: RowSource, convert: Callable[[Rows, IndexArray], Rows]) -> None:
        super().__init__(source)
        self._convert = convert

    def gather(self, numbers: IndexArray) -> Rows:
        """Return the rows with these numbers."""
        return self._convert(self.source.gather(numbers), numbers)

    def map_chunks(self, work: Callable[[Rows, int], Result], chunk_rows: int) -> Iterator[Result]:
        """Yield work(rows, number of the first of them), in order."""
        return super().map_chunks(partial(_work_on_converted, self._convert, work), chunk_rows)

    def mapped(self, work: Callable[[Rows, int], AnyArray], shape: tuple[int, ...], dtype: Any) -> Any:
        """Return a lazy array of work over all rows, where they are on other machines."""
        return super().mapped(partial(_work_on_converted, self._convert, work), shape, dtype)


def _work_on_converted(
    convert: Callable[[Rows, IndexArray], Rows], work: Callable[[Rows, int], Result], rows: Rows, first: int
) -> Result:
    return work(convert(rows, np.arange(first, first + count_rows(rows))), first)


def _rows_alone(rows: Rows, first: int) -> Rows:  # noqa: ARG001 one signature for all work
    return rows
