"""Linear functions of the columns: for signals that are linear, and for columns too many for kernels."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

import numpy as np
from scipy.linalg import cholesky, solve_triangular
from scipy.sparse import csr_array
from scipy.sparse.linalg import LinearOperator, cg

from s2auc.common.arrays import BoolArray, FloatArray, IndexArray, is_sparse
from s2auc.common.groups import NEGATIVE, POSITIVE, PositiveFirst, shares_of
from s2auc.common.threads import single_blas_thread
from s2auc.data.features.co_occurrence import MAX_ROWS, have_common_components
from s2auc.data.features.encoding import Encoding
from s2auc.data.features.projection import column_units, in_units, stored_numbers
from s2auc.data.features.scaling import ColumnScaling, ColumnView, of_view
from s2auc.data.sources.rows import Rows, count_rows, dense_rows, stack_rows
from s2auc.data.text.labeled_terms import labeled_term_rows
from s2auc.data.text.text_encoding import TextEncoding
from s2auc.data.training_rows import TrainingRows
from s2auc.models.parts.linear import LinearPart
from s2auc.ranking.losses import LOSSES
from s2auc.ranking.objective import QuadraticForm, semi_supervised
from s2auc.search.grids.grid import ALL_COLUMNS, INDEPENDENT_COLUMNS, LINEAR, Setting, TrainedEntry
from s2auc.search.plan import WHOLE
from s2auc.search.training import Training
from s2auc.solvers.exact.closed_forms import FeatureRows
from s2auc.solvers.job import Points
from s2auc.solvers.work_rows import reference_numbers

MANY_COLUMNS = 1000
"""With more columns than this, equations are as many as labelled rows."""

MANY_ROWS = 2000
"""With more labelled rows than this, sparse ones, equations are not formed: conjugate gradients take products only."""

TOLERANCE, MAX_STEPS = 1e-6, 1000
"""Of conjugate gradients: how much of the right side may be left over, and after how many steps they end anyway."""

JITTER = 1e-10
"""Share of its own that is added to the squared length of every row: some of them may be alike."""

MIN_LENGTH = 1e-300
"""Squared length of rows that hold nothing."""

LinearModels: TypeAlias = tuple[FloatArray, FloatArray]
"""Linear functions, one per alpha: scores of other rows, (alphas, masks, rows), and the weights of the functions of the
first mask, (alphas, columns)."""

_RISK = semi_supervised(LOSSES["square"], labeled_weight=1.0)


def fit_linear(
    labeled: Rows, others: Rows, order: PositiveFirst, alphas: tuple[float, ...], is_trained: BoolArray
) -> LinearModels:
    """Return the minimisers for all alphas and masks.

    Parameters
    ----------
    labeled, order
        Labelled rows, positive first, and how much each counts.
    others
        Rows to score.
    alphas
        Strengths of regularisation.
    is_trained
        Which labelled rows each mask trains on, (labelled rows, masks).

    Examples
    --------
    >>> rows = np.array([[1.0, 0.0], [0.0, 1.0]])
    >>> _, weights = fit_linear(rows, rows, PositiveFirst(1, 1), (1.0,), np.ones((2, 1), dtype=bool))
    >>> weights.round(3).tolist()
    [[0.4, -0.4]]
    """
    if is_sparse(labeled):
        fit = _fit_by_products if order.n_rows > MANY_ROWS else _fit_by_rows
    else:
        fit = _fit_by_rows if labeled.shape[1] > MANY_COLUMNS else _fit_by_columns
    with single_blas_thread:
        return fit(labeled, others, order, alphas, is_trained)


def _fit_by_columns(
    labeled: Rows, others: Rows, order: PositiveFirst, alphas: tuple[float, ...], is_trained: BoolArray
) -> LinearModels:
    weights = _weights(dense_rows(labeled), order, alphas, is_trained)
    scores = np.einsum("pfs,rf->psr", weights, dense_rows(others), optimize=True)
    return scores, weights[:, :, 0]


def _fit_by_rows(
    labeled: Rows, others: Rows, order: PositiveFirst, alphas: tuple[float, ...], is_trained: BoolArray
) -> LinearModels:
    """Return the minimisers in coordinates of the labelled rows, outside of which they are zero.

    With R the labelled rows and LLᵀ = RRᵀ, the rows of L have the same products with each other: they are features, as
    many as rows, in which v minimises what w = RᵀL⁻ᵀv does in the columns.
    """
    between = dense_rows(labeled @ labeled.T)
    between[np.diag_indices_from(between)] += np.maximum(JITTER * between.diagonal(), MIN_LENGTH)
    factor = cholesky(between, lower=True, check_finite=False)
    # Mask by mask: the equations of all of them at once would be too many.
    found = [_weights(factor, order, alphas, is_trained[:, [mask]]) for mask in range(is_trained.shape[1])]
    weights = np.concatenate(found, axis=2)
    flat = np.moveaxis(weights, 1, 0).reshape(len(factor), -1)
    shares = solve_triangular(factor, flat, lower=True, trans=1, check_finite=False)
    scores = dense_rows(others @ labeled.T) @ shares
    of_whole = shares.reshape(len(factor), len(alphas), -1)[:, :, 0]
    scores = scores.reshape(count_rows(others), len(alphas), -1).transpose(1, 2, 0)
    return scores, dense_rows((labeled.T @ of_whole).T)


def _fit_by_products(
    labeled: Rows, others: Rows, order: PositiveFirst, alphas: tuple[float, ...], is_trained: BoolArray
) -> LinearModels:
    """Return the minimisers by conjugate gradients, alpha after alpha from the largest on, each from the one before."""
    scores = np.empty((len(alphas), is_trained.shape[1], count_rows(others)))
    kept = np.empty((len(alphas), labeled.shape[1]))
    for mask, is_used in enumerate(is_trained.T):
        equations = _Equations(labeled, order, np.flatnonzero(is_used))
        weights = np.zeros(labeled.shape[1])
        for place in np.argsort(alphas)[::-1]:
            weights = equations.solve(alphas[place], weights)
            scores[place, mask] = np.asarray(others @ weights)
            if mask == WHOLE:
                kept[place] = weights
    return scores, kept


class _Equations:
    """What the minimiser has to fulfil, as products with the rows of both groups: H·w + alpha·w = -s."""

    def __init__(self, labeled: Rows, order: PositiveFirst, places: IndexArray) -> None:
        groups = order.split(places).values()
        self._rows = [labeled[group] for group in groups]
        self._shares = [shares_of(order.weight_of(group), len(group)) for group in groups]
        self._form = QuadraticForm.of_objective(_RISK, (POSITIVE, NEGATIVE))
        means = [rows.T @ share for rows, share in zip(self._rows, self._shares, strict=True)]
        self._means = np.stack([np.asarray(mean) for mean in means])

    def solve(self, alpha: float, start: FloatArray) -> FloatArray:
        n_columns = len(start)
        operator = LinearOperator((n_columns, n_columns), matvec=lambda w: self._times(w) + alpha * w, dtype=np.float64)
        slope = self._form.slope @ self._means
        return np.asarray(cg(operator, -slope, x0=start, rtol=TOLERANCE, maxiter=MAX_STEPS)[0])

    def _times(self, weights: FloatArray) -> FloatArray:
        product: FloatArray = self._means.T @ (self._form.cross @ (self._means @ weights))
        for rows, share, weight in zip(self._rows, self._shares, self._form.second, strict=True):
            product += weight * (rows.T @ (share * (rows @ weights)))
        return product


def _weights(rows: FloatArray, order: PositiveFirst, alphas: tuple[float, ...], is_trained: BoolArray) -> FloatArray:
    """Return the minimisers on features, (alphas, features, masks)."""
    return FeatureRows(rows, order, rows[:0]).weights(Points(alphas, (1.0,), (1,)), lambda _: _RISK, is_trained)


@dataclass(frozen=True)
class LinearEntry:
    """The square pairwise loss over labelled pairs, least over linear functions, for some alphas.

    Columns are divided by the root of their number first, so that alphas mean the same whatever it is.
    """

    view: ColumnView
    alphas: tuple[float, ...]
    points = None
    is_wide = False

    @cached_property
    def settings(self) -> tuple[Setting, ...]:
        """One setting an alpha."""
        words = {"scaling": self.view.scaling} | self.view.words
        return _settings(self.alphas, of_view(LINEAR, self.view.columns), words)

    def train(self, training: Training) -> TrainedEntry:
        """Train all masks and alphas in one go."""
        columns, scaled = training.prepared[self.view].columns, training.scaled(self.view)
        n_columns = len(columns.shift)
        # With many columns there are as many equations as rows: the followed ones, which are not too many.
        learners = training.rows.tested if n_columns > MANY_COLUMNS else np.arange(training.rows.order.n_rows)
        unit = 1.0 / np.sqrt(float(n_columns))
        labeled, followed = unit * scaled[learners], unit * scaled[training.rows.followed]
        order, is_trained = training.rows.order.chosen(learners), training.plan.is_trained[learners]
        scores, weights = fit_linear(labeled, followed, order, self.alphas, is_trained)
        return _trained(columns, scores, unit * weights)


@dataclass(frozen=True, eq=False)
class WideRows:
    """Sparse rows in the units of their columns.

    Attributes
    ----------
    rows
        Labelled rows, positive first, then the reference rows: those that `WorkRows` begins with.
    units
        What each column was multiplied by.
    has_components
        Whether columns have to do with each other, so that components say something.
    """

    rows: csr_array
    units: FloatArray
    has_components: bool = True

    @classmethod
    def of_training(cls, rows: TrainingRows, seed: int) -> "WideRows":
        """Return the labelled and the reference rows of a fit, in units that these settle."""
        blocks = [rows.labeled]
        if rows.unlabeled is not None:
            blocks.append(rows.unlabeled.gather(reference_numbers(rows, seed)))
        stacked = stack_rows([stored_numbers(block) for block in blocks])
        units = column_units(csr_array(stacked))
        some = in_units(rows.sparse_sample(seed, MAX_ROWS), units)
        return cls(in_units(stacked, units), units, have_common_components(some, seed))

    @classmethod
    def of_terms(cls, terms: TrainingRows, seed: int) -> "WideRows":
        """Return the labelled and the reference rows of a fit, given the weighted terms of their texts."""
        blocks = []
        if terms.unlabeled is not None:
            numbers = reference_numbers(terms, seed)
            terms.announce(numbers)
            blocks.append(terms.unlabeled.gather(numbers))
        stacked = csr_array(stack_rows([terms.labeled, *blocks]))
        return cls(stacked, np.ones(stacked.shape[1]))

    def by_labeled_rows(self, encodings: Sequence[TextEncoding], n_labeled: int) -> "WideRows":
        """Return rows of weighted terms with the weights that labelled rows alone give."""
        return replace(self, rows=labeled_term_rows(self.rows, encodings, n_labeled))

    @property
    def columns(self) -> ColumnScaling:
        """The same as a map of columns: it moves none of them, so that sparse rows stay sparse."""
        n_columns = len(self.units)
        return ColumnScaling(np.zeros(n_columns), self.units, Encoding.plain(np.zeros(n_columns)))


@dataclass(frozen=True)
class WideLinearEntry:
    """The same over functions of all columns of sparse rows, where other entries see components of them.

    Columns have the units of `column_units`, and rows are divided by the root of their mean square length.
    """

    wide: WideRows
    alphas: tuple[float, ...]
    view = None
    points = None
    is_wide = True

    @cached_property
    def settings(self) -> tuple[Setting, ...]:
        """One setting an alpha."""
        family = ALL_COLUMNS if self.wide.has_components else INDEPENDENT_COLUMNS
        return _settings(self.alphas, family, {"columns": "all"})

    def train(self, training: Training) -> TrainedEntry:
        """Train all masks and alphas in one go."""
        wide, order = self.wide.rows, training.rows.order
        length = float(np.sqrt(np.square(wide.data).sum() / max(1, wide.shape[0]))) or 1.0
        rows: Rows = csr_array((wide.data / length, wide.indices, wide.indptr), shape=wide.shape)
        followed = rows[training.rows.followed]
        scores, weights = fit_linear(rows[: order.n_rows], followed, order, self.alphas, training.plan.is_trained)
        return _trained(self.wide.columns, scores, weights / length)


def _settings(alphas: tuple[float, ...], family: str, words: Mapping[str, str]) -> tuple[Setting, ...]:
    """Return one setting per alpha, the one in the middle being usual."""
    usual = sorted(alphas)[len(alphas) // 2]
    return tuple(Setting(LINEAR, family, {**words, "alpha": alpha}, is_usual=alpha == usual) for alpha in alphas)


def _trained(columns: ColumnScaling, scores: FloatArray, weights: FloatArray) -> TrainedEntry:
    part = LinearPart(columns, np.zeros(0))
    return TrainedEntry(scores.astype(np.float32, order="C"), part, {"weights": weights})
