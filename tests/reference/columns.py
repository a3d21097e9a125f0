"""What happens to columns before a kernel sees them, one value at a time."""

import math
import statistics
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

import numpy as np

from reference.metrics import auc


def rank(value: float, values: Sequence[float]) -> float:
    """The share of values below, those equal counting half, one value at a time."""
    return sum(1.0 if other < value else 0.5 if other == value else 0.0 for other in values) / len(values)


def moments(column: Sequence[float]) -> tuple[float, float, float, float, int]:
    """Mean, deviation, smallest, largest of the values that are no NaN, and the number of NaN; zeros if all are."""
    values = [float(value) for value in column if value == value]
    if not values:
        return 0.0, 0.0, 0.0, 0.0, len(column)
    # Integers as they are, and no rounding before the end.
    exact = [Fraction(value) for value in values]
    mean = sum(exact) / len(exact)
    variance = sum((value - mean) ** 2 for value in exact) / len(exact)
    size = max(map(abs, exact)) or Fraction(1)
    deviation = math.sqrt(variance / size**2) * float(size)
    return float(mean), deviation, min(values), max(values), len(column) - len(values)


def encode(
    row: Sequence[float],
    columns: Sequence[tuple[int, str, float]],
    knots: Sequence[Sequence[tuple[float, float]]],
) -> list[float]:
    """One encoded row; columns are (source, what, number), knots are (value, rank) for each column of ranks in turn."""
    encoded, remaining = [], list(knots)
    for source, what, number in columns:
        value = float(row[source])
        is_missing = value != value
        filled = number if is_missing else value
        if what == "value":
            encoded.append(filled)
        elif what == "level":
            encoded.append(1.0 if value == number else 0.0)
        elif what == "missing":
            encoded.append(1.0 if is_missing else 0.0)
        else:
            encoded.append(interpolate(filled, remaining.pop(0)))
    return encoded


def interpolate(value: float, points: Sequence[tuple[float, float]]) -> float:
    """The height at a value of the line through points, flat beyond its ends."""
    if value <= points[0][0]:
        return points[0][1]
    for (left, low), (right, high) in pairwise(points):
        if value <= right:
            return low + (high - low) * (value - left) / (right - left)
    return points[-1][1]


def auc_weights(positive: np.ndarray, negative: np.ndarray) -> list[float]:
    """Weights of columns by how far their AUC, or that of the distance from the median, is from chance."""
    n_positive, n_negative = len(positive), len(negative)
    chance = (n_positive + n_negative + 1) / (3 * n_positive * n_negative)
    telling = []
    for column in range(positive.shape[1]):
        higher, lower = positive[:, column].tolist(), negative[:, column].tolist()
        middle = statistics.median(higher + lower)
        slope = (2 * auc(higher, lower) - 1) ** 2 - chance
        distances = [abs(v - middle) for v in higher], [abs(v - middle) for v in lower]
        hump = (2 * auc(*distances) - 1) ** 2 - 2 * chance
        telling.append(math.sqrt(max(0.0, slope, hump)) + math.sqrt(chance) / 2)
    mean_square = sum(t * t for t in telling) / len(telling)
    return [t / math.sqrt(mean_square) for t in telling]
