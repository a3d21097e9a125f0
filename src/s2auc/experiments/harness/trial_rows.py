"""The rows of a trial: loaded, cut into labelled, unlabelled and test rows, and scaled.

A plugin, a module that a specification names, adds datasets of its own: ``LOADERS["mine"] = load_mine``, where
``load_mine(cell, folder)`` returns a `TrialRows`, most simply by `cut`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from s2auc.common.arrays import AnyArray, BoolArray
from s2auc.experiments.harness.cells import Cell
from s2auc.experiments.methods.table import Sizes


@dataclass(frozen=True, eq=False)
class TrialRows:
    """Rows of one trial; no array shares memory with another.

    Attributes
    ----------
    X_labeled, y_labeled, X_unlabeled
        What the learner gets.
    X_test, y_test
        What it is measured on.
    source
        One sentence that says which rows these are.
    """

    X_labeled: AnyArray
    y_labeled: BoolArray
    X_unlabeled: AnyArray
    X_test: AnyArray
    y_test: BoolArray
    source: str

    @property
    def sizes(self) -> Sizes:
        """Numbers of training rows and of columns."""
        return Sizes(len(self.X_labeled), len(self.X_unlabeled), self.X_labeled.shape[1])


TABLE_MINMAX = "minmax_of_table"
"""Columns from 0 to 1 over the whole table, test rows included: the same scaling for every fit on the table."""

Loader: TypeAlias = Callable[[Cell, str | None], TrialRows]

#: Datasets of plugins by their names.
LOADERS: dict[str, Loader] = {}


def load_trial_rows(cell: Cell, folder: str | None) -> TrialRows:
    """Return the rows of a cell.

    Parameters
    ----------
    cell
        The trial.
    folder
        Data folder as in `s2auc.experiments.datasets.load_dataset`.
    """
    if cell.dataset in LOADERS:
        return LOADERS[cell.dataset](cell, folder)
    from s2auc.experiments.datasets.load import load_dataset

    dataset = load_dataset(cell.dataset, folder=folder, n_rows=_rows_to_load(cell, folder), seed=cell.seed)
    return cut(dataset.X, dataset.y, dataset.source, cell)


def cut(X: AnyArray, y: BoolArray, source: str, cell: Cell) -> TrialRows:
    """Return the parts of a dataset that a cell asks for.

    Parameters
    ----------
    X, y
        All rows, and True for the positive ones.
    source
        One sentence that says which rows these are.
    cell
        The trial: its sizes, scaling and seed.
    """
    # Here and not above: both import scikit-learn, which datasets and methods of plugins may do without.
    from s2auc.data.features.scaling import SCALINGS
    from s2auc.experiments.datasets.split import semi_supervised_split

    n_test = min(cell.max_test, (len(y) - cell.n_labeled) // 2)
    if n_test < 2:
        raise ValueError(
            f"{cell.dataset} must have rows for {cell.n_labeled:,} labelled and two test rows at least. Got "
            f"{len(y):,} rows; ask for fewer labelled rows."
        )
    split = semi_supervised_split(
        y, n_labeled=cell.n_labeled, n_test=n_test, n_unlabeled=cell.max_unlabeled, seed=cell.seed
    )
    labeled, unlabeled, test = X[split.labeled], X[split.unlabeled], X[split.test]
    if cell.scaling == TABLE_MINMAX:
        columns = SCALINGS["minmax"](np.asarray(X, dtype=np.float64))
    else:
        columns = SCALINGS[cell.scaling](np.concatenate([labeled, unlabeled]).astype(np.float64))
    parts = [np.ascontiguousarray(columns.apply(part), dtype=np.float32) for part in (labeled, unlabeled, test)]
    return TrialRows(parts[0], y[split.labeled], parts[1], parts[2], y[split.test], source)


def data_identity(dataset: str, folder: str | None) -> str:
    """Return names and sizes of the files a dataset is read from; empty for datasets without files.

    Results on one excerpt of a dataset are not results on another, though its name be the same. An unknown dataset, or
    one whose files are missing, raises an error.

    Parameters
    ----------
    dataset
        Name of the dataset.
    folder
        Data folder as in `s2auc.experiments.datasets.load_dataset`.
    """
    if dataset in LOADERS:
        return ""
    from s2auc.experiments.datasets.locate import locate
    from s2auc.experiments.datasets.table import find_entry

    entry = find_entry(dataset)
    paths = locate(entry, folder).paths if entry.kind == "published" else ()
    return ", ".join(f"{path.name} ({path.stat().st_size} bytes)" for path in paths)


def _rows_to_load(cell: Cell, folder: str | None) -> int | None:
    """Return how many rows to make, or to pick while a large text file streams by; None for all there are."""
    from s2auc.experiments.datasets.locate import locate
    from s2auc.experiments.datasets.table import DATASETS

    entry = DATASETS[cell.dataset]
    if cell.max_unlabeled is None:
        return None
    n_wanted = cell.n_labeled + cell.max_unlabeled + cell.max_test
    if entry.generate is not None:
        return n_wanted
    is_text = entry.kind == "published" and locate(entry, folder).file is not None
    return n_wanted if is_text and n_wanted < entry.n_rows else None
