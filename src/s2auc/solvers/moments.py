"""Moments of features by group: all that a quadratic objective needs to know of the rows."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from s2auc.common.arrays import AnyArray, FloatArray
from s2auc.kernels.fourier import features


@dataclass(frozen=True, eq=False)
class Moments:
    """Mean feature vector and mean outer product of the features of a group's rows."""

    mean: FloatArray
    second: FloatArray


def measure_moments(chunks: Iterable[AnyArray], W: FloatArray) -> Moments:
    """Return the moments of sqrt(1/m)·[cos, sin] features over chunks of rows, summed in float64."""
    total, outer, n_rows = np.zeros(2 * len(W)), np.zeros((2 * len(W), 2 * len(W))), 0
    for chunk in chunks:
        phi = features(chunk, W).astype(np.float64)
        total += phi.sum(axis=0)
        outer += phi.T @ phi
        n_rows += len(chunk)
    scale = np.sqrt(1.0 / len(W))
    return Moments(total * (scale / n_rows), outer * (scale * scale / n_rows))


def moments_of(phi: FloatArray) -> Moments:
    """Return the moments of rows that are given by their features."""
    return Moments(phi.mean(axis=0), phi.T @ phi / len(phi))
