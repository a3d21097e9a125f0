"""The structure of sparse matrices, checked once: compiled code follows their index arrays wherever they point."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import chain
from types import MappingProxyType
from typing import Any

import numpy as np
from scipy.sparse import bsr_array, coo_array, csc_array, csr_array

from s2auc.common.arrays import AnyArray, is_sparse
from s2auc.data.sources.rows import check_numeric

_MARK = "_s2auc_is_sound"
"""An attribute of matrices that were checked: never the user's own, which may change later."""

REBUILD = "build the matrix anew from its values, rows and columns"


def checked_structure(X: Any, name: str = "X") -> Any:
    """Return a sparse matrix as CSR in canonical form, once its structure is sound; anything else as it is.

    Entries that are stored more than once are added up, and those of a row sorted, in a copy; CSR that is canonical
    already is not copied. It takes a few passes over the stored values; what this function returned is known to be
    sound.

    Parameters
    ----------
    X
        A sparse matrix or array of SciPy in any format, or anything else.
    name
        What errors call it.

    Raises
    ------
    ValueError
        If index arrays contradict each other, the shape or the stored values, or these are no numbers.

    Examples
    --------
    >>> X = csr_array(([1.0, 2.0, 3.0], [1, 0, 1], [0, 3]), shape=(1, 2))
    >>> checked_structure(X).data.tolist(), X.data.tolist()
    ([2.0, 4.0], [1.0, 2.0, 3.0])
    >>> X.indices[0] = 2
    >>> checked_structure(X)
    Traceback (most recent call last):
    ValueError: indices of X, a CSR matrix of 1 x 2, must lie from 0 to 1. Got 2 at place 0; correct it, or build the \
matrix anew with more columns.
    """
    if not is_sparse(X) or getattr(X, _MARK, False):
        return X
    if len(X.shape) != 2:
        raise ValueError(f"{name} must have rows and columns. Got shape {X.shape}; reshape it to (n_rows, n_columns).")
    # A matrix of its own, whatever the format: what SciPy noted about the user's one may be out of date.
    rows: Any = _READERS[X.format](_Held(X, name))
    if not rows.has_canonical_format:
        rows = rows.copy()
        rows.sum_duplicates()
    setattr(rows, _MARK, True)
    return rows


@dataclass(frozen=True)
class _Held:
    """A sparse matrix that nothing is known of but its format and its shape, and what errors call it."""

    matrix: Any
    name: str

    @property
    def shape(self) -> tuple[int, int]:
        n_rows, n_columns = self.matrix.shape
        return n_rows, n_columns

    def fault(self, part: str, rule: str, got: object, way_out: str = REBUILD) -> ValueError:
        """Return the error for a part of the matrix."""
        kind, (n_rows, n_columns) = self.matrix.format.upper(), self.shape
        whose = f"{self.name}, a {kind} matrix of {n_rows} x {n_columns}"
        return ValueError(f"{part} of {whose}, must {rule}. Got {got}; {way_out}.")

    def array(self, part: str, n_dimensions: int = 1) -> AnyArray:
        """Return an array that the matrix holds."""
        return self.as_array(part, getattr(self.matrix, part, None), n_dimensions)

    def as_array(self, part: str, held: Any, n_dimensions: int = 1) -> AnyArray:
        """Return what the matrix holds if it is an array of so many dimensions."""
        if not isinstance(held, np.ndarray) or held.ndim != n_dimensions:
            got = f"one of {held.ndim}" if isinstance(held, np.ndarray) else type(held).__name__
            raise self.fault(part, f"be an array of {n_dimensions} dimension{'s'[: n_dimensions - 1]}", got)
        return held

    def whole_numbers(self, part: str, numbers: AnyArray) -> AnyArray:
        """Return the numbers if they are whole ones."""
        if numbers.dtype.kind not in "iu":
            raise self.fault(part, "hold whole numbers", numbers.dtype, "convert them")
        return numbers

    def listed_numbers(self, part: str, numbers: Iterable[Any]) -> AnyArray:
        """Return what Python's own containers hold, if it is whole numbers all alike."""
        listed = list(numbers)
        try:
            array = np.array(listed) if listed else np.zeros(0, dtype=np.intp)
        except ValueError as error:
            raise self.fault(part, "hold whole numbers", "lists among them", "convert them") from error
        return self.whole_numbers(part, self.as_array(part, array))

    def listed_values(self, values: Iterable[Any], n_values: int) -> AnyArray:
        """Return the values that Python's own containers hold, as the type of the matrix says."""
        try:
            listed = np.fromiter(values, self.matrix.dtype, n_values)
        except (TypeError, ValueError, OverflowError) as error:
            raise self.fault("values", f"be {self.matrix.dtype}", f"others ({error})", "convert them") from error
        return self.usable(listed)

    def usable(self, values: AnyArray) -> AnyArray:
        """Return values in a type that SciPy's compiled code knows, not copied if they have one already."""
        if values.dtype.kind == "O":
            try:
                return values.astype(np.float64)
            except (TypeError, ValueError) as error:
                raise self.fault("data", "hold numbers", f"others ({error})", "convert them") from error
        check_numeric(values.dtype, self.name)
        # Half floats, and numbers in the byte order of another machine, are not among them.
        dtype = np.dtype(np.float32) if values.dtype.type is np.float16 else values.dtype.newbyteorder("=")
        return values.astype(dtype, copy=False)

    def check_range(self, part: str, numbers: AnyArray, bound: int, things: str) -> None:
        """Raise a ValueError that names the first number that is negative, or not below the bound."""
        if len(numbers) and not (numbers.min() >= 0 and numbers.max() < bound):
            place = int(np.argmax((numbers < 0) | (numbers >= bound)))
            got, way_out = f"{numbers[place]} at place {place}", f"build the matrix anew with more {things}"
            raise self.fault(part, f"lie from 0 to {bound - 1}", got, f"correct it, or {way_out}")


