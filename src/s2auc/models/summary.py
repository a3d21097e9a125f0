"""A model in a line, and in a small table: what it is made of, and what its record says about it.

A record may lack any entry: what is not there is not told. Names and classes may hold markup, which a table shows as it
is spelled.
"""

from collections import Counter
from collections.abc import Sequence
from html import escape
from reprlib import repr as shown
from typing import TYPE_CHECKING, Any

from s2auc.models.parts.kinds import PARTS
from s2auc.models.record import Record, RecordedEstimate, RecordedSampling, RecordedShift

if TYPE_CHECKING:
    from s2auc.models.model import Model

MAX_NAMES = 10
"""Columns and versions that a table lists; of more it says how many there are."""

MAX_TELLING = 3
"""Columns that alone tell the label, of which a table tells."""

LONGEST_CELL = 500
"""Characters of a cell."""

LINE_LIMIT = 200
"""Characters of a line, one more than the longest has."""


def one_line(model: "Model") -> str:
    """Return a line of less than 200 characters that says what a model is; `Model` shows one."""
    negative, positive = _classes(model)
    held_out = model.record.get("held_out_auc")
    what = "held-out AUC (positive against unlabelled)" if _has_no_negative(model.record) else "held-out AUC"
    judged = "" if held_out is None else f", {what} {held_out['value']:.3f}"
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
        "Fitted by": record.get("estimator", ""),
        "Score": f"{_parts(model)}, {_count(model.n_numbers, 'number')}",
        "Columns": _columns(model),
        "Classes": f"{negative} (negative), {positive} (positive)",
        "Probabilities": "yes" if model.probabilities is not None else "no",
        "Held-out AUC": _held_out(record.get("held_out_auc")) + _against(record),
        "AUC corrected": _held_out(record.get("corrected_auc")),
        "Later rows": record["time"]["sentence"] if "time" in record else "",
        "Labels": _sampling(record.get("label_sampling")),
        "Rows": _rows(record.get("rows", {})),
        "Strong columns": " ".join(each["sentence"] for each in record.get("telling_columns", [])[:MAX_TELLING]),
        "Repeated rows": record.get("repeated_rows", ""),
        "Settings": _settings(record),
        "Unlabelled rows": record["unlabeled"]["sentence"] if "unlabeled" in record else "",
        "More labels": record.get("learning_curve_sentence") or "",
        "Shift": _shift(record.get("shift"), model.schema.passed_names),
        "Seed": str(record.get("seed", "")),
        "Versions": _listed([f"{name} {version}" for name, version in record.get("versions", {}).items()]),
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
    displayed = model.schema.displayed_names
    kinds = {"categorical": len(model.schema.levels), "text": len(model.schema.texts)}
    of_them = "".join(f", {count} of them {kind}" for kind, count in kinds.items() if count)
    names = "" if model.schema.names is None else f": {_listed(displayed)}"
    left_out = list(model.schema.left_out.values())
    aside = f"; ignored: {_listed(left_out)}" if left_out else ""
    return f"{len(displayed)}{of_them}{names}{aside}"


def _held_out(auc: RecordedEstimate | None) -> str:
    if auc is None:
        return ""
    return f"{auc['value']:.3f} ({100 * auc['level']:g}% interval {auc['low']:.3f} to {auc['high']:.3f})"


def _has_no_negative(record: Record) -> bool:
    return record.get("rows", {}).get("negative", 1) == 0


def _against(record: Record) -> str:
    """Return what the held-out AUC compares positive rows with, where it is not the negative ones."""
    is_told = record.get("held_out_auc") is not None and _has_no_negative(record)
    return ", positive against unlabelled rows" if is_told else ""


def _sampling(found: RecordedSampling | None) -> str:
    """Return that labels were chosen by score; nothing where they were not, as it seems."""
    return found["sentence"] if found is not None and found["answer"] in ("by score", "uncovered") else ""


def _rows(counts: dict[str, int]) -> str:
    words = {"positive": "positive", "negative": "negative", "unlabeled": "unlabelled"}
    return ", ".join(f"{counts[group]:,} {word}" for group, word in words.items() if group in counts)


def _settings(record: Record) -> str:
    counts = {"tried": record.get("settings_tried"), "chosen": record.get("settings_chosen")}
    return ", ".join(f"{len(settings)} {word}" for word, settings in counts.items() if settings is not None)


def _shift(shift: RecordedShift | None, names: Sequence[Any]) -> str:
    if shift is None:
        return ""
    column = shift["column"]
    return f"p = {shift['p_value']:.2g} in column {shown(names[column] if 0 <= column < len(names) else column)}"


def _listed(names: Any) -> str:
    listed = ", ".join(_cut(str(name), 40) for name in names[:MAX_NAMES])
    return listed if len(names) <= MAX_NAMES else f"{listed} and {len(names) - MAX_NAMES} more"


def _printable(text: str) -> str:
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)


def _cut(text: str, length: int = LONGEST_CELL) -> str:
    return text if len(text) <= length else f"{text[: length - 1]}…"


def _count(number: int, word: str) -> str:
    return f"{number:,} {word}{'' if number == 1 else 's'}"
