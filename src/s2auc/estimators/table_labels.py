"""The label column of a table: which value is positive, which negative, and which rows are not labelled."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from s2auc.common.errors import InputError
from s2auc.common.messages import Message
from s2auc.common.user_warnings import warn_user
from s2auc.data.labels.labeled_rows import KnownLabels, find_labeled_rows
from s2auc.data.labels.labels import Labels, read_labels
from s2auc.data.labels.values import is_equal, kind_of
from s2auc.data.schema.column_names import listed
from s2auc.data.schema.text_readings import MISSING, PLACEHOLDERS
from s2auc.data.tables.lazy_table import LabelColumn

USUAL_MARKER = -1
"""What marks unlabelled rows beside two other labels, as in scikit-learn."""


@dataclass(frozen=True, eq=False)
class TableLabels:
    """What a label column means, read once.

    Attributes
    ----------
    column
        The labels, as estimators take them.
    labels
        Which rows are positive, negative and unlabelled.
    marker
        The value that marks unlabelled rows, beside blanks; None if there is none.
    positive
        The positive class if it was named; else None, and it is the larger one.
    """

    column: KnownLabels
    labels: Labels
    marker: Any
    positive: Any


def read_table_labels(
    column: LabelColumn, name: str | None, positive: Any = None, unlabeled: Any = None
) -> TableLabels:
    """Return what a label column means.

    Blank labels are those of unlabelled rows. So is -1 where it stands beside two other numbers.

    Parameters
    ----------
    column
        The column.
    name
        Its name; None where the format has a place of its own for labels.
    positive
        The class to rank at the top, or its spelling; None for the larger one.
    unlabeled
        Another value that marks unlabelled rows, or its spelling.

    Examples
    --------
    >>> column = KnownLabels(find_labeled_rows([1.0, None, 0.0, None], marker=None))
    >>> found = read_table_labels(column, "fraud", positive="1")
    >>> found.labels.classes.tolist(), found.labels.n_unlabeled
    ([0.0, 1.0], 2)
    """
    found = find_labeled_rows(column, None)
    distinct: list[Any] = np.unique(found.values).tolist()
    if not distinct:
        raise InputError(
            "hold labels of some rows",
            **_subject(name),
            found=f"blanks in all {found.n_rows:,} rows",
            fix="name another column in {label}, or label some rows",
        )
    marker = _marker(distinct, unlabeled)
    kept = found if marker is None else found.without(marker)
    classes, counts = np.unique(kept.values, return_counts=True)
    count_of = dict(zip(classes.tolist(), counts.tolist(), strict=True))
    wanted = None if positive is None else _value_spelled(positive, list(count_of), "positive", "a class")
    _check_classes(count_of, name, wanted)
    _warn_of_missing_words(count_of)
    known = KnownLabels(kept)
    return TableLabels(known, read_labels(known, unlabeled=marker, pos_label=wanted), marker, wanted)


def _subject(name: str | None) -> dict[str, Any]:
    return {"subject": "The label column"} if name is None else {"column": name}


def _marker(distinct: Sequence[Any], unlabeled: Any) -> Any:
    if unlabeled is not None:
        return _value_spelled(unlabeled, distinct, "unlabeled", "a value")
    is_marked = len(distinct) == 3 and any(is_equal(value, USUAL_MARKER) for value in distinct)
    return USUAL_MARKER if is_marked else None


def _warn_of_missing_words(count_of: Mapping[Any, int]) -> None:
    """Warn of a class that may mean that a row is unlabelled: only blank cells do."""
    for value, count in count_of.items():
        if value in MISSING or str(value).lower() in PLACEHOLDERS:
            warn_user(
                Message(
                    "The label column holds {value} in {count} rows, which counts as a class. If these rows are "
                    "unlabelled, pass {value} as {unlabeled}.",
                    value=repr(value),
                    count=f"{count:,}",
                )
            )


def _check_classes(count_of: Mapping[Any, int], name: str | None, positive: Any) -> None:
    """Raise an InputError unless there are two classes, or the positive one alone, named as such."""
    classes = list(count_of)
    if len(classes) == 1 and positive is None:
        raise InputError(
            "hold two classes, or one that {positive} names",
            **_subject(name),
            found=f"{classes[0]!r} only",
            fix="label rows of the other class, or pass {value} as {positive} for PU learning (positive-unlabelled)",
            value=repr(str(classes[0])),
        )
    fractions = [value for value in classes if kind_of(value) == "number" and value != np.floor(value)]
    if fractions or len(classes) > 2:
        kind = "numbers with fractions, which are not classes" if fractions else f"{len(classes)} values"
        shown = ", ".join(f"{value!r} in {count_of[value]:,} rows" for value in classes[:5])
        shown += ", ..." if len(classes) > 5 else ""
        raise InputError(
            "hold two classes, apart from blanks",
            **_subject(name),
            found=f"{kind} ({shown})",
            fix="name another column in {label}, pass the value of unlabelled rows as {unlabeled}, or merge classes",
        )


def _value_spelled(wanted: Any, values: Sequence[Any], parameter: str, kind: str) -> Any:
    """Return the value that equals what is wanted or, if that is text, is spelled like it."""
    for value in values:
        if is_equal(value, wanted) or (isinstance(wanted, str) and _is_spelled(value, wanted)):
            return value
    raise InputError(
        "be {kind} of the label column",
        parameter=parameter,
        found=repr(wanted),
        fix="choose among {values}",
        kind=kind,
        values=listed(list(values)),
    )


def _is_spelled(value: Any, text: str) -> bool:
    """Return whether a text is a way to write a number or a boolean."""
    kind = kind_of(value)
    if kind == "boolean":
        return text.strip().lower() == str(value).lower()
    try:
        return kind == "number" and float(text) == float(value)
    except ValueError:
        return False
