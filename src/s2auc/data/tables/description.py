"""Descriptions of the columns of a table, as they were interpreted."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from s2auc.data.schema.arrow_columns import HELD, is_dictionary, kind_of_type
from s2auc.data.tables.arrow_table import ArrowLazyRows
from s2auc.data.tables.pieces import ArrowColumns

_ROLES = {"label": "label", "id": "row ID", "group": "group"}
_MAX_SHOWN = 30


@dataclass(frozen=True)
class ColumnRole:
    """A column as it was interpreted.

    Attributes
    ----------
    name, holds
        What it is called, and what kind of values it holds.
    is_used
        Whether it is a feature.
    role
        If not: what it is instead, or why it is ignored.
    notes
        What was done to read its cells, if it was more than taking them as they are.
    """

    name: str
    holds: str
    is_used: bool = True
    role: str = ""
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.name}: " + ", ".join(filter(None, [self.holds, self.role, *self.notes]))


def describe_roles(columns: ArrowColumns, X: ArrowLazyRows) -> list[ColumnRole]:
    """Return what was understood of every column, in the order of the table."""
    learnt = X.learnt
    reasons: Mapping[str, str] = {} if learnt is None else learnt.reasons
    special = {name: _ROLES[role] for role, name in X.roles.items()}
    used = set(X.names)
    roles = []
    for name in columns.schema.names:
        why = special.get(name) or ("dropped" if name not in used else "")
        if name in reasons:
            why = f"ignored: {reasons[name]}"
        notes = () if learnt is None else tuple(learnt.notes.get(name, ()))
        known = None if learnt is None else learnt.holds.get(name)
        holds = known or _held(columns.schema.field(name).type)
        roles.append(ColumnRole(name, holds, not why, why, notes))
    return roles


def describe_columns(columns: ArrowColumns, X: ArrowLazyRows, display_name: str) -> str:
    """Return a line about the table, and one per column: what it holds, and whether it is used."""
    roles = describe_roles(columns, X)
    lines = [f"{display_name}: {columns.n_rows:,} rows, {len(roles)} columns"]
    lines += [f"  {role}" for role in roles[:_MAX_SHOWN]]
    if len(roles) > _MAX_SHOWN:
        lines.append(f"  and {len(roles) - _MAX_SHOWN} more")
    return "\n".join(lines)


def _held(arrow_type: Any) -> str:
    """Return what a column holds as its type says."""
    return "categories" if is_dictionary(arrow_type) else HELD.get(kind_of_type(arrow_type) or "") or "not read"
