"""The structure of sparse matrices, checked once: compiled code follows their index arrays wherever they point."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from scipy.sparse import bsr_array, coo_array, csc_array, csr_array, dia_array

from s2auc.common.arrays import AnyArray, is_sparse
from s2auc.data.sources.rows import check_numeric

# An attribute of matrices that were checked: never the user's own, which may change later.
_MARK = "_s2auc_is_sound"

REBUILD = "build the matrix again from its values, rows and columns"


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
matrix again with more columns.
    """
    if not is_sparse(X) or getattr(X, _MARK, False):
        return X
    if len(X.shape) != 2:
        raise ValueError(f"{name} must have rows and columns. Got shape {X.shape}; reshape it to (n_rows, n_columns).")
    # A matrix of its own, whatever the format: what SciPy noted about the user's one may be out of date.
    rows: Any = _READERS[X.format](_Held(X, name, X.shape))
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
    shape: tuple[int, int]

    def fault(self, part: str, rule: str, got: object, fix: str = REBUILD) -> ValueError:
        """Return the error for a part of the matrix."""
        kind, (n_rows, n_columns) = self.matrix.format.upper(), self.shape
        whose = f"{self.name}, a {kind} matrix of {n_rows} x {n_columns}"
        return ValueError(f"{part} of {whose}, must {rule}. Got {got}; {fix}.")

    def array(self, part: str, n_dimensions: int = 1) -> AnyArray:
        """Return an array that the matrix holds, if it has so many dimensions."""
        held = getattr(self.matrix, part, None)
        if not isinstance(held, np.ndarray) or held.ndim != n_dimensions:
            got = f"one of {held.ndim}" if isinstance(held, np.ndarray) else type(held).__name__
            raise self.fault(part, f"be an array of {n_dimensions} dimension{'s'[: n_dimensions - 1]}", got)
        return held

    def whole_numbers(self, part: str, numbers: AnyArray) -> AnyArray:
        """Return the numbers if they are whole ones."""
        if numbers.dtype.kind not in "iu" or numbers.ndim != 1:
            raise self.fault(part, "hold whole numbers", numbers.dtype, "convert them")
        return numbers

    def values(self, n_dimensions: int = 1) -> AnyArray:
        """Return the stored values in a type that SciPy's compiled code knows, not copied if they have one already."""
        values = self.array("data", n_dimensions)
        if values.dtype.kind == "O":
            try:
                return values.astype(np.float64)
            except (TypeError, ValueError) as error:
                raise self.fault("data", "hold numbers", f"others ({error})", "convert them") from error
        check_numeric(values.dtype, self.name)
        # Half floats, and numbers in the byte order of another machine, are not among them.
        dtype = np.dtype(np.float32) if values.dtype.type is np.float16 else values.dtype.newbyteorder("=")
        return values.astype(dtype, copy=False)

    def check_count(self, part: str, n_found: int, n_needed: int, things: str) -> None:
        """Raise a ValueError unless a part has one entry for each of some things."""
        if n_found != n_needed:
            raise self.fault(part, f"hold one entry for each of {n_needed} {things}", n_found)

    def check_range(self, part: str, numbers: AnyArray, bound: int, things: str) -> None:
        """Raise a ValueError that names the first number that is negative, or not below the bound."""
        if len(numbers) and not (numbers.min() >= 0 and numbers.max() < bound):
            place = int(np.argmax((numbers < 0) | (numbers >= bound)))
            fix = f"correct it, or build the matrix again with more {things}"
            raise self.fault(part, f"lie from 0 to {bound - 1}", f"{numbers[place]} at place {place}", fix)


def _compressed(
    held: _Held, values: AnyArray, n_slices: int, bound: int, things: str
) -> tuple[AnyArray, AnyArray, AnyArray]:
    """Return values, indices and indptr, which cuts them into slices (rows, or columns in CSC).

    The indices, which number things (columns, or rows in CSC), lie below the bound.
    """
    indptr, indices = (held.whole_numbers(part, held.array(part)) for part in ("indptr", "indices"))
    held.check_count("data", len(values), len(indices), "indices")
    held.check_count("indptr", len(indptr), n_slices + 1, "ends of slices")
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
    values = held.values()
    arrays = _compressed(held, values, *held.shape, "columns")
    types = {array.dtype for array in arrays[1:]}
    # From arrays, SciPy would make copies of 32 bits of indices of 64 that are small enough.
    is_usual = values is held.matrix.data and types in ({np.dtype(np.int32)}, {np.dtype(np.int64)})
    return csr_array(held.matrix) if is_usual else csr_array(arrays, shape=held.shape)


