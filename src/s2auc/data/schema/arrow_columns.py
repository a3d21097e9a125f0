"""The columns of Arrow's record batches as numbers, codes of categories and parts of dates."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from s2auc.common.arrays import AnyArray, FloatArray, IndexArray
from s2auc.common.errors import InputError
from s2auc.common.lazy_modules import pa, patypes, pc
from s2auc.data.schema.column_names import short
from s2auc.data.schema.date_parts import DATE_PARTS, TEMPORAL_KINDS
from s2auc.data.schema.schema import Level
from s2auc.data.schema.text_readings import MISSING, READINGS, USUAL_READINGS, read_text
from s2auc.data.text.tokens import MAX_TEXT

# Tests in `pyarrow.types` that tell the kind of a column.
_KINDS = {
    "number": ("is_integer", "is_floating", "is_decimal"),
    "boolean": ("is_boolean",),
    "text": ("is_string", "is_large_string", "is_string_view"),
    "date": ("is_date", "is_timestamp"),
    "time": ("is_time",),
    "duration": ("is_duration",),
    "nothing": ("is_null",),
}

# Tests in `pyarrow.types` that tell what a column holds that is not read.
_UNREAD = {
    "lists": ("is_list", "is_large_list", "is_fixed_size_list", "is_list_view", "is_large_list_view"),
    "maps": ("is_map",),
    "structures": ("is_struct",),
    "bytes": ("is_binary", "is_large_binary", "is_fixed_size_binary", "is_binary_view"),
}

HELD = {"number": "numbers", "boolean": "booleans", "text": "text", "nothing": "no values"} | TEMPORAL_KINDS
"""Words for the values of each kind."""

HOLDS = "hold {held}, as it did when the model was fitted"


@lru_cache
def kind_of_type(arrow_type: Any) -> str | None:
    """Return the kind of a column, "nothing" for nulls only; None for a type that is not read.

    Examples
    --------
    >>> import pyarrow as pa
    >>> kind_of_type(pa.float16()), kind_of_type(pa.dictionary(pa.int8(), pa.string())), kind_of_type(pa.binary())
    ('number', 'text', None)
    """
    return _first_match(_KINDS, arrow_type.value_type if patypes.is_dictionary(arrow_type) else arrow_type)


def unread_values(arrow_type: Any) -> str:
    """Return what sentences call the values of a type that is not read, whichever library made it.

    Examples
    --------
    >>> import pyarrow as pa
    >>> unread_values(pa.large_list(pa.int8())), unread_values(pa.binary()), unread_values(pa.struct([]))
    ('lists', 'bytes', 'objects')
    """
    if patypes.is_struct(arrow_type) and not arrow_type.num_fields:  # what other objects have become
        return "objects"
    return _first_match(_UNREAD, arrow_type) or str(arrow_type)


def _first_match(tests: Mapping[str, Sequence[str]], arrow_type: Any) -> str | None:
    known = ((word, getattr(patypes, name)) for word, names in tests.items() for name in names)
    return next((word for word, test in known if test(arrow_type)), None)


def is_dictionary(arrow_type: Any) -> bool:
    """Return whether a type is one that is made for categories."""
    return bool(patypes.is_dictionary(arrow_type))


def is_plain_text(arrow_type: Any) -> bool:
    """Return whether a type is one of text that may stand for something else."""
    return kind_of_type(arrow_type) == "text" and not is_dictionary(arrow_type)


def decoded(array: Any) -> Any:
    """Return an array with its values in place of the codes of categories."""
    return array.dictionary_decode() if is_dictionary(array.type) else array


@dataclass(frozen=True, eq=False)
class ArrowColumn:
    """Some rows of a column, to be read as what it held when a model was fitted.

    Attributes
    ----------
    array
        The rows: a `pyarrow.Array`.
    name
        What errors call the column, such as "'age' of X".
    reading
        How text is read, by its name in `READINGS`; None for the usual way.
    row_of
        From the place of a cell in the array to the number of its row.
    reads_all
        Whether cells that cannot be read are missing, instead of errors.
    """

    array: Any
    name: str
    reading: str | None = None
    row_of: Callable[[int], int] = int
    reads_all: bool = False

    @property
    def kind(self) -> str:
        """The kind of its values, by their type; "nothing" where there are rows, and all are missing."""
        is_missing = 0 < len(self.array) == self.array.null_count
        return "nothing" if is_missing else kind_of_type(self.array.type) or "other"

    def numbers(self) -> AnyArray:
        """Return the values as numbers that float64 can hold; NaN for missing ones."""
        return np.asarray(numbers_of(self.of_kind("number", "boolean")))

    def codes(self, levels: tuple[Level, ...]) -> FloatArray:
        """Return the place of every value among the levels; NaN for missing values and for unknown ones."""
        if not levels:
            return np.full(len(self.array), np.nan)
        kinds = ("text",) if isinstance(levels[0], str) else ("number", "boolean")
        places, distinct = distinct_values(self.of_kind(*(kinds[::-1] if isinstance(levels[0], bool) else kinds)))
        code_of = {level: float(code) for code, level in enumerate(levels)}
        if self.kind == "boolean" and kinds == ("text",):  # which Arrow spells in lower case
            code_of = {str(level).lower(): code for level, code in code_of.items()}
        codes = np.array([*(code_of.get(value, np.nan) for value in distinct), np.nan])
        return np.asarray(codes[places])  # missing values are at -1

    def part(self, part: str) -> FloatArray:
        """Return a part of dates, times or durations (`s2auc.data.schema.date_parts`); NaN for missing ones."""
        values = self.of_kind(DATE_PARTS[part].kind)
        found = np.full(len(values), np.nan)
        is_present = np.asarray(values.is_valid().to_numpy(zero_copy_only=False), dtype=bool)
        if is_present.any():
            found[is_present] = DATE_PARTS[part].of_values(moments_of(values.drop_null()))
        return found

    def texts(self) -> list[str]:
        """Return the values as text; empty where one is missing."""
        begun = pc.utf8_slice_codeunits(decoded(self.of_kind("text")).cast(pa.large_string()), 0, MAX_TEXT)
        return [text or "" for text in begun.to_pylist()]

    def of_kind(self, *kinds: str) -> Any:
        """Return the array as one of a kind, text read as the first of them; a ValueError if it holds another."""
        kind = self.kind
        if kind in kinds:
            return self.array
        if kind == "nothing" or _is_all_nan(self.array):
            return pa.nulls(len(self.array))
        text = decoded(self.array)
        if kinds == ("text",) and kind in ("number", "boolean"):  # which other formats have made of text
            return text.cast(pa.string())
        if kind != "text" or kinds[0] not in USUAL_READINGS:
            held, found = HELD[kinds[0]], HELD.get(kind) or str(self.array.type)
            raise InputError(HOLDS, subject="Column {name}", name=self.name, held=held, found=found, fix="convert it")
        fits = self.reading is not None and READINGS[self.reading].kind in kinds
        values, is_unreadable = read_text(text, str(self.reading) if fits else USUAL_READINGS[kinds[0]])
        place = -1 if self.reads_all else pc.index(is_unreadable, True).as_py()
        if place >= 0:
            fix = "correct the cell, or treat such cells as missing with {unreadable='missing'}"
            subject, held = "Column {name}", HELD[kinds[0]]
            found, row = short(text[place].as_py()), self.row_of(place)
            raise InputError(
                HOLDS, subject=subject, name=self.name, held=held, column=self.name, found=found, row=row, fix=fix
            )
        return values


def _is_all_nan(array: Any) -> bool:
    return bool(patypes.is_floating(array.type) and np.isnan(array.to_numpy(zero_copy_only=False)).all())


def numbers_of(array: Any) -> Any:
    """Return an array of numbers, booleans or nulls as a NumPy array that needs no copy where Arrow has none to make.

    Examples
    --------
    >>> import pyarrow as pa
    >>> numbers_of(pa.array([True, None])).tolist()
    [1.0, nan]
    """
    array = decoded(array)
    if patypes.is_null(array.type):
        return np.full(len(array), np.nan)
    if patypes.is_boolean(array.type):
        array = array.cast(pa.uint8())
    elif patypes.is_decimal(array.type):
        # By way of text the float is the nearest one, as Python's float(Decimal) is.
        array = array.cast(pa.string()).cast(pa.float64())
    return array.to_numpy(zero_copy_only=False)


def moments_of(present: Any) -> AnyArray:
    """Return dates, times or durations without nulls as an array of datetime64 or timedelta64; zones become UTC."""
    present = decoded(present)
    if pa.types.is_time(present.type):
        width = pa.int32() if pa.types.is_time32(present.type) else pa.int64()
        ticks = present.cast(width).to_numpy(zero_copy_only=False)
        return np.asarray(ticks, dtype=np.int64).astype(f"timedelta64[{present.type.unit}]")
    return np.asarray(present.to_numpy(zero_copy_only=False))


def distinct_values(
    array: Any, missing: Collection[str] = MISSING, *, as_it_stands: bool = False
) -> tuple[IndexArray, list[Any]]:
    """Return the place of every value among those that occur, -1 for missing ones, and these as Python's own.

    Text is None where it spells a missing value, and without blanks around it unless it is wanted as it stands.

    Examples
    --------
    >>> import pyarrow as pa
    >>> distinct_values(pa.array(["b", None, " a", "b"]))
    (array([ 0, -1,  1,  0]), ['b', 'a'])
    """
    if not pa.types.is_dictionary(array.type):
        array = array.dictionary_encode()
    is_signed = pa.types.is_signed_integer(array.indices.type)
    indices = (array.indices if is_signed else array.indices.cast(pa.int64())).fill_null(-1)
    places: IndexArray = np.asarray(indices.to_numpy(zero_copy_only=False)).astype(np.intp)
    values = array.dictionary
    kind = kind_of_type(values.type)
    if kind == "number" and not pa.types.is_integer(values.type):
        return places, numbers_of(values).astype(np.float64).tolist()
    distinct = values.to_pylist()
    if kind == "text":
        trimmed = distinct if as_it_stands else [None if text is None else text.strip() for text in distinct]
        distinct = [None if text in missing else text for text in trimmed]
    return places, distinct
