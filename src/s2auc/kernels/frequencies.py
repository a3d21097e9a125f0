"""Random frequencies as a promise: any range of them, from (seed, index), the same bits for years.

A model stores a seed and coefficients, not frequencies, so what index i means must never change. Frequency i of a
kernel that takes k normals per frequency is made in three documented steps:

1. Words. w_j, j < k, is word j mod 4 of philox4x64-10 with key (seed, stream) at counter i·⌈k/4⌉ + ⌊j/4⌋ + 1.
2. Normals. z_j = Φ⁻¹((⌊w_j / 2¹²⌋ + ½) / 2⁵²), in float64: never zero, never infinite, at most 8.3 in size.
3. The kernel's own formula (`Kernel.unit_frequencies`), times its scale.

Only NumPy's integer stream is relied on, which it promises to keep, and SciPy's `ndtri`, which gives the same bits on
all processors tried; golden values in the tests guard both. `FREQUENCY_VERSION` names these steps; models carry it.
"""

from typing import Any

import numpy as np
from numpy.typing import DTypeLike
from scipy.special import ndtri

from s2auc.common.arrays import FloatArray
from s2auc.common.randomness import FREQUENCY_STREAM, random_words
from s2auc.common.threads import for_each
from s2auc.kernels.fourier import evaluate
from s2auc.kernels.shift_invariant import KERNELS, Kernel
from s2auc.kernels.tiles import TILE_FREQUENCIES

FREQUENCY_VERSION = "philox4x64-10/ndtri/1"

_PART = 1024
"""Frequencies whose normals one thread makes at a time."""


def standard_normals(seed: int, stream: int, first: int, last: int, width: int) -> FloatArray:
    """Return `width` standard normal numbers for each index in [first, last), one row an index."""
    words = random_words(seed, stream, first, last, width)
    normals = np.empty(words.shape)

    def work(start: int) -> None:
        part = normals[start : start + _PART]
        # 52 bits, not 53: the largest value + ½ is then still exact in float64, hence below 1.
        np.copyto(part, words[start : start + _PART] >> np.uint64(12))
        part += 0.5
        part *= 2.0**-52
        ndtri(part, out=part)

    for_each(work, range(0, len(words), _PART), uses_blas=False)
    return normals


def draw_frequencies(kernel: Kernel, gamma: float, n_columns: int, seed: int, first: int, last: int) -> FloatArray:
    """Return frequencies [first, last) of the model with this seed, as float64 rows of length `n_columns`.

    The result does not depend on how a range is cut into calls.

    Examples
    --------
    >>> from s2auc.kernels.shift_invariant import KERNELS
    >>> draw_frequencies(KERNELS["gaussian"], gamma=0.5, n_columns=2, seed=1, first=10**9, last=10**9 + 1).shape
    (1, 2)
    """
    width = kernel.normals_per_frequency(n_columns)
    normals = standard_normals(seed, FREQUENCY_STREAM, first, last, width)
    return kernel.unit_frequencies(normals, n_columns) * kernel.scale(gamma)


FREQUENCY_BYTES = 2**27
"""Frequencies are kept while they fit in this many bytes, and drawn again, piece by piece, beyond it."""


class FrequencyStream:
    """The frequencies of one seed, kept in memory as far as `max_bytes` go.

    Examples
    --------
    >>> stream = FrequencyStream("gaussian", gamma=0.5, n_columns=3, seed=0)
    >>> stream.take(5, 9).shape
    (4, 3)
    """

    def __init__(self, kernel: str, gamma: float, n_columns: int, seed: int, max_bytes: int = FREQUENCY_BYTES) -> None:
        self.kernel, self.gamma, self.n_columns, self.seed = kernel, gamma, n_columns, seed
        # Room, and how much of it is filled: replaced together, as models are scored by several threads at once.
        self._kept = np.zeros((0, n_columns)), 0
        # A multiple of the run length, so that cutting does not move the boundaries between runs.
        self.piece = max(1, max_bytes // (8 * TILE_FREQUENCIES * n_columns)) * TILE_FREQUENCIES

    def __getstate__(self) -> dict[str, object]:
        """Leave the frequencies behind: the seed brings them back."""
        return {**self.__dict__, "_kept": (np.zeros((0, self.n_columns)), 0)}

    def take(self, first: int, last: int) -> FloatArray:
        """Return frequencies [first, last)."""
        if last > self.piece:
            return self._draw(first, last)
        memory, n_kept = self._kept
        return (memory if last <= n_kept else self._keep(last))[first:last]

    def evaluate(self, X: Any, cosine: FloatArray, sine: FloatArray, *, dtype: DTypeLike = np.float32) -> FloatArray:
        """Return the sum of cosines with these coefficients, on frequencies 0, 1, 2, … of the stream."""
        scores = np.zeros((len(X), *cosine.shape[1:]))
        for first in range(0, len(cosine), self.piece):
            part = slice(first, min(first + self.piece, len(cosine)))
            scores += evaluate(X, self.take(part.start, part.stop), cosine[part], sine[part], dtype=dtype)
        return scores

    def _keep(self, last: int) -> FloatArray:
        """Return room that holds the first frequencies, as many as asked for, once it is filled."""
        memory, kept = self._kept
        if last > len(memory):
            # Room doubles, so that a run that asks for a little more each time does not copy all of it each time.
            larger = np.empty((min(self.piece, max(last, 2 * kept)), self.n_columns))
            larger[:kept] = memory[:kept]
            memory = larger
        memory[kept:last] = self._draw(kept, last)
        self._kept = memory, last
        return memory

    def _draw(self, first: int, last: int) -> FloatArray:
        return draw_frequencies(KERNELS[self.kernel], self.gamma, self.n_columns, self.seed, first, last)
