"""Algorithms 1 and 2 of the paper, one iteration at a time."""

import math
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from reference.pairs import risk, row_pairs, semi_supervised_terms


def features(X: np.ndarray, frequencies: np.ndarray) -> np.ndarray:
    """One row of sqrt(1/m)·[cos ω_1ᵀx … cos ω_mᵀx, sin ω_1ᵀx … sin ω_mᵀx] for every row x."""
    angles = X @ frequencies.T
    return np.hstack([np.cos(angles), np.sin(angles)]) / math.sqrt(len(frequencies))


def predict(X: np.ndarray, coefficients: np.ndarray, draw: Callable[[int, int], np.ndarray]) -> np.ndarray:
    """Algorithm 2 for every row of X; coefficients are (blocks, 2m), and all frequencies are drawn again."""
    blocks, m = len(coefficients), coefficients.shape[1] // 2
    angles = (X @ draw(0, blocks * m).T).reshape(len(X), blocks, m)
    waves = coefficients[:, :m] * np.cos(angles) + coefficients[:, m:] * np.sin(angles)
    return waves.sum(axis=(1, 2)) / math.sqrt(m)


def algorithm_1(
    groups: dict[str, np.ndarray],
    draws: Sequence[dict[str, np.ndarray]],
    *,
    loss: str,
    labeled_weight: float,
    alpha: float,
    steps: Sequence[float],
    draw: Callable[[int, int], np.ndarray],
    n_frequencies: int,
    pairing: str = "triplet",
    weights: dict[str, np.ndarray] | None = None,
    neighbor_weight: float = 0.0,
) -> Iterator[np.ndarray]:
    """The iterates of Algorithm 1, errata applied: coefficients (t, 2m) after iterations t = 1, 2, …

    `draws[t]` names the rows of each group that an iteration uses, `steps[t]` is its step, `draw(first, last)` returns
    frequencies. Old coefficients decay with the current step. The groups "node" and "neighbor", if there are any, are
    the two ends of edges, and have no weights.
    """
    m = n_frequencies
    coefficients = np.zeros((0, 2 * m))
    for t, (rows, step) in enumerate(zip(draws, steps, strict=True)):
        batch = {group: groups[group][index] for group, index in rows.items()}
        scores = {group: predict(X, coefficients, draw) for group, X in batch.items()}
        terms = semi_supervised_terms(loss, labeled_weight, {group: len(X) for group, X in batch.items()}, pairing)
        if "node" in batch:
            edges = row_pairs("node", "neighbor", len(batch["node"]))
            terms.append((neighbor_weight / 2, "squared_difference", edges))
        row_weights = None
        if weights is not None:
            row_weights = {g: weights[g][index] if g in weights else np.ones(len(index)) for g, index in rows.items()}
        _, gradient = risk(terms, scores, row_weights)
        new = np.zeros(2 * m)
        for group, X in batch.items():
            for phi, slope in zip(features(X, draw(m * t, m * (t + 1))), gradient[group], strict=True):
                new -= step * slope * phi
        coefficients = np.vstack([(1 - step * alpha) * coefficients, new])
        yield coefficients


def second_rule(
    groups: dict[str, np.ndarray],
    draws: Sequence[dict[str, np.ndarray]],
    kernel: Callable[[np.ndarray, np.ndarray], float],
    *,
    loss: str,
    labeled_weight: float,
    alpha: float,
    steps: Sequence[float],
    pairing: str = "triplet",
    weights: dict[str, np.ndarray] | None = None,
    scores_at: Sequence[dict[str, np.ndarray]] | None = None,
) -> Iterator[list[tuple[float, np.ndarray]]]:
    """The iterates of the paper's h_t: (coefficient, row) of every kernel after iterations t = 1, 2, …

    Loss derivatives are taken at h_t, or at the scores of `scores_at[t]`, as in the proofs, where these are f_t's.
    """
    terms_of: list[tuple[float, np.ndarray]] = []
    for t, (rows, step) in enumerate(zip(draws, steps, strict=True)):
        batch = {group: groups[group][index] for group, index in rows.items()}
        scores = {
            group: np.array([sum(c * kernel(x, center) for c, center in terms_of) for x in X], dtype=float)
            for group, X in batch.items()
        }
        if scores_at is not None:
            scores = scores_at[t]
        terms = semi_supervised_terms(loss, labeled_weight, {group: len(X) for group, X in batch.items()}, pairing)
        row_weights = None if weights is None else {group: weights[group][index] for group, index in rows.items()}
        _, gradient = risk(terms, scores, row_weights)
        terms_of = [((1 - step * alpha) * c, center) for c, center in terms_of]
        for group, X in batch.items():
            terms_of += [(-step * slope, x) for slope, x in zip(gradient[group], X, strict=True)]
        yield terms_of


def average(iterates: Sequence[np.ndarray]) -> np.ndarray:
    """The t-weighted average of iterates 1..T, directly: Σ t·f_t / (T(T+1)/2)."""
    total = np.zeros_like(iterates[-1])
    for t, coefficients in enumerate(iterates, start=1):
        total[: len(coefficients)] += t * coefficients
    return total / (len(iterates) * (len(iterates) + 1) / 2)
