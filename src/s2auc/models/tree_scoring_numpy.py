"""Sums of leaf values in NumPy, where the compiled extension is absent or not wanted; see `tree_scoring`."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from s2auc.common.arrays import FloatArray, IndexArray
from s2auc.models.parts.trees.tables import TreeTables

BLOCK_ROWS = 2**14
"""Rows that go down a tree together."""

STEPS = 4
"""Steps before those rows leave that have arrived."""


def summing_of(tables: TreeTables, n_columns: int) -> Callable[[NDArray[np.float32], FloatArray], None]:
    """Return what writes the sums of rows of so many columns."""
    # Indices of this type are used as they are, others are copied first.
    column, right = tables.column.astype(np.intp), tables.right.astype(np.intp)

    def leaves(root: int, rows: NDArray[np.float32]) -> IndexArray:
        values, numbers = rows.ravel(), np.arange(len(rows))
        arrived = np.empty(len(rows), dtype=np.intp)
        node = np.full(len(rows), root, dtype=np.intp)
        while len(numbers):
            start = numbers * n_columns
            for _ in range(STEPS):
                is_left = values.take(start + column.take(node)) <= tables.threshold.take(node)
                node = np.where(is_left, node + 1, right.take(node))
            arrived[numbers] = node
            is_walking = right.take(node) != node
            numbers, node = numbers[is_walking], node[is_walking]
        return arrived

    def write_sums(rows: NDArray[np.float32], out: FloatArray) -> None:
        out[:] = 0.0
        for first in range(0, len(rows), BLOCK_ROWS):
            block = slice(first, first + BLOCK_ROWS)
            for root in tables.first:
                out[block] += tables.value.take(leaves(int(root), rows[block]))

    return write_sums
