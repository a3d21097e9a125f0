"""Rows whose best linear ranking is known, for baselines that learn one row after the other."""

from dataclasses import dataclass

import numpy as np

N_COLUMNS, SHARE = 8, 0.3
_rng = np.random.default_rng(12)
_MIX = (np.eye(N_COLUMNS) + 0.6 * _rng.normal(size=(N_COLUMNS, N_COLUMNS)) / np.sqrt(N_COLUMNS)) / np.sqrt(N_COLUMNS)
_GAP = 1.5 * _rng.normal(size=N_COLUMNS) / N_COLUMNS


def simulate(n_rows, seed):
    """Rows with norms about one, of two normal classes that differ in their mean."""
    rng = np.random.default_rng(seed)
    is_positive = rng.random(n_rows) < SHARE
    return rng.normal(size=(n_rows, N_COLUMNS)) @ _MIX + is_positive[:, None] * _GAP, is_positive


@dataclass(frozen=True)
class ClosedForm:
    """The minimiser of E(1 - wᵀ(x - x'))² over pairs of all rows that there can be."""

    weights: np.ndarray
    second: np.ndarray

    def excess(self, weights):
        """How much more than the minimum the weights lose."""
        gap = weights - self.weights
        return float(gap @ self.second @ gap)


def closed_form():
    second = 2 * _MIX.T @ _MIX + np.outer(_GAP, _GAP)
    return ClosedForm(np.linalg.solve(second, _GAP), second)
