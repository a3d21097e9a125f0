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
    cosine, sine
        Coefficients at birth, (frequencies, n_models).
    birth
        The iteration that each frequency was born in; 0 for those that a run started from.
    decay
        d_t of iterations 1..t, (t, n_models).
    """

    cosine: FloatArray
    sine: FloatArray
    birth: IndexArray
    decay: FloatArray

    @classmethod
    def starting_at(cls, cosine: FloatArray, sine: FloatArray) -> "Iterates":
        """Return iterates that begin at a function: it belongs to no iterate, hence to no average."""
        return cls(cosine, sine, np.zeros(len(cosine), dtype=np.intp), np.zeros((0, cosine.shape[1])))

    @classmethod
    def empty(cls, n_models: int) -> "Iterates":
        """Return iterates that begin at zero."""
        return cls.starting_at(*np.zeros((2, 0, n_models)))

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
        return Iterates(self.cosine[:, models], self.sine[:, models], self.birth, self.decay[:, models])

    def extend(self, cosine: FloatArray, sine: FloatArray, decay: FloatArray) -> None:
        """Add the blocks of some iterations: coefficients (iterations, m, n_models), decay (iterations, n_models)."""
        n_new, m = cosine.shape[:2]
        born = self.n_iterations + 1 + np.repeat(np.arange(n_new), m)
        self.cosine = np.concatenate([self.cosine, cosine.reshape(-1, self.n_models)])
        self.sine = np.concatenate([self.sine, sine.reshape(-1, self.n_models)])
        self.birth = np.concatenate([self.birth, born])
        self.decay = np.concatenate([self.decay, decay])

    def coefficients(self, stop: int | None = None, *, averaged: bool = False) -> tuple[FloatArray, FloatArray]:
        """Return the coefficients of iterate `stop`, or of the average of all up to it, (frequencies, n_models).

        Examples
        --------
        >>> import numpy as np
        >>> iterates = Iterates.empty(n_models=1)
        >>> iterates.extend(np.ones((2, 1, 1)), np.zeros((2, 1, 1)), decay=np.array([[0.0], [0.5]]))
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
        share = weights[self.birth[:n_kept]]
        return self.cosine[:n_kept] * share, self.sine[:n_kept] * share
