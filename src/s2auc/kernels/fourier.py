"""Sums of cosines over (rows, frequencies): the two operations that training and scoring consist of.

None of them stores the rows × frequencies matrix unless asked to (`features`). Rows are worked on in tiles, on several
threads, by the compiled extension (`fourier_native`) or by NumPy; only this module knows. A row is the same computation
wherever it stands, so its score or features do not depend on the rows that come with it, nor on the number of threads.
Rows may be sparse, or scaled as they are used: they are made dense tile by tile. A row that is not finite scores NaN,
and no other row notices.

Precision. Angles and cosines are float32 (thirty times faster than float64), sums over runs are float64. A float32
angle is off by about 2⁻²⁴·‖ω‖·‖x‖, so where ‖ω‖·‖x‖ can exceed `ANGLE_LIMIT` the angle is formed in float64 and reduced
to one turn before its cosine is taken. Cosines are thus good to 4·10⁻⁵ at worst and to 10⁻⁶ as a rule, however large
the frequencies (the Laplacian kernel's have no bound). Which of the two happens depends on the one row and the one
frequency only. With `dtype=np.float64` everything is float64, in NumPy.
"""

from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from s2auc.common.arrays import AnyArray, FloatArray, as_columns
from s2auc.common.threads import for_each
from s2auc.kernels import fourier_native
from s2auc.kernels.instruction_sets import choose_instruction_set
from s2auc.kernels.tiles import TILE_ROWS, Tile, angles_of, cut_tiles, row_product


def evaluate(
    X: Any, W: FloatArray, cosine: FloatArray, sine: FloatArray, *, dtype: DTypeLike = np.float32
) -> FloatArray:
    """Return Σ_k cosine_k·cos(ω_kᵀx) + sine_k·sin(ω_kᵀx) for every row x.

    Parameters
    ----------
    X
        Rows, (n, d): an array, a sparse matrix in CSR format, or anything else with `shape`, rows and `toarray`.
    W
        Frequencies ω, (m, d), in float64.
    cosine, sine
        Coefficients, (m,) for one model or (m, n_models) for several that share the frequencies.
    dtype
        Precision of the cosines.

    Returns
    -------
    Scores in float64, (n,) or (n, n_models).

    Examples
    --------
    >>> import numpy as np
    >>> X, W = np.array([[0.0], [np.pi]]), np.array([[1.0], [0.5]])
    >>> evaluate(X, W, cosine=np.array([2.0, 0.0]), sine=np.array([0.0, 3.0])).round(4).tolist()
    [2.0, 1.0]
    """
    coefficients = as_columns(cosine), as_columns(sine)
    instruction_set = _native_set(dtype)
    if instruction_set:
        scores = fourier_native.evaluate(instruction_set, X, W, *coefficients)
    else:
        scores = _evaluate_in_numpy(X, W, *coefficients, dtype)
    return scores.reshape(X.shape[0], *cosine.shape[1:])


def features(X: Any, W: FloatArray, *, dtype: DTypeLike = np.float32) -> AnyArray:
    """Return cos(ω_kᵀx) for all frequencies, then sin(ω_kᵀx) for all: an array (n, 2m) of the given dtype.

    Examples
    --------
    >>> import numpy as np
    >>> features(np.array([[np.pi]]), np.array([[1.0], [1.5]])).round(3).tolist()[0][::3]
    [-1.0, -1.0]
    """
    instruction_set = _native_set(dtype)
    return fourier_native.features(instruction_set, X, W) if instruction_set else _features_in_numpy(X, W, dtype)


def _native_set(dtype: DTypeLike) -> str | None:
    """Return the instruction set of the compiled extension to use, if any: cosines in float64 are NumPy's."""
    chosen = choose_instruction_set()
    return chosen.name if chosen.is_native and np.dtype(dtype) == np.float32 else None


def _evaluate_in_numpy(X: Any, W: FloatArray, cosine: FloatArray, sine: FloatArray, dtype: DTypeLike) -> FloatArray:
    """Return scores, (n, n_models); coefficients are (m, n_models)."""
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

    for_each(work, cut_tiles(X, W, dtype))
    return scores


def _features_in_numpy(X: Any, W: FloatArray, dtype: DTypeLike) -> AnyArray:
    """Return cosines and sines, (n, 2m)."""
    waves = np.empty((X.shape[0], 2 * len(W)), dtype=dtype)
    cosines, sines = waves[:, : len(W)], waves[:, len(W) :]

    def work(tile: Tile) -> None:
        for run, angles in angles_of(X, tile, dtype):
            place = tile.place(run)
            cosines[place] = np.cos(angles)[: tile.n_rows]
            sines[place] = np.sin(angles, out=angles)[: tile.n_rows]

    for_each(work, cut_tiles(X, W, dtype))
    return waves
