"""Statistics of columns: means, spreads, ends, and numbers of missing values."""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from s2auc.common.arrays import BoolArray, FloatArray, IndexArray
from s2auc.common.errors import InputError
from s2auc.common.messages import Message
from s2auc.common.user_warnings import warn_user

MIN_WIDTH = 1e-305
"""Columns that vary by less are scaled as if they varied by this: the reciprocal, and its products, must be finite."""


class Statistics(NamedTuple):
    """Mean, standard deviation, smallest and largest value of every column, over the values that are not missing.

    Columns without any value have zeros.
    """

    mean: FloatArray
    deviation: FloatArray
    low: FloatArray
    high: FloatArray
    n_missing: IndexArray

    @property
    def size(self) -> FloatArray:
        """The largest absolute value of every column."""
        return np.maximum(np.abs(self.low), np.abs(self.high))

    def of(self, columns: IndexArray) -> "Statistics":
        """Return the statistics of some columns, in the order asked for."""
        some: Iterable[Any] = (values[columns] for values in self)
        return Statistics(*some)

    def or_else(self, others: "Statistics", is_other: BoolArray) -> "Statistics":
        """Return these statistics, but those of other columns where asked for."""
        return Statistics(*(np.where(is_other, other, own) for own, other in zip(self, others, strict=True)))


def measure(X: FloatArray) -> Statistics:
    """Return the statistics of rows, at least one, however small or large their values; NaN is a missing value.

    Examples
    --------
    >>> import numpy as np
    >>> found = measure(np.array([[1.0, np.nan], [3.0, 5.0]]))
    >>> found.mean.tolist(), found.deviation.tolist(), found.n_missing.tolist()
    ([2.0, 5.0], [1.0, 0.0], [0, 1])
    """
    is_missing = np.isnan(X)
    n_missing: IndexArray = is_missing.sum(axis=0)
    if not n_missing.any():
        low, high = X.min(axis=0), X.max(axis=0)
        unit = _unit(low, high)
        # Squares of very small or very large values leave the range of float64: measure columns in their own size.
        return Statistics(X.mean(axis=0), (X / unit).std(axis=0) * unit, low, high, n_missing)
    is_empty = n_missing == len(X)
    n_present = np.maximum(len(X) - n_missing, 1)
    low = np.where(is_empty, 0.0, np.where(is_missing, np.inf, X).min(axis=0))
    high = np.where(is_empty, 0.0, np.where(is_missing, -np.inf, X).max(axis=0))
    unit = _unit(low, high)
    mean = np.where(is_missing, 0.0, X).sum(axis=0) / n_present
    gap = np.where(is_missing, 0.0, (X - mean) / unit)
    return Statistics(mean, np.sqrt(np.square(gap).sum(axis=0) / n_present) * unit, low, high, n_missing)


def check_measurable(found: Statistics, names: list[str]) -> None:
    """Raise an InputError that names a column whose values do not add up in float64."""
    with np.errstate(over="ignore", invalid="ignore"):
        # Differences of values, and of their means, must be finite too.
        ends = np.isfinite(4.0 * found.low) & np.isfinite(4.0 * found.high)
        lost = np.flatnonzero(~(np.isfinite(found.mean) & np.isfinite(found.deviation) & ends))
    if lost.size:
        rule = "hold finite numbers that add up without overflow, or NaN where one is missing"
        name, largest = names[lost[0]], f"{found.size[lost[0]]:.3g}"
        fix = "divide the column by a power of ten, or replace infinity"
        raise InputError(rule, subject="Column {name} of {X}", found=largest, fix=fix, name=name)


def check_varying(found: Statistics, n_rows: int, names: list[str]) -> None:
    """Raise an InputError if no column of rows differs between them; warn of columns that differ by next to nothing.

    Parameters
    ----------
    found, n_rows
        The statistics of the rows, and how many they are. A single row tells nothing.
    names
        What sentences call the columns.
    """
    is_constant = (found.low == found.high) & ((found.n_missing == 0) | (found.n_missing == n_rows))
    if is_constant.all() and n_rows > 1:
        raise InputError(
            "have a column that differs between rows, or all rows would have the same score",
            parameter="X",
            found=f"one value or none in every column of {n_rows:,} rows",
            fix="add columns that describe the rows",
        )
    tiny = np.flatnonzero((found.deviation < MIN_WIDTH) & (found.low < found.high))
    if tiny.size:
        words = "Column {name} of {X} varies by {deviation} only, and counts less than it should; multiply it by 1e300."
        warn_user(Message(words, name=names[tiny[0]], deviation=f"{found.deviation[tiny[0]]:.3g}"))


def _unit(low: FloatArray, high: FloatArray) -> FloatArray:
    return np.maximum(np.maximum(np.abs(low), np.abs(high)), np.finfo(np.float64).tiny)
