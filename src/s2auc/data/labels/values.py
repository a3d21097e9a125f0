"""The values of y, whatever holds them: which are missing, which are the marker, and what the others are."""

from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np

from s2auc.common.arrays import AnyArray, BoolArray, is_missing, is_sparse
from s2auc.common.user_warnings import warn_user

# A marker or pos_label only ever equals labels of its own kind, so that True is never taken for 1.
_KIND_OF_DTYPE = {"b": "boolean", "i": "number", "u": "number", "f": "number", "U": "text", "S": "bytes"}

_ONE_LABEL = "one number, text or boolean per row"


def present_values(y: Any) -> tuple[AnyArray, BoolArray]:
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
        y = [None if label is np.ma.masked else label for label in y]
        types = set(map(type, y))
        # NumPy would make ["spam", -1] text and [True, -1] numbers: only safe mixtures go in as they are.
        safe = types <= {int, float} or types in ({str}, {bool})
        y = np.array(y) if safe else np.array(y, dtype=object)
    elif not hasattr(y, "shape"):
        y = np.asarray(y)
    shape = tuple(y.shape)
    if len(shape) == 2 and shape[1] == 1 and not is_sparse(y):
        # Here and not above: experiments use scalings of this package, and start faster without scikit-learn.
        from sklearn.exceptions import DataConversionWarning

        words = (
            "A column-vector y was passed when a 1d array was expected. Please change its shape, such as by ravel()."
        )
        warn_user(words, DataConversionWarning)
        if hasattr(y, "iloc"):
            return y.iloc[:, 0]
        return y.to_series() if hasattr(y, "to_series") else np.asanyarray(y).reshape(shape[0])
    if len(shape) != 1 or is_sparse(y):
        raise ValueError(f"y should be a 1d array with one label per row, got shape {shape}: pass a dense vector.")
    return y


def labeled_values(values: AnyArray, marker: Any) -> tuple[AnyArray, BoolArray, BoolArray]:
    """Return the labels of the labelled rows, the mask of missing and the mask of marked rows."""
    kind = _KIND_OF_DTYPE.get(values.dtype.kind)
    if kind is None:
        return _labeled_objects(list(values), marker)
    missing = np.isnan(values) if values.dtype.kind == "f" else np.zeros(values.shape, dtype=bool)
    marked = values == marker if kind == kind_of(marker) else np.zeros(values.shape, dtype=bool)
    return values[~(missing | marked)], missing, marked


def _labeled_objects(values: list[Any], marker: Any) -> tuple[AnyArray, BoolArray, BoolArray]:
    """Do the same for Python objects: look at distinct ones only, and give the labels their natural type."""
    code_of: dict[tuple[type, Any], int] = {}
    try:
        codes = np.array([code_of.setdefault((type(v), v), len(code_of)) for v in values], dtype=np.intp)
    except TypeError as error:
        found = f"but some value is not hashable ({error})"
        raise ValueError(f"y should hold {_ONE_LABEL}, {found}: pass one such label per row.") from error
    distinct = [value for _, value in code_of]
    missing = np.array([is_missing(value) for value in distinct], dtype=bool)
    marked = np.array([is_equal(value, marker) for value in distinct], dtype=bool)
    labels = [value for value, out in zip(distinct, missing | marked, strict=True) if not out]
    example_of = {kind_of(label): label for label in reversed(labels)}
    if len(example_of) > 1:
        examples = " and ".join(f"{label!r} ({kind})" for kind, label in example_of.items())
        raise ValueError(f"y should hold classes of one type, got {examples}: convert them to the same type.")
    natural = np.array(labels, dtype=object if "tuple" in example_of else None)
    if natural.dtype.kind not in "biufUSO" or "tuple" in example_of:
        raise ValueError(f"y should hold {_ONE_LABEL}, got {labels[0]!r}: pass one such label per row.")
    table = np.zeros(len(distinct), dtype=natural.dtype)
    table[~(missing | marked)] = natural
    rows_missing, rows_marked = missing[codes], marked[codes]
    return table[codes[~(rows_missing | rows_marked)]], rows_missing, rows_marked


def kind_of(value: Any) -> str:
    """Name the type of a label, numbers being one type."""
    if isinstance(value, bool | np.bool_):
        return "boolean"
    if isinstance(value, Real | Decimal):
        return "number"
    if isinstance(value, str):
        return "text"
    return type(value).__name__


def is_equal(value: Any, other: Any) -> bool:
    """Return whether two labels are of one type and equal: True is not 1.

    Examples
    --------
    >>> is_equal(1, 1.0), is_equal(1, True)
    (True, False)
    """
    return kind_of(value) == kind_of(other) and bool(value == other)
