"""The rows that a report is about, their labels if they have any, and the columns that name them."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from s2auc.common.arrays import IndexArray
from s2auc.common.errors import InputError
from s2auc.common.messages import Message
from s2auc.data.labels.labels import Labels
from s2auc.data.schema.column_names import listed
from s2auc.data.schema.column_selection import check_known
from s2auc.data.sources.source import RowSource
from s2auc.data.tables.frames import is_table
from s2auc.data.tables.paths import is_path
from s2auc.data.tables.table import Table
from s2auc.evaluation.evaluate_model import check_label_name, labels_twice
from s2auc.models.labels_of_model import read_any_labels
from s2auc.models.model import Model
from s2auc.models.open_for_model import open_for_model

BATCH_ROWS = 2**16
"""Rows of kept columns that are read at a time."""


@dataclass(frozen=True, eq=False)
class ReportedRows:
    """What a report is about.

    Attributes
    ----------
    source
        The rows by the columns of the model.
    labels
        What is known of them; all are unlabelled where nothing is.
    label
        The column of labels; None if there is none, or it has no name.
    has_labels
        Whether labels were looked for at all.
    kept
        Columns of the table to show beside scores.
    table
        The table that they come from; None for arrays.
    """

    source: RowSource
    labels: Labels
    label: str | None
    has_labels: bool
    kept: list[str]
    table: Table | None

    def kept_values(self, numbers: IndexArray) -> list[list[Any]]:
        """Return what the kept columns hold in some rows, in the order of their numbers: one list a row."""
        found: dict[int, list[Any]] = {int(number): [] for number in numbers}
        if self.table is None or not self.kept:
            return list(found.values())
        first, wanted = 0, np.sort(numbers)
        for batch in self.table.batches(self.kept, BATCH_ROWS):
            low, high = np.searchsorted(wanted, [first, first + batch.num_rows])
            for number in wanted[low:high].tolist():
                found[number] = [column[number - first].as_py() for column in batch.columns]
            first += batch.num_rows
        return list(found.values())


def open_reported(
    model: Model, X: Any, y: Any, label: Any, kept: list[str] | None, unreadable: str = "error"
) -> ReportedRows:
    """Return the rows of a report, opened; those of a table are not read yet, its labels are.

    Parameters
    ----------
    model
        What will score them.
    X, y, label
        As for `write_report`. The label of the table that the model was fitted on is taken where it is there.
    unreadable
        As for `write_report`.
    kept
        Columns to keep; None for the one that names rows, if the model knows of one and it is there.

    Raises
    ------
    ValueError, TypeError
        If columns or labels are not as they should be.
    """
    check_label_name(model, label, "write_report")
    roles = model.record.get("table", {})
    usual = {role: name for role, name in roles.items() if name not in (model.schema.source_names or ())}
    if not _is_table(X, asked=label is not None or bool(kept), usual=list(usual.values())):
        if kept:
            shown = f"{listed(kept)} for an array"
            raise InputError("name columns of a table", parameter="keep", found=shown, fix="leave {keep} out")
        rows = model.open_rows(X)
        return ReportedRows(rows, _labels(model, rows, y, "y"), None, y is not None, [], None)
    table = open_for_model(model, X, label=label, unreadable=unreadable)
    if y is not None and table.y is not None:
        raise labels_twice(Message("those of {X}"))
    check_known(kept or [], table.names, "keep")
    found, display_name = (table.y, label) if y is None else (y, None)
    if found is None and usual.get("label") in table.names:
        display_name = usual["label"]
        found = table.column(display_name)
    named = [usual["id"]] if usual.get("id") in table.names else []
    rows = model.open_rows(table.X.known_to(model.schema))
    labels = _labels(model, rows, found, "y" if display_name is None else f"Column {display_name!r}")
    return ReportedRows(rows, labels, display_name, found is not None, named if kept is None else kept, table)


def _labels(model: Model, rows: RowSource, y: Any, words: str) -> Labels:
    if y is not None:
        return read_any_labels(model, rows, y, words)
    nothing = np.zeros(0, dtype=np.intp)
    return Labels(model.classes, rows.n_rows, nothing, nothing)


def _is_table(X: Any, *, asked: bool, usual: list[str]) -> bool:
    """Return whether rows are to be opened as a table: files, and tables in memory that hold more than columns."""
    if isinstance(X, Table) or is_path(X):
        return True
    return is_table(X) and (asked or any(name in usual for name in getattr(X, "columns", ())))
