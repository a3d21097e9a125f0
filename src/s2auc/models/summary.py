"""A model in a line, and in a small table: what it is made of, and what its record says about it.

A record may lack anything, or hold something else in its place: what is not there is not told. Names and classes may
hold markup, which a table shows as it is spelled.
"""

from collections import Counter
from collections.abc import Sequence
from html import escape
from reprlib import repr as shown
from typing import TYPE_CHECKING, Any

from s2auc.models.parts.kinds import PARTS
from s2auc.models.record_entries import find_entry, number_entry, text_entry

if TYPE_CHECKING:
    from s2auc.models.model import Model

MAX_NAMES = 10
"""Columns and versions that a table lists; of more it says how many there are."""

LONGEST_CELL = 500
"""Characters of a cell."""

LINE_LIMIT = 200
"""Characters of a line, one more than the longest has."""


def one_line(model: "Model") -> str:
    """Return a line of less than 200 characters that says what a model is; `Model` shows one."""
    negative, positive = _classes(model)
    held_out = number_entry(model.record, "held_out_auc", "value")
    judged = "" if held_out is None else f", held-out AUC {held_out:.3f}"
    line = f"Model: {_parts(model)} over {_count(model.n_columns, 'column')}, {negative} against {positive}{judged}"
    return f"<{_cut(line, LINE_LIMIT - 3)}>"


def html_table(model: "Model") -> str:
    """Return a table in HTML that needs nothing else: no script, no style sheet, no image."""
    rows = [
        f'<tr><th style="text-align: left">{escape(name)}</th><td style="text-align: left">{escape(text)}</td></tr>'
        for name, text in model_facts(model).items()
    ]
    return f"<table><caption>s2auc model</caption><tbody>{''.join(rows)}</tbody></table>"


def model_facts(model: "Model") -> dict[str, str]:
    """Return what there is to say of a model, by its heading; what is not known is not among it.

    Every text is a line that can be printed: characters that are no print, such as those that terminals obey, are
    spelled out.
    """
    return {name: _cut(_printable(text)) for name, text in _facts(model).items() if text}


def _facts(model: "Model") -> dict[str, str]:
    record, (negative, positive) = model.record, _classes(model)
    return {
        "Fitted by": text_entry(record, "estimator"),
        "Score": f"{_parts(model)}, {_count(model.n_numbers, 'number')}",
        "Columns": _columns(model),
        "Classes": f"{negative} (negative), {positive} (positive)",
        "Probabilities": "yes" if model.probabilities is not None else "no",
        "Held-out AUC": _held_out(record),
        "Rows": _rows(record),
        "Settings": _settings(record),
        "Unlabelled rows": text_entry(record, "unlabeled", "sentence") or text_entry(record, "unlabeled", "answer"),
        "More labels": text_entry(record, "learning_curve_sentence"),
        "Shift": _shift(record, model.schema.passed_names),
        "Seed": "" if find_entry(record, "seed") is None else shown(find_entry(record, "seed")),
        "Versions": _versions(record),
    }


def count_parts(model: "Model") -> Counter[str]:
    """Return how many parts of each kind a model has."""
    names = {kind: name for name, kind in PARTS.items()}
    return Counter(names.get(type(part), type(part).__name__[:20]) for part in model.parts)


def _parts(model: "Model") -> str:
    kinds = count_parts(model)
    words = [kind if len(kinds) == 1 else f"{count} of {kind}" for kind, count in list(kinds.items())[:4]]
    return f"{_count(len(model.parts), 'part')} ({', '.join(words)})"


def _classes(model: "Model") -> tuple[str, str]:
    negative, positive = model.classes.tolist()
    return shown(negative), shown(positive)


def _columns(model: "Model") -> str:
    n_categorical = len(model.schema.levels)
    categorical = f", {n_categorical} of them categorical" if n_categorical else ""
    names = "" if model.schema.names is None else f": {_listed(model.schema.names)}"
    left_out = list(model.schema.left_out.values())
    aside = f"; ignored: {_listed(left_out)}" if left_out else ""
    return f"{model.n_columns}{categorical}{names}{aside}"


def _held_out(record: Any) -> str:
    value = number_entry(record, "held_out_auc", "value")
    low, high, level = (number_entry(record, "held_out_auc", name) for name in ("low", "high", "level"))
    if value is None or low is None or high is None or level is None:
        return "" if value is None else f"{value:.3f}"
    return f"{value:.3f} ({100 * level:g}% interval {low:.3f} to {high:.3f})"


def _rows(record: Any) -> str:
    words = {"positive": "positive", "negative": "negative", "unlabeled": "unlabelled"}
    counts = {word: number_entry(record, "rows", name) for name, word in words.items()}
    return ", ".join(f"{count:,} {word}" for word, count in counts.items() if count is not None)


def _settings(record: Any) -> str:
    tried, chosen = find_entry(record, "settings_tried"), find_entry(record, "settings_chosen")
    words = [f"{len(tried)} tried"] if isinstance(tried, list) else []
    return ", ".join([*words, f"{len(chosen)} chosen"] if isinstance(chosen, list) else words)


def _shift(record: Any, names: Sequence[Any]) -> str:
    column, p_value = find_entry(record, "shift", "column"), number_entry(record, "shift", "p_value")
    if column is None or p_value is None:
        return ""
    is_known = type(column) is int and 0 <= column < len(names)
    return f"p = {p_value:.2g} in column {shown(names[column] if is_known else column)}"


def _versions(record: Any) -> str:
    versions = find_entry(record, "versions")
    if not isinstance(versions, dict):
        return ""
    return _listed([f"{name} {version}" for name, version in versions.items()])


def _listed(names: Any) -> str:
    listed = ", ".join(_cut(str(name), 40) for name in names[:MAX_NAMES])
    return listed if len(names) <= MAX_NAMES else f"{listed} and {len(names) - MAX_NAMES} more"


def _printable(text: str) -> str:
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)


def _cut(text: str, length: int = LONGEST_CELL) -> str:
    return text if len(text) <= length else f"{text[: length - 1]}…"


def _count(number: int, word: str) -> str:
    return f"{number:,} {word}{'' if number == 1 else 's'}"
