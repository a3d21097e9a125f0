"""Figures of the reproduction, drawn from rows: those of the paper, and what it lacks.

Methods differ in colour, marker and dash, so that they can be told apart in grey print.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import cycle
from math import ceil
from typing import TYPE_CHECKING, Any

import numpy as np

from s2auc.common.figure_style import BLACK, BLUE, GREEN, ORANGE, PURPLE, SKY, VERMILION, clean
from s2auc.common.memory import show_bytes
from s2auc.experiments.reproduction.measured import NAMES, Measured
from s2auc.experiments.reproduction.protocol import SIMULATED
from s2auc.experiments.reproduction.quantities import all_seconds_of, exponent, memory_of, seconds_of
from s2auc.experiments.reproduction.stages import (
    COMPARED,
    EXACT,
    PNU,
    PNU_200,
    PUBLISHED,
    QSG,
    SAMULT,
    SAMULT_200,
    SAMULT_500,
    SECOND_RULE,
)
from s2auc.experiments.results.panels import make_panels, shared_legend

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_LOOKS: dict[str, dict[str, Any]] = {
    PUBLISHED: {"color": BLUE, "marker": "o"},
    QSG: {"color": SKY, "marker": "o"},
    SECOND_RULE: {"color": PURPLE, "marker": "h"},
    SAMULT: {"color": VERMILION, "marker": "s"},
    SAMULT_500: {"color": ORANGE, "marker": "s", "markerfacecolor": "none"},
    SAMULT_200: {"color": ORANGE, "marker": "d"},
    PNU: {"color": GREEN, "marker": "^"},
    PNU_200: {"color": GREEN, "marker": "v", "markerfacecolor": "none"},
    "s2auc_cv": {"color": BLACK, "marker": "D"},
    "s2auc_cv_labeled": {"color": PURPLE, "marker": "v"},
    "ssrankboost": {"color": ORANGE, "marker": "P"},
    "optag": {"color": SKY, "marker": "X"},
}
_BOXES = (*COMPARED, "s2auc_cv", "ssrankboost", "optag")
_HATCHES = {
    SAMULT: "///",
    SAMULT_500: "//",
    SAMULT_200: "/",
    PNU: "\\\\\\",
    PNU_200: "\\",
    "ssrankboost": "...",
    "optag": "xxx",
}


def title_of(dataset: str) -> str:
    """Return what a dataset is called: simulated ones say so.

    Examples
    --------
    >>> title_of("codrna"), title_of("unclonable")
    ('codrna', 'unclonable (simulated)')
    """
    return f"{dataset} (simulated)" if dataset in SIMULATED else dataset


def time_figure(measured: Measured) -> Figure:
    """Return Figure 1: seconds against unlabelled rows, the fit alone and everything with the reading of the data."""

    def draw(axes: Axes, dataset: str) -> None:
        refused = []
        for method in measured.methods:
            look, name = _LOOKS[method], NAMES[method]
            points = measured.by_size(method, dataset, seconds_of)
            if not points:
                continue
            _plot(axes, points, label=f"{name}: fit", linestyle="-", **look)
            if method in (measured.main, *EXACT):
                everything = measured.by_size(method, dataset, all_seconds_of)
                rest = {"linestyle": ":", "linewidth": 1.1, "color": look["color"]}
                _plot(axes, everything, label=f"{name}: with the reading of the data", **rest)
            refused += [(size, look["color"]) for size in measured.too_large(method, dataset)[:1]]
        _logarithmic(axes, "xy")
        for place, (size, color) in enumerate(refused):
            # At the upper edge, in no second: how long it would take is not known.
            edge: dict[str, Any] = {"transform": axes.get_xaxis_transform(), "clip_on": False}
            axes.plot(size, 1.0 - 0.09 * place, "x", color=color, markersize=8, markeredgewidth=2, **edge)
        axes.plot([], [], "x", color="0.3", markersize=7, markeredgewidth=2, label=_out_of_memory(measured))

    labels = f"unlabelled rows, with {measured.n_labeled} labelled ones", "seconds (median over trials)"
    return _by_dataset(measured.datasets, draw, labels, height=2.2, legend_columns=2)


def auc_figure(measured: Measured) -> Figure:
    """Return Figure 2: box plots of test AUC."""

    def draw(axes: Axes, dataset: str) -> None:
        found = {method: measured.aucs(method, dataset) for method in _BOXES}
        shown = {method: values for method, values in found.items() if values}
        boxes = axes.boxplot(
            list(shown.values()),
            patch_artist=True,
            widths=0.62,
            flierprops={"markersize": 3},
            medianprops={"color": "black", "linewidth": 1.6},
        )
        for box, method in zip(boxes["boxes"], shown, strict=True):
            box.set(facecolor=_LOOKS[method]["color"], alpha=0.55, hatch=_HATCHES.get(method, ""))
        axes.set_xticks(range(1, len(shown) + 1), [NAMES[method] for method in shown], rotation=35, ha="right")
        axes.grid(axis="x", visible=False)

    labels = f"{measured.n_labeled} labelled and {measured.n_compared:,} unlabelled rows", "test AUC over trials"
    return _by_dataset(measured.datasets, draw, labels, height=2.3)


def theorem_figure(measured: Measured) -> Figure:
    """Return the distance to the minimiser against steps, its two parts, and the slope."""
    courses = {course.dataset: course for course in measured.convergences}

    def draw(axes: Axes, dataset: str) -> None:
        course = courses[dataset]
        for part, label, color, marker, dash in (
            ("total", "iterate to minimiser", BLACK, "o", "-"),
            ("features", "due to random features", BLUE, "s", "--"),
            ("data", "due to random rows", VERMILION, "^", "-."),
            ("second_rule", "second update rule to minimiser", PURPLE, "h", ":"),
        ):
            if part not in course.distances:
                continue
            points = list(zip(course.times, course.distances[part], strict=True))
            _plot(axes, points, label=label, linewidth=1.3, color=color, marker=marker, linestyle=dash)
        start = 0.35 * course.distances["total"][0]
        line = [start * course.times[0] / t for t in course.times]
        axes.plot(course.times, line, color="0.6", linewidth=1, label="one over the steps")
        _logarithmic(axes, "xy")
        slopes = course.slopes
        words = f"slope {slopes['total']:.2f} (features {slopes['features']:.2f}, rows {slopes['data']:.2f})"
        axes.set_title(f"{title_of(dataset)}\n{words}", fontsize=9)

    labels = "steps t", "mean squared distance,\nby the minimiser's mean square"
    return _by_dataset(list(courses), draw, labels, height=2.6, legend_columns=4)


def seconds_figure(measured: Measured) -> Figure:
    """Return AUC against seconds: more steps, or more rows, and what they bring."""

    def draw(axes: Axes, dataset: str) -> None:
        steps = measured.by_steps(dataset, "max_iter", seconds_of)
        areas = dict(measured.by_steps(dataset, "max_iter", lambda row: float(row["test_auc"])))
        label = f"{NAMES[measured.main]}, {steps[0][0]:g} to {steps[-1][0]:g} steps"
        _plot(axes, [(seconds, areas[count]) for count, seconds in steps], label=label, **_LOOKS[measured.main])
        for method in (each for each in measured.methods if each not in (PUBLISHED, QSG)):
            label, points = f"{NAMES[method]}, by unlabelled rows", measured.course(method, dataset)
            _plot(axes, points, label=label, linestyle="--", **_LOOKS[method])
        for method in ("s2auc_cv", "ssrankboost", "optag"):
            for point in measured.course(method, dataset, max_unlabeled=measured.n_compared):
                axes.plot(*point, linestyle="none", markersize=6, label=NAMES[method], **_LOOKS[method])
        _logarithmic(axes, "x")

    labels = "seconds to fit, one thread (tuning included only for s2auc, tuned)", "median test AUC"
    return _by_dataset(measured.step_datasets, draw, labels, height=2.6, legend_columns=3)


def labels_figure(measured: Measured) -> Figure:
    """Return AUC against the number of labels, with all rows and with labelled ones only."""

    def draw(axes: Axes, dataset: str) -> None:
        for method, dash, label in (
            ("s2auc_cv", "-", "with unlabelled rows"),
            ("s2auc_cv_labeled", "--", "labelled rows only"),
        ):
            found = measured.by_labels(method, dataset)
            means = [(count, float(np.mean(values))) for count, values in found.items()]
            _plot(axes, means, linestyle=dash, label=label, **_LOOKS[method])
            lows, highs = (list(map(edge, found.values())) for edge in (min, max))
            axes.fill_between(list(found), lows, highs, color=_LOOKS[method]["color"], alpha=0.12, linewidth=0)
        _logarithmic(axes, "x")

    labels = "labelled rows of s2auc, tuned", "test AUC: mean, range"
    return _by_dataset(measured.datasets, draw, labels, height=2.2, legend_columns=2)


def growth_figure(measured: Measured) -> Figure:
    """Return what steps and frequencies cost: seconds and memory of QSG-S2AUC."""
    drawn: dict[str, tuple[str, Callable[[dict[str, Any]], float]]] = {
        "seconds by steps t": ("max_iter", seconds_of),
        "seconds by frequencies D": ("n_frequencies", seconds_of),
        "memory of the fit by steps t": ("max_iter", lambda row: memory_of(row) / 1e6),
    }

    def draw(axes: Axes, title: str) -> None:
        looks = zip(cycle(_LOOKS.values()), cycle(("-", "--", "-.", ":")), strict=False)
        for dataset, (look, dash) in zip(measured.step_datasets, looks, strict=False):
            points = measured.by_steps(dataset, *drawn[title])
            label = f"{dataset}, slope at the end {exponent(points[-3:]):.2f}"
            _plot(axes, points, label=label, linestyle=dash, **look)
        _logarithmic(axes, "xy")
        axes.legend(frameon=False, fontsize=7)

    figure = _by_dataset(list(drawn), draw, ("", ""), height=2.6)
    figure.axes[0].set_ylabel("seconds", fontsize=9)
    figure.axes[2].set_ylabel("MB", fontsize=9)
    return figure


FIGURES: dict[str, Callable[[Measured], Figure]] = {
    "figure-1-time": time_figure,
    "figure-2-auc": auc_figure,
    "theorem": theorem_figure,
    "growth": growth_figure,
    "auc-against-seconds": seconds_figure,
    "auc-against-labels": labels_figure,
}
"""What draws figures, by the names of their files."""


def _out_of_memory(measured: Measured) -> str:
    limits = {row["memory_limit_bytes"] for row in measured.rows if row["method"] == SAMULT} - {None}
    return f"out of memory ({show_bytes(max(limits))} a process)" if limits else "out of memory"


def _plot(axes: Axes, points: Sequence[tuple[float, float]], **look: Any) -> None:
    axes.plot([x for x, _ in points], [y for _, y in points], markersize=4, **look)


def _logarithmic(axes: Axes, which: str) -> None:
    """Make axes logarithmic, with numbers as people write them, and as many as there is room for."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    if not any(np.size(line.get_xdata()) for line in axes.lines):
        return
    for axis in (axes.xaxis, axes.yaxis)[: len(which)]:
        getattr(axes, f"set_{axis.axis_name}scale")("log")
        low, high = axis.get_view_interval()
        decades = np.log10(high / low)
        axis.set_major_locator(LogLocator(subs=(1.0,) if decades > 1.6 else (1.0, 2.0, 5.0), numticks=8))
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}" if value >= 1 else f"{value:g}"))
        axis.set_minor_formatter(NullFormatter())


def _by_dataset(
    names: Sequence[str],
    draw: Callable[[Axes, str], None],
    labels: tuple[str, str],
    height: float,
    legend_columns: int = 0,
) -> Figure:
    """Return a figure with a panel for every name, labels of both axes, and one legend for all if it has columns."""
    n_columns = min(3, len(names))
    size = max(5.5, 0.6 + 3.1 * n_columns), 1.1 + height * ceil(len(names) / n_columns)
    figure, panels = make_panels(len(names), n_columns, size)
    for name, axes in zip(names, panels, strict=False):
        axes.set_title(title_of(name), fontsize=10)
        clean(axes)
        draw(axes, name)
    if legend_columns:
        shared_legend(figure, panels[:1], ncols=legend_columns, fontsize=8)
    if any(labels):
        figure.supxlabel(labels[0], fontsize=9)
        figure.supylabel(labels[1], fontsize=9)
    return figure
