"""What y means: which rows are positive, which negative and which unlabelled."""

import warnings
from dataclasses import dataclass
from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np
from sklearn.exceptions import DataConversionWarning

from s2auc.arrays import AnyArray, BoolArray

# A marker or pos_label only ever equals labels of its own kind, so that True is never taken for 1.
_KIND_OF_DTYPE = {
    "b": "boolean",
    "i": "number",
    "u": "number",
    "f": "number",
    "U": "text",
    "S": "bytes",
}
_SHOWN_CLASSES = 5


@dataclass(frozen=True, eq=False)
class Labels:
    """The rows of y sorted into three groups.

    Parameters
    ----------
    classes
        The negative class, then the positive one, which is to rank at the top.
    is_positive, is_negative, is_unlabeled
        One mask a group; every row is in exactly one of them.
    """

    classes: AnyArray
    is_positive: BoolArray
    is_negative: BoolArray
    is_unlabeled: BoolArray

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return self.is_unlabeled.size

    @property
    def n_positive(self) -> int:
        """Number of positive rows."""
        return int(np.count_nonzero(self.is_positive))

    @property
    def n_negative(self) -> int:
        """Number of negative rows."""
        return int(np.count_nonzero(self.is_negative))

    @property
    def n_unlabeled(self) -> int:
        """Number of unlabelled rows."""
        return int(np.count_nonzero(self.is_unlabeled))


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
    >>> from s2auc.labels import read_labels
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
    marker = None if _is_missing(unlabeled) else unlabeled
    if pos_label is not None and _equal(pos_label, marker):
        raise ValueError(
            f"pos_label {pos_label!r} is also the marker of unlabelled rows: pass another unlabeled "
            "(None if there is no marker)."
        )
    values, is_unlabeled = _present_values(y)
    if is_unlabeled.size == 0:
        raise ValueError("y should hold one label a row, but it has no rows: pass at least one row of each class.")
    labels, missing, marked = _labeled_values(values, marker)
    is_unlabeled[~is_unlabeled] = missing | marked
    if labels.size == 0:
        raise ValueError(
            f"y should hold two classes, but all {is_unlabeled.size} rows are unlabelled (missing or equal "
            f"to unlabeled={unlabeled!r}): label some rows of each class."
        )
    classes = _classes(labels, marker, pos_label, any_marked=bool(marked.any()))
    is_positive = np.zeros(is_unlabeled.size, dtype=bool)
    is_positive[~is_unlabeled] = labels == classes[1]
    return Labels(classes, is_positive, ~(is_positive | is_unlabeled), is_unlabeled)


def read_known_labels(y: Any, classes: AnyArray, *, unlabeled: Any = -1, other_is_negative: bool = False) -> Labels:
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
    values, is_unlabeled = _present_values(y)
    marker = None if _is_missing(unlabeled) else unlabeled
    labels, missing, marked = _labeled_values(values, marker)
    is_unlabeled[~is_unlabeled] = missing | marked
    known_classes = classes.tolist()
    if known_classes == [0, 1] and labels.size:
        known_classes = [False, True] if _kind(labels[0]) == "boolean" else [0, 1]
    distinct = _distinct(labels) if labels.size else []
    names = [next((label for label in distinct if _equal(label, known)), None) for known in known_classes]
    strange = [label for label in distinct if label not in names]
    if other_is_negative and names[0] is None and len(strange) == 1:
        names[0], strange = strange[0], []
    if strange:
        raise ValueError(
            f"y should hold the classes {classes.tolist()} and unlabelled rows only, got {strange[0]!r}: "
            "leave such rows out, or fit again from the start."
        )
    is_positive, is_negative = np.zeros((2, is_unlabeled.size), dtype=bool)
    if labels.size:
        is_negative[~is_unlabeled] = labels == names[0]
        is_positive[~is_unlabeled] = labels == names[1]
    return Labels(classes, is_positive, is_negative, is_unlabeled)


