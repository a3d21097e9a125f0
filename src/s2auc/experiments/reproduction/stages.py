"""Which trials are run, in which order, with which settings.

A stage is a specification of the harness and its cells. Settings that a search found in one stage are parameters of the
cells of the next, so that they are part of what identifies a result.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any, TypeAlias

from s2auc.common.progress import Progress, tell_progress
from s2auc.experiments.datasets.load import load_dataset
from s2auc.experiments.datasets.table import DATASETS
from s2auc.experiments.harness.cells import Cell, Status
from s2auc.experiments.harness.runner import run_spec
from s2auc.experiments.harness.spec import ALL, Spec, make_spec
from s2auc.experiments.harness.store import Row
from s2auc.experiments.reproduction.protocol import Extent

PLUGIN = "s2auc.experiments.reproduction.paper_methods"

#: What searches choose.
TUNED = ("alpha", "kernel_gamma", "labeled_weight", "eta")
PUBLISHED, QSG, SECOND_RULE = "qsg_published", "paper_qsg", "kernel_published"
SAMULT, PNU = "paper_samult", "paper_pnu_auc"
#: The same on few centres (Nyström): neither takes cubic time.
SAMULT_500, SAMULT_200, PNU_200 = "samult_500", "samult_200", "pnu_auc_200"
COMPARED = (PUBLISHED, QSG, SECOND_RULE, SAMULT, SAMULT_500, SAMULT_200, PNU, PNU_200)
#: O(n³), with every row as a centre.
EXACT = (SAMULT, PNU)
#: Which search gives a method its settings.
SEARCH_OF = {
    PUBLISHED: "qsg_published_search",
    QSG: "qsg_search",
    SECOND_RULE: "samult_search",
    SAMULT: "samult_search",
    SAMULT_500: "samult_500_search",
    SAMULT_200: "samult_200_search",
    PNU: "pnu_auc_all_search",
    PNU_200: "pnu_auc_search",
}
SEARCHES = tuple(dict.fromkeys(SEARCH_OF.values()))
#: The paper's grid in the table of grids, and the wider one.
NARROW = ("qsg_search", "samult_search", "pnu_auc_search")
WIDE = ("qsg_wide", "samult_wide", "pnu_auc_wide")
DEFAULTS = ("s2auc_cv", "s2auc_cv_labeled")
OTHERS = ("ssrankboost", "optag")
GROWING = ("ssrankboost", "optag_all")

#: Stages whose seconds are compared: the fastest of several runs counts.
TIMED = ("paper", "pool", "steps", "growth", "single")

#: Settings by dataset, trial and search.
Found: TypeAlias = Mapping[tuple[str, int, str], dict[str, Any]]

#: A specification with limits, and the cells to run.
Stage: TypeAlias = tuple[Spec, list[Cell]]


def run_stages(
    extent: Extent, rows_file: Path, *, seed: int = 0, folder: str | None = None, n_jobs: int = 1
) -> list[Row]:
    """Run what is missing of a reproduction, tell progress, and return all its rows.

    Parameters
    ----------
    extent
        How much to run.
    rows_file, folder, n_jobs
        As for `s2auc.experiments.harness.runner.run_spec`.
    seed
        Seed from which those of the trials are derived.
    """
    rows: dict[str, Row] = {}
    # Settings of the first stage serve all others.
    found: dict[tuple[str, int, str], dict[str, Any]] = {}
    for spec, cells in _stages(extent, seed, folder, found):
        tell_progress(Progress("method", f"the paper's methods: {spec.name}", 0, len(cells)))
        tell = _progress_teller(len(cells))
        for row in run_spec(spec, rows_file, cells=cells, folder=folder, n_jobs=n_jobs, on_row=tell):
            rows[row["cell"]] = row
            if row["method"] in SEARCHES and row["status"] == Status.OK:
                best = row["details"]["best_params"]
                settings = {name: best[name] for name in TUNED if name in best}
                found[row["dataset"], row["trial"], row["method"]] = settings
    return list(rows.values())


def _progress_teller(n_cells: int) -> Callable[[Row], None]:
    """Return a function that counts the rows it is given and tells how many of a stage are done."""
    numbers = count(1)
    return lambda row: tell_progress(Progress("method", f"{row['method']} on {row['dataset']}", next(numbers), n_cells))


def _stages(extent: Extent, seed: int, folder: str | None, found: Found) -> Iterator[Stage]:
    datasets, n_compared, n_tuning = extent.datasets, extent.compared_size, min(extent.n_tuning, extent.compared_size)

    def stage(name: str, *, changes: Sequence[Mapping[str, Any]] = ({},), **values: Any) -> Stage:
        """Return the cells of a specification, with what searches found for them, and each of some changes."""
        sizes = {"n_labeled": extent.n_labeled, "n_unlabeled": n_compared, "n_test": extent.n_test}
        usual = {"seed": seed, "plugins": [PLUGIN], "trials": extent.trials, **sizes, **extent.limits}
        # Seconds of searches and of this library's defaults are not compared: one run of each is enough.
        once = {} if name in TIMED else {"repeats": 1}
        spec = make_spec({"name": name, **usual, **once, **values})
        return spec, [cell for each in spec.cells(folder) for cell in _with_settings(each, found, changes, folder)]

    # The search of PNU-AUC with all rows takes minutes a width: it has few trials.
    for searches, methods, trials in (
        ([name for name in SEARCHES if name != SEARCH_OF[PNU]], [name for name in COMPARED if name != PNU], None),
        ([SEARCH_OF[PNU]], [PNU], extent.few_trials),
    ):
        yield stage("search", datasets=datasets, methods=searches, n_unlabeled=n_tuning, trials=trials or extent.trials)
        for size in extent.sizes:
            most = (trials or extent.trials) if size == n_compared else extent.few_trials
            yield stage("paper", datasets=datasets, methods=methods, n_unlabeled=size, trials=most)
    for dataset in datasets:
        sizes = _large_sizes(dataset, extent, folder)
        if sizes:
            scalable = (PUBLISHED, QSG, SAMULT_500, PNU_200)
            yield stage("pool", datasets=dataset, methods=scalable, n_unlabeled=sizes, trials=extent.few_trials)
    yield stage("defaults", datasets=datasets, methods=DEFAULTS)
    yield stage("others", datasets=datasets, methods=OTHERS, trials=extent.few_trials)
    counts = {"max_iter": extent.step_counts, "n_frequencies": extent.frequency_counts}
    changes = [{name: number} for name, numbers in counts.items() for number in numbers]
    followed: dict[str, Any] = {"datasets": extent.step_datasets, "methods": PUBLISHED}
    yield stage("steps", changes=changes, **followed, trials=extent.few_trials)
    yield stage("wide", datasets=datasets, methods=WIDE, n_unlabeled=n_tuning, trials=extent.few_trials)
    yield stage("growth", datasets=extent.growth_datasets, methods=GROWING, n_unlabeled=extent.sizes, trials=1)
    for n_labeled in extent.label_counts:
        yield stage("labels", datasets=datasets, methods=DEFAULTS, n_labeled=n_labeled, trials=extent.few_trials)
    with_many = [dataset for dataset in datasets if _large_sizes(dataset, extent, folder)]
    if with_many:
        # Too large for the exact methods: the harness says so, and figures mark it.
        yield stage("beyond", datasets=with_many, methods=EXACT, n_unlabeled=extent.large_sizes[0], trials=1)
    others = [name for name in COMPARED if name not in EXACT]
    for names, most in ((others, extent.few_trials), (EXACT, 1)):
        yield stage("single", datasets=datasets, methods=names, n_unlabeled=extent.single_sizes, trials=most)


def _with_settings(
    cell: Cell, found: Found, changes: Sequence[Mapping[str, Any]], folder: str | None
) -> Iterator[Cell]:
    """Yield the cell with the settings of its search and each of the changes; nothing if the search failed."""
    search = SEARCH_OF.get(cell.method)
    settings = found.get((cell.dataset, cell.trial, search)) if search else {}
    if settings is not None:
        if "pnu_auc" in cell.method:
            # The class prior that the paper gives PNU-AUC is the share of positive rows in the dataset.
            seed = cell.seed if DATASETS[cell.dataset].kind == "generated" else 0
            settings = {**settings, "class_prior": _counted(cell.dataset, folder, seed)[1]}
        for change in changes:
            yield replace(cell, parameters={**cell.parameters, **settings, **change})


@cache
def _counted(dataset: str, folder: str | None, seed: int = 0) -> tuple[int, float]:
    """Return the number of rows that are there, and the share of positive ones."""
    y = load_dataset(dataset, folder=folder, seed=seed).y
    return len(y), float(y.mean())


def _large_sizes(dataset: str, extent: Extent, folder: str | None) -> list[int | str]:
    """Return the sizes beyond those of the exact methods that a dataset has rows for."""
    if DATASETS[dataset].kind == "generated":
        return list(extent.large_sizes)
    most = _counted(dataset, folder)[0] - extent.n_labeled - extent.n_test
    if most <= max(extent.single_sizes):
        return []
    return [*(size for size in extent.large_sizes if size < most), ALL]
