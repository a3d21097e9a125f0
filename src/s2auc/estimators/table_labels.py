"""The label column of a table: which value is positive, which negative, and which rows are not labelled."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from s2auc.data.column_matching import listed
from s2auc.data.known_labels import KnownLabels
from s2auc.data.label_values import is_equal, kind_of
from s2auc.data.labeled_rows import find_labeled_rows
from s2auc.data.labels import Labels, read_labels
from s2auc.data.lazy_table import LabelColumn

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


def read_table_labels(column: LabelColumn, name: str, positive: Any = None, unlabeled_value: Any = None) -> TableLabels:
    """Return what a label column means.

    Blank labels are those of unlabelled rows. So is -1 where it stands beside two other numbers.

    Parameters
    ----------
    column, name
        The column, and what it is called.
    positive
        The class to rank at the top, or its spelling; None for the larger one.
    unlabeled_value
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
        raise ValueError(
            f"The label column must hold labels of some rows. Got {name!r}, which is blank in all {found.n_rows:,} "
            "rows; name another column, or label some rows."
        )
    marker = _marker(distinct, name, unlabeled_value)
    classes = [value for value in distinct if marker is None or not is_equal(value, marker)]
    wanted = None if positive is None else _value_spelled(positive, classes, f"the classes of {name!r}", "positive")
    _check_classes(classes, name, wanted)
    known = KnownLabels(found)
    return TableLabels(known, read_labels(known, unlabeled=marker, pos_label=wanted), marker, wanted)


def _marker(distinct: Sequence[Any], name: str, unlabeled_value: Any) -> Any:
    if unlabeled_value is not None:
        return _value_spelled(unlabeled_value, distinct, f"the values of {name!r}", "unlabeled_value")
    is_marked = len(distinct) == 3 and any(is_equal(value, USUAL_MARKER) for value in distinct)
    return USUAL_MARKER if is_marked else None


def _check_classes(classes: Sequence[Any], name: str, positive: Any) -> None:
    """Raise a ValueError unless there are two classes, or the positive one alone, named as such."""
    if len(classes) == 1 and positive is None:
        raise ValueError(
            f"The label column must hold two classes, or one that is named as the positive one. Got {name!r} with "
            f"{classes[0]!r} only; label rows of the other class, or pass {str(classes[0])!r} as positive to learn "
            "from positive and unlabelled rows."
        )
    fractions = [value for value in classes if kind_of(value) == "number" and value != np.floor(value)]
    if fractions or len(classes) > 2:
        kind = "numbers with fractions, which are no classes" if fractions else f"{len(classes)} values"
        shown = ", ".join(map(repr, classes[:5])) + (", ..." if len(classes) > 5 else "")
        raise ValueError(
            f"The label column must hold two classes, blanks aside. Got {name!r} with {kind} ({shown}); name the "
            "column of labels, pass a value that means unlabelled as unlabeled_value, or merge classes."
        )


def _value_spelled(wanted: Any, values: Sequence[Any], whose: str, parameter: str) -> Any:
    """Return the value that equals what is wanted or, if that is text, is spelled like it."""
    for value in values:
        if is_equal(value, wanted) or (isinstance(wanted, str) and _is_spelled(value, wanted)):
            return value
    raise ValueError(f"{parameter} must be one of {whose}, {listed(list(values))}. Got {wanted!r}; choose one.")


def _is_spelled(value: Any, text: str) -> bool:
    """Return whether a text is a way to write a number or a boolean."""
    kind = kind_of(value)
    if kind == "boolean":
        return text.strip().lower() == str(value).lower()
    try:
        return kind == "number" and float(text) == float(value)
    except ValueError:
        return False
