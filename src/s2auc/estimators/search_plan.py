"""A search, planned and run: what is tried, by which folds and on which rows, settled before any is read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from s2auc.common.arrays import IndexArray
from s2auc.common.parameters import Splitter
from s2auc.common.storage.checkpoints import Checkpoint
from s2auc.data.features.scaling import ColumnSample
from s2auc.data.labels.repeated_rows import find_repeated_rows
from s2auc.data.sources.rows import dense_rows
from s2auc.estimators.fitting.checkpointing import keep_model, kept_rows, open_checkpoint, search_bytes
from s2auc.estimators.fitting.decision import check_decision, needs_population
from s2auc.estimators.fitting.fit_data import FitData
from s2auc.estimators.fitting.planning import announce_needed_rows, check_memory, drawing_of, project
from s2auc.estimators.fitting.rules import AXES
from s2auc.estimators.fitting.search_findings import ALERT_ROWS, search_attributes
from s2auc.ranking.losses import LOSSES
from s2auc.search.entries.labeled_only import compared_entries, represented_by_labeled
from s2auc.search.entries.linear import WideRows
from s2auc.search.grids.grid import MEMBERS, Grid
from s2auc.search.grids.make_grid import GridSpec, make_grid
from s2auc.search.plan import FoldPlan, auto_folds, held_out_places, keep_together, make_plan, random_tests, time_steps
from s2auc.search.procedure import SelectionContext, search_settings
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
    needed_rows
        Numbers of the unlabelled rows that it will look at, if they have to be known before.
    checkpoint
        Where its work is kept; None for nowhere.
    labeled_wide
        Terms of texts as labelled rows alone weigh them, to compare with; None for no comparison.
    """

    data: FitData
    choosing: SelectionContext
    drawing: Mapping[str, Any]
    folds: FoldPlan
    needed_rows: IndexArray
    checkpoint: Checkpoint | None
    labeled_wide: WideRows | None = None

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
        check_decision(ranker, n_negative=data.labels.n_negative, n_unlabeled=data.rows.n_unlabeled)
        wanted = _read_wanted(ranker, selection)
        data = project(data, ranker.sparse_components, type(ranker).__name__)
        rows = data.rows
        wide = None if data.projection is None else WideRows.of_training(rows, data.seed)
        wide = wide if data.terms is None else WideRows.of_terms(data.terms, data.seed)
        labeled_wide = None
        if data.terms is not None and wide is not None and ranker.judge and rows.n_unlabeled and rows.order.n_negative:
            encodings = [encoding for _, encoding in data.schema.texts.values()]
            labeled_wide = wide.by_labeled_rows(encodings, rows.order.n_rows)
        grid = make_grid(wanted, solver, rows.order, rows.n_unlabeled, wide, data.model_schema, labeled_wide)
        n_frequencies = int(ranker.n_frequencies or solver.search_frequencies)
        check_memory(ranker, solver, data.model_rows, grid.points, n_frequencies)
        drawing = drawing_of(grid.points, solver, int(ranker.batch_size), data.seed)
        n_alerts = ALERT_ROWS if needs_population(ranker.threshold) else 0
        needed_rows = announce_needed_rows(rows, drawing, is_kept=ranker.checkpoint is not None, n_more=n_alerts)
        folds = _make_folds(_tests(ranker.cv, data), data, judged=bool(ranker.judge))
        checkpoint = None
        if ranker.checkpoint is not None:
            needed = search_bytes(grid, data, folds)
            checkpoint = open_checkpoint(ranker, data, needed_rows, beside=[folds.tests, folds.later], needed=needed)
        choosing = SelectionContext(
            grid,
            selection,
            rows.order.n_rows,
            rows.n_unlabeled,
            is_sampling_known=rows.order.weight is not None or data.is_random is not None,
        )
        return cls(data, choosing, drawing, folds, needed_rows, checkpoint, labeled_wide)

    def run(self, ranker: Any, progress: SearchProgress) -> dict[str, Any]:
        """Search, choose and judge, keep the model in the checkpoint if there is one, and return fitted attributes.

        Parameters
        ----------
        ranker
            The `S2AUCClassifierCV` with the parameters.
        progress
            Who is told of every stage and entry.
        """
        data = kept_rows(self.data, self.needed_rows, self.checkpoint)
        progress.stage("rows", "%d positive, %d negative, %d unlabelled", *data.rows.sizes.values())
        repeated, folds = self._with_equals_together(data, ranker.cv)
        sample = data.sample_columns()
        grid, work = self.choosing.grid, collect_rows(data.model_rows, **self.drawing)
        shared: dict[str, Any] = {
            "loss": LOSSES[ranker.loss],
            "n_neighbors": int(ranker.n_neighbors),
            "seed": data.seed,
        }
        labeled_only = None
        if self.labeled_wide is not None:
            alone = represented_by_labeled(work, self.labeled_wide.rows, data.schema)
            of_labeled = ColumnSample.of_rows(dense_rows(alone.X)[: alone.order.n_rows], data.schema)
            compared = Grid(compared_entries(grid.entries))
            labeled_only = Training.for_grid(compared, alone, of_labeled, folds, **shared)
        training = Training.for_grid(grid, work, sample, folds, labeled_only=labeled_only, **shared)
        progress.stage("columns", "%d in %d scalings", data.model_schema.n_columns, len(training.prepared))
        crew = data.source.crew or data.rows.crew
        found = search_settings(training, self.choosing, progress, self.checkpoint, crew=crew)
        progress.stage("judging", "%d settings of %d", len(found.chosen), len(found.grid.settings))
        fitted = search_attributes(ranker, data, sample, training, found, repeated)
        keep_model(fitted["model_"], self.checkpoint)
        progress.stage("done", "held-out AUC %s", fitted["held_out_auc_"] or "unknown")
        return fitted

    def _with_equals_together(self, data: FitData, cv: Any) -> tuple[str, FoldPlan]:
        """Return what there is to say of labelled rows that repeat others, and folds that test equal rows together."""
        order = data.rows.order
        repeated = find_repeated_rows(data.rows.labeled, order.is_positive)
        folds, numbers = self.folds, data.labels.positive_first()
        # Folds of users, and those of groups, are theirs.
        if repeated.are_copies and data.groups is None and not Splitter().accepts(cv):
            tests = keep_together(folds.tests, repeated.first, order.is_positive)
            folds = _make_folds(tests, data, judged=folds.is_judged)
        is_kept_together = repeated.are_copies and all(
            np.array_equal(np.isin(repeated.first, repeated.first[test]), np.isin(np.arange(order.n_rows), test))
            for test in folds.tests
        )
        return repeated.sentence(numbers, is_kept_together=is_kept_together), folds


