"""Weights that make labelled rows stand for the pool, from where their held-out scores lie among those of the pool.

Labels are often chosen by score: the rows at the top are checked first. An AUC over such labels is biased, mostly
upwards. Given the score, however, whether a row is labelled says nothing about its class. So the pool is cut into
strata by quantiles of the score, and every labelled row counts (share of the pool in its stratum) / (share of the
labelled rows in it), as in surveys (post-stratification).
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import chdtrc

from s2auc.common.arrays import BoolArray, FloatArray, IndexArray

EDGES = np.array([0.0, 0.2, 0.5, 0.8, 0.9, 0.95, 0.98, 1.0])
"""Quantiles of the pool between the strata: narrow at the top, where rows are chosen most."""

MIN_LABELED = 5
"""Strata with fewer labelled rows are merged with a neighbour, which bounds the weights."""

MAX_EMPTY_SHARE = 0.5
"""Where strata without any labelled row hold this much of the pool or more, weights cannot stand for it."""

MAX_RATE_RATIO = 4.0
"""Labelling one class this much more often than the other, at random within each, counts as a choice by class."""

CLASS_RATES = np.linspace(0.005, 0.995, 199)
"""Shares of positive rows in the pool that are tried."""


@dataclass(frozen=True, eq=False)
class PoolStrata:
    """Labelled rows by the quantile of their score in the pool.

    Attributes
    ----------
    stratum
        The stratum of each labelled row, from the lowest scores to the highest.
    is_positive
        Which labelled rows are positive.
    pool_share
        The share of all rows, labelled or not, in each stratum.
    n_reference
        Number of unlabelled rows that the quantiles come from.

    Examples
    --------
    >>> quantile = np.array([0.1, 0.3, 0.4, 0.6, 0.7, 0.99, 0.99, 0.99])
    >>> strata = PoolStrata.of_quantiles(quantile, np.arange(8) > 4, n_unlabeled=10_000, n_reference=200)
    >>> strata.counts.tolist(), strata.pool_share.round(2).tolist()
    ([1, 2, 2, 0, 0, 0, 3], [0.2, 0.3, 0.3, 0.1, 0.05, 0.03, 0.02])
    """

    stratum: IndexArray
    is_positive: BoolArray
    pool_share: FloatArray
    n_reference: int

    @classmethod
    def of_quantiles(
        cls, quantile: FloatArray, is_positive: BoolArray, n_unlabeled: int, n_reference: int
    ) -> "PoolStrata":
        """Return the strata of labelled rows.

        Parameters
        ----------
        quantile
            The share of unlabelled rows that score below each labelled row.
        is_positive
            Which labelled rows are positive.
        n_unlabeled
            Number of unlabelled rows.
        n_reference
            Number of them that the quantiles come from.
        """
        stratum = np.clip(np.searchsorted(EDGES, quantile, "right") - 1, 0, len(EDGES) - 2)
        counts = np.bincount(stratum, minlength=len(EDGES) - 1)
        # Rows that were labelled left the unlabelled ones: the pool is both.
        pool_share = (n_unlabeled * np.diff(EDGES) + counts) / (n_unlabeled + len(quantile))
        return cls(stratum, is_positive, pool_share, n_reference)

    @property
    def counts(self) -> IndexArray:
        """Number of labelled rows in each stratum."""
        return np.bincount(self.stratum, minlength=len(self.pool_share))

    @property
    def top_share(self) -> float:
        """The share of the labelled rows in the highest stratum."""
        return float(np.mean(self.stratum == len(self.pool_share) - 1))

    def random_p_value(self) -> float:
        """Return how likely counts this uneven are if the labelled rows are a random sample of the pool.

        Pearson's chi-squared, divided by 1 + (labelled rows) / (reference rows), as the quantiles are estimates, too.
        """
        n_labeled = len(self.stratum)
        expected = n_labeled * self.pool_share
        statistic = float(np.sum(np.square(self.counts - expected) / expected))
        return float(chdtrc(len(expected) - 1, statistic / (1.0 + n_labeled / self.n_reference)))

    def class_rates_p_value(self) -> float:
        """Return how likely the counts are if rows of each class were drawn at random, the classes at their own rates.

        The pool is then a mixture π·(positive) + (1 - π)·(negative) of the labelled classes. The π that fits best is
        taken, among those with which one class was labelled at most `MAX_RATE_RATIO` times as often as the other.
        """
        positive, negative = (
            np.bincount(self.stratum[side], minlength=len(self.pool_share))
            for side in (self.is_positive, ~self.is_positive)
        )
        n_positive, n_negative = positive.sum(), negative.sum()
        ratio = (n_positive / n_negative) / (CLASS_RATES / (1.0 - CLASS_RATES))
        prior = CLASS_RATES[(ratio <= MAX_RATE_RATIO) & (ratio >= 1.0 / MAX_RATE_RATIO)][:, None]
        gap = self.pool_share - prior * positive / n_positive - (1.0 - prior) * negative / n_negative
        # Shares are drawn towards the pool's: of no row in a stratum, none at all would seem certain.
        of_positive, of_negative = (
            (counts + 2.0 * self.pool_share) / (counts.sum() + 2.0) / counts.sum() for counts in (positive, negative)
        )
        variance = prior**2 * of_positive + (1.0 - prior) ** 2 * of_negative + self.pool_share / self.n_reference
        statistic = np.sum(np.square(gap) / variance, axis=1)
        return float(chdtrc(len(self.pool_share) - 2, statistic.min())) if len(statistic) else 0.0

    def weights(self) -> FloatArray | None:
        """Return how much each labelled row counts, 1 on average; None where they cannot stand for the pool.

        Examples
        --------
        >>> quantile = np.repeat([0.1, 0.3, 0.6, 0.99], [10, 15, 15, 40])
        >>> strata = PoolStrata.of_quantiles(quantile, np.arange(80) % 2 > 0, n_unlabeled=10_000, n_reference=200)
        >>> strata.weights()[[0, 10, 25, 40]].round(2).tolist()
        [1.6, 1.6, 2.55, 0.05]
        """
        counts = self.counts
        if self.pool_share[counts == 0].sum() >= MAX_EMPTY_SHARE:
            return None
        merged = merge_small(counts)
        of_pool, of_labeled = (np.bincount(merged, values) for values in (self.pool_share, counts / counts.sum()))
        weight: FloatArray = (of_pool / of_labeled)[merged[self.stratum]]
        weight /= weight.mean()
        return weight


def merge_small(counts: IndexArray, minimum: int = MIN_LABELED) -> IndexArray:
    """Return the number of the merged stratum of each stratum, so that each has a minimum of rows, if all have so many.

    The stratum with the fewest rows goes to the neighbour with fewer rows, until none is too small.

    Examples
    --------
    >>> merge_small(np.array([9, 2, 8, 0, 1, 6])).tolist()
    [0, 1, 1, 2, 2, 2]
    """
    groups = [[place] for place in range(len(counts))]
    while len(groups) > 1:
        sizes = [int(counts[group].sum()) for group in groups]
        smallest = int(np.argmin(sizes))
        if sizes[smallest] >= minimum:
            break
        neighbors = [place for place in (smallest - 1, smallest + 1) if 0 <= place < len(groups)]
        other = min(neighbors, key=lambda place: sizes[place])
        first = min(smallest, other)
        groups[first : first + 2] = [groups[first] + groups[first + 1]]
    return np.repeat(np.arange(len(groups)), [len(group) for group in groups])
