"""Descriptions of the columns of a table, as they were interpreted."""

from dataclasses import dataclass
from typing import Any

from s2auc.data.schema.arrow_columns import HELD, is_dictionary, kind_of_type
from s2auc.data.tables.arrow_table import ArrowLazyRows
from s2auc.data.tables.schema_learner import LearntTable

_ROLES = {"label": "label", "id": "row ID", "group": "group", "random": "random labels", "time": "time"}
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


def describe_roles(X: ArrowLazyRows) -> list[ColumnRole]:
    """Return how every column was interpreted, in the order of the table."""
    learnt = X.learnt or LearntTable()
    roles = {name: _ROLES[role] for role, name in X.roles.items()}
    roles = dict.fromkeys(set(X.columns.schema.names) - set(X.names), "dropped") | roles
    roles |= {name: f"ignored: {reason}" for name, reason in learnt.reasons.items()}
    return [
        ColumnRole(
            field.name,
            learnt.holds.get(field.name) or _held(field.type),
            field.name not in roles,
            roles.get(field.name, ""),
            tuple(learnt.notes.get(field.name, ())),
        )
        for field in X.columns.schema
    ]


def describe_columns(X: ArrowLazyRows, display_name: str) -> str:
    """Return a line about the table, and one per column: what it holds, and whether it is used."""
    roles = describe_roles(X)
    lines = [f"{display_name}: {X.n_rows:,} rows, {len(roles)} columns"]
    lines += [f"  {role}" for role in roles[:_MAX_SHOWN]]
    if len(roles) > _MAX_SHOWN:
        lines.append(f"  and {len(roles) - _MAX_SHOWN} more")
    return "\n".join(lines)


def _held(arrow_type: Any) -> str:
    """Return what a column holds as its type says."""
    return "categories" if is_dictionary(arrow_type) else HELD.get(kind_of_type(arrow_type) or "") or "not read"