def _read_wanted(ranker: Any, selection: Selection) -> GridSpec:
    """Return what to try, from the parameters."""
    given = MEMBERS if isinstance(ranker.members, str) else ranker.members
    members = [member for member in given if member in selection.members]
    if not members:
        raise ValueError(
            f"The 'members' parameter of {type(ranker).__name__} must hold one of {list(selection.members)} with "
            f"selection={selection.name!r}. Got {list(given)}; add one, or use selection='average'."
        )
    return GridSpec(
        **{f"{name}s": _given(getattr(ranker, f"{name}s")) for name in AXES},
        n_frequencies=ranker.n_frequencies,
        members=members,
    )


def _given(value: Any) -> Sequence[Any] | None:
    """Return the list that a parameter holds, None for "auto"."""
    return None if isinstance(value, str) else np.asarray(value, dtype=object).tolist()


def _make_folds(tests: Sequence[IndexArray], data: FitData, *, judged: bool) -> FoldPlan:
    """Return the masks for some folds, and for earlier and later rows where their times were given."""
    is_positive = data.rows.order.is_positive
    plan = make_plan(tests, is_positive, judged=judged)
    if data.time is None or not judged:
        return plan
    return plan.with_later(time_steps(data.time, is_positive, data.is_random))


def _tests(cv: Any, data: FitData) -> list[IndexArray]:
    """Return the rows that each fold tests, by their places among the labelled rows, positive ones first."""
    is_positive, groups, is_random = data.labels.order.is_positive, data.groups, data.is_random
    if Splitter().accepts(cv):
        tests = held_out_places(cv, data.source, data.labels, groups)
        return tests if is_random is None else random_tests(tests, is_random, is_positive)
    if is_random is None:
        return auto_folds(is_positive, int(cv), data.seed, groups)
    # Rows that were not drawn at random are always trained on, and never tested.
    places = np.flatnonzero(is_random)
    if not set(is_positive.tolist()) <= set(is_positive[places].tolist()):
        return []
    groups = None if groups is None else groups[places]
    return [places[test] for test in auto_folds(is_positive[places], int(cv), data.seed, groups)]
