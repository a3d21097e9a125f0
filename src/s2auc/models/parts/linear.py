"""A model's part that is linear in the columns: Σ_j weight_j·z_j, z the rescaled row."""

from dataclasses import dataclass

import numpy as np

from s2auc.common.arrays import FloatArray, IndexArray, is_sparse
from s2auc.data.features.encoding import Encoding, Kind
from s2auc.data.features.scaling import ColumnScaling
from s2auc.data.sources.rows import Rows, count_rows
from s2auc.models.checks import require
from s2auc.models.parts.bounds import MAX_VALUE, check_numbers, check_total, scaled_rows
from s2auc.models.parts.columns import check_columns
from s2auc.models.parts.part import ColumnPart

SCORE_NUMBERS = 2**17
"""Scaled numbers that are formed at a time: one megabyte, which stays in the processor's cache."""

FEW_COLUMNS = 32
"""Up to so many columns are faster to add one after the other than along every row."""


@dataclass(frozen=True, eq=False)
class LinearPart(ColumnPart):
    """One weighted sum of columns.

    Sparse rows stay sparse if every column stands for itself: their scores are then those of dense rows but for
    rounding.

    Examples
    --------
    >>> import numpy as np
    >>> from s2auc.data.features.scaling import ColumnScaling
    >>> columns = ColumnScaling(np.array([1.0, 0.0]), np.array([1.0, 10.0]))
    >>> LinearPart(columns, np.array([2.0, 1.0])).score(np.array([[1.0, 0.5], [2.0, 0.0]])).tolist()
    [5.0, 2.0]
    """

    ARRAYS = ("weights",)

    weights: FloatArray

    @classmethod
    def of_columns(cls, columns: IndexArray, n_columns: int, weight: float) -> "LinearPart":
        """Return the sum of some of the columns of rows, times a weight."""
        zeros, ones = np.zeros(len(columns)), np.ones(len(columns))
        kind, no_knots = np.full(len(columns), Kind.VALUE, dtype=np.intp), np.zeros(0)
        encoding = Encoding(n_columns, columns, kind, zeros, np.zeros(1, dtype=np.intp), no_knots, no_knots)
        return cls(ColumnScaling(zeros, ones, encoding), weight * ones)

    def score(self, X: Rows) -> FloatArray:
        """Return the part's score of every row, which does not depend on the rows that come with it."""
        return self._sparse_score(X) if is_sparse(X) and self.columns.keeps_sparsity else self._dense_score(X)

    def _sparse_score(self, X: Rows) -> FloatArray:
        with np.errstate(over="ignore", invalid="ignore"):
            scores = self.columns.sparse_product(X, self.weights)
        # Values beyond all bounds are held to these where they can be seen one by one.
        is_beyond = ~(np.abs(scores) <= MAX_VALUE)
        if is_beyond.any():
            scores[is_beyond] = self._dense_score(X[is_beyond])
        return scores

    def _dense_score(self, X: Rows) -> FloatArray:
        scores = np.empty(count_rows(X))
        step = max(1, SCORE_NUMBERS // len(self.weights))
        for first in range(0, len(scores), step):
            values = scaled_rows(self.columns, X[first : first + step])
            scores[first : first + step] = _weighted_sums(values, self.weights)
        return scores

    def check(self, place: int, n_columns: int) -> None:
        """Raise a ValueError that names the first thing wrong with the part, which scores rows of so many columns."""
        n_scaled = check_columns(self.columns, place, n_columns)
        check_numbers(self.weights, "weights", place)
        check_total("weights", place, self.weights)
        sentence = f"weights of part {place} must hold a number for each of {n_scaled} columns, got {len(self.weights)}"
        require(len(self.weights) == n_scaled, sentence)


def _weighted_sums(values: FloatArray, weights: FloatArray) -> FloatArray:
    """Return the weighted sum of every row, the same bits whatever the other rows and the order in memory."""
    if len(weights) <= FEW_COLUMNS:
        scores = np.zeros(len(values))
        for column, weight in zip(values.T, weights, strict=True):
            scores += column * weight
        return scores
    # A matrix product may round a row by its place among others; a sum along the row does not, in C order.
    sums: FloatArray = np.multiply(values, weights, order="C").sum(axis=1)
    return sums
