"""What was measured of rules that suggest rows, in tables."""

import csv
from collections.abc import Mapping, Sequence
from io import StringIO

import numpy as np
from numpy.typing import NDArray

from s2auc.common.figure_style import BLUE, VERMILION, clean, figure_bytes, new_figure
from s2auc.experiments.harness.store import Row

REFERENCES = "random", "random again"
BEST = "uncertain, spread"
"""The rule that did best on the tables to choose on."""

LOOKS = {"40+20": (BLUE, "o", -0.12), "100+50": (VERMILION, "s", 0.12)}
"""Colour, marker and shift of the points of each size."""


def gains(rows: Sequence[Row], rule: str, table: str, size: str) -> NDArray[np.float64]:
    """Return what the test AUC is higher by than with random rows, for every trial that has both."""
    found: dict[str, dict[int, float]] = {name: {} for name in (rule, *REFERENCES)}
    for row in rows:
        if row["dataset"] == table and row["size"] == size and row["rule"] in found:
            found[row["rule"]][row["trial"]] = row["test_auc"]
    trials = sorted(set.intersection(*map(set, found.values())))
    return np.array([found[rule][trial] - np.mean([found[name][trial] for name in REFERENCES]) for trial in trials])


def mean_and_error(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean of values and its standard error."""
    return float(np.mean(values)), float(np.std(values, ddof=1) / np.sqrt(len(values))) if len(values) > 1 else np.nan


def rules_of(rows: Sequence[Row]) -> list[str]:
    """Return the rules that there are results of, in order, without those that are compared with."""
    return [rule for rule in dict.fromkeys(row["rule"] for row in rows) if rule not in (*REFERENCES, "start")]


def print_report(rows: Sequence[Row], group: str, tables: Sequence[str], size: str) -> None:
    """Print the gain of every rule over random rows, the mean over tables and table by table."""
    there = [row for row in rows if row["dataset"] in tables and row["size"] == size]
    names = [table for table in tables if len(gains(there, "start", table, size))]
    if not names:
        return
    print(f"\n{group}, {size} labels: test AUC less that with random rows, in hundredths")
    print(
        f"{'rule':>24} {'mean':>6} {'error':>6} {'worst':>6} {'trials':>6}  " + " ".join(n[:8].rjust(8) for n in names)
    )
    for rule in rules_of(there):
        by_table = {name: 100 * gains(there, rule, name, size) for name in names}
        if any(len(found) == 0 for found in by_table.values()):
            continue
        means = [found.mean() for found in by_table.values()]
        mean, error = mean_and_error(means)
        shown = " ".join(f"{value:8.2f}" for value in means)
        least = min(map(len, by_table.values()))
        print(f"{rule:>24} {mean:6.2f} {error:6.2f} {min(means):6.2f} {least:6d}  {shown}")
    growth = [100 * random_growth(there, name, size) for name in names]
    shown = " ".join(f"{value:8.2f}" for value in growth)
    print(f"{'random less start':>24} {np.mean(growth):6.2f} {'':6} {min(growth):6.2f} {'':6}  {shown}")


def random_growth(rows: Sequence[Row], table: str, size: str) -> float:
    """Return what random rows add to the test AUC of the start."""
    return -float(np.mean(gains(rows, "start", table, size)))


def results_text(rows: Sequence[Row]) -> str:
    """Return a small table of all results, one line for each dataset, size and rule, after lines of circumstances."""
    text = StringIO()
    for name in ("seed", "threads", "versions", "machine"):
        shown = dict.fromkeys(str(row[name]) for row in rows)
        text.write(f"# {name}: {'; '.join(shown)}\n")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["dataset", "labels", "rule", "trials", "mean_auc", "mean_gain", "mean_positive", "auc_by_trial"])
    keys = sorted({(row["dataset"], row["size"], row["rule"]) for row in rows})
    for table, size, rule in keys:
        found = [row for row in rows if (row["dataset"], row["size"], row["rule"]) == (table, size, rule)]
        by_trial = {row["trial"]: f"{row['test_auc']:.5f}" for row in found}
        gained = gains(rows, rule, table, size)
        writer.writerow(
            [
                *(table, size, rule, len(found)),
                f"{np.mean([row['test_auc'] for row in found]):.5f}",
                f"{gained.mean():.5f}" if len(gained) else "-",
                f"{np.mean([row['n_positive'] for row in found]):.1f}",
                " ".join(by_trial.get(trial, "-") for trial in range(max(by_trial) + 1)),
            ]
        )
    return text.getvalue()


def draw_figure(rows: Sequence[Row], groups: Mapping[str, Sequence[str]]) -> bytes:
    """Return an image of what the rule that was chosen gains over random rows, table by table."""
    measured = {
        title: [name for name in tables if len(gains(rows, BEST, name, "40+20"))] for title, tables in groups.items()
    }
    there = {title: names for title, names in measured.items() if names}
    figure = new_figure(figsize=(4.3 * len(there), 4.2))
    panels = figure.subplots(1, len(there), sharex=True, squeeze=False)[0]
    for axes, (title, names) in zip(panels, there.items(), strict=True):
        for size, (colour, marker, shift) in LOOKS.items():
            found = [100 * gains(rows, BEST, name, size) for name in names]
            drawn = [(place + shift, *mean_and_error(gained)) for place, gained in enumerate(found) if len(gained)]
            if drawn:
                places, means, errors = zip(*drawn, strict=True)
                overall, error = mean_and_error(means)
                label = f"{size.replace('+', ' labels and ')} more: {overall:+.2f} ± {error:.2f}"
                style = {"color": colour, "marker": marker, "linestyle": "none", "capsize": 3, "label": label}
                axes.errorbar(means, places, xerr=errors, **style)
        axes.axvline(0.0, color="0.4", linewidth=1)
        axes.set_yticks(range(len(names)), names)
        axes.set_ylim(len(names) - 0.5, -0.5)
        axes.set_title(f"Tables {title.replace('-', ' ')}")
        clean(axes)
        axes.legend(frameon=False, fontsize=8, loc="upper center", bbox_to_anchor=(0.5, -0.16))
    figure.supxlabel("Test AUC less that with random rows, in hundredths (± standard error)", fontsize=10)
    return figure_bytes(figure)