def _read_csc(held: _Held) -> Any:
    return csc_array(_compressed(held, held.values(), *held.shape[::-1], "rows"), shape=held.shape).tocsr()


def _read_bsr(held: _Held) -> Any:
    values = held.values(3)
    size = values.shape[1:]
    if 0 in size or held.shape[0] % size[0] or held.shape[1] % size[1]:
        raise held.fault("data", f"hold blocks whose size divides the shape {held.shape}", f"blocks of {size}")
    arrays = _compressed(held, values, held.shape[0] // size[0], held.shape[1] // size[1], "columns")
    return bsr_array(arrays, shape=held.shape).tocsr()


def _read_dia(held: _Held) -> Any:
    values, offsets = held.values(2), held.whole_numbers("offsets", held.array("offsets"))
    held.check_count("offsets", len(offsets), len(values), "diagonals")
    if len(np.unique(offsets)) != len(offsets):
        raise held.fault("offsets", "differ from each other", "one of them twice")
    # Diagonals that lie outside are allowed and mean nothing; SciPy's own numbers would overflow for the farthest.
    is_met = (offsets > -held.shape[0]) & (offsets < held.shape[1])
    return dia_array((values[is_met], offsets[is_met].astype(np.intp)), shape=held.shape).tocsr()


def _read_coo(held: _Held) -> Any:
    coordinates = held.matrix.coords
    if not isinstance(coordinates, tuple) or [isinstance(part, np.ndarray) for part in coordinates] != [True, True]:
        raise held.fault("coords", "be two arrays, of rows and of columns", "others")
    return _from_entries(held, held.values(), *coordinates)


def _read_lil(held: _Held) -> Any:
    lists = {part: held.array(part) for part in ("rows", "data")}
    for part, entries in lists.items():
        held.check_count(part, len(entries), held.shape[0], "rows")
        strange = {type(entry).__name__ for entry in entries} - {"list"}
        if strange:
            raise held.fault(part, "hold a list for every row", min(strange))
    lengths = list(map(len, lists["rows"]))
    for row, (n_values, n_columns) in enumerate(zip(map(len, lists["data"]), lengths, strict=True)):
        held.check_count("data", n_values, n_columns, f"columns of row {row}")
    columns, values = (list(chain.from_iterable(lists[part])) for part in ("rows", "data"))
    return _from_entries(held, values, np.repeat(np.arange(len(lengths)), lengths), columns)


def _read_dok(held: _Held) -> Any:
    keys = list(held.matrix.keys())
    if not all(isinstance(key, tuple) and len(key) == 2 for key in keys):
        raise held.fault("keys", "be pairs of a row and a column", "others")
    return _from_entries(held, list(held.matrix.values()), [row for row, _ in keys], [column for _, column in keys])


def _from_entries(held: _Held, values: Sequence[Any] | AnyArray, rows: Any, columns: Any) -> Any:
    """Return the matrix of values at rows and columns: arrays, or lists of Python's own numbers."""
    if isinstance(values, list):
        try:
            values = np.array(values, held.matrix.dtype)
        except (TypeError, ValueError, OverflowError) as error:
            raise held.fault("values", f"be {held.matrix.dtype}", f"others ({error})", "convert them") from error
    places = {"rows": rows, "columns": columns}
    for (part, numbers), bound in zip(places.items(), held.shape, strict=True):
        try:
            places[part] = np.asarray(numbers, None if len(numbers) else np.intp)
        except ValueError as error:
            raise held.fault(part, "hold whole numbers", "lists among them", "convert them") from error
        held.whole_numbers(part, places[part])
        held.check_count(part, len(numbers), len(values), "values")
        held.check_range(part, places[part], bound, part)
    return coo_array((values, (places["rows"], places["columns"])), shape=held.shape).tocsr()


# All formats of SciPy: each reader checks the parts of its own, then makes CSR of them.
_READERS: Mapping[str, Callable[[_Held], Any]] = {
    "csr": _read_csr,
    "csc": _read_csc,
    "bsr": _read_bsr,
    "coo": _read_coo,
    "dia": _read_dia,
    "lil": _read_lil,
    "dok": _read_dok,
}
