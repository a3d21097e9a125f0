"""Facts about labelled rows besides their labels: whether they were drawn at random, and their time."""

from typing import Any

import numpy as np

from s2auc.common.arrays import AnyArray, BoolArray, FloatArray, is_missing
from s2auc.common.errors import InputError
from s2auc.data.labels.labels import Labels
from s2auc.data.tables.lazy_table import LabelColumn, values_at

RANDOM_WORDS = frozenset({"random", "true", "yes", "y", "1", "1.0"})
"""Spellings of "this label was drawn at random", in small letters."""


def read_random_labels(values: Any, labels: Labels) -> BoolArray | None:
    """Return which labelled rows were drawn at random, positive ones first; None if nobody said so.

    True, numbers other than 0 and the words in `RANDOM_WORDS` say that a row was; everything else that it was not.

    Examples
    --------
    >>> from s2auc.data.labels.labels import read_labels
    >>> read_random_labels(["random", "top", "random"], read_labels([0, 1, -1])).tolist()
    [False, True]
    """
    if values is None:
        return None
    found = _of_labeled(values, labels, "random_labels")
    is_random = np.array([_is_random(value) for value in found.tolist()], dtype=bool)
    if not is_random.any():
        raise InputError(
            "say of some labelled rows that they were drawn at random",
            parameter="random_labels",
            found="none",
            fix="mark them with True or 'random', or leave {random_labels} out",
        )
    return is_random


def _is_random(value: Any) -> bool:
    if is_missing(value):
        return False
    if isinstance(value, str):
        return value.strip().lower() in RANDOM_WORDS
    return bool(value)


def read_time(values: Any, labels: Labels) -> FloatArray | None:
    """Return the time of every labelled row as a number, positive ones first; None if no times were given.

    Numbers, dates, and text that spells numbers or ISO dates are times.

    Examples
    --------
    >>> from s2auc.data.labels.labels import read_labels
    >>> read_time(["2024-05-02", "2024-05-01", None], read_labels([0, 1, -1])).argsort().tolist()
    [0, 1]
    """
    if values is None:
        return None
    return np.array([_moment(value) for value in _of_labeled(values, labels, "time").tolist()], dtype=np.float64)


def _moment(value: Any) -> float:
    try:
        if isinstance(value, int | float):
            moment = float(value)
        elif isinstance(value, str):
            moment = _spelled_moment(value.strip())
        else:
            moment = _seconds(np.datetime64(value.replace(tzinfo=None) if hasattr(value, "tzinfo") else value))
    except (TypeError, ValueError, AttributeError):
        moment = float("nan")
    if is_missing(value) or not np.isfinite(moment):
        raise InputError(
            "hold the time of every labelled row: a number, a date, or text such as 2024-05-31",
            parameter="time",
            found=repr(value),
            fix="convert the column, or leave {time} out",
        )
    return moment


def _spelled_moment(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return _seconds(np.datetime64(text))


def _seconds(moment: np.datetime64) -> float:
    if np.isnat(moment):
        raise ValueError
    return float(moment.astype("datetime64[us]").astype(np.int64)) / 1e6


def _of_labeled(values: Any, labels: Labels, parameter: str) -> AnyArray:
    """Return the values of the labelled rows as objects, positive rows first."""
    is_column = isinstance(values, LabelColumn)
    shape = (values.n_rows,) if is_column else np.shape(values)
    if shape != (labels.n_rows,):
        raise InputError(
            "hold one value for each of {n_rows} rows of {X}",
            parameter=parameter,
            found=f"shape {shape}",
            fix="pass one per row",
            n_rows=labels.n_rows,
        )
    numbers = labels.positive_first()
    if is_column:
        return values_at(values, numbers)
    found = np.asarray(values)[numbers]
    if found.dtype.kind == "M":
        found = found.astype("datetime64[us]")
    return found.astype(object)
