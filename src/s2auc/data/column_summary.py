"""What all rows together say about their columns, from one pass over them in bounded memory."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from s2auc.common.arrays import FloatArray, IndexArray


@dataclass(frozen=True, eq=False)
class Statistics:
    """Mean, standard deviation, smallest and largest value of every column."""

    mean: FloatArray
    deviation: FloatArray
    low: FloatArray
    high: FloatArray

    @property
    def size(self) -> FloatArray:
        """The largest absolute value of every column."""
        return np.maximum(np.abs(self.low), np.abs(self.high))


@dataclass(frozen=True, eq=False)
class ColumnSummary:
    """Statistics and missing values of every column over all rows, and a sample of the rows.

    Attributes
    ----------
    n_rows
        How many rows there are.
    statistics
        Of the values that are not missing; zeros for a column without any.
    n_missing
        How many values of each column are missing.
    sample
        Some rows, for what moments do not tell: quantiles and distinct values.
    """

    n_rows: int
    statistics: Statistics
    n_missing: IndexArray
    sample: FloatArray


def measure(X: FloatArray) -> Statistics:
    """Return the statistics of rows without missing values, however small or large these are."""
    low, high = X.min(axis=0), X.max(axis=0)
    # Squares of very small or very large values leave the range of float64: measure columns in their own size.
    unit = np.maximum(np.maximum(np.abs(low), np.abs(high)), np.finfo(np.float64).tiny)
    return Statistics(X.mean(axis=0), (X / unit).std(axis=0) * unit, low, high)


def summarise(chunks: Iterable[FloatArray], sample: FloatArray) -> ColumnSummary:
    """Return the summary of the rows of all chunks; NaN is a missing value.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[1.0, np.nan], [3.0, 5.0]])
    >>> summary = summarise([X[:1], X[1:]], sample=X)
    >>> summary.statistics.mean.tolist(), summary.statistics.deviation.tolist(), summary.n_missing.tolist()
    ([2.0, 5.0], [1.0, 0.0], [0, 1])
    """
    n_columns = sample.shape[1]
    n_rows, n_missing = 0, np.zeros(n_columns, dtype=np.intp)
    low, high = np.full(n_columns, np.inf), np.full(n_columns, -np.inf)
    # Sums of differences from a row that is not far from the mean lose no digits, however large the values; squares
    # stay in the range of float64 if columns are measured in their own size.
    origin, factor = _origin_and_factor(sample)
    total, squares = np.zeros(n_columns), np.zeros(n_columns)
    # Overflow shows in the result, which is checked.
    with np.errstate(over="ignore", invalid="ignore"):
        for chunk in chunks:
            if not len(chunk):
                continue
            n_rows += len(chunk)
            gap = (chunk - origin) * factor
            if np.isnan(gap.sum()):
                is_missing = np.isnan(chunk)
                n_missing += is_missing.sum(axis=0)
                gap[is_missing] = 0.0
                low = np.minimum(low, np.where(is_missing, np.inf, chunk).min(axis=0))
                high = np.maximum(high, np.where(is_missing, -np.inf, chunk).max(axis=0))
            else:
                low, high = np.minimum(low, chunk.min(axis=0)), np.maximum(high, chunk.max(axis=0))
            total += gap.sum(axis=0)
            squares += np.einsum("ij,ij->j", gap, gap)
        n_present = np.maximum(n_rows - n_missing, 1)
        mean_gap = total / n_present
        variance = squares / n_present - np.square(mean_gap)
        is_finite = np.isfinite(variance) & np.isfinite(4.0 * low) & np.isfinite(4.0 * high)
    is_empty = n_missing == n_rows
    lost = np.flatnonzero(~is_empty & ~is_finite)
    if lost.size:
        largest = max(abs(low[lost[0]]), abs(high[lost[0]]))
        raise ValueError(
            f"Column {lost[0]} of X must hold finite numbers that add up without overflow, or NaN where one is "
            f"missing. Got {largest:.3g}; divide the column by a power of ten, or replace infinity."
        )
    return ColumnSummary(
        n_rows=n_rows,
        statistics=Statistics(
            mean=np.where(is_empty, 0.0, origin + mean_gap / factor),
            deviation=np.where(is_empty, 0.0, np.sqrt(np.maximum(variance, 0.0)) / factor),
            low=np.where(is_empty, 0.0, low),
            high=np.where(is_empty, 0.0, high),
        ),
        n_missing=n_missing,
        sample=sample,
    )


def _origin_and_factor(sample: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return a value amid those of every column, and a power of two that brings distances from it to about one."""
    is_missing = np.isnan(sample)
    is_empty = is_missing.all(axis=0)
    if not len(sample):
        return np.zeros(sample.shape[1]), np.ones(sample.shape[1])
    with np.errstate(over="ignore", invalid="ignore"):
        present = np.where(is_empty, 0.0, sample)
        median = np.nanmedian(present, axis=0) if is_missing.any() else np.median(present, axis=0)
        origin: FloatArray = np.nan_to_num(median)
        distance = np.abs(np.where(is_missing, origin, sample) - origin).max(axis=0)
    distance = np.where(distance > 0, distance, np.abs(origin))
    exponent = np.where(np.isfinite(distance), np.frexp(distance)[1], 0).clip(-1000, 1000)
    return origin, np.ldexp(1.0, -exponent)
