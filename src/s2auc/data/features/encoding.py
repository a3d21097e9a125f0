"""Columns as they come, turned into numbers that a kernel can compare: values, ranks, levels, marks of missing ones."""

from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property

import numpy as np
from scipy.sparse import csr_array

from s2auc.common.arrays import AnyArray, FloatArray, IndexArray


class Kind(IntEnum):
    """What an encoded column says about the column it comes from."""

    VALUE = 0
    RANK = 1
    LEVEL = 2
    MISSING = 3


@dataclass(frozen=True, eq=False)
class Encoding:
    """Encoded columns, each made from one column of the rows.

    Attributes
    ----------
    n_columns
        How many columns the rows have.
    source
        The column that each encoded column is made from.
    kind
        What each encoded column says, a `Kind`: the value itself, its rank among all rows (0 to 1), whether it equals
        a level, or whether it is missing (NaN).
    number
        For values and ranks, what stands in for a missing value; for levels, the level.
    bounds, knots, ranks
        Knots [bounds[i], bounds[i+1]) and their ranks belong to the i-th column of kind RANK. Ranks between knots are
        interpolated; beyond the ends they stay.

    Examples
    --------
    >>> import numpy as np
    >>> encoding = Encoding(
    ...     n_columns=2, source=np.array([0, 0, 1]), kind=np.array([Kind.VALUE, Kind.MISSING, Kind.LEVEL]),
    ...     number=np.array([5.0, 0.0, 2.0]), bounds=np.array([0]), knots=np.zeros(0), ranks=np.zeros(0))
    >>> encoding.apply(np.array([[1.5, 2.0], [np.nan, 0.0]])).tolist()
    [[1.5, 0.0, 1.0], [5.0, 1.0, 0.0]]
    """

    n_columns: int
    source: IndexArray
    kind: IndexArray
    number: FloatArray
    bounds: IndexArray
    knots: FloatArray
    ranks: FloatArray

    @classmethod
    def plain(cls, number: FloatArray) -> "Encoding":
        """Return the encoding in which every column stands for itself, with a number in place of missing values."""
        n_columns, no_knots = len(number), np.zeros(0)
        kind = np.full(n_columns, Kind.VALUE, dtype=np.intp)
        return cls(n_columns, np.arange(n_columns), kind, number, np.zeros(1, dtype=np.intp), no_knots, no_knots)

    @cached_property
    def is_plain(self) -> bool:
        """Whether every column stands for itself, and all that happens is that missing values are replaced."""
        return bool((self.kind == Kind.VALUE).all()) and np.array_equal(self.source, np.arange(self.n_columns))

    def apply(self, X: AnyArray) -> FloatArray:
        """Return the encoded columns, in float64 and without NaN."""
        rows = np.asarray(X, dtype=np.float64)
        if self.is_plain and not _may_hold_nan(rows):
            return rows
        encoded: FloatArray = rows[:, self.source]
        is_missing = np.isnan(encoded)
        is_number = (self.kind == Kind.VALUE) | (self.kind == Kind.RANK)
        np.copyto(encoded, self.number, where=is_missing & is_number)
        for place, column in enumerate(np.flatnonzero(self.kind == Kind.RANK)):
            part = slice(self.bounds[place], self.bounds[place + 1])
            ranks = np.interp(encoded[:, column], self.knots[part], self.ranks[part])
            # Slopes overflow between knots that are closer than the smallest normal number.
            encoded[:, column] = np.clip(ranks, 0.0, 1.0)
        levels, marks = self.kind == Kind.LEVEL, self.kind == Kind.MISSING
        encoded[:, levels] = encoded[:, levels] == self.number[levels]
        encoded[:, marks] = is_missing[:, marks]
        return encoded

    def part(self, places: slice) -> "Encoding":
        """Return the encoding of the same rows that gives some of the encoded columns only."""
        is_rank = self.kind == Kind.RANK
        first, n_ranks = (int(np.count_nonzero(is_rank[some])) for some in (slice(places.start), places))
        bounds = self.bounds[first : first + n_ranks + 1]
        known = slice(bounds[0], bounds[-1])
        return Encoding(
            self.n_columns,
            self.source[places],
            self.kind[places],
            self.number[places],
            bounds - bounds[0],
            self.knots[known],
            self.ranks[known],
        )

    def fill_sparse(self, X: csr_array) -> csr_array:
        """Return sparse rows with numbers in place of missing ones, given that the encoding is plain.

        Examples
        --------
        >>> import numpy as np
        >>> encoding = Encoding.plain(np.array([5.0, 6.0]))
        >>> encoding.fill_sparse(csr_array([[0.0, np.nan]])).toarray().tolist()
        [[0.0, 6.0]]
        """
        is_missing = np.isnan(X.data)
        filled = np.where(is_missing, self.number[X.indices], X.data)
        return csr_array((filled, X.indices, X.indptr), shape=X.shape) if is_missing.any() else X


def _may_hold_nan(rows: FloatArray) -> bool:
    """Return whether the sum of all values is NaN: one pass, without an array of its own."""
    with np.errstate(over="ignore", invalid="ignore"):
        return bool(np.isnan(rows.sum()))


def ranks_of(values: FloatArray, n_knots: int) -> tuple[FloatArray, FloatArray]:
    """Return knots, and the share of the values below each of them, those equal to it counting half.

    The knots are the values themselves, or evenly spaced quantiles of them where they are many.

    Examples
    --------
    >>> import numpy as np
    >>> knots, ranks = ranks_of(np.array([1.0, 2.0, 2.0, 9.0]), n_knots=100)
    >>> knots.tolist(), ranks.tolist()
    ([1.0, 2.0, 9.0], [0.125, 0.5, 0.875])
    """
    ordered = np.sort(values)
    knots = np.unique(ordered)
    if len(knots) > n_knots:
        knots = np.unique(ordered[np.linspace(0, len(ordered) - 1, n_knots).astype(np.intp)])
    below, upto = np.searchsorted(ordered, knots, "left"), np.searchsorted(ordered, knots, "right")
    return knots, (below + upto) / (2.0 * len(ordered))
