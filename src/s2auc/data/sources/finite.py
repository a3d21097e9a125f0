"""Rows that hold finite numbers: the first other one is named by its column and its row."""

from functools import partial
from typing import Any

import numpy as np

from s2auc.common.arrays import IndexArray, is_sparse
from s2auc.common.errors import InputError
from s2auc.common.messages import Parameter
from s2auc.data.schema.schema import Schema
from s2auc.data.sources.matrix_rows import SparseRows, open_source
from s2auc.data.sources.rows import Rows
from s2auc.data.sources.source import ConvertedRows, RowSource
from s2auc.data.sources.sparse_structure import checked_structure

CHUNK_VALUES = 2**22
"""Values that are looked at together."""


def check_finite(
    rows: Rows, schema: Schema, display_name: str = "X", *, allows_missing: bool, numbers: IndexArray | None = None
) -> None:
    """Raise an InputError that names the column and the row of the first number that is not finite.

    Parameters
    ----------
    rows
        A dense matrix, or a CSR matrix.
    schema
        What the columns are.
    display_name
        What the error calls the rows.
    allows_missing
        Whether NaN may stand for a missing value.
    numbers
        The numbers of the rows, if they are not 0, 1, 2, …

    Examples
    --------
    >>> check_finite(np.array([[1.0, np.inf]]), Schema(2, {}, ("age", "height")), allows_missing=True)
    Traceback (most recent call last):
    s2auc.common.errors.InputError: Input X contains infinity: column 'height' must hold finite numbers, or NaN where \
one is missing. Got inf in row 0; replace it.
    """
    place = _first_bad(rows, allows_missing=allows_missing)
    if place is None:
        return
    row, column, value = place
    row = row if numbers is None else int(numbers[row])
    name = column if schema.names is None else schema.names[column]
    if np.isnan(value):
        kind, rule, found = "NaN", "hold a number in every row", "none"
        fix = (
            "fill missing values in, such as with sklearn.impute.SimpleImputer, or use S2AUCClassifier, which takes NaN"
        )
    else:
        kind, found, fix = "infinity", f"{value:g}", "replace it"
        rule = "hold finite numbers, or NaN where one is missing" if allows_missing else "hold finite numbers"
    subject, given = f"{{input}} contains {kind}: column {{column}}", Parameter(f"Input {display_name}")
    raise InputError(rule, subject=subject, column=name, found=found, row=row, fix=fix, input=given)


def _first_bad(rows: Any, *, allows_missing: bool) -> tuple[int, int, float] | None:
    """Return row, column and value of the first number that is not as it should be; None if there is none."""
    values = rows.data if is_sparse(rows) else rows
    if values.dtype.kind != "f":
        return None
    with np.errstate(over="ignore", invalid="ignore"):
        if np.isfinite(values.sum()):  # one pass, no memory; nothing that is not finite goes under in a sum
            return None
    chunk = max(1, CHUNK_VALUES // max(1, values.shape[-1] if values.ndim == 2 else 1))
    for first in range(0, len(values), chunk):
        part = values[first : first + chunk]
        is_bad = np.isinf(part) if allows_missing else ~np.isfinite(part)
        if not is_bad.any():
            continue
        found = np.unravel_index(np.argmax(is_bad), is_bad.shape)
        value, row = float(part[found]), first + int(found[0])
        if is_sparse(rows):
            return int(np.searchsorted(rows.indptr, row, side="right")) - 1, int(rows.indices[row]), value
        return row, int(found[1]), value
    return None


class FiniteRows(ConvertedRows):
    """The rows of another source, searched for NaN and infinity, and sparse ones for faults, as they are read.

    Parameters
    ----------
    source
        Where the rows come from.
    name
        What to call them in an error.
    allows_missing
        Whether NaN may stand for a missing value.
    """

    def __init__(self, source: RowSource, name: str, *, allows_missing: bool = False) -> None:
        is_sound = isinstance(source, SparseRows)  # the structure was checked where the rows come from
        super().__init__(source, partial(_checked, source.schema, name, allows_missing, is_sound))


def _checked(schema: Schema, name: str, allows_missing: bool, is_sound: bool, rows: Rows, numbers: IndexArray) -> Rows:
    """Return the rows, or raise a ValueError that names the first one that is not finite."""
    rows = rows if is_sound else checked_structure(rows, name)
    check_finite(rows, schema, name, allows_missing=allows_missing, numbers=numbers)
    return rows


def open_matrix(X: Any, schema: Schema, name: str = "X", *, allows_missing: bool, min_rows: int = 0) -> RowSource:
    """Return a source over the columns of a matrix that a schema knows, once their numbers are known to be finite.

    Parameters
    ----------
    X
        What `s2auc.data.inputs.as_matrix` gives; sparse ones went through `checked_structure`.
    schema
        What its columns are.
    name
        What errors call it.
    allows_missing
        Whether NaN may stand for a missing value.
    min_rows
        With fewer rows, an error says so.

    Examples
    --------
    >>> open_matrix(np.array([[1.0, np.nan]]), Schema(2, {}), allows_missing=True).gather([0]).tolist()
    [[1.0, nan]]
    """
    # Here and not above: experiments use scalings of this package, and start faster without scikit-learn.
    from sklearn.utils.validation import check_array

    matrix, formats = schema.of_matrix(X, name), {"accept_sparse": "csr", "dtype": "numeric"}
    matrix = check_array(matrix, ensure_all_finite=False, ensure_min_samples=min_rows, input_name=name, **formats)
    source = open_source(matrix, name, schema, is_sound=True)
    # A memory map is read only where rows are drawn; looking for NaN in all of it would read it whole.
    if isinstance(X, np.memmap):
        return FiniteRows(source, name, allows_missing=allows_missing)
    check_finite(matrix, schema, name, allows_missing=allows_missing)
    return source
