"""Columns of a table that go beside scores as they are, and the file that it all goes to, checked before any work."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from s2auc.data.asked_columns import close_names
from s2auc.data.column_matching import check_distinct, listed


def checked_keep(keep: Any, asked_by: str, made: Sequence[str] = ()) -> list[str]:
    """Return the names of columns to keep, none of them twice, none of them one that is made.

    Parameters
    ----------
    keep
        What a user gave.
    asked_by
        The function that takes it, which an error names.
    made
        Columns that are written beside them.

    Examples
    --------
    >>> checked_keep("id", "score_table")
    Traceback (most recent call last):
    ...
    TypeError: The 'keep' parameter of score_table must be a list of names or None. Got 'id'; write keep=['id'].
    """
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


def check_kept(names: Sequence[str], found: Sequence[str]) -> None:
    """Raise a ValueError unless a table has all columns that are to be kept."""
    missing = [name for name in names if name not in set(found)]
    if missing:
        close = close_names(missing[0], found)
        advice = f"did you mean {close}?" if close else "correct the names."
        raise ValueError(
            f"Columns of keep must be columns of X. Got {listed(missing)}, while X has {listed(found) or 'none'}; "
            f"{advice}"
        )


def check_other_file(target: Path, paths: Sequence[Path], written: str, read: str = "X") -> None:
    """Raise a ValueError if what is written, such as "scores", would take the place of what is read for it."""
    if any(path.exists() and target.exists() and path.samefile(target) for path in paths):
        raise ValueError(
            f"The file of {written} must be another one than those of {read}. Got {os.fspath(target)!r} for both; "
            "choose another path."
        )
