"""What users are told after a search: that labels were few, or that labelled and unlabelled rows differ."""

from s2auc.common.callers import is_called_from
from s2auc.common.user_warnings import warn_user
from s2auc.data.shift import SHIFT_LEVEL
from s2auc.estimators.search_outcome import SearchOutcome

FEW_ROWS = 5
"""With so few rows of a class, users are warned that the choice is uncertain."""


def warn_of_findings(outcome: SearchOutcome) -> None:
    """Warn of what a search found that users should know."""
    _warn_of_few_rows(outcome)
    _warn_of_shift(outcome)


def _warn_of_few_rows(outcome: SearchOutcome) -> None:
    labels, n_folds = outcome.data.labels, outcome.found.evidence.plan.n_folds
    smallest = min(labels.n_positive, labels.n_negative) if labels.n_negative else labels.n_positive
    if smallest == 1:
        warn_user(
            "A class has a single labelled row, so nothing can be held out: settings were not chosen, the model "
            "averages usual ones, and probabilities are those of rows that it has seen. Label more rows.",
        )
    elif smallest <= FEW_ROWS:
        held_out = outcome.held_out_auc
        known = "cannot be told without bias" if held_out is None else f"is {held_out}"
        warn_user(
            f"The smaller class has {smallest} labelled rows: settings were chosen by {n_folds} folds that test one or "
            f"two of them each, so the choice is uncertain. The held-out AUC {known}.",
        )


def _warn_of_shift(outcome: SearchOutcome) -> None:
    data, shift = outcome.data, outcome.shift
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
