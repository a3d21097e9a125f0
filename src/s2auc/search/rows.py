"""The rows that tuning works on: all labelled ones, and the unlabelled ones that its steps draw, gathered once."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain

import numpy as np

from s2auc.common.arrays import FloatArray, IndexArray
from s2auc.common.groups import NEGATIVE, UNLABELED
from s2auc.common.randomness import SAMPLE_STREAM, draw_rows
from s2auc.data.column_summary import ColumnSummary, summarise
from s2auc.solvers.batches import followed_rows, rows_of_steps
from s2auc.solvers.training import TrainingRows

SUMMARY_ROWS = 20_000
"""Unlabelled rows, drawn at random, that settle quantiles and distinct values of columns."""

SUMMARY_CELLS = 4_000_000
"""There are fewer of these rows where they would hold more values than this, but no fewer than a tenth."""

REFERENCE_ROWS = 200
"""Unlabelled rows whose scores are followed: they tell how far a model's scores spread."""

MANY_REFERENCE_ROWS = 1000
"""As many where there are no negatives, because the unlabelled rows then stand in for them in the AUC."""

SUMMARY_CHUNK = 2**14


@dataclass(frozen=True, eq=False)
class TuningRows:
    """Rows as they come: labelled ones, positive first, then reference rows, then the rows that steps draw.

    Attributes
    ----------
    X
        All these rows.
    n_positive, n_negative, n_reference
        How many there are of each kind; the rest is drawn by steps.
    steps
        By group, the rows that each iteration uses, by their places in X.
    """

    X: FloatArray
    n_positive: int
    n_negative: int
    n_reference: int
    steps: Mapping[str, IndexArray]

    @property
    def n_labeled(self) -> int:
        """How many rows are labelled."""
        return self.n_positive + self.n_negative

    @property
    def reference(self) -> slice:
        """Where the reference rows stand."""
        return slice(self.n_labeled, self.n_labeled + self.n_reference)

    @property
    def pool(self) -> slice:
        """Where the unlabelled rows stand that steps draw."""
        return slice(self.n_labeled + self.n_reference, len(self.X))


def collect_rows(rows: TrainingRows, *, n_iterations: int, batch_size: int, seed: int) -> TuningRows:
    """Draw the unlabelled rows of all steps, gather them, and return them with the labelled ones."""
    sizes, reference = rows.sizes, _reference_rows(rows, seed)
    is_held_out = len(reference) > 0 and not len(rows.negative)
    if is_held_out:
        sizes[UNLABELED] -= len(reference)
    steps = rows_of_steps(sizes, pairing="all", batch_size=batch_size, seed=seed, first=0, last=n_iterations)
    blocks = [rows.positive, rows.negative]
    n_labeled, n_reference = len(rows.positive) + len(rows.negative), len(reference)
    if rows.unlabeled is not None:
        touched, places = np.unique(steps[UNLABELED], return_inverse=True)
        if is_held_out:
            # Numbers among the rows that are not reference rows become numbers among all.
            touched = touched + np.searchsorted(reference - np.arange(n_reference), touched, side="right")
        blocks.append(rows.unlabeled.gather(np.concatenate([reference, touched])))
        steps[UNLABELED] = places.reshape(steps[UNLABELED].shape) + n_labeled + n_reference
    if NEGATIVE in steps:
        steps[NEGATIVE] = steps[NEGATIVE] + len(rows.positive)
    return TuningRows(np.concatenate(blocks), len(rows.positive), len(rows.negative), n_reference, steps)


def summarise_rows(rows: TrainingRows, seed: int) -> ColumnSummary:
    """Return the summary of all rows, labelled or not, from one pass over them."""
    labeled = np.concatenate([rows.positive, rows.negative])
    if rows.unlabeled is None:
        return summarise([labeled], labeled)
    source = rows.unlabeled
    n_sampled = min(SUMMARY_ROWS, max(SUMMARY_ROWS // 10, SUMMARY_CELLS // source.n_columns), rows.n_unlabeled)
    sample = np.concatenate([labeled, source.gather(_sample(rows, n_sampled, seed))])

    return summarise(chain([labeled], source.scan(SUMMARY_CHUNK)), sample)


def residents_of(rows: TuningRows) -> IndexArray:
    """Return the rows whose scores are followed: those that choose between settings, and the reference rows."""
    return np.concatenate([tested_rows(rows), np.arange(rows.reference.start, rows.reference.stop)])


def tested_rows(rows: TuningRows) -> IndexArray:
    """Return the labelled rows that folds test."""
    return followed_rows(rows.n_labeled)


def _reference_rows(rows: TrainingRows, seed: int) -> IndexArray:
    """Return the numbers of the reference rows, in order.

    Where there are no negatives they are tested against the positive rows, so nothing may be learnt from them: they are
    at most a third of all.
    """
    if len(rows.negative):
        return _sample(rows, min(REFERENCE_ROWS, rows.n_unlabeled), seed)
    return np.unique(_sample(rows, min(MANY_REFERENCE_ROWS, rows.n_unlabeled // 3), seed))


def _sample(rows: TrainingRows, size: int, seed: int) -> IndexArray:
    if size == rows.n_unlabeled:
        return np.arange(size)
    return np.sort(draw_rows(seed, SAMPLE_STREAM, rows.n_unlabeled, size, 0, 1)[0])
