"""Pair rules: which rows of two groups meet, and the mean loss over the pairs they form.

All arrays here are (rows, n_models); weights may have a single column that serves every model, or be None where all
rows weigh the same.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from typing import ClassVar, TypeAlias

import numpy as np

from s2auc.common.arrays import FloatArray
from s2auc.ranking.losses import Loss

SLICE_BYTES = 2**22
"""Gaps of all pairs are formed in slices of about this many bytes, which stay in the processor's cache."""


RowWeights: TypeAlias = FloatArray | None


@dataclass(frozen=True)
class MeanLoss:
    """Weighted mean of a loss over pairs, one value a model, and its derivatives by the scores of both sides."""

    value: FloatArray
    higher_gradient: FloatArray
    lower_gradient: FloatArray


def mean_over_all_pairs(
    coefficients: tuple[float, float, float],
    higher: FloatArray,
    lower: FloatArray,
    higher_share: FloatArray | None,
    lower_share: FloatArray | None,
) -> MeanLoss:
    """Return the mean of c0 + c1·z + c2·z² over all pairs, from the means and variances of the two groups.

    Scores and shares are (rows, n_models); shares sum to one, or to zero where a model has no pairs; None where all
    rows count alike.
    """
    c0, c1, c2 = coefficients
    higher_mean, lower_mean = _mean(higher, higher_share), _mean(lower, lower_share)
    gap = higher_mean - lower_mean
    variance = _mean(np.square(higher - higher_mean), higher_share) + _mean(np.square(lower - lower_mean), lower_share)
    total = 1.0 if higher_share is None else higher_share.sum(axis=0)
    of_higher = 1.0 / len(higher) if higher_share is None else higher_share
    of_lower = 1.0 / len(lower) if lower_share is None else lower_share
    return MeanLoss(
        value=total * (c0 + c1 * gap + c2 * (gap * gap + variance)),
        higher_gradient=of_higher * (c1 + (2.0 * c2) * (higher - lower_mean)),
        lower_gradient=of_lower * ((2.0 * c2) * (lower - higher_mean) - c1),
    )


@dataclass(frozen=True)
class PairRule(ABC):
    """Pairs of rows of two groups, the first of which should score higher.

    `meets_all` says whether every row of one group meets every row of the other: closed forms rely on it.
    """

    meets_all: ClassVar[bool]

    higher: str
    lower: str

    @abstractmethod
    def mean_loss(
        self, loss: Loss, higher: FloatArray, lower: FloatArray, higher_weight: RowWeights, lower_weight: RowWeights
    ) -> MeanLoss:
        """Return the mean loss over the pairs of two groups, neither of them empty."""


class AllPairs(PairRule):
    """Every row of one group with every row of the other.

    Examples
    --------
    >>> import numpy as np
    >>> from s2auc.ranking.losses import LOSSES
    >>> higher, lower = np.array([[1.0]]), np.array([[0.0], [1.0]])
    >>> mean = AllPairs("positive", "negative").mean_loss(
    ...     LOSSES["square"], higher, lower, np.ones((1, 1)), np.ones((2, 1)))
    >>> mean.value.tolist()
    [0.5]
    """

    meets_all = True

    def mean_loss(
        self, loss: Loss, higher: FloatArray, lower: FloatArray, higher_weight: RowWeights, lower_weight: RowWeights
    ) -> MeanLoss:
        """Return the mean loss over all pairs: O(rows) for a quadratic loss, O(pairs) for others."""
        higher_share, lower_share = _shares(higher_weight), _shares(lower_weight)
        if higher_share is not None or lower_share is not None:
            # One where a model has pairs at all: a group without weight leaves the other without partners.
            higher_share, lower_share = _listed(higher_share, higher), _listed(lower_share, lower)
            present = np.sign(higher_share.sum(axis=0)) * np.sign(lower_share.sum(axis=0))
            higher_share, lower_share = present * higher_share, present * lower_share
        if loss.quadratic is not None:
            return mean_over_all_pairs(loss.quadratic, higher, lower, higher_share, lower_share)
        return _sliced_all_pairs(loss, higher, lower, _listed(higher_share, higher), _listed(lower_share, lower))


class RowPairs(PairRule):
    """Row i of one group with row i of the other; both have as many rows."""

    meets_all = False

    def mean_loss(
        self, loss: Loss, higher: FloatArray, lower: FloatArray, higher_weight: RowWeights, lower_weight: RowWeights
    ) -> MeanLoss:
        """Return the mean loss over the pairs (i, i)."""
        given = [weight for weight in (higher_weight, lower_weight) if weight is not None]
        if not given and loss.quadratic is not None:
            # The most frequent case, in few operations.
            c0, c1, c2 = loss.quadratic
            gap, share_of_each = higher - lower, 1.0 / len(higher)
            slope_of_each = (2.0 * c2 * share_of_each) * gap + c1 * share_of_each
            value = c0 + (c1 * gap.sum(axis=0) + c2 * np.einsum("rm,rm->m", gap, gap)) * share_of_each
            return MeanLoss(value, slope_of_each, -slope_of_each)
        share = _listed(_shares(reduce(np.multiply, given) if given else None), higher)
        gap = higher - lower
        slope = share * loss.derivative(gap)
        return MeanLoss(np.sum(share * loss.value(gap), axis=0), slope, -slope)


PAIRINGS: Mapping[str, type[PairRule]] = {"all": AllPairs, "triplet": RowPairs}
"""How the groups of a step meet: every row with every row, or row i with row i (the paper's triplets)."""


def _shares(weight: RowWeights) -> RowWeights:
    """Return weights that sum to one in every column, or to zero where there is no weight."""
    if weight is None:
        return None
    total = weight.sum(axis=0)
    shares: FloatArray = weight / np.where(total > 0, total, 1.0)
    return shares


def _listed(share: RowWeights, rows: FloatArray) -> FloatArray:
    """Return shares as an array, equal ones where they are None."""
    return np.full((len(rows), 1), 1.0 / max(len(rows), 1)) if share is None else share


def _sliced_all_pairs(
    loss: Loss, higher: FloatArray, lower: FloatArray, higher_share: FloatArray, lower_share: FloatArray
) -> MeanLoss:
    """Visit all pairs, a slice of the higher group at a time."""
    n_models = higher.shape[1]
    value = np.zeros(n_models)
    higher_gradient, lower_gradient = np.zeros_like(higher), np.zeros_like(lower)
    step = max(1, SLICE_BYTES // (8 * len(lower) * n_models))
    for first in range(0, len(higher), step):
        rows = slice(first, first + step)
        gap = higher[rows, None, :] - lower[None, :, :]
        share = higher_share[rows, None, :] * lower_share[None, :, :]
        value += np.sum(share * loss.value(gap), axis=(0, 1))
        slope = share * loss.derivative(gap)
        higher_gradient[rows] = slope.sum(axis=1)
        lower_gradient -= slope.sum(axis=0)
    return MeanLoss(value, higher_gradient, lower_gradient)


def _mean(values: FloatArray, share: FloatArray | None) -> FloatArray:
    mean: FloatArray = values.mean(axis=0) if share is None else np.sum(share * values, axis=0)
    return mean
