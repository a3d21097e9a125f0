"""The columns of a part in a model file: how they are encoded, shifted and scaled.

Shift and scale are vectors of the part. An encoding is kept as vectors `encoding.<name>` that are named after its
attributes, whole numbers in float64 like all others, and the number of columns in the part's description:
`"encoding": {"n_columns": 3}`, null where there is no encoding.
"""

from collections.abc import Mapping
from operator import index
from reprlib import repr as shown
from typing import Any

import numpy as np

from s2auc.common.arrays import AnyArray, FloatArray, IndexArray
from s2auc.data.features.encoding import Encoding, Kind
from s2auc.data.features.scaling import ColumnScaling
from s2auc.models.checks import require
from s2auc.models.parts.bounds import MAX_DIFFERENCE, check_largest, check_numbers
from s2auc.models.strict_json import decode_count, fields_of

INDEX_ARRAYS, FLOAT_ARRAYS = ("source", "kind", "bounds"), ("number", "knots", "ranks")
MAX_ENCODED = 128
"""Encoded columns that are made of one column: one per level, `MAX_LEVELS` at most, and marks of missing values. Rows
that are scored take memory in proportion to these."""

ENCODING_ARRAYS = "source", "kind", "number", "bounds", "knots", "ranks"


def describe_columns(columns: ColumnScaling) -> dict[str, Any]:
    """Return what the description of a part says about its columns."""
    encoding = columns.encoding
    return {"encoding": None if encoding is None else {"n_columns": index(encoding.n_columns)}}


def column_arrays(columns: ColumnScaling) -> dict[str, FloatArray]:
    """Return the vectors of a part that are about its columns, all of them float64.

    Examples
    --------
    >>> list(column_arrays(ColumnScaling(np.zeros(1), np.ones(1))))
    ['shift', 'scale']
    """
    names = ENCODING_ARRAYS if columns.encoding is not None else ()
    encoding = {f"encoding.{name}": np.asarray(getattr(columns.encoding, name), dtype=np.float64) for name in names}
    return {"shift": columns.shift, "scale": columns.scale} | encoding


def names_of_arrays(described: Any) -> set[str]:
    """Return the names of the vectors that are about columns, given the description of their encoding."""
    return {"shift", "scale"} | ({f"encoding.{name}" for name in ENCODING_ARRAYS} if described is not None else set())


def decode_columns(described: Any, arrays: Mapping[str, FloatArray]) -> ColumnScaling:
    """Return the columns of a part, given the description of their encoding and arrays of all their names."""
    encoding = None
    if described is not None:
        n_columns = decode_count(fields_of(described, "encoding", {"n_columns"})["n_columns"])
        vectors: dict[str, Any] = {name: arrays[f"encoding.{name}"] for name in ENCODING_ARRAYS}
        encoding = Encoding(n_columns, **vectors | {name: _whole_numbers(vectors[name], name) for name in INDEX_ARRAYS})
    return ColumnScaling(arrays["shift"], arrays["scale"], encoding)


def check_columns(columns: ColumnScaling, place: int, n_columns: int) -> int:
    """Return how many columns the part sees after encoding; a ValueError names the first thing wrong with them."""
    check_numbers(columns.shift, "shift", place)
    check_numbers(columns.scale, "scale", place)
    check_largest(columns.shift, "shift", place, MAX_DIFFERENCE)
    encoding, n_scaled = columns.encoding, n_columns
    if encoding is not None:
        _check_encoding(encoding, place)
        n_scaled = len(encoding.source)
        require(
            encoding.n_columns == n_columns,
            f"the encoding of part {place} must be one of {n_columns} columns, got {shown(encoding.n_columns)}",
        )
    for name, array in {"shift": columns.shift, "scale": columns.scale}.items():
        require(
            0 < n_scaled == len(array),
            f"{name} of part {place} must hold a number for each of {n_scaled} > 0 columns, got {len(array)}",
        )
    return n_scaled


def _whole_numbers(numbers: FloatArray, name: str) -> IndexArray:
    with np.errstate(invalid="ignore"):  # there are NaN that raise a flag when they are looked at
        is_whole = (numbers == np.floor(numbers)) & (numbers >= 0) & (numbers < 2**53)
    strange = numbers[~is_whole][:1].tolist()
    require(not strange, f"{name} of its encoding must hold whole numbers from 0, got {shown(sum(strange))}")
    return numbers.astype(np.intp)


def _check_encoding(encoding: Encoding, place: int) -> None:
    """Raise a ValueError that names the first thing wrong with the values of an encoding."""
    of_part = f"of the encoding of part {place}"
    for name in FLOAT_ARRAYS:
        check_numbers(getattr(encoding, name), f"{name} of the encoding", place)
    for name in INDEX_ARRAYS:
        array: AnyArray = getattr(encoding, name)
        require(
            array.dtype.kind == "i" and array.ndim == 1,
            f"{name} {of_part} must be a vector of integers, got shape {array.shape} of {array.dtype}",
        )
    check_largest(encoding.number, "number of the encoding", place, MAX_DIFFERENCE)
    source, kind, bounds, knots, ranks = encoding.source, encoding.kind, encoding.bounds, encoding.knots, encoding.ranks
    lengths = len(source), len(kind), len(encoding.number)
    require(len(set(lengths)) == 1, f"source, kind and number {of_part} must be of one length, got {lengths}")
    require(
        len(source) > 0 and int(source.max()) < encoding.n_columns,
        f"source {of_part} must name some of {encoding.n_columns} > 0 columns, got {_listed(source)}",
    )
    most = int(np.unique(source, return_counts=True)[1].max())
    sentence = f"source {of_part} must name no column more than {MAX_ENCODED} times, got {most} times"
    require(most <= MAX_ENCODED, sentence)
    strange = kind[~np.isin(kind, list(Kind))]
    require(not len(strange), f"kind {of_part} must hold numbers from 0 to {max(Kind)}, got {_listed(strange)}")
    n_ranked = np.count_nonzero(kind == Kind.RANK)
    is_sound = len(bounds) == n_ranked + 1 and bounds[0] == 0 and bounds[-1] == len(knots)
    require(
        is_sound and not np.any(np.diff(bounds) <= 0),
        f"bounds {of_part} must rise from 0 to {len(knots)} in {n_ranked} steps, got {_listed(bounds)}",
    )
    require(
        len(knots) == len(ranks) and bool(np.all((ranks >= 0) & (ranks <= 1))),
        f"ranks {of_part} must be a number from 0 to 1 for each of {len(knots)} knots, got {_listed(ranks)}",
    )
    # Between the last knot of one column and the first of the next anything goes.
    falls = np.setdiff1d(np.flatnonzero(knots[1:] <= knots[:-1]), bounds[1:-1] - 1)
    pair = " before ".join(map(str, knots[falls[0] : falls[0] + 2] if len(falls) else ()))
    require(not len(falls), f"knots {of_part} must rise within a column, got {pair}")


def _listed(array: AnyArray) -> str:
    """Return the first numbers of a vector."""
    return shown(array[:7].tolist())
