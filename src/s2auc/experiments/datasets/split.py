"""Cut labelled rows into the three parts of a semi-supervised trial."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from s2auc.common.arrays import BoolArray, IndexArray
from s2auc.common.parameters import Nothing, Number, check_parameters

_COUNT = Number(0, integer=True)
_RULES = {"n_labeled": (Number(2, integer=True),), "n_test": (_COUNT,), "n_unlabeled": (_COUNT, Nothing())}


@dataclass(frozen=True, eq=False)
class Split:
    """Row numbers of the parts of a trial, in random order and without a row in common.

    Attributes
    ----------
    labeled
        Rows whose labels the learner sees.
    unlabeled
        Rows whose labels are hidden from the learner.
    test
        Rows that the learner does not see at all.
    """

    labeled: IndexArray
    unlabeled: IndexArray
    test: IndexArray


def semi_supervised_split(
    y: ArrayLike,
    *,
    n_labeled: int,
    n_test: int = 0,
    n_unlabeled: int | None = None,
    seed: int = 0,
) -> Split:
    """Return random labelled, unlabelled and test rows for a semi-supervised trial.

    Rows are drawn uniformly. Only where the labelled rows or the test rows lack a class, which leaves no AUC
    to learn from or to measure, one of them changes place with a random row of that class.

    Parameters
    ----------
    y
        Labels of all rows with two values, say True and False or 1 and -1.
    n_labeled
        Number of labelled rows, at least 2.
    n_test
        Number of test rows: 0 or at least 2.
    n_unlabeled
        At most this many unlabelled rows; None keeps all that are left.
    seed
        Seed of the draw.

    Examples
    --------
    >>> from s2auc.experiments.datasets import load_dataset, semi_supervised_split
    >>> dataset = load_dataset("moons", n_rows=1000)
    >>> split = semi_supervised_split(dataset.y, n_labeled=20, n_test=300)
    >>> len(split.labeled), len(split.unlabeled), len(split.test)
    (20, 680, 300)
    >>> dataset.X[split.labeled].shape
    (20, 10)
    """
    positive = _positive(y)
    n_rows = len(positive)
    counts = {"n_labeled": n_labeled, "n_test": n_test, "n_unlabeled": n_unlabeled, "seed": seed}
    check_parameters("semi_supervised_split", counts, {**_RULES, "seed": (_COUNT,)})
    if n_test == 1:
        raise ValueError(
            "The test rows of semi_supervised_split must be none or at least 2, one of each class. Got 1 instead; ask "
            "for more."
        )
    if n_labeled + n_test > n_rows:
        raise ValueError(
            f"The labelled and test rows of semi_supervised_split must be at most the {n_rows:,} rows of y "
            f"together. Got {n_labeled:,} + {n_test:,} instead; ask for fewer."
        )
    parts = [slice(0, n_labeled), slice(n_labeled, n_labeled + n_test)][: 2 if n_test else 1]
    n_rare = int(min(positive.sum(), n_rows - positive.sum()))
    if n_rare < len(parts):
        raise ValueError(
            f"Both classes of y must have at least {len(parts)} rows, one for each of the labelled and the test "
            f"rows. Got {n_rare} in the rarer class instead; pass more rows or ask for no test rows."
        )
    order = np.random.default_rng([seed, 5]).permutation(n_rows)
    _mend(order, positive, parts)
    labeled, test, rest = np.split(order, [n_labeled, n_labeled + n_test])
    return Split(labeled.copy(), rest[:n_unlabeled].copy(), test.copy())


def _positive(y: ArrayLike) -> BoolArray:
    labels = np.asarray(y)
    if labels.ndim != 1:
        raise ValueError(
            f"The labels y of semi_supervised_split must have one dimension. Got shape {labels.shape} "
            "instead; pass one label per row."
        )
    values = np.unique(labels)
    if len(values) != 2:
        raise ValueError(
            f"The labels y of semi_supervised_split must have exactly two values. Got {len(values)} instead; "
            "merge classes or pass rows of both."
        )
    return np.asarray(labels == values[1])


def _mend(order: IndexArray, positive: BoolArray, parts: list[slice]) -> None:
    """Swap rows in place until every part has both classes."""
    for part in parts:
        for wanted in (True, False):
            if (positive[order[part]] == wanted).any():
                continue
            # The last row of the class is an unlabelled one if there are any. If not, the other part has all
            # rows of the class, at least two, and can spare one. The order being random, so is the row.
            donor = np.flatnonzero(positive[order] == wanted)[-1]
            order[[part.start, donor]] = order[[donor, part.start]]
