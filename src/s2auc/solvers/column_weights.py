"""How much each column tells by itself: weights for the kernel's distances, learnt from labelled rows."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from s2auc.common.arrays import FloatArray
from s2auc.common.groups import PositiveFirst
from s2auc.common.row_weights import effective_size
from s2auc.ranking.metrics import auc_of_columns


def auc_weights(labeled: FloatArray, order: PositiveFirst) -> FloatArray:
    """Return a weight for every column, with mean square one: the larger, the better it tells the classes apart alone.

    The measure of a column is e = |2·AUC - 1|, of its values or of their distance from the median (for columns whose
    extremes belong together), whichever is larger. It is shrunken by what chance would give, e² ← max(0, e² - s²) with
    s² the variance of e under no difference (twice that for the distance, a second look), and the weight is e + s/2: a
    column that tells nothing keeps a small weight, which the more labels there are, the smaller it gets. Where rows
    count differently, AUCs are weighted, and chance is that of as many equal rows as these are worth.

    Parameters
    ----------
    labeled, order
        Labelled rows, positive first.

    Examples
    --------
    >>> import numpy as np
    >>> noise = np.random.default_rng(0).normal(size=(100, 2))
    >>> noise[:50, 0] += 3.0
    >>> weights = auc_weights(noise, PositiveFirst(50, 50))
    >>> bool(weights[0] > 3 * weights[1])
    True
    """
    n_positive, n_negative = (
        effective_size(order.weight_of(rows), rows.stop - rows.start) for rows in (order.positive, order.negative)
    )
    chance = (n_positive + n_negative + 1) / (3.0 * n_positive * n_negative)
    slope = _separation(labeled, order) - chance
    hump = _separation(np.abs(labeled - np.median(labeled, axis=0)), order) - 2.0 * chance
    telling = np.sqrt(np.maximum(np.maximum(slope, hump), 0.0)) + 0.5 * np.sqrt(chance)
    weights: FloatArray = telling / np.sqrt(np.mean(np.square(telling)))
    return weights


def _separation(labeled: FloatArray, order: PositiveFirst) -> FloatArray:
    """Return (2·AUC - 1)² of every column."""
    sides = order.positive, order.negative
    areas = auc_of_columns(*(labeled[rows] for rows in sides), *map(order.weight_of, sides))
    separation: FloatArray = np.square(2.0 * areas - 1.0)
    return separation


def _no_weights(labeled: FloatArray, order: PositiveFirst) -> FloatArray:  # noqa: ARG001 one signature for all
    return np.ones(labeled.shape[1])


@dataclass(frozen=True)
class ColumnWeighting:
    """How columns are weighted, and whether labels take part in it: then every set of labelled rows has its own."""

    weights: Callable[[FloatArray, PositiveFirst], FloatArray]
    uses_labels: bool


COLUMN_WEIGHTINGS: Mapping[str, ColumnWeighting] = {
    "none": ColumnWeighting(_no_weights, uses_labels=False),
    "auc": ColumnWeighting(auc_weights, uses_labels=True),
}
"""`none`: all columns alike; `auc`: by how well each tells the classes apart alone."""
