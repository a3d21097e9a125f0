"""The paper's datasets and grid, and how much of its experiments a run covers."""

from dataclasses import dataclass, field
from typing import Any

from s2auc.experiments.harness.store import Row
from s2auc.experiments.harness.trial_rows import TABLE_MINMAX

PAPER_DATASETS = ("codrna", "ijcnn1", "susy", "covtype", "higgs", "skin", "dota2", "unclonable")
"""The paper's eight datasets, in its order."""

LEARNABLE = "unclonable_single"
"""A simulated PUF that 200 labels teach something of."""

SIMULATED = ("unclonable", LEARNABLE)
"""Datasets of the paper that are simulated here, and so have as many rows as are asked for."""

POWERS = [2.0**power for power in range(-3, 4)]
"""The paper's grid of λ and of σ: 2⁻³ to 2³. It does not say how fine; here every power of two."""

PROTOCOL = 2
"""Version of the protocol, told on the page. 1 learnt the scaling of columns from the rows of each fit, fitted PNU-AUC
on all rows with settings found with 200 centres, had no method as published, and timed every fit once."""

LIMITS: dict[str, Any] = {
    "time_limit_seconds": 3_600,
    "memory_limit": "8 GB",
    "threads": 1,
    "scaling": TABLE_MINMAX,
    "repeats": 3,
}


def protocol_of(row: Row) -> int:
    """Return the version of the protocol that a row was made by.

    Examples
    --------
    >>> protocol_of({"scaling": "minmax"}), protocol_of({"experiment": "theorem", "second_rule": [0.1]})
    (1, 2)
    """
    return PROTOCOL if "second_rule" in row or row.get("scaling") == TABLE_MINMAX else 1


@dataclass(frozen=True)
class Extent:
    """How much a run covers.

    Attributes
    ----------
    datasets
        Tables of the comparison.
    trials, few_trials
        Trials of the comparison of AUCs, and of all that is followed over sizes, steps, grids or labels, and of PNU-AUC
        with all rows, whose search takes minutes.
    n_tuning
        Unlabelled rows that settings are chosen with, at most: the exact methods take cubic time for each width.
    sizes
        Unlabelled rows with which all methods make several trials; AUCs are compared at the last one.
    single_sizes
        Unlabelled rows with which the exact methods make one trial.
    large_sizes
        Unlabelled rows that the exact methods cannot take, as far as a table has them; simulated ones have any number.
    n_labeled, n_test
        Labelled rows, and most test rows.
    label_counts
        Numbers of labels at which all rows are compared with labelled rows only.
    step_datasets, step_counts, frequency_counts
        Tables, numbers of steps and of frequencies a step by which time and AUC of QSG-S2AUC are followed.
    growth_datasets
        Tables on which time and memory of SSRankBoost and OptAG are followed.
    theorem_datasets, theorem_rows, theorem_seeds, theorem_steps
        Tables, rows, seeds and steps of the distance to the minimiser.
    """

    datasets: tuple[str, ...]
    trials: int = 10
    few_trials: int = 3
    n_tuning: int = 1_000
    sizes: tuple[int, ...] = (1_000, 3_000, 10_000)
    single_sizes: tuple[int, ...] = (20_000,)
    large_sizes: tuple[int, ...] = (50_000, 200_000, 1_000_000)
    n_labeled: int = 200
    n_test: int = 10_000
    label_counts: tuple[int, ...] = (10, 30, 100, 200, 1_000)
    step_datasets: tuple[str, ...] = ("codrna", "covtype", "susy")
    step_counts: tuple[int, ...] = (25, 50, 100, 200, 400, 800, 1_600)
    frequency_counts: tuple[int, ...] = (16, 32, 64, 128, 256)
    growth_datasets: tuple[str, ...] = ("codrna", "susy")
    theorem_datasets: tuple[str, ...] = ("codrna", "ijcnn1", "susy")
    theorem_rows: int = 300
    theorem_seeds: int = 8
    theorem_steps: int = 3_000
    limits: dict[str, Any] = field(default_factory=lambda: dict(LIMITS))

    @property
    def compared_size(self) -> int:
        """Unlabelled rows with which AUCs are compared."""
        return self.sizes[-1]


FULL = Extent(datasets=(*PAPER_DATASETS, LEARNABLE))
"""The paper's experiments, in a few hours on two cores."""

QUICK_DATASETS = ("codrna", "skin")
"""Tables of a quick run, for whoever has a folder with some of them."""


def quick_extent(datasets: tuple[str, ...], theorem_datasets: tuple[str, ...]) -> Extent:
    """Return every figure in small."""
    return Extent(
        datasets=datasets,
        trials=2,
        few_trials=1,
        n_tuning=300,
        sizes=(300, 1_000, 2_000),
        single_sizes=(4_000,),
        large_sizes=(20_000,),
        n_test=2_000,
        label_counts=(20, 100),
        step_datasets=datasets[:1],
        step_counts=(25, 100, 400),
        frequency_counts=(16, 64, 256),
        growth_datasets=datasets[:1],
        theorem_datasets=theorem_datasets,
        theorem_rows=150,
        theorem_seeds=6,
        theorem_steps=1_000,
        # The fourth size is then what the exact methods cannot hold.
        limits={**LIMITS, "memory_limit": "1 GB"},
    )


WITHOUT_FILES = quick_extent(("moons", LEARNABLE), ("moons", "blobs"))
"""Every figure in small, on generated tables."""
