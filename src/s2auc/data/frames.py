"""The columns of data frames, whichever library holds them, and of arrays that hold text or other objects.

A column knows its values, which are missing, and what kind they are.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import repeat
from numbers import Integral
from typing import Any

import numpy as np

from s2auc.common.arrays import AnyArray, BoolArray, FloatArray
from s2auc.data.date_parts import PARTS, TEMPORAL_KINDS, temporal_objects
from s2auc.data.label_values import is_missing, kind_of, present_values

Level = str | bool | int | float
"""What a category can be."""

_KIND_OF_DTYPE = {
    "b": "boolean",
    "i": "number",
    "u": "number",
    "f": "number",
    "U": "text",
    "M": "date",
    "m": "duration",
}
LONGEST_TEXT = 80
"""Characters of a value that a sentence spells out."""

_KINDS = "number", "boolean", "text"
_MISSING_TYPES = "NAType", "NaTType"


@dataclass(frozen=True, eq=False)
class Column:
    """One column of a data frame or of an array of objects.

    Attributes
    ----------
    name
        What errors call it, such as "'age' of X".
    values
        Those that are not missing.
    is_missing
        Which rows have no value.
    kind
        "number", "boolean", "text", "date", "time" or "duration"; None if there is no value to tell.
    declared
        The categories that the column's type names, in their order; None if it names none.
    """

    name: str
    values: AnyArray
    is_missing: BoolArray
    kind: str | None
    declared: tuple[Level, ...] | None

    def levels(self) -> tuple[Level, ...]:
        """Return the distinct values: the declared ones, or those that occur, sorted."""
        return self.distinct if self.declared is None else self.declared

    @cached_property
    def distinct(self) -> tuple[Level, ...]:
        """The values that occur, each once, sorted."""
        return tuple(sorted(plain_levels(list(dict.fromkeys(self.values.tolist())))))

    def codes(self, levels: tuple[Level, ...]) -> FloatArray:
        """Return the place of every value among the levels; NaN for missing values and for strangers."""
        # Equal numbers have equal hashes, so that 1, 1.0 and True find the same level.
        code_of = {level: float(code) for code, level in enumerate(levels)}
        found = map(code_of.get, self.values.tolist(), repeat(np.nan))
        return spread(np.fromiter(found, dtype=np.float64, count=len(self.values)), self.is_missing)

    def numbers(self) -> FloatArray:
        """Return the values as float64; NaN for missing ones."""
        if self.kind == "text":
            raise no_numbers(self.name, self.example)
        if self.kind in TEMPORAL_KINDS:
            raise ValueError(
                f"Column {self.name} must hold numbers, as it did when it was fitted. Got {TEMPORAL_KINDS[self.kind]}; "
                "convert it."
            )
        try:
            return spread(self.values, self.is_missing)
        except OverflowError as error:
            raise ValueError(
                f"Column {self.name} must hold numbers that fit a float. Got whole numbers beyond 1e308; divide them, "
                "or leave the column out."
            ) from error

    def part(self, part: str) -> FloatArray:
        """Return a part of dates, times or durations (`s2auc.data.date_parts`); NaN for missing ones."""
        kind = PARTS[part].kind
        if self.kind not in (None, kind) and not self.is_empty:
            raise ValueError(
                f"Column {self.name} must hold {TEMPORAL_KINDS[kind]}, as it did when it was fitted. Got {self.shown}; "
                "convert it."
            )
        values, is_missing = self.present()
        return spread(PARTS[part].of_values(values) if self.kind == kind else np.zeros(0), is_missing)

    def present(self) -> tuple[AnyArray, BoolArray]:
        """Return the values that are not missing, and which rows have none."""
        return self.values, self.is_missing

    @property
    def is_empty(self) -> bool:
        """Whether all values are missing, whatever the type of the column says that they would be."""
        return bool(self.is_missing.all())

    @property
    def example(self) -> Any:
        """One of the values."""
        return self.values[:1].tolist()[0]

    @property
    def shown(self) -> str:
        """What a sentence says that the column holds."""
        return TEMPORAL_KINDS.get(self.kind or "") or repr(self.example)


def spread(present: AnyArray, is_missing: BoolArray) -> FloatArray:
    """Return values as float64 at the rows that have one, and NaN at the others."""
    if not is_missing.any():
        return present.astype(np.float64)
    values = np.full(len(is_missing), np.nan)
    values[~is_missing] = present
    return values


def no_numbers(name: str, text: str) -> ValueError:
    """Return the error that says that a column holds text where it must hold numbers."""
    shown = str.__str__(text)[:LONGEST_TEXT]
    return ValueError(
        f"Column {name} must hold numbers. Got text such as {shown!r}; convert it to numbers, list it in "
        "categorical_features of a classifier that has them before fitting, or leave it out."
    )


def is_frame(X: Any) -> bool:
    """Return whether X is a pandas or polars data frame."""
    return hasattr(X, "columns") and (hasattr(X, "iloc") or hasattr(X, "get_columns"))


def holds_objects(X: Any) -> bool:
    """Return whether X is an array of text or of any objects."""
    return isinstance(X, np.ndarray) and X.dtype.kind in "OUS"


def object_numbers(X: AnyArray) -> FloatArray | None:
    """Return an array of objects as numbers, NaN for None; None if some are no numbers, or the array is one of text.

    Examples
    --------
    >>> object_numbers(np.array([[1, None]], dtype=object)).tolist()
    [[1.0, nan]]
    """
    try:
        return X.astype(np.float64) if X.dtype.kind == "O" else None
    except (TypeError, ValueError, OverflowError):
        return None


def check_text(X: AnyArray, categorical: Collection[int], called: str = "X") -> None:
    """Raise a ValueError if an array of objects holds text outside of its categorical columns."""
    for number in range(X.shape[1]):
        if number not in categorical:
            text = next((value for value in X[:, number].tolist() if isinstance(value, str)), None)
            if text is not None:
                raise no_numbers(f"{number} of {called}", text)


def column_names(X: Any) -> list[str]:
    """Return the names of the columns of a data frame."""
    return list(map(str, X.columns))


def read_columns(X: Any, called: str = "X") -> Iterator[Column]:
    """Return the columns of a data frame, or of an array of objects, in turn.

    An error names one that holds no numbers, booleans, text, dates, times or durations.

    Errors call the frame what it is called.

    Examples
    --------
    >>> import pandas as pd
    >>> [city] = read_columns(pd.DataFrame({"city": ["Rome", None, "Oslo", "Rome"]}))
    >>> city.kind, city.levels(), city.codes(("Oslo", "Rome")).tolist()
    ('text', ('Oslo', 'Rome'), [1.0, nan, 0.0, 1.0])
    """
    if holds_objects(X):
        for number in range(X.shape[1]):
            yield _read_objects(X[:, number], f"{number} of {called}")
        return
    # By number: names may occur twice. Series of polars that are called "*" or like a pattern cannot do much.
    if hasattr(X, "iloc"):
        columns = (X.iloc[:, number] for number in range(X.shape[1]))
    else:
        columns = (column.alias("column") for column in X.get_columns())
    for name, column in zip(column_names(X), columns, strict=True):
        yield _read_column(column, f"{name!r} of {called}")


def _read_objects(values: AnyArray, name: str) -> Column:
    """Return a column of an array of objects, once none of them is strange."""
    listed = values.tolist()
    for example in dict(zip(map(type, listed), listed, strict=True)).values():
        if kind_of(example) not in _KINDS and not (example is None or type(example).__name__ in _MISSING_TYPES):
            # scikit-learn expects these words, and this type of error, of objects that are no numbers.
            raise TypeError(
                f"Column {name} must hold numbers or text: an argument must be a string or a real number. Got "
                f"{example!r} ({type(example).__name__}); turn dates into numbers and other things into numbers or "
                "text, or leave the column out."
            )
    missing = np.fromiter(map(is_missing, listed), dtype=bool, count=len(listed))
    return _read_column(np.ma.array(values.astype(object), mask=missing), name)


def _read_column(column: Any, name: str) -> Column:
    if getattr(column.dtype, "tz", None) is not None and hasattr(column, "dt"):  # pandas would give objects
        column = column.dt.tz_convert(None)
    values, is_missing = present_values(column)
    kind = _KIND_OF_DTYPE.get(values.dtype.kind)
    temporal = None
    if kind is None and not hasattr(getattr(column.dtype, "categories", None), "to_list"):
        temporal = temporal_objects(values.tolist())
    if temporal is not None:
        kind, values = temporal
    if kind is None:
        kind = _kind_of_objects(values.tolist(), name)
        # Decimals equal no float but a few: numbers compare as what they become.
        if kind == "number" and not all(isinstance(value, Integral) for value in values):
            values = values.astype(np.float64)
    if values.dtype.kind == "f" and np.isnan(values).any():  # polars tells NaN from null
        no_number = np.isnan(values)
        is_missing[~is_missing] = no_number
        values = values[~no_number]
    return Column(name, values, is_missing, kind, _declared_levels(column, name))


def declared_categories(X: Any) -> dict[str, tuple[Level, ...]]:
    """Return the categories that the types of a data frame's columns name, by the names of the columns."""
    columns = [X.iloc[:0, number] for number in range(X.shape[1])] if hasattr(X, "iloc") else X.get_columns()
    levels = [_declared_levels(column, f"{name!r} of X") for name, column in zip(column_names(X), columns, strict=True)]
    return {name: found for name, found in zip(column_names(X), levels, strict=True) if found is not None}


