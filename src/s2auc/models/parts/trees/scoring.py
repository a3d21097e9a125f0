"""Sums over trees of the values of the leaves that rows arrive at, by the compiled extension or by NumPy.

Both give the same bits: a walk only compares, and the values are added in float64 in the order of the trees. A row is
the same computation wherever it stands, so its sum depends neither on the rows that come with it nor on the number of
threads. A row with NaN has NaN for a sum, and no other row notices.
"""

import numpy as np
from numpy.typing import NDArray

from s2auc.common.arrays import FloatArray
from s2auc.common.threads import map_in_order, n_threads
from s2auc.kernels.instruction_sets import choose_instruction_set
from s2auc.models import tree_scoring_native, tree_scoring_numpy
from s2auc.models.parts.trees.tables import TreeTables

SMALL_WORK = 50_000
"""Pairs of row and tree that are not worth a second thread."""

SMALLEST_SHARE = 256
"""Rows."""


def sum_leaves(tables: TreeTables, rows: NDArray[np.float32]) -> FloatArray:
    """Return the sum of the leaf values of every row.

    Examples
    --------
    >>> stump = TreeTables.of_preorder(np.array([0, -1, -1]), np.array([0.5, 1.0, 2.0]))
    >>> sum_leaves(stump, np.array([[0.5], [0.75]], dtype=np.float32)).tolist()
    [1.0, 2.0]
    """
    is_native = choose_instruction_set().is_native and tree_scoring_native.is_there()
    summing = (tree_scoring_native if is_native else tree_scoring_numpy).summing_of(tables, rows.shape[1])
    rows = np.ascontiguousarray(rows)
    sums = np.empty(len(rows))

    def work(share: slice) -> None:
        summing(rows[share], sums[share])

    for _ in map_in_order(work, _shares(len(rows), len(tables.first)), uses_blas=False):
        pass
    sums[np.isnan(rows).any(axis=1)] = np.nan
    return sums


def _shares(n_rows: int, n_trees: int) -> list[slice]:
    """Return rows to be worked on together: shares enough for all threads, but not too small to be worth it."""
    even = -(-n_rows // (4 * n_threads()))
    length = max(n_rows, 1) if n_rows * n_trees <= SMALL_WORK else max(SMALLEST_SHARE, even)
    return [slice(first, first + length) for first in range(0, n_rows, length)]
