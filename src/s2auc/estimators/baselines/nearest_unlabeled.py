"""Unlabelled rows that take the label of a labelled neighbour."""

import numpy as np
from scipy.spatial.distance import cdist

from s2auc.common.arrays import BoolArray, FloatArray, IndexArray
from s2auc.data.features.scaling import ColumnScaling
from s2auc.data.sources.source import RowSource

DISTANCE_NUMBERS = 2**22
"""Distances between labelled and unlabelled rows that are formed at a time: 32 megabytes."""


def find_neighbors(
    labeled: FloatArray, pool: RowSource, columns: ColumnScaling, n_neighbors: int
) -> tuple[IndexArray, FloatArray]:
    """Return the nearest rows of a pool to every labelled row, by number, and how far away they are, nearest first.

    The pool is scanned once, some rows at a time. Of rows that are as near the first ones are taken.

    Parameters
    ----------
    labeled
        Labelled rows, rescaled.
    pool, columns
        Unlabelled rows, and what happens to their columns first.
    n_neighbors
        How many rows of the pool each labelled row is given, or all of them if there are fewer.
    """
    n_labeled = len(labeled)
    numbers: IndexArray = np.zeros((n_labeled, 0), dtype=np.intp)
    distances: FloatArray = np.zeros((n_labeled, 0))
    first = 0
    for chunk in pool.scan(max(1, DISTANCE_NUMBERS // n_labeled)):
        found = cdist(labeled, columns.apply(chunk))
        seen = np.broadcast_to(np.arange(first, first + found.shape[1]), found.shape)
        numbers, distances = np.hstack([numbers, seen]), np.hstack([distances, found])
        nearest = _smallest(distances, n_neighbors)
        numbers = np.take_along_axis(numbers, nearest, axis=1)
        distances = np.take_along_axis(distances, nearest, axis=1)
        first += found.shape[1]
    return numbers, distances


def _smallest(distances: FloatArray, most: int) -> IndexArray:
    """Return the places of the smallest numbers of each row, in order; of equal ones the first."""
    if distances.shape[1] <= most:
        return np.argsort(distances, axis=1, kind="stable")
    # Few are worth sorting: those that are not above the last one that is wanted.
    bounds = np.partition(distances, most - 1, axis=1)[:, most - 1]
    places = np.empty((len(distances), most), dtype=np.intp)
    for row, (numbers, bound) in enumerate(zip(distances, bounds, strict=True)):
        small = np.flatnonzero(numbers <= bound)
        places[row] = small[np.argsort(numbers[small], kind="stable")[:most]]
    return places


def borrow_labels(numbers: IndexArray, distances: FloatArray, is_positive: BoolArray) -> tuple[IndexArray, BoolArray]:
    """Return the rows of the pool that are a neighbour of some labelled row, in order, and which become positive.

    A row that is a neighbour of several labelled rows takes the label of the nearest one of these; of the first one
    where they are equally near.

    Examples
    --------
    >>> numbers, distances = np.array([[7, 4], [4, 2]]), np.array([[0.1, 0.9], [0.3, 0.4]])
    >>> [array.tolist() for array in borrow_labels(numbers, distances, np.array([True, False]))]
    [[2, 4, 7], [False, False, True]]
    """
    lender = np.repeat(np.arange(len(numbers)), numbers.shape[1])
    order = np.lexsort((lender, distances.ravel()))
    borrowers, places = np.unique(numbers.ravel()[order], return_index=True)
    return borrowers, is_positive[lender[order][places]]
