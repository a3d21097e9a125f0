"""The outcome of a search: its model, with a threshold and probabilities, and all fitted attributes."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from s2auc.common.arrays import FloatArray
from s2auc.data.features.scaling import ColumnSample
from s2auc.data.features.shift import Shift, find_shift
from s2auc.data.opening import open_source
from s2auc.estimators.fitting.decision import HeldOutScores, settle_threshold
from s2auc.estimators.fitting.fit_data import FitData
from s2auc.estimators.fitting.record import (
    describe_curve,
    describe_estimate,
    describe_fit,
    describe_settings,
    describe_shift,
    describe_verdict,
)
from s2auc.models import Model
from s2auc.search.grids.grid import KERNELS
from s2auc.search.procedure import SearchResult
from s2auc.search.results import make_results
from s2auc.search.training import Training

ALERT_ROWS = 20_000
"""Unlabelled rows of which a share is to be above the threshold."""

SHARED_PARAMETERS = (
    "loss",
    "n_neighbors",
    "sparse_components",
    "batch_size",
    "solver",
    "categorical_features",
    "unlabeled",
    "pos_label",
)
"""Parameters of `S2AUCClassifier` that all settings of a search have in common."""


def search_attributes(
    ranker: Any, data: FitData, sample: ColumnSample, training: Training, found: SearchResult
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
    """
    settings = found.grid.settings
    results = make_results([setting.parameters for setting in settings], found.fold_auc)
    results["member"] = np.array([setting.member for setting in settings])
    shares = np.array(list(found.chosen.values()))
    held_out_auc, verdict = found.held_out_auc(), found.unlabeled_verdict()
    curve, shift = found.learning_curve(), _find_shift(data, training)
    record = describe_fit(ranker, data, sample) | {
        "settings_tried": describe_settings(results),
        "settings_chosen": list(found.chosen),
        "shares": shares.tolist(),
        "held_out_auc": describe_estimate(held_out_auc),
        "unlabeled": describe_verdict(verdict),
        "learning_curve": describe_curve(curve),
        "learning_curve_sentence": None if curve is None else curve.sentence,
        "shift": describe_shift(shift),
    }
    parts = (*data.parts_of_rows(found.parts()), *found.parts(is_wide=True))
    plain = Model(parts, 0.0, data.labels.classes, data.schema, record=record)
    held_out = HeldOutScores.of_search(found)
    prior = held_out.class_prior(ranker.class_prior, data.seed)
    model = _decide(plain, ranker.threshold, held_out, prior, data)
    return data.attributes() | {
        "model_": model,
        "offset_": model.offset,
        "cv_results_": results,
        **_best_setting(ranker, results, data.seed),
        "chosen_params_": [results["params"][place] for place in found.chosen],
        "chosen_shares_": shares,
        "held_out_auc_": held_out_auc,
        "did_unlabeled_help_": verdict,
        "learning_curve_": curve,
        "shift_": shift,
        "class_prior_": prior,
    }


def _best_setting(ranker: Any, results: Mapping[str, Any], seed: int) -> dict[str, Any]:
    """Return the best setting of kernels, one that `S2AUCClassifier` has, too."""
    is_kernel = results["member"] == KERNELS
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
        return model.score_source(open_source(drawn[0])) if drawn else None

    probabilities = held_out.probabilities(class_prior)
    offset = settle_threshold(threshold, held_out, class_prior, probabilities, population)
    moved = None if probabilities is None else probabilities.moved(offset)
    return replace(model, offset=offset, probabilities=moved)
