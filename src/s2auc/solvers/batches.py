"""Which rows each iteration uses. It does not depend on the model, so it is known before training starts.

Row numbers come from the counter-based generator of `s2auc.common.randomness`, a stream for every group: the rows of
iteration t are a function of (seed, group, t), whatever came before.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from s2auc.common.arrays import FloatArray, IndexArray
from s2auc.common.groups import NEGATIVE, POSITIVE, PositiveFirst
from s2auc.common.randomness import draw_rows, draw_weighted_rows, group_stream
from s2auc.ranking.pairs import PAIRINGS

LABELED_LIMIT = 2000
"""Where all pairs meet, a step uses every labelled row up to this many, and draws this many beyond."""


@dataclass(frozen=True)
class Draw:
    """How a group takes part in steps.

    Attributes
    ----------
    n_rows
        How many rows the group has.
    size
        How many of them a step draws.
    whole
        Whether a group that is not larger than that takes part whole, in every step.
    weight
        How much each row counts: the more, the more often it is drawn. None where all count alike.
    """

    n_rows: int
    size: int
    whole: bool
    weight: FloatArray | None = None

    @property
    def is_whole(self) -> bool:
        """Whether every row takes part in every step."""
        return self.whole and self.n_rows <= self.size

    @property
    def step_weight(self) -> FloatArray:
        """How much each row counts in a step that it takes part in: drawn rows count by how often they are drawn."""
        return self.weight if self.is_whole and self.weight is not None else np.ones(self.n_rows)

    def rows_of_steps(self, seed: int, stream: int, first: int, last: int) -> IndexArray:
        """Return the rows that iterations [first, last) use, (iterations, rows a step)."""
        if self.is_whole:
            return np.broadcast_to(np.arange(self.n_rows), (last - first, self.n_rows))
        if self.weight is None:
            return draw_rows(seed, stream, self.n_rows, self.size, first, last)
        return draw_weighted_rows(seed, stream, self.weight, self.size, first, last)


def plan_draws(
    sizes: Mapping[str, int], *, pairing: str, batch_size: int, weights: Mapping[str, FloatArray | None] | None = None
) -> dict[str, Draw]:
    """Return how each group that has rows takes part.

    With pairing "triplet" every group gives `batch_size` rows drawn at random. With pairing "all" labelled rows take
    part in every step, up to `LABELED_LIMIT` of them, other groups are drawn from, and a group that is not larger than
    its share takes part whole.

    Parameters
    ----------
    sizes
        How many rows each group has.
    pairing, batch_size
        How the groups of a step meet, and how many rows are drawn.
    weights
        By group, how much each row counts; groups that are left out, or None, have rows that count alike.

    Examples
    --------
    >>> draws = plan_draws({"positive": 2, "negative": 3, "unlabeled": 1000}, pairing="all", batch_size=4)
    >>> [draw.is_whole for draw in draws.values()]
    [True, True, False]
    """
    shares = dict.fromkeys(sizes, batch_size)
    meets_all = PAIRINGS[pairing].meets_all
    if meets_all:
        shares |= _labeled_shares(sizes.get(POSITIVE, 0), sizes.get(NEGATIVE, 0))
    known = weights or {}
    return {
        group: Draw(n_rows, shares[group], meets_all, known.get(group)) for group, n_rows in sizes.items() if n_rows
    }


def rows_of_steps(draws: Mapping[str, Draw], *, seed: int, first: int, last: int) -> dict[str, IndexArray]:
    """Return the rows that iterations [first, last) use: one array (iterations, rows a step) for each group.

    Examples
    --------
    >>> draws = {"positive": Draw(2, 5, whole=True), "unlabeled": Draw(1000, 4, whole=True)}
    >>> rows = rows_of_steps(draws, seed=0, first=0, last=5)
    >>> rows["positive"][4].tolist(), rows["unlabeled"].shape
    ([0, 1], (5, 4))
    """
    return {group: draw.rows_of_steps(seed, group_stream(group), first, last) for group, draw in draws.items()}


def followed_rows(order: PositiveFirst) -> IndexArray:
    """Return the labelled rows whose scores are followed: all of them, or evenly spaced ones where they are very many.

    A rare class keeps all its rows: an AUC is as uncertain as its smaller class.

    Examples
    --------
    >>> followed_rows(PositiveFirst(2, 1)).tolist()
    [0, 1, 2]
    """
    shares = _labeled_shares(order.n_positive, order.n_negative)
    parts = [_spaced(rows, shares[group]) for group, rows in order.slices.items()]
    return np.concatenate([np.zeros(0, dtype=np.intp), *parts])


def _spaced(rows: slice, most: int) -> IndexArray:
    """Return all rows of a slice, or so many evenly spaced ones."""
    n_rows = rows.stop - rows.start
    spaced: IndexArray = rows.start + np.linspace(0, n_rows - 1, min(most, n_rows)).round().astype(np.intp)
    return spaced


def _labeled_shares(n_positive: int, n_negative: int) -> dict[str, int]:
    """Split the limit between the classes: half each, and what the smaller one leaves goes to the larger."""
    half = LABELED_LIMIT // 2
    return {POSITIVE: max(half, LABELED_LIMIT - n_negative), NEGATIVE: max(half, LABELED_LIMIT - n_positive)}
