"""The top of the list: the highest scores, with columns that name rows, and what is known of them."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import numpy as np

from s2auc.reports.findings import Findings
from s2auc.reports.markup import Html, Right, joined, note, percent, shown, signed, table, tag

MAX_CHARACTERS = 350_000
"""Of the table: of more rows the first are shown, so that the file stays small."""

LONGEST_CELL = 80


def list_section(found: Findings) -> Html:
    """Return the section."""
    if not len(found.passed.top.rows):
        return note("The table has no rows.")
    known = [_label(found, int(number)) for number in found.passed.top.rows]
    headings, lines = _table(found, known)
    some = _fitting(lines)
    n_rows = found.rows.labels.n_rows
    count = "The highest row" if len(some) == 1 else f"The highest {len(some):,} of {n_rows:,} rows"
    listed = table(headings, some, caption=f"{count}, by falling score", class_=None if len(headings) > 4 else "narrow")
    notes = _notes(found)
    if len(some) < len(lines):
        notes.append(f"{len(lines) - len(some):,} more are left out to keep this file small.")
    said = tag("p", _said(found, known)) if found.rows.has_labels else Html("")
    return joined([said, listed, note(" ".join(notes))])


def _table(found: Findings, known: Sequence[str]) -> tuple[list[str], list[list[str]]]:
    """Return the headings and the lines: place, kept columns, row, score, and what else is known."""
    ranked, names = found.passed.top, found.rows.kept
    kept = found.rows.kept_values(ranked.rows)
    headings = [Right("Place"), *_kept_headings(names, kept), Right("Row"), Right("Score")]
    pairs = zip(ranked.rows.tolist(), ranked.scores.tolist(), kept, strict=True)
    lines = [
        [f"{place + 1:,}", *map(_as_it_is, values), f"{number:,}", signed(score, 4)]
        for place, (number, score, values) in enumerate(pairs)
    ]
    if found.model.probabilities is not None:
        headings.append(Right("Probability"))
        for line, probability in zip(lines, found.model.probabilities_of(ranked.scores)[:, 1].tolist(), strict=True):
            line.append(percent(probability))
    if any(known):
        headings.append("Label")
        for line, name in zip(lines, known, strict=True):
            line.append(name)
    return headings, lines


def _kept_headings(names: Sequence[str], values: Sequence[Sequence[Any]]) -> list[str]:
    """Return the headings of kept columns."""
    are_numbers = [all(isinstance(row[place], int | float | Decimal) for row in values) for place in range(len(names))]
    return [Right(shown(name)) if is_right else shown(name) for name, is_right in zip(names, are_numbers, strict=True)]


def _as_it_is(value: Any) -> str:
    """Return a value of the table as it is spelled there: numbers may be names, and names have no commas."""
    return shown(f"{value:.10g}" if isinstance(value, float) else None if value is None else str(value), LONGEST_CELL)


def _label(found: Findings, number: int) -> str:
    negative, positive = found.classes
    for name, numbers in ((positive, found.rows.labels.positive), (negative, found.rows.labels.negative)):
        place = int(np.searchsorted(numbers, number))
        if place < len(numbers) and numbers[place] == number:
            return name
    return ""


def _fitting(lines: Sequence[list[str]]) -> list[list[str]]:
    """Return as many lines, from the first on, as fit; markup may take six characters for one."""
    sizes = np.cumsum([sum(6 * len(cell) + 30 for cell in line) for line in lines])
    return list(lines[: max(1, int(np.searchsorted(sizes, MAX_CHARACTERS)))])


def _said(found: Findings, known: Sequence[str]) -> str:
    negative, positive = found.classes
    n_labeled = sum(map(bool, known))
    if not n_labeled:
        return f"None of these {len(known):,} rows has a label."
    n_positive = sum(name == positive for name in known)
    return (
        f"Of these {len(known):,} rows {n_labeled:,} {'has a label' if n_labeled == 1 else 'have labels'}: "
        f"{n_positive:,} “{positive}” and {n_labeled - n_positive:,} “{negative}”."
    )


def _notes(found: Findings) -> list[str]:
    notes = ["Rows are counted from 0, in the order of the table."]
    if found.model.probabilities is None:
        notes.append("The model has no probabilities: a fit that tunes itself learns them.")
    else:
        notes.append(
            f"The probability is that of class “{found.classes[1]}”, learnt from scores of rows held out of the fit."
        )
    return notes
