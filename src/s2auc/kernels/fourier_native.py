"""The two operations by the compiled extension: rows and frequencies are handed over, tile by tile, on several threads.

Angles are float32 or, where rows and frequencies are large, float64 (`tiles`); cosines are float32. Coefficients and
weights are (…, n_models) here; `fourier` says what the operations mean.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from math import pi
from typing import Any

import numpy as np

from s2auc.common.arrays import AnyArray, FloatArray, IndexArray
from s2auc.common.threads import for_each, n_threads
from s2auc.kernels.tiles import dense_part, is_lazy, size_classes

# Without it nothing here is called: `s2auc.kernels.instruction_sets` says why it is missing.
with suppress(ImportError):
    import s2auc.kernels._cosines as _cosines

MIN_TILE = 96
NATIVE_TILE_ROWS = 10 * MIN_TILE
"""Least and most rows of a tile: whole groups of the rows that the extension works on at a time (`GROUP_ROWS`)."""

SMALL_WORK = 200_000
"""Pairs of row and frequency that are not worth a second thread."""

SMALL_NORMS = 2**18
"""Numbers in rows whose norms are not worth a second thread."""

LINE_BYTES = 64
"""Features start on a multiple of this: the extension writes whole lines of the cache then."""

DENSE_BYTES = 2**25
"""Rows of a tile that become dense for it, such as sparse ones, then take at most about this many bytes."""


@dataclass(frozen=True)
class Pack:
    """Frequencies as the extension wants them, and where they stand among all."""

    frequencies: object
    where: slice | IndexArray


@dataclass(frozen=True)
class Share:
    """Some rows, and all frequencies in packs that suit rows of this size."""

    rows: slice | IndexArray
    packs: tuple[Pack, ...]


def evaluate(instruction_set: str, X: Any, W: FloatArray, cosine: FloatArray, sine: FloatArray) -> FloatArray:
    """Return scores, (n, n_models)."""
    n_models = cosine.shape[1]
    scores = np.zeros((X.shape[0], n_models))
    if n_models == 1:
        # c·cos z + s·sin z = hypot(c, s)·cos(z - atan2(s, c)): one cosine a frequency instead of two.
        start = np.arctan2(sine.ravel(), cosine.ravel()) / (-2.0 * pi)
        coefficients = np.hypot(cosine.ravel(), sine.ravel())[None, :]
    else:
        start = np.zeros(len(W))
        coefficients = np.stack([cosine.T, sine.T], axis=1).reshape(2 * n_models, len(W))

    def work(share: Share) -> None:
        rows = dense_part(X, share.rows)
        total = np.zeros((len(rows), n_models))
        for pack in share.packs:
            part = np.empty_like(total)
            if n_models == 1:
                _cosines.evaluate(pack.frequencies, rows, part[:, 0])
            else:
                _cosines.evaluate_bundle(pack.frequencies, rows, part)
            total += part
        scores[share.rows] = total

    X = _native_rows(X)
    for shares in _shares_of_classes(instruction_set, X, W, start, coefficients):
        for_each(work, shares, uses_blas=False)
    return scores


def features(instruction_set: str, X: Any, W: FloatArray) -> AnyArray:
    """Return cosines and sines, (n, 2m)."""
    waves = _empty_lines(X.shape[0], 2 * len(W))

    def work(share: Share) -> None:
        rows = dense_part(X, share.rows)
        for pack in share.packs:
            if isinstance(pack.where, slice) and isinstance(share.rows, slice):
                _cosines.features(pack.frequencies, rows, waves[share.rows])
                continue
            where = np.arange(len(W))[pack.where]
            part = np.empty((len(rows), 2 * len(where)), dtype=np.float32)
            _cosines.features(pack.frequencies, rows, part)
            waves[np.r_[share.rows][:, None], np.concatenate([where, len(W) + where])] = part

    X = _native_rows(X)
    for shares in _shares_of_classes(instruction_set, X, W, np.zeros(len(W)), np.zeros((0, len(W)))):
        for_each(work, shares, uses_blas=False)
    return waves


def _native_rows(X: Any) -> Any:
    """Return rows that the extension can read: float32 or float64 with any strides, now or when they become dense."""
    rows = X if is_lazy(X) else np.asarray(X)
    is_readable = rows.dtype.char in "fd" and rows.dtype.isnative
    return rows if is_readable else rows.astype(np.float64)


def _empty_lines(n_rows: int, n_columns: int) -> AnyArray:
    """Return a float32 matrix whose first value stands at the start of a line of the cache."""
    memory = np.empty(4 * n_rows * n_columns + LINE_BYTES, dtype=np.uint8)
    first = -memory.ctypes.data % LINE_BYTES
    return memory[first : first + 4 * n_rows * n_columns].view(np.float32).reshape(n_rows, n_columns)


def _norms(rows: AnyArray, chunk_numbers: int = SMALL_NORMS) -> FloatArray:
    sizes = np.empty(len(rows))
    length = max(1, chunk_numbers // max(1, rows.shape[1]))

    def measure(first: int) -> None:
        part = slice(first, first + length)
        _cosines.norms(rows[part], sizes[part])

    for_each(measure, range(0, len(rows), length), uses_blas=False)
    return sizes


def _shares_of_classes(
    instruction_set: str, X: Any, W: FloatArray, start: FloatArray, coefficients: FloatArray
) -> Iterator[list[Share]]:
    """Yield, size class by size class, tiles of rows with frequencies packed for rows of this size."""
    W = np.asarray(W, dtype=np.float64)
    bounded = max(1, DENSE_BYTES // (8 * X.shape[1] + 1)) if is_lazy(X) else NATIVE_TILE_ROWS
    for group in size_classes(X, W, _norms, bounded):
        packs = tuple(
            Pack(_cosines.pack(instruction_set, W[where], is_wide, start[where], coefficients[:, where]), where)
            for where, is_wide in ((group.narrow, False), (group.wide, True))
            if isinstance(where, slice) or len(where)
        )
        yield [Share(rows, packs) for rows in group.cut(min(_tile_rows(group.n_rows, len(W)), bounded))]


def _tile_rows(n_rows: int, n_frequencies: int) -> int:
    """Return how many rows a tile shall have: tiles enough for all threads, but not too small to be worth it."""
    if n_rows * n_frequencies <= SMALL_WORK:
        return NATIVE_TILE_ROWS
    even = -(-n_rows // (4 * n_threads()))
    return min(NATIVE_TILE_ROWS, -(-even // MIN_TILE) * MIN_TILE)
