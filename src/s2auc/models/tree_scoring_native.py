"""Sums of leaf values by the compiled extension; `tree_scoring` says what they mean."""

from collections.abc import Callable
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from s2auc.common.arrays import FloatArray
from s2auc.models.parts.trees.tables import TreeTables

try:
    import s2auc.models._trees as _trees
except ImportError:
    _is_there = False
else:
    _is_there = True

# Kept for the next rows: packing takes longer than scoring a few hundred of them. Not with the tables themselves, since
# what the extension returns cannot be copied.
_packed: WeakKeyDictionary[TreeTables, tuple[int, object]] = WeakKeyDictionary()


def is_there() -> bool:
    """Return whether this installation has the extension."""
    return _is_there


def summing_of(tables: TreeTables, n_columns: int) -> Callable[[NDArray[np.float32], FloatArray], None]:
    """Return what writes the sums of rows of so many columns."""
    known, forest = _packed.get(tables, (None, None))
    if known != n_columns:
        forest = _trees.pack(tables.column, tables.threshold, tables.right, tables.value, tables.first, n_columns)
        _packed[tables] = n_columns, forest
    return lambda rows, out: _trees.sums(forest, rows, out)
