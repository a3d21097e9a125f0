"""The square pairwise loss over labelled pairs, least over linear functions of few or many columns."""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import cholesky, solve_triangular

from s2auc.common.arrays import AnyArray, BoolArray, FloatArray, is_sparse
from s2auc.common.groups import PositiveFirst
from s2auc.common.threads import single_blas_thread
from s2auc.data.rows import Rows, count_rows, dense_rows
from s2auc.ranking.losses import LOSSES
from s2auc.ranking.objective import semi_supervised
from s2auc.solvers.closed_forms import FeatureRows
from s2auc.solvers.job import Points

MANY_COLUMNS = 1000
"""With more columns than this, equations are as many as labelled rows."""

JITTER = 1e-10
"""Share of its own that is added to the squared length of every row: some of them may be alike."""

SMALLEST_LENGTH = 1e-300
"""Squared length of rows that hold nothing."""


@dataclass(frozen=True, eq=False)
class LinearModels:
    """Linear functions, one for each alpha.

    Attributes
    ----------
    scores
        Of other rows, (alphas, masks, rows).
    weights
        Of the functions of the first mask, (alphas, columns).
    """

    scores: AnyArray
    weights: FloatArray


def fit_linear(
    labeled: Rows, others: Rows, order: PositiveFirst, alphas: tuple[float, ...], is_trained: BoolArray
) -> LinearModels:
    """Return the minimisers for all alphas and masks.

    Parameters
    ----------
    labeled, order
        Labelled rows, positive first.
    others
        Rows to score.
    alphas
        Strengths of regularisation.
    is_trained
        Which labelled rows each mask trains on, (labelled rows, masks).

    Examples
    --------
    >>> rows = np.array([[1.0, 0.0], [0.0, 1.0]])
    >>> found = fit_linear(rows, rows, PositiveFirst(1, 1), (1.0,), np.ones((2, 1), dtype=bool))
    >>> found.weights.round(3).tolist()
    [[0.4, -0.4]]
    """
    is_wide = is_sparse(labeled) or labeled.shape[1] > MANY_COLUMNS
    with single_blas_thread:
        return (_fit_by_rows if is_wide else _fit_by_columns)(labeled, others, order, alphas, is_trained)


def _fit_by_columns(
    labeled: FloatArray, others: FloatArray, order: PositiveFirst, alphas: tuple[float, ...], is_trained: BoolArray
) -> LinearModels:
    weights = _weights(labeled, order, alphas, is_trained)
    scores = np.einsum("pfs,rf->psr", weights, others, optimize=True)
    return LinearModels(scores, weights[:, :, 0])


def _fit_by_rows(
    labeled: Rows, others: Rows, order: PositiveFirst, alphas: tuple[float, ...], is_trained: BoolArray
) -> LinearModels:
    """Return the minimisers in coordinates of the labelled rows, outside of which they are zero.

    With R the labelled rows and LLᵀ = RRᵀ, the rows of L have the same products with each other: they are features, as
    many as rows, in which v minimises what w = RᵀL⁻ᵀv does in the columns.
    """
    between = dense_rows(labeled @ labeled.T)
    between[np.diag_indices_from(between)] += np.maximum(JITTER * between.diagonal(), SMALLEST_LENGTH)
    factor = cholesky(between, lower=True, check_finite=False)
    # Mask by mask: the equations of all of them at once would be too many.
    found = [_weights(factor, order, alphas, is_trained[:, [mask]]) for mask in range(is_trained.shape[1])]
    weights = np.concatenate(found, axis=2)
    flat = np.moveaxis(weights, 1, 0).reshape(len(factor), -1)
    shares = solve_triangular(factor, flat, lower=True, trans=1, check_finite=False)
    scores = dense_rows(others @ labeled.T) @ shares
    of_whole = shares.reshape(len(factor), len(alphas), -1)[:, :, 0]
    scores = scores.reshape(count_rows(others), len(alphas), -1).transpose(1, 2, 0)
    return LinearModels(scores, dense_rows((labeled.T @ of_whole).T))


def _weights(rows: FloatArray, order: PositiveFirst, alphas: tuple[float, ...], is_trained: BoolArray) -> FloatArray:
    """Return the minimisers on features, (alphas, features, masks)."""
    return FeatureRows(rows, order, rows[:0]).weights(
        Points(alphas, (1.0,), (1,)),
        lambda labeled_weight: semi_supervised(LOSSES["square"], labeled_weight),
        is_trained,
    )
