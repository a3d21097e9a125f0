"""A model's part that is a sum of cosines: Σ_k cosine_k·cos(ω_kᵀz) + sine_k·sin(ω_kᵀz), z the rescaled row."""

from dataclasses import dataclass, replace
from functools import cached_property, partial
from numbers import Integral
from reprlib import repr as shown
from typing import Self

import numpy as np

from s2auc.common.arrays import FloatArray
from s2auc.common.randomness import SEED_LIMIT
from s2auc.data.features.scaled_rows import scale_rows
from s2auc.data.sources.rows import Rows
from s2auc.kernels.frequencies import FrequencyStream
from s2auc.models.checks import require
from s2auc.models.parts.bounds import check_kernel, check_numbers, check_total, scaled_rows
from s2auc.models.parts.columns import check_columns
from s2auc.models.parts.part import ColumnPart

MAX_COLUMNS = 2**18
"""After encoding: a thousand frequencies of as many numbers each are drawn at a time, two gigabytes."""


@dataclass(frozen=True, eq=False)
class CosinePart(ColumnPart):
    """One sum of cosines, whose frequencies come from a seed.

    Coefficients, not amplitudes and phases, are kept: sums and averages of models are sums and averages of these.

    Examples
    --------
    >>> import numpy as np
    >>> from s2auc.data.features.scaling import ColumnScaling
    >>> columns = ColumnScaling(np.zeros(2), np.ones(2))
    >>> part = CosinePart(columns, "gaussian", gamma=0.5, seed=0, cosine=np.array([2.0]), sine=np.array([1.0]))
    >>> part.score(np.zeros((1, 2))).tolist()
    [2.0]
    """

    FLOATS, WORDS, ARRAYS = ("gamma",), ("kernel", "seed"), ("cosine", "sine")

    kernel: str
    gamma: float
    seed: int
    cosine: FloatArray
    sine: FloatArray

    def trimmed(self) -> Self:
        """Return the part without the last frequencies, as far as their coefficients are zero."""
        n_used = int(np.flatnonzero((self.cosine != 0.0) | (self.sine != 0.0)).max(initial=-1)) + 1
        return replace(self, cosine=self.cosine[:n_used].copy(), sine=self.sine[:n_used].copy())

    def score(self, X: Rows) -> FloatArray:
        """Return the part's score of every row."""
        rows = scale_rows(X, partial(scaled_rows, self.columns), len(self.columns.shift))
        return self._stream.evaluate(rows, self.cosine, self.sine)

    def check(self, place: int, n_columns: int) -> None:
        """Raise a ValueError that names the first thing wrong with the part, which scores rows of so many columns."""
        check_kernel(self.kernel, self.gamma, place)
        is_integer = isinstance(self.seed, Integral) and not isinstance(self.seed, bool)
        sentence = f"the seed of part {place} must be an integer from 0 to 2**64 - 1, got {shown(self.seed)}"
        require(is_integer and 0 <= self.seed < SEED_LIMIT, sentence)
        n_scaled = check_columns(self.columns, place, n_columns)
        sentence = f"cosines of part {place} must be of at most {MAX_COLUMNS} columns, got {n_scaled}"
        require(n_scaled <= MAX_COLUMNS, sentence)
        check_numbers(self.cosine, "cosine", place)
        check_numbers(self.sine, "sine", place)
        check_total("cosine and sine", place, self.cosine, self.sine)
        lengths = len(self.cosine), len(self.sine)
        require(len(set(lengths)) == 1, f"cosine and sine of part {place} must be of one length, got {lengths}")

    @cached_property
    def _stream(self) -> FrequencyStream:
        # Kept for the next rows: drawing all frequencies takes longer than scoring a few hundred rows.
        return FrequencyStream(self.kernel, self.gamma, len(self.columns.shift), self.seed)
