"""Labelled rows that repeat one another cell by cell, and their contradictory labels."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from s2auc.common.arrays import BoolArray, IndexArray, is_sparse
from s2auc.data.sources.rows import Rows, count_rows, dense_rows

MIN_DISTINCT = 20
"""With fewer different rows, equal rows are what is to be expected."""

MAX_CONTRADICTORY = 1 / 3
"""Maximum share of repeated rows with both labels; above it rows are equal by chance, as with few categories."""

MAX_SHOWN = 3
"""Pairs of contradictory rows that are named."""


@dataclass(frozen=True, eq=False)
class RepeatedRows:
    """Labelled rows that are equal in every column.

    Attributes
    ----------
    first
        The place of the first of its equals, for every labelled row.
    n_repeated
        Number of labelled rows that repeat an earlier one.
    contradictory
        Places of pairs of equal rows with different labels, one pair for each such row.
    are_copies
        Whether the rows seem to be copies, which have to be held out together, and not rows that are alike by chance.
    """

    first: IndexArray
    n_repeated: int
    contradictory: tuple[tuple[int, int], ...]
    are_copies: bool

    def sentence(self, numbers: IndexArray, *, is_kept_together: bool) -> str:
        """Return what users are told; "" where no row repeats another.

        Parameters
        ----------
        numbers
            The number of each labelled row in X.
        is_kept_together
            Whether equal rows are held out together.
        """
        if not self.n_repeated:
            return ""
        verb = "repeats another one" if self.n_repeated == 1 else "repeat others"
        text = f"{self.n_repeated:,} of {len(self.first):,} labelled rows {verb}"
        text += "; equal rows are held out together." if is_kept_together else "."
        if self.contradictory:
            pairs = [f"{numbers[first]} and {numbers[other]}" for first, other in self.contradictory[:MAX_SHOWN]]
            more = ", ..." if len(self.contradictory) > MAX_SHOWN else ""
            text += (
                f" Equal rows with contradictory labels: {len(self.contradictory):,} (rows {', '.join(pairs)}{more})."
            )
        return text


def find_repeated_rows(rows: Rows, is_positive: BoolArray) -> RepeatedRows:
    """Return which labelled rows are equal in every column; missing values equal one another.

    Parameters
    ----------
    rows
        Labelled rows.
    is_positive
        Which of them are positive.

    Examples
    --------
    >>> found = find_repeated_rows(np.array([[1.0, np.nan], [2.0, 0.0], [1.0, np.nan]]), np.array([True, True, False]))
    >>> found.first.tolist(), found.n_repeated, found.contradictory
    ([0, 1, 0], 1, ((0, 2),))
    """
    first_of: dict[bytes, int] = {}
    first = np.array([first_of.setdefault(cells, place) for place, cells in enumerate(_cells(rows))], dtype=np.intp)
    differs = np.flatnonzero(is_positive != is_positive[first]).tolist()
    n_repeated = len(first) - len(first_of)
    n_groups = len(np.unique(first[first != np.arange(len(first))]))
    n_contradictory = len(np.unique(first[differs]))
    are_copies = n_repeated > 0 and len(first_of) >= MIN_DISTINCT and n_contradictory <= MAX_CONTRADICTORY * n_groups
    return RepeatedRows(first, n_repeated, tuple((int(first[place]), place) for place in differs), are_copies)


def _cells(rows: Rows) -> Sequence[bytes]:
    """Return the cells of each row as bytes that are equal where the cells are."""
    if is_sparse(rows):
        matrix = csr_array(rows, copy=True)
        matrix.sum_duplicates()
        matrix.eliminate_zeros()
        ends = [slice(*pair) for pair in zip(matrix.indptr[:-1], matrix.indptr[1:], strict=True)]
        return [matrix.indices[part].tobytes() + _plain(matrix.data[part]).tobytes() for part in ends]
    plain = _plain(dense_rows(rows))
    return [plain[place].tobytes() for place in range(count_rows(rows))]


def _plain(values: np.ndarray) -> np.ndarray:
    """Return values of which each has one spelling: zero has no sign, and all missing values are one."""
    return np.where(np.isnan(values), np.nan, values + 0.0)
