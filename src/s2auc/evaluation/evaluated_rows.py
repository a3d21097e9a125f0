"""Rows and labels to evaluate a model on: from a table with a label column, or as estimators take them."""

from typing import Any

from s2auc.common.errors import InputError, InputTypeError
from s2auc.common.messages import Message
from s2auc.data.labels.values import kind_of
from s2auc.data.tables.paths import LABELED_FORMATS, find_files, is_path
from s2auc.data.tables.table import Table
from s2auc.models.model import Model
from s2auc.models.open_for_model import open_for_model


def check_label(model: Model, X: Any, y: Any, label: Any) -> None:
    """Raise an error unless it is clear where labels come from, before anything is read."""
    check_label_name(model, label, "evaluate_model")
    has_own = isinstance(X, Table) and X.y is not None
    if y is not None and (has_own or label is not None):
        raise labels_twice(Message("the label column of {X}" if has_own else "{label}"))
    if y is None and label is None and not has_own and not _holds_labels(X):
        advice = "pass {y}, or name the label column in {label}"
        if isinstance(X, Table) or is_path(X):
            advice = "open the table with {label}" if isinstance(X, Table) else "name the label column in {label}"
        raise InputError("have labels", subject="The rows to evaluate on", found="none", fix=advice)


def labels_twice(other: Message) -> InputError:
    """Return the error that labels come from `y` and from elsewhere."""
    return InputError(
        "come from one place", subject="Labels", found=Message("{y} and {other}", other=other), fix="leave one out"
    )


def check_label_name(model: Model, label: Any, asked_by: str) -> None:
    """Raise an error unless a column of labels, if one is named, is none that the model scores by."""
    if label is not None and kind_of(label) not in ("text", "number"):
        raise InputTypeError(
            "be the name of a column or None",
            parameter="label",
            owner=asked_by,
            found=repr(label),
            fix="name the label column, or pass the labels as {y}",
        )
    if label is not None and label in (model.schema.source_names or ()):
        raise InputError("not name a feature of the model", parameter="label", found=repr(label), fix="name another")


def open_evaluated(model: Model, X: Any, y: Any, label: Any, unreadable: str) -> tuple[Any, Any]:
    """Return rows, as models take them, and their labels; columns that a model does not know are ignored."""
    if label is None and not isinstance(X, Table) and not is_path(X):
        return X, y
    table = open_for_model(model, X, label=label, unreadable=unreadable)
    if y is not None and table.y is not None:
        raise labels_twice(Message("those of {X}"))
    return table.X.known_to(model.schema), table.y if y is None else y


def _holds_labels(X: Any) -> bool:
    return is_path(X) and find_files(X).format in LABELED_FORMATS
