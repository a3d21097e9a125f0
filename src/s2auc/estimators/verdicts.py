"""Labels from a file of verdicts, joined to the rows of a table by a column of row IDs."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from s2auc.common.arrays import BoolArray, is_missing
from s2auc.common.docstrings import describes_parameters_like
from s2auc.common.errors import InputError
from s2auc.common.messages import Message
from s2auc.common.user_warnings import warn_user
from s2auc.data.labels.labeled_rows import KnownLabels, LabeledRows, find_labeled_rows, typed_labels
from s2auc.data.labels.labels import Labels
from s2auc.data.schema.column_names import listed
from s2auc.data.schema.column_selection import check_known
from s2auc.data.tables.lazy_table import LabelColumn
from s2auc.data.tables.table import Table, open_table

VERDICT, TIME, STRATEGY = "verdict", "time", "strategy"
"""Columns of a file of verdicts that have a meaning by their name."""

RANDOM, MIN_RANDOM = "random", 10
"""The strategy of rows that were drawn at random, and how many of each class it takes to judge by these alone."""


@describes_parameters_like()
def join_labels(
    table: Any,
    labels: Any,
    row_id: str,
    *,
    label: str | None = None,
    latest_wins: bool = False,
) -> LabelColumn:
    """Return the labels of the rows of a table that a file of verdicts holds, one verdict for a row ID.

    Verdicts of unknown row IDs, and rows with contradictory verdicts, are counted in a warning and left out.

    Parameters
    ----------
    table
        The table: what `open_table` gives or takes.
    labels
        The verdicts: a table with the row IDs, in a column of the same name or else in the first one, and the verdicts,
        in a column called "verdict" or like `label`, or in the only other one. Blank verdicts count as none. There may
        be more columns, such as the time and the reviewer.
    row_id
        The column of row IDs in `table`.
    label
        A column of `table` that holds labels of some rows already. A verdict that differs from one of these contradicts
        it.
    latest_wins
        Whether of contradictory verdicts the latest counts: the one with the latest "time" if the file has such a
        column, else the last one in the file. Verdicts of the file are later than those of `label`.

    Returns
    -------
    LabelColumn
        The labels of all rows, for `fit_table` or as the `y` of estimators and `evaluate_model`.

    Examples
    --------
    >>> table = {"claim": [11, 12, 13], "size": [0.1, 0.2, 0.3]}
    >>> joined = join_labels(table, {"claim": [13, 11], "verdict": ["fraud", "ok"]}, "claim")
    >>> [chunk.tolist() for chunk in joined.chunks()]
    [['ok', None, 'fraud']]
    """
    opened, verdicts = open_table(table), open_table(labels)
    check_known([row_id], opened.names, "row_id")
    check_known([] if label is None else [label], opened.names, "label")
    given = [] if label is None else list(_labels_of(opened, row_id, label))
    id_column, verdict_column = _columns(verdicts, row_id, label)
    judged = _judged([*given, *_verdicts(verdicts, id_column, verdict_column)], latest_wins=latest_wins)
    numbers, values, known = [], [], set()
    for number, key in enumerate(_keys(opened, row_id)):
        if key in judged.verdict_of:
            known.add(key)
            numbers.append(number)
            values.append(judged.verdict_of[key])
    unknown = [key for key in judged.verdict_of if key not in known]
    if not numbers:
        fix = "check that {row_id} names the same IDs in both"
        found = f"{listed(unknown)}" if unknown else "no verdicts"
        raise InputError("hold row IDs of the table", subject="{labels}", found=found, fix=fix)
    _tell(unknown, judged)
    found_labels = LabeledRows(opened.n_rows, np.array(numbers, dtype=np.intp), np.array(values), has_marked=False)
    return KnownLabels(LabeledRows(opened.n_rows, found_labels.numbers, typed_labels(found_labels.values), False))


def random_verdicts(table: Table, labels: Any, row_id: str) -> BoolArray | None:
    """Return which rows of a table have verdicts of the strategy "random"; None if the file has no such column.

    Parameters
    ----------
    table, labels, row_id
        As for `join_labels`, with the table open.
    """
    verdicts = open_table(labels)
    if STRATEGY not in verdicts.names:
        return None
    id_column = row_id if row_id in verdicts.names else verdicts.names[0]
    pairs = zip(_keys(verdicts, id_column), _keys(verdicts, STRATEGY), strict=True)
    drawn = {key for key, strategy in pairs if strategy.lower() == RANDOM}
    return np.array([key in drawn for key in _keys(table, row_id)], dtype=bool)


def has_enough_random(is_random: BoolArray | None, labels: Labels) -> bool:
    """Return whether rows that were drawn at random are enough to hold out only these."""
    if is_random is None:
        return False
    sides = [labels.positive, *([labels.negative] if labels.n_negative else [])]
    return all(np.count_nonzero(is_random[side]) >= MIN_RANDOM for side in sides)


@dataclass(frozen=True)
class _Judged:
    """One verdict for each row ID, and what was met on the way."""

    verdict_of: dict[str, str]
    n_repeated: int
    contradictory: list[str]
    latest_wins: bool


def _judged(verdicts: Iterable[tuple[str, str]], *, latest_wins: bool) -> _Judged:
    verdict_of: dict[str, str] = {}
    repeated: Counter[str] = Counter()
    contradictory: dict[str, None] = {}
    for key, verdict in verdicts:
        if key in verdict_of:
            repeated[key] += 1
            if verdict_of[key] != verdict:
                contradictory[key] = None
        verdict_of[key] = verdict
    if not latest_wins:
        for key in contradictory:
            del verdict_of[key]
    return _Judged(verdict_of, repeated.total(), list(contradictory), latest_wins)


def _tell(unknown: list[str], judged: _Judged) -> None:
    if unknown:
        told = "Row IDs in {labels} that are not in the table: {n} ({which})."
        warn_user(Message(told, n=f"{len(unknown):,}", which=listed(unknown)))
    if judged.contradictory:
        told = "Row IDs with contradictory verdicts: {n} ({which}). "
        told += "The latest of each counts." if judged.latest_wins else "These rows count as unlabelled; "
        told += "" if judged.latest_wins else "with {latest_wins} the latest verdict counts."
        warn_user(Message(told, n=f"{len(judged.contradictory):,}", which=listed(judged.contradictory)))


def _columns(verdicts: Table, row_id: str, label: str | None) -> tuple[str, str]:
    """Return the columns of row IDs and of verdicts."""
    names = verdicts.names
    id_column = row_id if row_id in names else names[0]
    others = [name for name in names if name != id_column]
    by_name = next((name for name in (VERDICT, label) if name in others), None)
    if by_name is None and len(others) != 1:
        found, fix = listed(names), "call the column of verdicts 'verdict'"
        raise InputError("hold a column of row IDs and one of verdicts", subject="{labels}", found=found, fix=fix)
    return id_column, by_name or others[0]


def _verdicts(verdicts: Table, id_column: str, verdict_column: str) -> list[tuple[str, str]]:
    found = list(_labels_of(verdicts, id_column, verdict_column))
    if TIME not in verdicts.names:
        return found
    times = [key or "" for key in _keys(verdicts, TIME)]
    # Blank verdicts are gone from what was found: their places are, too.
    places = find_labeled_rows(verdicts.column(verdict_column), None, as_text=True).numbers
    order = sorted(range(len(found)), key=lambda place: times[places[place]])
    return [found[place] for place in order]


def _labels_of(table: Table, id_column: str, label: str) -> Iterator[tuple[str, str]]:
    """Yield row ID and label, as text, of all rows that have a label."""
    found = find_labeled_rows(table.column(label), None, as_text=True)
    keys = list(_keys(table, id_column))
    for number, value in zip(found.numbers.tolist(), found.values.tolist(), strict=True):
        yield keys[number], _text(value)


def _keys(table: Table, column: str) -> Iterator[str]:
    for chunk in table.column(column).chunks():
        missing = np.ma.getmaskarray(chunk)
        yield from (
            "" if gone else _text(value) for value, gone in zip(np.asarray(chunk).tolist(), missing, strict=True)
        )


def _text(value: Any) -> str:
    """Return a row ID or a verdict as text: the number 12 is the same in a file of text and in one of numbers."""
    if is_missing(value):
        return ""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return str(value).strip()
