"""Rows of a table without a label, by number, however many there are."""

from dataclasses import dataclass

import numpy as np

from s2auc.common.arrays import IndexArray
from s2auc.common.randomness import SUGGESTION_STREAM, draw_rows


@dataclass(frozen=True, eq=False)
class UnlabeledNumbers:
    """The numbers of all rows but some.

    Attributes
    ----------
    n_rows
        How many rows there are.
    labeled
        The numbers of those that are left out, ascending.

    Examples
    --------
    >>> UnlabeledNumbers(5, np.array([0, 3])).drawn(most=10, seed=0).tolist()
    [1, 2, 4]
    """

    n_rows: int
    labeled: IndexArray

    def __len__(self) -> int:
        return self.n_rows - len(self.labeled)

    def drawn(self, most: int, seed: int) -> IndexArray:
        """Return at most so many of the numbers, ascending: all, or some that are drawn at random."""
        if len(self) <= most:
            places = np.arange(len(self))
        else:
            places = np.unique(draw_rows(seed, SUGGESTION_STREAM, len(self), most, 0, 1))
        # So many unlabelled rows come before each labelled one.
        n_before = self.labeled - np.arange(len(self.labeled))
        numbers: IndexArray = places + np.searchsorted(n_before, places, side="right")
        return numbers
