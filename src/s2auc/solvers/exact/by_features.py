"""The exact minimiser on features, for quadratic losses: from the moments of the groups, one decomposition.

With H the second derivative of an objective by the coefficients w of the features and s its slope at zero
(`s2auc.ranking.objective`), objective + ½·wᵀBw + alpha/2·‖w‖² is least where (H + B + alpha·I) w = -s, B being another
penalty, if any. For the square loss the right side is 2(m_positive - m_negative) whatever the labelled weight:
unlabelled rows enter through second moments only.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from s2auc.common.arrays import AnyArray, BoolArray, FloatArray, IndexArray
from s2auc.common.groups import PositiveFirst
from s2auc.ranking.objective import Objective, QuadraticForm

BLOCK_ROWS = 1024
"""Rows whose features are held at a time."""


@dataclass(frozen=True, eq=False)
class Moments:
    """Mean feature vector and mean outer product of the features of a group's rows."""

    mean: FloatArray
    second: FloatArray


def moments_of(phi: AnyArray) -> Moments:
    """Return the moments, in float64, of rows that are given by their features, which may be float32."""
    return Moments(phi.mean(axis=0, dtype=np.float64), (phi.T @ phi / len(phi)).astype(np.float64))


def moments_of_masks(
    labeled: Any, order: PositiveFirst, is_trained: BoolArray, block_rows: int = BLOCK_ROWS
) -> Iterator[dict[str, Moments]]:
    """Yield, mask by mask, the moments of its rows by group, for groups of which it has any.

    Masks leave out folds, one or two at a time. Rows of a fold are in the same masks: their moments are formed once,
    and those of a mask are sums of a few of them.

    Parameters
    ----------
    labeled, order
        Labelled rows by their features, positive first, and how much each counts: an array, or anything that gives
        rows by their places. Every row is asked for once, some at a time.
    is_trained
        Which of them each mask has, (labelled rows, masks).
    block_rows
        How many rows are asked for at a time.

    Examples
    --------
    >>> is_trained = np.array([[True, False], [True, True]])
    >>> for moments in moments_of_masks(np.array([[1.0], [3.0]]), PositiveFirst(1, 1), is_trained):
    ...     print({group: of_group.second.tolist() for group, of_group in moments.items()})
    {'positive': [[1.0]], 'negative': [[9.0]]}
    {'negative': [[9.0]]}
    """

    def sums_of(places: IndexArray) -> dict[str, _Sums]:
        rows_of = order.split(places).items()
        return {group: _Sums.over(labeled, rows, order.weight_of(rows), block_rows) for group, rows in rows_of}

    is_in, set_of_row = np.unique(is_trained, axis=0, return_inverse=True)
    if len(is_in) > is_trained.shape[1]:
        # Folds that overlap cut rows into more sets than there are masks: each mask has sums of its own then.
        for is_used in is_trained.T:
            yield {group: sums.mean() for group, sums in sums_of(np.flatnonzero(is_used)).items()}
        return
    sums = [sums_of(np.flatnonzero(set_of_row.ravel() == number)) for number in range(len(is_in))]
    for chosen in is_in.T:
        found: dict[str, _Sums] = {}
        for of_set in (of_set for of_set, is_chosen in zip(sums, chosen, strict=True) if is_chosen):
            for group, more in of_set.items():
                found[group] = found[group].plus(more) if group in found else more
        yield {group: found[group].mean() for group in order.slices if group in found}


class _Sums:
    """Over some rows: the sum of their weights, of their features, and of the outer products of their features."""

    def __init__(self, weight: float, first: FloatArray, second: FloatArray) -> None:
        self.weight, self.first, self.second = weight, first, second

    @classmethod
    def over(cls, labeled: Any, places: IndexArray, weight: FloatArray | None, block_rows: int) -> "_Sums":
        n_features = labeled.shape[1]
        first, second = np.zeros(n_features), np.zeros((n_features, n_features))
        for start in range(0, len(places), block_rows):
            # In float64: how rows are cut into sets must not show, and small alphas would show it.
            rows = labeled[places[start : start + block_rows]].astype(np.float64)
            weighted = rows if weight is None else rows * weight[start : start + block_rows, None]
            first += weighted.sum(axis=0)
            second += rows.T @ weighted
        return cls(len(places) if weight is None else float(weight.sum()), first, second)

    def plus(self, other: "_Sums") -> "_Sums":
        return _Sums(self.weight + other.weight, self.first + other.first, self.second + other.second)

    def mean(self) -> Moments:
        return Moments(self.first / self.weight, self.second / self.weight)


