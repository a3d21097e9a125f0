"""Weights that make labelled rows stand for the pool, and tests of random samples, stratum by stratum."""

import numpy as np
from scipy.stats import chi2

EDGES = [0.0, 0.2, 0.5, 0.8, 0.9, 0.95, 0.98, 1.0]


def stratum_of(quantile):
    return max(place for place, edge in enumerate(EDGES[:-1]) if quantile >= edge)


def pool_shares(strata, n_unlabeled):
    n_labeled = len(strata)
    return [
        (n_unlabeled * (EDGES[place + 1] - EDGES[place]) + strata.count(place)) / (n_unlabeled + n_labeled)
        for place in range(len(EDGES) - 1)
    ]


def pool_weights(quantiles, n_unlabeled, merged):
    """The share of the pool over the share of the labelled rows in each row's merged stratum, 1 on average."""
    strata = [stratum_of(quantile) for quantile in quantiles]
    shares = pool_shares(strata, n_unlabeled)
    weights = []
    for stratum in strata:
        together = [place for place in range(len(shares)) if merged[place] == merged[stratum]]
        n_labeled = sum(strata.count(place) for place in together)
        weights.append(sum(shares[place] for place in together) / (n_labeled / len(strata)))
    return np.array(weights) / np.mean(weights)


def random_p_value(quantiles, n_unlabeled, n_reference):
    strata = [stratum_of(quantile) for quantile in quantiles]
    statistic = 0.0
    for place, share in enumerate(pool_shares(strata, n_unlabeled)):
        expected = share * len(strata)
        statistic += (strata.count(place) - expected) ** 2 / expected
    return chi2.sf(statistic / (1 + len(strata) / n_reference), len(EDGES) - 2)


def class_rates_p_value(quantiles, is_positive, n_unlabeled, n_reference, largest_ratio=4.0):
    strata = [stratum_of(quantile) for quantile in quantiles]
    shares = pool_shares(strata, n_unlabeled)
    sides = [
        [stratum for stratum, is_one in zip(strata, is_positive, strict=True) if is_one == side] for side in (1, 0)
    ]
    best = 0.0
    for prior in np.linspace(0.005, 0.995, 199):
        ratio = (len(sides[0]) / len(sides[1])) / (prior / (1 - prior))
        if not 1 / largest_ratio <= ratio <= largest_ratio:
            continue
        statistic = 0.0
        for place, share in enumerate(shares):
            gap, variance = share, share / n_reference
            for side, part in zip(sides, (prior, 1 - prior), strict=True):
                count = side.count(place)
                gap -= part * count / len(side)
                variance += part**2 * (count + 2 * share) / (len(side) + 2) / len(side)
            statistic += gap**2 / variance
        best = max(best, chi2.sf(statistic, len(EDGES) - 3))
    return best
