"""How many of the unlabelled rows are positive, with an interval."""

from collections.abc import Mapping
from dataclasses import dataclass
from reprlib import repr as shown
from typing import Any

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.utils.validation import check_array

from s2auc.common.arrays import FloatArray, IndexArray
from s2auc.common.docstrings import describes_parameters_like
from s2auc.common.memory import check_fits
from s2auc.common.parameters import Choice, Number, Rule, Seed, check_parameters
from s2auc.data.features.scaling import SCALINGS
from s2auc.data.inputs import as_matrix
from s2auc.data.labels.checks import check_lengths
from s2auc.data.labels.labels import read_labels
from s2auc.data.sources.combined import ChainedRows, SelectedRows
from s2auc.data.sources.matrix_rows import open_source
from s2auc.data.sources.rows import dense_rows
from s2auc.data.sources.source import RowSource
from s2auc.data.sources.sparse_structure import checked_structure


class EnergyEstimator:
    """The class prior at which a mixture of the labelled classes is nearest to the unlabelled rows in energy distance.

    With A_ab the mean distance between a row of group a and a row of group b, the energy distance between the mixture
    θ·positive + (1-θ)·negative and the unlabelled rows is

        2·(θ·A_pu + (1-θ)·A_nu) - θ²·A_pp - 2θ(1-θ)·A_pn - (1-θ)²·A_nn - A_uu,

    a parabola in θ that is least at (A_pn - A_nn - A_pu + A_nu) / (2·A_pn - A_pp - A_nn) (Kawakubo, du Plessis and
    Sugiyama, 2016).

    Examples
    --------
    >>> import numpy as np
    >>> estimator = EnergyEstimator(np.array([[1.0], [1.1]]), np.array([[0.0], [0.1]]), np.array([[1.0], [0.0], [0.1]]))
    >>> round(float(estimator.estimate()[0]), 2)
    0.31
    """

    def __init__(self, positive: FloatArray, negative: FloatArray, unlabeled: FloatArray) -> None:
        self.sizes = len(positive), len(negative), len(unlabeled)
        self._within = cdist(positive, positive), cdist(negative, negative)
        self._between = cdist(positive, negative)
        self._outside = cdist(positive, unlabeled), cdist(negative, unlabeled)

    def estimate(self, counts: tuple[FloatArray, FloatArray, FloatArray] | None = None) -> FloatArray:
        """Return the priors of resamples, or of the rows themselves.

        Parameters
        ----------
        counts
            How often each positive, negative and unlabelled row occurs in each resample, (rows, resamples).
        """
        if counts is None:
            shares = [np.full((size, 1), 1.0 / size) for size in self.sizes]
        else:
            shares = [count / len(count) for count in counts]
        positive, negative, unlabeled = shares
        within = [
            _mean(distances, share, share) * _correction(len(share), resampled=counts is not None)
            for distances, share in zip(self._within, (positive, negative), strict=True)
        ]
        across = _mean(self._between, positive, negative)
        outside = _mean(self._outside[0], positive, unlabeled), _mean(self._outside[1], negative, unlabeled)
        curvature = 2.0 * across - within[0] - within[1]
        lead = across - within[1] - outside[0] + outside[1]
        # Classes that look the same say nothing about their shares.
        prior = np.divide(lead, curvature, out=np.full_like(lead, 0.5), where=curvature > 0)
        return np.clip(prior, 0.0, 1.0)


def _mean(distances: FloatArray, left: FloatArray, right: FloatArray) -> FloatArray:
    means: FloatArray = np.sum(left * (distances @ right), axis=0)
    return means


def _correction(size: int, *, resampled: bool) -> float:
    """Return what makes a mean over all pairs, a row with itself included, one over pairs of different rows.

    A resample repeats rows, whose distance is zero too: it needs the correction twice to be right on average. A single
    row has no other, and its spread stays zero.
    """
    once = size / (size - 1) if size > 1 else 1.0
    return once * once if resampled else once


N_BASES, N_FOLDS = 200, 5
PENALTIES = np.logspace(-3, 1, 9)
RELATIVE_WIDTHS = np.logspace(-1, 1, 5)
"""Widths are tried relative to the median distance between the centres."""

PRIORS = np.linspace(0.01, 0.99, 99)
"""The priors among which the estimate is chosen."""


