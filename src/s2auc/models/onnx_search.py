"""Which of some sorted numbers is the last one that a value is not below, in an ONNX graph."""

from collections.abc import Sequence

import numpy as np

from s2auc.common.arrays import AnyArray, FloatArray
from s2auc.models.onnx.graph import Tensor


class SortedTables:
    """Sorted numbers of several columns, and other numbers that belong to each of them.

    They are halved again and again, for all columns at once: nine steps for 512 numbers, on one integer a value.

    Parameters
    ----------
    numbers
        The sorted numbers of every column, at least one each.
    values
        What is looked up: the values of the columns, (n, columns), none of them missing or infinite.
    """

    def __init__(self, numbers: Sequence[FloatArray], values: Tensor) -> None:
        graph, self._width = values.graph, padded_length(max(map(len, numbers)))
        self._numbers = graph.constant(self._padded(numbers, np.inf))
        self._place = graph.constant(np.arange(len(numbers), dtype=np.int64)[None, :] * self._width)
        step = self._width // 2
        while step:
            next_place = self._place + np.array([step])
            is_reached = graph.add("Gather", self._numbers, next_place) <= values
            self._place, step = graph.where(is_reached, next_place, self._place), step // 2

    @property
    def reached(self) -> Tensor:
        """The last number not above each value; the first, if all are above."""
        return self._place.graph.add("Gather", self._numbers, self._place)

    def look_up(self, entries: Sequence[FloatArray]) -> Tensor:
        """Return the entries that belong to the numbers that are reached, given one for each number."""
        return self._place.graph.add("Gather", self._padded(entries, 0.0), self._place)

    def _padded(self, entries: Sequence[FloatArray], filler: float) -> AnyArray:
        padded = np.full((len(entries), self._width), filler)
        for row, own in zip(padded, entries, strict=True):
            row[: len(own)] = own
        return padded.ravel()


def padded_length(length: int) -> int:
    """Return the power of two that numbers are padded to: halving then ends everywhere at once and never outside.

    Examples
    --------
    >>> padded_length(1), padded_length(5), padded_length(512)
    (1, 8, 512)
    """
    return 1 << (length - 1).bit_length()
