"""The rows of a fit as kernels see them: rescaled, group by group, some at a time."""

from collections.abc import Iterator, Mapping

import numpy as np

from s2auc.common.arrays import FloatArray, IndexArray
from s2auc.common.groups import NEGATIVE, POSITIVE, UNLABELED, shares_of
from s2auc.data.features.scaling import ColumnScaling
from s2auc.data.sources.combined import SelectedRows
from s2auc.data.sources.matrix_rows import open_source
from s2auc.data.sources.rows import stack_rows
from s2auc.data.sources.source import RowSource
from s2auc.data.training_rows import TrainingRows


class ScaledGroups:
    """Groups that have rows, in the order positive, negative, unlabelled.

    Parameters
    ----------
    sources
        The rows of each group.
    columns
        What happens to them first.
    weights
        How much each row of a group counts, by group; groups that are left out have rows that count alike.
    """

    def __init__(
        self, sources: Mapping[str, RowSource], columns: ColumnScaling, weights: Mapping[str, FloatArray] | None = None
    ) -> None:
        self.sources = {group: source for group, source in sources.items() if source.n_rows}
        self.columns = columns
        self.weights = weights or {}

    @classmethod
    def of_rows(cls, rows: TrainingRows, columns: ColumnScaling, *, with_unlabeled: bool = True) -> "ScaledGroups":
        """Return the groups of a fit; unlabelled rows may be left out where no term of the risk looks at them."""
        labeled = {POSITIVE: rows.positive, NEGATIVE: rows.negative}
        sources = {group: open_source(members, is_sound=True) for group, members in labeled.items()}
        if rows.unlabeled is not None and with_unlabeled:
            sources[UNLABELED] = rows.unlabeled
        weights = {group: rows.order.weight_of(members) for group, members in rows.order.slices.items()}
        return cls(sources, columns, {group: weight for group, weight in weights.items() if weight is not None})

    @property
    def sizes(self) -> dict[str, int]:
        """How many rows each group has."""
        return {group: source.n_rows for group, source in self.sources.items()}

    @property
    def masses(self) -> dict[str, float]:
        """How much the rows of each group count together: as many as they are, or the sum of their weights."""
        return {
            group: float(self.weights[group].sum()) if group in self.weights else n for group, n in self.sizes.items()
        }

    def shares(self) -> FloatArray:
        """Return how much of its group each row is, one group after the other."""
        return np.concatenate([shares_of(self.weights.get(group), size) for group, size in self.sizes.items()])

    @property
    def n_rows(self) -> int:
        """How many rows there are in all."""
        return sum(self.sizes.values())

    def select(self, chosen: Mapping[str, IndexArray]) -> "ScaledGroups":
        """Return some rows of each group that is named, and none of the others."""
        selected = {group: SelectedRows(self.sources[group], index) for group, index in chosen.items()}
        weights = {group: self.weights[group][index] for group, index in chosen.items() if group in self.weights}
        return ScaledGroups(selected, self.columns, weights)

    def chunks(self, group: str, chunk_rows: int) -> Iterator[FloatArray]:
        """Yield the rows of a group, some at a time."""
        for chunk in self.sources[group].scan(chunk_rows):
            yield self.columns.apply(chunk)

    def all_rows(self) -> FloatArray:
        """Return the rows of all groups, one group after the other."""
        return self.gather(np.arange(self.n_rows))

    def gather(self, numbers: IndexArray) -> FloatArray:
        """Return rows by their numbers, which count through the groups."""
        rows, first = [], 0
        for source in self.sources.values():
            inside = numbers[(numbers >= first) & (numbers < first + source.n_rows)] - first
            rows.append(source.gather(inside))
            first += source.n_rows
        return self.columns.apply(stack_rows(rows))

    def draw(self, n_rows: int, seed: int) -> FloatArray:
        """Return rows drawn without repetition from all groups together, in the order in which they stand."""
        chosen = np.random.default_rng(seed).choice(self.n_rows, n_rows, replace=False)
        return self.gather(np.sort(chosen))
