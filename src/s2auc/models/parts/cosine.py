"""A model's part that is a sum of cosines: Σ_k cosine_k·cos(ω_kᵀz) + sine_k·sin(ω_kᵀz), z the rescaled row."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from numbers import Integral
from operator import index
from reprlib import repr as shown
from typing import Any, Self

from s2auc.common.arrays import FloatArray
from s2auc.common.randomness import SEED_LIMIT
from s2auc.data.features.scaling import ColumnScaling
from s2auc.data.sources.rows import Rows
from s2auc.kernels.frequency_stream import FrequencyStream
from s2auc.models.part_checks import check_gamma, check_kernel, check_numbers
from s2auc.models.parts.bounds import check_total, scaled_rows, total_of
from s2auc.models.parts.columns import check_columns, column_arrays, describe_columns, take_columns
from s2auc.models.strict_json import decode_float, fields_of


@dataclass(frozen=True, eq=False)
class CosinePart:
    """One sum of cosines, whose frequencies come from a seed.

    Coefficients, not amplitudes and phases, are kept: sums and averages of models are sums and averages of these.

    Examples
    --------
    >>> import numpy as np
    >>> columns = ColumnScaling(np.zeros(2), np.ones(2))
    >>> part = CosinePart(columns, "gaussian", gamma=0.5, seed=0, cosine=np.array([2.0]), sine=np.array([1.0]))
    >>> part.score(np.zeros((1, 2))).tolist()
    [2.0]
    """

    columns: ColumnScaling
    kernel: str
    gamma: float
    seed: int
    cosine: FloatArray
    sine: FloatArray

    @property
    def n_frequencies(self) -> int:
        """How many frequencies the sum has."""
        return len(self.cosine)

    @property
    def takes_missing(self) -> bool:
        """Whether missing values can be scored."""
        return self.columns.takes_missing

    def score(self, X: Rows) -> FloatArray:
        """Return the part's score of every row."""
        return self._stream.evaluate(scaled_rows(self.columns, X), self.cosine, self.sine)

    def description(self) -> dict[str, Any]:
        """Return what a file says about the part in words."""
        own = {"gamma": float(self.gamma).hex(), "kernel": self.kernel, "seed": index(self.seed)}
        return own | describe_columns(self.columns)

    def arrays(self) -> dict[str, FloatArray]:
        """Return the numbers that a file keeps of the part."""
        return column_arrays(self.columns) | {"cosine": self.cosine, "sine": self.sine}

    @classmethod
    def from_file(cls, description: Mapping[str, Any], arrays: Mapping[str, FloatArray]) -> Self:
        """Return the part that a file describes; its values are for `check` to judge."""
        columns, words, numbers = take_columns(description, arrays)
        words = fields_of(words, "description", {"gamma", "kernel", "seed"})
        numbers = fields_of(numbers, "arrays", {"cosine", "sine"})
        gamma = decode_float(words["gamma"], "gamma")
        return cls(columns, words["kernel"], gamma, words["seed"], numbers["cosine"], numbers["sine"])

    def check(self, place: int, n_columns: int) -> None:
        """Raise a ValueError that names the first thing wrong with the part, which scores rows of so many columns."""
        check_kernel(self.kernel, place)
        check_gamma(self.gamma, place)
        if isinstance(self.seed, bool) or not isinstance(self.seed, Integral) or not 0 <= self.seed < SEED_LIMIT:
            raise ValueError(f"the seed of part {place} must be an integer from 0 to 2**64 - 1, got {shown(self.seed)}")
        check_columns(self.columns, place, n_columns)
        check_numbers(self.cosine, "cosine", place)
        check_numbers(self.sine, "sine", place)
        check_total(total_of(self.cosine, self.sine), "cosine and sine", place)
        if len(self.cosine) != len(self.sine):
            raise ValueError(
                f"cosine and sine of part {place} must be of one length, got {len(self.cosine)} and {len(self.sine)}"
            )

    @cached_property
    def _stream(self) -> FrequencyStream:
        # Kept for the next rows: drawing all frequencies takes longer than scoring a few hundred rows.
        return FrequencyStream(self.kernel, self.gamma, len(self.columns.shift), self.seed)
