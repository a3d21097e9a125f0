"""Errors and coverage of stated AUCs, pooled over tables and table by table."""

import csv
from collections.abc import Sequence
from io import StringIO

import numpy as np

from s2auc.experiments.harness.store import Row

COLUMNS = (
    *("table", "scheme", "labels", "round", "trial", "quick", "n_labeled", "n_positive", "sampling"),
    *("stated", "low", "high", "unweighted", "true", "precision", "prevalence", "seconds"),
)


def summarize(rows: Sequence[Row]) -> dict[str, float]:
    """Return the mean error of the stated and the unweighted AUC, and the coverage and width of the interval.

    Fits that state no AUC do not count; `n_unstated` tells how many they are.
    """
    stated = [row for row in rows if row["stated"] is not None]
    values = {name: np.array([row[name] for row in stated]) for name in ("stated", "low", "high", "unweighted", "true")}
    error = values["stated"] - values["true"]
    is_covered = (values["low"] <= values["true"]) & (values["true"] <= values["high"])
    return {
        "fits": len(stated),
        "n_unstated": len(rows) - len(stated),
        "stated": float(values["stated"].mean()),
        "true": float(values["true"].mean()),
        "error": float(error.mean()),
        "unweighted_error": float((values["unweighted"] - values["true"]).mean()),
        "root_mean_square": float(np.sqrt(np.mean(error**2))),
        "covered": float(is_covered.mean()),
        "too_high": float(np.mean(values["low"] > values["true"])),
        "width": float((values["high"] - values["low"]).mean()),
        "weighted": float(np.mean([row["sampling"] == "by score" for row in stated])),
    }


def groups_of(rows: Sequence[Row]) -> dict[tuple[str, int, int, bool, str], list[Row]]:
    """Return rows by scheme, labels, round, grid and table, "all" for all tables."""
    found: dict[tuple[str, int, int, bool, str], list[Row]] = {}
    for row in rows:
        for table in ("all", row["table"]):
            found.setdefault((row["scheme"], row["labels"], row["round"], row["quick"], table), []).append(row)
    return dict(sorted(found.items()))


def print_report(rows: Sequence[Row]) -> None:
    """Print a line per scheme, number of labels, round and table."""
    heads = "fits", "stated", "true", "error", "unweighted_error", "root_mean_square", "covered", "width", "weighted"
    print(f"{'scheme labels round quick table':>40} " + " ".join(f"{head[:10]:>10}" for head in heads))
    for key, members in groups_of(rows).items():
        if all(row["stated"] is None for row in members):
            continue
        found = summarize(members)
        cells = [f"{found[head]:10.0f}" if head == "fits" else f"{found[head]:10.3f}" for head in heads]
        print(f"{' '.join(map(str, key)):>40} " + " ".join(cells))


def results_text(rows: Sequence[Row]) -> str:
    """Return the rows as CSV, without circumstances."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in rows:
        writer.writerow([round(row[name], 5) if isinstance(row[name], float) else row[name] for name in COLUMNS])
    return text.getvalue()