def _declared_levels(column: Any, name: str) -> tuple[Level, ...] | None:
    declared: Any = getattr(column.dtype, "categories", None)
    if not hasattr(declared, "to_list"):
        return None
    levels = declared.to_list()
    _kind_of_objects(levels, name)
    return tuple(plain_levels(levels))


def _kind_of_objects(values: list[Any], name: str) -> str | None:
    """Return the one kind of the values, None if there are none."""
    example_of = {kind_of(example): example for example in dict(zip(map(type, values), values, strict=True)).values()}
    strange = [example for kind, example in example_of.items() if kind not in _KINDS]
    if strange:
        raise ValueError(
            f"Column {name} must hold numbers, booleans, text or dates. Got {strange[0]!r} "
            f"({type(strange[0]).__name__}); turn it into one of these, or leave the column out."
        )
    if len(example_of) > 1:
        examples = " and ".join(f"{example!r} ({kind})" for kind, example in sorted(example_of.items()))
        raise ValueError(f"Column {name} must hold values of one type. Got {examples}; convert them to the same type.")
    return next(iter(example_of), None)


def plain_levels(levels: list[Any]) -> list[Level]:
    """Return levels of one kind as Python's own booleans, texts, integers, or floats if any of them is one.

    Examples
    --------
    >>> plain_levels([np.int64(1), True]), plain_levels([1, 2.5])
    ([1, 1], [1.0, 2.5])
    """
    if all(isinstance(level, str) for level in levels):
        return [str.__str__(level) for level in levels]
    if all(isinstance(level, bool | np.bool_) for level in levels):
        return [bool(level) for level in levels]
    if all(isinstance(level, Integral) for level in levels):
        return [int(level) for level in levels]
    return [float(level) for level in levels]
