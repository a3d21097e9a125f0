"""Labels from a file of verdicts, joined to the rows of a table by a column of row IDs."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
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
from s2auc.estimators.verdict_times import read_times

ID, VERDICT, TIME, STRATEGY = "id", "verdict", "time", "strategy"
"""Columns of a file of verdicts that have a meaning by their name."""

DETAILS = TIME, STRATEGY, "score", "reviewer"
"""Columns that may stand next to a verdict."""

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

    Verdicts of unknown row IDs, and rows with contradictory verdicts, are counted in a warning and left out. Warnings
    also name IDs with the same verdict several times, and IDs that several rows have.

    Parameters
    ----------
    table
        The table: what `open_table` gives or takes.
    labels
        The verdicts: a table with the row IDs, in a column of the same name, or called "id", or else the first one; and
        the verdicts, in a column called "verdict" or like `label`, or in the only other one. Blank verdicts count as
        none. There may be more columns: "time", "strategy", "score" and "reviewer".
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
    judged = _judged([*given, *_verdicts(verdicts, row_id, label, latest_wins=latest_wins)])
    numbers, values = [], []
    n_rows_of: Counter[str] = Counter()
    for number, key in enumerate(_keys(opened, row_id)):
        if key in judged.verdict_of:
            n_rows_of[key] += 1
            if latest_wins or key not in judged.contradictory:
                numbers.append(number)
                values.append(judged.verdict_of[key])
    unknown = [key for key in judged.verdict_of if key not in n_rows_of]
    if not n_rows_of:
        fix = "check that {row_id} names the same IDs in both"
        found = f"{listed(unknown)}" if unknown else "no verdicts"
        raise InputError("hold row IDs of the table", subject="{labels}", found=found, fix=fix)
    _tell(judged, unknown, [key for key, count in n_rows_of.items() if count > 1], latest_wins=latest_wins)
    found_values = typed_labels(np.array(values, dtype=str))
    return KnownLabels(LabeledRows(opened.n_rows, np.array(numbers, dtype=np.intp), found_values, has_marked=False))


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
    id_column = _id_column(verdicts.names, row_id)
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
    """The last verdict for each row ID, and what was met on the way."""

    verdict_of: dict[str, str]
    repeated: dict[str, None]
    contradictory: dict[str, None]
    n_nameless: int


def _judged(verdicts: Iterable[tuple[str, str]]) -> _Judged:
    verdict_of: dict[str, str] = {}
    repeated, contradictory = dict[str, None](), dict[str, None]()
    n_nameless = 0
    for key, verdict in verdicts:
        if not key:
            n_nameless += 1
            continue
        if key in verdict_of:
            (repeated if verdict_of[key] == verdict else contradictory)[key] = None
        verdict_of[key] = verdict
    return _Judged(verdict_of, {key: None for key in repeated if key not in contradictory}, contradictory, n_nameless)


def _tell(judged: _Judged, unknown: list[str], shared: list[str], *, latest_wins: bool) -> None:
    """Warn of every kind of verdict that may surprise: how many there are, and the first of them."""
    contradictory = "Row IDs with contradictory verdicts: {n} ({which}). These rows count as unlabelled; "
    contradictory += "with {latest_wins} the latest verdict counts."
    if latest_wins:
        contradictory = "Row IDs with contradictory verdicts: {n} ({which}). The latest of each counts."
    for told, keys in {
        "Row IDs in {labels} that are not in the table: {n} ({which}).": unknown,
        "Row IDs with the same verdict several times: {n} ({which}). It counts once.": [*judged.repeated],
        contradictory: [*judged.contradictory],
        "Row IDs in {labels} that several rows have: {n} ({which}). The verdict counts for each row.": shared,
    }.items():
        if keys:
            warn_user(Message(told, n=f"{len(keys):,}", which=listed(keys)))
    if judged.n_nameless:
        warn_user(Message("Verdicts without a row ID, which are left out: {n}.", n=f"{judged.n_nameless:,}"))


def _columns(verdicts: Table, row_id: str, label: str | None) -> tuple[str, str]:
    """Return the columns of row IDs and of verdicts."""
    names = verdicts.names
    id_column = _id_column(names, row_id)
    others = [name for name in names if name != id_column]
    by_name = next((name for name in (VERDICT, label) if name in others), None)
    judged = [name for name in others if name not in DETAILS]
    if id_column == VERDICT or (by_name is None and len(judged) != 1):
        found, fix = listed(names), "call the columns 'id' and 'verdict'"
        raise InputError("hold a column of row IDs and one of verdicts", subject="{labels}", found=found, fix=fix)
    return id_column, by_name or judged[0]


def _verdicts(verdicts: Table, row_id: str, label: str | None, *, latest_wins: bool) -> list[tuple[str, str]]:
    """Return row IDs and verdicts, the latest last if that matters."""
    id_column, verdict_column = _columns(verdicts, row_id, label)
    found = list(_labels_of(verdicts, id_column, verdict_column))
    if TIME not in verdicts.names or not latest_wins:
        return found
    times = read_times(verdicts, TIME)
    # Blank verdicts are gone from what was found: their places are, too.
    places = find_labeled_rows(verdicts.column(verdict_column), None, as_text=True).numbers
    return [found[place] for place in np.argsort(times[places], kind="stable")]


def _labels_of(table: Table, id_column: str, label: str) -> Iterator[tuple[str, str]]:
    """Yield row ID and label, as text, of all rows that have a label."""
    found = find_labeled_rows(table.column(label), None, as_text=True)
    keys = list(_keys(table, id_column))
    for number, value in zip(found.numbers.tolist(), found.values.tolist(), strict=True):
        yield keys[number], _text(value)


def _id_column(names: Sequence[str], row_id: str) -> str:
    return next((name for name in (row_id, ID) if name in names), names[0])


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
    return str(value).lower() if isinstance(value, bool) else str(value).strip()
