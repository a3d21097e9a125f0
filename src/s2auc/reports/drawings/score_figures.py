"""Drawings of scores and AUCs: intervals, the ROC curve with its band, histograms, what more labels bring."""

from collections.abc import Mapping, Sequence

import numpy as np

from s2auc.common.arrays import BoolArray, FloatArray
from s2auc.ranking.intervals import Estimate
from s2auc.ranking.roc_band import RocBand
from s2auc.reports.drawings.charts import Frame, dot, number_ticks, percent_ticks, segment, words
from s2auc.reports.markup import Html
from s2auc.reports.measures.table_pass import ScoreHistogram, shared_edges
from s2auc.reports.recorded import RecordedEstimate

N_BARS = 40


def draw_intervals(found: Mapping[str, Estimate | RecordedEstimate]) -> Html:
    """Return AUCs by name, one below the other, with their intervals as far as known, between chance and perfect."""
    lowest = min([0.5, *(auc.low if auc.low is not None else auc.value for auc in found.values())])
    frame = Frame(440, 46.0 * len(found) + 40, (max(0.0, lowest), 1.0), (0, 1), left=18, right=18, bottom=40)
    parts = [frame.axes(number_ticks(*frame.x_range, 5), [], "AUC: 0.5 is chance, 1 is perfect order")]
    parts.append(segment(frame.x(0.5), 6, frame.x(0.5), frame.height - frame.bottom, "guide"))
    for place, (name, auc) in enumerate(found.items()):
        height = 34.0 + 46.0 * place
        parts.append(words(frame.x(frame.x_range[0]) + 4, height - 12, name))
        if auc.low is not None and auc.high is not None:
            parts.append(segment(frame.x(auc.low), height, frame.x(auc.high), height, "interval"))
        parts.append(dot(frame.x(auc.value), height, 5.5))
    said = "; ".join(f"{name}: {auc.value:.3f}" for name, auc in found.items())
    return frame.drawing(f"AUC with its interval. {said}", *parts)


def draw_roc(band: RocBand, others: str) -> Html:
    """Return a ROC curve with its band; the others are what positive rows stand against, such as "negative"."""
    frame = Frame(400, 400, (0.0, 1.0), (0.0, 1.0), left=58)
    x_label = f"{others.capitalize()} rows above the cut"
    return frame.drawing(
        f"ROC curve with a band: share of positive rows against share of {others} rows above the cut",
        frame.axes(percent_ticks(), percent_ticks(), x_label, "Positive rows above the cut"),
        frame.area(band.grid, band.low, band.high, "band"),
        frame.line([0, 1], [0, 1], "guide"),
        frame.line(band.false_rate, band.true_rate, "curve"),
    )


def draw_histograms(groups: Sequence[tuple[str, str, ScoreHistogram]]) -> Html:
    """Return where the scores of groups lie, one below the other: (class of the style sheet, words, scores)."""
    edges = shared_edges([histogram for _, _, histogram in groups], N_BARS)
    room, width = 104.0, 440.0
    whole = Frame(width, room * len(groups) + 46, (edges[0], edges[-1]), (0, 1), left=14)
    ticks = number_ticks(*whole.x_range, 6)
    parts = [whole.axes(ticks, [], "Score: the higher, the nearer to the top of the list")]
    for place, (class_, name, histogram) in enumerate(groups):
        shares = histogram.counts(edges) / max(1, histogram.n_scores)
        top = place * room + 30
        y_range = 0.0, max(float(shares.max()), 1e-9)
        panel = Frame(width, top + room - 30, whole.x_range, y_range, left=14, top=top, bottom=0)
        parts += [
            words(14, top - 10, name),
            panel.columns(edges, shares, class_),
            segment(14, panel.height, width - 12, panel.height, "axis"),
        ]
        if edges[0] < 0 < edges[-1]:
            parts.append(segment(panel.x(0.0), top, panel.x(0.0), panel.height, "guide"))
    said = ", ".join(name for _, name, _ in groups)
    return whole.drawing(f"Histograms of scores: {said}", *parts)


def draw_settings(means: FloatArray, is_chosen: BoolArray) -> Html:
    """Return how the mean AUCs of settings are distributed, those of chosen ones apart."""
    low, high = float(means.min()), float(means.max())
    spare = 0.02 * (high - low) or 0.005
    edges = np.linspace(low - spare, high + spare, 31)
    others, chosen = (np.histogram(means[mask], edges)[0].astype(np.float64) for mask in (~is_chosen, is_chosen))
    frame = Frame(440, 210, (edges[0], edges[-1]), (0, max(1, int((others + chosen).max()))))
    counts = [tick for tick in number_ticks(0.0, frame.y_range[1], 4) if tick[0] == round(tick[0])]
    return frame.drawing(
        "Histogram of the mean held-out AUC of all settings that were tried",
        frame.axes(number_ticks(*frame.x_range), counts, "Mean AUC on rows held out", "Settings"),
        frame.columns(edges, chosen, "accent"),
        frame.columns(edges, others, "unlabeled", chosen),
    )


def draw_learning_curve(points: Sequence[tuple[int, RecordedEstimate]]) -> Html:
    """Return how the AUC grows with labels, with intervals."""
    n_labels, values = [count for count, _ in points], [auc.value for _, auc in points]
    lows = [auc.value if auc.low is None else auc.low for _, auc in points]
    highs = [auc.value if auc.high is None else auc.high for _, auc in points]
    bottom = max(0.0, min(0.5, *lows) if min(lows) < 0.6 else min(lows) - 0.05)
    frame = Frame(440, 290, (0.0, 1.06 * max(n_labels)), (bottom, 1.0))
    ticks = number_ticks(*frame.x_range), number_ticks(*frame.y_range)
    xs = list(map(frame.x, n_labels))
    return frame.drawing(
        "Held-out AUC against the number of labelled rows",
        frame.axes(*ticks, "Labelled rows", "AUC on rows held out"),
        *(segment(x, frame.y(low), x, frame.y(high), "interval") for x, low, high in zip(xs, lows, highs, strict=True)),
        frame.line(n_labels, values, "curve"),
        *(dot(x, frame.y(value), 4.5) for x, value in zip(xs, values, strict=True)),
    )
