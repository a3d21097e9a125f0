"""Printed summary of how each column of a table was interpreted."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from s2auc.cli.screen import Screen
from s2auc.cli.text import listed, quoted
from s2auc.common.messages import printable

if TYPE_CHECKING:
    from s2auc.data.tables.description import ColumnRole
    from s2auc.estimators.fitting.understood_table import UnderstoodTable

MAX_NAMES = 12
"""Columns of a kind, and values, that are named; of more it is said how many there are."""


def print_understood(screen: Screen, understood: "UnderstoodTable", *, lists_all: bool = False) -> None:
    """Print how a table was interpreted: features, how cells were read, columns that are not used and why, labels.

    Of many columns a few are named, unless all are asked for.
    """
    print_columns(screen, understood.name, understood.n_rows, understood.columns, lists_all=lists_all)
    screen.say("Labels")
    n_passed_over = sum(count for _, count in understood.passed_over)
    marked = "" if understood.marker is None else f" or {quoted(understood.marker)}"
    rows = [(understood.n_positive, f"{quoted(understood.positive)}, positive: to rank at the top")]
    if understood.n_negative:
        several = len(understood.negative_values) > 1
        meaning = f": {_values(understood.negative_values, lists_all=lists_all)}" if several else ""
        rows.append((understood.n_negative, f"{quoted(understood.negative)}, negative{meaning}"))
    rows.append((understood.n_unlabeled - n_passed_over, f"unlabelled (blank{marked})"))
    if n_passed_over:
        values = _values(understood.passed_over, lists_all=lists_all)
        rows.append((n_passed_over, f"neither, count as unlabelled: {values}"))
    if understood.n_more_unlabeled:
        rows.append((understood.n_more_unlabeled, "unlabelled, in other tables"))
    screen.table(["", ">", ""], [["", f"{count:,}", words] for count, words in rows])
    screen.say()


def print_columns(
    screen: Screen, name: str, n_rows: int, columns: "Sequence[ColumnRole]", *, lists_all: bool = False
) -> None:
    """Print the name of a table, its size, and what its columns hold.

    Parameters
    ----------
    screen, name, n_rows, columns
        Where to print, and what.
    lists_all
        Whether every column has a line of its own; else columns stand together by their kind, the first of many.
    """
    counted = f", {len(columns):,} columns" if columns else ""
    screen.say(f"{name}: {n_rows:,} rows{counted}", style="bold")
    if lists_all and columns:
        screen.say("Columns")
        words = [", ".join(filter(None, [each.role, *each.notes])) for each in columns]
        screen.table(
            [""] * 3,
            [[f"  {printable(each.name)}", each.holds, said] for each, said in zip(columns, words, strict=True)],
        )
        return
    kinds: dict[str, list[str]] = {}
    for column in columns:
        if column.is_used:
            kinds.setdefault(column.holds, []).append(column.name)
    if kinds:
        screen.say("Features")
        rows = [[f"  {len(names):,}", kind, listed(names, MAX_NAMES)] for kind, names in kinds.items()]
        screen.table([""] * 3, rows)
    is_cut = any(len(names) > MAX_NAMES for names in kinds.values())
    for heading, told in (
        ("How cells were read", [(each.name, note) for each in columns for note in each.notes]),
        ("Not used", [(each.name, each.role) for each in columns if not each.is_used]),
    ):
        if told:
            screen.say(heading)
            screen.table([""] * 2, [[f"  {printable(name)}", words] for name, words in told[:MAX_NAMES]])
        if len(told) > MAX_NAMES:
            screen.say(f"  and {len(told) - MAX_NAMES:,} more")
            is_cut = True
    if is_cut:
        screen.say("--columns lists every column.")


def _values(count_of: Iterable[tuple[Any, int]], *, lists_all: bool) -> str:
    """Return values of the label column, the most frequent first, and how many rows have each."""
    by_count = sorted(count_of, key=lambda pair: -pair[1])
    words = [f"{quoted(value)} ({count:,})" for value, count in by_count]
    return listed(words, len(words) if lists_all else MAX_NAMES)
