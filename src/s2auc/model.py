"""A fitted model: sums of cosines over rescaled columns, and nothing else that scoring needs."""

from dataclasses import dataclass, field

import numpy as np

from s2auc.arrays import AnyArray, FloatArray
from s2auc.frequencies import FREQUENCY_VERSION
from s2auc.preprocessing import ColumnScaling
from s2auc.stream import FrequencyStream


@dataclass(frozen=True, eq=False)
class Part:
    """One sum of cosines: Σ_k cosine_k·cos(ω_kᵀz) + sine_k·sin(ω_kᵀz), z the rescaled row.

    Coefficients, not amplitudes and phases, are kept: sums and averages of models are sums and averages of these.
    """

    columns: ColumnScaling
    kernel: str
    gamma: float
    seed: int
    cosine: FloatArray
    sine: FloatArray

    def score(self, X: AnyArray) -> FloatArray:
        """Return the part's score of every row."""
        stream = FrequencyStream(self.kernel, self.gamma, X.shape[1], self.seed)
        return stream.evaluate(self.columns.apply(X), self.cosine, self.sine)


@dataclass(frozen=True, eq=False)
class Model:
    """What a fit leaves behind: parts whose scores add up, and what their sum means.

    Attributes
    ----------
    parts
        Sums of cosines; a single fit has one.
    offset
        Rows that score above it are predicted positive.
    classes
        The negative class, then the positive one.
    feature_names
        Names of the columns, if they had any.
    frequency_version
        How seeds become frequencies (`s2auc.frequencies`).
    """

    parts: tuple[Part, ...]
    offset: float
    classes: AnyArray
    feature_names: tuple[str, ...] | None = None
    frequency_version: str = field(default=FREQUENCY_VERSION)

    @property
    def n_columns(self) -> int:
        """How many columns a row has."""
        return len(self.parts[0].columns.shift)

    def score(self, X: AnyArray) -> FloatArray:
        """Return the score of every row: the higher, the more likely positive.

        Examples
        --------
        >>> import numpy as np
        >>> columns = ColumnScaling(np.zeros(2), np.ones(2))
        >>> part = Part(columns, "gaussian", gamma=0.5, seed=0, cosine=np.array([1.0]), sine=np.array([0.0]))
        >>> Model((part,), offset=0.0, classes=np.array([0, 1])).score(np.zeros((1, 2))).tolist()
        [1.0]
        """
        total: FloatArray = np.sum([part.score(X) for part in self.parts], axis=0)
        return total

    def decision_function(self, X: AnyArray) -> FloatArray:
        """Return the scores with the offset taken off: above zero means predicted positive."""
        return self.score(X) - self.offset

    def predict(self, X: AnyArray) -> AnyArray:
        """Return the predicted class of every row."""
        is_positive = self.decision_function(X) > 0
        predicted: AnyArray = self.classes[is_positive.astype(np.intp)]
        return predicted
