"""The rows that a solver works on, drawn first and gathered in one go: labelled, reference and drawn ones."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from s2auc.common.arrays import FloatArray, IndexArray
from s2auc.common.groups import NEGATIVE, NEIGHBOR, NODE, UNLABELED, PositiveFirst
from s2auc.common.randomness import CENTER_STREAM, SPREAD_STREAM, draw_rows
from s2auc.data.sources.combined import numbers_beside
from s2auc.data.sources.rows import Rows, count_rows, stack_rows
from s2auc.data.training_rows import TrainingRows
from s2auc.solvers.batches import followed_rows, plan_draws, rows_of_steps
from s2auc.solvers.neighbors import EdgeDraw, NeighborGraph

REFERENCE_ROWS = 200
"""Unlabelled rows whose scores are followed: they tell how far a model's scores spread."""

MANY_REFERENCE_ROWS = 1000
"""As many where there are no negatives, because the unlabelled rows then stand in for them in the AUC."""

SPREAD_ROWS = 2000
"""Unlabelled rows whose neighbours are looked for, drawn at random where there are more."""


@dataclass(frozen=True, eq=False)
class WorkRows:
    """Rows as they come: labelled ones, positive first, then reference rows, spread ones, and those that steps draw.

    Scores of *followed* rows are known after every step: the labelled ones (*tested* by folds, where there are folds)
    and the *reference* rows. *Nodes*, the rows whose neighbours are looked for, are the tested and the spread rows.

    Attributes
    ----------
    X
        All these rows.
    order
        How many of the labelled rows are positive.
    n_reference, n_spread
        How many reference rows and how many spread ones there are; the rest is drawn by steps.
    steps
        By group, the rows that each iteration uses, by their places in X.
    edge_draw
        Which edges between neighbours steps draw; None where no term looks at neighbours.
    step_weight
        How much each labelled row counts in a step that it takes part in; None where all count alike.
    """

    X: Rows
    order: PositiveFirst
    n_reference: int
    steps: Mapping[str, IndexArray]
    n_spread: int = 0
    edge_draw: EdgeDraw | None = None
    step_weight: FloatArray | None = None

    @property
    def reference(self) -> slice:
        """Where the reference rows stand."""
        return slice(self.order.n_rows, self.order.n_rows + self.n_reference)

    @property
    def spread(self) -> slice:
        """Where the unlabelled rows stand whose neighbours are looked for."""
        return slice(self.reference.stop, self.reference.stop + self.n_spread)

    @property
    def pool(self) -> slice:
        """Where the unlabelled rows stand that steps draw."""
        return slice(self.spread.stop, count_rows(self.X))

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

    @property
    def nodes(self) -> IndexArray:
        """All rows whose neighbours are looked for."""
        return np.concatenate([self.tested, np.arange(self.spread.start, self.spread.stop)])

    def edges_of_steps(self, graph: NeighborGraph) -> dict[str, IndexArray]:
        """Return the rows at both ends of the edges that each iteration uses, as two groups."""
        if self.edge_draw is None or not len(graph.edges):
            return {}
        ends = graph.draw(self.edge_draw)
        return {group: self.nodes[places] for group, places in zip((NODE, NEIGHBOR), ends, strict=True)}


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
    most_unlabeled
        Most different unlabelled rows that steps draw; None for any number.
    """

    n_steps: int
    batch_size: int
    pairing: str = "all"
    most_unlabeled: int | None = None

    def draws_from(self, n_rows: int) -> int:
        """Return from how many of so many unlabelled rows steps draw.

        Examples
        --------
        >>> rule = DrawRule(n_steps=10, batch_size=8, most_unlabeled=50)
        >>> rule.draws_from(40), rule.draws_from(1000), DrawRule(10, 5, most_unlabeled=50).draws_from(1000)
        (40, 50, 1000)
        """
        most = self.most_unlabeled
        is_bounded = most is not None and most < min(n_rows, self.n_steps * self.batch_size)
        return int(most) if most is not None and is_bounded else n_rows


@dataclass(frozen=True, eq=False)
class DrawnRows:
    """Which rows a solver will work on, known before any row is read.

    Attributes
    ----------
    unlabeled
        Numbers of unlabelled rows: the reference rows, the spread ones, and those that steps draw, each ascending.
    n_reference, steps, n_spread, edge_draw, step_weight
        As those of `WorkRows`.
    """

    unlabeled: IndexArray
    n_reference: int
    steps: Mapping[str, IndexArray]
    n_spread: int
    edge_draw: EdgeDraw | None
    step_weight: FloatArray | None


def draw_work_rows(
    rows: TrainingRows,
    rule: DrawRule,
    *,
    seed: int,
    first: int = 0,
    uses_pool: bool = True,
    uses_neighbors: bool = False,
) -> DrawnRows:
    """Return which unlabelled rows a solver will work on, and which rows each of its steps uses.

    Parameters
    ----------
    rows
        The rows of a fit, none of which is read.
    rule
        How many steps draw how many rows.
    seed
        Seed of the draws.
    first
        How many steps drew rows before.
    uses_pool
        Whether any term pairs labelled rows with unlabelled ones; if not, none are drawn.
    uses_neighbors
        Whether any term looks at neighbours; if not, there are no spread rows.
    """
    sizes, reference = rows.sizes, reference_numbers(rows, seed)
    # Where there are no negatives the reference rows stand in for them: nothing may be learnt from those.
    is_held_out = not rows.order.n_negative and 0 < len(reference) < rows.n_unlabeled
    held_out = reference if is_held_out else reference[:0]
    n_free = rows.n_unlabeled - len(held_out)
    spread = numbers_beside(held_out, _spread_numbers(n_free, seed)) if uses_neighbors else reference[:0]
    chosen = None
    if rule.draws_from(n_free) < n_free:
        chosen = np.unique(draw_rows(seed, CENTER_STREAM, n_free, rule.draws_from(n_free), 0, 1))
    n_drawn_from = n_free if chosen is None else len(chosen)
    sizes[UNLABELED] = n_drawn_from if uses_pool else 0
    weights = {group: rows.order.weight_of(members) for group, members in rows.order.slices.items()}
    draws = plan_draws(sizes, pairing=rule.pairing, batch_size=rule.batch_size, weights=weights)
    steps = rows_of_steps(draws, seed=seed, first=first, last=first + rule.n_steps)
    n_before = rows.order.n_rows + len(reference) + len(spread)
    needed_rows = reference[:0]
    if UNLABELED in steps:
        needed_rows, places = np.unique(steps[UNLABELED], return_inverse=True)
        needed_rows = needed_rows if chosen is None else chosen[needed_rows]
        needed_rows = numbers_beside(held_out, needed_rows)
        steps[UNLABELED] = places.reshape(steps[UNLABELED].shape) + n_before
    if NEGATIVE in steps:
        steps[NEGATIVE] = steps[NEGATIVE] + rows.order.n_positive
    edge_draw = EdgeDraw(seed, rule.batch_size, first, first + rule.n_steps) if uses_neighbors else None
    step_weight = None
    if rows.order.weight is not None:
        step_weight = np.concatenate([draws[group].step_weight for group in rows.order.slices])
    numbers = np.concatenate([reference, spread, needed_rows])
    return DrawnRows(numbers, len(reference), steps, len(spread), edge_draw, step_weight)


def collect_rows(rows: TrainingRows, rule: DrawRule, **drawing: Any) -> WorkRows:
    """Draw the unlabelled rows of all steps, gather them, and return them with the labelled ones.

    Parameters
    ----------
    rows, rule, drawing
        As for `draw_work_rows`.
    """
    drawn = draw_work_rows(rows, rule, **drawing)
    blocks = [rows.labeled]
    if rows.unlabeled is not None:
        blocks.append(rows.unlabeled.gather(drawn.unlabeled))
    taken = drawn.n_reference, drawn.steps, drawn.n_spread, drawn.edge_draw, drawn.step_weight
    return WorkRows(stack_rows(blocks), rows.order, *taken)


def _spread_numbers(n_rows: int, seed: int) -> IndexArray:
    """Return the numbers of spread rows among so many rows, in order: all, or some that are drawn at random."""
    if n_rows <= SPREAD_ROWS:
        return np.arange(n_rows)
    return np.unique(draw_rows(seed, SPREAD_STREAM, n_rows, SPREAD_ROWS, 0, 1))


def reference_numbers(rows: TrainingRows, seed: int) -> IndexArray:
    """Return the numbers of the reference rows, in order: a third of all at most, or one, where they are held out."""
    if rows.order.n_negative:
        return rows.unlabeled_numbers(REFERENCE_ROWS, seed)
    return rows.unlabeled_numbers(min(MANY_REFERENCE_ROWS, max(1, rows.n_unlabeled // 3)), seed)
