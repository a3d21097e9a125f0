"""Rows of weighted terms: the text columns of a table as the vocabularies of its schema see them."""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from scipy.sparse import csr_array, hstack

from s2auc.common.arrays import IndexArray
from s2auc.data.schema.arrow_columns import ArrowColumn
from s2auc.data.schema.column_names import display_column
from s2auc.data.schema.schema import Schema
from s2auc.data.sources.rows import Rows, stack_rows
from s2auc.data.sources.source import Result, RowSource
from s2auc.data.tables.arrow_rows import taken_batches
from s2auc.data.tables.pieces import ArrowColumns


class TermRows(RowSource):
    """Rows with a column for each term of each text column, in the order of a schema.

    Parameters
    ----------
    columns
        Where they are.
    names
        The names there of the columns that the schema reads, in its order.
    schema
        The schema of the table.
    display_name
        What errors call the table.
    """

    def __init__(self, columns: ArrowColumns, names: Sequence[str], schema: Schema, display_name: str = "X") -> None:
        texts = [
            (name, column.text) for name, column in zip(names, schema.columns(), strict=True) if column.text is not None
        ]
        self._columns, self._names = columns, [name for name, _ in texts]
        self._vocabularies = [encoding.vocabulary for _, encoding in texts]
        self._display_names = [display_column(name, display_name) for name in self._names]
        self.schema = Schema(sum(vocabulary.n_terms for vocabulary in self._vocabularies), {})

    @cached_property
    def n_rows(self) -> int:
        """Number of rows, which may take opening files."""
        return self._columns.n_rows

    def gather(self, numbers: IndexArray) -> Rows:
        """Return the rows with these numbers: one pass over the pieces that hold some of them."""
        distinct, place = np.unique(np.asarray(numbers, dtype=np.intp), return_inverse=True)
        taken = taken_batches(self._columns, self._names, distinct)
        blocks: list[Rows] = [csr_array((0, self.n_columns)), *(self._terms(batch) for _, batch in taken)]
        return stack_rows(blocks)[place]

    def map_chunks(self, work: Callable[[Rows, int], Result], chunk_rows: int) -> Iterator[Result]:
        """Yield work(rows, number of the first of them), in order."""
        first = 0
        for batch in self._columns.batches(self._names, chunk_rows):
            yield work(self._terms(batch), first)
            first += batch.num_rows

    def _terms(self, batch: Any) -> Rows:
        columns = map(ArrowColumn, batch.columns, self._display_names)
        found = [
            vocabulary.rows(column.texts()) for vocabulary, column in zip(self._vocabularies, columns, strict=True)
        ]
        return csr_array(hstack(found, format="csr"))