@dataclass(frozen=True, eq=False)
class ClosedForm:
    """A quadratic objective on features, ready to be solved for any alpha.

    Examples
    --------
    >>> import numpy as np
    >>> from s2auc.ranking.losses import LOSSES
    >>> from s2auc.ranking.objective import semi_supervised
    >>> moments = {"positive": moments_of(np.array([[1.0, 0.2]])), "negative": moments_of(np.array([[-1.0, 0.1]]))}
    >>> form = ClosedForm.of_objective(semi_supervised(LOSSES["square"], 1.0), moments)
    >>> form.weights(alpha=0.1).shape
    (2,)
    """

    eigenvalues: FloatArray
    eigenvectors: FloatArray
    slope: FloatArray

    @classmethod
    def of_objective(
        cls, objective: Objective, moments: Mapping[str, Moments], penalty: FloatArray | None = None
    ) -> "ClosedForm":
        """Return the objective in its own coordinates: one eigendecomposition, whatever the number of alphas.

        Parameters
        ----------
        objective, moments
            What is minimised, and the moments of its groups.
        penalty
            B, a symmetric matrix over the features; None for none.
        """
        matrix, slope = equations_of(objective, moments, penalty)
        eigenvalues, eigenvectors = np.linalg.eigh(matrix)
        return cls(eigenvalues, eigenvectors, eigenvectors.T @ slope)

    def weights(self, alpha: float) -> FloatArray:
        """Return the w that minimises objective + alpha/2·‖w‖², whatever the features are."""
        check_alpha(alpha, float(self.eigenvalues[-1]), len(self.slope))
        return self.eigenvectors @ (-self.slope / (self.eigenvalues + alpha))


def equations_of(
    objective: Objective, moments: Mapping[str, Moments], penalty: FloatArray | None = None
) -> tuple[FloatArray, FloatArray]:
    """Return H + B and s of an objective on features: what alpha is then added to the diagonal of, and the right side.

    Parameters
    ----------
    objective, moments, penalty
        As for `ClosedForm.of_objective`.
    """
    form = QuadraticForm.of_objective(objective, moments)
    means = np.stack([moments[group].mean for group in form.groups])
    matrix, slope = means.T @ (form.cross @ means), form.slope @ means
    for group, weight in zip(form.groups, form.second, strict=True):
        if weight:
            matrix += weight * moments[group].second
    if penalty is not None:
        matrix += penalty
    return matrix, slope


def minimise(matrix: FloatArray, slope: FloatArray, alpha: float) -> FloatArray:
    """Return the w for which (matrix + alpha·I) w = -slope, by a Cholesky factor: the fastest for a few alphas.

    Examples
    --------
    >>> minimise(np.diag([1.0, 3.0]), np.array([-2.0, 4.0]), alpha=1.0).round(3).tolist()
    [1.0, -1.0]
    """
    system = np.array(matrix, order="F")
    system[np.diag_indices_from(system)] += alpha
    factor = cho_factor(system, lower=True, overwrite_a=True, check_finite=False)
    return cho_solve(factor, -slope, check_finite=False)


def check_alpha(alpha: float, largest: float, n_features: int) -> None:
    """Raise a ValueError if alpha is so small against the largest eigenvalue that rounding decides the solution."""
    smallest = 10 * n_features * np.finfo(np.float64).eps * max(largest, 1e-300)
    if alpha < smallest:
        raise ValueError(
            "alpha is too small for the closed form, whose equations are then singular to working precision. "
            f"Got {alpha:g}; use at least {smallest:.1e}."
        )
