"""Figures of the reproduction, drawn from rows: those of the paper, and what it lacks.

Methods differ in colour, marker and dash, so that they can be told apart in grey print.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil
from typing import TYPE_CHECKING, Any

import numpy as np

from s2auc.common.figure_style import BLACK, BLUE, GREEN, ORANGE, PURPLE, SKY, VERMILION, clean, new_figure
from s2auc.common.memory import show_bytes
from s2auc.experiments.reproduction.measured import (
    NAMES,
    PNU,
    QSG,
    SAMULT,
    Measured,
    Points,
    all_seconds_of,
    exponent,
    memory_of,
    seconds_of,
)
from s2auc.experiments.reproduction.protocol import SIMULATED

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_LOOKS: dict[str, dict[str, Any]] = {
    QSG: {"color": BLUE, "marker": "o"},
    SAMULT: {"color": VERMILION, "marker": "s"},
    PNU: {"color": GREEN, "marker": "^"},
    "s2auc_cv": {"color": BLACK, "marker": "D"},
    "s2auc_cv_labeled": {"color": PURPLE, "marker": "v"},
    "ssrankboost": {"color": ORANGE, "marker": "P"},
    "optag": {"color": SKY, "marker": "X"},
}
_BOXES = (QSG, SAMULT, PNU, "s2auc_cv", "ssrankboost", "optag")
_N_COLUMNS = 3
_SMALL = 8


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
    figure, panels = _panels(measured.datasets, height=2.2)
    for dataset, axes in zip(measured.datasets, panels, strict=False):
        for method in (QSG, SAMULT, PNU):
            look = _LOOKS[method]
            points = measured.by_size(method, dataset, seconds_of)
            if not points:
                continue
            axes.plot(*_columns(points), label=f"{NAMES[method]}: fit", linestyle="-", markersize=4, **look)
            everything = measured.by_size(method, dataset, all_seconds_of)
            axes.plot(
                *_columns(everything),
                label=f"{NAMES[method]}: with the reading of the data",
                linestyle=":",
                linewidth=1.1,
                color=look["color"],
            )
            for size in measured.too_large(method, dataset)[:1]:
                # Above the last point: where the line would go on if memory were enough.
                height = points[-1][1] * 3 if method == SAMULT else points[-1][1] * 9
                axes.plot(size, height, "x", color=look["color"], markersize=8, markeredgewidth=2)
        axes.plot([], [], "x", color="0.3", markersize=7, markeredgewidth=2, label=_out_of_memory(measured))
        _logarithmic(axes, "xy")
        axes.set_title(title_of(dataset), fontsize=10)
    _legend(figure, panels[0], ncols=2)
    figure.supxlabel(f"unlabelled rows, with {measured.n_labeled} labelled ones", fontsize=9)
    figure.supylabel("seconds (median over trials)", fontsize=9)
    return figure


def auc_figure(measured: Measured) -> Figure:
    """Return Figure 2: box plots of test AUC."""
    figure, panels = _panels(measured.datasets, height=2.3)
    for dataset, axes in zip(measured.datasets, panels, strict=False):
        shown = [(method, measured.aucs(method, dataset)) for method in _BOXES]
        shown = [(method, values) for method, values in shown if values]
        boxes = axes.boxplot(
            [values for _, values in shown],
            patch_artist=True,
            widths=0.62,
            flierprops={"markersize": 3},
            medianprops={"color": "black", "linewidth": 1.6},
        )
        for box, (method, _) in zip(boxes["boxes"], shown, strict=True):
            box.set(facecolor=_LOOKS[method]["color"], alpha=0.55, hatch=_HATCHES[method])
        axes.set_xticks(range(1, len(shown) + 1), [_SHORT[method] for method, _ in shown], rotation=35, ha="right")
        axes.set_title(title_of(dataset), fontsize=10)
        axes.grid(axis="x", visible=False)
    figure.supxlabel(f"{measured.n_labeled} labelled and {measured.n_compared:,} unlabelled rows", fontsize=9)
    figure.supylabel("test AUC over trials", fontsize=9)
    return figure


_SHORT = {
    QSG: "QSG-S2AUC",
    SAMULT: "SAMULT",
    PNU: "PNU-AUC",
    "s2auc_cv": "s2auc, tuned",
    "ssrankboost": "SSRankBoost",
    "optag": "OptAG",
}
_HATCHES = {QSG: "", SAMULT: "///", PNU: "\\\\\\", "s2auc_cv": "", "ssrankboost": "...", "optag": "xxx"}


def theorem_figure(measured: Measured) -> Figure:
    """Return the distance to the minimiser against steps, its two parts, and the slope."""
    courses = measured.convergences
    figure, panels = _panels([course.dataset for course in courses], height=2.6)
    looks: dict[str, tuple[str, dict[str, Any]]] = {
        "total": ("iterate to minimiser", {"color": BLACK, "marker": "o", "linestyle": "-"}),
        "features": ("due to random features", {"color": BLUE, "marker": "s", "linestyle": "--"}),
        "data": ("due to random rows", {"color": VERMILION, "marker": "^", "linestyle": "-."}),
    }
    for course, axes in zip(courses, panels, strict=False):
        for part, (label, look) in looks.items():
            axes.plot(course.times, course.distances[part], label=label, markersize=4, linewidth=1.3, **look)
        start = 0.35 * course.distances["total"][0]
        line = [start * course.times[0] / t for t in course.times]
        axes.plot(course.times, line, color="0.6", linewidth=1, label="one over the steps")
        _logarithmic(axes, "xy")
        slopes = course.slopes
        words = f"slope {slopes['total']:.2f} (features {slopes['features']:.2f}, rows {slopes['data']:.2f})"
        axes.set_title(f"{title_of(course.dataset)}\n{words}", fontsize=9)
    _legend(figure, panels[0], ncols=4)
    figure.supxlabel("steps t", fontsize=9)
    figure.supylabel("mean squared distance,\nby the minimiser's mean square", fontsize=9)
    return figure


def seconds_figure(measured: Measured) -> Figure:
    """Return AUC against seconds: more steps, or more rows, and what they bring."""
    datasets = measured.step_datasets
    figure, panels = _panels(datasets, height=2.6)
    for dataset, axes in zip(datasets, panels, strict=False):
        steps = measured.by_steps(dataset, "max_iter", seconds_of)
        areas = dict(measured.by_steps(dataset, "max_iter", _auc_of))
        axes.plot(
            [seconds for _, seconds in steps],
            [areas[count] for count, _ in steps],
            label=f"QSG-S2AUC, {steps[0][0]:g} to {steps[-1][0]:g} steps",
            markersize=4,
            **_LOOKS[QSG],
        )
        for method in (SAMULT, PNU):
            points = measured.course(method, dataset)
            axes.plot(
                *_columns(points),
                label=f"{NAMES[method]}, by unlabelled rows",
                linestyle="--",
                markersize=4,
                **_LOOKS[method],
            )
        for method in ("s2auc_cv", "ssrankboost", "optag"):
            for point in measured.course(method, dataset, max_unlabeled=measured.n_compared):
                axes.plot(*point, linestyle="none", markersize=6, label=f"{NAMES[method]}", **_LOOKS[method])
        _logarithmic(axes, "x")
        axes.set_title(title_of(dataset), fontsize=10)
    _legend(figure, panels[0], ncols=3)
    figure.supxlabel("seconds to fit, one thread (tuning included only for s2auc, tuned)", fontsize=9)
    figure.supylabel("median test AUC", fontsize=9)
    return figure


def labels_figure(measured: Measured) -> Figure:
    """Return AUC against the number of labels, with all rows and with labelled ones only."""
    figure, panels = _panels(measured.datasets, height=2.2)
    for dataset, axes in zip(measured.datasets, panels, strict=False):
        for method, dash, label in (
            ("s2auc_cv", "-", "with unlabelled rows"),
            ("s2auc_cv_labeled", "--", "labelled rows only"),
        ):
            found = measured.by_labels(method, dataset)
            counts = list(found)
            means = [np.mean(found[count]) for count in counts]
            axes.plot(counts, means, linestyle=dash, markersize=4, label=label, **_LOOKS[method])
            lows, highs = ([edge(found[count]) for count in counts] for edge in (min, max))
            axes.fill_between(counts, lows, highs, color=_LOOKS[method]["color"], alpha=0.12, linewidth=0)
        _logarithmic(axes, "x")
        axes.set_title(title_of(dataset), fontsize=10)
    _legend(figure, panels[0], ncols=2)
    figure.supxlabel("labelled rows of s2auc, tuned", fontsize=9)
    figure.supylabel("test AUC: mean, range", fontsize=9)
    return figure


def growth_figure(measured: Measured) -> Figure:
    """Return what steps and frequencies cost: seconds and memory of QSG-S2AUC."""
    titles = ["seconds by steps t", "seconds by frequencies D", "memory of the fit by steps t"]
    figure, panels = _panels(titles, height=2.6)
    drawn: Sequence[tuple[str, Callable[[dict[str, Any]], float]]] = (
        ("max_iter", seconds_of),
        ("n_frequencies", seconds_of),
        ("max_iter", lambda row: memory_of(row) / 1e6),
    )
    dashes = ("-", "--", "-.", ":")
    for title, axes, (name, quantity) in zip(titles, panels, drawn, strict=False):
        for place, dataset in enumerate(measured.step_datasets):
            points = measured.by_steps(dataset, name, quantity)
            label = f"{dataset}, slope at the end {exponent(points[-3:]):.2f}"
            look = list(_LOOKS.values())[place % len(_LOOKS)]
            axes.plot(*_columns(points), label=label, linestyle=dashes[place % 4], markersize=4, **look)
        _logarithmic(axes, "xy")
        axes.set_title(title, fontsize=10)
        axes.legend(frameon=False, fontsize=7)
    panels[0].set_ylabel("seconds", fontsize=9)
    panels[2].set_ylabel("MB", fontsize=9)
    return figure


FIGURES: dict[str, tuple[Callable[[Measured], Figure], str]] = {
    "figure-1-time": (
        time_figure,
        "Figure 1 of the paper: seconds to train against unlabelled rows. Solid: the fit, from rows in memory to the "
        "model. Dotted: everything, with reading the file, drawing rows and scaling columns. Medians over the trials "
        "whose chosen setting uses unlabelled rows, where there are such.",
    ),
    "figure-2-auc": (
        auc_figure,
        "Figure 2 of the paper: test AUC over trials, here with boxes; beside the paper's three methods this library's "
        "own search, and the other systems of the paper's Table 1.",
    ),
    "theorem": (
        theorem_figure,
        "The paper's theorem: the squared distance to the minimiser falls like one over the steps, and so do both of "
        "its parts. Mean over runs; the minimiser is exact.",
    ),
    "growth": (
        growth_figure,
        "What a fit costs by steps and frequencies. The paper says O(D t²) time and O(t) memory.",
    ),
    "auc-against-seconds": (
        seconds_figure,
        "Not in the paper: what time buys. QSG-S2AUC by steps, the exact methods by unlabelled rows; medians over the "
        "trials that all of these have.",
    ),
    "auc-against-labels": (
        labels_figure,
        "Not in the paper: when unlabelled rows help. The tuned classifier with all rows, and with labelled ones only.",
    ),
}
"""All figures by the names of their files: what draws them, and what is to be seen."""


def _out_of_memory(measured: Measured) -> str:
    limits = {row["memory_limit_bytes"] for row in measured.rows if row["method"] == SAMULT} - {None}
    return f"out of memory ({show_bytes(max(limits))} a process)" if limits else "out of memory"


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


def _auc_of(row: dict[str, Any]) -> float:
    return float(row["test_auc"])


def _columns(points: Points) -> tuple[list[float], list[float]]:
    return [x for x, _ in points], [y for _, y in points]


def _panels(names: Sequence[str], height: float) -> tuple[Figure, list[Axes]]:
    """Return a figure with a panel for every name."""
    n_columns = min(_N_COLUMNS, len(names))
    n_lines = ceil(len(names) / n_columns)
    figure = new_figure(figsize=(max(5.5, 0.6 + 3.1 * n_columns), 1.1 + height * n_lines))
    panels = list(figure.subplots(n_lines, n_columns, squeeze=False).flat)
    for axes in panels:
        clean(axes)
        axes.tick_params(which="both", labelsize=_SMALL)
    for axes in panels[len(names) :]:
        axes.set_visible(False)
    return figure, panels


def _legend(figure: Figure, axes: Axes, ncols: int) -> None:
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=ncols, frameon=False, fontsize=_SMALL)
