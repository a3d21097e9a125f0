"""Rows × frequencies cut by size and into tiles of one fixed shape, with angles as precise as their size demands."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import pi
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from s2auc.common.arrays import AnyArray, FloatArray, IndexArray

TILE_ROWS = 128
"""Rows of a tile. The last tile is padded to it, so that every tile is the same computation."""

GROUP_ROWS = 8
"""Rows of one matrix product: with twelve or more, OpenBLAS's float32 kernels treat rows differently by their place."""

TILE_FREQUENCIES = 1024
"""Frequencies of a run: angles of one tile and run (half a megabyte) stay in the processor's cache."""

ANGLE_LIMIT = 128.0
"""Angles are float32 while ‖ω‖·‖x‖ is surely below this, and float64 beyond."""

MAX_NARROW = 1e30
MAX_VALUE = 1e150
MAX_ANGLE = 1e15
"""Rows and frequencies beyond the first do not fit float32. Values beyond the second could overflow in a product; an
angle beyond the third is not known to one turn even in float64. Both are cut off there, so that any finite row has a
finite score."""


@dataclass(frozen=True)
class SizeClass:
    """Rows of about one size, and the frequencies whose angles need float64 there.

    `narrow` are the others. Which class a row falls into depends on that row only.
    """

    rows: slice | IndexArray
    n_rows: int
    narrow: slice | IndexArray
    wide: IndexArray

    @classmethod
    def of_all(cls, n_rows: int) -> "SizeClass":
        """Return the class of all rows, with all frequencies narrow."""
        return cls(slice(0, n_rows), n_rows, slice(None), np.zeros(0, dtype=np.intp))

    def cut(self, length: int) -> Iterator[slice | IndexArray]:
        """Yield the rows, so many at a time."""
        for first in range(0, self.n_rows, length):
            last = min(first + length, self.n_rows)
            yield slice(first, last) if isinstance(self.rows, slice) else self.rows[first:last]


@dataclass(frozen=True)
class Run:
    """Some frequencies, where they stand among all, and whether their angles need float64."""

    where: slice | IndexArray
    W: AnyArray
    is_wide: bool


@dataclass(frozen=True)
class Tile:
    """Up to `TILE_ROWS` rows, and all frequencies in runs that suit rows of this size."""

    rows: slice | IndexArray
    runs: list[Run]

    @property
    def n_rows(self) -> int:
        """How many rows there are."""
        return self.rows.stop - self.rows.start if isinstance(self.rows, slice) else len(self.rows)

    def place(self, run: Run) -> tuple[slice | AnyArray, slice | AnyArray]:
        """Return where this tile and that run stand in a rows × frequencies matrix."""
        rows, columns = self.rows, run.where
        if isinstance(rows, slice) or isinstance(columns, slice):
            return rows, columns
        return rows[:, None], columns[None, :]


def dense_part(X: Any, rows: slice | IndexArray) -> AnyArray:
    """Return some rows of an array, of a sparse matrix, or of anything else that has `toarray`, as an array.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> dense_part(csr_array([[0, 1], [2, 0]]), slice(1, 2)).tolist()
    [[2, 0]]
    """
    part = X[rows]
    array: AnyArray = part.toarray() if is_lazy(part) else part
    return array


def is_lazy(X: Any) -> bool:
    """Return whether rows become an array some at a time: sparse ones, and those that are scaled as they are used."""
    return hasattr(X, "toarray")


def norms(rows: AnyArray) -> FloatArray:
    """Return the norm of every row, values cut off at `MAX_VALUE`; NaN for rows that are not finite.

    Examples
    --------
    >>> import numpy as np
    >>> norms(np.array([[3.0, 4.0], [np.inf, 0.0]])).tolist()
    [5.0, nan]
    """
    # In C order: otherwise the sums of squares would round by the number of rows.
    precise = rows.astype(np.float64, order="C", copy=False)
    sizes: FloatArray = np.linalg.norm(np.clip(precise, -MAX_VALUE, MAX_VALUE), axis=1)
    sizes[np.isinf(precise).any(axis=1)] = np.nan
    return sizes


