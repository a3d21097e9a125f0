"""The highest of many scores, picked out as they come."""

from typing import NamedTuple

import numpy as np

from s2auc.common.arrays import FloatArray, IndexArray

SPARE_SCORES = 2**16
"""At least so many more than asked for are held before the lowest are let go."""


class Ranked(NamedTuple):
    """Scores from the highest down, and the numbers of their rows."""

    scores: FloatArray
    rows: IndexArray


def count_top(top: int | float, n_rows: int) -> int:
    """Return how many rows are the top, given their number or their share of all rows."""
    return int(top) if isinstance(top, int | np.integer) else max(1, round(top * n_rows))


class TopScores:
    """The highest scores so far, a fixed number of them at most; of equal ones those that came first.

    Memory goes with that number, not with how many scores come.

    Examples
    --------
    >>> top = TopScores(2)
    >>> for scores in ([0.5, 2.0, 1.0], [2.0, 3.0]):
    ...     top.add(np.array(scores))
    >>> top.ranked().rows.tolist()
    [4, 1]
    """

    def __init__(self, most: int, spare: int | None = None) -> None:
        self._most, self._n_seen, self._lowest = most, 0, -np.inf
        self._limit = 2 * most + (SPARE_SCORES if spare is None else spare)
        self._scores: list[FloatArray] = []
        self._rows: list[IndexArray] = []
        self._n_held = 0

    def add(self, scores: FloatArray, skipped: IndexArray | None = None) -> None:
        """Take the scores of the next rows, without those of some places among them."""
        # A score that equals the lowest of enough earlier ones comes after them.
        is_candidate = scores > self._lowest if np.isfinite(self._lowest) else np.ones(len(scores), dtype=bool)
        if skipped is not None:
            is_candidate[skipped] = False
        self._scores.append(scores[is_candidate])
        self._rows.append(self._n_seen + np.flatnonzero(is_candidate))
        self._n_seen += len(scores)
        self._n_held += len(self._scores[-1])
        if self._n_held >= self._limit:
            kept = self.ranked()
            self._scores, self._rows, self._n_held = [kept.scores], [kept.rows], len(kept.scores)
            self._lowest = float(kept.scores[-1])

    def ranked(self) -> Ranked:
        """Return what is left of all scores."""
        scores = np.concatenate([np.zeros(0), *self._scores])
        rows = np.concatenate([np.zeros(0, dtype=np.intp), *self._rows])
        order = np.lexsort((rows, -scores))[: self._most]
        return Ranked(scores[order], rows[order])
