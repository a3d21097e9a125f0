"""Whether labelled rows could be a sample of the same classes as the unlabelled ones, column by column."""

from dataclasses import dataclass

import numpy as np
from scipy.stats import rankdata, t

from s2auc.common.arrays import FloatArray
from s2auc.common.groups import PositiveFirst, effective_size, shares_of

MIN_ROWS = 5
"""With fewer rows of a class nothing can be said."""

SHIFT_LEVEL = 1e-3
"""A difference between labelled and unlabelled rows that would be rarer than this by chance is told to users."""


@dataclass(frozen=True)
class Shift:
    """The column in which labelled and unlabelled rows differ most.

    Attributes
    ----------
    column
        Its number.
    p_value
        How likely a difference this large in any column would be if there were none.
    class_prior
        The share of positive rows that brings labelled and unlabelled rows closest.
    """

    column: int
    p_value: float
    class_prior: float


def find_shift(labeled: FloatArray, order: PositiveFirst, unlabeled: FloatArray) -> Shift | None:
    """Return where unlabelled rows differ most from the best mixture of the labelled classes; None if rows are few.

    The method takes unlabelled rows for a mixture π·(positive) + (1-π)·(negative) of the labelled classes; how many
    rows of each class were labelled does not matter. So the mean rank of every column among unlabelled rows should lie
    between those of the two classes, with one π for all columns; so should the mean distance of the ranks from the
    middle, which tells of a change of spread. π is the least-squares fit; what is left over is compared with its
    standard error by Student's t, and the smallest p-value is multiplied by the number of comparisons. Where labelled
    rows count differently, their means are weighted: weights that make up for how rows were picked leave no shift.

    Parameters
    ----------
    labeled, order
        Labelled rows, positive first, without missing values.
    unlabeled
        Unlabelled rows.

    Examples
    --------
    >>> import numpy as np
    >>> random = np.random.default_rng(0)
    >>> labeled = np.concatenate([random.normal(1.0, size=(60, 3)), random.normal(0.0, size=(60, 3))])
    >>> unlabeled = np.concatenate([random.normal(1.0, size=(50, 3)), random.normal(0.0, size=(450, 3))])
    >>> find_shift(labeled, PositiveFirst(60, 60), unlabeled).p_value > 0.01
    True
    >>> moved = find_shift(labeled, PositiveFirst(60, 60), unlabeled + [0.0, 2.0, 0.0])
    >>> moved.column, moved.p_value < 1e-6
    (1, True)
    """
    weights = *map(order.weight_of, (order.positive, order.negative)), None
    counts = order.n_positive, order.n_negative, len(unlabeled)
    sizes = [effective_size(weight, count) for weight, count in zip(weights, counts, strict=True)]
    smallest = min(sizes)
    if smallest < MIN_ROWS:
        return None
    rows = np.concatenate([labeled, unlabeled])
    ranks = rankdata(rows, axis=0) / (len(rows) + 1.0) - 0.5
    statistics = np.concatenate([ranks, np.abs(ranks)], axis=1)
    groups = np.split(statistics, np.cumsum(counts)[:2])
    # A rare level may be absent from the few rows of a class: their own variance would claim that it cannot occur.
    pooled = statistics.var(axis=0)
    errors = [np.maximum(part.var(axis=0, ddof=1), pooled) / size for part, size in zip(groups, sizes, strict=True)]
    floor = 1e-4 / smallest  # for columns that are constant everywhere
    of_positive, of_negative, of_unlabeled = (
        shares_of(weight, len(part)) @ part for weight, part in zip(weights, groups, strict=True)
    )
    gap, rest = of_positive - of_negative, of_unlabeled - of_negative
    precision = 1.0 / (errors[0] + errors[1] + errors[2] + floor)
    prior = float(np.clip(np.sum(precision * gap * rest) / max(np.sum(precision * gap * gap), 1e-300), 0.0, 1.0))
    error = np.sqrt(prior**2 * errors[0] + (1.0 - prior) ** 2 * errors[1] + errors[2] + floor)
    score = np.abs(rest - prior * gap) / error
    worst = int(np.argmax(score))
    p_value = 2.0 * float(t.sf(score[worst], smallest - 1)) * len(score)
    return Shift(worst % labeled.shape[1], min(1.0, p_value), prior)
