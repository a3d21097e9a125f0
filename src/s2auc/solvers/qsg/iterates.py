"""The iterates of a run: every iterate, and every average of iterates, from one set of numbers.

Iteration t adds a block of coefficients b_t and shrinks all earlier ones by d_t = 1 - η_t·α. So the block born at
iteration i stands in iterate T as b_i·d_{i+1}·…·d_T, and in the t-weighted average of iterates 1..T as
b_i·Q_i / (T(T+1)/2), where Q_i = i + d_{i+1}·Q_{i+1} and Q_T = T. Both need one scalar a block (and model), whatever T.
Blocks are kept as they were born: nothing has to be rescaled, and a factor of zero, or a product that underflows, does
no harm.
"""

from dataclasses import dataclass

import numpy as np

from s2auc.common.arrays import FloatArray, IndexArray


@dataclass
class Iterates:
    """Coefficients of a bundle of models that grow by a block of frequencies per iteration.

    Attributes
    ----------
    waves
        Coefficients at birth, of cosines, then of sines, (2, frequencies, n_models).
    birth
        The iteration that each frequency was born in; 0 for those that a run started from.
    decay
        d_t of iterations 1..t, (t, n_models).
    """

    waves: FloatArray
    birth: IndexArray
    decay: FloatArray

    @classmethod
    def starting_at(cls, waves: FloatArray) -> "Iterates":
        """Return iterates that begin at a function: it belongs to no iterate, hence to no average."""
        return cls(waves, np.zeros(waves.shape[1], dtype=np.intp), np.zeros((0, waves.shape[2])))

    @classmethod
    def empty(cls, n_models: int) -> "Iterates":
        """Return iterates that begin at zero."""
        return cls.starting_at(np.zeros((2, 0, n_models)))

    @property
    def n_models(self) -> int:
        """How many models there are."""
        return int(self.decay.shape[1])

    @property
    def n_frequencies(self) -> int:
        """How many frequencies the iterates have met."""
        return len(self.birth)

    @property
    def n_iterations(self) -> int:
        """How many iterations the iterates have made."""
        return len(self.decay)

    def of_models(self, models: slice) -> "Iterates":
        """Return iterates of their own, of some models only, which hold the same arrays."""
        return Iterates(self.waves[:, :, models], self.birth, self.decay[:, models])

    def extend(self, waves: FloatArray, decay: FloatArray) -> None:
        """Add the blocks of some iterations: waves (2, iterations, m, n_models), decay (iterations, n_models)."""
        born = self.n_iterations + 1 + np.repeat(np.arange(len(decay)), waves.shape[2])
        self.waves = np.concatenate([self.waves, waves.reshape(2, -1, self.n_models)], axis=1)
        self.birth = np.concatenate([self.birth, born])
        self.decay = np.concatenate([self.decay, decay])

    def coefficients(self, stop: int | None = None, *, averaged: bool = False) -> FloatArray:
        """Return the coefficients of iterate `stop`, or of the average of all up to it, (2, frequencies, n_models).

        Examples
        --------
        >>> import numpy as np
        >>> iterates = Iterates.empty(n_models=1)
        >>> iterates.extend(np.ones((2, 2, 1, 1)), decay=np.array([[0.0], [0.5]]))
        >>> iterates.coefficients()[0].tolist(), iterates.coefficients(averaged=True)[0].round(3).tolist()
        ([[0.5], [1.0]], [[0.667], [0.667]])
        """
        last = self.n_iterations if stop is None else stop
        if averaged:
            weights = np.zeros((last + 1, self.n_models))
            weights[last] = last
            for i in range(last - 1, -1, -1):
                weights[i] = self.decay[i] * weights[i + 1] + i
            weights /= max(last * (last + 1) / 2, 1)
        else:
            factors = np.concatenate([np.ones((1, self.n_models)), self.decay[:last][::-1]])
            weights = np.cumprod(factors, axis=0)[::-1]
        n_kept = int(np.searchsorted(self.birth, last, side="right"))
        return self.waves[:, :n_kept] * weights[self.birth[:n_kept]]
