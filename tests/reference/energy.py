"""The energy distance that tells the class prior."""

import math

import numpy as np


def energy_distance(share: float, positive: np.ndarray, negative: np.ndarray, unlabeled: np.ndarray) -> float:
    """Energy distance, but for a constant, of a mixture to the unlabelled rows; no row meets itself."""

    def mean(left, right) -> float:
        pairs = [(i, j) for i in range(len(left)) for j in range(len(right)) if left is not right or i != j]
        return sum(math.dist(left[i], right[j]) for i, j in pairs) / len(pairs)

    across = 2 * (share * mean(positive, unlabeled) + (1 - share) * mean(negative, unlabeled))
    within = share**2 * mean(positive, positive) + (1 - share) ** 2 * mean(negative, negative)
    return across - within - 2 * share * (1 - share) * mean(positive, negative)
