"""A model's part that is a sum of kernels at rows: Σ_i coefficient_i·k(centre_i, z), z the rescaled row."""

from dataclasses import dataclass

import numpy as np

from s2auc.common.arrays import AnyArray, FloatArray
from s2auc.data.column_scaling import ColumnScaling
from s2auc.kernels.shift_invariant import KERNELS

BLOCK_NUMBERS = 2**21
"""Kernel values that are formed at a time: sixteen megabytes."""


@dataclass(frozen=True, eq=False)
class KernelPart:
    """One sum of kernels; the centres are rescaled already.

    Examples
    --------
    >>> import numpy as np
    >>> columns = ColumnScaling(np.zeros(1), np.ones(1))
    >>> part = KernelPart(columns, "gaussian", gamma=1.0, centers=np.zeros((1, 1)), coefficients=np.array([2.0]))
    >>> part.score(np.array([[0.0], [1.0]])).round(4).tolist()
    [2.0, 0.7358]
    """

    columns: ColumnScaling
    kernel: str
    gamma: float
    centers: FloatArray
    coefficients: FloatArray

    def score(self, X: AnyArray) -> FloatArray:
        """Return the part's score of every row, which does not depend on the rows that come with it."""
        rows, kernel = self.columns.apply(X), KERNELS[self.kernel]
        scores = np.empty(len(rows))
        step = max(1, BLOCK_NUMBERS // len(self.centers))
        for first in range(0, len(rows), step):
            values = kernel.matrix(rows[first : first + step], self.centers, self.gamma)
            # A matrix product may round a row by its place among others; a sum along the row does not.
            scores[first : first + step] = np.multiply(values, self.coefficients, out=values).sum(axis=1)
        return scores
