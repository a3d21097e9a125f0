"""The top of the list: the highest scores, with columns that name rows, and what is known of them."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import numpy as np

from s2auc.reports.findings import Findings
from s2auc.reports.markup import Html, Right, joined, note, percent, shown, signed, table, tag, text

MAX_CHARACTERS = 350_000
"""Of the table: of more rows the first are shown, so that the file stays small."""

LONGEST_CELL = 80


def list_section(found: Findings) -> Html:
    """Return the section."""
    if not len(found.passed.top.rows):
        return note(text("scores.empty"))
    known = _labels(found)
    headings, lines = _table(found, known)
    some = _fitting(lines)
    n_rows = found.rows.labels.n_rows
    count = "The highest row" if len(some) == 1 else f"The highest {len(some):,} of {n_rows:,} rows"
    listed = table(headings, some, caption=f"{count}, by falling score", class_=None if len(headings) > 4 else "narrow")
    has_probabilities = found.model.probabilities is not None
    learnt = text("top.probabilities" if has_probabilities else "top.scores", positive=found.classes[1])
    cut = [text("top.cut", n_rows=len(lines) - len(some))] if len(some) < len(lines) else []
    said = tag("p", _said(found, known)) if found.rows.has_labels else Html("")
    return joined([said, listed, note(joined([text("top.rows"), learnt, *cut], " "))])


def _table(found: Findings, known: Sequence[str]) -> tuple[list[str], list[list[str]]]:
    """Return the headings and the lines: place, kept columns, row, score, and what else is known."""
    ranked, names = found.passed.top, found.rows.kept
    kept = found.rows.kept_values(ranked.rows)
    headings = [Right("Place"), *map(_heading, names, zip(*kept, strict=True)), Right("Row"), Right("Score")]
    pairs = zip(ranked.rows.tolist(), ranked.scores.tolist(), kept, strict=True)
    lines = [
        [f"{place + 1:,}", *map(_as_it_is, values), f"{number:,}", signed(score, 4)]
        for place, (number, score, values) in enumerate(pairs)
    ]
    more: dict[str, Sequence[str]] = {"Label": known} if any(known) else {}
    if found.model.probabilities is not None:
        probabilities = found.model.probabilities_of(ranked.scores)[:, 1].tolist()
        more = {Right("Probability"): list(map(percent, probabilities)), **more}
    return [*headings, *more], [[*line, *rest] for line, *rest in zip(lines, *more.values(), strict=True)]


def _heading(name: str, values: Sequence[Any]) -> str:
    """Return the heading of a kept column."""
    return (Right if all(isinstance(value, int | float | Decimal) for value in values) else str)(shown(name))


def _as_it_is(value: Any) -> str:
    """Return a value of the table as it is spelled there: numbers may be names, and names have no commas."""
    return shown(f"{value:.10g}" if isinstance(value, float) else None if value is None else str(value), LONGEST_CELL)


def _labels(found: Findings) -> list[str]:
    """Return the classes of the highest rows, empty where they have no label."""
    labels, (negative, positive) = found.rows.labels, found.classes
    is_positive, is_negative = (np.isin(found.passed.top.rows, rows) for rows in (labels.positive, labels.negative))
    return list(np.where(is_positive, positive, np.where(is_negative, negative, "")))


def _fitting(lines: Sequence[list[str]]) -> list[list[str]]:
    """Return as many lines, from the first on, as fit; markup may take six characters for one."""
    sizes = np.cumsum([sum(6 * len(cell) + 30 for cell in line) for line in lines])
    return list(lines[: max(1, int(np.searchsorted(sizes, MAX_CHARACTERS)))])


def _said(found: Findings, known: Sequence[str]) -> Html:
    negative, positive = found.classes
    n_labeled, n_positive = sum(map(bool, known)), sum(name == positive for name in known)
    if not n_labeled:
        return text("top.unlabeled", n_rows=len(known))
    labeled = f"{n_labeled:,} {'has a label' if n_labeled == 1 else 'have labels'}"
    counts = {"positive": f"{n_positive:,} “{positive}”", "negative": f"{n_labeled - n_positive:,} “{negative}”"}
    return text("top.labeled", n_rows=len(known), labeled=labeled, **counts)
