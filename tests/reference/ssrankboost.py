"""RankBoost on stumps, pair by pair, with a weight of its own for every pair; and who borrows a label from whom."""

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

PairOf = tuple[int, int, float]


def borrowed_labels(labeled: np.ndarray, is_positive: Sequence[bool], pool: np.ndarray, k: int) -> dict[int, bool]:
    """The label of every row of the pool that is among the k nearest of some labelled row: that of the nearest one."""
    lenders: dict[int, list[tuple[float, int]]] = {}
    for i, row in enumerate(labeled):
        distances = [(math.dist(row, other), j) for j, other in enumerate(pool)]
        for distance, j in sorted(distances)[:k]:
            lenders.setdefault(j, []).append((distance, i))
    return {j: bool(is_positive[min(listed)[1]]) for j, listed in lenders.items()}


def side_pairs(
    rows: Sequence[int], is_positive: Sequence[bool], counts: Sequence[float], weight: float
) -> list[PairOf]:
    """Pairs (positive row, negative row, weight): the weights of the pairs of a side sum to that of the side."""
    pairs = [
        (p, n, a * b)
        for p, p_up, a in zip(rows, is_positive, counts, strict=True)
        for n, n_up, b in zip(rows, is_positive, counts, strict=True)
        if p_up and not n_up
    ]
    total = sum(pair_weight for _, _, pair_weight in pairs)
    return [(p, n, weight * pair_weight / total) for p, n, pair_weight in pairs]


def rank_boost(X: np.ndarray, pairs: Sequence[PairOf], n_rounds: int):
    """Stumps (column, threshold, step) and the loss before the first and after each, for pairs with initial weights."""
    D = [weight for _, _, weight in pairs]
    stumps, losses = [], [sum(D)]
    for _ in range(n_rounds):
        best = (0, 0.0, 0.0)
        for column in range(X.shape[1]):
            values = sorted(set(X[:, column].tolist()))
            for low, high in pairwise(values):
                threshold = (low + high) / 2
                above = X[:, column] > threshold
                r = sum(d * (int(above[p]) - int(above[n])) for d, (p, n, _) in zip(D, pairs, strict=True)) / sum(D)
                # Sums in another order differ in the last bits.
                if abs(r) > abs(best[2]) + 1e-12:
                    best = (column, threshold, r)
        column, threshold, r = best
        step = 0.5 * math.log((1 + r) / (1 - r))
        above = X[:, column] > threshold
        D = [d * math.exp(-step * (int(above[p]) - int(above[n]))) for d, (p, n, _) in zip(D, pairs, strict=True)]
        stumps.append((column, threshold, step))
        losses.append(sum(D))
    return stumps, losses
