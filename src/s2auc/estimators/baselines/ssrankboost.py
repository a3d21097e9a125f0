"""SSRankBoost (Amini, Truong and Goutte, 2008): RankBoost whose pairs include neighbours of labelled rows."""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Self

import numpy as np
from scipy.spatial.distance import cdist

from s2auc.common.arrays import AnyArray, BoolArray, FloatArray, IndexArray
from s2auc.common.docstrings import describes_parameters_like
from s2auc.common.groups import shares_of
from s2auc.data.features.scaling import ColumnSample, ColumnScaling
from s2auc.data.sources.source import RowSource
from s2auc.data.training_rows import TrainingRows
from s2auc.estimators.base import warn_of_no_pool
from s2auc.estimators.baselines.base import BatchRanker
from s2auc.estimators.baselines.rank_boosting import Side, Stump, boost
from s2auc.estimators.fitting.fit_data import FitData
from s2auc.estimators.s2auc import S2AUCClassifier
from s2auc.models.parts.trees.part import TreePart
from s2auc.models.parts.trees.tables import LEAF
from s2auc.solvers.space import PreparedColumns

DISTANCE_NUMBERS = 2**22
"""Distances between labelled and unlabelled rows that are formed at a time: 32 megabytes."""

_LARGEST = float(np.finfo(np.float32).max)


@describes_parameters_like(S2AUCClassifier)
@dataclass(eq=False, repr=False)
class SSRankBoostClassifier(BatchRanker):
    """Binary classifier that boosts decision stumps on pairs of labelled rows, and on pairs of their neighbours.

    The nearest unlabelled rows of each labelled row borrow its label. With H a sum of stumps, it lowers

        mean over labelled pairs of exp(-(H(x₊) - H(x₋)))
            + unlabeled_weight · mean over pairs of borrowed labels of exp(-(H(x₊) - H(x₋)))

    round by round: the stump whose mean gap r over the pairs, each by its present loss, is farthest from zero joins
    with the step ½·ln((1+r)/(1-r)). The loss never rises. Weights of pairs are products of weights of rows, so a round
    takes O(rows · columns). Weights of rows count in labelled pairs; rows that borrow labels count alike.

    How it is read here: the publication could not be consulted. That the unlabelled rows most similar to a labelled one
    take its label is taken from the beginning of section 8.1 of Liu (2011); that their term of the objective stands
    apart, with a discount, from the options of the authors' program as others call it (`-l`, with `-k` neighbours and
    `-t` rounds). Open, and settled thus: both terms are means over pairs, so that the discount does not depend on how
    many rows there are; neighbours are those by Euclidean distance between scaled columns; a row that is near to
    several labelled rows takes the label of the nearest one that counts it among its neighbours; there are no pairs
    between labelled and unlabelled rows. The
    authors' program tries ten thresholds a column (`-n`), this one all; where one stump orders all pairs its step would
    be infinite, so r counts as 1 - 1e-6 and boosting ends. Stumps do not abstain: there must be no missing values.

    Parameters
    ----------
    scaling : {"standard", "minmax", "rank", "common", "none"}
        Scaling of columns. It determines which rows are near; stumps are the same with any scaling.
    max_iter
        Rounds of boosting, a stump each (50 in the authors' program).
    unlabeled_weight
        The discount: how much pairs with borrowed labels count against labelled ones. 0 is RankBoost, from labelled
        rows alone, which is what the authors' program does unless told otherwise.
    n_neighbors
        How many unlabelled rows borrow the label of each labelled row (3 in the authors' program).
    random_state
        Seed of the rows that settle scaling where the unlabelled ones are many.

    Attributes
    ----------
    classes_, model_, offset_, seed_, n_features_in_, feature_names_in_
        As for `S2AUCClassifier`.
    n_iter_
        How many stumps there are: fewer than `max_iter` where no stump helps, or where one orders all pairs.
    losses_
        What is lowered: before the first round, and after each.
    n_borrowed_
        How many unlabelled rows borrowed a label.

    References
    ----------
    M.-R. Amini, T.-V. Truong and C. Goutte (2008), A boosting algorithm for learning bipartite ranking functions with
    partially labeled data, SIGIR.
    Y. Freund, R. Iyer, R. Schapire and Y. Singer (2003), An efficient boosting algorithm for combining preferences,
    Journal of Machine Learning Research 4.
    T.-Y. Liu (2011), Learning to rank for information retrieval, Springer.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import make_moons
    >>> X, truth = make_moons(500, noise=0.2, random_state=0)
    >>> y = np.full(500, -1)
    >>> y[:40] = truth[:40]
    >>> ranker = SSRankBoostClassifier().fit(X, y)
    >>> ranker.n_iter_, ranker.score(X[40:], truth[40:]) > 0.85
    (50, True)
    """

    max_iter: int = 50
    _: KW_ONLY
    unlabeled_weight: float = 0.5
    n_neighbors: int = 3

    def _learn(self, data: FitData, sample: ColumnSample) -> Self:
        columns = PreparedColumns.of_sample(sample, self.scaling).columns
        blocks, sides = self._sides(data.rows, columns)
        # Models compare values of float32 with thresholds.
        compared = np.clip(np.vstack(blocks), -_LARGEST, _LARGEST).astype(np.float32).astype(np.float64)
        stumps, losses = boost(compared, sides, int(self.max_iter))
        counts = {"n_iter_": len(stumps), "losses_": losses, "n_borrowed_": sum(map(len, blocks[1:]))}
        return self._keep_part(data, sample, _part_of(columns, stumps), counts)

    def _sides(self, rows: TrainingRows, columns: ColumnScaling) -> tuple[list[FloatArray], list[Side]]:
        """Return labelled rows, and those that borrow labels where they form pairs, with what counts of each."""
        labeled, order = columns.apply(rows.labeled), rows.order
        blocks, sides = [labeled], [_side(0, order.is_positive, order.weight, 1.0)]
        if not self.unlabeled_weight:
            return blocks, sides
        if rows.unlabeled is None:
            warn_of_no_pool("unlabeled_weight=0")
            return blocks, sides
        near = find_neighbors(labeled, rows.unlabeled, columns, int(self.n_neighbors))
        numbers, is_positive = borrow_labels(*near, order.is_positive)
        if is_positive.any() and not is_positive.all():
            blocks.append(columns.apply(rows.unlabeled.gather(numbers)))
            sides.append(_side(order.n_rows, is_positive, None, float(self.unlabeled_weight)))
        return blocks, sides


