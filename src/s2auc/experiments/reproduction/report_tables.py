"""Tables of the reproduction, made from rows."""

import numpy as np

from s2auc.experiments.reproduction.figures import title_of
from s2auc.experiments.reproduction.measured import NAMES, Measured
from s2auc.experiments.reproduction.quantities import median_of, memory_of, range_of, seconds_of
from s2auc.experiments.reproduction.stages import EXACT, NARROW, SAMULT, WIDE
from s2auc.experiments.reproduction.texts import TEXTS
from s2auc.experiments.results.tables import Table


def all_tables(measured: Measured) -> list[Table]:
    """Return all tables, in the order of the page."""
    made = growth_table, auc_table, difference_table, ratio_table, seconds_table, grid_table, label_table
    return [make(measured) for make in made]


def growth_table(measured: Measured) -> Table:
    """Return the paper's Table 1: stated and measured exponents of time and memory in unlabelled rows."""
    stated = dict.fromkeys(EXACT, ("3", "2")) | {measured.main: ("0", "0")}
    stated |= dict.fromkeys(("ssrankboost", "optag_all"), ("–", "2"))
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
    methods = (*measured.methods, "s2auc_cv", "s2auc_cv_labeled", "ssrankboost", "optag")
    lines = [
        [title_of(dataset), *(_shown(median_of(measured.aucs(method, dataset))) for method in methods)]
        for dataset in measured.datasets
    ]
    return _table(
        "auc",
        ["table", *(NAMES[method] for method in methods)],
        lines,
        n_labeled=measured.n_labeled,
        n_compared=measured.n_compared,
        trials=", ".join(_trials(measured, method) for method in methods),
    )


def difference_table(measured: Measured) -> Table:
    """Return mean AUCs of the judged method minus those of others, with standard errors over paired trials."""
    others = [method for method in measured.methods if method != measured.main]
    lines = []
    for dataset in measured.datasets:
        found = [measured.difference(dataset, other) for other in others]
        lines.append([title_of(dataset), *(str(each) if each.n_trials else "–" for each in found)])
    chance = ", ".join(title_of(dataset) for dataset in measured.datasets if measured.at_chance(dataset))
    header = ["table", *(NAMES[method] for method in others)]
    return _table("difference", header, lines, main=NAMES[measured.main], chance=chance or "none")


def seconds_table(measured: Measured) -> Table:
    """Return the seconds of search and fit of every method of the paper."""
    lines = []
    for method in measured.methods:
        searches = [measured.search_seconds(method, dataset) for dataset in measured.datasets]
        fits = [
            seconds
            for dataset in measured.datasets
            for size, seconds in measured.by_size(method, dataset, seconds_of)
            if size == measured.n_compared
        ]
        search, fit = (median_of([value for value in values if not np.isnan(value)]) for values in (searches, fits))
        lines.append([NAMES[method], *(_shown(value, ".3g") for value in (search, fit, search + fit))])
    return _table("seconds", ["method", "search", "fit", "both"], lines, n_compared=measured.n_compared)


def _trials(measured: Measured, method: str) -> str:
    """Return how many trials a method has on the tables, in words."""
    counts = [len(measured.aucs(method, dataset)) for dataset in measured.datasets]
    low, high = min(counts), max(counts)
    return f"{NAMES[method]} {low if low == high else f'{low} to {high}'}"


def ratio_table(measured: Measured) -> Table:
    """Return SAMULT's seconds by those of the judged method at every size."""
    limits, lines = sorted({row["max_unlabeled"] for row in measured.of(SAMULT)}), []
    for dataset in measured.datasets:
        ratios, cells = dict(measured.ratios(dataset)), []
        for limit in limits:
            sizes = {row["n_unlabeled"] for row in measured.of(SAMULT, dataset=dataset, max_unlabeled=limit)}
            cells.append(_shown(next((ratios[size] for size in sizes if size in ratios), np.nan), ".3g"))
        lines.append([title_of(dataset), *cells])
    return _table("ratio", ["table", *(f"{limit:,}" for limit in limits)], lines, main=NAMES[measured.main])


def grid_table(measured: Measured) -> Table:
    """Return what the paper's grid costs: mean test AUC with it, and with smaller λ and wider kernels."""
    size, lines = measured.n_tuning, []
    grids = {"the paper's": NARROW, "wider": WIDE}
    for dataset in measured.datasets:
        found = {
            name: [measured.aucs(method, dataset, max_unlabeled=size) for method in methods]
            for name, methods in grids.items()
        }
        # The same trials for both grids.
        counts = [min(map(len, both)) for both in zip(*found.values(), strict=True)]
        for name, values in found.items():
            means = [float(np.mean(each[:n])) if n else np.nan for each, n in zip(values, counts, strict=True)]
            lines.append([title_of(dataset), name, *map(_shown, means)])
    return _table("grid", ["table", "grid", *(NAMES[method] for method in NARROW)], lines, size=size)


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