def _compressed(
    held: _Held, values: AnyArray, n_slices: int, bound: int, things: str
) -> tuple[AnyArray, AnyArray, AnyArray]:
    """Return values, indices and indptr, which cuts them into slices (rows, or columns in CSC).

    The indices, which number things (columns, or rows in CSC), lie below the bound.
    """
    indptr = held.whole_numbers("indptr", held.array("indptr"))
    indices = held.whole_numbers("indices", held.array("indices"))
    if len(values) != len(indices):
        raise held.fault("data", f"hold a value for each of {len(indices)} indices", len(values))
    if len(indptr) != n_slices + 1:
        raise held.fault("indptr", f"hold {n_slices + 1} numbers", len(indptr))
    if indptr[0] != 0:
        raise held.fault("indptr", "start at 0", indptr[0])
    falls = indptr[1:] < indptr[:-1]
    if falls.any():
        place = int(np.argmax(falls)) + 1
        raise held.fault("indptr", "not fall", f"{indptr[place]} after {indptr[place - 1]} at place {place}")
    if indptr[-1] != len(indices):
        raise held.fault("indptr", f"end at the number of stored values, {len(indices)}", indptr[-1])
    held.check_range("indices", indices, bound, things)
    return values, indices, indptr


def _read_csr(held: _Held) -> Any:
    n_rows, n_columns = held.shape
    values = held.usable(held.array("data"))
    arrays = _compressed(held, values, n_rows, n_columns, "columns")
    types = {array.dtype for array in arrays[1:]}
    # From arrays, SciPy would make copies of 32 bits of indices of 64 that are small enough.
    is_usual = values is held.matrix.data and types in ({np.dtype(np.int32)}, {np.dtype(np.int64)})
    return csr_array(held.matrix) if is_usual else csr_array(arrays, shape=held.shape)


def _read_csc(held: _Held) -> Any:
    n_rows, n_columns = held.shape
    values = held.usable(held.array("data"))
    return csc_array(_compressed(held, values, n_columns, n_rows, "rows"), shape=held.shape).tocsr()


