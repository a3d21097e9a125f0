"""Risks over pairs of rows, one pair at a time.

A term is (weight, loss name, pairs); pairs is a list of (higher group, row, lower group, row).
"""

from collections.abc import Sequence
from itertools import product

import numpy as np

from reference.losses import LOSS

Pair = tuple[str, int, str, int]
Term = tuple[float, str, Sequence[Pair]]


def all_pairs(higher: str, lower: str, n_higher: int, n_lower: int) -> list[Pair]:
    return [(higher, i, lower, j) for i, j in product(range(n_higher), range(n_lower))]


def row_pairs(higher: str, lower: str, n_rows: int) -> list[Pair]:
    return [(higher, i, lower, i) for i in range(n_rows)]


def semi_supervised_terms(loss: str, labeled_weight: float, sizes: dict[str, int], pairing: str) -> list[Term]:
    """gamma·PN + (1-gamma)·(PU + NU) over batches of the given sizes."""
    terms: list[Term] = []
    for weight, higher, lower in (
        (labeled_weight, "positive", "negative"),
        (1 - labeled_weight, "positive", "unlabeled"),
        (1 - labeled_weight, "unlabeled", "negative"),
    ):
        if not sizes.get(higher) or not sizes.get(lower):
            continue
        if pairing == "all":
            pairs = all_pairs(higher, lower, sizes[higher], sizes[lower])
        else:
            pairs = row_pairs(higher, lower, sizes[higher])
        terms.append((weight, loss, pairs))
    return terms


def risk(terms: Sequence[Term], scores: dict[str, np.ndarray], weights: dict[str, np.ndarray] | None = None):
    """Value and gradient of a risk, one pair at a time."""
    value = 0.0
    gradient = {group: np.zeros(len(score)) for group, score in scores.items()}
    for weight, name, pairs in terms:
        loss, slope = LOSS[name]
        pair_weights = [1.0 if weights is None else weights[g][i] * weights[h][j] for g, i, h, j in pairs]
        total = sum(pair_weights)
        if total == 0:
            continue
        for (g, i, h, j), pair_weight in zip(pairs, pair_weights, strict=True):
            gap = float(scores[g][i] - scores[h][j])
            value += weight * pair_weight / total * loss(gap)
            gradient[g][i] += weight * pair_weight / total * slope(gap)
            gradient[h][j] -= weight * pair_weight / total * slope(gap)
    return value, gradient
