"""Quantities of rows (seconds, memory), and numbers that sum them up (medians, ranges, exponents)."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from s2auc.experiments.harness.store import Row
from s2auc.experiments.results.comparison import with_error
from s2auc.experiments.results.summary import standard_error

Points: TypeAlias = list[tuple[float, float]]


def seconds_of(row: Row) -> float:
    """Return the seconds of a fit, the shortest of its runs; of the processor where there is one thread.

    A busy machine changes these too, less than it changes the clock's: caches and memory are shared.
    """
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
    PNU-AUC with all rows as centres has the whole matrix to solve even where its trade-off leaves them out of the risk.

    >>> uses_unlabeled({"parameters": {"labeled_weight": 1.0}}), uses_unlabeled({"parameters": {"eta": 0.0}})
    (False, True)
    """
    return bool(row["parameters"].get("labeled_weight") != 1.0)


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


APART = 1.4
"""Sizes that a local exponent is taken from differ by this factor at least: otherwise noise decides it."""


def last_exponent(points: Points) -> float:
    """Return the local exponent at the largest size: the slope from the next smaller one, between their logarithms.

    A fixed cost, which hides growth where sizes are small, weighs least there. NaN where there are no two such sizes.

    Examples
    --------
    >>> round(last_exponent([(1, 1000.01), (10, 1001), (1000, 11000), (1900, 37100), (2000, 41000)]), 2)
    1.9
    """
    ordered = sorted(points)
    earlier = [point for point in ordered if ordered[-1][0] >= APART * point[0]]
    return exponent([earlier[-1], ordered[-1]]) if earlier else float("nan")


@dataclass(frozen=True)
class Difference:
    """A mean difference over paired trials, with its standard error (NaN of a single trial).

    Trials are paired: methods have the same rows, and so differ by less than trials do.
    """

    mean: float
    error: float
    n_trials: int

    @classmethod
    def of(cls, values: Sequence[float]) -> "Difference":
        """Return the mean of differences, NaN of none."""
        mean = float(np.mean(values)) if len(values) else float("nan")
        return cls(mean, standard_error(values), len(values))

    @property
    def sign(self) -> int:
        """1 or -1 where the mean is more than two standard errors from zero, 0 where it is not distinguishable from it.

        Examples
        --------
        >>> [Difference(mean, 0.01, 10).sign for mean in (0.03, 0.01, -0.03)]
        [1, 0, -1]
        """
        return int(np.sign(self.mean)) if abs(self.mean) > 2.0 * self.error else 0

    def __str__(self) -> str:
        return with_error(self.mean, self.error, "+.4f")


def medians(points: Iterable[tuple[float, float]]) -> Points:
    """Return the median of y for every x, by x."""
    by_x: dict[float, list[float]] = defaultdict(list)
    for x, y in points:
        by_x[x].append(y)
    return [(x, float(np.median(by_x[x]))) for x in sorted(by_x)]
