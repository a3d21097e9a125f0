"""What was understood of the columns of a table, in words."""

from typing import Any

from s2auc.data.arrow_columns import is_dictionary, kind_of_type
from s2auc.data.arrow_pieces import ArrowColumns
from s2auc.data.arrow_table import ArrowLazyRows
from s2auc.data.date_parts import TEMPORAL_KINDS

_WORDS = {"number": "numbers", "boolean": "booleans", "text": "text", "nothing": "no values", None: "not read"}
_MOST_SHOWN = 30


def describe_columns(columns: ArrowColumns, X: ArrowLazyRows, label: str | None, called: str) -> str:
    """Return a line about the table, and one a column: what it holds, and whether it is learnt from."""
    names = list(columns.schema.names)
    reasons = {} if X.learnt is None else X.learnt.reasons
    used = set(X.names)
    lines = [f"{called}: {columns.n_rows:,} rows, {len(names)} columns"]
    for name in names[:_MOST_SHOWN]:
        role = ""
        if name == label:
            role = ", the label"
        elif name not in used:
            role = ", dropped"
        elif name in reasons:
            role = f", left out: {reasons[name]}"
        lines.append(f"  {name}: {_held(columns.schema.field(name).type)}{role}")
    if len(names) > _MOST_SHOWN:
        lines.append(f"  and {len(names) - _MOST_SHOWN} more")
    return "\n".join(lines)


def _held(arrow_type: Any) -> str:
    kind = kind_of_type(arrow_type)
    words = "categories" if is_dictionary(arrow_type) else TEMPORAL_KINDS.get(kind or "") or _WORDS[kind]
    return f"{words} ({arrow_type})"