def size_classes(
    X: Any, W: FloatArray, norms_of: Callable[[AnyArray], FloatArray] = norms, tile_rows: int = TILE_ROWS
) -> list[SizeClass]:
    """Return classes that cover every row once."""
    n_rows = X.shape[0]
    # Rows that are made dense for it are measured some at a time.
    step = tile_rows if is_lazy(X) else max(1, n_rows)
    parts = [norms_of(dense_part(X, slice(first, first + step))) for first in range(0, n_rows, step)]
    sizes = np.concatenate([np.zeros(0), *parts])
    frequencies = norms_of(W)
    limit = np.minimum(ANGLE_LIMIT / np.maximum(frequencies, 1e-300), MAX_NARROW)
    limit[frequencies > MAX_NARROW] = -1.0  # wide for every row, also for rows of zeros
    smallest = limit.min(initial=np.inf)
    # Rows that are not finite have no score; they may go with the small ones.
    if 2.0 * np.fmax.reduce(sizes, initial=0.0) <= smallest:
        return [SizeClass.of_all(n_rows)]
    # The row's size, rounded up to a power of two so that rows fall into few classes.
    reach = np.exp2(np.ceil(np.log2(np.maximum(np.nan_to_num(sizes), 1e-300))))
    reach = np.where(reach <= smallest, 0.0, reach)
    classes = []
    for size in np.unique(reach):
        rows = np.flatnonzero(reach == size)
        is_wide = size > limit
        narrow = np.flatnonzero(~is_wide) if is_wide.any() else slice(None)
        where = slice(0, n_rows) if len(rows) == n_rows else rows
        classes.append(SizeClass(where, len(rows), narrow, np.flatnonzero(is_wide)))
    return classes


def cut_tiles(X: Any, W: FloatArray, dtype: DTypeLike) -> list[Tile]:
    """Return tiles that cover every row once, each with runs that cover every frequency once."""
    tiles = []
    for group in [SizeClass.of_all(X.shape[0])] if np.dtype(dtype) == np.float64 else size_classes(X, W):
        runs = _runs_of(group.narrow, W, dtype) + _runs_of(group.wide, W, np.float64, is_wide=True)
        tiles += [Tile(rows, runs) for rows in group.cut(TILE_ROWS)]
    return tiles


def angles_of(X: Any, tile: Tile, dtype: DTypeLike) -> Iterator[tuple[Run, AnyArray]]:
    """Yield each run with the angles ωᵀx of the tile's rows, padded to `TILE_ROWS`; the caller may overwrite them."""
    precise = np.zeros((TILE_ROWS, X.shape[1]))
    precise[: tile.n_rows] = dense_part(X, tile.rows)
    precise[np.isinf(precise)] = np.nan
    np.clip(precise, -MAX_VALUE, MAX_VALUE, out=precise)
    padded = precise.astype(dtype) if any(not run.is_wide for run in tile.runs) else precise
    for run in tile.runs:
        if run.is_wide:
            angles = np.clip(precise @ run.W.T, -MAX_ANGLE, MAX_ANGLE)
            angles -= (2 * pi) * np.rint(angles * (0.5 / pi))
            yield run, angles.astype(dtype)
        else:
            yield run, row_product(padded, run.W.T)


def row_product(left: AnyArray, right: AnyArray) -> AnyArray:
    """Return left @ right for a tile's matrix, every row having the same bits wherever it stands.

    Examples
    --------
    >>> import numpy as np
    >>> row_product(np.ones((TILE_ROWS, 2)), np.array([[1.0], [2.0]]))[-1].tolist()
    [3.0]
    """
    groups = left.reshape(len(left) // GROUP_ROWS, GROUP_ROWS, left.shape[1])
    product: AnyArray = np.matmul(groups, right)
    return product.reshape(len(left), right.shape[1])


def _runs_of(chosen: slice | IndexArray, W: FloatArray, dtype: DTypeLike, *, is_wide: bool = False) -> list[Run]:
    cast = W[chosen].astype(dtype, copy=False)
    parts = [slice(first, first + TILE_FREQUENCIES) for first in range(0, len(cast), TILE_FREQUENCIES)]
    return [Run(part if isinstance(chosen, slice) else chosen[part], cast[part], is_wide) for part in parts]
