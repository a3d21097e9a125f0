"""One pass of a model over a table: where scores lie, which are highest, and some rows to look at more closely."""

from collections.abc import Iterator
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from s2auc.common.arrays import FloatArray, IndexArray
from s2auc.common.progress import Progress, tell_progress
from s2auc.data.labels.labels import Labels
from s2auc.data.sources.rows import Rows, count_rows, stack_rows
from s2auc.data.sources.source import RowSource
from s2auc.models.model import Model
from s2auc.models.scoring_chunks import map_scores
from s2auc.reports.score_histogram import ScoreHistogram
from s2auc.scoring.column_drift import FittedColumns, Tally
from s2auc.scoring.top_scores import Ranked, TopScores

GROUPS = "positive", "negative", "unlabeled"


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
    fitted = FittedColumns.from_record(model.record, model.n_columns)
    numbers = {"positive": labels.positive, "negative": labels.negative}
    known = {group: np.empty(len(rows)) for group, rows in numbers.items()}
    pieces: dict[str, list[Rows]] = {use: [] for use in wanted}
    best, tally, first = TopScores(most_top), None, 0
    for rows, scores, counted in _scored(model, source, fitted):
        last = first + len(scores)
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


def _scored(
    model: Model, source: RowSource, fitted: FittedColumns | None
) -> Iterator[tuple[Rows, FloatArray, Tally | None]]:
    """Yield all rows in order, some at a time, with their scores and what columns look like in them."""

    def work(rows: Rows) -> tuple[Rows, FloatArray, Tally | None]:
        return rows, model.score_rows(rows), None if fitted is None else fitted.tally(rows)

    started, n_done = perf_counter(), 0
    for found in map_scores(work, source):
        n_done += count_rows(found[0])
        left = (perf_counter() - started) * (source.n_rows / max(1, n_done) - 1.0)
        tell_progress(Progress("scoring", n_done=n_done, n_all=source.n_rows, seconds_left=left))
        yield found
