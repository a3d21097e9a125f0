"""One pass of a model over a table: where scores lie, which are highest, and some rows to look at more closely."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import frexp
from time import perf_counter

import numpy as np

from s2auc.common.arrays import AnyArray, FloatArray, IndexArray
from s2auc.common.progress import Progress, tell_progress
from s2auc.data.labels.labels import Labels
from s2auc.data.sources.rows import Rows, stack_rows
from s2auc.data.sources.source import RowSource
from s2auc.models.model import Model
from s2auc.models.scoring_chunks import map_scores
from s2auc.scoring.column_drift import FittedColumns, Tally
from s2auc.scoring.top_scores import Ranked, TopScores

GROUPS = "positive", "negative", "unlabeled"

MAX_BINS = 4096
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
        self._numbers: FloatArray = np.zeros(0)
        self._counts: AnyArray = np.zeros(0)

    def add(self, scores: FloatArray) -> None:
        """Count some more scores."""
        if not len(scores):
            return
        self.n_scores += len(scores)
        self._low, self._high = min(self._low, float(scores.min())), max(self._high, float(scores.max()))
        if not len(self._counts):
            # As fine as floats of this size are told apart; numbers of bins stay exact.
            self._exponent = max(frexp(max(abs(self._low), abs(self._high)))[1] - 50, FINEST)
        while self._high * 2.0**-self._exponent - self._low * 2.0**-self._exponent >= MAX_BINS:
            self._exponent += 1
            self._numbers = np.floor(self._numbers / 2)
        numbers = np.concatenate([self._numbers, np.floor(scores * 2.0**-self._exponent)])
        self._numbers, places = np.unique(numbers, return_inverse=True)
        self._counts = np.bincount(places, weights=np.append(self._counts, np.ones(len(scores))))

    def counts(self, edges: FloatArray) -> IndexArray:
        """Return how many scores lie between edges that rise; what is beyond the outermost counts as within them."""
        places = np.clip(np.searchsorted(edges, self._middles, side="right") - 1, 0, len(edges) - 2)
        return np.bincount(places, weights=self._counts, minlength=len(edges) - 1).astype(np.intp)

    def quantile(self, share: float) -> float:
        """Return the score that a share of all lies below, to the width of a bin."""
        place = int(np.searchsorted(np.cumsum(self._counts), share * self.n_scores))
        return float(self._middles[min(place, len(self._counts) - 1)])

    def share_above(self, score: float) -> float:
        """Return the share of scores above one, to the width of a bin."""
        return float(self._counts[self._middles > score].sum() / max(1, self.n_scores))

    @property
    def _middles(self) -> FloatArray:
        return (self._numbers + 0.5) * 2.0**self._exponent


def shared_edges(histograms: Iterable[ScoreHistogram], n_bins: int) -> FloatArray:
    """Return edges of bins for several histograms: where nearly all scores lie, a share of 0.002 of each left aside."""
    some = [histogram for histogram in histograms if histogram.n_scores]
    low = min((histogram.quantile(0.001) for histogram in some), default=0.0)
    high = max((histogram.quantile(0.999) for histogram in some), default=0.0)
    spare = 0.02 * (high - low) or max(abs(low), 1.0) * 1e-3
    return np.linspace(low - spare, high + spare, n_bins + 1)


@dataclass(frozen=True, eq=False)
class TableFindings:
    """What one pass over a table found.

    Attributes
    ----------
    histograms
        Where the scores of each group of `GROUPS` lie.
    scores
        Those of the labelled rows, positive ones first.
    top
        The highest scores, and the numbers of their rows.
    drift
        A sentence about columns that lie far from where they lay in the fit; None if none do.
    picked
        Rows that were asked for, by what they are for, in the order of their numbers.
    """

    histograms: dict[str, ScoreHistogram]
    scores: FloatArray
    top: Ranked
    drift: str | None
    picked: dict[str, Rows]


def pass_over(
    model: Model, source: RowSource, labels: Labels, *, most_top: int, wanted: dict[str, IndexArray]
) -> TableFindings:
    """Return what one pass over all rows finds, in memory that goes with labelled rows and those asked for.

    Parameters
    ----------
    model, source, labels
        What scores, the rows, and what is known of them.
    most_top
        How many of the highest scores to keep.
    wanted
        Numbers of rows to pick out, rising, by what they are for.
    """
    histograms = {group: ScoreHistogram() for group in GROUPS}
    fitted = FittedColumns.from_model(model)
    numbers = {"positive": labels.positive, "negative": labels.negative}
    known = {group: np.empty(len(rows)) for group, rows in numbers.items()}
    pieces: dict[str, list[Rows]] = {use: [] for use in wanted}
    best, tally, first = TopScores(most_top), None, 0

    def score(rows: Rows) -> tuple[Rows, FloatArray, Tally | None]:
        return rows, model.score_rows(rows), None if fitted is None else fitted.tally(rows)

    started = perf_counter()
    for rows, scores, counted in map_scores(score, source):
        last = first + len(scores)
        left = (perf_counter() - started) * (source.n_rows / max(1, last) - 1.0)
        tell_progress(Progress("scoring", n_done=last, n_all=source.n_rows, seconds_left=left))
        is_labeled = np.zeros(len(scores), dtype=bool)
        for group, places in numbers.items():
            part = slice(*np.searchsorted(places, [first, last]))
            here = places[part] - first
            known[group][part] = scores[here]
            histograms[group].add(scores[here])
            is_labeled[here] = True
        histograms["unlabeled"].add(scores[~is_labeled])
        best.add(scores)
        if counted is not None:
            tally = counted if tally is None else tally + counted
        for use, places in wanted.items():
            low, high = np.searchsorted(places, [first, last])
            if high > low:
                pieces[use].append(rows[places[low:high] - first])
        first = last
    return TableFindings(
        histograms,
        np.concatenate([known["positive"], known["negative"]]),
        best.ranked(),
        None if fitted is None or tally is None else fitted.describe_drift(tally),
        {use: stack_rows(found) if found else np.zeros((0, model.n_columns)) for use, found in pieces.items()},
    )
