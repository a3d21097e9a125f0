"""Pictures of the accuracy benchmark, drawn from the text of its results file."""

from collections.abc import Sequence

import accuracy_text

from s2auc.common.figure_style import BLUE, VERMILION, clean, figure_bytes, new_figure
from s2auc.experiments.datasets.groups import FILES
from s2auc.experiments.results.comparison import Comparison, compare
from s2auc.experiments.results.report_figures import difference_figure
from s2auc.experiments.results.results_file import results_of
from s2auc.experiments.results.summary import Summary


def differences_picture(results: str) -> bytes:
    """Return the differences of AUC to the tuned classifier, table by table."""
    reference = accuracy_text.REFERENCE
    return figure_bytes(
        difference_figure(_comparisons(results, accuracy_text.ALL_TABLES), reference, accuracy_text.NAMES)
    )


def standings_picture(results: str) -> bytes:
    """Return the mean AUC of every method with few labels and with more, the best first: all of it in one look."""
    many, few = _comparisons(results, FILES)
    methods = [standing.method for standing in reversed(many.standings)]
    figure = new_figure(figsize=(8.2, 0.34 * len(methods) + 1.4))
    axes = figure.subplots()
    clean(axes)
    axes.grid(axis="y", visible=False)
    for comparison, colour, shape in ((few, VERMILION, "o"), (many, BLUE, "D")):
        for height, method in enumerate(methods):
            standing, is_own = comparison.of(method), method == accuracy_text.REFERENCE
            if standing is None:
                continue
            label = f"{comparison.n_labeled} labels" if is_own else None
            axes.plot(standing.mean_auc, height, shape, color=colour, markersize=10 if is_own else 7, label=label)
            axes.annotate(
                f"{standing.mean_auc:.3f}",
                (standing.mean_auc, height),
                xytext=(9, 0),
                textcoords="offset points",
                va="center",
                fontsize=9,
                fontweight="bold" if is_own else "normal",
            )
    axes.set_yticks(range(len(methods)), [accuracy_text.NAMES[method] for method in methods])
    for text, method in zip(axes.get_yticklabels(), methods, strict=True):
        text.set_fontweight("bold" if method == accuracy_text.REFERENCE else "normal")
    axes.tick_params(axis="y", length=0)
    axes.margins(x=0.12)
    axes.set_xlabel(f"mean test AUC over {len(many.datasets)} tables; the order is that with {many.n_labeled} labels")
    figure.legend(loc="outside upper center", ncols=2, frameon=False)
    return figure_bytes(figure)


def _comparisons(results: str, tables: Sequence[str]) -> list[Comparison]:
    """Return the comparisons over tables, with 200 and with 40 labels."""
    summary = Summary(results_of(results))
    found = [compare(summary, tables, n, accuracy_text.REFERENCE) for n in accuracy_text.SIZES]
    return [comparison for comparison in found if comparison is not None]
