"""Labels as a fitted model reads them, and the scores of labelled rows."""

from typing import Any

import numpy as np

from s2auc.common.arrays import FloatArray
from s2auc.data.labels.checks import check_both_classes, check_lengths
from s2auc.data.labels.labeled_rows import KnownLabels, find_labeled_rows
from s2auc.data.labels.labels import Labels, read_known_labels
from s2auc.data.labels.rules import LabelRule
from s2auc.data.sources.combined import SelectedRows
from s2auc.data.sources.source import RowSource
from s2auc.models.model import Model
from s2auc.models.record import Record

MIN_ROWS = 2
"""Of each class: the variance of an AUC needs as many."""


def read_model_labels(model: Model, rows: RowSource, y: Any, display_name: str = "y") -> Labels:
    """Return which rows are positive, negative and unlabelled to a model, with enough of both classes to judge it.

    Parameters
    ----------
    model
        The model. Where it was fitted without negative rows, any one label beside the positive class is negative.
    rows
        The rows to be scored.
    y
        One label for each of them.
    display_name
        What errors call y.

    Raises
    ------
    ValueError
        If there is not one label a row, a label is no class of the model, or a class has less than two rows.
    """
    labels = read_any_labels(model, rows, y, display_name)
    check_both_classes(labels, _marker(model), is_positive_unlabeled=_is_positive_unlabeled(model), min_rows=MIN_ROWS)
    return labels


def read_any_labels(model: Model, rows: RowSource, y: Any, display_name: str = "y") -> Labels:
    """Return which rows are positive, negative and unlabelled to a model; there may be none of a class, or of any.

    The parameters and errors are those of `read_model_labels`.
    """
    recorded = model.record.get("label_rule")
    if recorded is not None:
        y = KnownLabels(LabelRule.of_dict(recorded).apply(find_labeled_rows(y, None)))
    labels = read_known_labels(
        y,
        model.classes,
        unlabeled=_marker(model),
        other_is_negative=_is_positive_unlabeled(model),
        display_name=display_name,
    )
    check_lengths(rows, labels)
    return labels


def score_labeled(model: Model, rows: RowSource, labels: Labels) -> FloatArray:
    """Return the decision function of the labelled rows, positive ones first; others are not scored.

    Parameters
    ----------
    model
        What scores.
    rows
        All rows, opened by the schema of the model.
    labels
        One for each of them; rows without weight count as if they had none.
    """
    labeled = labels.labeled
    scores = model.score_source(SelectedRows(rows, labeled))
    return scores[np.searchsorted(labeled, labels.positive_first())]


def are_those_of_fit(record: Record, labels: Labels) -> bool:
    """Return whether there are as many labels of each class as a model was fitted on: they may be the same rows."""
    counts = {"positive": labels.n_positive, "negative": labels.n_negative}
    return labels.n_positive > 0 and counts.items() <= record.get("rows", {}).items()


def _is_positive_unlabeled(model: Model) -> bool:
    """Return whether the fit had no negative rows."""
    return model.record.get("rows", {}).get("negative") == 0


def _marker(model: Model) -> Any:
    """Return what marked unlabelled rows in the fit; None where nothing did, or where it is a class here."""
    marker = model.record.get("settings", {}).get("unlabeled")
    # Not by type: False is a class, too, where 0 and 1 are.
    return marker if isinstance(marker, str | int | float) and marker not in model.classes.tolist() else None
