"""Sums of cosines over (rows, frequencies): the three operations that training and scoring consist of.

None of them stores the rows × frequencies matrix unless asked to (`features`). Rows are worked on in tiles of fixed
size, the last one padded, on several threads; a tile meets the frequencies in runs (`s2auc.tiles`). Every tile is the
same computation wherever its rows stand, so a row's score or features do not depend on the rows that come with it, nor
on the number of threads.

Precision. Angles and cosines are float32 (thirty times faster than float64), sums over runs are float64. A float32
angle is off by about 2⁻²⁴·‖ω‖·‖x‖, so where ‖ω‖·‖x‖ can exceed `ANGLE_LIMIT` the angle is formed in float64 and reduced
to one turn before its cosine is taken. Cosines are thus good to 4·10⁻⁵ at worst and to 10⁻⁶ as a rule, however large
the frequencies (the Laplacian kernel's have no bound). Which of the two happens depends on the one row and the one
frequency only. With `dtype=np.float64` everything is float64.
"""

import numpy as np
from numpy.typing import DTypeLike

from s2auc.arrays import AnyArray, FloatArray
from s2auc.threads import map_in_order
from s2auc.tiles import TILE_ROWS, Run, Tile, angles_of, cut, row_product


def evaluate(
    X: AnyArray, W: FloatArray, cosine: FloatArray, sine: FloatArray, *, dtype: DTypeLike = np.float32
) -> FloatArray:
    """Return Σ_k cosine_k·cos(ω_kᵀx) + sine_k·sin(ω_kᵀx) for every row x.

    Parameters
    ----------
    X
        Rows, (n, d).
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
    n_models = 1 if cosine.ndim == 1 else cosine.shape[1]
    # c·cos z + s·sin z = hypot(c, s)·cos(z - atan2(s, c)): for one model, one cosine a frequency instead of two.
    phase = np.arctan2(sine, cosine).ravel().astype(dtype) if n_models == 1 else None
    amplitude = np.hypot(cosine, sine).reshape(len(W), 1).astype(dtype) if n_models == 1 else cosine.astype(dtype)
    sine_amplitude = sine.astype(dtype)
    scores = np.zeros((len(X), n_models))

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

    for _ in map_in_order(work, cut(X, W, dtype)):
        pass
    return scores.reshape(len(X), *cosine.shape[1:])


def accumulate(
    X: AnyArray, W: FloatArray, g: FloatArray, *, dtype: DTypeLike = np.float32
) -> tuple[FloatArray, FloatArray]:
    """Return Σ_x g_x·cos(ω_kᵀx) and Σ_x g_x·sin(ω_kᵀx) for every frequency: the gradient of a block.

    `g` is (n,) or (n, n_models); the two results are (m,) or (m, n_models), in float64.

    Examples
    --------
    >>> import numpy as np
    >>> X, W = np.array([[0.0], [np.pi]]), np.array([[1.0]])
    >>> cosine, sine = accumulate(X, W, g=np.array([3.0, 1.0]))
    >>> cosine.round(4).tolist()
    [2.0]
    """
    weights = (g[:, None] if g.ndim == 1 else g).astype(dtype)
    cosine, sine = np.zeros((2, len(W), weights.shape[1]))

    def work(tile: Tile) -> list[tuple[Run, AnyArray, AnyArray]]:
        padded = np.zeros((TILE_ROWS, weights.shape[1]), dtype=dtype)
        padded[: tile.n_rows] = weights[tile.rows]
        return [
            (run, np.cos(angles).T @ padded, np.sin(angles, out=angles).T @ padded)
            for run, angles in angles_of(X, tile, dtype)
        ]

    for sums in map_in_order(work, cut(X, W, dtype)):
        for run, of_cosines, of_sines in sums:
            cosine[run.where] += of_cosines
            sine[run.where] += of_sines
    return cosine.reshape(len(W), *g.shape[1:]), sine.reshape(len(W), *g.shape[1:])


def features(X: AnyArray, W: FloatArray, *, dtype: DTypeLike = np.float32) -> AnyArray:
    """Return cos(ω_kᵀx) for all frequencies, then sin(ω_kᵀx) for all: an array (n, 2m) of the given dtype.

    Examples
    --------
    >>> import numpy as np
    >>> features(np.array([[np.pi]]), np.array([[1.0], [0.5]])).round(4).tolist()
    [[-1.0, -0.0, -0.0, 1.0]]
    """
    waves = np.empty((len(X), 2 * len(W)), dtype=dtype)
    cosines, sines = waves[:, : len(W)], waves[:, len(W) :]

    def work(tile: Tile) -> None:
        for run, angles in angles_of(X, tile, dtype):
            place = tile.place(run)
            cosines[place] = np.cos(angles)[: tile.n_rows]
            sines[place] = np.sin(angles, out=angles)[: tile.n_rows]

    for _ in map_in_order(work, cut(X, W, dtype)):
        pass
    return waves
