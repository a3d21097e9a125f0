"""Nearest points of the sets that SOLAM and FSAUC keep to."""

from math import inf, sqrt

import numpy as np

from s2auc.common.arrays import FloatArray

_CLOSE = 1e-14
"""Of an interval, relative to where it lies: what is left is below what rounding does."""

_FAR = 1e9
"""Times the size of the set: from points this far the nearest one depends on their direction alone."""


def held(value: float, low: float, high: float) -> float:
    """Return the value, or the bound beyond which it lies."""
    return low if value < low else high if value > high else value


def in_ball(vector: FloatArray, radius: float) -> FloatArray:
    """Return the nearest vector with a norm of at most `radius`.

    Examples
    --------
    >>> in_ball(np.array([3.0, 4.0]), 10.0).tolist(), in_ball(np.array([6.0, 8.0]), 5.0).tolist()
    ([3.0, 4.0], [3.0, 4.0])
    """
    square = float(vector @ vector)
    if square <= radius * radius:
        return vector
    length = sqrt(square) if square < inf else length_of(vector)
    return vector * (radius / length)


def length_of(vector: FloatArray) -> float:
    """Return the norm of a vector, however large its entries.

    Examples
    --------
    >>> f"{length_of(np.array([3e200, 4e200])):.0e}"
    '5e+200'
    """
    largest = float(np.abs(vector).max())
    return largest * float(np.linalg.norm(vector / largest)) if largest > 0.0 else 0.0


def nearest_in_both(moved: FloatArray, center: FloatArray, distance: float, radius: float, bound: float) -> FloatArray:
    """Return the nearest (w, a, b) with ‖w‖ <= radius and |a|, |b| <= bound within a distance of a centre in that set.

    With a multiplier μ for the distance, this is the nearest point of the set to (moved + μ·centre)/(1 + μ), a point on
    the way from the centre to `moved`. The farther that is from the centre, the farther is the point found: the one
    that is as far as allowed is looked for by halving. On the way only three products of vectors are needed.

    Examples
    --------
    >>> moved, center = np.array([3.0, 4.0, 0.0, 9.0]), np.array([0.0, 0.0, 0.0, 0.5])
    >>> nearest_in_both(moved, center, 1.0, 1.0, 1.0).round(3).tolist()
    [0.52, 0.693, 0.0, 1.0]
    """
    length = length_of(moved - center)
    way = (moved - center) / length
    of_weights = center[:-2], way[:-2]
    of_means = list(zip(center[-2:].tolist(), way[-2:].tolist(), strict=True))
    center_square, mixed, way_square = (
        float(one @ other)
        for one, other in ((of_weights[0], of_weights[0]), of_weights, (of_weights[1], of_weights[1]))
    )

    def reach(far: float) -> float:
        """Return how far from the centre the point of the set is that is nearest to the point so far on the way."""
        square = center_square + far * (2.0 * mixed + far * way_square)
        shrink = min(1.0, radius / sqrt(square)) if square > 0.0 else 1.0
        total = center_square + shrink * (shrink * square - 2.0 * (center_square + far * mixed))
        for start, part in of_means:
            total += (held(start + far * part, -bound, bound) - start) ** 2
        return sqrt(max(0.0, total))

    # Nearest points are no farther from each other than what they are nearest to: so far is never too far.
    low, high = distance, min(length, _FAR * (distance + radius + bound))
    while high - low > _CLOSE * high:
        middle = (low + high) / 2.0
        low, high = (middle, high) if reach(middle) <= distance else (low, middle)
    found = center + low * way
    return np.concatenate([in_ball(found[:-2], radius), np.clip(found[-2:], -bound, bound)])
