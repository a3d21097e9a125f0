"""The rows of a fit: labelled ones in hand, positive first; unlabelled ones in their source, however many."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy.sparse import csr_array

from s2auc.common.arrays import IndexArray
from s2auc.common.groups import NEGATIVE, POSITIVE, UNLABELED, PositiveFirst
from s2auc.common.randomness import SAMPLE_STREAM, draw_rows
from s2auc.common.threads import Crew
from s2auc.data.features.projection import ProjectedRows, Projection, stored_numbers
from s2auc.data.sources.rows import Rows, count_rows, stack_rows
from s2auc.data.sources.source import RowSource

SAMPLE_ROWS = 20_000
"""Unlabelled rows that, with the labelled ones, settle what happens to columns and how wide kernels are."""

SAMPLE_VALUES = 4_000_000
"""There are fewer of these rows where they would hold more values than this, but no fewer than a tenth."""


@dataclass(frozen=True, eq=False)
class TrainingRows:
    """Labelled rows, and the source of unlabelled ones.

    Attributes
    ----------
    labeled_rows
        All labelled rows, or what gathers them when they are first asked for.
    order
        Which of them are positive: those that come first.
    unlabeled
        Where the others are; None if there are none.
    """

    labeled_rows: Rows | Callable[[], Rows]
    order: PositiveFirst
    unlabeled: RowSource | None

    @cached_property
    def labeled(self) -> Rows:
        """All labelled rows."""
        return self.labeled_rows() if callable(self.labeled_rows) else self.labeled_rows

    @property
    def n_columns(self) -> int:
        """How many columns the rows have."""
        if self.unlabeled is not None and callable(self.labeled_rows):
            return self.unlabeled.n_columns
        return int(self.labeled.shape[1])

    @property
    def positive(self) -> Rows:
        """The positive rows."""
        return self.labeled[self.order.positive]

    @property
    def negative(self) -> Rows:
        """The negative rows."""
        return self.labeled[self.order.negative]

    @property
    def n_unlabeled(self) -> int:
        """How many rows are unlabelled."""
        return 0 if self.unlabeled is None else self.unlabeled.n_rows

    @property
    def sizes(self) -> dict[str, int]:
        """How many rows each group has."""
        return {POSITIVE: self.order.n_positive, NEGATIVE: self.order.n_negative, UNLABELED: self.n_unlabeled}

    @property
    def is_read_whole(self) -> bool:
        """Whether some unlabelled rows can only be had by reading all of them."""
        return self.unlabeled is not None and self.unlabeled.is_read_whole

    @property
    def crew(self) -> Crew | None:
        """Who works where the unlabelled rows are, if they are on other machines."""
        return None if self.unlabeled is None else self.unlabeled.crew

    def announce(self, numbers: IndexArray) -> None:
        """Tell which unlabelled rows will be gathered, before any is."""
        if self.unlabeled is not None:
            self.unlabeled.announce(numbers)

    def sample(self, seed: int) -> Rows:
        """Return up to `SAMPLE_ROWS` unlabelled rows, drawn at random where there are more, then all labelled ones."""
        return stack_rows([*self.unlabeled_sample(_most_rows(self.n_columns), seed), self.labeled])

    def sample_numbers(self, seed: int) -> IndexArray:
        """Return the numbers of the unlabelled rows of the sample."""
        return self.unlabeled_numbers(_most_rows(self.n_columns), seed)

    def sparse_sample(self, seed: int, most: int) -> Rows:
        """Return up to so many of them in sparse form, in which only values that are stored count, not columns."""
        values_a_row = 1 + int(csr_array(self.labeled).nnz) // max(1, count_rows(self.labeled))
        drawn = self.unlabeled_sample(min(most, _most_rows(values_a_row)), seed)
        return stack_rows([stored_numbers(block) for block in (*drawn, self.labeled)])

    def projected(self, projection: Projection) -> "TrainingRows":
        """Return the components of the rows."""
        unlabeled = None if self.unlabeled is None else ProjectedRows(self.unlabeled, projection)
        return replace(self, labeled_rows=projection.apply(self.labeled), unlabeled=unlabeled)

    def unlabeled_sample(self, most: int, seed: int) -> list[Rows]:
        """Return one array of at most so many unlabelled rows, or nothing if no rows are unlabelled."""
        if self.unlabeled is None:
            return []
        return [self.unlabeled.gather(self.unlabeled_numbers(most, seed))]

    def unlabeled_numbers(self, most: int, seed: int) -> IndexArray:
        """Return the numbers of at most so many unlabelled rows, in order: all, or some that are drawn at random."""
        if self.n_unlabeled <= most:
            return np.arange(self.n_unlabeled)
        return np.unique(draw_rows(seed, SAMPLE_STREAM, self.n_unlabeled, most, 0, 1))


def _most_rows(values_a_row: int) -> int:
    """Return how many unlabelled rows a sample may have, given how many values each of them takes."""
    return min(SAMPLE_ROWS, max(SAMPLE_ROWS // 10, SAMPLE_VALUES // values_a_row))
