"""Drawings of scores and AUCs: intervals, the ROC curve with its band, histograms, what more labels bring."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from s2auc.common.arrays import BoolArray, FloatArray
from s2auc.ranking.roc_band import RocBand
from s2auc.reports.drawings.charts import (
    Frame,
    area,
    axes,
    columns,
    dot,
    drawing,
    line,
    number_ticks,
    percent_ticks,
    segment,
    words,
)
from s2auc.reports.markup import Html
from s2auc.reports.measures.table_pass import ScoreHistogram, shared_edges

N_BARS = 40


@dataclass(frozen=True)
class NamedAuc:
    """An AUC with its interval, if that is known, and what it was measured on."""

    name: str
    value: float
    low: float | None
    high: float | None


def draw_intervals(found: Sequence[NamedAuc]) -> Html:
    """Return AUCs with their intervals, one below the other, between chance and perfect order."""
    lowest = min([0.5, *(entry.low if entry.low is not None else entry.value for entry in found)])
    frame = Frame(440, 46.0 * len(found) + 40, (max(0.0, lowest), 1.0), (0, 1), left=18, right=18, bottom=40)
    parts = [axes(frame, number_ticks(*frame.x_range, 5), [], "AUC: 0.5 is chance, 1 is perfect order")]
    parts.append(segment(frame.x(0.5), 6, frame.x(0.5), frame.height - frame.bottom, "guide"))
    for place, entry in enumerate(found):
        height = 34.0 + 46.0 * place
        parts.append(words(frame.x(frame.x_range[0]) + 4, height - 12, entry.name))
        if entry.low is not None and entry.high is not None:
            parts.append(segment(frame.x(entry.low), height, frame.x(entry.high), height, "interval"))
        parts.append(dot(frame.x(entry.value), height, "accent", 5.5))
    said = "; ".join(f"{entry.name}: {entry.value:.3f}" for entry in found)
    return drawing(frame, f"AUC with its interval. {said}", *parts)


def draw_roc(band: RocBand, others: str) -> Html:
    """Return a ROC curve with its band; the others are what positive rows stand against, such as "negative"."""
    frame = Frame(400, 400, (0.0, 1.0), (0.0, 1.0), left=58)
    x_label = f"{others.capitalize()} rows above the cut"
    return drawing(
        frame,
        f"ROC curve with a band: share of positive rows against share of {others} rows above the cut",
        axes(frame, percent_ticks(), percent_ticks(), x_label, "Positive rows above the cut"),
        area(frame, band.grid, band.low, band.high, "band"),
        line(frame, [0, 1], [0, 1], "guide"),
        line(frame, band.false_rate, band.true_rate, "curve"),
    )


def draw_histograms(groups: Sequence[tuple[str, str, ScoreHistogram]]) -> Html:
    """Return where the scores of groups lie, one below the other: (class of the style sheet, words, scores)."""
    edges = shared_edges([histogram for _, _, histogram in groups], N_BARS)
    room, width = 104.0, 440.0
    whole = Frame(width, room * len(groups) + 46, (edges[0], edges[-1]), (0, 1), left=14)
    ticks = number_ticks(*whole.x_range, 6)
    parts = [axes(whole, ticks, [], "Score: the higher, the nearer to the top of the list")]
    for place, (class_, name, histogram) in enumerate(groups):
        shares = histogram.counts(edges) / max(1, histogram.n_scores)
        top = place * room + 30
        panel = Frame(
            width, top + room - 30, whole.x_range, (0, max(float(shares.max()), 1e-9)), left=14, top=top, bottom=0
        )
        parts += [
            words(14, top - 10, name),
            columns(panel, edges, shares, class_),
            segment(14, panel.height, width - 12, panel.height, "axis"),
        ]
        if edges[0] < 0 < edges[-1]:
            parts.append(segment(panel.x(0.0), top, panel.x(0.0), panel.height, "guide"))
    said = ", ".join(name for _, name, _ in groups)
    return drawing(whole, f"Histograms of scores: {said}", *parts)


def draw_settings(means: FloatArray, is_chosen: BoolArray) -> Html:
    """Return how the mean AUCs of settings are distributed, those of chosen ones apart."""
    low, high = float(means.min()), float(means.max())
    spare = 0.02 * (high - low) or 0.005
    edges = np.linspace(low - spare, high + spare, 31)
    others, chosen = (np.histogram(means[mask], edges)[0] for mask in (~is_chosen, is_chosen))
    frame = Frame(440, 210, (edges[0], edges[-1]), (0, max(1, int((others + chosen).max()))))
    return drawing(
        frame,
        "Histogram of the mean held-out AUC of all settings that were tried",
        axes(frame, number_ticks(*frame.x_range), _counts(frame.y_range[1]), "Mean AUC on rows held out", "Settings"),
        columns(frame, edges, chosen.astype(np.float64), "accent"),
        columns(frame, edges, others.astype(np.float64), "unlabeled", chosen.astype(np.float64)),
    )


def draw_learning_curve(n_labels: FloatArray, values: FloatArray, low: FloatArray, high: FloatArray) -> Html:
    """Return how the AUC grows with labels, with intervals."""
    bottom = max(0.0, min(0.5, float(low.min())) if low.min() < 0.6 else float(low.min()) - 0.05)
    frame = Frame(440, 290, (0.0, 1.06 * float(n_labels.max())), (bottom, 1.0))
    parts = [
        axes(frame, number_ticks(*frame.x_range), number_ticks(*frame.y_range), "Labelled rows", "AUC on rows held out")
    ]
    for count, from_low, to_high in zip(n_labels.tolist(), low.tolist(), high.tolist(), strict=True):
        parts.append(segment(frame.x(count), frame.y(from_low), frame.x(count), frame.y(to_high), "interval"))
    parts.append(line(frame, n_labels, values, "curve"))
    pairs = zip(n_labels.tolist(), values.tolist(), strict=True)
    parts += [dot(frame.x(count), frame.y(value), "accent", 4.5) for count, value in pairs]
    return drawing(frame, "Held-out AUC against the number of labelled rows", *parts)


def _counts(most: float) -> list[tuple[float, str]]:
    return [(value, text) for value, text in number_ticks(0.0, most, 4) if value == round(value)]
