"""Numbers of a report, computed from rows alone."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from scipy.special import stdtrit
from scipy.stats import rankdata

from s2auc.experiments.harness.cells import Status
from s2auc.experiments.harness.store import Row, latest_rows

CONFIDENCE = 0.95
"""Confidence level of all intervals."""


@dataclass(frozen=True, order=True)
class Conditions:
    """A dataset with sizes: what methods are compared on."""

    dataset: str
    n_labeled: int
    max_unlabeled: float = np.inf
    scaling: str = "none"


@dataclass(frozen=True)
class Mean:
    """A mean over trials.

    Attributes
    ----------
    value
        The mean, NaN without trials.
    reach
        Half the width of its t interval; None with fewer than two trials, which tell nothing of the spread.
    n_trials
        Trials that count.
    n_missing
        Trials that other methods have and that are missing here.
    """

    value: float
    reach: float | None
    n_trials: int
    n_missing: int = 0


def mean_of(values: Sequence[float], n_missing: int = 0) -> Mean:
    """Return the mean with the half width of its 95 % t interval.

    Examples
    --------
    >>> mean = mean_of([0.75, 1.0])
    >>> mean.value, round(mean.reach, 4)
    (0.875, 1.5883)
    """
    n = len(values)
    if n < 2:
        return Mean(float(values[0]) if n else np.nan, None, n, n_missing)
    reach = float(stdtrit(n - 1, (1 + CONFIDENCE) / 2)) * standard_error(values)
    return Mean(float(np.mean(values)), reach, n, n_missing)


def standard_error(values: Sequence[float]) -> float:
    """Return the standard error of a mean, NaN of fewer than two values.

    Examples
    --------
    >>> standard_error([0.75, 1.0])
    0.125
    """
    return float(np.std(values, ddof=1)) / sqrt(len(values)) if len(values) > 1 else np.nan


class Summary:
    """Rows of an experiment by setting, method and trial.

    Parameters
    ----------
    rows
        Rows; of several of one cell the last one counts.

    Attributes
    ----------
    settings
        All settings, in the order of the rows.
    methods
        All methods, in the order of the rows.
    failures
        Rows that are not `ok`.
    """

    def __init__(self, rows: Iterable[Row]) -> None:
        self.rows = latest_rows(rows)
        self.settings = list(dict.fromkeys(map(setting_of, self.rows)))
        self.methods = list(dict.fromkeys(row["method"] for row in self.rows))
        self.failures = [row for row in self.rows if row["status"] != Status.OK]
        self._results: dict[tuple[Conditions, str], dict[int, Row]] = {}
        self._trials: dict[Conditions, set[int]] = {}
        for row in self.rows:
            self._trials.setdefault(setting_of(row), set()).add(row["trial"])
            if row["status"] == Status.OK:
                self._results.setdefault((setting_of(row), row["method"]), {})[row["trial"]] = row

    def of(self, setting: Conditions, method: str) -> dict[int, Row]:
        """Return the successful trials of a method."""
        return self._results.get((setting, method), {})

    def common(self, settings: Sequence[Conditions]) -> "Summary":
        """Return the trials of some settings in which every method has a result, to compare like with like.

        Methods without any result in these settings are left out, and so are settings without a common trial.
        """
        methods = [method for method in self.methods if any(self.of(setting, method) for setting in settings)]
        rows = []
        for setting in settings:
            results = [self.of(setting, method) for method in methods]
            shared = [trial for trial in results[0] if all(trial in result for result in results)] if results else []
            rows += [result[trial] for trial in shared for result in results]
        return Summary(rows)

    def n_missing(self, setting: Conditions, method: str) -> int:
        """Return how many trials of the setting the method has no result for."""
        return len(self._trials[setting]) - len(self.of(setting, method))

    def mean(self, setting: Conditions, method: str, quantity: str = "test_auc") -> Mean:
        """Return the mean of a quantity over the successful trials."""
        values = [row[quantity] for row in self.of(setting, method).values()]
        return mean_of(values, self.n_missing(setting, method))

    def difference(self, setting: Conditions, method: str, reference: str) -> Mean:
        """Return the mean AUC of a method minus that of the reference, over the trials both have."""
        own, other = self.of(setting, method), self.of(setting, reference)
        shared = [trial for trial in own if trial in other]
        differences = [own[trial]["test_auc"] - other[trial]["test_auc"] for trial in shared]
        return mean_of(differences, len(self._trials[setting]) - len(shared))

    def deficits(self, settings: Sequence[Conditions], method: str) -> dict[Conditions, float]:
        """Return how far the method's mean AUC falls short of the best method's, where it has one."""
        found = {}
        for setting in settings:
            means = {name: self.mean(setting, name).value for name in self.methods}
            if not np.isnan(means[method]):
                found[setting] = float(np.nanmax(list(means.values())) - means[method])
        return found

    def mean_ranks(self, settings: Sequence[Conditions]) -> dict[str, float]:
        """Return the mean over the settings of each method's rank by mean AUC, 1 for the best.

        Equal means share the mean of their ranks. Methods without a result share the last ranks: not to finish is
        worse than any AUC.
        """
        ranks = []
        for setting in settings:
            means = np.array([self.mean(setting, method).value for method in self.methods])
            ranks.append(rankdata(np.where(np.isnan(means), np.inf, -means)))
        return dict(zip(self.methods, map(float, np.mean(ranks, axis=0)), strict=True))


def setting_of(row: Row) -> Conditions:
    """Return what methods are compared on in a row."""
    most = np.inf if row["max_unlabeled"] is None else row["max_unlabeled"]
    return Conditions(row["dataset"], row["n_labeled"], most, row["scaling"])
