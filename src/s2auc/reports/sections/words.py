"""The section about words that speak for and against, with examples from the table."""

import re
from collections.abc import Sequence

from s2auc.reports.findings import Findings
from s2auc.reports.markup import Html, Right, joined, note, shown, signed, table, tag, text
from s2auc.reports.measures.word_effects import WordEffect, WordEffects

AROUND = 40
"""Characters of an example on either side of its word."""

EXAMPLE_ROWS = 2**14
"""Rows that examples are looked for in: the first of the table."""


def words_section(found: Findings) -> Html:
    """Return the section; nothing where the model reads no text."""
    if not found.words:
        return Html("")
    parts = [_of_column(found, effects) for effects in found.words]
    return joined([*parts, note(text("words.how"))])


def _of_column(found: Findings, effects: WordEffects) -> Html:
    texts = _texts(found, effects.name)
    sides = [
        table(
            ["Word", Right("Score"), "Example"],
            [[shown(entry.word, 60), signed(entry.effect, 2), _example(entry, texts)] for entry in side],
            caption=caption,
        )
        for caption, side in (("Raise the score", effects.positive), ("Lower the score", effects.negative))
        if side
    ]
    tried = text("words.tried", effects=effects)
    return joined([tag("h3", shown(effects.name, 80)), *sides, note(tried)])


def _texts(found: Findings, name: str) -> list[str]:
    """Return the first texts of a column, empty where they are missing; none where rows are no table."""
    known = found.rows.table
    if known is None or name not in known.names:
        return []
    batch = next(iter(known.batches([name], EXAMPLE_ROWS)))
    return ["" if cell is None else str(cell) for cell in batch.column(0).to_pylist()]


def _example(entry: WordEffect, texts: Sequence[str]) -> str:
    """Return the surroundings of a word in the first text that holds it, empty if none does."""
    pattern = re.compile(r"\b" + r"\W+".join(map(re.escape, entry.word.split())) + r"\b", re.IGNORECASE)
    for cell in texts:
        match = pattern.search(cell[: 2**15])
        if match is not None:
            begin, end = max(0, match.start() - AROUND), match.end() + AROUND
            around = " ".join(cell[begin:end].split())
            return shown(f"{'…' if begin else ''}{around}{'…' if end < len(cell) else ''}", 2 * AROUND + 60)
    return ""
