"""Sums over trees of the values of the leaves that rows arrive at, by the compiled extension or by NumPy.

Both give the same bits: a walk only compares, and the values are added in float64 in the order of the trees. A row is
the same computation wherever it stands, so its sum depends neither on the rows that come with it nor on the number of
threads. A row with NaN has NaN for a sum, and no other row notices.
"""

from collections.abc import Callable
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from s2auc.common.arrays import FloatArray, IndexArray
from s2auc.common.threads import for_each, n_threads
from s2auc.kernels.instruction_sets import choose_instruction_set
from s2auc.models.parts.trees.tables import TreeTables

try:
    import s2auc.models.parts.trees._trees as _trees
except ImportError:
    HAS_EXTENSION = False
else:
    HAS_EXTENSION = True
"""Whether this installation has the compiled extension."""

SMALL_WORK = 50_000
"""Pairs of row and tree that are not worth a second thread."""

MIN_SHARE = 256
"""Rows."""

BLOCK_ROWS = 2**14
"""Rows that go down a tree together in NumPy."""

STEPS = 4
"""Steps before those rows leave that have arrived."""

# Kept for the next rows: packing takes longer than scoring a few hundred of them. Not with the tables themselves, since
# what the extension returns cannot be copied.
_packed: WeakKeyDictionary[TreeTables, tuple[int, object]] = WeakKeyDictionary()


def sum_leaves(tables: TreeTables, rows: NDArray[np.float32]) -> FloatArray:
    """Return the sum of the leaf values of every row.

    Examples
    --------
    >>> stump = TreeTables.of_preorder(np.array([0, -1, -1]), np.array([0.5, 1.0, 2.0]))
    >>> sum_leaves(stump, np.array([[0.5], [0.75]], dtype=np.float32)).tolist()
    [1.0, 2.0]
    """
    is_native = choose_instruction_set().is_native and HAS_EXTENSION
    summing = (_native_sums if is_native else _numpy_sums)(tables, rows.shape[1])
    rows = np.ascontiguousarray(rows)
    sums = np.empty(len(rows))
    # Shares enough for all threads, but not too small to be worth it.
    even = -(-len(rows) // (4 * n_threads()))
    length = max(len(rows), 1) if len(rows) * len(tables.first) <= SMALL_WORK else max(MIN_SHARE, even)
    shares = [slice(first, first + length) for first in range(0, len(rows), length)]
    for_each(lambda share: summing(rows[share], sums[share]), shares, uses_blas=False)
    sums[np.isnan(rows).any(axis=1)] = np.nan
    return sums


def _native_sums(tables: TreeTables, n_columns: int) -> Callable[[NDArray[np.float32], FloatArray], None]:
    """Return what writes the sums of rows of so many columns, by the compiled extension."""
    known, forest = _packed.get(tables, (None, None))
    if known != n_columns:
        forest = _trees.pack(tables.column, tables.threshold, tables.right, tables.value, tables.first, n_columns)
        _packed[tables] = n_columns, forest
    return lambda rows, out: _trees.sums(forest, rows, out)


def _numpy_sums(tables: TreeTables, n_columns: int) -> Callable[[NDArray[np.float32], FloatArray], None]:
    """Return what writes the sums of rows of so many columns, in NumPy."""
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
