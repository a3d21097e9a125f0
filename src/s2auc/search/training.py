"""What all entries of a grid are trained with."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from s2auc.common.arrays import FloatArray
from s2auc.data.features.scaling import ColumnSample, ColumnView
from s2auc.data.sources.rows import count_rows
from s2auc.ranking.losses import Loss
from s2auc.search.grids.grid import Grid
from s2auc.search.plan import FoldPlan
from s2auc.solvers.neighbors import NeighborGraph
from s2auc.solvers.space import COLUMN_WEIGHTINGS, PreparedColumns
from s2auc.solvers.work_rows import WorkRows

MAX_VALUES = 2**25
"""Scaled rows are kept for all entries up to this many values, 256 megabytes; beyond, each entry scales them anew."""


@dataclass(eq=False)
class Training:
    """What all entries of a grid are trained with.

    Attributes
    ----------
    rows, prepared
        The rows, and what becomes of their columns in each view.
    kept
        By view, the rows as it shows them; empty where that would take much memory.
    graphs
        By view, which of the nodes are neighbours; for views that some entry looks at neighbours with.
    plan
        Which labelled rows each mask leaves out.
    loss, seed
        What is minimised, and the seed of the fit.
    labeled_only
        The same with texts as labelled rows alone represent them, for entries that are there for comparison.
    learnt_weights
        By view, weighting and mask, the weights of columns that some entry has asked for.
    """

    rows: WorkRows
    prepared: Mapping[ColumnView, PreparedColumns]
    kept: Mapping[ColumnView, FloatArray]
    graphs: Mapping[ColumnView, NeighborGraph]
    plan: FoldPlan
    loss: Loss
    seed: int
    labeled_only: "Training | None" = None
    learnt_weights: dict[tuple[ColumnView, str, int], FloatArray] = field(default_factory=dict)

    @classmethod
    def for_grid(
        cls,
        grid: Grid,
        rows: WorkRows,
        sample: ColumnSample,
        plan: FoldPlan,
        *,
        loss: Loss,
        n_neighbors: int,
        seed: int,
        labeled_only: "Training | None" = None,
        max_values: int = MAX_VALUES,
    ) -> "Training":
        """Return what the entries of a grid need.

        Parameters
        ----------
        grid
            What is to be trained.
        rows
            The rows that solvers work on.
        sample
            Rows that settle what happens to columns.
        plan, loss, seed, labeled_only
            As the attributes.
        n_neighbors
            How many nearest rows are a row's neighbours.
        max_values
            Scaled rows are kept up to so many values.
        """
        prepared = {view: PreparedColumns.of_sample(sample, view.scaling, view.columns) for view in grid.views}
        n_values = count_rows(rows.X) * sum(len(columns.columns.shift) for columns in prepared.values())
        is_kept = n_values <= max_values
        kept = {view: columns.columns.apply(rows.X) for view, columns in prepared.items()} if is_kept else {}
        training = cls(rows, prepared, kept, {}, plan, loss, seed, labeled_only)
        graphs = {
            view: NeighborGraph.of_rows(training.scaled(view)[rows.nodes], n_neighbors) for view in grid.neighbor_views
        }
        return replace(training, graphs=graphs)

    def __getstate__(self) -> dict[str, Any]:
        """Return what travels to other machines: scaled rows are made again there."""
        return vars(self) | {"kept": list(self.kept), "learnt_weights": {}}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state | {"kept": {}})
        vars(self)["kept"] = {view: self.scaled(view) for view in state["kept"]}

    def scaled(self, view: ColumnView) -> FloatArray:
        """Return the rows as a view shows them."""
        return self.kept[view] if view in self.kept else self.prepared[view].columns.apply(self.rows.X)

    def column_weights(self, view: ColumnView, weighting: str, mask: int) -> FloatArray:
        """Return the weights of columns that the labelled rows of a mask give, learnt once for all kernels."""
        key = view, weighting, mask
        if key not in self.learnt_weights:
            learners = np.flatnonzero(self.plan.is_trained[:, mask])
            # Entries on two threads may both learn them: they learn the same.
            labeled, order = self.scaled(view)[learners], self.rows.order.chosen(learners)
            self.learnt_weights[key] = COLUMN_WEIGHTINGS[weighting].weights(labeled, order)
        return self.learnt_weights[key]
