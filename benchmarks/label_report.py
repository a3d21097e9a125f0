"""What benchmarks/labels.py found: a table and a curve of each dataset, beside what it should have found."""

from io import BytesIO
from math import isnan
from typing import Any

from s2auc.experiments.results.comparison import with_error
from s2auc.experiments.results.summary import Conditions, Summary, standard_error
from s2auc.experiments.results.tables import Table

OWN, BASELINE = "tuned", "boosting_tuned"

#: Labelled rows: how far behind tuned boosting the AUC may be, and how many times its seconds a fit may take.
TARGETS = {5_000: (0.003, 20.0), 20_000: (0.01, float("inf"))}

#: What figures call methods.
NAMES = {
    "tuned": "s2auc, tuned",
    "boosting_tuned": "gradient boosting, tuned",
    "boosting": "gradient boosting, defaults",
    "catboost": "CatBoost, defaults",
    "extra_trees": "extra trees, tuned",
    "random_forest": "random forest, tuned",
}

# Okabe and Ito's colours, as in the figures of reports; markers and dashes help in black and white.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKERS = "osD^vPX"
DASHES = ("-", "--", "-.", ":")


def print_table(summary: Summary, dataset: str) -> None:
    """Print AUC and seconds of every method by the number of labels, what failed, and whether targets are met."""
    settings = settings_of(summary, dataset)
    table = Table(f"{dataset}: test AUC, and seconds of a fit", ["labels", *summary.methods])
    for setting in settings:
        table.lines.append([f"{setting.n_labeled:,}", *(auc_cell(summary, setting, name) for name in summary.methods)])
        table.lines.append(["", *(seconds_cell(summary, setting, name) for name in summary.methods)])
    table.remark = "± is the standard error over trials."
    print(f"\n{table.as_text()}")
    for row in summary.failures:
        if row["dataset"] == dataset:
            trial = f"{row['method']}, {row['n_labeled']:,} labels, trial {row['trial']}"
            print(f"{trial}: {row['status']}, {row['reason']}")
    for setting in settings:
        if setting.n_labeled in TARGETS:
            print(judge(summary, setting))


def judge(summary: Summary, setting: Conditions) -> str:
    """Return how the tuned classifier compares with tuned boosting, beside the target."""
    words = f"{setting.dataset}, {setting.n_labeled:,} labels, {OWN} minus {BASELINE}: "
    difference = summary.difference(setting, OWN, BASELINE).value
    if isnan(difference):
        return words + "no trial has both"
    worst, most_times = TARGETS[setting.n_labeled]
    seconds = {name: summary.mean(setting, name, "fit_seconds").value for name in (OWN, BASELINE)}
    times = seconds[OWN] / seconds[BASELINE]
    words += f"AUC {difference:+.4f} (target: at least {-worst:+g}, {'met' if difference >= -worst else 'missed'})"
    words += f", {times:.1f} times its time"
    if most_times < float("inf"):
        words += f" (target: at most {most_times:g}, {'met' if times <= most_times else 'missed'})"
    return words


def auc_cell(summary: Summary, setting: Conditions, method: str) -> str:
    """Return mean AUC with its standard error, a dash without result."""
    aucs = [row["test_auc"] for row in summary.of(setting, method).values()]
    return with_error(sum(aucs) / len(aucs), standard_error(aucs), ".4f") if aucs else "-"


def seconds_cell(summary: Summary, setting: Conditions, method: str) -> str:
    """Return mean seconds of a fit, nothing without result."""
    seconds = summary.mean(setting, method, "fit_seconds").value
    return "" if isnan(seconds) else f"{seconds:.1f} s"


def settings_of(summary: Summary, dataset: str) -> list[Conditions]:
    """Return the settings of a dataset, fewest labels first."""
    return sorted(setting for setting in summary.settings if setting.dataset == dataset)


def draw_figure(summary: Summary, form: str) -> bytes:
    """Return a figure of AUC against labels, a panel a dataset and a line a method, as a file of this form."""
    try:
        from matplotlib import rc_context
        from matplotlib.figure import Figure
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError("Figures need matplotlib: pip install 's2auc[plot]' adds it.") from error
    names = list(dict.fromkeys(setting.dataset for setting in summary.settings))
    figure = Figure(figsize=(1.2 + 3.8 * len(names), 4.2), layout="constrained")
    for name, axes in zip(names, figure.subplots(1, len(names), squeeze=False).flat, strict=True):
        for place, method in enumerate(summary.methods):
            draw_line(axes, summary, name, method, place)
        sizes = [setting.n_labeled for setting in settings_of(summary, name)]
        axes.set_xscale("log")
        axes.set_xticks(sizes, [f"{size:,}" for size in sizes], rotation=45)
        axes.minorticks_off()
        axes.set_title(name, fontsize=10)
        axes.grid(color="0.9")
        axes.spines[["top", "right"]].set_visible(False)
        axes.tick_params(which="both", labelsize=8)
    handles, labels = figure.axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=3, frameon=False, fontsize=9)
    figure.supxlabel("labelled rows", fontsize=9)
    figure.supylabel("test AUC, mean over trials and its standard error", fontsize=9)
    buffer = BytesIO()
    # Text stays text, and the same rows give the same file.
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": "labels"}):
        figure.savefig(buffer, format=form, dpi=150, metadata={"Date": None} if form == "svg" else None)
    return buffer.getvalue()


def draw_line(axes: Any, summary: Summary, dataset: str, method: str, place: int) -> None:
    """Draw the means of one method on one dataset."""
    points = []
    for setting in settings_of(summary, dataset):
        aucs = [row["test_auc"] for row in summary.of(setting, method).values()]
        if aucs:
            error = standard_error(aucs)
            points.append((setting.n_labeled, sum(aucs) / len(aucs), 0.0 if isnan(error) else error))
    sizes, means, errors = zip(*points, strict=True) if points else ((), (), ())
    axes.errorbar(
        sizes,
        means,
        yerr=errors,
        color=COLOURS[place % len(COLOURS)],
        marker=MARKERS[place % len(MARKERS)],
        linestyle=DASHES[place % len(DASHES)],
        markersize=4,
        linewidth=1.4,
        capsize=2,
        label=NAMES.get(method, method),
    )