class PenalizedL1Estimator:
    """The class prior from positive and unlabelled rows, by du Plessis' penalised L1 distance.

    With basis functions φ_l ≥ 0, their coefficients kept non-negative and penalised by λ/2·‖·‖², the estimate of the
    distance between θ·p₊ and the density of the unlabelled rows has a closed form,

        penL1(θ) = Σ_l max(0, β_l)² / λ - θ + 1,    β_l = θ·(mean of φ_l over positives) - (mean over unlabelled),

    (du Plessis, Niu and Sugiyama, 2017). The basis functions are Gaussians at rows; their width and λ are chosen, at
    every θ of a grid, by the distance that held-out rows show. The estimate is the θ with the least distance.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> unlabeled = np.concatenate([rng.normal(4, 1, (120, 1)), rng.normal(0, 1, (280, 1))])
    >>> estimator = PenalizedL1Estimator(rng.normal(4, 1, (100, 1)), unlabeled, rng)
    >>> bool(0.2 < estimator.estimate()[0] < 0.4)
    True
    """

    def __init__(self, positive: FloatArray, unlabeled: FloatArray, rng: np.random.Generator) -> None:
        self.sizes = len(positive), len(unlabeled)
        rows = np.concatenate([positive, unlabeled])
        centers = rows[rng.choice(len(rows), min(N_BASES, len(rows)), replace=False)]
        median = float(np.median(cdist(centers, centers, "sqeuclidean"))) or 1.0
        self._distances = [cdist(group, centers, "sqeuclidean") / median for group in (positive, unlabeled)]
        self._folds = [rng.permutation(np.arange(len(group)) % N_FOLDS) for group in (positive, unlabeled)]

    def estimate(self, counts: tuple[FloatArray, FloatArray] | None = None) -> FloatArray:
        """Return the priors of resamples, or of the rows themselves; each chooses widths and penalties anew.

        Parameters
        ----------
        counts
            How often each positive and each unlabelled row occurs in each resample, (rows, resamples).
        """
        if counts is None:
            counts = np.ones((self.sizes[0], 1)), np.ones((self.sizes[1], 1))
        shape = len(PRIORS), counts[0].shape[1]
        best_bound, distance = np.full(shape, -np.inf), np.empty(shape)
        for width in RELATIVE_WIDTHS:
            bases = [np.exp(to_centers / (-2.0 * width * width)) for to_centers in self._distances]
            whole = [_means(values, count) for values, count in zip(bases, counts, strict=True)]
            excess = np.sum(np.square(np.maximum(0.0, _gaps(*whole))), axis=2)
            bound = self._held_out_bound(bases, counts)
            for penalty in PENALTIES:
                better = bound / penalty > best_bound
                best_bound[better] = bound[better] / penalty
                distance[better] = (excess / penalty - PRIORS[:, None] + 1.0)[better]
        best: FloatArray = PRIORS[np.argmin(distance, axis=0)]
        return best

    def _held_out_bound(self, bases: list[FloatArray], counts: tuple[FloatArray, FloatArray]) -> FloatArray:
        """Return the mean over folds of Σ_l max(0, β_l)·β_l, the first β from the other folds; λ divides it."""
        bound = np.zeros((len(PRIORS), counts[0].shape[1]))
        for fold in range(N_FOLDS):
            inside, outside = (
                [
                    _means(values, count * ((of_rows == fold) == held_out)[:, None])
                    for values, count, of_rows in zip(bases, counts, self._folds, strict=True)
                ]
                for held_out in (False, True)
            )
            bound += np.sum(np.maximum(0.0, _gaps(*inside)) * _gaps(*outside), axis=2) / N_FOLDS
        return bound


def _means(values: FloatArray, count: FloatArray) -> FloatArray:
    """Return the means of the basis functions in every resample; zero where it has no rows."""
    means: FloatArray = (count / np.maximum(count.sum(axis=0), 1.0)).T @ values
    return means


def _gaps(positive: FloatArray, unlabeled: FloatArray) -> FloatArray:
    """Return β, (priors, resamples, basis functions)."""
    gaps: FloatArray = PRIORS[:, None, None] * positive - unlabeled
    return gaps


ESTIMATE = "estimate"
"""Value of `class_prior` of classifiers: take the share of positive rows from the unlabelled ones."""

PRIOR_METHODS = ("energy", "l1")
MAX_ROWS = 2000
"""Rows of each group that are looked at; of larger groups so many are drawn at random."""

MIN_PRIOR = 0.01
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


@describes_parameters_like()
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
    X : rows, (n, d)
        Array, sparse matrix or data frame of numbers without missing values.
    y : array of n labels
        Two classes of any type, or one of them (`pos_label`), and the marker `unlabeled` or missing values.
    X_unlabeled : rows, (m, d), or None
        More unlabelled rows.
    method
        "energy" needs labelled rows of both classes. "l1" needs positive rows only and is right if some region holds
        positives only; where the classes overlap everywhere it estimates too much.
    scaling : {"standard", "minmax", "rank", "common", "none"}
        Scaling of columns, learnt from all rows.
    n_bootstrap
        Number of resamples; 0 for no interval.
    confidence
        Coverage of the interval.
    max_rows
        Most rows of each group that are looked at, drawn at random where there are more: time and memory grow with
        its square.
    unlabeled : object
        Value of y that marks unlabelled rows; None if there is none. Missing values always mean unlabelled.
    pos_label : object
        The positive class; None is the larger of the two.
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
    source = _open_numbers(X, "X", min_rows=1)
    labels = read_labels(y, unlabeled=unlabeled, pos_label=pos_label)
    check_lengths(source, labels)
    rng = np.random.default_rng(_SEED.read(random_state))
    positive, negative = (
        dense_rows(source.gather(_some(np.flatnonzero(mask), max_rows, rng)))
        for mask in (labels.is_positive, labels.is_negative)
    )
    pool: RowSource = SelectedRows(source, np.flatnonzero(labels.is_unlabeled))
    if X_unlabeled is not None:
        more = _open_numbers(X_unlabeled, "X_unlabeled", min_rows=0)
        if more.n_columns != source.n_columns:
            raise ValueError(
                f"X_unlabeled must have the {source.n_columns} columns of X. Got {more.n_columns}; pass rows of the "
                "same table."
            )
        pool = ChainedRows(pool, more)
    some = dense_rows(pool.gather(_some(np.arange(pool.n_rows), max_rows, rng)))
    estimator = _make_estimator(positive, negative, some, method, scaling, rng)
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
    return min(max(estimate, MIN_PRIOR), 1.0 - MIN_PRIOR)


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


def _open_numbers(X: Any, name: str, min_rows: int) -> RowSource:
    """Return a source of rows of numbers, after scikit-learn's checks of them."""
    given = as_matrix(X, name) if isinstance(X, np.ma.MaskedArray) else X  # scikit-learn does not look at masks
    rows = check_array(
        checked_structure(given, name), accept_sparse="csr", dtype="numeric", ensure_min_samples=min_rows
    )
    return open_source(rows, name, is_sound=True)
