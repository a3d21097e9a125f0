"""The learner of schemas: one pass over the columns and rows of the tables of a fit that leave something open."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from s2auc.common.errors import InputError
from s2auc.common.lazy_modules import pa, patypes, pc
from s2auc.common.messages import Parameter
from s2auc.data.schema.arrow_columns import HELD, decoded, is_dictionary, is_plain_text, kind_of_type, unread_values
from s2auc.data.schema.column_names import display_column, listed, short
from s2auc.data.schema.column_profiler import CategoryProfiler, ColumnProfiler, DateProfiler, NumberProfiler
from s2auc.data.schema.column_selection import marked_columns
from s2auc.data.schema.date_parts import TEMPORAL_KINDS, parts_of_kind
from s2auc.data.schema.schema import LearntColumn, Schema
from s2auc.data.schema.text_readings import NUMBERS, READINGS, TextProfile, read_text
from s2auc.data.schema.word_profiler import WordProfiler
from s2auc.data.tables.pieces import BATCH_ROWS, ArrowColumns
from s2auc.data.text.vocabulary import MIN_TEXTS

MAX_BATCHES = 8
"""Batches of rows that tell how cells of a known kind are spelled."""


@dataclass(frozen=True)
class LearntTable:
    """The schema learnt from the tables of a fit, and notes for users.

    Attributes
    ----------
    schema
        What the columns are.
    holds
        What each column holds, in a word; columns whose type is not read are not there.
    reasons
        Why each column that is ignored is ignored.
    notes
        What was done to read the cells of a column, if it was more than taking them as they are.
    """

    schema: Schema = Schema(0, {})  # noqa: RUF009 which is frozen
    holds: Mapping[str, str] = field(default_factory=dict)
    reasons: Mapping[str, str] = field(default_factory=dict)
    notes: Mapping[str, Sequence[str]] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class ProfiledTable:
    """One table of a fit.

    Attributes
    ----------
    columns
        Its columns.
    name_of
        By the name of a column in the first table: its name here. Absent columns are reported when the rows
        are opened.
    display_name
        What errors call the table.
    named
        Whether its columns have names; those of arrays are called by their number.
    """

    columns: ArrowColumns
    name_of: Mapping[str, str]
    display_name: str = "X"
    named: bool = True

    def type_of(self, name: str) -> Any:
        """Return the type of a column, null where the table does not have it."""
        return self.columns.schema.field(self.name_of[name]).type if name in self.name_of else pa.null()


def matrix_schema(n_columns: int, categorical_features: str | Sequence[str | int] | None) -> Schema:
    """Return what the columns of a matrix of numbers mean: those that are listed hold categories, none is ignored.

    Examples
    --------
    >>> matrix_schema(2, categorical_features=[1]).is_categorical.tolist()
    [False, True]
    """
    marked = marked_columns(categorical_features, n_columns, None)
    return Schema(n_columns, dict.fromkeys(sorted(marked or ())))


def learn_columns(
    tables: Sequence[ProfiledTable],
    names: Sequence[str],
    marked: Collection[int] | None = None,
    *,
    kept: Collection[str] = (),
    types: Mapping[str, str] | None = None,
    min_texts: int = MIN_TEXTS,
) -> LearntTable:
    """Return what columns mean, from all rows of one or two tables.

    Columns that are row IDs or codes, are the same in every row, hold no values, or have a type that says nothing
    of numbers, categories or dates are ignored.

    Parameters
    ----------
    tables
        The tables of the fit; the first one says which columns there are.
    names
        The columns to learn from, in their order.
    marked
        The numbers of the columns that hold categories; None leaves it to types: columns of text or booleans, or of a
        type made for categories, do.
    kept
        Columns that are never ignored.
    types
        Columns whose type the user knows, "categorical", "numeric", "date" or "text", which are never ignored either.
    min_texts
        A term of a text column is in at least this many different texts.
    """
    first, known = tables[0], types or {}
    if not first.columns.n_rows:
        found = f"a table of {len(names)} columns without any"
        raise InputError("have rows to learn from", parameter=first.display_name, found=found, fix="add rows")
    kept = {*kept, *(name for name in names if name in known)}
    marks = {name: None if marked is None else place in marked for place, name in enumerate(names)}
    marks |= {name: known[name] == "categorical" for name in names if name in known}
    reasons = _unread_columns(first, names, kept)
    used = [name for name in names if name not in reasons]
    texts = _profile_text(tables, [name for name in used if not marks[name] and known.get(name) != "text"])
    profilers = [
        {
            name: _profiler(
                tables, table, name, marks[name], texts.get(name), _KINDS.get(known.get(name, "")), min_texts
            )
            for name in used
            if name in table.name_of
        }
        for table in tables
    ]
    for table, own in zip(tables, profilers, strict=True):
        table.columns.profile({table.name_of[name]: profiler for name, profiler in own.items()})
    stays = {*kept, *(name for name, mark in marks.items() if mark)}
    learnt: dict[str, LearntColumn] = {}
    for name in used:
        others = [own[name] for own in profilers[1:] if name in own]
        reason = None if name in stays else profilers[0][name].why_ignored(first.columns.n_rows, others)
        if reason is not None:
            reasons[name] = reason
            continue
        for other in others:
            profilers[0][name].join(other)
        learnt[name] = profilers[0][name].learnt()
    if not learnt:
        found = f"only ones that do not: {described(reasons)}"
        fix = "add others, or name those to use in {features of open_table}"
        raise InputError("have columns that describe its rows", parameter=first.display_name, found=found, fix=fix)
    # Parts and components are called after their column.
    has_names = first.named or any(column.parts or column.text is not None for column in learnt.values())
    columns = [column if has_names else _unnamed(column, place) for place, column in enumerate(learnt.values())]
    ignored = {place: name for place, name in enumerate(names) if name in reasons}
    return LearntTable(
        Schema.of_columns(columns, ignored, named=has_names),
        {name: profiler.holds for name, profiler in profilers[0].items()}
        | {name: _held(column) for name, column in learnt.items() if column.is_categorical or column.text is not None},
        {name: reasons[name] for name in ignored.values()},
        {name: notes for name, text in texts.items() if (notes := text.notes(profilers[0][name].reading))},
    )


def _held(column: LearntColumn) -> str:
    return "text" if not column.is_categorical else "categories" if column.text is None else "names"


_KINDS = {"numeric": "number", "date": "date", "text": "text"}
"""Kinds of columns by the types that users know."""


def described(reasons: Mapping[str, str]) -> str:
    """Return columns as a sentence lists them, each with the reason why it is ignored."""
    words = [f"{short(name)} ({reason})" for name, reason in reasons.items()]
    return ", ".join(words[:10]) + (f" and {len(words) - 10} more" if len(words) > 10 else "")


def _unread_columns(table: ProfiledTable, names: Sequence[str], kept: Collection[str]) -> dict[str, str]:
    """Return the columns whose type is not read, with this reason."""
    unread = {
        name: f"{unread_values(table.type_of(name))}, a type that is not read"
        for name in names
        if kind_of_type(table.type_of(name)) is None
    }
    strange = {name: reason for name, reason in unread.items() if name in kept}
    if strange:
        rule, subject = "hold numbers, booleans, text, dates or times", "Columns of {table}"
        owner, found, columns = Parameter(table.display_name), described(strange), listed(list(strange))
        fix = "take {columns} out of {features}, or convert"
        raise InputError(rule, subject=subject, table=owner, found=found, fix=fix, columns=columns)
    return unread


def _profile_text(tables: Sequence[ProfiledTable], names: Sequence[str]) -> dict[str, TextProfile]:
    """Return what the text of columns that no type calls categories may stand for, over all tables."""
    profiles: dict[str, TextProfile] = {}
    for table in tables:
        text = [name for name in names if is_plain_text(table.type_of(name))]
        found = table.columns.profile_text([table.name_of[name] for name in text])
        for name in text:
            profiles.setdefault(name, TextProfile()).join(found[table.name_of[name]])
    return profiles


def _profiler(
    tables: Sequence[ProfiledTable],
    table: ProfiledTable,
    name: str,
    is_marked: bool | None,
    text: TextProfile | None,
    known_kind: str | None,
    min_texts: int,
) -> ColumnProfiler:
    """Return the beginning of a profiler; None leaves it to the type whether a column holds categories."""
    display_name = display_column(table.name_of[name], table.display_name, named=table.named)
    if known_kind == "text":
        return WordProfiler(name, display_name, is_text=True, min_texts=min_texts)
    # What one table says of a type holds for the other: it may have text, or no values, in the place of numbers.
    found = [one.type_of(name) for one in tables]
    typed = [kind for kind in found if kind_of_type(kind) not in ("text", "nothing")]
    is_declared = any(map(is_dictionary, found))
    kind = kind_of_type([*typed, *(one for one in found if kind_of_type(one) == "text"), *found][0])
    reading = None
    if text is not None and not is_marked and not is_declared:
        reading = text.settle(known_kind or (kind if typed else None))
        if reading is None and known_kind is not None:
            reading = _known_reading(table, name, known_kind, display_name)
        kind = READINGS[reading].kind if reading is not None else kind
    if kind in TEMPORAL_KINDS:
        if is_marked:
            rule = "hold numbers, booleans or text to be categorical"
            fix = "take it out of {categorical_features}, or convert it to text"
            raise InputError(rule, subject="Column {name}", name=display_name, found=TEMPORAL_KINDS[kind], fix=fix)
        has_clock = not all(map(patypes.is_date32, typed)) or not typed
        parts = tuple(part for part in parts_of_kind(kind) if has_clock or part != "hour")
        return DateProfiler(name, display_name, parts, reading)
    if is_marked is None and kind == "text" and not is_declared:
        return WordProfiler(name, display_name, min_texts=min_texts)
    if is_marked or (is_marked is None and (is_declared or kind == "boolean")):
        return CategoryProfiler(name, display_name, kind or "", reading, is_declared=is_declared)
    if kind == "text" and not (text is not None and text.is_empty):
        example = f"text such as {short(_example(table, name))}"
        ways = "list it in {categorical_features} or {text_features} of a classifier that has these, or leave it out"
        fix = f"convert it to numbers, {ways}"
        raise InputError("hold numbers", subject="Column {name}", name=display_name, found=example, fix=fix)
    is_whole = all(map(patypes.is_integer, typed)) if typed else text is not None and text.is_whole
    return NumberProfiler(name, display_name, reading, is_whole=is_whole)


def best_reading(texts: Iterable[Any], kind: str) -> str | None:
    """Return the reading of a kind that reads most cells of a column, where others count as missing.

    Parameters
    ----------
    texts
        The cells, some at a time: arrays of text.
    kind
        "number" or "date".

    Returns
    -------
    str or None
        One of `READINGS`; None if no cell can be read.

    Examples
    --------
    >>> import pyarrow as pa
    >>> best_reading([pa.array(["3,5", "about 4", "1,25"])], "number")
    'numbers with decimal commas, other cells missing'
    """
    names = [name for name, reading in READINGS.items() if reading.skips and reading.kind == kind]
    n_read = Counter(dict.fromkeys(names, 0))
    for text in texts:
        for name in names:
            values, _ = read_text(text, name)
            n_read[name] += len(values) - values.null_count
    name, most = n_read.most_common(1)[0]
    return name if most else None


def _known_reading(table: ProfiledTable, name: str, kind: str, display_name: str) -> str:
    """Return how to read a text column of which a user says what it holds."""
    texts = (decoded(batch.column(0)) for batch in table.columns.batches([table.name_of[name]], BATCH_ROWS))
    reading = best_reading(islice(texts, MAX_BATCHES), kind)
    if reading is None:
        rule, fix = "hold some {held}, as you say", "take it out of {parameter}"
        found, parameter = (
            f"text such as {short(_example(table, name))}",
            Parameter("numeric" if kind == "number" else "date"),
        )
        raise InputError(
            rule, subject="Column {name}", name=display_name, found=found, fix=fix, held=HELD[kind], parameter=parameter
        )
    return reading


def _example(table: ProfiledTable, name: str) -> str:
    """Return some text of a column that is no number, if there is any."""
    example = ""
    for batch in table.columns.batches([table.name_of[name]], BATCH_ROWS):
        text = decoded(batch.column(0))
        place = pc.index(read_text(text, NUMBERS)[1], True).as_py()
        if place >= 0:
            return str(text[place].as_py())
        example = example or next((cell.as_py() for cell in text.drop_null()), "")
    return str(example)


def _unnamed(column: LearntColumn, place: int) -> LearntColumn:
    """Return a column of an array, of which categories that are numbers stand for themselves."""
    is_text = bool(column.levels) and isinstance((column.levels or ("",))[0], str)
    return LearntColumn(place, column.is_categorical, column.levels if is_text else None, reading=column.reading)
