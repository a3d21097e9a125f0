"""A model's part that is a sum of kernels at rows: Σ_i coefficient_i·k(centre_i, z), z the rescaled row."""

from dataclasses import dataclass

import numpy as np

from s2auc.common.arrays import FloatArray
from s2auc.data.sources.rows import Rows, count_rows
from s2auc.kernels.shift_invariant import KERNELS
from s2auc.models.checks import require
from s2auc.models.parts.bounds import check_kernel, check_largest, check_numbers, check_total, scaled_chunks
from s2auc.models.parts.columns import check_columns
from s2auc.models.parts.part import ColumnPart


@dataclass(frozen=True, eq=False)
class KernelPart(ColumnPart):
    """One sum of kernels; the centres are rescaled already.

    Examples
    --------
    >>> import numpy as np
    >>> from s2auc.data.features.scaling import ColumnScaling
    >>> columns = ColumnScaling(np.zeros(1), np.ones(1))
    >>> part = KernelPart(columns, "gaussian", gamma=1.0, centers=np.zeros((1, 1)), coefficients=np.array([2.0]))
    >>> part.score(np.array([[0.0], [1.0]])).round(4).tolist()
    [2.0, 0.7358]
    """

    FLOATS, WORDS, ARRAYS = ("gamma",), ("kernel",), ("centers", "coefficients")

    kernel: str
    gamma: float
    centers: FloatArray
    coefficients: FloatArray

    def score(self, X: Rows) -> FloatArray:
        """Return the part's score of every row, which does not depend on the rows that come with it."""
        scores = np.empty(count_rows(X))
        for place, rows in scaled_chunks(self.columns, X, len(self.centers)):
            values = KERNELS[self.kernel].matrix(rows, self.centers, self.gamma)
            # A matrix product may round a row by its place among others; a sum along the row does not.
            scores[place] = np.multiply(values, self.coefficients, out=values).sum(axis=1)
        return scores

    def check(self, place: int, n_columns: int) -> None:
        """Raise a ValueError that names the first thing wrong with the part, which scores rows of so many columns."""
        check_kernel(self.kernel, self.gamma, place)
        n_scaled = check_columns(self.columns, place, n_columns)
        check_numbers(self.centers, "centers", place, n_dimensions=2)
        check_numbers(self.coefficients, "coefficients", place)
        check_largest(self.centers, "centers", place)
        check_total("coefficients", place, self.coefficients)
        require(
            self.centers.shape == (max(1, len(self.coefficients)), n_scaled),
            f"centers of part {place} must be a row of {n_scaled} numbers for each of {len(self.coefficients)} > 0 "
            f"coefficients, got shape {self.centers.shape}",
        )
