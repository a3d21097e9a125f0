"""Tables opened for a fitted model: to be scored, evaluated or reported on."""

from collections.abc import Sequence
from typing import Any

from s2auc.data.tables.table import Table, open_table
from s2auc.models.model import Model


def open_for_model(
    model: Model,
    X: Any,
    *,
    label: str | None = None,
    kept: Sequence[str] = (),
    engine: str | None = None,
    unreadable: str = "error",
) -> Table:
    """Return the handle of a table of which all columns are features that may be those of a model.

    Parameters
    ----------
    model : Model
        The model. Columns that were the label, row IDs or groups in its fit are no features here either.
    X
        What `s2auc.open_table` gives or takes.
    label : str or None, default=None
        The column of labels.
    kept : sequence of str, default=()
        Columns that are only kept.
    engine, unreadable
        As for `s2auc.open_table`.
    """
    is_open = isinstance(X, Table) and label is None and engine is None and unreadable == "error"
    table: Table = X if is_open else open_table(X, label=label, engine=engine, unreadable=unreadable)
    if is_open and model.schema.source_names is None:  # columns go by their place
        return table
    known = set(model.schema.source_names or ())
    others = [*kept, *model.record.get("table", {}).values()]
    return table.dropping([name for name in others if name not in known])
