"""The two operations in NumPy: for float64, and wherever the compiled kernel is absent or not wanted.

Coefficients and weights are (…, n_models) here; `s2auc.kernels.fourier` says what the operations mean.
"""

from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from s2auc.common.arrays import AnyArray, FloatArray
from s2auc.common.threads import map_in_order
from s2auc.kernels.tiles import TILE_ROWS, Tile, angles_of, cut_tiles, row_product


def evaluate(X: Any, W: FloatArray, cosine: FloatArray, sine: FloatArray, dtype: DTypeLike) -> FloatArray:
    """Return scores, (n, n_models)."""
    n_models = cosine.shape[1]
    # c·cos z + s·sin z = hypot(c, s)·cos(z - atan2(s, c)): for one model, one cosine a frequency instead of two.
    phase = np.arctan2(sine, cosine).ravel().astype(dtype) if n_models == 1 else None
    amplitude = (np.hypot(cosine, sine) if n_models == 1 else cosine).astype(dtype)
    sine_amplitude = sine.astype(dtype)
    scores = np.zeros((X.shape[0], n_models))

    def work(tile: Tile) -> None:
        total = np.zeros((TILE_ROWS, n_models))
        for run, angles in angles_of(X, tile, dtype):
            if phase is not None:
                angles -= phase[run.where]
                total += row_product(np.cos(angles, out=angles), amplitude[run.where])
            else:
                total += row_product(np.cos(angles), amplitude[run.where])
                total += row_product(np.sin(angles, out=angles), sine_amplitude[run.where])
        scores[tile.rows] = total[: tile.n_rows]

    for _ in map_in_order(work, cut_tiles(X, W, dtype)):
        pass
    return scores


def features(X: Any, W: FloatArray, dtype: DTypeLike) -> AnyArray:
    """Return cosines and sines, (n, 2m)."""
    waves = np.empty((X.shape[0], 2 * len(W)), dtype=dtype)
    cosines, sines = waves[:, : len(W)], waves[:, len(W) :]

    def work(tile: Tile) -> None:
        for run, angles in angles_of(X, tile, dtype):
            place = tile.place(run)
            cosines[place] = np.cos(angles)[: tile.n_rows]
            sines[place] = np.sin(angles, out=angles)[: tile.n_rows]

    for _ in map_in_order(work, cut_tiles(X, W, dtype)):
        pass
    return waves
