"""The plan of a fit of one setting: the space, the rows to draw and the checkpoint, settled before rows are read."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from s2auc.common.arrays import IndexArray
from s2auc.common.checkpoints import Checkpoint
from s2auc.data.features.projection import Projection
from s2auc.data.features.scaling import ColumnSample
from s2auc.estimators.fitting.checkpointing import open_checkpoint
from s2auc.estimators.fitting.fit_data import FitData
from s2auc.estimators.fitting.memory_needs import check_memory
from s2auc.estimators.fitting.needed_rows import announce_needed_rows, drawing_of
from s2auc.estimators.fitting.projection import project
from s2auc.kernels.bandwidth import Bandwidth
from s2auc.solvers.job import Points, Solver
from s2auc.solvers.qsg.qsg import RunState
from s2auc.solvers.space import PreparedColumns, Space, SpaceChoice, learn_weights, make_space


@dataclass(frozen=True, eq=False)
class FitState:
    """What a fit leaves to go on from.

    Attributes
    ----------
    choice
        What the space was made for.
    space, sample
        The space, and what is known of the columns that it was made from.
    run
        Where the run of steps stands.
    projection, sparse_components
        The components that the model sees in the place of columns, if any, and the parameter that asked for them.
    """

    choice: SpaceChoice
    space: Space
    sample: ColumnSample
    run: RunState
    projection: Projection | None
    sparse_components: int | str | None

    @classmethod
    def fresh(cls, data: FitData, choice: SpaceChoice, sparse_components: int | str | None) -> "FitState":
        """Settle the space from the rows."""
        rows, used = data.model_rows, choice
        if choice.uses_labels and not (rows.order.n_positive and rows.order.n_negative):
            # One class alone cannot tell which columns matter.
            used = replace(choice, column_weighting="none")
        sample = data.sample_columns()
        prepared = PreparedColumns.of_sample(sample, choice.scaling)
        weights = learn_weights(used.column_weighting, prepared.columns.apply(rows.labeled), rows.order)
        space = make_space(used, prepared, weights, data.seed)
        # What the rows say of their columns is kept, the rows themselves are not.
        kept = replace(sample, rows=sample.rows[:0].copy())
        return cls(choice, space, kept, RunState.fresh(), data.projection, sparse_components)

    def check_same(self, choice: SpaceChoice, sparse_components: int | str | None) -> None:
        """Raise a ValueError unless components and space stay: coefficients mean nothing elsewhere."""
        asked = {"sparse_components": (self.sparse_components, sparse_components)}
        for field in fields(SpaceChoice):
            name = "kernel_gamma" if field.name == "bandwidth" else field.name
            asked[name] = str(getattr(self.choice, field.name)), str(getattr(choice, field.name))
        for name, (before, now) in asked.items():
            if now != before:
                raise ValueError(
                    f"The {name!r} parameter must stay as it is while a model goes on learning (partial_fit, "
                    f"warm_start), where it is {before!r}. Got {now!r}; fit with warm_start=False to start anew."
                )


@dataclass(frozen=True, eq=False)
class SinglePlan:
    """The plan of a fit of one setting, settled before any unlabelled row is read.

    Attributes
    ----------
    ranker
        The `S2AUCClassifier` with the parameters.
    data
        The rows.
    solver, points, n_frequencies
        Who solves for the coefficients, for which setting, and with how many frequencies.
    choice
        What the space is made for.
    earlier
        Where it goes on from; None for a fit of its own.
    drawing
        Which rows the setting wants to be drawn.
    needed_rows
        Numbers of the unlabelled rows that it will look at, if they have to be known before.
    checkpoint
        Where its work is kept; None for nowhere.
    """

    ranker: Any
    data: FitData
    solver: Solver
    points: Points
    n_frequencies: int
    choice: SpaceChoice
    earlier: FitState | None
    drawing: Mapping[str, Any]
    needed_rows: IndexArray
    checkpoint: Checkpoint | None

    @classmethod
    def make(
        cls,
        ranker: Any,
        data: FitData,
        solver: Solver,
        labeled_weight: float,
        earlier: FitState | None = None,
        *,
        may_keep: bool = False,
    ) -> "SinglePlan":
        """Settle what happens to the rows, and announce those that will be read.

        Parameters
        ----------
        ranker, data, solver, earlier
            As the attributes.
        labeled_weight
            The labelled weight to fit with.
        may_keep
            Whether the work may be kept in a checkpoint.
        """
        max_iter, n_frequencies = int(ranker.max_iter), int(ranker.n_frequencies or solver.usual_frequencies)
        points = Points((float(ranker.alpha),), (labeled_weight,), (max_iter,), (float(ranker.neighbor_weight),))
        check_memory(ranker, solver, data.rows, [points], n_frequencies)
        if earlier is None:
            data = project(data, ranker.sparse_components, type(ranker).__name__)
        else:
            data = replace(data, projection=earlier.projection)
        usual_scaling = "standard" if data.projection is None else "common"
        scaling = usual_scaling if ranker.scaling == "auto" else ranker.scaling
        choice = SpaceChoice(scaling, ranker.column_weighting, ranker.kernel, Bandwidth.read(ranker.kernel_gamma))
        if earlier is not None:
            earlier.check_same(choice, ranker.sparse_components)
        drawing = drawing_of([points], solver, int(ranker.batch_size), data.seed)
        drawing["first"] = 0 if earlier is None else earlier.run.n_drawn
        is_kept = may_keep and ranker.checkpoint is not None
        needed_rows = announce_needed_rows(data.rows, drawing, is_kept=is_kept)
        checkpoint = None
        if is_kept:
            needed = run_bytes(max_iter if solver.makes_steps else 1, n_frequencies, data.rows.order.n_rows)
            checkpoint = open_checkpoint(ranker, data, needed_rows, needed=needed)
        return cls(ranker, data, solver, points, n_frequencies, choice, earlier, drawing, needed_rows, checkpoint)


def run_bytes(max_iter: int, n_frequencies: int, n_followed: int) -> int:
    """Return the size of a run of steps in a checkpoint, at most: two of them, while one takes the other's place."""
    numbers = 3 * max_iter * n_frequencies + 7 * max_iter + 2 * n_followed
    return 2 * 8 * numbers
