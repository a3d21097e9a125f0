"""Exact ranking metrics: AUC between groups, AUC from unlabelled rows, precision, recall and lift at a cut."""

from dataclasses import dataclass
from fractions import Fraction
from math import ceil

import numpy as np
from numpy.typing import ArrayLike

from s2auc.common.arrays import AnyArray, BoolArray, FloatArray, IndexArray
from s2auc.common.groups import shares_of
from s2auc.ranking.metric_inputs import read_open_unit, read_ranking, read_scores, split_groups


def auc(y_true: ArrayLike, y_score: ArrayLike) -> float:
    """Return the probability that a positive row scores above a negative one, ties counting one half.

    Parameters
    ----------
    y_true
        True or 1 for positive rows, False or 0 for negative ones.
    y_score
        One score per row; infinities are allowed, NaN is not.

    Returns
    -------
    float
        The exact area under the ROC curve.

    Examples
    --------
    >>> from s2auc.ranking.metrics import auc
    >>> auc([1, 0, 1, 0], [0.9, 0.1, 0.4, 0.4])
    0.875
    """
    return auc_of_groups(*split_groups(*read_ranking(y_true, y_score)))


def auc_of_groups(
    higher: ArrayLike, lower: ArrayLike, higher_weight: FloatArray | None = None, lower_weight: FloatArray | None = None
) -> float:
    """Return P(higher > lower) + P(tie) / 2 for a pair drawn from two groups of scores.

    Parameters
    ----------
    higher, lower
        Scores of the group that should rank higher and of the other one.
    higher_weight, lower_weight
        Weights of the rows, not negative and not all zero; None for equal weights.

    Returns
    -------
    float
        The exact AUC between the groups, in O(n log n).

    Examples
    --------
    >>> from s2auc.ranking.metrics import auc_of_groups
    >>> auc_of_groups([3, 2], [2, 1, 0])
    0.9166666666666666
    >>> auc_of_groups([3, 2], [2, 1, 0], lower_weight=np.array([2, 0, 0]))
    0.75
    """
    above, below = read_scores("higher", higher), read_scores("lower", lower)
    if higher_weight is None and lower_weight is None:
        # Looking up the smaller group, in order, is kind to the cache and several times faster. The counts
        # are whole numbers, so both directions give the same bits.
        n_doubled_pairs = 2 * above.size * below.size
        if above.size <= below.size:
            return int(doubled_wins(np.sort(above), below).sum()) / n_doubled_pairs
        return (n_doubled_pairs - int(doubled_wins(np.sort(below), above).sum())) / n_doubled_pairs
    sides = (higher_weight, above.size), (lower_weight, below.size)
    # Only ratios matter, and sums of scaled weights cannot overflow.
    above_weight, below_weight = (np.ones(n) if weight is None else weight / weight.max() for weight, n in sides)
    above_order, below_order = np.argsort(above), np.argsort(below)
    ranked, wanted = below[below_order], above[above_order]
    share = np.concatenate(([0.0], np.cumsum(below_weight[below_order])))
    share /= share[-1]
    wins = share[np.searchsorted(ranked, wanted, "left")] + share[np.searchsorted(ranked, wanted, "right")]
    # Rounding can push a perfect ranking past 1 by an ulp.
    return min(1.0, float(np.average(wins / 2, weights=above_weight[above_order])))


def auc_of_columns(
    higher: AnyArray, lower: AnyArray, higher_weight: FloatArray | None = None, lower_weight: FloatArray | None = None
) -> FloatArray:
    """Return the AUC between two groups for every column of their scores, (rows, columns), by ranks.

    Parameters
    ----------
    higher, lower
        Scores of the group that should rank higher and of the other one.
    higher_weight, lower_weight
        Positive weights of the rows; None for equal weights.

    Examples
    --------
    >>> import numpy as np
    >>> auc_of_columns(np.array([[3.0, 0.0], [2.0, 0.0]]), np.array([[2.0, 1.0], [1.0, 0.0]])).tolist()
    [0.875, 0.25]
    """
    if higher_weight is not None or lower_weight is not None:
        shares = (shares_of(weight, len(rows)) for weight, rows in ((higher_weight, higher), (lower_weight, lower)))
        return _weighted_auc_of_columns(higher, lower, *shares)
    # Here and not above: it takes longer to import than all else that ranking needs.
    from scipy.stats import rankdata

    n_higher, n_lower = len(higher), len(lower)
    ranks = rankdata(np.concatenate([higher, lower]), axis=0)
    wins = ranks[:n_higher].sum(axis=0) - n_higher * (n_higher + 1) / 2
    areas: FloatArray = wins / (n_higher * n_lower)
    return areas


