"""The columns of Arrow's record batches, which mean what the columns of data frames mean (`s2auc.data.frames`)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from s2auc.common.arrays import AnyArray, BoolArray, FloatArray, IndexArray
from s2auc.data.arrow_pieces import load_pyarrow
from s2auc.data.date_parts import TEMPORAL_KINDS
from s2auc.data.frames import Column, Level, no_numbers

_KINDS = {
    "number": ("is_integer", "is_floating", "is_decimal"),
    "boolean": ("is_boolean",),
    "text": ("is_string", "is_large_string", "is_string_view"),
    "date": ("is_date", "is_timestamp"),
    "time": ("is_time",),
    "duration": ("is_duration",),
    "nothing": ("is_null",),
}
"""Tests in `pyarrow.types` that tell the kind of a column; older versions do not have all of them."""


def kind_of_type(arrow_type: Any) -> str | None:
    """Return one of `frames.Column`'s kinds, or "nothing" for nulls only; None for a type that is not read.

    Examples
    --------
    >>> import pyarrow as pa
    >>> kind_of_type(pa.float16()), kind_of_type(pa.dictionary(pa.int8(), pa.string())), kind_of_type(pa.binary())
    ('number', 'text', None)
    """
    types = load_pyarrow("pyarrow.types")
    if types.is_dictionary(arrow_type):
        return kind_of_type(arrow_type.value_type)
    tests = ((kind, getattr(types, name, None)) for kind, names in _KINDS.items() for name in names)
    return next((kind for kind, test in tests if test is not None and test(arrow_type)), None)


def is_dictionary(arrow_type: Any) -> bool:
    """Return whether a type is one that is made for categories."""
    return bool(load_pyarrow("pyarrow.types").is_dictionary(arrow_type))


def batch_columns(batch: Any, called: str) -> Iterator["ArrowColumn"]:
    """Yield the columns of a record batch; errors call the table what it is called."""
    for field, array in zip(batch.schema, batch.columns, strict=True):
        yield ArrowColumn.of_array(array, f"{field.name!r} of {called}")


@dataclass(frozen=True, eq=False)
class ArrowColumn(Column):
    """Some rows of a column; its type tells what it holds, and its values are looked at when they are needed.

    Attributes
    ----------
    array
        The rows: a `pyarrow.Array`.
    """

    array: Any

    @classmethod
    def of_array(cls, array: Any, name: str) -> "ArrowColumn":
        """Return the column of an Arrow array whose type is one that is read."""
        kind = kind_of_type(array.type)
        return cls(name, np.zeros(0), np.zeros(0, dtype=bool), None if kind == "nothing" else kind, None, array)

    @property
    def is_empty(self) -> bool:
        """Whether all values are missing; the type of a column of a file is a promise, so that this does not count."""
        return self.kind is None

    @property
    def example(self) -> Any:
        """One of the values, None if all are missing."""
        present = self.array.drop_null()
        return present[0].as_py() if len(present) else None

    @property
    def shown(self) -> str:
        """What a sentence says that the column holds."""
        example = self.example
        return TEMPORAL_KINDS.get(self.kind or "") or (
            f"a column of {self.array.type}" if example is None else repr(example)
        )

    def numbers(self) -> FloatArray:
        """Return the values as numbers that float64 can hold; NaN for missing ones."""
        if self.kind == "text":
            raise no_numbers(self.name, self.example or "")
        return super().numbers() if self.kind in TEMPORAL_KINDS else numbers_of(self.array)

    def codes(self, levels: tuple[Level, ...]) -> FloatArray:
        """Return the place of every value among the levels; NaN for missing values and for strangers."""
        places, distinct = distinct_values(self.array)
        code_of = {level: float(code) for code, level in enumerate(levels)}
        codes = np.array([*(code_of.get(value, np.nan) for value in distinct), np.nan])
        found: FloatArray = codes[places]  # missing values are at -1
        return found

    def present(self) -> tuple[AnyArray, BoolArray]:
        """Return the values that are not missing, and which rows have none."""
        if self.kind not in TEMPORAL_KINDS:
            return np.zeros(0), np.ones(len(self.array), dtype=bool)
        is_missing: BoolArray = np.asarray(self.array.is_null().to_numpy(zero_copy_only=False), dtype=bool)
        return moments_of(self.array.drop_null()), is_missing


def numbers_of(array: Any) -> Any:
    """Return an array of numbers, booleans or nulls as a NumPy array that needs no copy where Arrow has none to make.

    Examples
    --------
    >>> import pyarrow as pa
    >>> numbers_of(pa.array([True, None])).tolist()
    [1.0, nan]
    """
    pyarrow = load_pyarrow()
    types = pyarrow.types
    if types.is_dictionary(array.type):
        array = array.dictionary_decode()
    if types.is_null(array.type):
        return np.full(len(array), np.nan)
    if types.is_boolean(array.type):
        array = array.cast(pyarrow.uint8())
    elif types.is_decimal(array.type):
        # By way of text the float is the nearest one, as Python's float(Decimal) is.
        array = array.cast(pyarrow.string()).cast(pyarrow.float64())
    return array.to_numpy(zero_copy_only=False)


def moments_of(present: Any) -> AnyArray:
    """Return dates, times or durations without nulls as an array of datetime64 or timedelta64; zones become UTC."""
    pyarrow = load_pyarrow()
    if pyarrow.types.is_dictionary(present.type):
        present = present.dictionary_decode()
    if pyarrow.types.is_time(present.type):
        width = pyarrow.int32() if pyarrow.types.is_time32(present.type) else pyarrow.int64()
        ticks = present.cast(width).to_numpy(zero_copy_only=False)
        return np.asarray(ticks, dtype=np.int64).astype(f"timedelta64[{present.type.unit}]")
    return np.asarray(present.to_numpy(zero_copy_only=False))


def distinct_values(array: Any) -> tuple[IndexArray, list[Any]]:
    """Return the place of every value among those that occur, -1 for missing ones, and these as Python's own.

    Examples
    --------
    >>> import pyarrow as pa
    >>> distinct_values(pa.array(["b", None, "a", "b"]))
    (array([ 0, -1,  1,  0]), ['b', 'a'])
    """
    pyarrow = load_pyarrow()
    if not pyarrow.types.is_dictionary(array.type):
        array = array.dictionary_encode()
    indices = array.indices.fill_null(-1) if _is_signed(array) else array.indices.cast(pyarrow.int64()).fill_null(-1)
    places: IndexArray = np.asarray(indices.to_numpy(zero_copy_only=False)).astype(np.intp)
    values = array.dictionary
    if kind_of_type(values.type) == "number" and not pyarrow.types.is_integer(values.type):
        distinct = numbers_of(values).astype(np.float64).tolist()
    else:
        distinct = values.to_pylist()
    # A dictionary may name missing values too, and floats hold NaN.
    return places, distinct


def _is_signed(array: Any) -> bool:
    return bool(load_pyarrow("pyarrow.types").is_signed_integer(array.indices.type))