def _read_bsr(held: _Held) -> Any:
    values = held.usable(held.array("data", 3))
    size = values.shape[1:]
    if 0 in size or held.shape[0] % size[0] or held.shape[1] % size[1]:
        raise held.fault("data", f"hold blocks whose size divides the shape {held.shape}", f"blocks of {size}")
    arrays = _compressed(held, values, held.shape[0] // size[0], held.shape[1] // size[1], "columns")
    return bsr_array(arrays, shape=held.shape).tocsr()


def _from_entries(held: _Held, values: AnyArray, rows: AnyArray, columns: AnyArray) -> Any:
    return coo_array((values, (rows, columns)), shape=held.shape).tocsr()


def _read_coo(held: _Held) -> Any:
    values, coordinates = held.usable(held.array("data")), held.matrix.coords
    if not isinstance(coordinates, tuple) or len(coordinates) != 2:
        raise held.fault("coords", "be two arrays, of rows and of columns", "others")
    for things, numbers, bound in zip(("rows", "columns"), coordinates, held.shape, strict=True):
        part = f"coords ({things})"
        held.whole_numbers(part, held.as_array(part, numbers))
        if len(numbers) != len(values):
            raise held.fault(part, f"hold a number for each of {len(values)} values", len(numbers))
        held.check_range(part, numbers, bound, things)
    return _from_entries(held, values, *coordinates)


def _read_dia(held: _Held) -> Any:
    values = held.usable(held.array("data", 2))
    offsets = held.whole_numbers("offsets", held.array("offsets"))
    if len(offsets) != len(values):
        raise held.fault("offsets", f"hold a number for each of {len(values)} diagonals", len(offsets))
    if len(np.unique(offsets)) != len(offsets):
        raise held.fault("offsets", "differ from each other", "one of them twice")
    n_rows, n_columns = held.shape
    # Diagonals, and ends of diagonals, that lie outside are allowed and mean nothing.
    is_met = (offsets > -n_rows) & (offsets < n_columns)
    values, columns = values[is_met, :n_columns], np.arange(min(n_columns, values.shape[1]))
    rows = columns - offsets[is_met].astype(np.intp)[:, None]
    is_inside = (rows >= 0) & (rows < n_rows)
    return _from_entries(held, values[is_inside], rows[is_inside], np.broadcast_to(columns, rows.shape)[is_inside])


def _read_lil(held: _Held) -> Any:
    n_rows, n_columns = held.shape
    lengths = {}
    for part in ("rows", "data"):
        lists = held.array(part)
        if len(lists) != n_rows:
            raise held.fault(part, "hold a list for every row", len(lists))
        strange = {type(entry).__name__ for entry in lists} - {"list"}
        if strange:
            raise held.fault(part, "hold a list for every row", min(strange))
        lengths[part] = np.fromiter(map(len, lists), np.intp, n_rows)
    unequal = lengths["rows"] != lengths["data"]
    if unequal.any():
        row = int(np.argmax(unequal))
        rule = f"hold a value for each of {lengths['rows'][row]} columns of row {row}"
        raise held.fault("data", rule, lengths["data"][row])
    columns = held.listed_numbers("rows", chain.from_iterable(held.matrix.rows))
    held.check_range("rows", columns, n_columns, "columns")
    values = held.listed_values(chain.from_iterable(held.matrix.data), len(columns))
    return _from_entries(held, values, np.repeat(np.arange(n_rows), lengths["rows"]), columns)


def _read_dok(held: _Held) -> Any:
    keys = list(held.matrix.keys())
    if not all(isinstance(key, tuple) and len(key) == 2 for key in keys):
        raise held.fault("keys", "be pairs of a row and a column", "others")
    rows, columns = (held.listed_numbers("keys", (key[axis] for key in keys)) for axis in (0, 1))
    held.check_range("keys (rows)", rows, held.shape[0], "rows")
    held.check_range("keys (columns)", columns, held.shape[1], "columns")
    return _from_entries(held, held.listed_values(held.matrix.values(), len(keys)), rows, columns)


_READERS: Mapping[str, Callable[[_Held], Any]] = MappingProxyType(
    {
        "csr": _read_csr,
        "csc": _read_csc,
        "bsr": _read_bsr,
        "coo": _read_coo,
        "dia": _read_dia,
        "lil": _read_lil,
        "dok": _read_dok,
    }
)
"""All formats of SciPy: each reader checks the parts of its own, then makes CSR of them."""
