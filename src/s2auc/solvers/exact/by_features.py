"""The exact minimiser on features, for quadratic losses: from the moments of the groups, one decomposition.

With H the second derivative of an objective by the coefficients w of the features and s its slope at zero
(`s2auc.ranking.objective`), objective + ½·wᵀBw + alpha/2·‖w‖² is least where (H + B + alpha·I) w = -s, B being another
penalty, if any. For the square loss the right side is 2(m_positive - m_negative) whatever the labelled weight:
unlabelled rows enter through second moments only.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from s2auc.common.arrays import FloatArray
from s2auc.ranking.objective import Objective, QuadraticForm
from s2auc.solvers.exact.moments import Moments


@dataclass(frozen=True, eq=False)
class ClosedForm:
    """A quadratic objective on features, ready to be solved for any alpha.

    Examples
    --------
    >>> import numpy as np
    >>> from s2auc.ranking.losses import LOSSES
    >>> from s2auc.ranking.objective import semi_supervised
    >>> from s2auc.solvers.exact.moments import moments_of
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
