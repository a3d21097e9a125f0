"""A fitted model: sums of cosines, or of kernels, over rescaled columns, and nothing else that scoring needs."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from sklearn.utils.validation import check_array

from s2auc.common.arrays import AnyArray, FloatArray
from s2auc.data import RowSource, open_source
from s2auc.data.column_scaling import ColumnScaling
from s2auc.data.schema import Schema
from s2auc.kernels.frequencies import FREQUENCY_VERSION
from s2auc.kernels.frequency_stream import FrequencyStream
from s2auc.models.kernel_part import KernelPart

SCORE_CHUNK, CHUNK_BYTES = 2**14, 2**28
"""Rows that are scored at a time, fewer if these would take more bytes: sparse rows are dense while they are scored."""


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
        return self._stream.evaluate(self.columns.apply(X), self.cosine, self.sine)

    @cached_property
    def _stream(self) -> FrequencyStream:
        # Kept for the next rows: drawing all frequencies takes longer than scoring a few hundred rows.
        return FrequencyStream(self.kernel, self.gamma, len(self.columns.shift), self.seed)


@dataclass(frozen=True, eq=False)
class Model:
    """What a fit leaves behind: parts whose scores add up, and what their sum means.

    Attributes
    ----------
    parts
        Sums of cosines, or of kernels at rows; a single fit has one.
    offset
        Rows that score above it are predicted positive.
    classes
        The negative class, then the positive one.
    feature_names
        Names of the columns, if they had any.
    frequency_version
        How seeds become frequencies (`s2auc.kernels.frequencies`).
    schema
        What the columns mean, if some of them hold categories.
    """

    parts: tuple[Part | KernelPart, ...]
    offset: float
    classes: AnyArray
    feature_names: tuple[str, ...] | None = None
    frequency_version: str = field(default=FREQUENCY_VERSION)
    schema: Schema | None = None

    @property
    def n_columns(self) -> int:
        """How many columns a row has."""
        return self.parts[0].columns.n_columns

    @property
    def takes_missing(self) -> bool:
        """Whether every part knows what stands in for a missing value."""
        return all(part.columns.encoding is not None for part in self.parts)

    def decision_function(self, X: Any) -> FloatArray:
        """Return the score of every row: the higher, the more likely positive; above zero means predicted positive.

        Parameters
        ----------
        X
            Rows, (n, n_columns): array, sparse matrix, data frame or list. The columns of a data frame must have the
            names, and the order, of those the model was fitted on; its categories become codes. Missing values are an
            error unless `takes_missing`.

        Examples
        --------
        >>> import numpy as np
        >>> columns = ColumnScaling(np.zeros(2), np.ones(2))
        >>> part = Part(columns, "gaussian", gamma=0.5, seed=0, cosine=np.array([1.0]), sine=np.array([0.0]))
        >>> Model((part,), offset=0.25, classes=np.array([0, 1])).decision_function([[0.0, 0.0]]).tolist()
        [0.75]
        """
        names = tuple(map(str, getattr(X, "columns", ())))
        if self.feature_names is not None and names and names != self.feature_names:
            raise ValueError(
                f"The columns of X must be those the model was fitted on, in their order: "
                f"{', '.join(self.feature_names)}. Got {', '.join(names)}; select and order them first."
            )
        rows = check_array(
            X if self.schema is None else self.schema.read(X),
            accept_sparse="csr",
            dtype="numeric",
            ensure_all_finite="allow-nan" if self.takes_missing else True,
            ensure_min_samples=0,
        )
        if rows.shape[1] != self.n_columns:
            raise ValueError(
                f"X must have the {self.n_columns} columns that the model was fitted on. Got {rows.shape[1]}; pass "
                "rows of the same table."
            )
        return self.score_source(open_source(rows))

    def predict(self, X: Any) -> AnyArray:
        """Return the predicted class of every row."""
        return self.classes_of(self.decision_function(X))

    def score_source(self, source: RowSource) -> FloatArray:
        """Return the decision function of the rows of a source, some at a time."""
        n_rows = max(1, min(SCORE_CHUNK, CHUNK_BYTES // (8 * self.n_columns)))
        scores = [np.sum([part.score(chunk) for part in self.parts], axis=0) for chunk in source.scan(n_rows)]
        return np.concatenate([np.zeros(0), *scores]) - self.offset

    def classes_of(self, scores: FloatArray) -> AnyArray:
        """Return the classes that scores of the decision function stand for."""
        predicted: AnyArray = self.classes[(scores > 0).astype(np.intp)]
        return predicted
