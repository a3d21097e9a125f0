"""The evaluation of a model on labelled rows: AUC with its interval, top rows, calibration, and figures of these."""

import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.stats import binomtest
from sklearn.metrics import precision_recall_curve, roc_curve

from s2auc.common.arrays import BoolArray, FloatArray
from s2auc.common.figure_style import BLUE, IMAGE_FORMATS, VERMILION, clean, figure_bytes, new_figure
from s2auc.common.parameters import Choice, check_parameters
from s2auc.common.storage.files import check_folder, write_files
from s2auc.ranking.intervals import Estimate
from s2auc.ranking.metrics import TopRows
from s2auc.ranking.reliability import Calibration

if TYPE_CHECKING:
    from matplotlib.figure import Figure


_LEVEL = 0.95
_WHOLE = (-0.01, 1.01)
_N_BARS = 20
_CURVE: dict[str, Any] = {"color": BLUE, "linewidth": 1.8}
_GUIDE: dict[str, Any] = {"color": "0.45", "linewidth": 1.2, "linestyle": "--", "zorder": 1}


@dataclass(frozen=True, repr=False, eq=False)
class Evaluation:
    """What `evaluate_model` found.

    Attributes
    ----------
    n_rows
        How many rows were given, unlabelled ones among them.
    n_positive, n_negative, n_unlabeled
        How many of them are positive, negative and unlabelled; the last were not scored.
    may_flatter
        Whether there are as many labels of each class as in the fit: if they are the same rows, it has seen them.
    auc
        The AUC with DeLong's 95 % interval: `value`, `low`, `high`, `level`, `standard_error`.
    average_precision
        The mean precision over all cuts, each weighted by the recall that it adds.
    top
        What is found among the highest scores, for every cut that was asked for: `cut`, `n_rows`, `n_positive`,
        `precision`, `recall`, `lift`.
    calibration
        What the probabilities are worth: `brier`, `log_loss`, `mean_probability`, `share_positive`, `bins`; None if the
        model has none.
    is_positive, scores
        Which labelled rows are positive, and the decision function of each; positive rows come first.
    probabilities
        The probability of the positive class for each; None if the model has none.
    """

    n_rows: int
    n_positive: int
    n_negative: int
    n_unlabeled: int
    may_flatter: bool
    auc: Estimate
    average_precision: float
    top: tuple[TopRows, ...]
    calibration: Calibration | None
    is_positive: BoolArray
    scores: FloatArray
    probabilities: FloatArray | None

    def __repr__(self) -> str:
        return f"<Evaluation: AUC {self.auc}, {self.n_positive:,} positive and {self.n_negative:,} negative rows>"

    def as_dict(self) -> dict[str, Any]:
        """Return the numbers as JSON can carry them; the scores of rows are not among them."""
        calibration = None if self.calibration is None else asdict(self.calibration)
        if calibration is not None:
            calibration["bins"] = list(calibration["bins"])
        counts = "n_rows", "n_positive", "n_negative", "n_unlabeled", "may_flatter"
        return {name: getattr(self, name) for name in counts} | {
            "auc": self.auc.value,
            "auc_low": self.auc.low,
            "auc_high": self.auc.high,
            "level": self.auc.level,
            "average_precision": self.average_precision,
            "top": [asdict(cut) for cut in self.top],
            "calibration": calibration,
        }

    def figures(self) -> dict[str, "Figure"]:
        """Return figures by name: "roc", "precision_recall" and, where there are probabilities, "calibration".

        Raises
        ------
        ImportError
            If matplotlib is not installed: `pip install 's2auc[plot]'`.
        """
        figures = {"roc": _roc(self), "precision_recall": _precision_recall(self)}
        return figures if self.calibration is None else figures | {"calibration": _calibration(self, self.calibration)}

    def save_figures(self, folder: str | os.PathLike[str], format: str = "png") -> tuple[Path, ...]:  # noqa: A002
        """Write the figures to a folder, all of them or none, and return their paths.

        Parameters
        ----------
        folder
            Where to; it is made if it is not there. Files of the same names are replaced.
        format
            "png" or "svg".

        Raises
        ------
        OSError
            If they cannot be written there.
        ImportError
            If matplotlib is not installed: `pip install 's2auc[plot]'`.
        """
        check_parameters("save_figures", {"format": format}, {"format": (Choice(IMAGE_FORMATS),)})
        target = Path(folder)
        check_folder(target)
        images = {target / f"{name}.{format}": figure_bytes(figure, format) for name, figure in self.figures().items()}
        write_files(images)
        return tuple(images)


def _roc(evaluation: Evaluation) -> "Figure":
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


def _precision_recall(evaluation: Evaluation) -> "Figure":
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


def _calibration(evaluation: Evaluation, found: Calibration) -> "Figure":
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


def _counts(evaluation: Evaluation) -> str:
    return f"{evaluation.n_positive:,} positive and {evaluation.n_negative:,} negative rows"


def _finish(figure: "Figure") -> None:
    """Clean the axes, and say below them what the lines of the first are: curves may lie anywhere in them."""
    for axes in figure.axes:
        clean(axes)
    figure.legend(*figure.axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=2, frameon=False)
