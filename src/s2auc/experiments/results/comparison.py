"""Methods compared over a group of tables: mean AUC, mean rank, paired differences, worst deficit, seconds."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import isnan

import numpy as np

from s2auc.experiments.datasets.groups import GROUPS
from s2auc.experiments.results.summary import Conditions, Summary, standard_error
from s2auc.experiments.results.tables import Table


@dataclass(frozen=True)
class Standing:
    """How a method stands among others; every table counts alike.

    Attributes
    ----------
    method
        Its name.
    mean_auc, mean_rank, mean_seconds
        Means over tables of what it has in the mean over trials; rank 1 is the best mean AUC of a table.
    differences
        Its mean AUC minus the reference's, table by table.
    median_seconds, median_bytes
        Medians over tables of the seconds and of the memory of a fit; None for memory that was not kept.
    worst_deficit, worst_dataset
        How far it falls short of the best method at most, and on which table.
    """

    method: str
    mean_auc: float
    mean_rank: float
    mean_seconds: float
    median_seconds: float
    median_bytes: float | None
    differences: dict[str, float]
    worst_deficit: float
    worst_dataset: str

    @property
    def difference(self) -> float:
        """Mean of the differences."""
        return float(np.mean(list(self.differences.values())))

    @property
    def error(self) -> float:
        """Standard error of their mean over tables; NaN for one table."""
        return standard_error(list(self.differences.values()))


@dataclass(frozen=True)
class Comparison:
    """Methods on the trials that all of them have a result for.

    Attributes
    ----------
    n_labeled
        Number of labelled rows.
    datasets
        Tables that count.
    left_out
        Tables that do not count because the methods have no trial in common.
    fewest_trials, most_trials
        Common trials of a table.
    standings
        One of each method, the highest mean AUC first.
    winners
        The method with the highest mean AUC of each table that counts.
    """

    n_labeled: int
    datasets: tuple[str, ...]
    left_out: tuple[str, ...]
    fewest_trials: int
    most_trials: int
    standings: tuple[Standing, ...]
    winners: dict[str, str]

    def of(self, method: str) -> Standing | None:
        """Return how a method stands, None if it has no part in the comparison."""
        return next((standing for standing in self.standings if standing.method == method), None)


def compare(
    summary: Summary, datasets: Iterable[str], n_labeled: int, reference: str, methods: Sequence[str] | None = None
) -> Comparison | None:
    """Return the comparison over a group of tables, None if there is no result of the reference to compare with.

    Parameters
    ----------
    summary
        Results.
    datasets
        Names of the tables of the group, in the order in which to tell of them.
    n_labeled
        Number of labelled rows.
    reference
        Method that others are compared with.
    methods
        Methods to compare, the reference among them; None for all.
    """
    if methods is not None:
        summary = Summary(row for row in summary.rows if row["method"] in methods)
    of_size = [setting for setting in summary.settings if setting.n_labeled == n_labeled]
    settings = [setting for dataset in datasets for setting in of_size if setting.dataset == dataset]
    common = summary.common(settings)
    if reference not in common.methods:
        return None
    trials = [len(common.of(setting, reference)) for setting in common.settings]
    ranks = common.mean_ranks(common.settings)
    standings = [_standing(common, method, reference, ranks[method]) for method in common.methods]
    return Comparison(
        n_labeled=n_labeled,
        datasets=tuple(setting.dataset for setting in common.settings),
        left_out=tuple(setting.dataset for setting in settings if setting not in common.settings),
        fewest_trials=min(trials),
        most_trials=max(trials),
        standings=tuple(sorted(standings, key=lambda standing: -standing.mean_auc)),
        winners={setting.dataset: _winner(common, setting) for setting in common.settings},
    )


def comparison_tables(summary: Summary, reference: str) -> list[Table]:
    """Return a table for every group of datasets and number of labelled rows that there are results for.

    Parameters
    ----------
    summary
        Results.
    reference
        Method that others are compared with.
    """
    return [
        _table(name, comparison, reference)
        for name, datasets in GROUPS.items()
        for n_labeled in dict.fromkeys(setting.n_labeled for setting in summary.settings)
        if (comparison := compare(summary, datasets, n_labeled, reference)) is not None
    ]


def with_error(value: float, error: float, form: str) -> str:
    """Return a number with its standard error, which a single table does not have.

    Examples
    --------
    >>> with_error(0.0125, 0.25, "+.2f"), with_error(0.0125, float("nan"), "+.2f")
    ('+0.01 ± 0.25', '+0.01')
    """
    return f"{value:{form}}" if isnan(error) else f"{value:{form}} ± {error:{form.removeprefix('+')}}"


def _table(name: str, comparison: Comparison, reference: str) -> Table:
    left_out = f" Left out: {', '.join(comparison.left_out)}." if comparison.left_out else ""
    return Table(
        f"Tables {name}, {comparison.n_labeled:,} labelled rows",
        ["method", "mean AUC", "mean rank", f"minus {reference}", "worst deficit", "where", "mean seconds"],
        [
            [
                standing.method,
                f"{standing.mean_auc:.4f}",
                f"{standing.mean_rank:.2f}",
                with_error(standing.difference, standing.error, "+.4f"),
                f"{standing.worst_deficit:.4f}",
                standing.worst_dataset,
                f"{standing.mean_seconds:.2f}",
            ]
            for standing in comparison.standings
        ],
        f"Tables that count: {len(comparison.datasets)}, each by its mean over the trials that all methods have a "
        f"result for. ± is the standard error over tables.{left_out}",
    )


def _standing(common: Summary, method: str, reference: str, mean_rank: float) -> Standing:
    deficits = common.deficits(common.settings, method)
    worst = max(deficits, key=deficits.__getitem__)
    has_memory = all(row.get("fit_memory_bytes") is not None for row in common.rows if row["method"] == method)

    def by_table(quantity: str) -> list[float]:
        return [common.mean(setting, method, quantity).value for setting in common.settings]

    return Standing(
        method=method,
        mean_auc=float(np.mean(by_table("test_auc"))),
        mean_rank=mean_rank,
        mean_seconds=float(np.mean(by_table("fit_seconds"))),
        median_seconds=float(np.median(by_table("fit_seconds"))),
        median_bytes=float(np.median(by_table("fit_memory_bytes"))) if has_memory else None,
        differences={
            setting.dataset: common.difference(setting, method, reference).value for setting in common.settings
        },
        worst_deficit=deficits[worst],
        worst_dataset=worst.dataset if deficits[worst] else "",
    )


def _winner(common: Summary, setting: Conditions) -> str:
    means: dict[str, float] = {method: common.mean(setting, method).value for method in common.methods}
    return max(means, key=means.__getitem__)
