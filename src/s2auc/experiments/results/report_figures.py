"""Figures of experiments, from rows alone: AUC by dataset and method, time against unlabelled rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import cycle
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from s2auc.common.figure_style import COLOURS, figure_bytes
from s2auc.common.storage.files import write_files
from s2auc.experiments.datasets.groups import CHOSEN_ON, HELD_BACK
from s2auc.experiments.harness.store import Row
from s2auc.experiments.results.comparison import Comparison, Standing
from s2auc.experiments.results.panels import make_panels, shared_legend
from s2auc.experiments.results.summary import Conditions, Summary

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_MARKERS = "osD^vPX*<>"
_DASHES: tuple[Any, ...] = ("-", "--", "-.", ":")


def auc_figure(rows: Iterable[Row]) -> Figure:
    """Return mean test AUC with 95 % intervals: a panel a dataset, a line a method.

    Where there are several numbers of unlabelled rows, the greatest is shown.

    Parameters
    ----------
    rows
        Rows of one experiment.
    """
    summary = Summary(rows)
    largest = _largest(summary.settings)
    names = list(dict.fromkeys(setting.dataset for setting in summary.settings))
    sizes = list(dict.fromkeys(setting.n_labeled for setting in largest))
    figure, panels = _panels(names, height=0.9 + 0.26 * len(summary.methods))
    for name, axes in zip(names, panels, strict=False):
        settings = [setting for setting in largest if setting.dataset == name]
        for place, n_labeled in enumerate(sizes):
            shift = 0.16 * (place - (len(sizes) - 1) / 2)
            for setting in settings:
                if setting.n_labeled == n_labeled:
                    _draw_means(axes, summary, setting, shift, place)
        _frame(axes, summary, settings)
        axes.set_yticks(range(len(summary.methods)), summary.methods)
    # The axis is shared, so one panel turns them all.
    panels[0].set_ylim(len(summary.methods) - 0.5, -0.5)
    shared_legend(figure, panels, ncols=4)
    figure.supxlabel(
        "test AUC: mean and 95 % interval over trials (faint); wide intervals leave the frame, × marks no result",
        fontsize=9,
    )
    return figure


def time_figure(rows: Iterable[Row]) -> Figure:
    """Return mean seconds to fit against the number of unlabelled rows, both logarithmic: a panel a dataset.

    Parameters
    ----------
    rows
        Rows of one experiment; the smallest number of labelled rows is shown.
    """
    summary = Summary(rows)
    fewest = min(setting.n_labeled for setting in summary.settings)
    shown = [setting for setting in summary.settings if setting.n_labeled == fewest]
    names = list(dict.fromkeys(setting.dataset for setting in shown))
    figure, panels = _panels(names, height=2.5)
    for name, axes in zip(names, panels, strict=False):
        settings = [setting for setting in shown if setting.dataset == name]
        looks = zip(cycle(COLOURS), cycle(_MARKERS), cycle(_DASHES), strict=False)
        for method, (colour, marker, dash) in zip(summary.methods, looks, strict=False):
            points = _time_points(summary, settings, method)
            if points:
                look = {"color": colour, "marker": marker, "linestyle": dash, "markersize": 4, "linewidth": 1.4}
                axes.plot(*zip(*points, strict=True), label=method, **look)
        axes.set(xscale="log", yscale="log")
        axes.grid(color="0.9")
    shared_legend(figure, panels, ncols=5)
    figure.supxlabel(f"unlabelled rows, with {fewest:,} labelled ones", fontsize=9)
    figure.supylabel("seconds to fit, mean over trials", fontsize=9)
    return figure


def difference_figure(comparisons: Sequence[Comparison], reference: str, names: Mapping[str, str]) -> Figure:
    """Return how far methods are from the reference on every table: a panel a comparison, a line a method.

    Parameters
    ----------
    comparisons
        Comparisons of the same methods; the first one orders them.
    reference
        The method that they were compared with.
    names
        What to call methods; others go by their own names.
    """
    order = [standing.method for standing in comparisons[0].standings if standing.method != reference]
    titles = [f"{comparison.n_labeled:,} labelled rows" for comparison in comparisons]
    figure, panels = _panels(titles, height=0.9 + 0.3 * len(order), width=3.4)
    for comparison, axes in zip(comparisons, panels, strict=False):
        axes.axvline(0, color="0.4", linewidth=1, zorder=1)
        for place, method in enumerate(order):
            standing = comparison.of(method)
            if standing is not None:
                _draw_differences(axes, standing, place)
        axes.set_yticks(range(len(order)), [names.get(method, method) for method in order])
        axes.set_xlim(_SPAN[0] - 0.01, _SPAN[1] + 0.01)
        axes.set_axisbelow(True)
    panels[0].set_ylim(len(order) - 0.5, -0.5)
    shared_legend(figure, panels[:1], ncols=3, fontsize=9)
    figure.supxlabel(
        f"test AUC minus that of {names.get(reference, reference)}: left of the line is worse; < and > are farther out",
        fontsize=9,
    )
    return figure


def _draw_differences(axes: Any, standing: Standing, place: int) -> None:
    """Draw a mark for every table, and the mean with its standard error."""
    for datasets, colour, shape, label in (
        (CHOSEN_ON, COLOURS[0], "o", "a table that defaults were chosen on"),
        (HELD_BACK, COLOURS[1], "D", "a table not used for choosing"),
    ):
        for value in (value for dataset, value in standing.differences.items() if dataset in datasets):
            axes.plot(np.clip(value, *_SPAN), place, _mark(value, shape), color=colour, **_FAINT)
        axes.plot([], [], shape, color=colour, label=label, **_FAINT)
    mark = _mark(standing.difference, "|")
    error = standing.error if mark == "|" else 0.0
    axes.errorbar(np.clip(standing.difference, *_SPAN), place, xerr=error, fmt=mark, **_STRONG)
    axes.plot([], [], "|", label="mean and its standard error over tables", **_STRONG)


def _mark(value: float, shape: str) -> str:
    """Return the marker of a difference: an arrowhead for those that a panel has no place for."""
    lowest, highest = _SPAN
    return "<" if value < lowest else ">" if value > highest else shape


#: Differences that a panel spans.
_SPAN = (-0.2, 0.15)

_FAINT: dict[str, Any] = {"markersize": 4, "markeredgewidth": 0, "alpha": 0.65}
_STRONG: dict[str, Any] = {"color": "black", "markersize": 8, "markeredgewidth": 1.8, "linewidth": 1.6}


def _draw_means(axes: Any, summary: Summary, setting: Conditions, shift: float, place: int) -> None:
    """Draw all methods of a setting; those without result stand as a cross at the left edge."""
    colour = COLOURS[place % len(COLOURS)]
    for position, method in enumerate(summary.methods):
        mean, height = summary.mean(setting, method), position + shift
        trials = [row["test_auc"] for row in summary.of(setting, method).values()]
        axes.plot(trials, [height] * len(trials), "|", color=colour, alpha=0.5, markersize=5)
        if mean.n_trials:
            look = {"color": colour, "fmt": _MARKERS[place % len(_MARKERS)], "markersize": 4, "linewidth": 1.2}
            label = f"{setting.n_labeled:,} labelled rows" if position == 0 else None
            axes.errorbar(mean.value, height, xerr=mean.reach or 0.0, label=label, **look)
        else:
            axes.plot(0.02, height, "x", color=colour, markersize=5, transform=axes.get_yaxis_transform())


def _frame(axes: Any, summary: Summary, settings: Sequence[Conditions]) -> None:
    """Let the trials, not their intervals, say which AUC the panel spans: two trials can give one of any width."""
    found = [summary.of(setting, method).values() for setting in settings for method in summary.methods]
    values = [row["test_auc"] for rows in found for row in rows]
    if values:
        margin = max(0.08 * (max(values) - min(values)), 0.005)
        axes.set_xlim(min(values) - margin, max(values) + margin)


def _time_points(summary: Summary, settings: Sequence[Conditions], method: str) -> list[tuple[float, float]]:
    """Return (unlabelled rows, mean seconds) in order; limits beyond what a dataset has meet in one point."""
    seconds: dict[int, list[float]] = {}
    for setting in settings:
        for row in summary.of(setting, method).values():
            seconds.setdefault(row["n_unlabeled"], []).append(row["fit_seconds"])
    # Logarithmic axes have no place for zero.
    return [(size, float(np.mean(seconds[size]))) for size in sorted(seconds) if size]


def _largest(settings: Sequence[Conditions]) -> list[Conditions]:
    pairs = {setting: (setting.dataset, setting.n_labeled) for setting in settings}
    return [
        setting
        for setting in settings
        if setting.max_unlabeled == max(other.max_unlabeled for other in settings if pairs[other] == pairs[setting])
    ]


def _panels(titles: Sequence[str], height: float, width: float = 2.3) -> tuple[Figure, list[Axes]]:
    """Return a figure with a panel for every title."""
    n_columns = min(4, len(titles))
    size = 1.6 + width * n_columns, 0.9 + height * ceil(len(titles) / n_columns)
    figure, panels = make_panels(len(titles), n_columns, size, sharey=True)
    for title, axes in zip(titles, panels, strict=False):
        axes.set_title(title, fontsize=10)
        axes.grid(axis="x", color="0.9")
        axes.grid(axis="y", color="0.95")
    return figure, panels


def write_figures(rows: Sequence[Row], folder: Path, *, several_sizes: bool) -> list[Path]:
    """Write auc.png and, where numbers of unlabelled rows differ, time.png; return their paths.

    Parameters
    ----------
    rows
        Rows of one experiment.
    folder
        Where to.
    several_sizes
        Whether there is more than one number of unlabelled rows to draw time against.
    """
    figures = {"auc.png": auc_figure(rows), **({"time.png": time_figure(rows)} if several_sizes else {})}
    write_files({folder / name: figure_bytes(figure) for name, figure in figures.items()})
    return [folder / name for name in figures]
