"""Rules that say which rows to label next, from a fitted model and a table alone."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit
from scipy.stats import rankdata
from sklearn.cluster import KMeans

from s2auc.models.model import Model

Array = NDArray[np.float64]
Rows = NDArray[np.intp]

MAX_DISPUTED = 10
"""Rules that spread rows out take them from so many times as many as are wanted."""


@dataclass(frozen=True, eq=False)
class Pool:
    """Rows to choose from, as a model sees them.

    Attributes
    ----------
    model
        The model.
    X
        The rows.
    labeled
        Rows that have labels already.
    random
        What rules that draw take their numbers from.
    """

    model: Model
    X: Array
    labeled: Array
    random: np.random.Generator

    @cached_property
    def part_scores(self) -> Array:
        """What each part says of each row, (parts, rows)."""
        return np.stack([part.score(self.X) for part in self.model.parts])

    @cached_property
    def scores(self) -> Array:
        """The decision function."""
        return self.part_scores.sum(axis=0) - self.model.offset

    @cached_property
    def probabilities(self) -> Array:
        """Of being positive; of standardised scores where the model has none."""
        if self.model.probabilities is not None:
            return self.model.probabilities_of(self.scores)[:, 1]
        return expit(standardized(self.scores[:, None])[:, 0])

    @cached_property
    def disagreement(self) -> Array:
        """How far standardised scores of parts lie apart; a part counts by how far it spreads scores."""
        return _weighted_spread(standardized(self.part_scores.T).T, self.part_scores.std(axis=1))

    @cached_property
    def rank_disagreement(self) -> Array:
        """The same of the places of a row in the orders that parts put rows in."""
        return _weighted_spread(rankdata(self.part_scores, axis=1), self.part_scores.std(axis=1))

    def first(self, measure: Array, n: int) -> Rows:
        """Return the rows of the highest measure."""
        return np.argsort(-measure, kind="stable")[:n]

    def drawn(self, weight: Array, n: int) -> Rows:
        """Return rows drawn without repetition, each with a chance that goes with its weight."""
        # The highest keys of the exponential race.
        return self.first(np.log(np.maximum(weight, 1e-300)) + self.random.gumbel(size=len(weight)), n)

    def spread(self, candidates: Rows, places: Array, n: int) -> Rows:
        """Return candidates that lie far from one another: the first, then always the farthest from those taken."""
        chosen = [0]
        distance = np.square(places - places[0]).sum(axis=1)
        while len(chosen) < min(n, len(candidates)):
            chosen.append(int(distance.argmax()))
            distance = np.minimum(distance, np.square(places - places[chosen[-1]]).sum(axis=1))
            distance[chosen] = -1.0
        return candidates[chosen]


def standardized(columns: Array) -> Array:
    """Return columns less their mean, over their deviation."""
    deviation = columns.std(axis=0)
    return np.asarray((columns - columns.mean(axis=0)) / np.where(deviation > 0, deviation, 1.0))


def _weighted_spread(values: Array, weights: Array) -> Array:
    share = weights / weights.sum()
    return np.sqrt(np.maximum(share @ np.square(values) - np.square(share @ values), 0.0))


def _random(pool: Pool, n: int) -> Rows:
    return pool.random.permutation(len(pool.X))[:n]


def _half(pool: Pool, n: int) -> Rows:
    top = pool.first(pool.scores, n // 2)
    rest = pool.disagreement.copy()
    rest[top] = -1.0
    return np.concatenate([top, pool.first(rest, n - len(top))])


def _strata(pool: Pool, n: int) -> Rows:
    return np.array([pool.random.choice(stratum) for stratum in np.array_split(np.argsort(pool.scores), n)])


def _even_scores(pool: Pool, n: int) -> Rows:
    low, high = np.quantile(pool.scores, [0.005, 0.995])
    left, chosen = pool.scores.copy(), []
    for wanted in np.linspace(low, high, n):
        chosen.append(int(np.abs(left - wanted).argmin()))
        left[chosen[-1]] = np.inf
    return np.array(chosen)


def _disputed_spread(pool: Pool, n: int) -> Rows:
    candidates = pool.first(pool.disagreement, MAX_DISPUTED * n)
    return pool.spread(candidates, pool.part_scores.T[candidates], n)


def _uncertain_spread(pool: Pool, n: int) -> Rows:
    candidates = pool.first(-np.abs(pool.scores), MAX_DISPUTED * n)
    return pool.spread(candidates, standardized(pool.X)[candidates], n)


def _clusters(pool: Pool, n: int) -> Rows:
    return _nearest(pool, standardized(pool.X), n)


def _weighted_clusters(pool: Pool, n: int) -> Rows:
    return _nearest(pool, standardized(pool.X), n, np.square(pool.disagreement))


def _score_clusters(pool: Pool, n: int) -> Rows:
    return _nearest(pool, pool.part_scores.T, n)


def _nearest(pool: Pool, places: Array, n: int, weight: Array | None = None) -> Rows:
    """Return the row nearest to the centre of each of n clusters."""
    seed = int(pool.random.integers(2**31))
    distances = KMeans(n, n_init=1, random_state=seed).fit(places, sample_weight=weight).transform(places)
    return np.unique(distances.argmin(axis=0))


def _new_clusters(pool: Pool, n: int) -> Rows:
    """Return the rows at the centres of the largest clusters without a labelled row."""
    places = standardized(np.concatenate([pool.X, pool.labeled]))
    seed = int(pool.random.integers(2**31))
    found = KMeans(n + len(pool.labeled), n_init=1, random_state=seed).fit(places)
    clusters, is_pool = found.labels_, np.arange(len(places)) < len(pool.X)
    size = np.bincount(clusters, minlength=found.n_clusters)
    size[clusters[~is_pool]] = 0
    distances = found.transform(places[: len(pool.X)])
    return np.unique(distances[:, np.argsort(-size, kind="stable")[:n]].argmin(axis=0))


RULES: dict[str, Callable[[Pool, int], Rows]] = {
    "random": _random,
    "random again": _random,
    "uncertain": lambda pool, n: pool.first(-np.abs(pool.scores), n),
    "disputed": lambda pool, n: pool.first(pool.disagreement, n),
    "disputed places": lambda pool, n: pool.first(pool.rank_disagreement, n),
    "disputed, drawn": lambda pool, n: pool.drawn(np.square(pool.disagreement), n),
    "disputed, spread": _disputed_spread,
    "uncertain, drawn": lambda pool, n: pool.drawn(np.sqrt(pool.probabilities * (1.0 - pool.probabilities)), n),
    "uncertain, spread": _uncertain_spread,
    "top": lambda pool, n: pool.first(pool.scores, n),
    "half top, half disputed": _half,
    "strata of scores": _strata,
    "even scores": _even_scores,
    "clusters": _clusters,
    "clusters of disputed rows": _weighted_clusters,
    "clusters of parts' scores": _score_clusters,
    "clusters without labels": _new_clusters,
}
"""How each rule chooses n rows of a pool; random ones are drawn twice; their mean is what others are compared with."""
