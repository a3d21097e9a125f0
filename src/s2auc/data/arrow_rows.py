"""Rows of columns that Arrow reads: gathered in one sequential scan, or chunk by chunk."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Any, TypeVar

import numpy as np

from s2auc.common.arrays import FloatArray, IndexArray
from s2auc.data.arrow_columns import batch_columns
from s2auc.data.arrow_pieces import BATCH_ROWS, ArrowColumns, load_pyarrow
from s2auc.data.rows import Rows
from s2auc.data.schema import Schema
from s2auc.data.source import Result, RowSource

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
    called
        What errors call the table.
    """

    def __init__(self, columns: ArrowColumns, names: Sequence[str], schema: Schema, called: str = "X") -> None:
        self._columns, self._names, self._schema, self._called = columns, list(names), schema, called
        # No rows are enough to see whether the types are those that were learnt.
        self._encode(_empty_batch(columns, self._names))

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return self._columns.n_rows

    @property
    def schema(self) -> Schema:
        """What the columns are."""
        return self._schema

    def gather(self, numbers: IndexArray) -> FloatArray:
        """Return the rows with these numbers: one pass over the pieces that hold some of them."""
        wanted, place = np.unique(np.asarray(numbers, dtype=np.intp), return_inverse=True)
        found = np.empty((len(wanted), self.n_columns))
        first = n_found = 0
        for piece in self._columns.pieces:
            end = int(np.searchsorted(wanted, first + piece.n_rows))
            if end > n_found:
                self._gather_piece(piece, wanted[n_found:end] - first, found[n_found:end])
            n_found, first = end, first + piece.n_rows
        return found[place]

    def map_chunks(self, work: Callable[[Rows, int], Result], chunk_rows: int) -> Iterator[Result]:
        """Yield work(rows, number of the first of them), in order, for just so many rows at a time."""
        first = 0
        for rows in one_ahead(self._chunks(chunk_rows)):
            yield work(rows, first)
            first += len(rows)

    def _gather_piece(self, piece: Any, wanted: IndexArray, found: FloatArray) -> None:
        """Fill in the rows of a piece with these numbers, which rise, and read no further than the last."""
        first = n_found = 0
        for batch in piece.batches(self._names, BATCH_ROWS):
            end = int(np.searchsorted(wanted, first + batch.num_rows))
            if end > n_found:
                found[n_found:end] = self._encode(batch.take(load_pyarrow().array(wanted[n_found:end] - first)))
            n_found, first = end, first + batch.num_rows
            if n_found == len(wanted):
                return

    def _chunks(self, chunk_rows: int) -> Iterator[FloatArray]:
        n_left = self.n_rows
        chunk, n_filled = np.empty((min(chunk_rows, n_left), self.n_columns)), 0
        for batch in self._columns.batches(self._names, min(chunk_rows, BATCH_ROWS)):
            first = 0
            while first < batch.num_rows:
                part = batch.slice(first, len(chunk) - n_filled)
                self._encode(part, chunk[n_filled : n_filled + part.num_rows])
                first, n_filled = first + part.num_rows, n_filled + part.num_rows
                if n_filled == len(chunk):
                    yield chunk
                    n_left -= n_filled
                    chunk, n_filled = np.empty((min(chunk_rows, n_left), self.n_columns)), 0

    def _encode(self, batch: Any, into: FloatArray | None = None) -> FloatArray:
        return self._schema.encode(batch_columns(batch, self._called), batch.num_rows, into)


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


def _empty_batch(columns: ArrowColumns, names: Sequence[str]) -> Any:
    pyarrow = load_pyarrow()
    fields = [columns.schema.field(name) for name in names]
    arrays = [pyarrow.array([], field.type) for field in fields]
    return pyarrow.RecordBatch.from_arrays(arrays, schema=pyarrow.schema(fields))
