"""What a sparse matrix means, entry by entry, or that it means nothing."""

import numpy as np

PARTS = {"csr": 1, "csc": 1, "bsr": 3, "coo": 1, "dia": 2}
"""Dimensions of the array of values."""


class BrokenError(Exception):
    """The parts of a matrix contradict each other."""


def dense_form(X):
    """Return the matrix as a dense array, entries that are stored twice added up; None if it is broken."""
    dense = np.zeros(X.shape, dtype=value_type(X.dtype if X.format in {"lil", "dok"} else X.data.dtype))
    try:
        for row, column, value in entries(X):
            require(0 <= row < X.shape[0] and 0 <= column < X.shape[1])
            dense[row, column] += value
    except BrokenError:
        return None
    return dense


def value_type(dtype):
    """Half floats and objects become what SciPy can add."""
    return {"e": np.float32, "O": np.float64}.get(dtype.char, dtype)


def require(rule):
    if not rule:
        raise BrokenError


def whole(numbers):
    """Return a vector of whole numbers as a list."""
    require(isinstance(numbers, np.ndarray) and numbers.ndim == 1 and numbers.dtype.kind in "iu")
    return numbers.tolist()


def entries(X):
    """Return row, column and value of everything that is stored."""
    if X.format in PARTS:
        require(isinstance(X.data, np.ndarray) and X.data.ndim == PARTS[X.format])
    return list(ENTRIES[X.format](X))


def slices(X, n_slices, values):
    """Return the number of the slice, the index and the value of everything in a compressed format."""
    indptr, indices = whole(X.indptr), whole(X.indices)
    require(len(indptr) == n_slices + 1 and indptr[0] == 0)
    require(indptr[-1] == len(indices) == len(values))
    found = []
    for number in range(n_slices):
        require(indptr[number] <= indptr[number + 1] <= len(indices))
        found += [(number, indices[place], values[place]) for place in range(indptr[number], indptr[number + 1])]
    return found


def csr_entries(X):
    return slices(X, X.shape[0], X.data)


def csc_entries(X):
    return [(row, column, value) for column, row, value in slices(X, X.shape[1], X.data)]


def bsr_entries(X):
    _, height, width = X.data.shape
    require(height > 0 and width > 0 and X.shape[0] % height == 0 and X.shape[1] % width == 0)
    found = []
    for upper, left, block in slices(X, X.shape[0] // height, X.data):
        for (row, column), value in np.ndenumerate(block):
            found.append((upper * height + row, left * width + column, value))
    return found


def coo_entries(X):
    require(len(X.coords) == 2)
    rows, columns = whole(X.coords[0]), whole(X.coords[1])
    require(len(rows) == len(columns) == len(X.data))
    return zip(rows, columns, X.data, strict=True)


def dia_entries(X):
    offsets = whole(X.offsets)
    require(len(offsets) == len(X.data) == len(set(offsets)))
    found = []
    for offset, diagonal in zip(offsets, X.data, strict=True):
        for column, value in enumerate(diagonal):
            if column < X.shape[1] and 0 <= column - offset < X.shape[0]:
                found.append((column - offset, column, value))
    return found


def lil_entries(X):
    found = []
    require(len(X.rows) == len(X.data) == X.shape[0])
    for row, (columns, values) in enumerate(zip(X.rows, X.data, strict=True)):
        require(isinstance(columns, list) and isinstance(values, list) and len(columns) == len(values))
        found += [(row, *checked_entry(column, value)) for column, value in zip(columns, values, strict=True)]
    return found


def dok_entries(X):
    found = []
    for key, value in X.items():
        require(isinstance(key, tuple) and len(key) == 2 and isinstance(key[0], int | np.integer))
        found.append((key[0], *checked_entry(key[1], value)))
    return found


def checked_entry(number, value):
    require(isinstance(number, int | np.integer) and not isinstance(value, str))
    return number, value


ENTRIES = {
    "csr": csr_entries,
    "csc": csc_entries,
    "bsr": bsr_entries,
    "coo": coo_entries,
    "dia": dia_entries,
    "lil": lil_entries,
    "dok": dok_entries,
}
