"""The rows that a solver works on, drawn first and gathered in one go: labelled, reference and drawn ones."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from s2auc.common.arrays import IndexArray
from s2auc.common.groups import NEGATIVE, UNLABELED, PositiveFirst
from s2auc.data.rows import Rows, count_rows, stack_rows
from s2auc.data.training_rows import TrainingRows
from s2auc.solvers.batches import followed_rows, plan_draws, rows_of_steps

REFERENCE_ROWS = 200
"""Unlabelled rows whose scores are followed: they tell how far a model's scores spread."""

MANY_REFERENCE_ROWS = 1000
"""As many where there are no negatives, because the unlabelled rows then stand in for them in the AUC."""


@dataclass(frozen=True, eq=False)
class WorkRows:
    """Rows as they come: labelled ones, positive first, then reference rows, then the rows that steps draw.

    Scores of *followed* rows are known after every step: the labelled ones (*tested* by folds, where there are folds)
    and the *reference* rows.

    Attributes
    ----------
    X
        All these rows.
    order
        How many of the labelled rows are positive.
    n_reference
        How many reference rows there are; the rest is drawn by steps.
    steps
        By group, the rows that each iteration uses, by their places in X.
    """

    X: Rows
    order: PositiveFirst
    n_reference: int
    steps: Mapping[str, IndexArray]

    @property
    def reference(self) -> slice:
        """Where the reference rows stand."""
        return slice(self.order.n_rows, self.order.n_rows + self.n_reference)

    @property
    def pool(self) -> slice:
        """Where the unlabelled rows stand that steps draw."""
        return slice(self.order.n_rows + self.n_reference, count_rows(self.X))

    @property
    def has_pool(self) -> bool:
        """Whether there are such rows."""
        return bool(self.pool.start < self.pool.stop)

    @property
    def tested(self) -> IndexArray:
        """The labelled rows whose scores are followed."""
        return followed_rows(self.order)

    @property
    def followed(self) -> IndexArray:
        """All rows whose scores are followed."""
        return np.concatenate([self.tested, np.arange(self.reference.start, self.reference.stop)])


@dataclass(frozen=True)
class DrawRule:
    """How many steps draw rows, and how many each: what a solver asks for.

    Attributes
    ----------
    n_steps
        How many iterations draw.
    batch_size
        Unlabelled rows an iteration.
    pairing
        How the groups of a step meet.
    """

    n_steps: int
    batch_size: int
    pairing: str = "all"


def collect_rows(rows: TrainingRows, rule: DrawRule, *, seed: int, first: int = 0, uses_pool: bool = True) -> WorkRows:
    """Draw the unlabelled rows of all steps, gather them, and return them with the labelled ones.

    Parameters
    ----------
    rows
        The rows of a fit.
    rule
        How many steps draw how many rows.
    seed
        Seed of the draws.
    first
        How many steps drew rows before.
    uses_pool
        Whether any term looks at unlabelled rows; if not, none are drawn.
    """
    sizes, reference = rows.sizes, _reference_rows(rows, seed)
    # Where there are no negatives the reference rows stand in for them: nothing may be learnt from those.
    is_held_out = not rows.order.n_negative and 0 < len(reference) < rows.n_unlabeled
    if is_held_out:
        sizes[UNLABELED] -= len(reference)
    if not uses_pool:
        sizes[UNLABELED] = 0
    draws = plan_draws(sizes, pairing=rule.pairing, batch_size=rule.batch_size)
    steps = rows_of_steps(draws, seed=seed, first=first, last=first + rule.n_steps)
    n_labeled, n_reference = rows.order.n_rows, len(reference)
    touched = np.zeros(0, dtype=np.intp)
    if UNLABELED in steps:
        touched, places = np.unique(steps[UNLABELED], return_inverse=True)
        if is_held_out:
            # Numbers among the rows that are not reference rows become numbers among all.
            touched = touched + np.searchsorted(reference - np.arange(n_reference), touched, side="right")
        steps[UNLABELED] = places.reshape(steps[UNLABELED].shape) + n_labeled + n_reference
    if NEGATIVE in steps:
        steps[NEGATIVE] = steps[NEGATIVE] + rows.order.n_positive
    blocks = [rows.labeled]
    if rows.unlabeled is not None:
        blocks.append(rows.unlabeled.gather(np.concatenate([reference, touched])))
    return WorkRows(stack_rows(blocks), rows.order, n_reference, steps)


def _reference_rows(rows: TrainingRows, seed: int) -> IndexArray:
    """Return the numbers of the reference rows, in order: a third of all at most, or one, where they are held out."""
    if rows.order.n_negative:
        return rows.unlabeled_numbers(REFERENCE_ROWS, seed)
    return rows.unlabeled_numbers(min(MANY_REFERENCE_ROWS, max(1, rows.n_unlabeled // 3)), seed)
