"""A model's frequencies as one stream: kept while they fit in memory, drawn again beyond."""

import numpy as np
from numpy.typing import DTypeLike

from s2auc.common.arrays import AnyArray, FloatArray
from s2auc.kernels.fourier import evaluate
from s2auc.kernels.frequencies import draw_frequencies
from s2auc.kernels.shift_invariant import KERNELS
from s2auc.kernels.tiles import TILE_FREQUENCIES

FREQUENCY_BYTES = 2**27
"""Frequencies are kept while they fit in this many bytes, and drawn again, piece by piece, beyond it."""


class FrequencyStream:
    """The frequencies of one seed, kept in memory as far as `FREQUENCY_BYTES` go.

    Examples
    --------
    >>> stream = FrequencyStream("gaussian", gamma=0.5, n_columns=3, seed=0)
    >>> stream.take(5, 9).shape
    (4, 3)
    """

    def __init__(self, kernel: str, gamma: float, n_columns: int, seed: int) -> None:
        self.kernel, self.gamma, self.n_columns, self.seed = kernel, gamma, n_columns, seed
        # Room, and how much of it is filled: replaced together, as models are scored by several threads at once.
        self._kept = np.zeros((0, n_columns)), 0
        # A multiple of the run length, so that cutting does not move the boundaries between runs.
        self.piece = max(1, FREQUENCY_BYTES // (8 * TILE_FREQUENCIES * n_columns)) * TILE_FREQUENCIES

    def __getstate__(self) -> dict[str, object]:
        """Leave the frequencies behind: the seed brings them back."""
        return {**self.__dict__, "_kept": (np.zeros((0, self.n_columns)), 0)}

    def take(self, first: int, last: int) -> FloatArray:
        """Return frequencies [first, last)."""
        if last > self.piece:
            return self._draw(first, last)
        memory, n_kept = self._kept
        return (memory if last <= n_kept else self._keep(last))[first:last]

    def evaluate(
        self, X: AnyArray, cosine: FloatArray, sine: FloatArray, *, dtype: DTypeLike = np.float32
    ) -> FloatArray:
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
