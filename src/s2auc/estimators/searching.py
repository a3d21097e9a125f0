"""What is kept of a search: its model, with a threshold and probabilities, and what was found on the way."""

from dataclasses import replace
from typing import Any

import numpy as np

from s2auc.common.arrays import FloatArray
from s2auc.data.opening import open_source
from s2auc.data.shift import Shift, find_shift
from s2auc.data.training_rows import TrainingRows
from s2auc.estimators.decision import HeldOutScores, settle_threshold
from s2auc.estimators.projecting import ProjectingRanker
from s2auc.estimators.record import (
    describe_curve,
    describe_estimate,
    describe_settings,
    describe_shift,
    describe_verdict,
)
from s2auc.models import Model
from s2auc.models.model_summary import html_table
from s2auc.ranking.intervals import Estimate
from s2auc.search.grid import KERNELS
from s2auc.search.learning_curve import LearningCurve
from s2auc.search.procedure import SearchResult
from s2auc.search.results import make_results
from s2auc.search.training import Training
from s2auc.search.verdict import UnlabeledVerdict

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


class SearchingRanker(ProjectingRanker):
    """Base of the classifier that searches: it has the parameters `threshold`, `class_prior`, `SHARED_PARAMETERS`."""

    threshold: str | float | tuple[str, float] | None
    class_prior: float | str | None
    cv_results_: dict[str, Any]
    best_params_: dict[str, Any]
    best_index_: int
    best_score_: float
    chosen_params_: list[dict[str, Any]]
    chosen_shares_: FloatArray
    held_out_auc_: Estimate | None
    did_unlabeled_help_: UnlabeledVerdict
    learning_curve_: LearningCurve | None
    shift_: Shift | None
    class_prior_: float | None
    offset_: float

    def _repr_html_inner(self) -> str:
        """Return what a notebook shows: scikit-learn's diagram before the fit, what was found after it."""
        return html_table(self.model_) if hasattr(self, "model_") else str(super()._repr_html_inner())

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        bundle: dict[str, str] = super()._repr_mimebundle_(**kwargs)
        return bundle | ({"text/html": self._repr_html_inner()} if "text/html" in bundle else {})

    def _keep(self, found: SearchResult, training: Training, rows: TrainingRows, record: dict[str, Any]) -> None:
        settings = found.grid.settings
        self.cv_results_ = make_results([setting.parameters for setting in settings], found.fold_auc)
        self.cv_results_["member"] = np.array([setting.member for setting in settings])
        self._keep_best()
        self.chosen_params_ = [self.cv_results_["params"][place] for place in found.chosen]
        self.chosen_shares_ = np.array(list(found.chosen.values()))
        self.held_out_auc_ = found.held_out_auc()
        self.did_unlabeled_help_ = found.unlabeled_verdict()
        self.learning_curve_ = found.learning_curve()
        self.shift_ = self._find_shift(training)
        record |= {
            "settings_tried": describe_settings(self.cv_results_),
            "settings_chosen": list(found.chosen),
            "shares": self.chosen_shares_.tolist(),
            "held_out_auc": describe_estimate(self.held_out_auc_),
            "unlabeled": describe_verdict(self.did_unlabeled_help_),
            "learning_curve": describe_curve(self.learning_curve_),
            "learning_curve_sentence": None if self.learning_curve_ is None else self.learning_curve_.sentence,
            "shift": describe_shift(self.shift_),
        }
        parts = (*self._parts_of_rows(found.parts()), *found.parts(is_wide=True))
        plain = Model(parts, 0.0, self.classes_, self._schema, record=record)
        self.model_ = self._decide(plain, HeldOutScores.of_search(found), rows)

    def _keep_best(self) -> None:
        """Keep the best setting of kernels: one that `S2AUCClassifier` has, too."""
        is_kernel = self.cv_results_["member"] == KERNELS
        ranks = np.where(is_kernel | ~is_kernel.any(), self.cv_results_["rank_test_score"], np.iinfo(np.int32).max)
        self.best_index_ = int(np.argmin(ranks))
        self.best_params_ = dict(self.cv_results_["params"][self.best_index_])
        if is_kernel.any():
            self.best_params_ |= {name: getattr(self, name) for name in SHARED_PARAMETERS}
            self.best_params_["random_state"] = self.seed_
        self.best_score_ = float(self.cv_results_["mean_test_score"][self.best_index_])

    def _find_shift(self, training: Training) -> Shift | None:
        work = training.rows
        # Where no setting looks at unlabelled rows none are drawn but the reference rows.
        unlabeled = work.pool if work.has_pool else work.reference
        if self._is_positive_unlabeled or unlabeled.start == unlabeled.stop:
            return None
        scaling = next(iter(training.prepared))
        columns, X = training.prepared[scaling].columns, training.scaled(scaling)
        shift = find_shift(X[: work.order.n_rows], work.order, X[unlabeled])
        if shift is None:
            return None
        column = shift.column if columns.encoding is None else int(columns.encoding.source[shift.column])
        if self._projection is not None:
            column = self._projection.heaviest_column(shift.column)
        # By its number in X, of which some columns may have been left out.
        return replace(shift, column=self._schema.places[column])

    def _decide(self, model: Model, held_out: HeldOutScores, rows: TrainingRows) -> Model:
        """Return the model with its threshold, and with what makes probabilities of scores that it was taken off."""

        def population() -> FloatArray | None:
            drawn = rows.unlabeled_sample(ALERT_ROWS, self.seed_)
            return model.score_source(open_source(drawn[0])) if drawn else None

        self.class_prior_ = held_out.class_prior(self.class_prior, self.seed_)
        probabilities = held_out.probabilities(self.class_prior_)
        self.offset_ = settle_threshold(self.threshold, held_out, self.class_prior_, probabilities, population)
        moved = None if probabilities is None else probabilities.moved(self.offset_)
        return replace(model, offset=self.offset_, probabilities=moved)
