"""Rows and labels to judge a model by: from a table with a column of labels, or as estimators take them."""

from typing import Any

from s2auc.data.label_values import kind_of
from s2auc.data.table import Table, open_table
from s2auc.data.table_files import LABELED_FORMATS, find_files, is_path
from s2auc.models.model import Model


def check_label(model: Model, X: Any, y: Any, label: Any) -> None:
    """Raise an error unless it is clear where labels come from, before anything is read."""
    check_label_name(model, label, "evaluate_model")
    has_own = isinstance(X, Table) and X.y is not None
    if y is not None and (has_own or label is not None):
        raise ValueError(
            f"Labels must come from one place. Got y and {'the label of the table' if has_own else f'{label=}'}; leave "
            "one out."
        )
    if y is None and label is None and not has_own and not _holds_labels(X):
        advice = "open the table with its label" if isinstance(X, Table) else "pass y, or name their column as label"
        raise ValueError(f"A model must be evaluated on rows with labels. Got no labels; {advice}.")


def check_label_name(model: Model, label: Any, asked_by: str) -> None:
    """Raise an error unless a column of labels, if one is named, is none that the model scores by."""
    if label is not None and kind_of(label) not in ("text", "number"):
        raise TypeError(
            f"The 'label' parameter of {asked_by} must be the name of a column or None. Got {label!r}; name the "
            "column of labels, or pass them as y."
        )
    if label is not None and label in (model.schema.source_names or ()):
        raise ValueError(
            f"label must name a column that the model does not score by. Got {label!r}, which is one of those; name "
            "the column of labels."
        )


def open_evaluated(model: Model, X: Any, y: Any, label: Any) -> tuple[Any, Any]:
    """Return rows, as models take them, and their labels; columns of a table that the model does not know stay aside.

    Raises
    ------
    ImportError
        If X is a table and pyarrow is not installed.
    """
    if label is None and not isinstance(X, Table) and not is_path(X):
        return X, y
    table = open_table(X, label=label)
    if y is not None and table.y is not None:
        raise ValueError("Labels must come from one place. Got y and those of the files; leave y out.")
    return table.X.known_to(model.schema), table.y if y is None else y


def _holds_labels(X: Any) -> bool:
    return is_path(X) and find_files(X).format in LABELED_FORMATS
