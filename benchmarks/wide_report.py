"""What benchmarks/wide.py found, in tables, beside what it should have found."""

from collections.abc import Sequence

import numpy as np
from text_tasks import WideTable

from s2auc.common.memory import show_bytes
from s2auc.experiments.harness.cells import Status
from s2auc.experiments.harness.store import Row
from s2auc.experiments.results.comparison import with_error
from s2auc.experiments.results.summary import Conditions, Summary, standard_error
from s2auc.experiments.results.tables import Table

REFERENCE, SEARCH = "logistic", "tuned_unjudged"
TEXT_SECONDS, DENSE_SECONDS, MAX_BYTES, WORST_LOSS = 10.0, 15.0, 10**9, 0.005


def print_text(rows: list[Row], tables: dict[str, WideTable]) -> None:
    """Print a table of every task, and whether the searches are fast, small and good enough."""
    summary = Summary(rows)
    for setting in summary.settings:
        print_methods(summary, setting, tables)
        for method in ("tuned", SEARCH):
            if summary.of(setting, method):
                seconds = judge_most(summary, setting, method, "fit_seconds", TEXT_SECONDS)
                size = judge_most(summary, setting, method, "fit_memory_bytes", MAX_BYTES)
                print(f"{method}: {seconds}; {size}{judge_auc(summary, setting, method)}.")


def print_dense(rows: list[Row], tables: dict[str, WideTable]) -> None:
    """Print the table of dense columns, and whether the search is fast enough."""
    summary = Summary(rows)
    for setting in summary.settings:
        print_methods(summary, setting, tables)
        if summary.of(setting, SEARCH):
            seconds = judge_most(summary, setting, SEARCH, "fit_seconds", DENSE_SECONDS)
            print(f"{SEARCH}: {seconds}{judge_auc(summary, setting, SEARCH)}.")


def print_memory(rows: list[Row], tables: dict[str, WideTable]) -> None:
    """Print what fits hold, by shape, and how it grows."""
    summary = Summary(rows)
    table = Table("Peak of a fit, by shape", ["rows", "columns", "stored", "dense", *summary.methods])
    areas = []
    for setting in summary.settings:
        n_rows, n_columns = tables[setting.dataset].X.shape
        areas.append(n_rows * n_columns)
        held = [mean_or_reason(rows, summary, setting, method) for method in summary.methods]
        stored = show_bytes(12 * tables[setting.dataset].X.nnz)
        table.lines.append([f"{n_rows:,}", f"{n_columns:,}", stored, show_bytes(8 * areas[-1]), *held])
    print(f"\n{table.as_text()}")
    first, last = summary.settings[0], summary.settings[-1]
    if summary.of(first, SEARCH) and summary.of(last, SEARCH):
        growth = mean(summary, last, SEARCH, "fit_memory_bytes") / mean(summary, first, SEARCH, "fit_memory_bytes")
        size = judge_most(summary, last, SEARCH, "fit_memory_bytes", MAX_BYTES)
        print(
            f"{SEARCH}: {size} in the last shape; rows x columns x {areas[-1] / areas[0]:.0f}, memory x {growth:.1f}."
        )
    elif SEARCH in summary.methods:
        print(f"{SEARCH}: target missed, there is no result of the first or the last shape.")


def print_methods(summary: Summary, setting: Conditions, tables: dict[str, WideTable]) -> None:
    """Print a line for every method: AUC, its difference from logistic regression, seconds and memory."""
    header = ["method", "AUC", f"minus {REFERENCE}", "fit seconds", "score seconds", "memory of fit"]
    table = Table(f"{setting.dataset}: {tables[setting.dataset].describe()}", header)
    for method in summary.methods:
        found = summary.of(setting, method)
        if not found:
            table.lines.append([method, "no result", "", "", "", ""])
            continue
        pairs = differences(summary, setting, method)
        table.lines.append(
            [
                method,
                mean_with_error([row["test_auc"] for row in found.values()], ".4f"),
                mean_with_error(pairs, "+.4f") if pairs else "",
                f"{mean(summary, setting, method, 'fit_seconds'):.2f}",
                f"{mean(summary, setting, method, 'score_seconds'):.2f}",
                show_bytes(round(mean(summary, setting, method, "fit_memory_bytes"))),
            ]
        )
    table.remark = "± is the standard error over trials, of the paired differences in the third column."
    print(f"\n{table.as_text()}")
    for row in summary.failures:
        if row["dataset"] == setting.dataset:
            print(f"{row['method']}, trial {row['trial']}: {row['status']}, {row['reason']}")


def judge_most(summary: Summary, setting: Conditions, method: str, quantity: str, most: float) -> str:
    """Return a mean beside the most that it should be."""
    found = mean(summary, setting, method, quantity)
    if quantity == "fit_memory_bytes":
        return f"{show_bytes(round(found))} (target: under {show_bytes(round(most))}, {verdict(found < most)})"
    return f"{found:.1f} s (target: under {most:g} s, {verdict(found < most)})"


def judge_auc(summary: Summary, setting: Conditions, method: str) -> str:
    """Return the difference from logistic regression beside the worst that it should be, empty without one."""
    pairs = differences(summary, setting, method)
    if not pairs:
        return ""
    found = float(np.mean(pairs))
    return f"; AUC {found:+.4f} (target: at least {-WORST_LOSS:+g}, {verdict(found >= -WORST_LOSS)})"


def verdict(is_met: bool) -> str:
    """Return whether a target is met, in a word."""
    return "met" if is_met else "missed"


def differences(summary: Summary, setting: Conditions, method: str) -> list[float]:
    """Return AUCs minus those of logistic regression in the trials that both have a result of."""
    own, other = summary.of(setting, method), summary.of(setting, REFERENCE)
    return [own[trial]["test_auc"] - other[trial]["test_auc"] for trial in own if trial in other]


def mean(summary: Summary, setting: Conditions, method: str, quantity: str) -> float:
    """Return the mean over trials."""
    return summary.mean(setting, method, quantity).value


def mean_with_error(values: Sequence[float], form: str) -> str:
    """Return a mean with its standard error, where there are two values."""
    return with_error(float(np.mean(values)), standard_error(values), form)


def mean_or_reason(rows: list[Row], summary: Summary, setting: Conditions, method: str) -> str:
    """Return the mean memory of fits, or how the first ended that gave no result."""
    if summary.of(setting, method):
        return show_bytes(round(mean(summary, setting, method, "fit_memory_bytes")))
    return next(
        str(row["status"])
        for row in rows
        if (row["dataset"], row["method"]) == (setting.dataset, method) and row["status"] != Status.OK
    )
