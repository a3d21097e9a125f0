"""Columns of a table that go into a file as they are, beside what a model says of its rows."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from s2auc.common.arrays import IndexArray
from s2auc.data.column_matching import check_distinct, listed
from s2auc.data.table import Table, open_table
from s2auc.models.model import Model
from s2auc.models.record import recorded_roles


def checked_keep(keep: Any, made: list[str], asked_by: str) -> list[str]:
    """Return the names of columns to keep, none of them twice, none of them one that is made."""
    if keep is None:
        return []
    if isinstance(keep, str) or not isinstance(keep, Sequence) or not all(isinstance(name, str) for name in keep):
        advice = f"write keep=[{keep!r}]" if isinstance(keep, str) else "list the names of columns"
        raise TypeError(f"The 'keep' parameter of {asked_by} must be a list of names or None. Got {keep!r}; {advice}.")
    check_distinct(keep, "keep")
    taken = [name for name in keep if name in made]
    if taken:
        raise ValueError(
            f"Columns of keep must have other names than those that are written beside them, {listed(made)}. Got "
            f"{listed(taken)}; rename or leave out."
        )
    return list(keep)


def open_beside(X: Any, model: Model, names: list[str]) -> Table:
    """Return the handle of a table; columns that are only kept, or that are labels, are not among those to score."""
    if isinstance(X, Table):
        return X
    table, known = open_table(X), set(model.schema.source_names or ())
    return table.dropping([name for name in (*names, *recorded_roles(model.record).values()) if name not in known])


def check_kept(names: list[str], found: Sequence[str]) -> None:
    """Raise a ValueError unless a table has all columns that are to be kept."""
    missing = [name for name in names if name not in set(found)]
    if missing:
        raise ValueError(
            f"Columns of keep must be columns of X. Got {listed(missing)}, while X has {listed(found) or 'none'}; "
            "correct the names."
        )


def chosen_rows(batches: Iterator[Any], numbers: IndexArray, schema: Any) -> tuple[Any, int]:
    """Return some rows of a stream of batches, in one table, and how many rows there were.

    Parameters
    ----------
    batches
        All rows, in order.
    numbers
        Those to return, ascending.
    schema
        What the table looks like.
    """
    import pyarrow as pa

    found, first = [], 0
    for batch in batches:
        low, high = np.searchsorted(numbers, [first, first + batch.num_rows])
        found.append(batch.take(pa.array(numbers[low:high] - first)))
        first += batch.num_rows
    return pa.Table.from_batches(found, schema=schema).unify_dictionaries().combine_chunks(), first
