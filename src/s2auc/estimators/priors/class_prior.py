"""How many of the unlabelled rows are positive, with an interval."""

from collections.abc import Mapping
from dataclasses import dataclass
from reprlib import repr as shown
from typing import Any

import numpy as np
from sklearn.utils.validation import check_array, check_consistent_length

from s2auc.common.arrays import FloatArray, IndexArray
from s2auc.common.memory import check_fits
from s2auc.common.parameters import Choice, Number, Rule, Seed, check_parameters
from s2auc.data.features.scaling import SCALINGS
from s2auc.data.labels.labels import read_labels
from s2auc.data.opening import open_source
from s2auc.data.sources.rows import dense_rows, stack_rows
from s2auc.data.sources.source import RowSource
from s2auc.data.sources.sparse_structure import checked_structure
from s2auc.estimators.energy import EnergyEstimator
from s2auc.estimators.penalized_l1 import PenalizedL1Estimator

ESTIMATE = "estimate"
"""Value of `class_prior` of classifiers: take the share of positive rows from the unlabelled ones."""

PRIOR_METHODS = ("energy", "l1")
MAX_ROWS = 2000
"""Rows of each group that are looked at; of larger groups so many are drawn at random."""

SMALLEST_PRIOR = 0.01
"""Of estimates that others go on with."""

_SEED = Seed(2**64)
_RULES: Mapping[str, tuple[Rule, ...]] = {
    "method": (Choice(PRIOR_METHODS),),
    "scaling": (Choice(SCALINGS),),
    "n_bootstrap": (Number(0, integer=True),),
    "confidence": (Number(0, 1, open_low=True, open_high=True),),
    "max_rows": (Number(2, integer=True),),
    "random_state": (_SEED,),
}


@dataclass(frozen=True)
class ClassPrior:
    """An estimated share of positives among the unlabelled rows.

    Attributes
    ----------
    estimate
        The share, from 0 to 1.
    low, high
        Ends of the bootstrap interval; NaN without resamples.
    confidence
        Its nominal coverage.
    method
        "energy" or "l1".
    """

    estimate: float
    low: float
    high: float
    confidence: float
    method: str


def estimate_class_prior(
    X: Any,
    y: Any,
    X_unlabeled: Any = None,
    *,
    method: str = "energy",
    scaling: str = "standard",
    n_bootstrap: int = 200,
    confidence: float = 0.95,
    max_rows: int = MAX_ROWS,
    unlabeled: Any = -1,
    pos_label: Any = None,
    random_state: int | np.random.RandomState | None = None,
) -> ClassPrior:
    """Return how many of the unlabelled rows are positive.

    The labelled rows of each class must be a fair sample of that class; how many of each class are labelled does not
    matter. The interval comes from resampling the rows within each group, and tells how much the estimate depends on
    the rows that happened to be there. It does not tell whether the labelled rows are a fair sample, nor, for "l1",
    how far the estimate lies above the truth where the classes overlap.

    Parameters
    ----------
    X, y, X_unlabeled
        Rows, their labels and more unlabelled rows: arrays, sparse matrices or frames of numbers without missing
        values; labels as for `S2AUCClassifier.fit`.
    method
        "energy" needs labelled rows of both classes. "l1" needs positive rows only and is right if some region holds
        positives only; where the classes overlap everywhere it estimates too much.
    scaling
        What happens to columns first, as for `S2AUCClassifier`.
    n_bootstrap
        Number of resamples; 0 for no interval.
    confidence
        Coverage of the interval.
    max_rows
        Most rows of each group that are looked at, drawn at random where there are more: time and memory grow with
        its square.
    unlabeled, pos_label
        As for `S2AUCClassifier`.
    random_state
        Seed of draws and resamples.

    Returns
    -------
    ClassPrior
        The estimate and its interval.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = np.concatenate([rng.normal(2, 1, (50, 1)), rng.normal(0, 1, (50, 1)), rng.normal(0, 1, (700, 1)),
    ...                     rng.normal(2, 1, (300, 1))])
    >>> y = np.repeat([1, 0, -1], [50, 50, 1000])
    >>> prior = estimate_class_prior(X, y, random_state=0)
    >>> prior.low < 0.3 < prior.high
    True
    """
    given = {"method": method, "scaling": scaling, "n_bootstrap": n_bootstrap, "confidence": confidence}
    check_parameters("estimate_class_prior", {**given, "max_rows": max_rows, "random_state": random_state}, _RULES)
    rows = check_array(checked_structure(X), accept_sparse="csr", dtype="numeric")
    labels = read_labels(y, unlabeled=unlabeled, pos_label=pos_label)
    check_consistent_length(rows, labels.is_positive)
    rng = np.random.default_rng(_SEED.read(random_state))
    source = open_source(rows, is_sound=True)
    positive, negative = (
        dense_rows(source.gather(_some(np.flatnonzero(mask), max_rows, rng)))
        for mask in (labels.is_positive, labels.is_negative)
    )
    pools = [(source, np.flatnonzero(labels.is_unlabeled))]
    if X_unlabeled is not None:
        sound = checked_structure(X_unlabeled, "X_unlabeled")
        more_rows = check_array(sound, accept_sparse="csr", dtype="numeric", ensure_min_samples=0)
        more = open_source(more_rows, "X_unlabeled", is_sound=True)
        if more.n_columns != source.n_columns:
            raise ValueError(
                f"X_unlabeled must have the {source.n_columns} columns of X. Got {more.n_columns}; pass rows of the "
                "same table."
            )
        pools.append((more, np.arange(more.n_rows)))
    estimator = _make_estimator(positive, negative, _gather_some(pools, max_rows, rng), method, scaling, rng)
    estimate = float(estimator.estimate()[0])
    low = high = float("nan")
    if n_bootstrap:
        check_fits(
            8 * n_bootstrap * sum(estimator.sizes),
            f"The 'n_bootstrap' parameter of estimate_class_prior, {shown(n_bootstrap)},",
            "use fewer resamples",
        )
        counts = tuple(rng.multinomial(size, np.full(size, 1 / size), n_bootstrap).T * 1.0 for size in estimator.sizes)
        tail = (1.0 - confidence) / 2
        low, high = map(float, np.quantile(estimator.estimate(counts), [tail, 1.0 - tail]))
    return ClassPrior(estimate, low, high, float(confidence), method)


