"""The groups of rows, the order of labelled rows, and weights of rows within their group."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from s2auc.common.arrays import BoolArray, FloatArray, IndexArray

POSITIVE, NEGATIVE, UNLABELED = "positive", "negative", "unlabeled"

NODE, NEIGHBOR = "node", "neighbor"
"""The two ends of an edge between neighbours, which should score alike."""

ORIGIN = "origin"
"""A group of one row that is always there and always scores zero: pairs with it make a loss of single scores."""


@dataclass(frozen=True)
class PositiveFirst:
    """The order of labelled rows wherever they stand together: the positive ones first, then the negative ones.

    Attributes
    ----------
    n_positive, n_negative
        How many rows there are of each class.
    weight
        How much each row counts among those of its class, more than zero; None where all count alike.

    Examples
    --------
    >>> order = PositiveFirst(n_positive=2, n_negative=3)
    >>> order.is_positive.tolist(), order.negative
    ([True, True, False, False, False], slice(2, 5, None))
    """

    n_positive: int
    n_negative: int
    weight: FloatArray | None = field(default=None, compare=False)

    @property
    def n_rows(self) -> int:
        """How many rows are labelled."""
        return self.n_positive + self.n_negative

    @property
    def positive(self) -> slice:
        """Where the positive rows stand."""
        return slice(0, self.n_positive)

    @property
    def negative(self) -> slice:
        """Where the negative rows stand."""
        return slice(self.n_positive, self.n_rows)

    @property
    def slices(self) -> Mapping[str, slice]:
        """Where each class that has rows stands."""
        both = {POSITIVE: self.positive, NEGATIVE: self.negative}
        return {group: part for group, part in both.items() if part.stop > part.start}

    @property
    def is_positive(self) -> BoolArray:
        """Which rows are positive."""
        return np.arange(self.n_rows) < self.n_positive

    def split(self, places: IndexArray) -> dict[str, IndexArray]:
        """Return some places by class, for the classes that are among them.

        Examples
        --------
        >>> import numpy as np
        >>> {group: places.tolist() for group, places in PositiveFirst(2, 3).split(np.array([0, 3, 4])).items()}
        {'positive': [0], 'negative': [3, 4]}
        """
        is_positive = places < self.n_positive
        both = {POSITIVE: places[is_positive], NEGATIVE: places[~is_positive]}
        return {group: part for group, part in both.items() if len(part)}

    def chosen(self, places: IndexArray) -> "PositiveFirst":
        """Return the order of some of the rows, which are listed as they stand."""
        n_positive = int(np.count_nonzero(places < self.n_positive))
        return PositiveFirst(n_positive, len(places) - n_positive, self.weight_of(places))

    def weight_of(self, rows: IndexArray | slice) -> FloatArray | None:
        """Return how much some of the rows count; None where all count alike.

        Examples
        --------
        >>> PositiveFirst(1, 1, np.array([2.0, 5.0])).weight_of(np.array([1])), PositiveFirst(1, 1).weight_of(slice(1))
        (array([5.]), None)
        """
        return None if self.weight is None else self.weight[rows]


def shares_of(weight: FloatArray | None, n_rows: int) -> FloatArray:
    """Return how much of its group each of some rows is, shares that sum to one; None stands for equal weights.

    Examples
    --------
    >>> shares_of(np.array([3.0, 1.0]), 2).tolist(), shares_of(None, 2).tolist()
    ([0.75, 0.25], [0.5, 0.5])
    """
    return np.full(n_rows, 1.0 / max(n_rows, 1)) if weight is None else weight / weight.sum()


def counts_of(weight: FloatArray | None, n_rows: int) -> FloatArray:
    """Return weights in units of their mean, so that they sum to the number of rows; None stands for equal weights.

    Examples
    --------
    >>> counts_of(np.array([3.0, 1.0]), 2).tolist(), counts_of(None, 2).tolist()
    ([1.5, 0.5], [1.0, 1.0])
    """
    return np.ones(n_rows) if weight is None else n_rows * shares_of(weight, n_rows)


def effective_size(weight: FloatArray | None, n_rows: int) -> float:
    """Return how many rows of equal weight tell as much as some rows do: (Σw)²/Σw², whatever the unit of weights.

    Examples
    --------
    >>> effective_size(np.array([1.0, 1.0, 2.0]), 3), effective_size(None, 3)
    (2.6666666666666665, 3.0)
    """
    # By shares: squares of small weights would underflow.
    return float(n_rows) if weight is None else 1.0 / float(np.sum(np.square(shares_of(weight, n_rows))))
