"""What figures and claims ask of rows: sizes and seconds, AUCs, exponents, courses of steps."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from s2auc.experiments.harness.cells import Status
from s2auc.experiments.harness.store import Row
from s2auc.experiments.reproduction.quantities import Points, exponent, median_of, medians, seconds_of, uses_unlabeled
from s2auc.experiments.reproduction.stages import COMPARED
from s2auc.experiments.reproduction.texts import TEXTS
from s2auc.experiments.reproduction.theorem import EXPERIMENT

QSG, SAMULT, PNU = COMPARED

NAMES: dict[str, str] = TEXTS["names"]
"""What methods are called in figures and tables."""

FIRST_ASYMPTOTIC = 3_000
"""Exponents of the exact methods are fitted from so many unlabelled rows on, where there are two such sizes."""


@dataclass(frozen=True, eq=False)
class Convergence:
    """Mean distances over the runs of one dataset, by the square of the minimiser's scores, and their slopes."""

    dataset: str
    times: list[int]
    distances: Mapping[str, list[float]]
    slopes: Mapping[str, float]
    n_runs: int


class Measured:
    """The rows of a reproduction.

    Parameters
    ----------
    rows
        Rows of the harness, and of the theorem.

    Attributes
    ----------
    datasets
        Datasets of the comparison, in the order of the rows.
    n_labeled
        How many rows are labelled, where their number is not what is varied.
    n_compared
        The largest number of unlabelled rows with which the exact methods make several trials.
    step_datasets
        Datasets on which steps and frequencies were varied.
    """

    def __init__(self, rows: Iterable[Row]) -> None:
        rows = list(rows)
        self._theorem = [row for row in rows if row["experiment"] == EXPERIMENT]
        self.rows = [row for row in rows if row["experiment"] != EXPERIMENT]
        self.done = [row for row in self.rows if row["status"] == Status.OK]
        usual = [row for row in self.done if row["method"] == QSG and row["experiment"] == "paper"]
        if not usual:
            raise ValueError("A reproduction must have trials of QSG-S2AUC. Got none; run it first.")
        self._usual_parameters = {name: usual[0]["parameters"][name] for name in ("max_iter", "n_frequencies")}
        self.datasets = list(dict.fromkeys(row["dataset"] for row in self.rows if row["method"] in COMPARED))
        self.n_labeled = usual[0]["n_labeled"]
        self.n_compared = max(row["max_unlabeled"] for row in usual)
        self._step_trials: dict[str, set[int]] = defaultdict(set)
        for row in self.done:
            if row["experiment"] == "steps":
                self._step_trials[row["dataset"]].add(row["trial"])
        self.step_datasets = list(self._step_trials)

    def of(self, method: str, **values: Any) -> list[Row]:
        """Return the successful trials of a method whose entries have these values, with the usual steps."""
        usual, wanted = self._usual_parameters.items(), {"method": method, **values}.items()
        return [
            row
            for row in self.done
            if all(row[name] == value for name, value in wanted)
            and all(row["parameters"].get(name, value) == value for name, value in usual)
        ]

    def aucs(self, method: str, dataset: str, *, max_unlabeled: int | None = None) -> list[float]:
        """Return test AUCs, trial by trial, with the compared number of unlabelled rows unless another is asked for."""
        most = self.n_compared if max_unlabeled is None else max_unlabeled
        rows = self.of(method, dataset=dataset, n_labeled=self.n_labeled, max_unlabeled=most)
        return [row["test_auc"] for row in sorted(rows, key=lambda row: row["trial"])]

    def by_size(self, method: str, dataset: str, quantity: Callable[[Row], float]) -> Points:
        """Return (unlabelled rows, median of a quantity over trials), by size.

        Trials whose chosen setting leaves unlabelled rows out (γ = 1, or η = 0) say nothing of them: they count only
        where there are no others.
        """
        rows = self.of(method, dataset=dataset, n_labeled=self.n_labeled)
        rows = [row for row in rows if uses_unlabeled(row)] or rows
        return medians((row["n_unlabeled"], quantity(row)) for row in rows)

    def too_large(self, method: str, dataset: str) -> list[int]:
        """Return the numbers of unlabelled rows for which memory does not suffice."""
        ends = Status.SKIPPED, Status.OUT_OF_MEMORY
        rows = [row for row in self.rows if row["method"] == method and row["dataset"] == dataset]
        return sorted({row["n_unlabeled"] for row in rows if row["status"] in ends and row["n_unlabeled"]})

    def growth(self, method: str, dataset: str, quantity: Callable[[Row], float]) -> float:
        """Return the exponent of a quantity in unlabelled rows; of the exact methods from a few thousand on."""
        points = self.by_size(method, dataset, quantity)
        late = [point for point in points if point[0] >= FIRST_ASYMPTOTIC]
        return exponent(late if method != QSG and len(late) > 1 else points)

    def ratios(self, dataset: str, other: str = SAMULT) -> Points:
        """Return (unlabelled rows, seconds of another method by those of QSG-S2AUC) for every size that both have."""
        own = dict(self.by_size(QSG, dataset, seconds_of))
        return [
            (size, seconds / own[size]) for size, seconds in self.by_size(other, dataset, seconds_of) if size in own
        ]

    def auc_gaps(self) -> dict[str, float]:
        """Return the median AUC of QSG-S2AUC minus the better exact method's, by dataset that all three have."""
        gaps = {}
        for dataset in self.datasets:
            own, *others = (median_of(self.aucs(method, dataset)) for method in COMPARED)
            if not np.isnan([own, *others]).any():
                gaps[dataset] = own - max(others)
        return gaps

    @property
    def failures(self) -> dict[tuple[str, str, str], int]:
        """How many trials have no result, by method, dataset and reason."""
        failed = [row for row in self.rows if row["status"] != Status.OK]
        return dict(Counter((row["method"], row["dataset"], row["reason"]) for row in failed))

    @property
    def sources(self) -> list[str]:
        """A sentence per dataset that says which rows it has; a simulated one has another for every size: the first."""
        first = {row["dataset"]: row["source"] for row in reversed(self.done)}
        return [first[dataset] for dataset in dict.fromkeys(row["dataset"] for row in self.done)]

    def by_steps(self, dataset: str, name: str, quantity: Callable[[Row], float]) -> Points:
        """Return (steps or frequencies, median of a quantity), by "max_iter" or "n_frequencies"."""
        (other,) = set(self._usual_parameters) - {name}
        # The same trials for all: the usual setting has more of them.
        trials = self._step_trials[dataset]
        return medians(
            (row["parameters"][name], quantity(row))
            for row in self.done
            if (row["method"], row["dataset"], row["max_unlabeled"]) == (QSG, dataset, self.n_compared)
            and row["parameters"][other] == self._usual_parameters[other]
            and row["trial"] in trials
        )

    def step_growth(self, name: str, quantity: Callable[[Row], float]) -> dict[str, float]:
        """Return the exponent of a quantity in steps or frequencies at the three largest values, by dataset."""
        return {dataset: exponent(self.by_steps(dataset, name, quantity)[-3:]) for dataset in self.step_datasets}

    def course(self, method: str, dataset: str, **values: Any) -> Points:
        """Return (median seconds, median AUC) by unlabelled rows, over the trials of `by_steps`."""
        trials, by_size = self._step_trials[dataset], defaultdict(list)
        for row in self.of(method, dataset=dataset, n_labeled=self.n_labeled, **values):
            if row["trial"] in trials:
                by_size[row["n_unlabeled"]].append(row)
        return [
            (float(np.median([seconds_of(row) for row in rows])), float(np.median([row["test_auc"] for row in rows])))
            for _, rows in sorted(by_size.items())
            if {row["trial"] for row in rows} == trials
        ]

    def by_labels(self, method: str, dataset: str) -> dict[int, list[float]]:
        """Return test AUCs by the number of labels; trials are those that every number of labels has."""
        rows = self.of(method, dataset=dataset, max_unlabeled=self.n_compared)
        found: dict[int, dict[int, float]] = defaultdict(dict)
        for row in rows:
            found[row["n_labeled"]][row["trial"]] = row["test_auc"]
        shared = set.intersection(*map(set, found.values())) if found else set()
        return {count: [found[count][trial] for trial in sorted(shared)] for count in sorted(found)}

    @property
    def convergences(self) -> list[Convergence]:
        """The course of the theorem's runs, dataset by dataset."""
        found = []
        for dataset in dict.fromkeys(row["dataset"] for row in self._theorem):
            runs = [row for row in self._theorem if row["dataset"] == dataset]
            times = list(runs[0]["times"])
            distances = {
                part: np.mean([np.array(run[part]) / run["scale"] for run in runs], axis=0).tolist()
                for part in ("total", "features", "data")
            }
            slopes = {part: exponent(list(zip(times, values, strict=True))) for part, values in distances.items()}
            found.append(Convergence(dataset, times, distances, slopes, len(runs)))
        return found
