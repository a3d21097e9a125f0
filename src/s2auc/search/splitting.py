"""Splitters and groups as users give them, checked: whatever goes wrong in a splitter comes out in one sentence."""

from reprlib import repr as shown
from typing import Any

import numpy as np

from s2auc.common.arrays import AnyArray, IndexArray
from s2auc.common.errors import InputError
from s2auc.data.labels.labels import Labels
from s2auc.data.labels.values import is_missing
from s2auc.data.tables.lazy_table import LabelColumn, values_at


def read_groups(groups: Any, labels: Labels) -> AnyArray | None:
    """Return the group of every labelled row, positive ones first; None for None.

    Others need none: they are never tested.

    Raises
    ------
    ValueError
        If there is not one group a row, or a labelled row has none.

    Examples
    --------
    >>> from s2auc.data.labels.labels import read_labels
    >>> read_groups(["a", "b", None], read_labels([0, 1, -1])).tolist()
    ['b', 'a']
    """
    if groups is None:
        return None
    shape = (groups.n_rows,) if isinstance(groups, LabelColumn) else np.shape(groups)
    if shape != (labels.n_rows,):
        raise InputError(
            "hold one group for each of {n_rows} rows of {X} (inconsistent numbers of samples)",
            parameter="groups",
            found=f"shape {shape}",
            fix="pass one per row",
            n_rows=labels.n_rows,
        )
    numbers = labels.positive_first()
    found = values_at(groups, numbers) if isinstance(groups, LabelColumn) else np.asarray(groups)[numbers]
    values = found.tolist()
    for row, value in sorted(zip(numbers.tolist(), values, strict=True), key=lambda pair: pair[0]):
        if is_missing(value):
            raise InputError(
                "name the group of every labelled row",
                parameter="groups",
                found=repr(value),
                row=row,
                fix="give the row a group of its own, or leave it out",
            )
    try:
        np.unique(found)
    except TypeError:
        raise InputError(
            "be of one type, so that they can be sorted",
            parameter="groups",
            found=", ".join(sorted({type(value).__name__ for value in values})),
            fix="convert them to text",
        ) from None
    return found


def split_rows(splitter: Any, X: Any, y: IndexArray, groups: AnyArray | None) -> list[tuple[IndexArray, IndexArray]]:
    """Return the numbers of the training and test rows of every fold of a splitter.

    Parameters
    ----------
    splitter
        Something with a method split(X, y, groups).
    X, y, groups
        The labelled rows, their labels and their groups, if any.

    Raises
    ------
    ValueError
        If the splitter fails, needs groups that there are none of, or returns anything but pairs of row numbers.

    Examples
    --------
    >>> from sklearn.model_selection import GroupKFold
    >>> split_rows(GroupKFold(2), np.zeros((4, 1)), np.array([0, 1, 0, 1]), groups=None)
    Traceback (most recent call last):
    ...
    ValueError: The 'cv' parameter, GroupKFold(n_splits=2, ...), needs groups. Got None; pass groups=... to fit.
    """
    whose = f"The 'cv' parameter, {_name(splitter)},"
    try:
        folds = list(splitter.split(X, y, groups))
    except Exception as error:
        # Some versions of scikit-learn do not look for groups before they use them: their errors do not say so.
        if groups is None and "group" in f"{type(splitter).__name__} {error}".lower():
            raise ValueError(f"{whose} needs groups. Got None; pass groups=... to fit.") from error
        if type(splitter).__module__.startswith("s2auc."):  # says so itself
            raise
        said = f"{type(error).__name__}: {error}".rstrip(". \n")
        raise ValueError(
            f"{whose} must split the {len(y)} labelled rows. It raised {said}; use fewer folds or another splitter, "
            "such as LabeledKFold."
        ) from error
    if not folds:
        raise ValueError(
            f"{whose} must make folds of the {len(y)} labelled rows. Got none; use a splitter such as LabeledKFold."
        )
    return [_row_numbers(fold, len(y), whose) for fold in folds]


def _row_numbers(fold: Any, n_rows: int, whose: str) -> tuple[IndexArray, IndexArray]:
    try:
        train, test = (np.asarray(side) for side in fold)
    except (TypeError, ValueError):
        train = test = np.zeros((1, 1))
    for side in (train, test):
        is_sound = side.ndim == 1 and (side.dtype.kind in "iu" or not side.size)
        if not is_sound or np.any((side < 0) | (side >= n_rows)):
            raise ValueError(
                f"{whose} must yield pairs of training and test rows, as integers from 0 to {n_rows - 1}. Got "
                f"{shown(fold)}; use a splitter such as LabeledKFold."
            )
    return train.astype(np.intp), test.astype(np.intp)


def _name(splitter: Any) -> str:
    """Return a splitter in a few words: some are as long as the rows that they hold."""
    text = " ".join(repr(splitter).split())
    return text if len(text) <= 80 and not text.startswith("<") else f"{type(splitter).__name__}(...)"
