"""Moments of features by group: all that a quadratic objective needs to know of the rows."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from s2auc.common.arrays import AnyArray, BoolArray, FloatArray, IndexArray
from s2auc.common.groups import PositiveFirst


@dataclass(frozen=True, eq=False)
class Moments:
    """Mean feature vector and mean outer product of the features of a group's rows."""

    mean: FloatArray
    second: FloatArray


def moments_of(phi: AnyArray) -> Moments:
    """Return the moments, in float64, of rows that are given by their features, which may be float32."""
    return Moments(phi.mean(axis=0, dtype=np.float64), (phi.T @ phi / len(phi)).astype(np.float64))


BLOCK_ROWS = 1024
"""Rows whose features are held at a time."""


def moments_of_masks(labeled: Any, order: PositiveFirst, is_trained: BoolArray) -> Iterator[dict[str, Moments]]:
    """Yield, mask by mask, the moments of its rows by group, for groups of which it has any.

    Masks leave out folds, one or two at a time. Rows of a fold are in the same masks: their moments are formed once,
    and those of a mask are sums of a few of them.

    Parameters
    ----------
    labeled, order
        Labelled rows by their features, positive first, and how much each counts: an array, or anything that gives
        rows by their places. Every row is asked for once, some at a time.
    is_trained
        Which of them each mask has, (labelled rows, masks).

    Examples
    --------
    >>> is_trained = np.array([[True, False], [True, True]])
    >>> for moments in moments_of_masks(np.array([[1.0], [3.0]]), PositiveFirst(1, 1), is_trained):
    ...     print({group: of_group.second.tolist() for group, of_group in moments.items()})
    {'positive': [[1.0]], 'negative': [[9.0]]}
    {'negative': [[9.0]]}
    """
    is_in, set_of_row = np.unique(is_trained, axis=0, return_inverse=True)
    if len(is_in) > is_trained.shape[1]:
        # Folds that overlap cut rows into more sets than there are masks: each mask has sums of its own then.
        for is_used in is_trained.T:
            places = order.split(np.flatnonzero(is_used))
            yield {group: _Sums.over(labeled, rows, order.weight_of(rows)).mean() for group, rows in places.items()}
        return
    sets = [order.split(np.flatnonzero(set_of_row.ravel() == number)) for number in range(len(is_in))]
    sums = [
        {group: _Sums.over(labeled, rows, order.weight_of(rows)) for group, rows in places.items()} for places in sets
    ]
    for chosen in is_in.T:
        found: dict[str, _Sums] = {}
        for of_set in (of_set for of_set, is_chosen in zip(sums, chosen, strict=True) if is_chosen):
            for group, more in of_set.items():
                found[group] = found[group].plus(more) if group in found else more
        yield {group: found[group].mean() for group in order.slices if group in found}


class _Sums:
    """Over some rows: the sum of their weights, of their features, and of the outer products of their features."""

    def __init__(self, weight: float, first: FloatArray, second: FloatArray) -> None:
        self.weight, self.first, self.second = weight, first, second

    @classmethod
    def over(cls, labeled: Any, places: IndexArray, weight: FloatArray | None) -> "_Sums":
        n_features = labeled.shape[1]
        first, second = np.zeros(n_features), np.zeros((n_features, n_features))
        for start in range(0, len(places), BLOCK_ROWS):
            # In float64: how rows are cut into sets must not show, and small alphas would show it.
            rows = labeled[places[start : start + BLOCK_ROWS]].astype(np.float64)
            weighted = rows if weight is None else rows * weight[start : start + BLOCK_ROWS, None]
            first += weighted.sum(axis=0)
            second += rows.T @ weighted
        return cls(len(places) if weight is None else float(weight.sum()), first, second)

    def plus(self, other: "_Sums") -> "_Sums":
        return _Sums(self.weight + other.weight, self.first + other.first, self.second + other.second)

    def mean(self) -> Moments:
        return Moments(self.first / self.weight, self.second / self.weight)
