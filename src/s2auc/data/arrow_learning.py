"""What the columns of a table mean that Arrow reads: one pass, by those columns and rows that leave it open."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from s2auc.data.arrow_columns import is_dictionary, kind_of_type
from s2auc.data.arrow_pieces import ArrowColumns, load_pyarrow
from s2auc.data.categorical_choice import marked_columns
from s2auc.data.column_matching import listed, short
from s2auc.data.column_studies import LevelStudy, MomentStudy, NumberStudy, Study
from s2auc.data.date_parts import TEMPORAL_KINDS, parts_of_kind
from s2auc.data.frames import Level
from s2auc.data.learnt_columns import LearntColumn
from s2auc.data.schema import Schema


@dataclass(frozen=True)
class LearntTable:
    """What was learnt of a table: its schema, and why each column that is left out is left out."""

    schema: Schema
    reasons: Mapping[str, str]


def learn_arrow_schema(
    columns: ArrowColumns,
    names: Sequence[str],
    categorical_features: str | Sequence[str | int] | None,
    *,
    kept: Collection[str] = (),
    declared: Mapping[str, tuple[Level, ...]] | None = None,
    called: str = "X",
) -> LearntTable:
    """Return what columns mean, as `s2auc.data.learning.learn_tables` does for a data frame.

    Beside columns that name rows, those are left out that are the same in every row, hold no values, or have a type
    that says nothing of numbers, categories or dates.

    Parameters
    ----------
    columns
        The columns of the table.
    names
        Those to learn from, in their order.
    categorical_features
        As for `s2auc.data.learning.learn_schema`.
    kept
        Columns that are never left out.
    declared
        Categories that a type names, by the name of the column.
    called
        What errors call the table.
    """
    if not columns.n_rows:
        raise ValueError(f"{called} must have rows to learn from. Got a table of {len(names)} columns without any.")
    marked = marked_columns(categorical_features, len(names), list(names))
    marks = {name: None if marked is None else place in marked for place, name in enumerate(names)}
    known = {
        name: LearntColumn(name, is_categorical=True, levels=levels)
        for name, levels in (declared or {}).items()
        if name in marks and marks[name] is not False
    }
    reasons: dict[str, str] = {}
    studies: dict[str, Study] = {}
    for name in names:
        arrow_type = columns.schema.field(name).type
        if kind_of_type(arrow_type) is None:
            reasons[name] = f"{arrow_type}, a type that is not read"
        elif name not in known:
            studies[name] = _study(name, arrow_type, marks[name], f"{name!r} of {called}")
    _check_kept(reasons, kept, called)
    columns.look(studies)
    stays = {*kept, *(name for name, mark in marks.items() if mark)}
    for name, study in studies.items():
        reason = None if name in stays else study.why_left_out(columns.n_rows)
        if reason is not None:
            reasons[name] = reason
    if len(reasons) == len(names):
        raise ValueError(
            f"{called} must have columns that describe its rows. Got only ones that do not: {described(reasons)}; add "
            "others, or name those to keep in features of open_table."
        )
    return LearntTable(
        Schema.of_columns(
            [known[name] if name in known else studies[name].learnt() for name in names if name not in reasons],
            left_out={place: name for place, name in enumerate(names) if name in reasons},
        ),
        {name: reasons[name] for name in names if name in reasons},
    )


def described(reasons: Mapping[str, str], most: int = 10) -> str:
    """Return columns as a sentence lists them, each with the reason why it is left out."""
    words = ", ".join(f"{short(name)} ({reason})" for name, reason in list(reasons.items())[:most])
    return words if len(reasons) <= most else f"{words} and {len(reasons) - most} more"


def _study(name: str, arrow_type: Any, is_marked: bool | None, called: str) -> Study:
    """Return the beginning of a study; None leaves it to the type whether a column holds categories."""
    kind = kind_of_type(arrow_type)
    types = load_pyarrow("pyarrow.types")
    if kind in TEMPORAL_KINDS and not is_marked:
        has_clock = not types.is_date32(arrow_type)
        return MomentStudy(name, called, tuple(part for part in parts_of_kind(kind) if has_clock or part != "hour"))
    is_declared = is_dictionary(arrow_type)
    if is_marked or (is_marked is None and (is_declared or kind in ("boolean", "text"))):
        return LevelStudy(name, called, kind or "", is_declared=is_declared)
    return NumberStudy(name, called, is_whole=types.is_integer(arrow_type))


def _check_kept(unread: Mapping[str, str], kept: Collection[str], called: str) -> None:
    strange = {name: reason for name, reason in unread.items() if name in kept}
    if strange:
        raise ValueError(
            f"Columns of {called} must hold numbers, booleans, text, dates or times. Got {described(strange)}; take "
            f"{listed(list(strange))} out of features, or convert."
        )
