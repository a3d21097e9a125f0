"""The figures of an evaluation: ROC curve, precision against recall, and what probabilities are worth."""

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.stats import binomtest
from sklearn.metrics import precision_recall_curve, roc_curve

from s2auc.common.figure_style import BLUE, VERMILION, clean, new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from s2auc.evaluation.evaluation import Evaluation
    from s2auc.ranking.reliability import Calibration

_LEVEL = 0.95
_WHOLE = (-0.01, 1.01)
_N_BARS = 20
_CURVE: dict[str, Any] = {"color": BLUE, "linewidth": 1.8}
_GUIDE: dict[str, Any] = {"color": "0.45", "linewidth": 1.2, "linestyle": "--", "zorder": 1}


def draw_evaluation(evaluation: "Evaluation") -> "dict[str, Figure]":
    """Return the figures of an evaluation by name; that of calibration where there are probabilities."""
    figures = {"roc": _roc(evaluation), "precision_recall": _precision_recall(evaluation)}
    if evaluation.calibration is not None:
        figures["calibration"] = _calibration(evaluation, evaluation.calibration)
    return figures


def _roc(evaluation: "Evaluation") -> "Figure":
    figure = new_figure(figsize=(5.6, 6.2))
    axes = figure.subplots()
    false_rate, true_rate, _ = roc_curve(evaluation.is_positive, evaluation.scores)
    axes.plot(false_rate, true_rate, label="this model", **_CURVE)
    axes.plot([0, 1], [0, 1], label="random order", **_GUIDE)
    axes.set(
        title=f"AUC {evaluation.auc}\n{_counts(evaluation)}",
        xlabel="Share of negative rows ranked above the cut",
        ylabel="Share of positive rows ranked above the cut",
        xlim=_WHOLE,
        ylim=_WHOLE,
        aspect="equal",
    )
    _finish(figure)
    return figure


def _precision_recall(evaluation: "Evaluation") -> "Figure":
    figure = new_figure(figsize=(6.4, 5.2))
    axes = figure.subplots()
    precision, recall, _ = precision_recall_curve(evaluation.is_positive, evaluation.scores, drop_intermediate=True)
    share = float(evaluation.is_positive.mean())
    axes.step(recall, precision, where="post", label="this model", **_CURVE)
    axes.axhline(share, label=f"random order: {share:.1%} of the rows are positive", **_GUIDE)
    axes.set(
        title=f"Average precision {evaluation.average_precision:.3f}\n{_counts(evaluation)}",
        xlabel="Recall: share of the positive rows that are above the cut",
        ylabel="Precision: share of positive rows above the cut",
        xlim=_WHOLE,
        ylim=(-0.01, 1.03),
    )
    _finish(figure)
    return figure


def _calibration(evaluation: "Evaluation", found: "Calibration") -> "Figure":
    figure = new_figure(figsize=(6.4, 6.4))
    upper, lower = figure.subplots(2, 1, sharex=True, height_ratios=[4, 1])
    shares = np.array([part.share_positive for part in found.bins])
    intervals = [binomtest(part.n_positive, part.n_rows).proportion_ci(_LEVEL, "wilson") for part in found.bins]
    # Rounding may put an end on the wrong side of the share by a hair.
    reach = np.maximum(0.0, [shares - [part.low for part in intervals], [part.high for part in intervals] - shares])
    upper.errorbar(
        [part.mean_probability for part in found.bins],
        shares,
        yerr=reach,
        marker="o",
        capsize=3,
        label=f"rows of like probability, {_LEVEL:.0%} intervals",
        **_CURVE,
    )
    upper.plot([0, 1], [0, 1], label="probabilities that come true", **_GUIDE)
    upper.set(
        title=f"Brier score {found.brier:.3f}, log loss {found.log_loss:.3f}\n{_counts(evaluation)}",
        ylabel="Share of positive rows",
        xlim=_WHOLE,
        ylim=(-0.02, 1.02),
    )
    lower.hist(evaluation.probabilities, bins=_N_BARS, range=(0, 1), color=VERMILION, edgecolor="white", linewidth=0.5)
    lower.yaxis.set_major_formatter("{x:,.0f}")
    lower.locator_params(axis="y", integer=True)
    lower.set(xlabel="Probability that the model gives the positive class", ylabel="Rows")
    _finish(figure)
    return figure


def _counts(evaluation: "Evaluation") -> str:
    return f"{evaluation.n_positive:,} positive and {evaluation.n_negative:,} negative rows"


def _finish(figure: "Figure") -> None:
    """Clean the axes, and say below them what the lines of the first are: curves may lie anywhere in them."""
    for axes in figure.axes:
        clean(axes)
    figure.legend(*figure.axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=2, frameon=False)
