"""Checks that there is a label for every row, and that there are labelled rows of both classes, which an AUC needs."""

from typing import Any

from s2auc.common.arrays import is_missing
from s2auc.common.errors import InputError
from s2auc.common.messages import Message
from s2auc.common.user_warnings import is_called_from
from s2auc.data.labels.labels import Labels
from s2auc.data.sources.source import RowSource


def check_lengths(rows: RowSource, labels: Labels) -> None:
    """Raise a ValueError unless there is one label a row."""
    if labels.n_rows != rows.n_rows:
        found = f"X has {rows.n_rows} rows and y has {labels.n_rows}"
        raise ValueError(
            f"Found input variables with inconsistent numbers of samples: {found}; pass one label per row."
        )


def check_both_classes(labels: Labels, unlabeled: Any, *, is_positive_unlabeled: bool, min_rows: int = 1) -> None:
    """Raise an InputError unless there are labelled rows of both classes to score.

    Parameters
    ----------
    labels
        What y means.
    unlabeled
        The marker of unlabelled rows.
    is_positive_unlabeled
        Whether the fit had no negative rows, so that what marked its unlabelled rows may be a class now.
    min_rows
        How many rows each class must have.

    Examples
    --------
    >>> import numpy as np
    >>> from s2auc.data.labels.labels import read_known_labels
    >>> labels = read_known_labels([1, 1, 0], np.array([0, 1]), unlabeled=0)
    >>> check_both_classes(labels, 0, is_positive_unlabeled=True)
    Traceback (most recent call last):
    ...
    s2auc.common.errors.InputError: The AUC needs labelled rows of both classes. Got 2 positive and 0 negative rows, ...
    """
    if min(labels.n_positive, labels.n_negative) >= min_rows:
        return
    got = f"{labels.n_positive} positive and {labels.n_negative} negative rows"
    is_missing_class = not (labels.n_positive and labels.n_negative)
    advice = Message("add rows of the missing class" if is_missing_class else "label more rows")
    if labels.n_unlabeled:
        has_marker = not is_missing(unlabeled)
        marked = f"missing or hold {unlabeled!r}, which marks unlabelled rows" if has_marker else "missing"
        got += f", and {labels.n_unlabeled} that are {marked}"
        if has_marker and is_positive_unlabeled and labels.n_positive:
            # A boolean is never taken for a number.
            is_zero_one = labels.classes.tolist() == [0, 1]
            way = "let {y} hold booleans, {y == 1}" if is_zero_one else "replace it by another label"
            advice = Message("if it means the negative class here, {way}", way=Message(way))
    if is_called_from("sklearn.model_selection"):
        advice = Message("use cv=LabeledKFold(), which tests labelled rows of both classes in every fold")
    needed = "labelled rows of both classes" if min_rows == 1 else f"at least {min_rows} labelled rows of each class"
    raise InputError(Message("The AUC needs {needed}. Got {got}; {advice}.", needed=needed, got=got, advice=advice))
