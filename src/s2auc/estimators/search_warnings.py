"""What users are told after a search: that labels were few, or that labelled and unlabelled rows differ."""

from typing import Any

from s2auc.common.callers import is_called_from
from s2auc.common.user_warnings import warn_user
from s2auc.data.features.shift import SHIFT_LEVEL, Shift
from s2auc.data.labels.labels import Labels
from s2auc.estimators.fitting.fit_data import FitData

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
    _warn_of_few_rows(ranker, data.labels, n_folds)
    _warn_of_shift(ranker.shift_, data)


def _warn_of_few_rows(ranker: Any, labels: Labels, n_folds: int) -> None:
    smallest = min(labels.n_positive, labels.n_negative) if labels.n_negative else labels.n_positive
    if smallest == 1:
        warn_user(
            "A class has a single labelled row, so nothing can be held out: settings were not chosen, the model "
            "averages usual ones, and probabilities are those of rows that it has seen. Label more rows.",
        )
    elif smallest <= FEW_ROWS:
        held_out = ranker.held_out_auc_
        known = "cannot be told without bias" if held_out is None else f"is {held_out}"
        warn_user(
            f"The smaller class has {smallest} labelled rows: settings were chosen by {n_folds} folds that test one or "
            f"two of them each, so the choice is uncertain. The held-out AUC {known}.",
        )


def _warn_of_shift(shift: Shift | None, data: FitData) -> None:
    if shift is None or shift.p_value >= SHIFT_LEVEL:
        return
    schema = data.schema
    name = "" if schema.names is None else f" ({schema.called_columns[schema.places.index(shift.column)]})"
    where = "column" if data.projection is None else "a component whose heaviest is column"
    pipeline = (
        " A Pipeline hands X_unlabeled over untransformed: put unlabelled rows into X and mark them in y instead."
        if data.has_pool and is_called_from("sklearn.pipeline")
        else ""
    )
    warn_user(
        f"Labelled and unlabelled rows differ in {where} {shift.column}{name} more than any mixture of the two "
        f"classes explains (p = {shift.p_value:.1g}): the method assumes that both come from one distribution. Check "
        f"how rows were picked for labelling.{pipeline}",
    )
