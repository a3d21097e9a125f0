"""What figures and claims ask of rows: sizes and seconds, AUCs, exponents, courses of steps."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from s2auc.experiments.harness.cells import Status
from s2auc.experiments.harness.store import Row
from s2auc.experiments.reproduction.protocol import FULL, LEARNABLE, protocol_of
from s2auc.experiments.reproduction.quantities import (
    Difference,
    Points,
    exponent,
    last_exponent,
    medians,
    seconds_of,
    uses_unlabeled,
)
from s2auc.experiments.reproduction.stages import COMPARED, EXACT, PNU_200, PUBLISHED, QSG, SAMULT, SEARCH_OF
from s2auc.experiments.reproduction.texts import TEXTS
from s2auc.experiments.reproduction.theorem import EXPERIMENT

NAMES: dict[str, str] = TEXTS["names"]
"""What methods are called in figures and tables."""

FIRST_ASYMPTOTIC = 3_000
"""Growth shows where both of the sizes that an exponent is taken from have at least so many unlabelled rows."""

CHANCE = 0.55
"""A table on which no method of the paper has a higher mean AUC is at chance: it cannot tell methods apart."""

RIVALS = (*EXACT, PNU_200)
"""The methods that the paper compares with, PNU-AUC also as its authors' program runs it."""


_UNITS = {
    **dict.fromkeys(("total", "features", "data", "second_rule"), "scale"),
    **dict.fromkeys(("data_norm", "second_rule_norm"), "norm"),
}
"""Distances of the theorem's runs, and what they are measured by."""


@dataclass(frozen=True, eq=False)
class Convergence:
    """Mean distances over the runs of one dataset, by the minimiser's mean square or squared norm, and their slopes."""

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
    protocol
        Version of the protocol that the rows were made by; rows of older ones are left out.
    main
        The method whose claims are judged: QSG-S2AUC as published, or this library's where that was not run.
    is_quick
        Whether the comparison had fewer rows than that of a full run.
    datasets
        Datasets of the comparison, in the order of the rows.
    paper_datasets
        Those of them that claims count.
    n_labeled
        How many rows are labelled, where their number is not what is varied.
    n_compared
        The largest number of unlabelled rows with which the exact methods make several trials.
    n_tuning
        Unlabelled rows that settings were chosen with, at most.
    step_datasets
        Datasets on which steps and frequencies were varied.
    """

    def __init__(self, rows: Iterable[Row]) -> None:
        rows = list(rows)
        self.protocol = max(map(protocol_of, rows), default=1)
        rows = [row for row in rows if protocol_of(row) == self.protocol]
        self._theorem = [row for row in rows if row["experiment"] == EXPERIMENT]
        self.rows = [row for row in rows if row["experiment"] != EXPERIMENT]
        self.done = [row for row in self.rows if row["status"] == Status.OK]
        of_paper = {row["method"] for row in self.done if row["experiment"] == "paper"}
        self.main = PUBLISHED if PUBLISHED in of_paper else QSG
        usual = [row for row in self.done if row["method"] == self.main and row["experiment"] == "paper"]
        if not usual:
            raise ValueError("A reproduction must have trials of QSG-S2AUC. Got none; run it first.")
        self._usual_parameters = {name: usual[0]["parameters"][name] for name in ("max_iter", "n_frequencies")}
        self.methods = tuple(method for method in COMPARED if method in of_paper)
        self.datasets = list(dict.fromkeys(row["dataset"] for row in self.rows if row["method"] in COMPARED))
        self.paper_datasets = [dataset for dataset in self.datasets if dataset != LEARNABLE]
        self.n_labeled = usual[0]["n_labeled"]
        self.n_compared = max(row["max_unlabeled"] for row in usual)
        searches = [row["max_unlabeled"] for row in self.rows if row["method"] in SEARCH_OF.values()]
        self.n_tuning = max(searches, default=self.n_compared)
        self.is_quick = self.n_compared < FULL.compared_size
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

    def trials(self, method: str, dataset: str, *, max_unlabeled: int | None = None) -> dict[int, float]:
        """Return test AUCs by trial, with the compared number of unlabelled rows unless another is asked for."""
        most = self.n_compared if max_unlabeled is None else max_unlabeled
        rows = self.of(method, dataset=dataset, n_labeled=self.n_labeled, max_unlabeled=most)
        return {row["trial"]: row["test_auc"] for row in sorted(rows, key=lambda row: row["trial"])}

    def aucs(self, method: str, dataset: str, *, max_unlabeled: int | None = None) -> list[float]:
        """Return the same, trial by trial."""
        return list(self.trials(method, dataset, max_unlabeled=max_unlabeled).values())

    def difference(self, dataset: str, other: str) -> Difference:
        """Return the AUC of the judged method minus another's, over the trials that both have."""
        own, theirs = (self.trials(method, dataset) for method in (self.main, other))
        return Difference.of([own[trial] - theirs[trial] for trial in own if trial in theirs])

    def best_rival(self, dataset: str) -> str | None:
        """Return the method of the paper that the judged one has the least lead over; None if none was run."""
        leads = {other: self.difference(dataset, other) for other in RIVALS}
        known = {other: lead.mean for other, lead in leads.items() if lead.n_trials}
        return min(known, key=lambda other: known[other]) if known else None

    def at_chance(self, dataset: str) -> bool:
        """Return whether no method of the paper tells the classes apart on a dataset, within the paper's grid."""
        means = [float(np.mean(values)) for method in self.methods if (values := self.aucs(method, dataset))]
        return max(means, default=0.0) < CHANCE

    def search_seconds(self, method: str, dataset: str) -> float:
        """Return the median seconds of the search that gives a method its settings."""
        rows = self.of(SEARCH_OF[method], dataset=dataset, n_labeled=self.n_labeled)
        return float(np.median([seconds_of(row) for row in rows])) if rows else float("nan")

    def by_size(self, method: str, dataset: str, quantity: Callable[[Row], float]) -> Points:
        """Return (unlabelled rows, median of a quantity over trials), by size.

        Trials whose chosen setting leaves unlabelled rows out (γ = 1) say nothing of them: they count only where there
        are no others.
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
        """Return the local exponent of a quantity at the largest numbers of unlabelled rows, for all methods alike."""
        return last_exponent(self.by_size(method, dataset, quantity))

    def ratios(self, dataset: str, other: str = SAMULT) -> Points:
        """Return (unlabelled rows, seconds of another method by those of the judged one) for sizes that both have."""
        own = dict(self.by_size(self.main, dataset, seconds_of))
        return [
            (size, seconds / own[size]) for size, seconds in self.by_size(other, dataset, seconds_of) if size in own
        ]

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
            if (row["method"], row["dataset"], row["max_unlabeled"]) == (self.main, dataset, self.n_compared)
            and row["parameters"][other] == self._usual_parameters[other]
            and row["trial"] in trials
        )

    def step_growth(self, name: str, quantity: Callable[[Row], float]) -> dict[str, float]:
        """Return the local exponent of a quantity at the largest numbers of steps or frequencies, by dataset."""
        return {dataset: last_exponent(self.by_steps(dataset, name, quantity)) for dataset in self.step_datasets}

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
                part: np.mean([np.array(run[part]) / run[unit] for run in runs], axis=0).tolist()
                for part, unit in _UNITS.items()
                if all(part in run for run in runs)
            }
            slopes = {part: exponent(list(zip(times, values, strict=True))) for part, values in distances.items()}
            found.append(Convergence(dataset, times, distances, slopes, len(runs)))
        return found
