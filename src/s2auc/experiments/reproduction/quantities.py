"""Quantities of rows (seconds, memory), and numbers that sum them up (medians, ranges, exponents)."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import TypeAlias

import numpy as np

from s2auc.experiments.harness.store import Row

Points: TypeAlias = list[tuple[float, float]]


def seconds_of(row: Row) -> float:
    """Return the seconds of a fit; of the processor where there is one thread: a busy machine does not change them."""
    return float(row["processor_seconds"] if row["threads"] == 1 else row["fit_seconds"])


def all_seconds_of(row: Row) -> float:
    """Return the seconds of a fit and of all before it: reading the data, drawing rows, scaling columns."""
    return float(row["load_seconds"]) + seconds_of(row)


def memory_of(row: Row) -> float:
    """Return the bytes that a fit took beside its rows, one at least: exponents need a logarithm."""
    return max(1.0, float(row["fit_memory_bytes"]))


def median_of(values: Sequence[float]) -> float:
    """Return the median, NaN of none."""
    return float(np.median(values)) if values else float("nan")


def range_of(values: Iterable[float]) -> str:
    """Return lowest and highest number in words; NaN do not count.

    Examples
    --------
    >>> range_of([2.5, 3.0, float("nan")]), range_of([1.0])
    ('2.50 to 3.00', '1.00')
    """
    numbers = [value for value in values if not np.isnan(value)]
    if not numbers:
        return "–"
    low, high = (f"{edge(numbers):.2f}" for edge in (min, max))
    return low if low == high else f"{low} to {high}"


def uses_unlabeled(row: Row) -> bool:
    """Return whether the setting of a fit gives unlabelled rows any weight.

    Examples
    --------
    >>> uses_unlabeled({"parameters": {"labeled_weight": 1.0}}), uses_unlabeled({"parameters": {"eta": -0.1}})
    (False, True)
    """
    return bool(row["parameters"].get("labeled_weight") != 1.0 and row["parameters"].get("eta") != 0.0)


def exponent(points: Sequence[tuple[float, float]]) -> float:
    """Return the slope of log(y) against log(x) by least squares, NaN of fewer than two points.

    Examples
    --------
    >>> round(exponent([(1, 2), (10, 200), (100, 20000)]), 6)
    2.0
    """
    if len(points) < 2:
        return float("nan")
    x, y = np.log(np.array(points, dtype=np.float64)).T
    return float(np.polyfit(x, y, 1)[0])


def medians(points: Iterable[tuple[float, float]]) -> Points:
    """Return the median of y for every x, by x."""
    by_x: dict[float, list[float]] = defaultdict(list)
    for x, y in points:
        by_x[x].append(y)
    return [(x, float(np.median(by_x[x]))) for x in sorted(by_x)]
