"""What was understood of the columns of a table, in words."""

from dataclasses import dataclass
from typing import Any

from s2auc.data.arrow_columns import is_dictionary, kind_of_type
from s2auc.data.arrow_pieces import ArrowColumns
from s2auc.data.arrow_table import ArrowLazyRows
from s2auc.data.date_parts import TEMPORAL_KINDS

_WORDS = {"number": "numbers", "boolean": "booleans", "text": "text", "nothing": "no values", None: "not read"}
_ROLES = {"label": "the label", "id": "names rows", "group": "the group"}
_MOST_SHOWN = 30


@dataclass(frozen=True)
class ColumnRole:
    """What was understood of a column.

    Attributes
    ----------
    name, holds
        What it is called, and what kind of values it holds, with their type.
    is_learnt_from
        Whether it is among the columns to learn from.
    role
        If not: what it is instead, or why it is left out.
    """

    name: str
    holds: str
    is_learnt_from: bool = True
    role: str = ""

    def __str__(self) -> str:
        return f"{self.name}: {self.holds}" + (f", {self.role}" if self.role else "")


def describe_roles(columns: ArrowColumns, X: ArrowLazyRows) -> list[ColumnRole]:
    """Return what was understood of every column, in the order of the table."""
    reasons = {} if X.learnt is None else X.learnt.reasons
    special = {name: _ROLES[role] for role, name in X.roles.items()}
    used = set(X.names)
    roles = []
    for name in columns.schema.names:
        why = special.get(name) or ("dropped" if name not in used else "")
        if name in reasons:
            why = f"left out: {reasons[name]}"
        roles.append(ColumnRole(name, _held(columns.schema.field(name).type), not why, why))
    return roles


def describe_columns(columns: ArrowColumns, X: ArrowLazyRows, called: str) -> str:
    """Return a line about the table, and one a column: what it holds, and whether it is learnt from."""
    roles = describe_roles(columns, X)
    lines = [f"{called}: {columns.n_rows:,} rows, {len(roles)} columns"]
    lines += [f"  {role}" for role in roles[:_MOST_SHOWN]]
    if len(roles) > _MOST_SHOWN:
        lines.append(f"  and {len(roles) - _MOST_SHOWN} more")
    return "\n".join(lines)


def _held(arrow_type: Any) -> str:
    kind = kind_of_type(arrow_type)
    words = "categories" if is_dictionary(arrow_type) else TEMPORAL_KINDS.get(kind or "") or _WORDS[kind]
    return f"{words} ({arrow_type})"
