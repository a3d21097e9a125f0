"""Which rows to label next: those whose class the model doubts, far from one another."""

import numpy as np

from s2auc.common.arrays import FloatArray, IndexArray

DOUBTED = 10
"""Rows are taken from so many times as many as are wanted, those whose scores are nearest to the threshold."""


def choose_uncertain(scores: FloatArray, places: FloatArray, n: int) -> IndexArray:
    """Return the places in the list of rows to label, in the order in which they are best labelled.

    Of the rows whose scores are nearest to zero, the threshold, the nearest one comes first; then always the one that
    lies farthest from all that were taken. Of equals the first counts, and rows that lie where others were taken come
    last, by how near their scores are to zero.

    Parameters
    ----------
    scores
        The decision function of every row.
    places
        Where each row lies, (rows, columns), in columns of comparable widths.
    n
        How many rows are wanted; all of them, if they are fewer.

    Examples
    --------
    >>> scores = np.array([0.1, -0.2, 0.3, 5.0])
    >>> choose_uncertain(scores, np.array([[0.0], [0.1], [1.0], [9.0]]), 2).tolist()
    [0, 3]
    """
    doubted = np.argsort(np.abs(scores), kind="stable")[: DOUBTED * n]
    near = places[doubted]
    distance = np.full(len(doubted), np.inf)
    is_left = np.ones(len(doubted), dtype=bool)
    chosen: list[int] = []
    while len(chosen) < min(n, len(doubted)):
        # Rows are in the order of doubt: argmax takes the first of equals.
        chosen.append(int(np.where(is_left, distance, -1.0).argmax()))
        is_left[chosen[-1]] = False
        with np.errstate(over="ignore"):  # farther than all others is far enough
            distance = np.minimum(distance, np.square(near - near[chosen[-1]]).sum(axis=1))
    return doubted[chosen]
