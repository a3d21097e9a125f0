"""Columns that alone tell the label: target leakage, where they are filled in after the outcome is known."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

import numpy as np

from s2auc.common.arrays import BoolArray, FloatArray, IndexArray, is_sparse
from s2auc.data.sources.rows import dense_rows
from s2auc.estimators.fitting.fit_data import FitData
from s2auc.ranking.metrics import auc_of_columns
from s2auc.search.training import Training

LEAK_AUC, STRONG_AUC = 0.985, 0.95
"""Columns with an AUC from the first on are asked about, from the second on mentioned."""

MIN_ROWS = 8
"""With fewer rows of a class some column or other ranks them all by chance."""

MAX_ROWS = 4000
"""Labelled rows that are looked at."""

N_FOLDS = 5
"""Shares of positive rows of a category come from other folds than the rows that they rank."""

MAX_UNLABELED = 2000
"""Unlabelled rows that are looked at."""

MAX_OTHERS = 0.01
"""Share of rows that may be exceptions to "blank where the label is blank"."""


class Leak(StrEnum):
    """The way a column tells the label."""

    VALUES = "values"
    MISSING = "missing values"
    LABELED = "filled in where rows are labelled"


@dataclass(frozen=True)
class TellingColumn:
    """A column that alone tells the label, or whether there is one.

    Attributes
    ----------
    column
        Its number.
    leak
        Whether its values or its missing values do, or it is filled in just where rows are labelled.
    auc
        The AUC of the labelled rows by this column alone; 1 where it is filled in just where rows are labelled.
    """

    column: int
    leak: Leak
    auc: float

    @property
    def is_suspect(self) -> bool:
        """Whether it is likely that the column is filled in after the outcome is known."""
        return self.leak == Leak.LABELED or self.auc >= LEAK_AUC

    def sentence(self, name: str) -> str:
        """Return what users are told of the column.

        Examples
        --------
        >>> print(TellingColumn(3, Leak.VALUES, 1.0).sentence("reservation_status"))
        reservation_status alone gives AUC 1.000: is it known before the outcome?
        """
        if self.leak == Leak.LABELED:
            return f"{name} is filled in where rows are labelled and blank elsewhere, or the reverse: it cannot help."
        whose = f"Whether {name} is missing" if self.leak == Leak.MISSING else name
        question = "is it known before the outcome?" if self.is_suspect else "fine if it is known before the outcome."
        return f"{whose} alone gives AUC {self.auc:.3f}: {question}"


def find_telling_columns(
    labeled: FloatArray, is_positive: BoolArray, unlabeled: FloatArray, is_categorical: BoolArray
) -> list[TellingColumn]:
    """Return columns that alone rank the labelled rows almost perfectly, the strongest first.

    Numbers rank rows by size, upwards or downwards, with missing values at either end; categories by the share of
    positive rows that they have in other folds; missing values by being missing.

    Parameters
    ----------
    labeled, is_positive
        Labelled rows, NaN where a value is missing, and which of them are positive.
    unlabeled
        Some unlabelled rows.
    is_categorical
        Which columns hold codes of categories.

    Examples
    --------
    >>> is_positive = np.arange(40) < 20
    >>> labeled = np.stack([np.arange(40.0) % 7, np.where(is_positive, 1.0, np.nan)], axis=1)
    >>> find_telling_columns(labeled, is_positive, labeled[:0], np.array([False, False]))
    [TellingColumn(column=1, leak=<Leak.MISSING: 'missing values'>, auc=1.0)]
    """
    found = _filled_by_label(labeled, unlabeled)
    if min(is_positive.sum(), np.sum(~is_positive)) >= MIN_ROWS:
        step = -(-len(labeled) // MAX_ROWS)
        found += _ranking(labeled[::step], is_positive[::step], is_categorical, {each.column for each in found})
    return sorted(found, key=lambda each: -each.auc)


def _filled_by_label(labeled: FloatArray, unlabeled: FloatArray) -> list[TellingColumn]:
    if min(len(labeled), len(unlabeled)) < MIN_ROWS:
        return []
    gap = np.isnan(unlabeled).mean(axis=0) - np.isnan(labeled).mean(axis=0)
    places = np.flatnonzero(np.abs(gap) >= 1.0 - MAX_OTHERS).tolist()
    return [TellingColumn(place, Leak.LABELED, 1.0) for place in places]


def _ranking(
    rows: FloatArray, is_positive: BoolArray, is_categorical: BoolArray, skipped: set[int]
) -> list[TellingColumn]:
    is_missing = np.isnan(rows)
    ranked = rows.copy()
    for column in np.flatnonzero(is_categorical).tolist():
        ranked[:, column] = category_shares(np.where(is_missing[:, column], -1.0, rows[:, column]), is_positive)
    by_missing = _best_direction(is_missing.astype(np.float64), is_positive)
    ends = [np.where(np.isnan(ranked), end, ranked) for end in (-np.inf, np.inf)]
    upwards = [auc_of_columns(each[is_positive], each[~is_positive]) for each in ends]
    # Shares already tell which way is up.
    by_value = np.where(is_categorical, upwards[0], np.max([np.maximum(each, 1.0 - each) for each in upwards], axis=0))
    found = []
    for column in range(rows.shape[1]):
        is_by_missing = by_missing[column] >= by_value[column]
        strongest = float(by_missing[column] if is_by_missing else by_value[column])
        if strongest >= STRONG_AUC and column not in skipped:
            found.append(TellingColumn(column, Leak.MISSING if is_by_missing else Leak.VALUES, strongest))
    return found


def _best_direction(values: FloatArray, is_positive: BoolArray) -> FloatArray:
    upwards = auc_of_columns(values[is_positive], values[~is_positive])
    return np.maximum(upwards, 1.0 - upwards)


def category_shares(codes: FloatArray, is_positive: BoolArray) -> FloatArray:
    """Return, for every row, the share of positive rows of its category in other folds, drawn to that of all rows."""
    fold = np.empty(len(codes), dtype=np.intp)
    for side in (is_positive, ~is_positive):
        fold[side] = np.arange(side.sum()) % N_FOLDS
    category: IndexArray = np.unique(codes, return_inverse=True)[1]
    n_categories, prior = int(category.max(initial=0)) + 1, float(is_positive.mean())
    shares = np.empty(len(codes))
    for number in range(N_FOLDS):
        is_other, is_own = fold != number, fold == number
        count = np.bincount(category[is_other], minlength=n_categories)
        n_positive = np.bincount(category[is_other & is_positive], minlength=n_categories)
        shares[is_own] = ((n_positive + prior) / (count + 1.0))[category[is_own]]
    return shares


class NamedColumn(NamedTuple):
    """A column that alone tells the label: its name, the AUC that it gives, whether to ask about it, and a sentence."""

    name: str
    auc: float
    is_suspect: bool
    sentence: str


def name_telling_columns(data: FitData, training: Training) -> list[NamedColumn]:
    """Return columns that alone tell the label, by the names that they have in the table.

    None are looked for where only positive rows are labelled, and among the columns of sparse rows.
    """
    work = training.rows
    if data.projection is not None or data.is_positive_unlabeled or is_sparse(work.X):
        return []
    X, n_labeled = dense_rows(work.X), work.order.n_rows
    unlabeled = X[n_labeled : n_labeled + MAX_UNLABELED]
    found = find_telling_columns(X[:n_labeled], work.order.is_positive, unlabeled, data.schema.is_categorical)
    named: dict[str, TellingColumn] = {}
    for each in found:
        # Of the parts of a date, the one that tells most.
        named.setdefault(str(data.schema.passed_names[data.schema.places[each.column]]), each)
    return [NamedColumn(name, each.auc, each.is_suspect, each.sentence(name)) for name, each in named.items()]
