"""Moments of features by group: all that a quadratic objective needs to know of the rows."""

from dataclasses import dataclass

from s2auc.common.arrays import FloatArray


@dataclass(frozen=True, eq=False)
class Moments:
    """Mean feature vector and mean outer product of the features of a group's rows."""

    mean: FloatArray
    second: FloatArray


def moments_of(phi: FloatArray) -> Moments:
    """Return the moments of rows that are given by their features."""
    return Moments(phi.mean(axis=0), phi.T @ phi / len(phi))
