"""Tables of the reproduction, made from rows."""

import numpy as np

from s2auc.experiments.reproduction.figures import title_of
from s2auc.experiments.reproduction.measured import (
    NAMES,
    PNU,
    QSG,
    SAMULT,
    Measured,
    auc_gaps,
    median_of,
    memory_of,
    range_of,
    seconds_of,
)
from s2auc.experiments.reproduction.protocol import N_TUNING
from s2auc.experiments.reproduction.stages import SEARCHES, WIDE
from s2auc.experiments.results.tables import Table


def all_tables(measured: Measured) -> list[Table]:
    """Return all tables, in the order of the page."""
    return [make(measured) for make in (growth_table, auc_table, ratio_table, grid_table, label_table)]


def growth_table(measured: Measured) -> Table:
    """Return the paper's Table 1: stated and measured exponents of time and memory in unlabelled rows."""
    stated = {SAMULT: ("3", "2"), PNU: ("3", "2"), QSG: ("0", "0"), "ssrankboost": ("–", "2"), "optag_all": ("–", "2")}
    table = Table(
        "Growth with the unlabelled rows n: exponents stated in the paper's Table 1, and measured ones over tables",
        ["method", "time, stated", "time, measured", "memory, stated", "memory, measured"],
        remark="QSG-S2AUC is stated as O(D t²) time and O(t) memory, neither of which grows with n.",
    )
    for method, (time, memory) in stated.items():
        cells = [
            range_of(measured.growth(method, dataset, quantity) for dataset in measured.datasets)
            for quantity in (seconds_of, memory_of)
        ]
        table.lines.append([NAMES[method], time, cells[0], memory, cells[1]])
    return table


def auc_table(measured: Measured) -> Table:
    """Return median test AUCs of all methods."""
    methods = (QSG, SAMULT, PNU, "s2auc_cv", "s2auc_cv_labeled", "ssrankboost", "optag")
    table = Table(
        f"Median test AUC with {measured.n_labeled} labelled and {measured.n_compared:,} unlabelled rows",
        ["table", *(NAMES[method] for method in methods), "QSG-S2AUC minus the better rival"],
        remark=(
            "The first three have the paper's protocol, the others their own defaults; the last column is against "
            f"SAMULT and PNU-AUC. Trials: {', '.join(_trials(measured, method) for method in methods)}."
        ),
    )
    gaps = auc_gaps(measured)
    for dataset in measured.datasets:
        medians = [median_of(measured.aucs(method, dataset)) for method in methods]
        gap = f"{gaps[dataset]:+.4f}" if dataset in gaps else "–"
        table.lines.append([title_of(dataset), *map(_shown, medians), gap])
    return table


def _trials(measured: Measured, method: str) -> str:
    """Return how many trials a method has on the tables, in words."""
    counts = [len(measured.aucs(method, dataset)) for dataset in measured.datasets]
    low, high = min(counts), max(counts)
    return f"{NAMES[method]} {low if low == high else f'{low} to {high}'}"


def ratio_table(measured: Measured) -> Table:
    """Return SAMULT's seconds by those of QSG-S2AUC at every size."""
    limits = sorted({row["max_unlabeled"] for row in measured.of(SAMULT)})
    table = Table(
        "SAMULT's seconds divided by those of QSG-S2AUC, by unlabelled rows",
        ["table", *(f"{limit:,}" for limit in limits)],
        remark="Tables with fewer rows than the heading says have as many as there are.",
    )
    for dataset in measured.datasets:
        ratios, cells = dict(measured.ratios(dataset)), []
        for limit in limits:
            sizes = {row["n_unlabeled"] for row in measured.of(SAMULT, dataset=dataset, max_unlabeled=limit)}
            cells.append(next((f"{ratios[size]:.3g}" for size in sizes if size in ratios), "–"))
        table.lines.append([title_of(dataset), *cells])
    return table


def grid_table(measured: Measured) -> Table:
    """Return what the paper's grid costs: mean test AUC with it, and with smaller λ and wider kernels."""
    size = min(N_TUNING, measured.n_compared)
    pairs = list(zip(SEARCHES, WIDE, strict=True))
    table = Table(
        f"What the paper's grid costs: mean test AUC of the searches with {size:,} unlabelled rows",
        ["table", *(NAMES[method] for pair in pairs for method in pair)],
        remark=(
            "Over the trials that both grids have. The paper's: λ and σ from 2⁻³ to 2³. The wider one: λ from 2⁻¹⁵ and "
            "σ from 2⁻⁹ on, every second power of two; γ is 0, ½ or 1."
        ),
    )
    for dataset in measured.datasets:
        cells = []
        for pair in pairs:
            values = [measured.aucs(method, dataset, max_unlabeled=size) for method in pair]
            count = min(map(len, values))
            cells += [_shown(float(np.mean(found[:count])) if count else float("nan")) for found in values]
        table.lines.append([title_of(dataset), *cells])
    return table


def label_table(measured: Measured) -> Table:
    """Return what unlabelled rows bring at each number of labels."""
    found = {
        dataset: [measured.by_labels(method, dataset) for method in ("s2auc_cv", "s2auc_cv_labeled")]
        for dataset in measured.datasets
    }
    counts = sorted({count for both in found.values() for count in both[0]})
    table = Table(
        "What unlabelled rows bring: mean test AUC of s2auc, tuned, with all rows minus that with labelled rows only",
        ["table", *(f"{count:,} labels" for count in counts)],
        remark="Unlabelled rows set the scaling of columns and the width of kernels in both.",
    )
    for dataset, (with_all, labeled) in found.items():
        cells = []
        for count in counts:
            n = min(len(with_all.get(count, ())), len(labeled.get(count, ())))
            cells.append(f"{np.mean(np.subtract(with_all[count][:n], labeled[count][:n])):+.3f}" if n else "–")
        table.lines.append([title_of(dataset), *cells])
    return table


def _shown(value: float) -> str:
    return "–" if np.isnan(value) else f"{value:.4f}"