def _weighted_auc_of_columns(
    higher: AnyArray, lower: AnyArray, higher_share: FloatArray, lower_share: FloatArray
) -> FloatArray:
    """Return the same for rows with shares of their groups that sum to one."""
    scores = np.concatenate([higher, lower])
    order = np.argsort(scores, axis=0)
    ordered = np.take_along_axis(scores, order, axis=0)
    place = np.arange(len(scores))[:, None]
    is_first, is_last = np.ones((2, *scores.shape), dtype=bool)
    is_first[1:] = ordered[1:] != ordered[:-1]
    is_last[:-1] = is_first[1:]
    # The rows that tie with a row: from the first of them to the one after the last.
    first = np.maximum.accumulate(np.where(is_first, place, 0), axis=0)
    end = np.minimum.accumulate(np.where(is_last, place + 1, len(scores))[::-1], axis=0)[::-1]
    of_lower = np.concatenate([np.zeros(len(higher)), lower_share])[order]
    below = np.concatenate([np.zeros((1, scores.shape[1])), np.cumsum(of_lower, axis=0)])
    wins = np.take_along_axis(below, first, axis=0) + np.take_along_axis(below, end, axis=0)
    of_higher = np.concatenate([higher_share, np.zeros(len(lower))])[order]
    areas: FloatArray = np.minimum(1.0, (wins * of_higher).sum(axis=0) / 2.0)
    return areas


def auc_positive_unlabeled(
    positive: ArrayLike, unlabeled: ArrayLike, class_prior: float, positive_weight: FloatArray | None = None
) -> float:
    """Return an unbiased estimate of the AUC from positive and unlabelled rows.

    Unlabelled rows are positive with probability π, so the AUC between the positive and the unlabelled rows
    is on average π/2 + (1 - π) AUC, which is solved for the AUC. The result is not clipped, since clipping
    would bias it: in small samples it may leave [0, 1].

    Parameters
    ----------
    positive, unlabeled
        Scores of the positive and of the unlabelled rows.
    class_prior
        π, the share of positive rows among the unlabelled ones, in (0, 1).
    positive_weight
        Non-negative weights of the positive rows; None for equal weights.

    Returns
    -------
    float
        The estimate of the AUC between positive and negative rows.

    Examples
    --------
    >>> from s2auc.ranking.metrics import auc_positive_unlabeled
    >>> auc_positive_unlabeled([3, 2], [3, 2, 1, 0], class_prior=0.5)
    1.0
    """
    prior = read_open_unit("class_prior", class_prior)
    return (auc_of_groups(positive, unlabeled, positive_weight) - prior / 2) / (1 - prior)


def auc_unlabeled_negative(
    unlabeled: ArrayLike, negative: ArrayLike, class_prior: float, negative_weight: FloatArray | None = None
) -> float:
    """Return an unbiased estimate of the AUC from unlabelled and negative rows.

    The mirror image of `auc_positive_unlabeled`: the AUC between the unlabelled and the negative rows is on
    average π AUC + (1 - π)/2. Not clipped either.

    Parameters
    ----------
    unlabeled, negative
        Scores of the unlabelled and of the negative rows.
    class_prior
        π, the share of positive rows among the unlabelled ones, in (0, 1).
    negative_weight
        Non-negative weights of the negative rows; None for equal weights.

    Returns
    -------
    float
        The estimate of the AUC between positive and negative rows.

    Examples
    --------
    >>> from s2auc.ranking.metrics import auc_unlabeled_negative
    >>> auc_unlabeled_negative([3, 2, 1, 0], [1, 0], class_prior=0.5)
    1.0
    """
    prior = read_open_unit("class_prior", class_prior)
    return (auc_of_groups(unlabeled, negative, None, negative_weight) - (1 - prior) / 2) / prior


def doubled_wins(scores: AnyArray, opponents: AnyArray) -> IndexArray:
    """Return for each score twice the number of opponents below it plus the number tied with it."""
    ranked = np.sort(opponents)
    return np.searchsorted(ranked, scores, "left") + np.searchsorted(ranked, scores, "right")


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
    """Return what is found among the highest scores, of rows at least one of which is positive.

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
    # 0.07 of 100 rows is 7, but 0.07 * 100 rounds to more than 7: take the fraction as it is written.
    n_rows = min(wanted, len(scores)) if isinstance(wanted, int) else ceil(Fraction(str(wanted)) * len(scores))
    lowest = np.partition(scores, len(scores) - n_rows)[len(scores) - n_rows]
    above, tied = scores > lowest, scores == lowest
    n_drawn = n_rows - int(np.count_nonzero(above))
    n_positive = float(np.count_nonzero(is_positive & above) + n_drawn * np.mean(is_positive[tied]))
    precision, recall = n_positive / n_rows, n_positive / int(np.count_nonzero(is_positive))
    return TopRows(wanted, n_rows, n_positive, precision, recall, precision / float(np.mean(is_positive)))