def estimate_from_groups(
    positive: FloatArray, negative: FloatArray, unlabeled: FloatArray, *, scaling: str, seed: int
) -> float:
    """Return the estimate alone, for rows that are sorted into groups and sampled already.

    The method is "energy" where there are negative rows, "l1" where there are none. The ends of the unit interval, at
    which one class would have no weight at all, are kept off.
    """
    method = "energy" if len(negative) else "l1"
    rng = np.random.default_rng(seed)
    positive, negative, unlabeled = (
        rows[_some(np.arange(len(rows)), MAX_ROWS, rng)] for rows in (positive, negative, unlabeled)
    )
    estimate = float(_make_estimator(positive, negative, unlabeled, method, scaling, rng).estimate()[0])
    return min(max(estimate, SMALLEST_PRIOR), 1.0 - SMALLEST_PRIOR)


def _make_estimator(
    positive: FloatArray,
    negative: FloatArray,
    unlabeled: FloatArray,
    method: str,
    scaling: str,
    rng: np.random.Generator,
) -> Any:
    if not len(unlabeled):
        raise ValueError("The class prior is that of the unlabelled rows. Got none of them; mark or pass some.")
    if method == "energy" and not len(negative):
        raise ValueError(
            "The method 'energy' needs labelled rows of both classes. Got positive rows only; use method='l1', which "
            "compares them with the unlabelled rows, or pass the class prior if you know it."
        )
    columns = SCALINGS[scaling](np.concatenate([positive, negative, unlabeled]))
    positive, negative, unlabeled = (columns.apply(rows) for rows in (positive, negative, unlabeled))
    if method == "energy":
        return EnergyEstimator(positive, negative, unlabeled)
    return PenalizedL1Estimator(positive, unlabeled, rng)


def _some(numbers: IndexArray, most: int, rng: np.random.Generator) -> IndexArray:
    """Return the numbers, or some of them at random where they are too many."""
    return numbers if len(numbers) <= most else np.sort(rng.choice(numbers, most, replace=False))


def _gather_some(pools: list[tuple[RowSource, IndexArray]], most: int, rng: np.random.Generator) -> FloatArray:
    ends = np.cumsum([len(numbers) for _, numbers in pools])
    chosen = _some(np.arange(ends[-1]), most, rng)
    parts, first = [], 0
    for (source, numbers), end in zip(pools, ends, strict=True):
        parts.append(source.gather(numbers[chosen[(chosen >= first) & (chosen < end)] - first]))
        first = int(end)
    return dense_rows(stack_rows(parts))
