"""Components of rows of many columns, one value at a time, and by the full singular value decomposition."""

import math
import statistics
from collections.abc import Sequence

import numpy as np


def column_units(rows: Sequence[Sequence[float]], largest: float = 3.0) -> list[float]:
    """What to multiply columns by: one over the usual root mean square, less for columns far above it.

    Only values count that are neither zero nor missing; columns without any are not looked at.
    """
    sizes = []
    for column in zip(*rows, strict=True):
        values = [float(value) for value in column if value == value and value != 0.0]
        sizes.append(math.sqrt(sum(value * value for value in values) / len(values)) if values else None)
    known = [size for size in sizes if size is not None]
    if not known:
        return [1.0] * len(sizes)
    usual = statistics.median(known)
    return [1.0 / max(usual, (usual if size is None else size) / largest) for size in sizes]


def components(row: Sequence[float], matrix: Sequence[Sequence[float]]) -> list[float]:
    """The components of one row, what is missing counting as zero."""
    found = [0.0] * len(matrix[0])
    for value, weights in zip(row, matrix, strict=True):
        for place, weight in enumerate(weights):
            found[place] += 0.0 if value != value else float(value) * float(weight)
    return found


def singular_vectors(rows: np.ndarray, n_components: int) -> np.ndarray:
    """The leading right singular vectors of rows, (columns, components)."""
    return np.linalg.svd(rows)[2][:n_components].T
