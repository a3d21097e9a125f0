"""Weights of labelled rows: `sample_weight`, checked and in units of its mean."""

from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from s2auc.common.arrays import FloatArray
from s2auc.data.labels.labels import Labels


def weigh_labels(labels: Labels, sample_weight: Any) -> Labels:
    """Return labels whose rows count as much as their weights say; those of no weight are left out.

    Weights of unlabelled rows are not looked at. Only ratios of weights matter, so that equal ones are none.

    Parameters
    ----------
    labels
        What y means.
    sample_weight
        One number >= 0 a row; None for equal weights.

    Raises
    ------
    ValueError
        If there is not one finite number >= 0 for every labelled row, or none above 0 for a class that has rows.

    Examples
    --------
    >>> from s2auc.data.labels.labels import read_labels
    >>> weighed = weigh_labels(read_labels([1, 0, 0, -1]), [3.0, 0.0, 1.0, 7.0])
    >>> weighed.order, weighed.order.weight
    (PositiveFirst(n_positive=1, n_negative=1, weight=array([1.5, 0.5])), array([1.5, 0.5]))
    """
    if sample_weight is None:
        return labels
    numbers, n_positive = labels.positive_first(), labels.n_positive
    weight = _read(sample_weight, labels.n_rows)[numbers]
    strange = ~((weight >= 0) & (weight < np.inf))
    if strange.any():
        row = int(numbers[strange].min())
        found = f"{weight[numbers == row][0]:g} in row {row}"
        raise ValueError(f"sample_weight must hold finite numbers >= 0. Got {found}; use 0 to leave the row out.")
    # In units of the largest first: the sum of very large weights would overflow, and very small ones are zero then.
    weight /= weight.max(initial=0.0) or 1.0
    for name, members in (("positive", weight[:n_positive]), ("negative", weight[n_positive:])):
        if len(members) and not members.any():
            found = f"zeros for all {len(members)} {name} rows; give some of them weight, or take them out of y"
            raise ValueError(f"sample_weight must be above 0 for some row of each class. Got {found}.")
    kept = weight > 0
    weighed = replace(
        labels,
        positive=labels.positive[kept[:n_positive]],
        negative=labels.negative[kept[n_positive:]],
        weightless=np.sort(numbers[~kept]),
    )
    # Calls of partial_fit may bring no labelled row at all.
    if not kept.any() or np.ptp(weight[kept]) == 0:
        return weighed
    return replace(weighed, weight=weight[kept] / weight[kept].mean())


def _read(sample_weight: Any, n_rows: int) -> FloatArray:
    if isinstance(sample_weight, np.ma.MaskedArray):
        sample_weight = np.ma.filled(sample_weight.astype(object), np.nan)
    weight = None
    # Text, dates and complex numbers could be cast, too, but are no weights.
    with suppress(TypeError, ValueError):
        if np.asarray(sample_weight).dtype.kind in "biufO":
            weight = np.asarray(sample_weight, dtype=np.float64)
    if weight is None or weight.shape != (n_rows,):
        found = f"a {type(sample_weight).__name__} of something else" if weight is None else f"shape {weight.shape}"
        rule = f"hold one number for each of the {n_rows} rows of X"
        raise ValueError(f"sample_weight must {rule}. Got {found}; pass such a vector, or None.")
    return weight
