"""What all entries of a grid are trained with."""

from collections.abc import Mapping
from dataclasses import dataclass

from s2auc.common.threads import map_in_order
from s2auc.data.column_scaling import ColumnSample
from s2auc.ranking.losses import Loss
from s2auc.search.grid import Grid
from s2auc.search.plan import FoldPlan
from s2auc.solvers.neighbors import NeighborGraph
from s2auc.solvers.space import PreparedColumns
from s2auc.solvers.work_rows import WorkRows


@dataclass(frozen=True, eq=False)
class Training:
    """What all entries of a grid are trained with.

    Attributes
    ----------
    rows, prepared
        The rows, and what each scaling does to their columns.
    graphs
        By scaling, which of the nodes are neighbours; for scalings that some entry looks at neighbours with.
    plan
        Which labelled rows each mask leaves out.
    loss, seed
        What is minimised, and the seed of the fit.
    """

    rows: WorkRows
    prepared: Mapping[str, PreparedColumns]
    graphs: Mapping[str, NeighborGraph]
    plan: FoldPlan
    loss: Loss
    seed: int

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
        plan, loss, seed
            As the attributes.
        n_neighbors
            How many nearest rows are a row's neighbours.
        """
        prepared = {scaling: PreparedColumns.of_sample(sample, scaling) for scaling in grid.scalings}

        def graph(scaling: str) -> NeighborGraph:
            return NeighborGraph.of_rows(prepared[scaling].columns.apply(rows.X[rows.nodes]), n_neighbors)

        graphs = dict(zip(grid.neighbor_scalings, map_in_order(graph, grid.neighbor_scalings), strict=True))
        return cls(rows, prepared, graphs, plan, loss, seed)
