"""Cut labelled rows into the three parts of a semi-supervised trial."""

from dataclasses import dataclass
from numbers import Integral, Real

import numpy as np
from numpy.typing import ArrayLike

from s2auc.common.arrays import BoolArray, IndexArray


@dataclass(frozen=True, eq=False)
class Split:
    """Row numbers of the parts of a trial, in random order and without a row in common.

    Attributes
    ----------
    labeled
        DatasetRows whose labels the learner sees.
    unlabeled
        DatasetRows whose labels are hidden from the learner.
    test
        DatasetRows that the learner does not see at all.
    """

    labeled: IndexArray
    unlabeled: IndexArray
    test: IndexArray


def semi_supervised_split(
    y: ArrayLike,
    *,
    n_labeled: int,
    n_test: int | None = None,
    test_fraction: float | None = None,
    n_unlabeled: int | None = None,
    seed: int = 0,
) -> Split:
    """Return random labelled, unlabelled and test rows for a semi-supervised trial.

    DatasetRows are drawn uniformly. Only where the labelled rows or the test rows lack a class, which leaves no AUC
    to learn from or to measure, one of them changes place with a random row of that class.

    Parameters
    ----------
    y
        Labels of all rows with two values, say True and False or 1 and -1.
    n_labeled
        Number of labelled rows, at least 2.
    n_test
        Number of test rows: 0 or at least 2. Without it and `test_fraction` there are none.
    test_fraction
        Number of test rows as a share of all rows, rounded to the nearest number.
    n_unlabeled
        At most this many unlabelled rows; None keeps all that are left.
    seed
        Seed of the draw.

    Examples
    --------
    >>> from s2auc.experiments.datasets import load_dataset, semi_supervised_split
    >>> dataset = load_dataset("moons", n_rows=1000)
    >>> split = semi_supervised_split(dataset.y, n_labeled=20, test_fraction=0.3)
    >>> len(split.labeled), len(split.unlabeled), len(split.test)
    (20, 680, 300)
    >>> dataset.X[split.labeled].shape
    (20, 10)
    """
    positive = _positive(y)
    n_rows = len(positive)
    n_test = _test_rows(n_test, test_fraction, n_rows)
    _check_count("n_labeled", n_labeled, 2)
    _check_count("seed", seed, 0)
    if n_unlabeled is not None:
        _check_count("n_unlabeled", n_unlabeled, 0)
    if n_labeled + n_test > n_rows:
        raise ValueError(
            f"The labelled and test rows of semi_supervised_split must be at most the {n_rows:,} rows of y "
            f"together. Got {n_labeled:,} + {n_test:,} instead; ask for fewer."
        )
    parts = [slice(0, n_labeled)]
    if n_test:
        parts.append(slice(n_labeled, n_labeled + n_test))
    n_rare = int(min(positive.sum(), n_rows - positive.sum()))
    if n_rare < len(parts):
        raise ValueError(
            f"Both classes of y must have at least {len(parts)} rows, one for each of the labelled and the test "
            f"rows. Got {n_rare} in the rarer class instead; pass more rows or ask for no test rows."
        )
    order = np.random.default_rng([seed, 5]).permutation(n_rows)
    _mend(order, positive, parts)
    rest = order[n_labeled + n_test :]
    return Split(
        labeled=order[:n_labeled].copy(),
        unlabeled=rest[:n_unlabeled].copy(),
        test=order[n_labeled : n_labeled + n_test].copy(),
    )


def _positive(y: ArrayLike) -> BoolArray:
    labels = np.asarray(y)
    if labels.ndim != 1:
        raise ValueError(
            f"The labels y of semi_supervised_split must have one dimension. Got shape {labels.shape} "
            "instead; pass one label a row."
        )
    values = np.unique(labels)
    if len(values) != 2:
        raise ValueError(
            f"The labels y of semi_supervised_split must have exactly two values. Got {len(values)} instead; "
            "merge classes or pass rows of both."
        )
    return np.asarray(labels == values[1])


def _test_rows(n_test: int | None, test_fraction: float | None, n_rows: int) -> int:
    if n_test is not None and test_fraction is not None:
        raise ValueError(
            "The parameters 'n_test' and 'test_fraction' of semi_supervised_split must not both be given. "
            f"Got {n_test!r} and {test_fraction!r} instead; leave one out."
        )
    if test_fraction is not None:
        if not isinstance(test_fraction, Real) or not 0 <= test_fraction < 1:
            raise ValueError(
                "The 'test_fraction' parameter of semi_supervised_split must be a number in [0, 1). Got "
                f"{test_fraction!r} instead; pass n_test for a number of rows."
            )
        n_test = round(test_fraction * n_rows)
    n_test = 0 if n_test is None else n_test
    _check_count("n_test", n_test, 0)
    if n_test == 1:
        raise ValueError(
            "The test rows of semi_supervised_split must be none or at least 2, one of each class. Got 1 "
            "instead; ask for more."
        )
    return n_test


def _check_count(parameter: str, value: object, least: int) -> None:
    if not isinstance(value, Integral) or isinstance(value, bool) or value < least:
        raise ValueError(
            f"The '{parameter}' parameter of semi_supervised_split must be an int of at least {least}. Got "
            f"{value!r} instead."
        )


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
