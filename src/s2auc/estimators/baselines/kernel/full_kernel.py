"""SAMULT on all rows: the minimiser of a pairwise quadratic risk over a kernel's whole space.

Its second derivative by the scores of all rows is C = D + U·X·Uᵀ: column a of U is, on the rows of group a, how much of
the group each row is (1/n_a where all count alike), D is diagonal, second_a times that, and X is the small matrix
`cross`. The minimiser of
risk + alpha/2·‖f‖² is f = Σ_i β_i·k(x_i, ·) with (C·K + alpha·I) β = -U·slope. That matrix is neither symmetric nor
small, but

- rows of a group with second_a = 0 have β = 0 and drop out;
- with β = D^½·z the part without U·X·Uᵀ is symmetric and positive definite, S + alpha·I, S = D^½·K·D^½, whose largest
  eigenvalue does not grow with the rows: one Cholesky factorisation, n³/3 operations, well conditioned;
- right side and correction both lie in the span of U: two or three columns are solved for, and a system of two or three
  unknowns mixes them.

A general solver needs 2n³/3 operations for the factorisation, after 2n³ for the product C·K.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy.linalg.lapack import dpotrf, dpotrs

from s2auc.common.arrays import FloatArray, IndexArray
from s2auc.kernels.shift_invariant import KERNELS
from s2auc.ranking.losses import LOSSES
from s2auc.ranking.objective import QuadraticForm, semi_supervised

BLOCK_NUMBERS = 2**22
"""Kernel values that are formed at a time: 32 megabytes."""


def needed_bytes(n_rows: int) -> int:
    """Return the bytes that the kernel of all rows takes, which is factorised where it stands."""
    return 8 * n_rows * n_rows + 4 * 8 * BLOCK_NUMBERS


def smallest_alpha(risk: QuadraticForm, n_rows: int) -> float:
    """Return the alpha below which rounding errors decide the solution: the trace bounds the eigenvalues of S."""
    return float(10 * n_rows * np.finfo(np.float64).eps * max(risk.second.sum(), 1e-300))


def samult_risk(labeled_weight: float, groups: Mapping[str, Any]) -> QuadraticForm:
    """Return γ·R_PN + (1-γ)·(R_PU + R_NU) with the square loss."""
    return QuadraticForm.of_objective(semi_supervised(LOSSES["square"], labeled_weight), groups)


def mix(risk: QuadraticForm, sums: FloatArray, alpha: float) -> FloatArray:
    """Return the weights c of the columns β = Y·c, where (D·K + alpha·I) Y = U.

    Parameters
    ----------
    risk
        The risk; every group has d > 0.
    sums
        Sums of the columns of Y (second axis) over the rows of each group (first axis).
    alpha
        Regularisation.
    """
    # The mean of K·Y over the rows of a group, each by its share, from D·K·Y = U - alpha·Y.
    means = (np.eye(len(sums)) - alpha * sums) / risk.second[:, None]
    mean_scores = np.linalg.solve(np.eye(len(sums)) + means @ risk.cross, -means @ risk.slope)
    return -(risk.slope + risk.cross @ mean_scores)


def solve_full_kernel(
    risk: QuadraticForm, X: FloatArray, group: IndexArray, share: FloatArray, kernel: str, gamma: float, alpha: float
) -> FloatArray:
    """Return β, one coefficient a row.

    Parameters
    ----------
    risk
        The risk; every group has d > 0.
    X
        Rescaled rows of all groups.
    group
        Number of every row's group in `risk.groups`.
    share
        How much of its group each row is, more than zero.
    kernel, gamma, alpha
        The space, and the regularisation.
    """
    n_groups = len(risk.groups)
    root = np.sqrt(risk.second[group] * share)
    U = (group[:, None] == np.arange(n_groups)) * share[:, None]
    factor = scaled_kernel(X, root, kernel, gamma)
    factor[np.diag_indices(len(X))] += alpha
    factor, failed = dpotrf(factor, lower=1, clean=0, overwrite_a=1)
    if failed:
        raise ValueError(
            "alpha is too small for these rows, whose kernel is then singular to working precision. "
            f"Got {alpha:g}; use at least {smallest_alpha(risk, len(X)):.1e}."
        )
    columns, _ = dpotrs(factor, U / root[:, None], lower=1)
    columns *= root[:, None]
    sums = np.stack([columns[group == place].sum(axis=0) for place in range(n_groups)])
    beta: FloatArray = columns @ mix(risk, sums, alpha)
    return beta


def scaled_kernel(
    X: FloatArray, root: FloatArray, kernel: str, gamma: float, block_numbers: int = BLOCK_NUMBERS
) -> FloatArray:
    """Return the lower triangle of D^½·K·D^½ in the order that LAPACK factorises in place."""
    n_rows = len(X)
    upper = np.empty((n_rows, n_rows))
    first = 0
    while first < n_rows:
        last = min(n_rows, first + max(1, block_numbers // (n_rows - first)))
        block = KERNELS[kernel].matrix(X[first:last], X[first:], gamma)
        block *= root[first:last, None]
        block *= root[first:]
        upper[first:last, first:] = block
        first = last
    return upper.T
