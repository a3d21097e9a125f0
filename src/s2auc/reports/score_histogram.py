"""How many scores lie where, counted as they come, in memory that does not grow with them."""

from collections import Counter
from collections.abc import Iterable
from math import frexp

import numpy as np

from s2auc.common.arrays import FloatArray, IndexArray

MOST_BINS = 4096
"""Bins that are kept: their width doubles until they reach from the lowest to the highest score."""

FINEST = -200
"""The width of the finest bins, as a power of two."""


class ScoreHistogram:
    """Counts of scores in bins whose width is a power of two, which doubles as need be.

    Examples
    --------
    >>> histogram = ScoreHistogram()
    >>> for scores in ([0.1, 0.2, 0.9], [0.95, 3.0]):
    ...     histogram.add(np.array(scores))
    >>> histogram.n_scores, histogram.counts(np.array([0.0, 0.5, 1.0, 1.5])).tolist()
    (5, [2, 2, 1])
    """

    def __init__(self) -> None:
        self.n_scores = 0
        self._low, self._high = np.inf, -np.inf
        self._exponent = 0
        self._counts: Counter[int] = Counter()

    def add(self, scores: FloatArray) -> None:
        """Count some more scores."""
        if not len(scores):
            return
        self.n_scores += len(scores)
        self._low, self._high = min(self._low, float(scores.min())), max(self._high, float(scores.max()))
        if not self._counts:
            # As fine as floats of this size are told apart; numbers of bins stay exact.
            self._exponent = max(frexp(max(abs(self._low), abs(self._high)))[1] - 50, FINEST)
        while self._high * 2.0**-self._exponent - self._low * 2.0**-self._exponent >= MOST_BINS:
            self._widen()
        bins, counts = np.unique(np.floor(scores * 2.0**-self._exponent), return_counts=True)
        for number, count in zip(bins.tolist(), counts.tolist(), strict=True):
            self._counts[int(number)] += count

    def counts(self, edges: FloatArray) -> IndexArray:
        """Return how many scores lie between edges that rise; what is beyond the outermost counts as within them."""
        middles, counts = self._bins()
        places = np.clip(np.searchsorted(edges, middles, side="right") - 1, 0, len(edges) - 2)
        return np.bincount(places, weights=counts, minlength=len(edges) - 1).astype(np.intp)

    def quantile(self, share: float) -> float:
        """Return the score that a share of all lies below, to the width of a bin."""
        middles, counts = self._bins()
        place = int(np.searchsorted(np.cumsum(counts), share * self.n_scores))
        return float(middles[min(place, len(middles) - 1)])

    def share_above(self, score: float) -> float:
        """Return the share of scores above one, to the width of a bin."""
        middles, counts = self._bins()
        return float(counts[middles > score].sum() / max(1, self.n_scores))

    def _bins(self) -> tuple[FloatArray, FloatArray]:
        numbers = np.array(sorted(self._counts), dtype=np.float64)
        counts = np.array([self._counts[int(number)] for number in numbers], dtype=np.float64)
        return (numbers + 0.5) * 2.0**self._exponent, counts

    def _widen(self) -> None:
        self._exponent += 1
        wider: Counter[int] = Counter()
        for number, count in self._counts.items():
            wider[number // 2] += count
        self._counts = wider


def shared_edges(histograms: Iterable[ScoreHistogram], n_bins: int) -> FloatArray:
    """Return edges of bins for several histograms: where nearly all scores lie, a share of 0.002 of each left aside."""
    some = [histogram for histogram in histograms if histogram.n_scores]
    low = min((histogram.quantile(0.001) for histogram in some), default=0.0)
    high = max((histogram.quantile(0.999) for histogram in some), default=0.0)
    spare = 0.02 * (high - low) or max(abs(low), 1.0) * 1e-3
    return np.linspace(low - spare, high + spare, n_bins + 1)
