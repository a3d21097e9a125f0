"""The groups of the rows of y: positive, negative and unlabelled."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from s2auc.common.arrays import AnyArray, BoolArray, FloatArray, IndexArray, is_missing
from s2auc.common.groups import PositiveFirst
from s2auc.data.labels.labeled_rows import find_labeled_rows
from s2auc.data.labels.values import is_equal, kind_of

_SHOWN_CLASSES = 5


@dataclass(frozen=True, eq=False)
class Labels:
    """The rows of y sorted into three groups.

    Parameters
    ----------
    classes
        The negative class, then the positive one, which is to rank at the top.
    n_rows
        How many rows there are.
    positive, negative
        Numbers of the rows of each class, ascending; all others are unlabelled.
    weightless
        Numbers of labelled rows that have no weight, ascending: they are in no group.
    weight
        How much each labelled row counts, positive ones first; None where all count alike.
    """

    classes: AnyArray
    n_rows: int
    positive: IndexArray
    negative: IndexArray
    weightless: IndexArray = field(default_factory=lambda: np.zeros(0, dtype=np.intp))
    weight: FloatArray | None = None

    @property
    def n_positive(self) -> int:
        """Number of positive rows."""
        return len(self.positive)

    @property
    def n_negative(self) -> int:
        """Number of negative rows."""
        return len(self.negative)

    @property
    def n_unlabeled(self) -> int:
        """Number of unlabelled rows."""
        return self.n_rows - len(self.not_unlabeled)

    @property
    def labeled(self) -> IndexArray:
        """Numbers of the rows of both classes, ascending."""
        return np.sort(self.positive_first())

    @property
    def not_unlabeled(self) -> IndexArray:
        """Numbers of the rows that are not unlabelled, ascending: those of both classes and those without weight."""
        return np.sort(np.concatenate([self.positive, self.negative, self.weightless]))

    @property
    def is_positive(self) -> BoolArray:
        """Which rows are positive."""
        return self._mask(self.positive)

    @property
    def is_negative(self) -> BoolArray:
        """Which rows are negative."""
        return self._mask(self.negative)

    @property
    def is_unlabeled(self) -> BoolArray:
        """Which rows are unlabelled."""
        return ~self._mask(self.not_unlabeled)

    def positive_first(self) -> IndexArray:
        """Return the numbers of the labelled rows, positive ones first."""
        return np.concatenate([self.positive, self.negative])

    @property
    def order(self) -> PositiveFirst:
        """The labelled rows in that order, and how much each counts."""
        return PositiveFirst(self.n_positive, self.n_negative, self.weight)

    def _mask(self, numbers: IndexArray) -> BoolArray:
        mask = np.zeros(self.n_rows, dtype=bool)
        mask[numbers] = True
        return mask


def read_labels(y: Any, *, unlabeled: Any = -1, pos_label: Any = None) -> Labels:
    """Return which rows of y are positive, negative and unlabelled.

    Missing values (None, NaN, NaT, ``pd.NA``, nulls, masked entries) are always unlabelled. The other rows
    hold two classes of one type; the larger is positive unless `pos_label` says otherwise.

    Parameters
    ----------
    y
        One label a row: a list, a NumPy array, a pandas or polars series, or a single column.
    unlabeled
        The value that marks unlabelled rows; None if there is none. Numbers are compared by value, but a
        boolean is never taken for a number: marker 0 leaves False alone.
    pos_label
        The class to rank at the top. It must occur in y. If it is the only class, y is positive-unlabelled
        data and the negative class is made up: False for True (and the reverse), 0 for a number (1 for 0),
        ``"not spam"`` for ``"spam"``.

    Returns
    -------
    Labels
        The classes and one mask a group.

    Raises
    ------
    ValueError
        If y is not one column, or does not hold two classes (or `pos_label` alone).

    Examples
    --------
    >>> from s2auc.data.labels.labels import read_labels
    >>> labels = read_labels(["spam", "ham", -1, None, "spam"])
    >>> labels.classes
    array(['ham', 'spam'], dtype='<U4')
    >>> labels.is_positive
    array([ True, False, False, False,  True])
    >>> labels.n_unlabeled
    2
    """
    if np.ndim(unlabeled) != 0:
        raise ValueError(f"unlabeled must be a single value or None, got {unlabeled!r}: replace all markers by one.")
    marker = None if is_missing(unlabeled) else unlabeled
    if pos_label is not None and is_equal(pos_label, marker):
        raise ValueError(
            f"pos_label {pos_label!r} is also the marker of unlabelled rows: pass another unlabeled, or None."
        )
    found = find_labeled_rows(y, marker)
    if found.n_rows == 0:
        raise ValueError("y should hold one label a row, but it has no rows: pass at least one row of each class.")
    if found.values.size == 0:
        which = f"all {found.n_rows} rows are unlabelled (missing or equal to unlabeled={unlabeled!r})"
        raise ValueError(
            f"y should hold two classes, but {which}: label some rows of each class; cross-validation needs "
            "cv=LabeledKFold()."
        )
    classes = _classes(found.values, marker, pos_label, any_marked=found.has_marked)
    is_positive = found.values == classes[1]
    return Labels(classes, found.n_rows, found.numbers[is_positive], found.numbers[~is_positive])


def read_known_labels(
    y: Any, classes: AnyArray, *, unlabeled: Any = -1, other_is_negative: bool = False, display_name: str = "y"
) -> Labels:
    """Return which rows of y are positive, negative and unlabelled when the two classes are known already.

    Unlike in `read_labels`, one class or both may be absent from y.

    Parameters
    ----------
    y
        One label a row, as for `read_labels`.
    classes
        The negative class, then the positive one.
    unlabeled
        The value that marks unlabelled rows; None if there is none.
    other_is_negative
        Whether one other label may stand for the negative class, whose name was made up.
    display_name
        What errors call y.

    Raises
    ------
    ValueError
        If y is not one column, or holds a label that is not one of the classes. Booleans do for the classes 0 and 1,
        and the reverse.

    Examples
    --------
    >>> import numpy as np
    >>> read_known_labels([1, -1, 1], np.array([0, 1])).n_negative
    0
    """
    known_classes = classes.tolist()
    as_text = kind_of(known_classes[1]) == "text"
    found = find_labeled_rows(y, None if is_missing(unlabeled) else unlabeled, as_text=as_text)
    distinct = _distinct(found.values) if found.values.size else []
    if known_classes == [0, 1] and distinct:
        known_classes = [False, True] if kind_of(distinct[0]) == "boolean" else [0, 1]
    kind, rule = kind_of(known_classes[1]), f"{display_name} should hold the classes {classes.tolist()}"
    if distinct and kind_of(distinct[0]) != kind:
        got = f"{distinct[0]!r} ({kind_of(distinct[0])})"
        raise ValueError(f"{rule} ({kind}) and unlabelled rows only, got {got}: convert the labels to {kind}.")
    names = [next((label for label in distinct if is_equal(label, known)), None) for known in known_classes]
    strange = [label for label in distinct if label not in names]
    if other_is_negative and names[0] is None and len(strange) == 1:
        names[0], strange = strange[0], []
    if strange:
        raise ValueError(f"{rule} and unlabelled rows only, got {strange[0]!r}: leave such rows out, or fit again.")
    negative, positive = (found.numbers[[] if name is None else found.values == name] for name in names)
    return Labels(classes, found.n_rows, positive, negative)


def _classes(labels: AnyArray, marker: Any, pos_label: Any, *, any_marked: bool) -> AnyArray:
    """Return the negative and the positive class."""
    distinct = _distinct(labels)
    _check_classes(distinct, marker)
    # Text needs the width of its classes, which a made-up one can exceed; other types keep that of y.
    dtype = None if labels.dtype.kind in "US" else labels.dtype
    if pos_label is None:
        if len(distinct) == 1:
            raise ValueError(_one_class_message(distinct[0], marker, any_marked=any_marked))
        try:
            return np.array(sorted(distinct), dtype)
        except TypeError as error:
            found = f"the classes {distinct}, which cannot be sorted"
            raise ValueError(f"y holds {found}: pass the positive one as pos_label.") from error
    positive = next((label for label in distinct if is_equal(label, pos_label)), None)
    if positive is None:
        found = f"whose labelled rows hold {distinct}"
        raise ValueError(
            f"pos_label {pos_label!r} is not a class of y, {found}: pass one of these, or label positive rows."
        )
    others = [label for label in distinct if label != positive]
    return np.array([*(others or [_made_up_negative(positive)]), positive], dtype)


def _distinct(labels: AnyArray) -> list[Any]:
    """Return the distinct labels; two or fewer are found by comparing, much faster than by sorting."""
    first = labels[:1]
    others = labels[labels != first]
    if others.size == 0:
        return list(first.tolist())
    if not np.any(others != others[:1]):
        return [*first.tolist(), *others[:1].tolist()]
    return list(dict.fromkeys(labels.tolist()) if labels.dtype == object else np.unique(labels).tolist())


def _check_classes(distinct: list[Any], marker: Any) -> None:
    """Raise if the labels are not classes, are more than two, or are text that looks like the marker."""
    if kind_of(distinct[0]) == "number":
        numbers = np.asarray(distinct, dtype=np.float64)
        if np.isinf(numbers).any():
            raise ValueError("y contains infinity, which is no class: pass NaN or the marker for unlabelled rows.")
        fractional = numbers[numbers != np.floor(numbers)]
        if fractional.size:
            found = f"fractions such as {fractional[0].item()!r}: cut the target into two classes first"
            raise ValueError(f"Unknown label type: continuous. y should hold two classes, but has {found}.")
    text_marker = kind_of(distinct[0]) == "text" and str(marker) in distinct and marker is not None
    hint = (
        f"{str(marker)!r} looks like the marker {marker!r} turned to text, so pass unlabeled={str(marker)!r}"
        if text_marker
        else "merge classes until two are left, or name the one that marks unlabelled rows, unlabeled=..."
    )
    if len(distinct) > 2:
        shown = ", ".join(map(repr, distinct[:_SHOWN_CLASSES])) + (", ..." if len(distinct) > _SHOWN_CLASSES else "")
        raise ValueError(f"Only binary classification is supported: y holds {len(distinct)} classes ({shown}); {hint}.")
    if text_marker:
        raise ValueError(f"y holds {distinct}, where {hint}, or unlabeled=None if it is a class.")


def _one_class_message(label: Any, marker: Any, *, any_marked: bool) -> str:
    positive_unlabeled = f"if this is positive-unlabelled data, pass pos_label={label!r}"
    found, fix = f"y holds only one class, {label!r}", "label some rows of another class"
    if any_marked:
        found += ", besides the marker of unlabelled rows"
        fix = f"if {marker!r} is the other class, pass unlabeled=None"
    return f"{found}: {fix}; {positive_unlabeled}."


def _made_up_negative(positive: Any) -> Any:
    kind = kind_of(positive)
    if kind == "boolean":
        return not positive
    if kind == "bytes":
        return b"not " + positive
    return int(positive == 0) if kind == "number" else f"not {positive}"
