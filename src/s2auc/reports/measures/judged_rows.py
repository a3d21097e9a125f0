"""The rows that a ranking is judged by: labelled ones of both classes, or unlabelled ones in the place of negatives."""

from dataclasses import dataclass

import numpy as np

from s2auc.common.arrays import BoolArray, IndexArray
from s2auc.common.randomness import derived_seed
from s2auc.data.labels.labels import Labels
from s2auc.models.labels_of_model import MIN_ROWS
from s2auc.models.model import Model
from s2auc.reports.markup import text

MAX_ROWS, MIN_SHUFFLED = 2000, 200
"""Rows that columns are shuffled in, and as few as need be of a model that takes long to score."""

WORK = 2**34
"""Numbers of models times rows that are scored, at most, to find out what columns matter: some seconds."""

MAX_VALUES = 2**24
"""Values of these rows, which are held at once."""


@dataclass(frozen=True, eq=False)
class JudgedRows:
    """Rows to judge a ranking by.

    Attributes
    ----------
    numbers, is_positive
        Their numbers, rising, and which of them are positive.
    has_stand_ins
        Whether unlabelled rows stand in for negative ones, of which there are none.
    why_none
        If there are none: why.
    """

    numbers: IndexArray
    is_positive: BoolArray
    has_stand_ins: bool = False
    why_none: str = ""


def affordable_rows(model: Model, n_jobs: int, fewest: int) -> int:
    """Return how many rows can be scored so many times within seconds, by the size of the model."""
    by_work = WORK // max(1, n_jobs * max(model.n_numbers, 1000))
    by_memory = MAX_VALUES // max(1, model.n_columns)
    return max(fewest, min(MAX_ROWS, by_work, by_memory))


def choose_judged(labels: Labels, most: int, seed: int, *, has_labels: bool = True) -> JudgedRows:
    """Return rows to judge a ranking by: of both classes as many as there are, or half of those wanted.

    The share of positive rows does not matter to an AUC: it is sharpest where there are many of both classes.

    Parameters
    ----------
    labels
        What is known of all rows.
    most
        How many rows are wanted at most.
    seed
        Where they are drawn from.
    has_labels
        Whether labels were looked for at all, which a reason tells.

    Examples
    --------
    >>> labels = Labels(np.array([0, 1]), 100, np.arange(5), np.arange(5, 90))
    >>> found = choose_judged(labels, 20, seed=0)
    >>> len(found.numbers), int(found.is_positive.sum())
    (20, 5)
    """
    has_stand_ins = labels.n_negative == 0 and labels.n_unlabeled >= MIN_ROWS
    n_other = labels.n_unlabeled if has_stand_ins else labels.n_negative
    if min(labels.n_positive, n_other) < MIN_ROWS:
        why = "few" if labels.n_positive + labels.n_negative else "unlabeled"
        told = text(f"roc.{why if has_labels else 'unjudged'}", labels=labels, n_needed=MIN_ROWS)
        return JudgedRows(np.zeros(0, dtype=np.intp), np.zeros(0, dtype=bool), why_none=told)
    random = np.random.default_rng(derived_seed(seed, "judged"))
    n_positive = min(labels.n_positive, max(most // 2, most - n_other))
    positive = labels.positive[_draw(random, labels.n_positive, n_positive)]
    places = _draw(random, n_other, min(n_other, most - n_positive))
    others = _unlabeled_rows(labels, places) if has_stand_ins else labels.negative[places]
    numbers = np.concatenate([positive, others])
    order = np.argsort(numbers, kind="stable")
    return JudgedRows(numbers[order], (np.arange(len(numbers)) < len(positive))[order], has_stand_ins)


def draw_sample(n_rows: int, most: int, seed: int) -> IndexArray:
    """Return the numbers of some of all rows, rising, each at most once."""
    return _draw(np.random.default_rng(derived_seed(seed, "sample")), n_rows, min(n_rows, most))


def _draw(random: np.random.Generator, n_rows: int, n_wanted: int) -> IndexArray:
    if n_wanted >= n_rows:
        return np.arange(n_rows)
    return np.sort(random.choice(n_rows, n_wanted, replace=False, shuffle=False))


def _unlabeled_rows(labels: Labels, places: IndexArray) -> IndexArray:
    """Return the numbers of unlabelled rows by their place among these, without a list of all of them."""
    known = labels.not_unlabeled
    n_before = known - np.arange(len(known))
    return places + np.searchsorted(n_before, places, side="right")
