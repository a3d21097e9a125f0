"""A fit of one setting, planned: all that is settled before any unlabelled row is read."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from s2auc.common.arrays import IndexArray
from s2auc.common.checkpoints import Checkpoint
from s2auc.estimators.checkpointing import open_checkpoint
from s2auc.estimators.fit_data import FitData
from s2auc.estimators.kept_runs import run_bytes
from s2auc.estimators.projecting import project
from s2auc.estimators.single_fit import FitSettings, FitState
from s2auc.solvers.job import Solver
from s2auc.solvers.work_rows import draw_work_rows


@dataclass(frozen=True, eq=False)
class SinglePlan:
    """What a fit of one setting will do, settled before any unlabelled row is read.

    Attributes
    ----------
    data
        The rows.
    settings, solver
        What is asked for, and who does it.
    earlier
        Where it goes on from; None for a fit of its own.
    touched
        Numbers of the unlabelled rows that it will look at, if they have to be known before.
    checkpoint
        Where its work is kept; None for nowhere.
    """

    data: FitData
    settings: FitSettings
    solver: Solver
    earlier: FitState | None
    touched: IndexArray
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
        ranker
            The `S2AUCClassifier` with the parameters.
        data, solver, earlier
            As the attributes.
        labeled_weight
            The labelled weight to fit with.
        may_keep
            Whether the work may be kept in a checkpoint.
        """
        if earlier is None:
            data = project(data, ranker.sparse_components, type(ranker).__name__)
        else:
            earlier.check_components(ranker.sparse_components)
            data = replace(data, projection=earlier.projection)
        settings = FitSettings.of(ranker, data, solver, labeled_weight)
        if earlier is not None:
            earlier.check_choice(settings.choice)
        is_kept = may_keep and ranker.checkpoint is not None
        touched = np.zeros(0, dtype=np.intp)
        if data.rows.is_read_whole or is_kept:
            n_drawn = 0 if earlier is None else earlier.run.n_drawn
            drawn = draw_work_rows(data.rows, **settings.drawing(solver), first=n_drawn)
            touched = np.union1d(data.rows.sample_numbers(data.seed), drawn.unlabeled)
        data.rows.announce(touched)
        checkpoint = None
        if is_kept:
            n_steps = settings.max_iter if solver.makes_steps else 1
            needed = run_bytes(n_steps, settings.n_frequencies, data.rows.order.n_rows)
            checkpoint = open_checkpoint(ranker, data, touched, needed=needed)
        return cls(data, settings, solver, earlier, touched, checkpoint)
