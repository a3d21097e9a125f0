"""Permutation importance of columns: the drop of the AUC where the values of a column are shuffled among rows.

Every column sees the same shuffles. Of many columns those are looked at closely that move scores most, which takes no
labels and one shuffle; of very many, those are tried that go along with scores.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from s2auc.common.arrays import BoolArray, FloatArray, IndexArray, is_sparse
from s2auc.common.progress import Progress, tell_progress
from s2auc.common.randomness import derived_seed
from s2auc.data.sources.rows import Rows, count_rows, dense_rows, stack_rows
from s2auc.models.model import Model
from s2auc.ranking.metrics import auc
from s2auc.reports.measures.source_columns import SourceColumn, shuffled, source_columns

N_SHUFFLES = 5
MAX_COLUMNS = 20
"""Columns that are looked at closely."""

MAX_TRIED = 200
"""Columns of which it is found out how far they move scores."""

TRIED_ROWS = 100
"""Rows that this is found out from."""

STACKED_VALUES = 2**23
"""Values of rows that are scored at once."""


@dataclass(frozen=True)
class ColumnImportance:
    """How much a column matters.

    Attributes
    ----------
    column
        Which one.
    drops
        The AUC less that after each shuffle of the column.
    """

    column: SourceColumn
    drops: tuple[float, ...]

    @property
    def mean(self) -> float:
        """The mean drop."""
        return float(np.mean(self.drops))


@dataclass(frozen=True)
class Importance:
    """How much columns matter.

    Attributes
    ----------
    auc, n_rows
        The AUC of the rows as they are, and how many they are.
    columns
        The columns that were looked at closely, those that matter most first.
    n_tried, n_columns
        How many were tried, of how many.
    """

    auc: float
    n_rows: int
    columns: tuple[ColumnImportance, ...]
    n_tried: int
    n_columns: int


def count_shuffles(model: Model) -> int:
    """Return how often rows are scored to measure importance."""
    return min(MAX_COLUMNS, model.schema.n_sources) * N_SHUFFLES


def measure_importance(model: Model, rows: Rows, is_positive: BoolArray, *, seed: int = 0) -> Importance:
    """Return how far the AUC of a model drops where a column is shuffled, for the columns that matter most.

    Parameters
    ----------
    model
        What scores.
    rows, is_positive
        Rows by the columns of the model, dense or sparse, and which of them are positive.
    seed
        Where shuffles come from.

    Examples
    --------
    >>> from s2auc import S2AUCClassifier
    >>> rows = np.random.default_rng(0).normal(size=(80, 2))
    >>> ranker = S2AUCClassifier(random_state=0, max_iter=50).fit(rows, rows[:, 1] > 0, rows)
    >>> found = measure_importance(ranker.model_, rows, rows[:, 1] > 0)
    >>> [column.column.name for column in found.columns], found.columns[0].mean > 0.3
    (['column 1', 'column 0'], True)
    """
    columns = source_columns(model.schema)
    tried = columns if len(columns) <= MAX_COLUMNS else likely_columns(model, rows, columns)
    close = tried if len(tried) <= MAX_COLUMNS else strongest_columns(model, rows, tried, MAX_COLUMNS, seed=seed)
    random = np.random.default_rng(derived_seed(seed, "importance"))
    orders = [random.permutation(count_rows(rows)) for _ in range(N_SHUFFLES)]
    whole = auc(is_positive, model.score_rows(rows))
    found = []
    for place, column in enumerate(close):
        tell_progress(Progress("columns", column.name[:40], n_done=place, n_all=len(close)))
        scores = _scores(model, [(rows, column, order) for order in orders])
        found.append(ColumnImportance(column, tuple(whole - auc(is_positive, part) for part in scores)))
    found.sort(key=lambda entry: -entry.mean)
    return Importance(whole, count_rows(rows), tuple(found), len(tried), len(columns))


def strongest_columns(
    model: Model, rows: Rows, columns: Sequence[SourceColumn], most: int, *, seed: int = 0
) -> list[SourceColumn]:
    """Return the columns that move scores most where they are shuffled once, the strongest first; no labels needed."""
    few = rows[:TRIED_ROWS]
    order = np.random.default_rng(derived_seed(seed, "strength")).permutation(count_rows(few))
    whole = model.score_rows(few)
    scores = _scores(model, [(few, column, order) for column in columns])
    moved = [float(np.mean(np.abs(part - whole))) for part in scores]
    return [columns[place] for place in np.argsort(-np.array(moved), kind="stable")[:most]]


def likely_columns(model: Model, rows: Rows, columns: Sequence[SourceColumn]) -> list[SourceColumn]:
    """Return the columns that go along with scores most, by correlation; all if there are no more than are tried."""
    if len(columns) <= MAX_TRIED:
        return list(columns)
    scores = model.score_rows(rows)
    strength = np.abs(_correlations(rows, scores - scores.mean()))
    best = [float(strength[column.first : column.last].max()) for column in columns]
    return [columns[place] for place in sorted(np.argsort(-np.array(best), kind="stable")[:MAX_TRIED])]


def _correlations(rows: Rows, scores: FloatArray) -> FloatArray:
    """Return the correlation of every column with centred scores, but for a factor that all have in common."""
    values: Any = rows if is_sparse(rows) else _centred(dense_rows(rows))
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        mean = np.asarray(values.mean(axis=0)).ravel()
        squares = np.asarray((values * values).mean(axis=0)).ravel() - np.square(mean)
        found: FloatArray = np.asarray(values.T @ scores).ravel() / np.sqrt(squares)
    return np.where(np.isfinite(found), found, 0.0)


def _centred(rows: FloatArray) -> FloatArray:
    """Return dense rows less the means of their columns; missing values are at the mean."""
    is_missing = np.isnan(rows)
    mean = np.where(is_missing, 0.0, rows).sum(axis=0) / np.maximum(len(rows) - is_missing.sum(axis=0), 1)
    return np.where(is_missing, 0.0, rows - mean)


def _scores(model: Model, jobs: Sequence[tuple[Rows, SourceColumn, IndexArray]]) -> list[FloatArray]:
    """Return the scores of rows for each column and order: several at once, as long as they take little memory."""
    n_rows, n_columns = jobs[0][0].shape
    at_once = max(1, STACKED_VALUES // max(1, n_rows * n_columns))
    found: list[FloatArray] = []
    for first in range(0, len(jobs), at_once):
        stacked = stack_rows([shuffled(*job) for job in jobs[first : first + at_once]])
        found += np.split(model.score_rows(stacked), count_rows(stacked) // n_rows)
    return found
