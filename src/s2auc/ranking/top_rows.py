"""What is found among the highest scores: how many positive rows, of how many."""

from dataclasses import dataclass

import numpy as np

from s2auc.common.arrays import BoolArray, FloatArray
from s2auc.ranking.metric_inputs import read_cut
from s2auc.ranking.metrics import hits_at, lift_at, precision_at


@dataclass(frozen=True)
class TopRows:
    """The rows with the highest scores. Rows tied at the cut count by expectation.

    Attributes
    ----------
    cut
        What was asked for: a number of rows, or a share of all.
    n_rows
        How many rows that is, no more than there are.
    n_positive
        How many of them are positive; not whole where ties are at the cut.
    precision
        The share of positive rows among them.
    recall
        The share of all positive rows that are among them.
    lift
        How many times more frequent positive rows are among them than overall.
    """

    cut: float
    n_rows: int
    n_positive: float
    precision: float
    recall: float
    lift: float


def count_top(is_positive: BoolArray, scores: FloatArray, cut: float) -> TopRows:
    """Return what is found among the highest scores, of rows some of which are positive.

    Parameters
    ----------
    is_positive, scores
        Which rows are positive, and the score of each.
    cut
        A number of rows, of which there may be fewer, or a share of them in (0, 1), rounded up.

    Examples
    --------
    >>> count_top(np.array([True, False, True, False]), np.array([0.9, 0.4, 0.4, 0.1]), cut=2)
    TopRows(cut=2, n_rows=2, n_positive=1.5, precision=0.75, recall=0.75, lift=1.5)
    """
    # Python's own numbers, whatever type the cut has.
    wanted: float = np.asarray(cut).item()
    kept = min(wanted, len(scores))
    ranking = is_positive, scores, kept
    n_positive = hits_at(*ranking)
    recall = n_positive / int(np.count_nonzero(is_positive))
    return TopRows(wanted, read_cut(kept, len(scores)), n_positive, precision_at(*ranking), recall, lift_at(*ranking))
