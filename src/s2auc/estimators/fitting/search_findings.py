"""From what a search found to a model and fitted attributes, and to warnings."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from s2auc.common.arrays import FloatArray
from s2auc.common.user_warnings import is_called_from, warn_user
from s2auc.data.features.scaling import ColumnSample
from s2auc.data.features.shift import SHIFT_LEVEL, Shift, find_shift
from s2auc.data.schema.column_names import short
from s2auc.data.schema.schema import EVERY, Schema
from s2auc.data.sources.matrix_rows import open_source
from s2auc.data.sources.rows import dense_rows
from s2auc.estimators.fitting.decision import HeldOutScores, settle_threshold
from s2auc.estimators.fitting.fit_data import FitData
from s2auc.estimators.fitting.leakage import name_telling_columns
from s2auc.estimators.fitting.record import (
    describe_estimate,
    describe_findings,
    describe_fit,
    describe_labels,
    describe_settings,
)
from s2auc.models.model import Model
from s2auc.models.parts.linear import LinearPart
from s2auc.models.parts.part import Part
from s2auc.models.record import Record
from s2auc.ranking.intervals import Estimate, corrected_for_positives
from s2auc.search.grids.grid import KERNEL_FUNCTIONS
from s2auc.search.label_sampling import Sampling
from s2auc.search.procedure import SearchResult
from s2auc.search.results import make_results
from s2auc.search.training import Training
from s2auc.search.verdict import compare_with_time

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