def _present_values(y: Any) -> tuple[AnyArray, BoolArray]:
    """Return the values that the container of y does not call missing, and the mask of those it does."""
    column = _single_column(y)
    if isinstance(column, np.ma.MaskedArray):
        return column.compressed(), np.ma.getmaskarray(column).copy()
    # Dropping missing values first lets nullable columns come out with the type of their labels.
    if hasattr(column, "isna"):  # pandas
        missing = np.array(column.isna(), dtype=bool)
        return np.asarray(column[~missing].to_numpy()), missing
    if hasattr(column, "drop_nulls"):  # polars
        return np.asarray(column.drop_nulls().to_numpy()), np.array(column.is_null().to_numpy(), dtype=bool)
    values = np.asarray(column)
    return values, np.zeros(values.shape, dtype=bool)


def _single_column(y: Any) -> Any:
    """Return y as something one-dimensional that knows its shape."""
    if isinstance(y, list | tuple):
        types = set(map(type, y))
        # NumPy would make ["spam", -1] text and [True, -1] numbers: only safe mixtures go in as they are.
        safe = types <= {int, float} or types in ({str}, {bool})
        y = np.array(y) if safe else np.array(y, dtype=object)
    elif not hasattr(y, "shape"):
        y = np.asarray(y)
    shape = tuple(y.shape)
    if len(shape) == 2 and shape[1] == 1 and not hasattr(y, "tocsr"):
        warnings.warn(
            "A column-vector y was passed when a 1d array was expected. Please change the shape of y to "
            "(n_samples,), for example using ravel().",
            DataConversionWarning,
            stacklevel=4,
        )
        if hasattr(y, "iloc"):
            return y.iloc[:, 0]
        return y.to_series() if hasattr(y, "to_series") else np.asanyarray(y).reshape(shape[0])
    if len(shape) != 1:
        raise ValueError(f"y should be a 1d array with one label a row, got shape {shape}: pass a dense vector.")
    return y


def _labeled_values(values: AnyArray, marker: Any) -> tuple[AnyArray, BoolArray, BoolArray]:
    """Return the labels of the labelled rows, the mask of missing and the mask of marked rows."""
    kind = _KIND_OF_DTYPE.get(values.dtype.kind)
    if kind is None:
        return _labeled_objects(list(values), marker)
    missing = np.isnan(values) if values.dtype.kind == "f" else np.zeros(values.shape, dtype=bool)
    marked = values == marker if kind == _kind(marker) else np.zeros(values.shape, dtype=bool)
    return values[~(missing | marked)], missing, marked


def _labeled_objects(values: list[Any], marker: Any) -> tuple[AnyArray, BoolArray, BoolArray]:
    """Do the same for Python objects: look at distinct ones only, and give the labels their natural type."""
    code_of: dict[tuple[type, Any], int] = {}
    try:
        codes = np.array([code_of.setdefault((type(v), v), len(code_of)) for v in values], dtype=np.intp)
    except TypeError as error:
        raise ValueError(
            f"y should hold one number, text or boolean a row, but some value is not hashable ({error}): "
            "pass one such label a row."
        ) from error
    distinct = [value for _, value in code_of]
    missing = np.array([_is_missing(value) for value in distinct], dtype=bool)
    marked = np.array([_equal(value, marker) for value in distinct], dtype=bool)
    labels = [value for value, out in zip(distinct, missing | marked, strict=True) if not out]
    example_of = {_kind(label): label for label in reversed(labels)}
    if len(example_of) > 1:
        examples = " and ".join(f"{label!r} ({kind})" for kind, label in example_of.items())
        raise ValueError(f"y should hold classes of one type, got {examples}: convert them to the same type.")
    natural = np.array(labels, dtype=object if "tuple" in example_of else None)
    if natural.dtype.kind not in "biufUSO" or "tuple" in example_of:
        raise ValueError(
            f"y should hold one number, text or boolean a row, got {labels[0]!r}: pass one such label a row."
        )
    table = np.zeros(len(distinct), dtype=natural.dtype)
    table[~(missing | marked)] = natural
    rows_missing, rows_marked = missing[codes], marked[codes]
    return table[codes[~(rows_missing | rows_marked)]], rows_missing, rows_marked


