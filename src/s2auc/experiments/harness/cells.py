"""One trial of one method on one dataset: what determines its result, and the key under which it is kept."""

import hashlib
import json
from dataclasses import asdict, dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any


class Status(StrEnum):
    """How a trial ended. Only the rows that are `ok` have an AUC."""

    OK = "ok"
    SKIPPED = "skipped"
    TIMEOUT = "timeout"
    OUT_OF_MEMORY = "out_of_memory"
    CRASHED = "crashed"
    ERROR = "error"
    INVALID = "invalid"


@dataclass(frozen=True)
class Cell:
    """Everything that determines a result, and nothing else.

    Time limits, memory limits, threads and folders are not part of it: they decide whether there is a result,
    not which one.

    Attributes
    ----------
    dataset, method
        Names in the tables.
    n_labeled
        Number of labelled rows.
    max_unlabeled
        At most this many unlabelled rows; None for all that are left.
    max_test
        At most this many test rows, and at most half of the rows that are not labelled.
    scaling
        Name in `SCALINGS` of `s2auc.data.features.scaling`, learnt from all training rows; or "minmax_of_table", from
        0 to 1 over the whole table.
    trial
        Number of the trial, from 0.
    seed
        Seed of rows and method, see `trial_seed`.
    parameters
        Parameters of the method.
    library
        `Method.identity`: library, its version, and version of the method's results.
    data
        What identifies the dataset's files: names and sizes.
    """

    dataset: str
    method: str
    n_labeled: int
    max_unlabeled: int | None
    max_test: int
    scaling: str
    trial: int
    seed: int
    parameters: dict[str, Any]
    library: str = ""
    data: str = ""

    @cached_property
    def key(self) -> str:
        """Return a digest of all fields: any change of them makes another cell."""
        canonical = json.dumps(asdict(self), sort_keys=True, separators=(",", ":"), allow_nan=False)
        return hashlib.sha256(canonical.encode()).hexdigest()[:32]


def trial_seed(seed: int, dataset: str, trial: int) -> int:
    """Return the seed of a trial.

    It is the same for all methods and sizes, so that methods meet the same rows and their differences are
    paired, and other for every dataset and trial.

    Examples
    --------
    >>> trial_seed(0, "moons", 0) == trial_seed(0, "moons", 0) != trial_seed(0, "moons", 1)
    True
    """
    digest = hashlib.sha256(f"{seed}/{dataset}/{trial}".encode()).digest()
    return int.from_bytes(digest[:4], "big") >> 1
