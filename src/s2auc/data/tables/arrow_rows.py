"""Rows of columns that Arrow reads: gathered in one sequential scan, or chunk by chunk."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import cached_property, partial
from operator import add
from typing import Any, TypeVar

import numpy as np

from s2auc.common.arrays import FloatArray, IndexArray
from s2auc.common.lazy_modules import pa
from s2auc.data.schema.arrow_columns import ArrowColumn
from s2auc.data.schema.column_names import display_column
from s2auc.data.schema.schema import Schema
from s2auc.data.sources.rows import Rows
from s2auc.data.sources.source import Result, RowSource
from s2auc.data.tables.pieces import BATCH_ROWS, ArrowColumns, regroup, without_views

Item = TypeVar("Item")


class ArrowRows(RowSource):
    """Rows by the columns of a schema.

    Parameters
    ----------
    columns
        Where they are.
    names
        The names there of the columns that the schema reads, in its order.
    schema
        What these are.
    display_name
        What errors call the table.
    reads_all
        Whether cells that cannot be read are missing, instead of errors.
    """

    def __init__(
        self,
        columns: ArrowColumns,
        names: Sequence[str],
        schema: Schema,
        display_name: str = "X",
        *,
        reads_all: bool = False,
    ) -> None:
        self._columns, self._names, self.schema = columns, list(names), schema
        self._display_name = [display_column(name, display_name, named=schema.names is not None) for name in names]
        self._reads_all = reads_all
        self._readings = [column.reading for column in schema.columns()]
        # No rows are enough to see whether the types are those that were learnt.
        self._encode(without_views(columns.no_rows(names)), np.empty((0, self.n_columns)), int)

    @cached_property
    def n_rows(self) -> int:
        """Number of rows, which may take opening files."""
        return self._columns.n_rows

    def gather(self, numbers: IndexArray) -> FloatArray:
        """Return the rows with these numbers: one pass over the pieces that hold some of them."""
        distinct, place = np.unique(np.asarray(numbers, dtype=np.intp), return_inverse=True)
        found = np.empty((len(distinct), self.n_columns))
        for some, batch in taken_batches(self._columns, self._names, distinct):
            self._encode(batch, found[some], distinct[some].item)
        return found[place]

    def map_chunks(self, work: Callable[[Rows, int], Result], chunk_rows: int) -> Iterator[Result]:
        """Yield work(rows, number of the first of them), in order, for just so many rows at a time."""
        first = 0
        for rows in one_ahead(self._chunks(chunk_rows)):
            yield work(rows, first)
            first += len(rows)

    def _chunks(self, chunk_rows: int) -> Iterator[FloatArray]:
        first = 0
        for group in regroup(self._columns.batches(self._names, min(chunk_rows, BATCH_ROWS)), chunk_rows):
            chunk, end = np.empty((sum(batch.num_rows for batch in group), self.n_columns)), 0
            for batch in group:
                start, end = end, end + batch.num_rows
                self._encode(batch, chunk[start:end], partial(add, first + start))
            yield chunk
            first += end

    def _encode(self, batch: Any, into: FloatArray, row_of: Callable[[int], int]) -> None:
        columns = (
            ArrowColumn(array, name, reading, row_of, self._reads_all)
            for name, array, reading in zip(self._display_name, batch.columns, self._readings, strict=True)
        )
        self.schema.encode(columns, into)


def taken_batches(columns: ArrowColumns, names: Sequence[str], numbers: IndexArray) -> Iterator[tuple[slice, Any]]:
    """Yield record batches of the rows with some numbers, ascending, each once, with the places of these numbers."""
    next_piece = 0
    for piece in columns.pieces:
        first, next_piece = next_piece, next_piece + piece.n_rows
        start, end = np.searchsorted(numbers, [first, next_piece])
        for batch in piece.batches(names, BATCH_ROWS) if start < end else ():
            stop = np.searchsorted(numbers, first + batch.num_rows)
            if start < stop:
                yield slice(start, stop), batch.take(pa.array(numbers[start:stop] - first))
            start, first = stop, first + batch.num_rows
            if start == end:
                break


def one_ahead(items: Iterator[Item]) -> Iterator[Item]:
    """Yield the items in order, each of which is made by a thread of its own while the one before is in use.

    Examples
    --------
    >>> list(one_ahead(iter([1, 2])))
    [1, 2]
    """
    nothing: Any = object()
    context = copy_context()  # which holds the limit on threads

    def following() -> Any:
        return context.run(next, items, nothing)

    with ThreadPoolExecutor(1, thread_name_prefix="ahead") as executor:
        coming = executor.submit(following)
        while (item := coming.result()) is not nothing:
            coming = executor.submit(following)
            yield item
