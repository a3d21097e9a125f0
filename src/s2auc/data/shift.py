"""Whether labelled rows could be a sample of the same classes as the unlabelled ones, column by column."""

from dataclasses import dataclass

import numpy as np
from scipy.stats import rankdata, t

from s2auc.common.arrays import FloatArray

FEWEST_ROWS = 5
"""With fewer rows of a class nothing can be said."""


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


def find_shift(positive: FloatArray, negative: FloatArray, unlabeled: FloatArray) -> Shift | None:
    """Return where unlabelled rows differ most from the best mixture of the labelled classes; None if rows are few.

    The method takes unlabelled rows for a mixture π·(positive) + (1-π)·(negative) of the labelled classes; how many
    rows of each class were labelled does not matter. So the mean rank of every column among unlabelled rows should lie
    between those of the two classes, with one π for all columns; so should the mean distance of the ranks from the
    middle, which tells of a change of spread. π is the least-squares fit; what is left over is compared with its
    standard error by Student's t, and the smallest p-value is multiplied by the number of comparisons.

    Parameters
    ----------
    positive, negative, unlabeled
        Rows of each group, without missing values.

    Examples
    --------
    >>> import numpy as np
    >>> random = np.random.default_rng(0)
    >>> positive, negative = random.normal(1.0, size=(60, 3)), random.normal(0.0, size=(60, 3))
    >>> unlabeled = np.concatenate([random.normal(1.0, size=(50, 3)), random.normal(0.0, size=(450, 3))])
    >>> find_shift(positive, negative, unlabeled).p_value > 0.01
    True
    >>> moved = find_shift(positive, negative, unlabeled + [0.0, 2.0, 0.0])
    >>> moved.column, moved.p_value < 1e-6
    (1, True)
    """
    smallest = min(len(positive), len(negative), len(unlabeled))
    if smallest < FEWEST_ROWS:
        return None
    rows = np.concatenate([positive, negative, unlabeled])
    ranks = rankdata(rows, axis=0) / (len(rows) + 1.0) - 0.5
    statistics = np.concatenate([ranks, np.abs(ranks)], axis=1)
    of_positive, of_negative, of_unlabeled = np.split(statistics, np.cumsum([len(positive), len(negative)]))
    # A rare level may be absent from the few rows of a class: their own variance would claim that it cannot occur.
    pooled = statistics.var(axis=0)
    groups = (of_positive, of_negative, of_unlabeled)
    errors = [np.maximum(part.var(axis=0, ddof=1), pooled) / len(part) for part in groups]
    floor = 1e-4 / smallest  # for columns that are constant everywhere
    gap = of_positive.mean(axis=0) - of_negative.mean(axis=0)
    rest = of_unlabeled.mean(axis=0) - of_negative.mean(axis=0)
    precision = 1.0 / (errors[0] + errors[1] + errors[2] + floor)
    prior = float(np.clip(np.sum(precision * gap * rest) / max(np.sum(precision * gap * gap), 1e-300), 0.0, 1.0))
    error = np.sqrt(prior**2 * errors[0] + (1.0 - prior) ** 2 * errors[1] + errors[2] + floor)
    score = np.abs(rest - prior * gap) / error
    worst = int(np.argmax(score))
    p_value = 2.0 * float(t.sf(score[worst], smallest - 1)) * len(score)
    return Shift(worst % positive.shape[1], min(1.0, p_value), prior)
