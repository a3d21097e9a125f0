"""Dask arrays as rows and labels: blocks of rows are the partitions."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import isnan
from typing import Any

import numpy as np

from s2auc.common.arrays import AnyArray
from s2auc.data.schema.schema import Schema
from s2auc.data.sources.matrix_rows import open_source
from s2auc.data.sources.source import Result, RowSource
from s2auc.data.tables.lazy_table import LabelColumn, LazyRows
from s2auc.data.tables.schema_learner import matrix_schema
from s2auc.distributed.crew import Parts
from s2auc.distributed.rows import DaskRows


class _Blocks:
    """The blocks of an array along its rows.

    Parameters
    ----------
    array
        The array; blocks of columns are put together.
    """

    def __init__(self, array: Any) -> None:
        whole = array if array.ndim == 1 or len(array.chunks[1]) == 1 else array.rechunk({1: -1})
        self.parts = Parts(whole.to_delayed().ravel().tolist())
        known = whole.chunks[0]
        self._lengths: Sequence[int] | None = None if any(map(isnan, known)) else known

    def lengths(self, may_read: bool = True) -> Sequence[int] | None:
        """Return how many rows each block has, measured by the workers if nobody knows and that is allowed."""
        if self._lengths is None and may_read:
            self._lengths = list(self.parts.map("measure", lambda block, _: int(block.shape[0])))
        return self._lengths

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return sum(self.lengths() or ())


class DaskMatrix(LazyRows):
    """The columns of a Dask array, which have no names and mean what those of an array mean.

    Parameters
    ----------
    array
        The array, of two dimensions.
    """

    def __init__(self, array: Any) -> None:
        self._blocks = _Blocks(array)
        self.n_columns = int(array.shape[1])

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return self._blocks.n_rows

    def learn_schema(
        self,
        categorical_features: str | Sequence[str | int] | None,
        pool: LazyRows | None = None,  # noqa: ARG002 numbers mean the same in any table
    ) -> Schema:
        """Return what the columns mean."""
        if not self.n_rows:
            raise ValueError(f"X must have rows to learn from. Got an array of {self.n_columns} columns without any.")
        return matrix_schema(self.n_columns, categorical_features)

    def open(self, schema: Schema, display_name: str = "X") -> RowSource:
        """Return the rows by the columns that a schema knows, which go by their place."""
        schema.of_matrix(np.zeros((0, self.n_columns)), display_name)
        opened = self._blocks.parts.read_by(partial(_open_block, schema, display_name))
        return DaskRows(opened, self._blocks.lengths, schema)


class DaskVector(LabelColumn):
    """The labels of a Dask array of one dimension."""

    def __init__(self, array: Any) -> None:
        self._blocks = _Blocks(array)

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return self._blocks.n_rows

    def chunks(self) -> Iterator[AnyArray]:
        """Yield the labels in order, a block at a time."""
        return self.map_chunks(lambda labels: labels)

    def map_chunks(self, work: Callable[[AnyArray], Result]) -> Iterator[Result]:
        """Yield work(labels) for all labels, in order, done by the workers."""
        return self._blocks.parts.map("labels", lambda block, _: work(block))


def _open_block(schema: Schema, display_name: str, block: Any, place: int) -> RowSource:
    if block.ndim != 2 or block.shape[1] not in (schema.n_sources, schema.n_passed):
        raise ValueError(
            f"Partitions of {display_name} must have its {schema.n_columns} columns. Got shape {block.shape} in "
            f"partition {place}; make blocks alike."
        )
    return open_source(schema.of_matrix(block, display_name), display_name, schema)
