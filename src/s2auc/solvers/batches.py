"""Which rows each iteration uses. It does not depend on the model, so it is known before training starts.

Row numbers come from the counter-based generator of `s2auc.common.randomness`, on streams of their own: the rows of
iteration t are a function of (seed, group, t), whatever came before.
"""

from collections.abc import Mapping

import numpy as np

from s2auc.common.arrays import IndexArray
from s2auc.common.groups import NEGATIVE, POSITIVE
from s2auc.common.randomness import GROUP_STREAMS, draw_rows
from s2auc.ranking.risk import PAIRINGS

LABELED_LIMIT = 2000
"""With pairing "all" a step uses every labelled row up to this many, and draws this many beyond."""


def rows_of_steps(
    sizes: Mapping[str, int], *, pairing: str, batch_size: int, seed: int, first: int, last: int
) -> dict[str, IndexArray]:
    """Return the rows that iterations [first, last) use: one array (iterations, rows a step) for each group.

    With pairing "triplet" every group gives `batch_size` rows drawn at random. With pairing "all" the unlabelled rows
    are drawn likewise, while labelled ones take part in every step, up to `LABELED_LIMIT` of them; a group that is not
    larger than its share takes part whole. Groups without rows are left out.

    Examples
    --------
    >>> sizes = {"positive": 2, "negative": 3, "unlabeled": 1000}
    >>> rows = rows_of_steps(sizes, pairing="all", batch_size=4, seed=0, first=0, last=5)
    >>> {group: (index.shape, index[0].tolist() if group != "unlabeled" else ...) for group, index in rows.items()}
    {'positive': ((5, 2), [0, 1]), 'negative': ((5, 3), [0, 1, 2]), 'unlabeled': ((5, 4), Ellipsis)}
    """
    shares = dict.fromkeys(sizes, batch_size)
    meets_all = not PAIRINGS[pairing].matches_rows
    if meets_all:
        shares |= _labeled_shares(sizes.get(POSITIVE, 0), sizes.get(NEGATIVE, 0))
    steps = {}
    for group, n_rows in sizes.items():
        if n_rows and meets_all and n_rows <= shares[group]:
            steps[group] = np.broadcast_to(np.arange(n_rows), (last - first, n_rows))
        elif n_rows:
            steps[group] = draw_rows(seed, GROUP_STREAMS[group], n_rows, shares[group], first, last)
    return steps


def followed_rows(n_labeled: int) -> IndexArray:
    """Return the labelled rows whose scores are followed: all of them, or evenly spaced ones where they are very many.

    Examples
    --------
    >>> followed_rows(3).tolist()
    [0, 1, 2]
    """
    if n_labeled <= LABELED_LIMIT:
        return np.arange(n_labeled)
    return np.unique(np.linspace(0, n_labeled - 1, LABELED_LIMIT).astype(np.intp))


def _labeled_shares(n_positive: int, n_negative: int) -> dict[str, int]:
    """Split the limit between the classes: half each, and what the smaller one leaves goes to the larger."""
    half = LABELED_LIMIT // 2
    return {
        POSITIVE: max(half, LABELED_LIMIT - n_negative),
        NEGATIVE: max(half, LABELED_LIMIT - n_positive),
    }