def _classes(labels: AnyArray, marker: Any, pos_label: Any, *, any_marked: bool) -> AnyArray:
    """Return the negative and the positive class."""
    distinct = _distinct(labels)
    _check_distinct(distinct, marker)
    if pos_label is None:
        if len(distinct) == 1:
            raise ValueError(_one_class_message(distinct[0], marker, any_marked=any_marked))
        try:
            return _array_like(sorted(distinct), labels)
        except TypeError as error:
            raise ValueError(
                f"y holds the classes {distinct}, which cannot be sorted: pass the positive one as pos_label."
            ) from error
    others = [label for label in distinct if not _equal(label, pos_label)]
    if len(others) == len(distinct):
        raise ValueError(
            f"pos_label {pos_label!r} is not a class of y, whose labelled rows hold {distinct}: "
            "pass one of these as pos_label or label some positive rows."
        )
    positive = next(label for label in distinct if _equal(label, pos_label))
    return _array_like([*(others or [_made_up_negative(positive)]), positive], labels)


def _distinct(labels: AnyArray) -> list[Any]:
    """Return the distinct labels; two or fewer are found by comparing, much faster than by sorting."""
    first = labels[:1]
    others = labels[labels != first]
    if others.size == 0:
        return list(first.tolist())
    if not np.any(others != others[:1]):
        return [*first.tolist(), *others[:1].tolist()]
    return list(dict.fromkeys(labels.tolist()) if labels.dtype == object else np.unique(labels).tolist())


def _check_distinct(distinct: list[Any], marker: Any) -> None:
    """Raise if the labels are not classes, are more than two, or are text that looks like the marker."""
    if _kind(distinct[0]) == "number":
        numbers = np.asarray(distinct, dtype=np.float64)
        if np.isinf(numbers).any():
            raise ValueError("y contains infinity, which is no class: pass NaN or the marker for unlabelled rows.")
        fractional = numbers[numbers != np.floor(numbers)]
        if fractional.size:
            raise ValueError(
                f"Unknown label type: continuous. y should hold two classes, but has fractions such as "
                f"{fractional[0].item()!r}: cut the target into two classes first."
            )
    text_marker = _kind(distinct[0]) == "text" and str(marker) in distinct and marker is not None
    hint = (
        f"{str(marker)!r} looks like the marker {marker!r} turned to text, so pass unlabeled={str(marker)!r}"
        if text_marker
        else "merge classes or drop rows until two are left"
    )
    if len(distinct) > 2:
        shown = ", ".join(map(repr, distinct[:_SHOWN_CLASSES])) + (", ..." if len(distinct) > _SHOWN_CLASSES else "")
        raise ValueError(f"Only binary classification is supported: y holds {len(distinct)} classes ({shown}); {hint}.")
    if text_marker:
        raise ValueError(f"y holds {distinct}, where {hint}, or unlabeled=None if it is a class.")


def _one_class_message(label: Any, marker: Any, *, any_marked: bool) -> str:
    positive_unlabeled = f"if this is positive-unlabelled data, pass pos_label={label!r}"
    if any_marked:
        return (
            f"y holds only one class, {label!r}, besides the marker of unlabelled rows: if {marker!r} is the "
            f"other class, pass unlabeled=None; {positive_unlabeled}."
        )
    return f"y holds only one class, {label!r}: label some rows of another class; {positive_unlabeled}."


def _made_up_negative(positive: Any) -> Any:
    kind = _kind(positive)
    if kind == "boolean":
        return not positive
    if kind == "bytes":
        return b"not " + positive
    return int(positive == 0) if kind == "number" else f"not {positive}"


def _array_like(classes: list[Any], labels: AnyArray) -> AnyArray:
    # Text needs the width of its classes, which a made-up one can exceed; other types keep that of y.
    return np.array(classes) if labels.dtype.kind in "US" else np.array(classes, dtype=labels.dtype)


def _kind(value: Any) -> str:
    """Name the type of a label, numbers being one type."""
    if isinstance(value, bool | np.bool_):
        return "boolean"
    if isinstance(value, Real | Decimal):
        return "number"
    if isinstance(value, str):
        return "text"
    return type(value).__name__


def _is_missing(value: Any) -> bool:
    # pd.NA goes by name: it answers no comparison, and pandas is not a dependency.
    return value is None or type(value).__name__ == "NAType" or bool(value != value)


def _equal(value: Any, other: Any) -> bool:
    return _kind(value) == _kind(other) and bool(value == other)
