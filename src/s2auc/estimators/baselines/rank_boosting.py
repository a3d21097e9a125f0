"""RankBoost on decision stumps for pairs of two classes, some pairs with labels of their own, some with borrowed ones.

A *side* is a set of positive and negative rows whose pairs are counted together. With H the sum of stumps so far, the
loss of side s is the mean of exp(-(H(x₊) - H(x₋))) over its pairs, and the total is Σ_s weight_s·loss_s. The weight of
a pair is a product of weights of its rows, so rows are all that is looked at: with v normalised to one in each class of
each side, and the side's part of the total in front, the *potential* of a row is part_s·v(x), negative for negative
rows. A stump h(x) = 1 if x_c > θ, else 0, has

    r = Σ_x potential(x)·h(x),    and a step of ½·ln((1+r)/(1-r))

multiplies the total by sqrt(1 - r²) at most (Freund, Iyer, Schapire and Singer 2003, the third method: it maximises
|r|). For stumps of 0 and 1 the step that lowers the total most is another one, the second method's; the third is what
they recommend all the same, with shorter steps. With the columns sorted once, all thresholds of all columns take one
cumulative sum a round.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from s2auc.common.arrays import BoolArray, FloatArray, IndexArray

MAX_R = 1.0 - 1e-6
"""Where one stump orders all pairs, its step would be infinite: r counts as this."""

MIN_R = 1e-10
"""Stumps with less do not order pairs better than chance, and stumps that differ by less are equal, but for rounding
errors."""


@dataclass(frozen=True, eq=False)
class Side:
    """Rows whose pairs are counted together.

    Attributes
    ----------
    rows
        Places of its rows among all rows.
    is_positive
        Which of them are positive; there are rows of both classes.
    share
        How much of its class each of them is.
    weight
        How much the mean loss over its pairs counts.
    """

    rows: IndexArray
    is_positive: BoolArray
    share: FloatArray
    weight: float


@dataclass(frozen=True)
class Stump:
    """The function that is `step` where a column is above a threshold, and zero elsewhere."""

    column: int
    threshold: float
    step: float


def _weigh(side: Side, scores: FloatArray) -> tuple[FloatArray, float]:
    """Return the signed weights of a side's rows, normalised in each class, and the logarithm of its loss."""
    sign = np.where(side.is_positive, 1.0, -1.0)
    log_weight = np.log(side.share) - sign * scores
    signed, log_loss = np.empty(len(log_weight)), float(np.log(side.weight))
    for members in (side.is_positive, ~side.is_positive):
        # The largest is set apart: a class that is far ahead must not underflow as a whole.
        largest = log_weight[members].max()
        weight = np.exp(log_weight[members] - largest)
        signed[members] = sign[members] * weight / weight.sum()
        log_loss += float(largest + np.log(weight.sum()))
    return signed, log_loss


class SortedColumns:
    """All columns of some rows in order, and between which rows a threshold can stand."""

    def __init__(self, X: FloatArray) -> None:
        self._order = np.argsort(X, axis=0, kind="stable")
        values = np.take_along_axis(X, self._order, axis=0)
        self._is_cut = values[1:] > values[:-1]
        self._thresholds = 0.5 * (values[1:] + values[:-1])

    def best_cut(self, potential: FloatArray) -> tuple[int, float, float]:
        """Return column, threshold and r of the cut with the largest |r|: the first one of several.

        Cuts that split rows alike sum them in different orders, so that equal ones differ by rounding errors.
        """
        below = np.cumsum(potential[self._order], axis=0)
        # Rows above a threshold are all but those below.
        r = np.where(self._is_cut, below[-1] - below[:-1], 0.0)
        # Column by column, so that the order of columns decides between equals.
        sizes = np.abs(r).T
        column, place = divmod(int(np.argmax(sizes > sizes.max() - MIN_R)), len(r))
        return column, float(self._thresholds[place, column]), float(r[place, column])


def boost(X: FloatArray, sides: Sequence[Side], max_rounds: int) -> tuple[list[Stump], FloatArray]:
    """Return the stumps of RankBoost in their order, and the loss before the first and after each.

    There are fewer stumps than asked for where no stump helps, or where one orders all pairs.

    Parameters
    ----------
    X
        All rows, at least two, with values that float32 holds: in it models compare them with thresholds.
    sides
        What is minimised; those without weight are not given.
    max_rounds
        Stumps at most.

    Examples
    --------
    >>> X = np.array([[0.0], [2.0], [1.0], [3.0]])
    >>> side = Side(np.arange(4), np.array([False, False, True, True]), np.full(4, 0.5), 1.0)
    >>> (stump,), losses = boost(X, [side], max_rounds=1)
    >>> stump.threshold, round(stump.step, 4), losses.round(4).tolist()
    (0.5, 0.5493, [1.0, 0.7887])
    """
    columns, scores, r = SortedColumns(X), np.zeros(len(X)), 0.0
    stumps: list[Stump] = []
    log_totals: list[float] = []
    while True:
        weighed = [_weigh(side, scores[side.rows]) for side in sides]
        log_totals.append(float(np.logaddexp.reduce([log_loss for _, log_loss in weighed])))
        if len(stumps) == max_rounds or abs(r) > MAX_R:
            break
        potential = np.zeros(len(X))
        for side, (signed, log_loss) in zip(sides, weighed, strict=True):
            potential[side.rows] += np.exp(log_loss - log_totals[-1]) * signed
        column, threshold, r = columns.best_cut(potential)
        if abs(r) < MIN_R:
            break
        stump = Stump(column, threshold, float(np.arctanh(np.clip(r, -MAX_R, MAX_R))))
        scores[X[:, column] > threshold] += stump.step
        stumps.append(stump)
    return stumps, np.exp(log_totals)
