"""Exact minimisers of risks, by linear equations and by a generic optimiser."""

from collections.abc import Sequence

import numpy as np
from scipy.optimize import minimize, root

from reference.pairs import Term, risk


def quadratic_risk(terms: Sequence[Term], sizes: dict[str, int]):
    """Gradient at zero and matrix of second derivatives of a risk, over the rows of all groups in order.

    Its losses are (1 - z)² and z², which differ in their slope at zero only.
    """
    offset, total = {}, 0
    for group, size in sizes.items():
        offset[group], total = total, total + size
    slope, curvature = np.zeros(total), np.zeros((total, total))
    for weight, name, pairs in terms:
        slope_at_zero = {"square": -2.0, "squared_difference": 0.0}[name]
        for g, i, h, j in pairs:
            a, b = offset[g] + i, offset[h] + j
            share = weight / len(pairs)
            slope[a] += slope_at_zero * share
            slope[b] -= slope_at_zero * share
            curvature[a, a] += 2 * share
            curvature[b, b] += 2 * share
            curvature[a, b] -= 2 * share
            curvature[b, a] -= 2 * share
    return slope, curvature


def kernel_minimiser(K: np.ndarray, slope: np.ndarray, curvature: np.ndarray, alpha: float) -> np.ndarray:
    """β of f* = Σ β_i k(x_i, ·), the minimiser of risk + alpha/2·‖f‖²: (C·K + alpha·I) β = -slope."""
    return np.linalg.solve(curvature @ K + alpha * np.eye(len(K)), -slope)


def linear_minimiser(Phi: np.ndarray, slope: np.ndarray, curvature: np.ndarray, alpha: float) -> np.ndarray:
    """w of f = wᵀφ for explicit features: (ΦᵀCΦ + alpha·I) w = -Φᵀ·slope."""
    return np.linalg.solve(Phi.T @ curvature @ Phi + alpha * np.eye(Phi.shape[1]), -Phi.T @ slope)


def objective(w: np.ndarray, features: dict[str, np.ndarray], terms: Sequence[Term], penalty: float):
    """Value and gradient of risk + penalty·‖w‖² for scores that are linear in w, one pair at a time."""
    value, slopes = risk(terms, {group: Phi @ w for group, Phi in features.items()})
    gradient = sum(features[group].T @ slope for group, slope in slopes.items())
    return value + penalty * float(w @ w), gradient + 2 * penalty * w


def brute_force(features: dict[str, np.ndarray], terms: Sequence[Term], penalty: float) -> np.ndarray:
    """w that minimises the objective, by a generic optimiser."""
    start = np.zeros(next(iter(features.values())).shape[1])
    found = minimize(objective, start, (features, terms, penalty), "BFGS", jac=True)
    # Values of the objective cannot tell points apart that differ by the root of the precision; its gradient can.
    polished = root(lambda w: objective(w, features, terms, penalty)[1], found.x, tol=1e-14).x
    assert np.abs(objective(polished, features, terms, penalty)[1]).max() < 1e-10
    return polished


def symmetric_root(K: np.ndarray, inverse: bool = False) -> np.ndarray:
    """K^(1/2) or K^(-1/2) of a positive definite matrix."""
    values, vectors = np.linalg.eigh(K)
    powers = np.maximum(values, 1e-300) ** (-0.5 if inverse else 0.5)
    return (vectors * powers) @ vectors.T
