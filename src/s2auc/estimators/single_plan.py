"""The plan of a fit of one setting: the space, the rows to draw and the checkpoint, settled before rows are read."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from s2auc.common.arrays import IndexArray
from s2auc.common.storage.checkpoints import Checkpoint
from s2auc.data.features.projection import Projection
from s2auc.data.features.scaling import ColumnSample
from s2auc.estimators.fitting.checkpointing import open_checkpoint
from s2auc.estimators.fitting.fit_data import FitData
from s2auc.estimators.fitting.planning import announce_needed_rows, check_memory, drawing_of, project
from s2auc.estimators.fitting.unchanged import check_same_settings
from s2auc.kernels.bandwidth import Bandwidth
from s2auc.solvers.job import Points, SingleSolver
from s2auc.solvers.qsg.qsg import RunState
from s2auc.solvers.space import COLUMN_WEIGHTINGS, PreparedColumns, Space, SpaceChoice, make_space


@dataclass(frozen=True, eq=False)
class FitState:
    """What a fit leaves to go on from.

    Attributes
    ----------
    settings
        The parameters that must stay, as coefficients mean nothing elsewhere.
    space, sample
        The space, and what is known of the columns that it was made from.
    run
        Where the run of steps stands.
    projection
        The components that the model sees in the place of columns, if any.
    """

    settings: Mapping[str, Any]
    space: Space
    sample: ColumnSample
    run: RunState
    projection: Projection | None

    @classmethod
    def fresh(cls, data: FitData, choice: SpaceChoice, sparse_components: int | str | None) -> "FitState":
        """Settle the space from the rows."""
        rows, used = data.model_rows, choice
        if choice.uses_labels and not (rows.order.n_positive and rows.order.n_negative):
            # One class alone cannot tell which columns matter.
            used = replace(choice, column_weighting="none")
        sample = data.sample_columns()
        prepared = PreparedColumns.of_sample(sample, choice.scaling)
        labeled = rows.labeled if used.uses_labels else rows.labeled[:0]  # which may be too many to encode for nothing
        weights = COLUMN_WEIGHTINGS[used.column_weighting].weights(prepared.columns.apply(labeled), rows.order)
        space = make_space(used, prepared, weights, data.seed)
        # What the rows say of their columns is kept, the rows themselves are not.
        kept = replace(sample, rows=sample.rows[:0].copy())
        settings = settings_of(choice, sparse_components)
        return cls(settings, space, kept, RunState.fresh(), data.projection)


def settings_of(choice: SpaceChoice, sparse_components: int | str | None) -> dict[str, Any]:
    """Return the parameters that must stay while a model goes on learning."""
    plain = {name: getattr(choice, name) for name in ("scaling", "column_weighting", "kernel")}
    return plain | {"kernel_gamma": str(choice.bandwidth), "sparse_components": sparse_components}


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
    solver: SingleSolver
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
        solver: SingleSolver,
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
            check_same_settings(ranker, earlier.settings, settings_of(choice, ranker.sparse_components))
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
