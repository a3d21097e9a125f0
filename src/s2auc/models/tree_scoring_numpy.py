"""Sums of leaf values in NumPy, where the compiled extension is absent or not wanted; `tree_scoring` says what they mean."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from s2auc.common.arrays import FloatArray
from s2auc.models.tree_tables import TreeTables

BLOCK_ROWS = 4096
"""Rows that go down a tree together."""


def summing_of(tables: TreeTables, n_columns: int) -> Callable[[NDArray[np.float32], FloatArray], None]:  # noqa: ARG001
    """Return what writes the sums of rows."""

    def write_sums(rows: NDArray[np.float32], out: FloatArray) -> None:
        for first in range(0, len(rows), BLOCK_ROWS):
            block = slice(first, first + BLOCK_ROWS)
            out[block] = _sums(tables, rows[block])

    return write_sums


def _sums(tables: TreeTables, rows: NDArray[np.float32]) -> FloatArray:
    numbers, sums = np.arange(len(rows)), np.zeros(len(rows))
    for root in tables.first:
        node, before = np.full(len(rows), root), np.full(len(rows), -1)
        while not np.array_equal(node, before):
            is_left = rows[numbers, tables.column[node]] <= tables.threshold[node]
            node, before = np.where(is_left, node + 1, tables.right[node]), node
        sums += tables.value[node]
    return sums