def _side(first: int, is_positive: AnyArray, weight: FloatArray | None, side_weight: float) -> Side:
    """Return rows that follow each other from a place on as a side."""
    share = np.empty(len(is_positive))
    for members in (is_positive, ~is_positive):
        share[members] = shares_of(None if weight is None else weight[members], int(members.sum()))
    return Side(first + np.arange(len(is_positive)), is_positive, share, side_weight)


def _part_of(columns: ColumnScaling, stumps: Sequence[Stump]) -> TreePart:
    """Return the sum of stumps as a forest: its mean, times as many; one leaf where there are none."""
    if not stumps:
        return TreePart(columns, np.array([LEAF], dtype=np.int32), np.zeros(1))
    column = [node for stump in stumps for node in (stump.column, LEAF, LEAF)]
    number = [number for stump in stumps for number in (stump.threshold, 0.0, stump.step)]
    return TreePart(columns, np.array(column, dtype=np.int32), np.array(number), share=float(len(stumps)))


def find_neighbors(
    labeled: FloatArray,
    pool: RowSource,
    columns: ColumnScaling,
    n_neighbors: int,
    chunk_rows: int | None = None,
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
    chunk_rows
        How many rows of the pool are looked at together; by default as many as a fixed amount of memory allows.
    """
    n_labeled = len(labeled)
    numbers: IndexArray = np.zeros((n_labeled, 0), dtype=np.intp)
    distances: FloatArray = np.zeros((n_labeled, 0))
    first = 0
    for chunk in pool.scan(chunk_rows or max(1, DISTANCE_NUMBERS // n_labeled)):
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
