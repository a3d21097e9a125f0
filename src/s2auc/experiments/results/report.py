"""Reports of experiments, from rows alone: tables of AUC, ranks, differences, times and failures."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from math import isnan, nan

import numpy as np

from s2auc.experiments.harness.store import Row
from s2auc.experiments.results.summary import Conditions, Mean, Summary
from s2auc.experiments.results.tables import Table

NOTHING = "-"


def make_tables(rows: Iterable[Row], reference: str = "") -> list[Table]:
    """Return all tables of a report.

    Parameters
    ----------
    rows
        Rows of one experiment.
    reference
        Method that others are compared with; empty for the first.
    """
    summary = Summary(rows)
    if not summary.rows:
        raise ValueError("A report must have rows to speak of. Got none; run the experiment first.")
    reference = reference or summary.methods[0]
    if reference not in summary.methods:
        raise ValueError(
            f"The reference of a report must be one of {', '.join(summary.methods)}. Got {reference!r} instead."
        )

    def area(setting: Conditions, method: str) -> str:
        return _show_mean(summary.mean(setting, method), ".4f")

    def difference(setting: Conditions, method: str) -> str:
        return NOTHING if method == reference else _show_mean(summary.difference(setting, method, reference), "+.4f")

    def seconds(setting: Conditions, method: str) -> str:
        return _show_seconds(summary.mean(setting, method, "fit_seconds").value)

    tables = []
    for title, settings in _groups(summary):
        paired = f"Paired: mean over the trials that both methods have. {_AUC_REMARK}"
        tables += [
            _summary_table(summary, title, settings),
            _grid(summary, f"Test AUC, {title}", settings, area, _AUC_REMARK),
            _grid(summary, f"AUC minus that of {reference}, {title}", settings, difference, paired),
            _grid(summary, f"Seconds to fit, {title}", settings, seconds),
        ]
    return [table for table in (*tables, _note_table(summary), _failure_table(summary)) if table.lines]


def text_report(rows: Sequence[Row], reference: str = "", protocol: str = "") -> str:
    """Return the report as plain text.

    Parameters
    ----------
    rows, reference
        As in `make_tables`.
    protocol
        What was measured and how.
    """
    tables = [table.as_text() for table in make_tables(rows, reference)]
    return "\n\n\n".join(["\n".join(_preamble(rows, protocol)), *tables]) + "\n"


def markdown_report(rows: Sequence[Row], reference: str = "", protocol: str = "") -> str:
    """Return the report in Markdown.

    Parameters
    ----------
    rows, reference
        As in `make_tables`.
    protocol
        What was measured and how.
    """
    tables = [table.as_markdown() for table in make_tables(rows, reference)]
    title = f"# {', '.join(dict.fromkeys(row['experiment'] for row in rows))}"
    return "\n\n".join([title, *_preamble(rows, protocol), *tables]) + "\n"


def _summary_table(summary: Summary, title: str, settings: Sequence[Conditions]) -> Table:
    """Return one line a method over all settings of a group: AUC, rank, worst deficit, time, what is missing."""
    ranks = summary.mean_ranks(settings)
    table = Table(
        f"Summary, {title}",
        ["method", "mean AUC", "mean rank", "worst deficit", "where", "median seconds", "trials"],
        remark=(
            "Mean AUC: mean over datasets of the mean over trials, of the datasets that the method has results for. "
            "Rank: by mean AUC among all methods, 1 is best, without results last. Deficit: below the best method's "
            "mean AUC. Trials: successful ones, of all."
        ),
    )
    for method in sorted(summary.methods, key=ranks.__getitem__):
        means = [summary.mean(setting, method) for setting in settings]
        values = [mean.value for mean in means if mean.n_trials]
        deficits = summary.deficits(settings, method)
        worst = max(deficits, key=deficits.__getitem__, default=None)
        seconds = [row["fit_seconds"] for setting in settings for row in summary.of(setting, method).values()]
        n_done = sum(mean.n_trials for mean in means)
        n_all = n_done + sum(mean.n_missing for mean in means)
        partial = "" if len(values) == len(settings) else f" ({len(values)} of {len(settings)} datasets)"
        table.lines.append(
            [
                method,
                f"{np.mean(values):.4f}{partial}" if values else NOTHING,
                f"{ranks[method]:.2f}",
                f"{deficits[worst]:.4f}" if worst else NOTHING,
                worst.dataset if worst and deficits[worst] else NOTHING,
                _show_seconds(float(np.median(seconds)) if seconds else nan),
                str(n_done) if n_done == n_all else f"{n_done} of {n_all}",
            ]
        )
    return table


def _failure_table(summary: Summary) -> Table:
    """Return the cells without result and their reasons."""
    counts = Counter(
        (row["dataset"], row["method"], row["n_labeled"], row["max_unlabeled"], row["status"], row["reason"])
        for row in summary.failures
    )
    table = Table("Trials without result", ["dataset", "method", "labels", "unlabelled", "trials", "status", "reason"])
    for (dataset, method, n_labeled, most, status, reason), count in counts.items():
        unlabeled = "all" if most is None else f"≤ {most:,}"
        table.lines.append([dataset, method, str(n_labeled), unlabeled, str(count), str(status), reason])
    return table


def _note_table(summary: Summary) -> Table:
    """Return what methods noted of their fits, say that they left rows out."""
    noted = [row for row in summary.rows if row["note"]]
    counts = Counter((row["dataset"], row["method"], row["n_labeled"], row["note"]) for row in noted)
    lines = [[dataset, method, str(labels), str(n), note] for (dataset, method, labels, note), n in counts.items()]
    return Table("Notes of methods", ["dataset", "method", "labels", "trials", "note"], lines)


_AUC_REMARK = (
    "± is half the 95 % t interval over trials. A number in brackets says how many trials there are where some are "
    "missing; without ± there is one trial, and no interval."
)


def _groups(summary: Summary) -> list[tuple[str, list[Conditions]]]:
    """Return settings that differ in the dataset only, each group with words for what it shares."""
    groups: dict[tuple[object, ...], list[Conditions]] = {}
    for setting in summary.settings:
        groups.setdefault((setting.n_labeled, setting.max_unlabeled, setting.scaling), []).append(setting)
    titled = []
    for settings in groups.values():
        first = settings[0]
        most = "all other" if first.max_unlabeled == np.inf else f"at most {first.max_unlabeled:,}"
        scaled = "" if first.scaling == "none" else f", columns {first.scaling}"
        titled.append((f"{first.n_labeled:,} labelled and {most} rows unlabelled{scaled}", settings))
    return titled


def _grid(
    summary: Summary,
    title: str,
    settings: Sequence[Conditions],
    cell: Callable[[Conditions, str], str],
    remark: str = "",
) -> Table:
    lines = [[method, *(cell(setting, method) for setting in settings)] for method in summary.methods]
    return Table(title, ["method", *(setting.dataset for setting in settings)], lines, remark)


def _show_mean(mean: Mean, form: str) -> str:
    if not mean.n_trials:
        return f"{NOTHING} (0 of {mean.n_missing})"
    reach = "" if mean.reach is None else f" ± {mean.reach:.4f}"
    missing = f" ({mean.n_trials} of {mean.n_trials + mean.n_missing})" if mean.n_missing else ""
    return f"{mean.value:{form}}{reach}{missing}"


def _show_seconds(seconds: float) -> str:
    return NOTHING if isnan(seconds) else f"{seconds:.3f}" if seconds < 1 else f"{seconds:.1f}"


def _preamble(rows: Sequence[Row], protocol: str) -> list[str]:
    """Return paragraphs with protocol, sources, versions and machines."""
    versions = _distinct(", ".join(f"{name} {value}" for name, value in row["versions"].items()) for row in rows)
    described = "{processor}, {cores} cores, {platform}, threads a trial: {threads}"
    machines = _distinct(described.format(**row["machine"], threads=row["threads"]) for row in rows)
    trials = len({row["trial"] for row in rows})
    counted = f"{len(rows)} results, trials: {trials}, successful: {sum(row['status'] == 'ok' for row in rows)}."
    return [" ".join(protocol.split()), counted, f"Versions: {versions}.", f"Machine: {machines}."][not protocol :]


def _distinct(texts: Iterable[str]) -> str:
    return "; and ".join(dict.fromkeys(texts))
