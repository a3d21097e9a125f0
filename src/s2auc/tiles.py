"""Rows × frequencies cut into tiles of one fixed shape, with angles as precise as their size demands."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import pi

import numpy as np
from numpy.typing import DTypeLike

from s2auc.arrays import AnyArray, FloatArray, IndexArray

TILE_ROWS = 128
"""Rows of a tile. The last tile is padded to it, so that every tile is the same computation."""

GROUP_ROWS = 8
"""Rows of one matrix product: with twelve or more, OpenBLAS's float32 kernels treat rows differently by their place."""

TILE_FREQUENCIES = 1024
"""Frequencies of a run: angles of one tile and run (half a megabyte) stay in the processor's cache."""

ANGLE_LIMIT = 128.0
"""Angles are float32 while ‖ω‖·‖x‖ is surely below this, and float64 beyond."""

LARGEST_NARROW_ROW = 1e30
LARGEST_VALUE = 1e150
LARGEST_ANGLE = 1e15
"""Rows beyond the first do not fit float32. Values beyond the second could overflow in a product; an angle beyond the
third is not known to one turn even in float64. Both are cut off there, so that any finite row has a finite score."""


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
    n_rows: int
    runs: tuple[Run, ...]

    def place(self, run: Run) -> tuple[slice | AnyArray, slice | AnyArray]:
        """Return where this tile and that run stand in a rows × frequencies matrix."""
        rows, columns = self.rows, run.where
        if isinstance(rows, slice) or isinstance(columns, slice):
            return rows, columns
        return rows[:, None], columns[None, :]


def cut(X: AnyArray, W: FloatArray, dtype: DTypeLike) -> list[Tile]:
    """Return tiles that cover every row once, each with runs that cover every frequency once."""
    if np.dtype(dtype) == np.float64:
        return _tiles_of(slice(0, len(X)), len(X), _runs_of(None, W, dtype))
    limit = np.minimum(ANGLE_LIMIT / np.maximum(_norms(W), 1e-300), LARGEST_NARROW_ROW)
    # The row's size, rounded up to a power of two so that rows fall into few classes.
    reach = np.exp2(np.ceil(np.log2(np.maximum(_norms(X), 1e-300))))
    smallest = limit.min(initial=np.inf)
    reach = np.where(reach <= smallest, 0.0, reach)
    classes = np.unique(reach)
    tiles = []
    for size in classes:
        rows = slice(0, len(X)) if len(classes) == 1 else np.flatnonzero(reach == size)
        n_rows = len(X) if isinstance(rows, slice) else len(rows)
        is_wide = size > limit
        if is_wide.any():
            narrow, wide = np.flatnonzero(~is_wide), np.flatnonzero(is_wide)
            runs = _runs_of(narrow, W, dtype) + _runs_of(wide, W, np.float64, is_wide=True)
        else:
            runs = _runs_of(None, W, dtype)
        tiles += _tiles_of(rows, n_rows, runs)
    return tiles


def angles_of(X: AnyArray, tile: Tile, dtype: DTypeLike) -> Iterator[tuple[Run, AnyArray]]:
    """Yield each run with the angles ωᵀx of the tile's rows, padded to `TILE_ROWS`; the caller may overwrite them."""
    precise = np.zeros((TILE_ROWS, X.shape[1]))
    precise[: tile.n_rows] = np.clip(X[tile.rows], -LARGEST_VALUE, LARGEST_VALUE)
    padded = precise.astype(dtype) if any(not run.is_wide for run in tile.runs) else precise
    for run in tile.runs:
        if run.is_wide:
            angles = np.clip(precise @ run.W.T, -LARGEST_ANGLE, LARGEST_ANGLE)
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
    groups = left.reshape(-1, GROUP_ROWS, left.shape[1])
    product: AnyArray = np.matmul(groups, right)
    return product.reshape(len(left), right.shape[1])


def _norms(rows: AnyArray) -> FloatArray:
    clipped = np.clip(rows.astype(np.float64, copy=False), -LARGEST_VALUE, LARGEST_VALUE)
    norms: FloatArray = np.linalg.norm(clipped, axis=1)
    return norms


def _tiles_of(rows: slice | IndexArray, n_rows: int, runs: tuple[Run, ...]) -> list[Tile]:
    tiles = []
    for first in range(0, n_rows, TILE_ROWS):
        last = min(first + TILE_ROWS, n_rows)
        where = slice(first, last) if isinstance(rows, slice) else rows[first:last]
        tiles.append(Tile(where, last - first, runs))
    return tiles


def _runs_of(chosen: IndexArray | None, W: FloatArray, dtype: DTypeLike, *, is_wide: bool = False) -> tuple[Run, ...]:
    cast = (W if chosen is None else W[chosen]).astype(dtype, copy=False)
    runs = []
    for first in range(0, len(cast), TILE_FREQUENCIES):
        where = slice(first, first + TILE_FREQUENCIES)
        runs.append(Run(where if chosen is None else chosen[where], cast[where], is_wide))
    return tuple(runs)
