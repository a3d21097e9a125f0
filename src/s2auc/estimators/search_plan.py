"""A search, planned and run: what is tried, by which folds and on which rows, settled before any is read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from s2auc.common.arrays import FloatArray, IndexArray
from s2auc.common.parameters import Splitter
from s2auc.common.storage.checkpoints import Checkpoint
from s2auc.common.user_warnings import is_called_from, warn_user
from s2auc.data.features.scaling import ColumnSample
from s2auc.data.features.shift import SHIFT_LEVEL, Shift, find_shift
from s2auc.data.labels.repeated_rows import find_repeated_rows
from s2auc.data.schema.column_names import short
from s2auc.data.schema.schema import EVERY, Schema
from s2auc.data.sources.matrix_rows import open_source
from s2auc.data.sources.rows import dense_rows
from s2auc.estimators.fitting.checkpointing import keep_model, kept_rows, open_checkpoint, search_bytes
from s2auc.estimators.fitting.decision import HeldOutScores, check_decision, needs_population, settle_threshold
from s2auc.estimators.fitting.fit_data import FitData
from s2auc.estimators.fitting.leakage import name_telling_columns
from s2auc.estimators.fitting.planning import announce_needed_rows, check_memory, drawing_of, project
from s2auc.estimators.fitting.record import (
    describe_estimate,
    describe_findings,
    describe_fit,
    describe_labels,
    describe_settings,
)
from s2auc.estimators.fitting.rules import AXES
from s2auc.models.model import Model
from s2auc.models.parts.linear import LinearPart
from s2auc.models.parts.part import Part
from s2auc.models.record import Record
from s2auc.ranking.intervals import Estimate, corrected_for_positives
from s2auc.ranking.losses import LOSSES
from s2auc.search.entries.labeled_only import compared_entries, represented_by_labeled
from s2auc.search.entries.linear import WideRows
from s2auc.search.grids.grid import KERNEL_FUNCTIONS, MEMBERS, Grid
from s2auc.search.grids.make_grid import GridSpec, make_grid
from s2auc.search.label_sampling import Sampling
from s2auc.search.plan import FoldPlan, auto_folds, held_out_places, keep_together, make_plan, random_tests, time_steps
from s2auc.search.procedure import SearchResult, SelectionContext, search_settings
from s2auc.search.progress import SearchProgress
from s2auc.search.results import make_results
from s2auc.search.selection import Selection
from s2auc.search.training import Training
from s2auc.search.verdict import compare_with_time
from s2auc.solvers.job import Solver
from s2auc.solvers.work_rows import collect_rows

ALERT_ROWS = 20_000
"""Unlabelled rows of which a share is to be above the threshold."""

SHARED_PARAMETERS = (
    "loss",
    "n_neighbors",
    "sparse_components",
    "batch_size",
    "solver",
    "categorical_features",
    "text_features",
    "unlabeled",
    "pos_label",
)
"""Parameters of `S2AUCClassifier` that all settings of a search have in common."""


def search_attributes(
    ranker: Any, data: FitData, sample: ColumnSample, training: Training, found: SearchResult, repeated: str
) -> dict[str, Any]:
    """Judge what a search chose, make the model of it, and return the fitted attributes.

    Parameters
    ----------
    ranker
        The `S2AUCClassifierCV` with the parameters.
    data, sample
        The rows, and the sample of them that settled what happens to columns.
    training, found
        What the settings were trained with, and what was found.
    repeated
        What there is to say of labelled rows that repeat others.
    """
    settings = [found.grid.settings[place] for place in found.grid.candidates]
    results = make_results([setting.parameters for setting in settings], found.fold_auc[found.grid.candidates])
    results["member"] = np.array([setting.member for setting in settings])
    shares = np.array(list(found.chosen.values()))
    held_out_auc, verdict = found.held_out_auc(), found.unlabeled_verdict()
    curve, shift = found.learning_curve(), _find_shift(data, training)
    sampling, telling = found.sampling_verdict(), name_telling_columns(data, training)
    record: Record = describe_fit(ranker, data, sample) | {
        "settings_tried": describe_settings(results),
        "settings_chosen": list(found.chosen),
        "shares": shares.tolist(),
        **describe_findings(held_out_auc, verdict, curve, shift),
        **describe_labels(sampling, telling, repeated),
    }
    parts, schema = _model_parts(data, found)
    plain = Model(parts, 0.0, data.labels.classes, schema, record=record)
    held_out = HeldOutScores.of_search(found)
    prior = held_out.class_prior(ranker.class_prior, data.seed)
    time_auc, time_verdict = (None, None) if data.time is None else _time_auc(found, held_out_auc)
    if time_verdict is not None:
        record["time"] = {"sentence": time_verdict, "auc": None if time_auc is None else describe_estimate(time_auc)}
    corrected = None
    if data.is_positive_unlabeled and held_out_auc is not None and prior is not None:
        corrected = corrected_for_positives(held_out_auc, prior)
        record["corrected_auc"] = describe_estimate(corrected)
    model = _decide(plain, ranker.threshold, held_out, prior, data)
    return data.attributes() | {
        "model_": model,
        "offset_": model.offset,
        "cv_results_": results,
        **_best_setting(ranker, results, data.seed),
        "chosen_params_": [results["params"][place] for place in found.chosen],
        "chosen_shares_": shares,
        "held_out_auc_": held_out_auc,
        "corrected_auc_": corrected,
        "time_auc_": time_auc,
        "time_verdict_": time_verdict,
        "did_unlabeled_help_": verdict,
        "learning_curve_": curve,
        "label_sampling_": sampling,
        "repeated_rows_": repeated,
        "telling_columns_": telling,
        "shift_": shift,
        "class_prior_": prior,
    }


def _model_parts(data: FitData, found: SearchResult) -> tuple[tuple[Part, ...], Schema]:
    """Return the parts of the model, and the schema of the rows that they score."""
    parts, wide = data.parts_of_rows(found.parts()), found.parts(is_wide=True)
    if data.terms is None or not wide:
        return (*parts, *wide), data.schema
    # Texts become numbers by the schema, among them one that the model has learnt: a weighted sum of terms.
    weights = np.sum([part.columns.scale * part.weights for part in wide if isinstance(part, LinearPart)], axis=0)
    largest = float(np.abs(weights).max()) or 1.0
    of_sums = LinearPart.of_columns(data.schema.sum_columns, data.schema.n_columns, largest)
    return (*parts, of_sums), data.schema.with_sums(weights / largest)


def _time_auc(found: SearchResult, held_out_auc: Estimate | None) -> tuple[Estimate | None, str]:
    """Return the AUC on later rows, and the sentence that compares it with that on random folds."""
    time_auc = found.time_auc()
    return time_auc, compare_with_time(time_auc, held_out_auc)


def _best_setting(ranker: Any, results: Mapping[str, Any], seed: int) -> dict[str, Any]:
    """Return the best setting of kernels, one that `S2AUCClassifier` has, too."""
    sees_all = np.array([parameters.get("columns", EVERY) == EVERY for parameters in results["params"]])
    is_kernel = (results["member"] == KERNEL_FUNCTIONS) & sees_all
    ranks = np.where(is_kernel | ~is_kernel.any(), results["rank_test_score"], np.iinfo(np.int32).max)
    best = int(np.argmin(ranks))
    parameters = dict(results["params"][best])
    if is_kernel.any():
        parameters |= {name: getattr(ranker, name) for name in SHARED_PARAMETERS} | {"random_state": seed}
    score = float(results["mean_test_score"][best])
    return {"best_index_": best, "best_params_": parameters, "best_score_": score}


def _find_shift(data: FitData, training: Training) -> Shift | None:
    work = training.rows
    # Where no setting looks at unlabelled rows none are drawn but the reference rows.
    unlabeled = work.pool if work.has_pool else work.reference
    if data.is_positive_unlabeled or unlabeled.start == unlabeled.stop:
        return None
    scaling = next(iter(training.prepared))
    columns, X = training.prepared[scaling].columns, training.scaled(scaling)
    shift = find_shift(X[: work.order.n_rows], work.order, X[unlabeled])
    if shift is None:
        return None
    column = shift.column if columns.encoding is None else int(columns.encoding.source[shift.column])
    if data.projection is not None:
        column = data.projection.heaviest_column(shift.column)
    # By its number in X, of which some columns may have been left out.
    return replace(shift, column=data.schema.places[column])


def _decide(model: Model, threshold: Any, held_out: HeldOutScores, class_prior: float | None, data: FitData) -> Model:
    """Return the model with its threshold, and with what makes probabilities of scores that it was taken off."""

    def population() -> FloatArray | None:
        drawn = data.rows.unlabeled_sample(ALERT_ROWS, data.seed)
        if not drawn:
            return None
        rows = drawn[0]
        if data.terms is not None:
            (terms,) = data.terms.unlabeled_sample(ALERT_ROWS, data.seed)
            model.schema.fill_sums(dense_rows(rows), terms)
        return model.score_source(open_source(rows))

    probabilities = held_out.probabilities(class_prior)
    offset = settle_threshold(threshold, held_out, class_prior, probabilities, population)
    moved = None if probabilities is None else probabilities.moved(offset)
    return replace(model, offset=offset, probabilities=moved)


FEW_ROWS = 5
"""With so few rows of a class, users are warned that the choice is uncertain."""


def warn_of_findings(ranker: Any, data: FitData, n_folds: int) -> None:
    """Warn of what a search found that users should know.

    Parameters
    ----------
    ranker
        The fitted `S2AUCClassifierCV`.
    data, n_folds
        The rows, and how many folds tested them.
    """
    labels, shift = data.labels, ranker.shift_
    smallest = min(labels.n_positive, labels.n_negative) if labels.n_negative else labels.n_positive
    if smallest == 1:
        warn_user(
            "A class has a single labelled row, so nothing can be held out: settings were not chosen, the model "
            "averages usual ones, and probabilities are those of rows that it has seen. Label more rows."
        )
    elif smallest <= FEW_ROWS:
        held_out = ranker.held_out_auc_
        known = "cannot be told without bias" if held_out is None else f"is {held_out}"
        warn_user(
            f"The smaller class has {smallest} labelled rows: settings were chosen by {n_folds} folds that test one or "
            f"two of them each, so the choice is uncertain. The held-out AUC {known}."
        )
    if ranker.judge and ranker.label_sampling_.answer == Sampling.UNCOVERED:
        warn_user(ranker.label_sampling_.sentence)
    if shift is None or shift.p_value >= SHIFT_LEVEL:
        return
    schema = data.schema
    name = "" if schema.names is None else f" ({short(schema.passed_names[shift.column])})"
    where = "column" if data.projection is None else "a component whose heaviest is column"
    pipeline = (
        " A Pipeline hands X_unlabeled over untransformed: put unlabelled rows into X and mark them in y instead."
        if data.has_pool and is_called_from("sklearn.pipeline")
        else ""
    )
    warn_user(
        f"Labelled and unlabelled rows differ in {where} {shift.column}{name} more than any mixture of the two "
        f"classes explains (p = {shift.p_value:.1g}): the method assumes that both come from one distribution. Check "
        f"how rows were picked for labelling.{pipeline}"
    )


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
