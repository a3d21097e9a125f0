"""Columns of a table to write next to the scores, checked before any work."""

from collections.abc import Sequence
from typing import Any

from s2auc.common.errors import InputError, InputTypeError
from s2auc.data.schema.column_names import listed
from s2auc.data.schema.column_selection import check_once


def checked_keep(keep: Any, asked_by: str, made: Sequence[str] = ()) -> list[str]:
    """Return the names of columns to keep, after checking them.

    Parameters
    ----------
    keep
        What a user gave.
    asked_by
        The function that takes it, which an error names.
    made
        Columns that are written next to them, and whose names are taken.

    Examples
    --------
    >>> checked_keep("id", "score_table")
    Traceback (most recent call last):
    ...
    s2auc.common.errors.InputTypeError: The 'keep' parameter of score_table must be a list of names or None. Got 'id'; \
pass ['id'].
    """
    if keep is None:
        return []
    if isinstance(keep, str) or not isinstance(keep, Sequence) or not all(isinstance(name, str) for name in keep):
        raise InputTypeError(
            "be a list of names or None",
            parameter="keep",
            owner=asked_by,
            found=repr(keep),
            fix="pass {one}" if isinstance(keep, str) else "list the names of columns",
            one=[keep],
        )
    check_once(keep, "keep")
    taken = [name for name in keep if name in made]
    if taken:
        raise InputError(
            "not name columns that are written with the scores, {made}",
            parameter="keep",
            found=listed(taken),
            fix="rename them or leave them out",
            made=listed(made),
        )
    return list(keep)
