"""The columns of a table as users know them, and rows in which some of them hold something else.

A column of dates or of text is several columns of a model: they are shuffled, and told of, together.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy.sparse import csc_array, csr_array, hstack

from s2auc.common.arrays import FloatArray, IndexArray, is_sparse
from s2auc.data.schema.schema import Level, Schema
from s2auc.data.sources.rows import Rows, dense_rows


@dataclass(frozen=True)
class SourceColumn:
    """A column of a table.

    Attributes
    ----------
    name
        What it is called.
    first, last
        The columns of the model that come from it: from the first on, up to the last, which is not one of them.
    is_categorical, levels
        Whether it holds categories, and which; None where numbers stand for themselves.
    parts
        The parts of dates that the columns of the model are, if it holds dates.
    is_text
        Whether it holds text.
    """

    name: str
    first: int
    last: int
    is_categorical: bool = False
    levels: tuple[Level, ...] | None = None
    parts: tuple[str, ...] = ()
    is_text: bool = False


def source_columns(schema: Schema) -> list[SourceColumn]:
    """Return the columns of the table that a model reads, in their order.

    Examples
    --------
    >>> [column.name for column in source_columns(Schema(2, {}))]
    ['column 0', 'column 1']
    """
    learnt = schema.columns()
    ends = np.cumsum([0, *(column.n_columns for column in learnt)]).tolist()
    prefix = "column " if schema.names is None else ""
    return [
        SourceColumn(
            f"{prefix}{column.name}",
            *span,
            column.is_categorical,
            column.levels,
            column.parts,
            column.text is not None,
        )
        for column, span in zip(learnt, pairwise(ends), strict=True)
    ]


def with_columns(rows: Rows, first: int, values: FloatArray) -> Rows:
    """Return rows with other values in some columns that stand side by side, sparse if the rows are.

    Examples
    --------
    >>> with_columns(np.zeros((2, 3)), 1, np.array([[5.0], [7.0]])).tolist()
    [[0.0, 5.0, 0.0], [0.0, 7.0, 0.0]]
    """
    last = first + values.shape[1]
    if is_sparse(rows):
        by_columns = csc_array(rows)
        parts = [by_columns[:, :first], csc_array(values), by_columns[:, last:]]
        return csr_array(hstack([part for part in parts if part.shape[1]], format="csr"))
    changed = rows.copy()
    changed[:, first:last] = values
    return changed


def shuffled(rows: Rows, column: SourceColumn, order: IndexArray) -> Rows:
    """Return rows in which a column is put into another order, all that comes from it together."""
    values = dense_rows(rows[:, column.first : column.last])
    return with_columns(rows, column.first, values[order])


def repeated(rows: Rows, first: int, values: FloatArray) -> Rows:
    """Return rows in which a column holds one value everywhere, once for each value."""
    n_rows = rows.shape[0]
    numbers = np.tile(np.arange(n_rows), len(values))
    return with_columns(rows[numbers], first, np.repeat(values, n_rows)[:, None])
