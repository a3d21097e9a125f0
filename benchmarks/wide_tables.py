"""The tables of benchmarks/wide.py as files, and as datasets of the harness.

The benchmark makes them once and writes them into a folder; every fit, in a process of its own, reads its rows from
there. This module is a plugin of the harness (`s2auc.experiments.harness.trial_rows`).
"""

import hashlib
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from scipy.sparse import csr_array
from text_tasks import TEXT_TASKS, WideTable

from s2auc.experiments.datasets.split import semi_supervised_split
from s2auc.experiments.harness.cells import Cell
from s2auc.experiments.harness.spec import Spec
from s2auc.experiments.harness.trial_rows import LOADERS, TrialRows
from s2auc.experiments.methods.table import Sizes

DENSE = "dense"
SHAPES = tuple(f"shape_{number}" for number in range(1, 5))
N_FACTORS, N_TELLING, FACTOR_NOISE = 4, 20, 0.5


def dense(n_rows: int, n_columns: int, seed: int) -> WideTable:
    """Return normal columns; the label is a noisy function of a few factors, which 20 correlated columns show."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, n_columns))
    factors = rng.normal(size=(n_rows, N_FACTORS))
    X[:, :N_TELLING] = 0.5 * X[:, :N_TELLING] + factors @ rng.normal(size=(N_FACTORS, N_TELLING)) / N_FACTORS**0.5
    signal = factors.sum(axis=1) / N_FACTORS**0.5
    y = signal + FACTOR_NOISE * rng.normal(size=n_rows) > 0
    return WideTable(X, y, f"{N_TELLING} correlated columns that tell and others that do not, made up")


def write_table(folder: Path, name: str, table: WideTable) -> None:
    """Write a table into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    is_sparse = isinstance(table.X, csr_array)
    names = ("data", "indices", "indptr") if is_sparse else ()
    arrays = {part: getattr(table.X, part) for part in names} if is_sparse else {"rows": table.X}
    np.savez(folder / f"{name}.npz", y=table.y, shape=table.X.shape, source=table.source, **arrays)


def read_table(folder: Path, name: str) -> WideTable:
    """Return a table that was written."""
    with np.load(folder / f"{name}.npz", allow_pickle=False) as stored:
        arrays = dict(stored)
    if "rows" in arrays:
        return WideTable(arrays["rows"], arrays["y"], str(arrays["source"]))
    X = csr_array((arrays["data"], arrays["indices"], arrays["indptr"]), shape=tuple(arrays["shape"]))
    return WideTable(X, arrays["y"], str(arrays["source"]))


class WideTrialRows(TrialRows):
    """Rows of a trial that may be sparse."""

    @property
    def sizes(self) -> Sizes:
        """Numbers of training rows and of columns."""
        return Sizes(self.X_labeled.shape[0], self.X_unlabeled.shape[0], self.X_labeled.shape[1])


def load_rows(cell: Cell, folder: str | None) -> TrialRows:
    """Return the rows of a trial; test rows are at most half of those that are not labelled."""
    table = read_table(Path(folder or "."), cell.dataset)
    n_test = min(cell.max_test, (len(table.y) - cell.n_labeled) // 2)
    split = semi_supervised_split(
        table.y, n_labeled=cell.n_labeled, n_test=n_test, n_unlabeled=cell.max_unlabeled, seed=cell.seed
    )
    X_labeled, X_unlabeled, X_test = (table.X[part] for part in (split.labeled, split.unlabeled, split.test))
    return WideTrialRows(X_labeled, table.y[split.labeled], X_unlabeled, X_test, table.y[split.test], table.source)


@dataclass(frozen=True, kw_only=True)
class WideSpec(Spec):
    """A specification whose cells know the tables' contents: another text, with other versions, is another cell."""

    def cells(self, folder: str | None = None) -> list[Cell]:
        """Return all cells."""
        digests = {name: _digest(Path(folder or ".") / f"{name}.npz") for name in self.datasets}
        return [replace(cell, data=digests[cell.dataset]) for cell in super().cells(folder)]


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:16]


LOADERS.update(dict.fromkeys((*TEXT_TASKS, DENSE, *SHAPES), load_rows))
