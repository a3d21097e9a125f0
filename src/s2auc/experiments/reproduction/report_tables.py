"""Tables of the reproduction, made from rows."""

import numpy as np

from s2auc.experiments.reproduction.figures import title_of
from s2auc.experiments.reproduction.measured import NAMES, PNU, QSG, SAMULT, Measured
from s2auc.experiments.reproduction.protocol import N_TUNING
from s2auc.experiments.reproduction.quantities import median_of, memory_of, range_of, seconds_of
from s2auc.experiments.reproduction.stages import SEARCHES, WIDE
from s2auc.experiments.reproduction.texts import TEXTS
from s2auc.experiments.results.tables import Table


def all_tables(measured: Measured) -> list[Table]:
    """Return all tables, in the order of the page."""
    return [make(measured) for make in (growth_table, auc_table, ratio_table, grid_table, label_table)]


def growth_table(measured: Measured) -> Table:
    """Return the paper's Table 1: stated and measured exponents of time and memory in unlabelled rows."""
    stated = {SAMULT: ("3", "2"), PNU: ("3", "2"), QSG: ("0", "0"), "ssrankboost": ("–", "2"), "optag_all": ("–", "2")}
    lines = []
    for method, (time, memory) in stated.items():
        measured_time, measured_memory = (
            range_of(measured.growth(method, dataset, quantity) for dataset in measured.datasets)
            for quantity in (seconds_of, memory_of)
        )
        lines.append([NAMES[method], time, measured_time, memory, measured_memory])
    return _table("growth", ["method", "time, stated", "time, measured", "memory, stated", "memory, measured"], lines)


def auc_table(measured: Measured) -> Table:
    """Return median test AUCs of all methods."""
    methods = (QSG, SAMULT, PNU, "s2auc_cv", "s2auc_cv_labeled", "ssrankboost", "optag")
    gaps, lines = measured.auc_gaps(), []
    for dataset in measured.datasets:
        medians = [median_of(measured.aucs(method, dataset)) for method in methods]
        lines.append([title_of(dataset), *map(_shown, medians), _shown(gaps.get(dataset, np.nan), "+.4f")])
    return _table(
        "auc",
        ["table", *(NAMES[method] for method in methods), "QSG-S2AUC minus the better baseline"],
        lines,
        n_labeled=measured.n_labeled,
        n_compared=measured.n_compared,
        trials=", ".join(_trials(measured, method) for method in methods),
    )


def _trials(measured: Measured, method: str) -> str:
    """Return how many trials a method has on the tables, in words."""
    counts = [len(measured.aucs(method, dataset)) for dataset in measured.datasets]
    low, high = min(counts), max(counts)
    return f"{NAMES[method]} {low if low == high else f'{low} to {high}'}"


def ratio_table(measured: Measured) -> Table:
    """Return SAMULT's seconds by those of QSG-S2AUC at every size."""
    limits, lines = sorted({row["max_unlabeled"] for row in measured.of(SAMULT)}), []
    for dataset in measured.datasets:
        ratios, cells = dict(measured.ratios(dataset)), []
        for limit in limits:
            sizes = {row["n_unlabeled"] for row in measured.of(SAMULT, dataset=dataset, max_unlabeled=limit)}
            cells.append(_shown(next((ratios[size] for size in sizes if size in ratios), np.nan), ".3g"))
        lines.append([title_of(dataset), *cells])
    return _table("ratio", ["table", *(f"{limit:,}" for limit in limits)], lines)


def grid_table(measured: Measured) -> Table:
    """Return what the paper's grid costs: mean test AUC with it, and with smaller λ and wider kernels."""
    size, lines = min(N_TUNING, measured.n_compared), []
    pairs = list(zip(SEARCHES, WIDE, strict=True))
    for dataset in measured.datasets:
        cells = []
        for pair in pairs:
            values = [measured.aucs(method, dataset, max_unlabeled=size) for method in pair]
            count = min(map(len, values))
            cells += [_shown(float(np.mean(found[:count])) if count else np.nan) for found in values]
        lines.append([title_of(dataset), *cells])
    return _table("grid", ["table", *(NAMES[method] for pair in pairs for method in pair)], lines, size=size)


def label_table(measured: Measured) -> Table:
    """Return what unlabelled rows bring at each number of labels."""
    found = {
        dataset: [measured.by_labels(method, dataset) for method in ("s2auc_cv", "s2auc_cv_labeled")]
        for dataset in measured.datasets
    }
    counts, lines = sorted({count for both in found.values() for count in both[0]}), []
    for dataset, (with_all, labeled) in found.items():
        cells = []
        for count in counts:
            n = min(len(with_all.get(count, ())), len(labeled.get(count, ())))
            gain = np.mean(np.subtract(with_all[count][:n], labeled[count][:n])) if n else np.nan
            cells.append(_shown(float(gain), "+.3f"))
        lines.append([title_of(dataset), *cells])
    return _table("labels", ["table", *(f"{count:,} labels" for count in counts)], lines)


def _table(name: str, header: list[str], lines: list[list[str]], **facts: object) -> Table:
    texts = TEXTS["tables"][name]
    return Table(texts["title"].format(**facts), header, lines, texts["remark"].format(**facts))


def _shown(value: float, form: str = ".4f") -> str:
    return "–" if np.isnan(value) else f"{value:{form}}"
