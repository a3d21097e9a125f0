"""How much rows count among others: shares of their group, and how many equal rows they are worth."""

import numpy as np

from s2auc.common.arrays import FloatArray


def shares_of(weight: FloatArray | None, n_rows: int) -> FloatArray:
    """Return how much of its group each of some rows is, shares that sum to one; None stands for equal weights.

    Examples
    --------
    >>> shares_of(np.array([3.0, 1.0]), 2).tolist(), shares_of(None, 2).tolist()
    ([0.75, 0.25], [0.5, 0.5])
    """
    shares: FloatArray = np.full(n_rows, 1.0 / max(n_rows, 1)) if weight is None else weight / weight.sum()
    return shares


def counts_of(weight: FloatArray | None, n_rows: int) -> FloatArray:
    """Return weights in units of their mean, so that they sum to the number of rows; None stands for equal weights.

    Examples
    --------
    >>> counts_of(np.array([3.0, 1.0]), 2).tolist(), counts_of(None, 2).tolist()
    ([1.5, 0.5], [1.0, 1.0])
    """
    return np.ones(n_rows) if weight is None else n_rows * shares_of(weight, n_rows)


def effective_size(weight: FloatArray | None, n_rows: int) -> float:
    """Return how many rows of equal weight tell as much as some rows do: (Σw)²/Σw², whatever the unit of weights.

    Examples
    --------
    >>> effective_size(np.array([1.0, 1.0, 2.0]), 3), effective_size(None, 3)
    (2.6666666666666665, 3.0)
    """
    # By shares: squares of small weights would underflow.
    return float(n_rows) if weight is None else 1.0 / float(np.sum(np.square(shares_of(weight, n_rows))))
