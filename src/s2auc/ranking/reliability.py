"""How far probabilities can be relied on: what they say against what share of rows is positive."""

from dataclasses import dataclass

import numpy as np
from sklearn.metrics import brier_score_loss, log_loss

from s2auc.common.arrays import BoolArray, FloatArray, IndexArray

MAX_BINS, MIN_ROWS = 10, 5
"""Groups of rows of like probability, and rows of each, but for ties."""


@dataclass(frozen=True)
class ProbabilityBin:
    """Rows of like probability.

    Attributes
    ----------
    n_rows, n_positive
        How many rows there are, and how many of them are positive.
    mean_probability, share_positive
        What was said of them, and what came about: the closer, the better.
    """

    n_rows: int
    n_positive: int
    mean_probability: float
    share_positive: float


@dataclass(frozen=True)
class Calibration:
    """What probabilities are worth.

    Attributes
    ----------
    brier
        The mean squared distance of probabilities from 1 for positive rows and from 0 for others.
    log_loss
        The mean negative logarithm of the probability of what a row is.
    mean_probability, share_positive
        What was said of all rows, and what came about.
    bins
        Rows by rising probability in up to 10 groups of equal size, of 5 rows or more; rows of the same probability
        are in one group.
    """

    brier: float
    log_loss: float
    mean_probability: float
    share_positive: float
    bins: tuple[ProbabilityBin, ...]


def judge_probabilities(is_positive: BoolArray, probabilities: FloatArray) -> Calibration:
    """Return how well probabilities of the positive class agree with which rows are positive.

    Examples
    --------
    >>> found = judge_probabilities(np.arange(12) % 4 == 0, np.repeat([0.25, 0.5], [6, 6]))
    >>> [(part.n_rows, part.n_positive, part.mean_probability) for part in found.bins]
    [(6, 2, 0.25), (6, 1, 0.5)]
    """
    order = np.argsort(probabilities, kind="stable")
    parts = np.split(order, _bounds(probabilities[order]))
    return Calibration(
        float(brier_score_loss(is_positive, probabilities)),
        float(log_loss(is_positive, probabilities, labels=[False, True])),
        float(probabilities.mean()),
        float(is_positive.mean()),
        tuple(_bin(is_positive[part], probabilities[part]) for part in parts),
    )


def _bounds(ordered: FloatArray) -> IndexArray:
    """Return where groups begin, but for the first: at even steps, or before where equal probabilities begin."""
    n_bins = max(1, min(MAX_BINS, len(ordered) // MIN_ROWS))
    even = np.arange(1, n_bins) * len(ordered) // n_bins
    starts = np.unique(np.searchsorted(ordered, ordered[even]))
    return starts[starts > 0]


def _bin(is_positive: BoolArray, probabilities: FloatArray) -> ProbabilityBin:
    n_positive = int(np.count_nonzero(is_positive))
    return ProbabilityBin(len(is_positive), n_positive, float(probabilities.mean()), n_positive / len(is_positive))
