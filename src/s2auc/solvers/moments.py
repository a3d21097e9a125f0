"""Moments of features by group: all that a quadratic objective needs to know of the rows."""

from dataclasses import dataclass

import numpy as np

from s2auc.common.arrays import AnyArray, FloatArray


@dataclass(frozen=True, eq=False)
class Moments:
    """Mean feature vector and mean outer product of the features of a group's rows."""

    mean: FloatArray
    second: FloatArray


def moments_of(phi: AnyArray) -> Moments:
    """Return the moments, in float64, of rows that are given by their features, which may be float32."""
    return Moments(phi.mean(axis=0, dtype=np.float64), (phi.T @ phi / len(phi)).astype(np.float64))
