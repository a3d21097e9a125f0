"""Doubly stochastic gradients for kernel logistic regression, one row at a time, and its limit on the exact kernel."""

import math
from collections.abc import Callable, Iterator, Sequence

import numpy as np
from scipy.optimize import minimize

from reference.algorithm import features, predict
from reference.minimisers import symmetric_root


def logistic_risk(scores: np.ndarray, signs: np.ndarray, weights: np.ndarray):
    """Weighted mean of log(1 + exp(-y·f)) and its derivative by every score."""
    total, value, slope = sum(weights), 0.0, np.zeros(len(scores))
    for i, (score, sign, weight) in enumerate(zip(scores, signs, weights, strict=True)):
        value += weight / total * math.log(1 + math.exp(-sign * score))
        slope[i] = -weight / total * sign / (1 + math.exp(sign * score))
    return value, slope


def doubly_stochastic(
    X: np.ndarray,
    signs: np.ndarray,
    draws: Sequence[tuple[np.ndarray, np.ndarray]],
    *,
    alpha: float,
    steps: Sequence[float],
    draw: Callable[[int, int], np.ndarray],
    n_frequencies: int,
) -> Iterator[np.ndarray]:
    """Coefficients (t, 2m) after iterations t = 1, 2, …; `draws[t]` is the rows of an iteration and their weights."""
    m = n_frequencies
    coefficients = np.zeros((0, 2 * m))
    for t, ((rows, weights), step) in enumerate(zip(draws, steps, strict=True)):
        _, slope = logistic_risk(predict(X[rows], coefficients, draw), signs[rows], weights)
        new = np.zeros(2 * m)
        for phi, of_row in zip(features(X[rows], draw(m * t, m * (t + 1))), slope, strict=True):
            new -= step * of_row * phi
        coefficients = np.vstack([(1 - step * alpha) * coefficients, new])
        yield coefficients


def kernel_logistic(K: np.ndarray, signs: np.ndarray, weights: np.ndarray, alpha: float) -> np.ndarray:
    """Scores of the rows by the minimiser of the risk + alpha/2·‖f‖², f = Σ β_i·k(x_i, ·), by a generic optimiser."""
    # With f = K^(1/2)·w the norm of f is that of w, and the problem is well conditioned.
    root = symmetric_root(K)

    def value_and_slope(w):
        value, slope = logistic_risk(root @ w, signs, weights)
        return value + alpha / 2 * w @ w, root @ slope + alpha * w

    def curvature(w):
        bends = [1 / (2 + math.exp(score) + math.exp(-score)) for score in root @ w]
        return root @ np.diag(weights / sum(weights) * bends) @ root + alpha * np.eye(len(K))

    start = np.zeros(len(K))
    found = minimize(value_and_slope, start, method="trust-exact", jac=True, hess=curvature, options={"gtol": 1e-9})
    assert np.abs(found.jac).max() < 1e-8
    return root @ found.x
