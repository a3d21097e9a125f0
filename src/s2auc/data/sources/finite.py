"""Check that rows hold finite numbers; the first other one is named by its column and its row."""

from typing import Any

import numpy as np

from s2auc.common.arrays import IndexArray, is_sparse
from s2auc.common.errors import InputError
from s2auc.common.messages import Parameter
from s2auc.data.schema.schema import Schema
from s2auc.data.sources.rows import Rows

CHUNK_VALUES = 2**22
"""Values that are looked at together."""


def check_finite(
    rows: Rows, schema: Schema, called: str = "X", *, allows_missing: bool, numbers: IndexArray | None = None
) -> None:
    """Raise an InputError that names the column and the row of the first number that is not finite.

    Parameters
    ----------
    rows
        A dense matrix, or a CSR matrix.
    schema
        What the columns are.
    called
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
        raise InputError(
            "hold a number in every row",
            subject="{input} contains NaN: column {column}",
            column=name,
            found="none",
            row=row,
            fix="fill missing values in, such as with sklearn.impute.SimpleImputer, or use S2AUCClassifier, which "
            "takes NaN",
            input=Parameter(f"Input {called}"),
        )
    raise InputError(
        "hold finite numbers, or NaN where one is missing" if allows_missing else "hold finite numbers",
        subject="{input} contains infinity: column {column}",
        column=name,
        found=f"{value:g}",
        row=row,
        fix="replace it",
        input=Parameter(f"Input {called}"),
    )


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
