"""A search, planned and run: what is tried, by which folds and on which rows, settled before any is read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from s2auc.common.arrays import IndexArray
from s2auc.common.checkpoints import Checkpoint
from s2auc.estimators.fitting.callbacks import FitTask
from s2auc.estimators.fitting.checkpointing import keep_model, kept_rows, open_checkpoint, search_bytes
from s2auc.estimators.fitting.decision import check_decision, needs_population
from s2auc.estimators.fitting.fit_data import FitData
from s2auc.estimators.fitting.memory_needs import check_search_sizes
from s2auc.estimators.fitting.needed_rows import announce_touched, drawing_of
from s2auc.estimators.fitting.projection import project
from s2auc.estimators.fitting.rules import AXES
from s2auc.estimators.search_outcome import ALERT_ROWS, search_attributes
from s2auc.ranking.losses import LOSSES
from s2auc.search.entries.wide_rows import WideRows
from s2auc.search.grids.grid import MEMBERS
from s2auc.search.grids.make_grid import Wanted, make_grid
from s2auc.search.plan import FoldPlan, auto_folds, held_out_places, make_plan
from s2auc.search.procedure import Choosing, search_settings
from s2auc.search.progress import SearchProgress
from s2auc.search.selection import Selection
from s2auc.search.training import Training
from s2auc.solvers.job import Solver
from s2auc.solvers.work_rows import collect_rows


@dataclass(frozen=True, eq=False)
class SearchPlan:
    """The plan of a search, settled before any unlabelled row is read.

    Attributes
    ----------
    data
        The rows.
    choosing
        What is tried, and how settings are chosen.
    drawing
        Which rows the settings want to be drawn.
    folds
        Which labelled rows are held out.
    touched
        Numbers of the unlabelled rows that it will look at, if they have to be known before.
    checkpoint
        Where its work is kept; None for nowhere.
    """

    data: FitData
    choosing: Choosing
    drawing: Mapping[str, Any]
    folds: FoldPlan
    touched: IndexArray
    checkpoint: Checkpoint | None

    @classmethod
    def make(cls, ranker: Any, data: FitData, solver: Solver, selection: Selection) -> "SearchPlan":
        """Settle what happens to the rows, and announce those that will be read.

        Parameters
        ----------
        ranker
            The `S2AUCClassifierCV` with the parameters.
        data
            The rows.
        solver, selection
            Who fits settings of kernels, and how settings are chosen.
        """
        _check_rows(ranker, data)
        wanted = _read_wanted(ranker, selection)
        data = project(data, ranker.sparse_components, type(ranker).__name__)
        rows = data.rows
        wide = None if data.projection is None else WideRows.of_training(rows, data.seed)
        grid = make_grid(wanted, solver, rows.order, rows.n_unlabeled, wide)
        check_search_sizes(ranker, solver, data.model_rows, grid)
        drawing = drawing_of(grid.points, solver, int(ranker.batch_size), data.seed)
        n_alerts = ALERT_ROWS if needs_population(ranker.threshold) else 0
        touched = announce_touched(rows, drawing, is_kept=ranker.checkpoint is not None, n_more=n_alerts)
        folds = make_plan(_tests(ranker.cv, data), rows.order.is_positive, judged=bool(ranker.judge))
        checkpoint = None
        if ranker.checkpoint is not None:
            needed = search_bytes(grid, data, folds)
            checkpoint = open_checkpoint(ranker, data, touched, beside=[folds.tests], needed=needed)
        return cls(data, Choosing(grid, selection, rows.order.n_rows), drawing, folds, touched, checkpoint)

    def run(self, ranker: Any, task: FitTask, progress: SearchProgress) -> dict[str, Any]:
        """Search, choose and judge, keep the model in the checkpoint if there is one, and return fitted attributes.

        Parameters
        ----------
        ranker
            The `S2AUCClassifierCV` with the parameters.
        task
            The fit as callbacks see it, which are told of every entry of the grid.
        progress
            Who is told of every stage.
        """
        data = kept_rows(self.data, self.touched, self.checkpoint)
        progress.stage("rows", "%d positive, %d negative, %d unlabelled", *data.rows.sizes.values())
        sample = data.sample_columns()
        training = Training.for_grid(
            self.choosing.grid,
            collect_rows(data.model_rows, **self.drawing),
            sample,
            self.folds,
            loss=LOSSES[ranker.loss],
            n_neighbors=int(ranker.n_neighbors),
            seed=data.seed,
        )
        progress.stage("columns", "%d in %d scalings", data.model_schema.n_columns, len(training.prepared))
        progress.wants_stop = task.subtask_done
        crew = data.source.crew or data.rows.crew
        found = search_settings(training, self.choosing, progress, self.checkpoint, crew=crew)
        progress.stage("judging", "%d settings of %d", len(found.chosen), len(found.grid.settings))
        fitted = search_attributes(ranker, data, sample, training, found)
        keep_model(fitted["model_"], self.checkpoint)
        progress.stage("done", "held-out AUC %s", fitted["held_out_auc_"] or "unknown")
        return fitted


def _check_rows(ranker: Any, data: FitData) -> None:
    """Raise a ValueError if the rows cannot give what is asked for."""
    n_negative, n_unlabeled = data.labels.n_negative, data.rows.n_unlabeled
    if not n_negative and not n_unlabeled:
        raise ValueError(
            "Positive rows alone cannot be ranked: without negative rows the model needs unlabelled ones. Got "
            "none; pass X_unlabeled, or mark rows of y as unlabelled."
        )
    check_decision(
        ranker.threshold,
        ranker.class_prior,
        n_negative=n_negative,
        n_unlabeled=n_unlabeled,
        owner=type(ranker).__name__,
    )


def _read_wanted(ranker: Any, selection: Selection) -> Wanted:
    """Return what to try, from the parameters."""
    given = MEMBERS if isinstance(ranker.members, str) else ranker.members
    members = [member for member in given if member in selection.members]
    if not members:
        raise ValueError(
            f"The 'members' parameter of {type(ranker).__name__} must hold one of {list(selection.members)} with "
            f"selection={selection.name!r}. Got {list(given)}; add one, or use selection='average'."
        )
    return Wanted(
        **{f"{name}s": _given(getattr(ranker, f"{name}s")) for name in AXES},
        n_frequencies=ranker.n_frequencies,
        members=members,
    )


def _given(value: Any) -> Sequence[Any] | None:
    """Return the list that a parameter holds, None for "auto"."""
    return None if isinstance(value, str) else np.asarray(value, dtype=object).tolist()


def _tests(cv: Any, data: FitData) -> list[IndexArray]:
    """Return the rows that each fold tests, by their places among the labelled rows, positive ones first."""
    if hasattr(cv, "split"):
        return held_out_places(cv, data.source, data.labels, data.groups)
    return auto_folds(data.labels.order.is_positive, int(cv), data.seed, data.groups)
