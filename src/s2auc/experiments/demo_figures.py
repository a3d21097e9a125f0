"""The demonstration's figures: ROC curves and the course of training, as PNG images."""

from matplotlib.figure import Figure
from sklearn.metrics import roc_curve

from s2auc.common.figure_style import BLACK, BLUE, GREEN, ORANGE, PURPLE, VERMILION, clean, new_figure
from s2auc.experiments.demo import FOREST, LABELED_ONLY, LOGISTIC, SEMI_SUPERVISED, SINGLE_FIT, SPREADING, DemoResult

_STYLES = {
    SEMI_SUPERVISED: (BLUE, "-"),
    LABELED_ONLY: (VERMILION, "--"),
    SINGLE_FIT: (PURPLE, (0, (7, 1, 1, 1, 1, 1))),
    SPREADING: (ORANGE, (0, (3, 1))),
    LOGISTIC: (GREEN, "-."),
    FOREST: (BLACK, ":"),
}


def roc_figure(result: DemoResult) -> Figure:
    """Return the ROC curves of all methods over the test rows, the best first in the legend."""
    figure = new_figure(figsize=(6.0, 6.2))
    axes = figure.subplots()
    for outcome in result.outcomes:
        colour, dashes = _STYLES[outcome.name]
        false_rate, true_rate, _ = roc_curve(result.data.test_is_positive, outcome.scores)
        label = f"{outcome.name} (AUC {outcome.interval.value:.3f})"
        axes.plot(false_rate, true_rate, color=colour, linestyle=dashes, linewidth=1.8, label=label)
    axes.plot([0, 1], [0, 1], color="0.7", linewidth=1, zorder=0)
    axes.annotate("random order", (0.3, 0.3), (4, -4), textcoords="offset points", color="0.45", va="top")
    axes.set(
        title=f"Ranking test digits, five or above first\n{_counts(result)} to learn from",
        xlabel="Share of negative rows ranked above the cut",
        ylabel="Share of positive rows ranked above the cut",
        xlim=(-0.01, 1.01),
        ylim=(-0.01, 1.01),
        aspect="equal",
    )
    axes.legend(loc="lower right", frameon=False, bbox_to_anchor=(1, 0.02))
    clean(axes)
    return figure


def training_figure(result: DemoResult) -> Figure:
    """Return the AUC over the labelled training rows and the risk of each batch against the iteration."""
    history = result.history
    figure = new_figure(figsize=(6.4, 5.2))
    upper, lower = figure.subplots(2, 1, sharex=True)
    upper.plot(history["iteration"], history["labeled_auc"], color=BLUE, linewidth=1.8)
    upper.set(title=f"Training of {SINGLE_FIT}\n{_counts(result)}", ylabel="AUC of labelled rows")
    lower.plot(history["iteration"], history["risk"], color=VERMILION, linewidth=1.8)
    lower.set(xlabel="Iteration", ylabel="Risk of the batch")
    for axes in (upper, lower):
        clean(axes)
    return figure


def _counts(result: DemoResult) -> str:
    return f"{len(result.data.X_labeled)} labelled and {len(result.data.X_unlabeled)} unlabelled rows"
