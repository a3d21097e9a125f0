"""Rows after scaling, of which encodings make a hundred times as many columns: arrays of some at a time."""

from collections.abc import Callable
from typing import Any

import numpy as np

from s2auc.common.arrays import FloatArray, IndexArray
from s2auc.data.sources.rows import Rows, count_rows

KEPT_NUMBERS = 2**22
"""Rows of at most so many numbers are scaled all at once: 32 megabytes, and some copies of them meanwhile."""


class ScaledRows:
    """Rows that are scaled when they are asked for, as sparse rows become dense ones.

    Parameters
    ----------
    rows
        The rows as they come.
    scale
        From some of them to an array, each row by itself.
    n_columns
        How many columns it has.

    Examples
    --------
    >>> rows = ScaledRows(np.array([[1.0], [2.0]]), lambda rows: np.hstack([rows, -rows]), n_columns=2)
    >>> rows.shape, rows[1:].toarray().tolist()
    ((2, 2), [[2.0, -2.0]])
    """

    dtype = np.dtype(np.float64)

    def __init__(self, rows: Rows, scale: Callable[[Rows], FloatArray], n_columns: int) -> None:
        self._rows, self._scale = rows, scale
        self.shape = count_rows(rows), n_columns

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, places: slice | IndexArray) -> "ScaledRows":
        chosen: Any = self._rows[places]
        return ScaledRows(chosen, self._scale, self.shape[1])

    def toarray(self) -> FloatArray:
        """Return all rows as an array."""
        return self._scale(self._rows)


def scale_rows(rows: Rows, scale: Callable[[Rows], FloatArray], n_columns: int) -> FloatArray | ScaledRows:
    """Return scaled rows: as an array if they are small, else some at a time; parameters are those of `ScaledRows`."""
    is_small = count_rows(rows) * n_columns <= KEPT_NUMBERS
    return scale(rows) if is_small else ScaledRows(rows, scale, n_columns)
