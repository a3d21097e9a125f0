"""Tables for the benchmark of stated AUCs: files as people have them, without the columns that give the label away.

A table is a CSV file in a folder, or an archive with arrays ``X`` and ``y`` (`NAME.npz`).
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np


@dataclass(frozen=True)
class TableFile:
    """A CSV file: its label column, what is positive, and columns that are known only after the outcome."""

    name: str
    label: str
    is_positive: Callable[[Any], Any]
    dropped: tuple[str, ...] = ()
    separator: str = ","


TABLE_FILES = {
    "bank": TableFile("bank.csv", "y", lambda y: y == "yes", separator=";"),
    "loans": TableFile("loans.csv", "grade", lambda y: y.isin(list("DEFG")), ("sub_grade", "interest_rate")),
    "adult": TableFile("adult.csv", "income", lambda y: y.str.strip() == ">50K"),
    "telco": TableFile("telco_churn.csv", "Churn", lambda y: y == "Yes"),
    "hotel": TableFile(
        "hotel_bookings.csv", "is_canceled", lambda y: y == 1, ("reservation_status", "reservation_status_date")
    ),
    "taxis": TableFile("taxis.csv", "tip", lambda y: y > 0, ("total",)),
}


@dataclass(frozen=True, eq=False)
class Rows:
    """The rows of a table, and which of them are positive."""

    X: Any
    is_positive: np.ndarray

    def take(self, numbers: np.ndarray) -> Any:
        """Return some rows."""
        return self.X.iloc[numbers].reset_index(drop=True) if hasattr(self.X, "iloc") else self.X[numbers]


def load_rows(name: str, folder: Path) -> Rows:
    """Return the rows of a table of a folder."""
    if name in TABLE_FILES:
        import pandas as pd

        table = TABLE_FILES[name]
        X = pd.read_csv(folder / table.name, sep=table.separator)
        is_positive = np.asarray(table.is_positive(X.pop(table.label)), dtype=bool)
        return Rows(X.drop(columns=list(table.dropped)), is_positive)
    with np.load(folder / f"{name}.npz") as archive:
        return Rows(archive["X"].astype(np.float32), archive["y"] == 1)
