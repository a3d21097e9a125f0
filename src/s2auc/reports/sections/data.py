"""The section about the data: rows by label in the fit and in this table, columns, and ignored columns."""

from typing import Any

from s2auc.data.text.text_encoding import TextEncoding
from s2auc.models.record import RecordedColumn
from s2auc.reports.drawings.effect_figures import spelled
from s2auc.reports.findings import Findings
from s2auc.reports.markup import Html, Right, joined, note, shown, table, tag, text

SHOWN_COLUMNS = 15
"""Columns that are listed at once; more are folded away."""

MAX_COLUMNS = 200

MAX_LEFT_OUT = 30

_PARTS = {"day": "dates", "month": "months, 1 to 12", "weekday": "weekdays, from Monday, 0", "hour": "hours of the day"}

_ROLES = {
    "label": "held the labels",
    "id": "named rows",
    "group": "said which rows belong together",
    "random": "said which labels were drawn at random",
    "time": "held the time of rows",
}


def data_summary(found: Findings) -> Html:
    """Return the section."""
    return joined([_rows(found), _columns(found), _set_aside(found)])


def _rows(found: Findings) -> Html:
    labels = found.rows.labels
    here = labels.n_positive, labels.n_negative, labels.n_unlabeled, labels.n_rows
    recorded = found.record.get("rows", {})
    fitted = [recorded.get(group) for group in found.group_names]
    fitted.append(sum(recorded.values()) if recorded.keys() == found.group_names.keys() else None)
    names = [*found.group_names.values(), "all"]
    rows = [[name, *map(shown, counts)] for name, *counts in zip(names, fitted, here, strict=True)]
    return table(["Rows", Right("In the fit"), Right("In this table")], rows, caption="Rows by label", class_="narrow")


def _columns(found: Findings) -> Html:
    recorded, schema = found.record.get("columns", []), found.model.schema
    if not recorded:
        n_components = found.record.get("n_components")
        brought = f", brought down to {n_components:,} components" if n_components else ""
        return note(text("data.columns", n_columns=schema.n_columns, brought=brought))
    n_sampled = found.record.get("n_sampled")
    in_texts = {number for block in schema.text_blocks.values() for number in range(block.start + 1, block.stop)}
    listed = [(place, column) for place, column in enumerate(recorded) if place not in in_texts]
    rows = [
        _text_column(*schema.texts[place])
        if place in schema.texts
        else _column(column, n_sampled, schema.levels.get(place), schema.parts.get(place, ("", ""))[1])
        for place, column in listed[:MAX_COLUMNS]
    ]
    right = map(Right, ("Missing", "Mean", "Lowest", "Highest"))
    headings = ["Column" if schema.names else "Column, from 0", "Holds", *right]
    among = "" if n_sampled is None else f" in {n_sampled:,} rows that the fit looked at"
    first = table(headings, rows[:SHOWN_COLUMNS], caption=f"The columns that the model reads{among}")
    if len(listed) <= SHOWN_COLUMNS:
        return first
    rest = table(headings, rows[SHOWN_COLUMNS:], caption="More columns")
    aside = len(listed) - len(rows)
    more = note(text("data.more", n_more=aside)) if aside else Html("")
    return joined([first, tag("details", tag("summary", f"{len(rows) - SHOWN_COLUMNS:,} more columns"), rest), more])


def _column(column: RecordedColumn, n_sampled: int | None, levels: Any, part: str) -> list[str]:
    missing = shown(column["n_missing"])
    if n_sampled:
        missing = f"{100 * min(1.0, max(0.0, column['n_missing'] / n_sampled)):.3g} %"
    if column["kind"] == "categories":
        numbers = ["", "", ""]
        holds = f"{len(levels):,} categories" if isinstance(levels, tuple) else "categories"
    else:
        numbers = [spelled(float(value), part) for value in (column["mean"], column["low"], column["high"])]
        holds = _PARTS.get(part) or column["kind"] or "–"
    return [shown(column["name"], 80), shown(holds, 40), missing, *numbers]


def _text_column(name: Any, encoding: TextEncoding) -> list[str]:
    """Return a row for all columns that a text column gives."""
    return [shown(str(name), 80), f"text, {encoding.vocabulary.n_terms:,} words and n-grams", *[""] * 4]


def _set_aside(found: Findings) -> Html:
    roles = [
        f"“{shown(name)}” {_ROLES[role]}" for role, name in found.record.get("table", {}).items() if role in _ROLES
    ]
    left_out = [f"“{shown(name)}”" for name in found.model.schema.left_out.values()]
    sentences = [text("data.roles", roles=", ".join(roles))] if roles else []
    if left_out:
        more = f" and {len(left_out) - MAX_LEFT_OUT:,} more" if len(left_out) > MAX_LEFT_OUT else ""
        sentences.append(text("data.left_out", names=", ".join(left_out[:MAX_LEFT_OUT]), more=more))
    return note(joined(sentences, " ")) if sentences else Html("")
