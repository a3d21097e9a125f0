"""What a model file says about the columns of a part: how they are encoded, shifted and scaled.

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
from s2auc.models.parts.bounds import MAX_DIFFERENCE, check_largest, check_numbers
from s2auc.models.strict_json import decode_count, fields_of

FLOAT_ARRAYS = "number", "knots", "ranks"
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
    arrays = {"shift": columns.shift, "scale": columns.scale}
    if columns.encoding is not None:
        for name in ENCODING_ARRAYS:
            arrays[f"encoding.{name}"] = np.asarray(getattr(columns.encoding, name), dtype=np.float64)
    return arrays


def take_columns(
    description: Mapping[str, Any], arrays: Mapping[str, FloatArray]
) -> tuple[ColumnScaling, dict[str, Any], dict[str, FloatArray]]:
    """Return the columns of a part, and what is left of its description and its arrays without them."""
    words, numbers = dict(description), dict(arrays)
    if "encoding" not in words:
        raise ValueError(f"its description must have the name 'encoding', got {shown(sorted(words))}")
    described = words.pop("encoding")
    names = ["shift", "scale"]
    if described is not None:
        names += [f"encoding.{name}" for name in ENCODING_ARRAYS]
    missing = [name for name in names if name not in numbers]
    if missing:
        raise ValueError(f"its arrays must have the name {missing[0]!r}, got {shown(sorted(numbers))}")
    taken = {name: numbers.pop(name) for name in names}
    encoding = None if described is None else _decode_encoding(described, taken)
    return ColumnScaling(taken["shift"], taken["scale"], encoding), words, numbers


def check_columns(columns: ColumnScaling, place: int, n_columns: int) -> int:
    """Return how many columns the part sees after encoding; a ValueError names the first thing wrong with them."""
    check_numbers(columns.shift, "shift", place)
    check_numbers(columns.scale, "scale", place)
    check_largest(columns.shift, "shift", place, MAX_DIFFERENCE)
    encoding, n_scaled = columns.encoding, n_columns
    if encoding is not None:
        _check_encoding(encoding, f"of the encoding of part {place}")
        check_largest(encoding.number, "number of the encoding", place, MAX_DIFFERENCE)
        n_scaled = len(encoding.source)
        if encoding.n_columns != n_columns:
            raise ValueError(
                f"the encoding of part {place} must be one of {n_columns} columns, got {shown(encoding.n_columns)}"
            )
    for name, array in {"shift": columns.shift, "scale": columns.scale}.items():
        if n_scaled == 0 or len(array) != n_scaled:
            raise ValueError(
                f"{name} of part {place} must hold a number for each of {n_scaled} > 0 columns, got {len(array)}"
            )
    return n_scaled


def _decode_encoding(described: Any, arrays: Mapping[str, FloatArray]) -> Encoding:
    n_columns = decode_count(fields_of(described, "encoding", {"n_columns"})["n_columns"])
    return Encoding(
        n_columns=n_columns,
        source=_whole_numbers(arrays, "source"),
        kind=_whole_numbers(arrays, "kind"),
        number=arrays["encoding.number"],
        bounds=_whole_numbers(arrays, "bounds"),
        knots=arrays["encoding.knots"],
        ranks=arrays["encoding.ranks"],
    )


def _whole_numbers(arrays: Mapping[str, FloatArray], name: str) -> IndexArray:
    numbers = arrays[f"encoding.{name}"]
    with np.errstate(invalid="ignore"):  # there are NaN that raise a flag when they are looked at
        is_whole = (numbers == np.floor(numbers)) & (numbers >= 0) & (numbers < 2**53)
    if not is_whole.all():
        raise ValueError(
            f"{name} of its encoding must hold whole numbers from 0, got {shown(numbers[~is_whole][0].item())}"
        )
    return numbers.astype(np.intp)


def _check_encoding(encoding: Encoding, of_part: str) -> None:
    """Raise a ValueError that names the first thing wrong with the values of an encoding."""
    for name in ENCODING_ARRAYS:
        array: AnyArray = getattr(encoding, name)
        is_right_type = array.dtype == np.float64 if name in FLOAT_ARRAYS else array.dtype.kind == "i"
        if not is_right_type or array.ndim != 1:
            wanted = "float64 numbers" if name in FLOAT_ARRAYS else "integers"
            raise ValueError(f"{name} {of_part} must be a vector of {wanted}, got shape {array.shape} of {array.dtype}")
        if not np.isfinite(array).all():
            raise ValueError(f"{name} {of_part} must hold finite numbers, got {array[~np.isfinite(array)][0]}")
    source, kind, bounds = encoding.source, encoding.kind, encoding.bounds
    if not len(source) == len(kind) == len(encoding.number):
        raise ValueError(
            f"source, kind and number {of_part} must be of one length, got {len(source)}, {len(kind)} and "
            f"{len(encoding.number)}"
        )
    # Every column is used, so that no file claims more columns than it has numbers.
    if not 0 < encoding.n_columns <= len(source) or not np.array_equal(
        np.unique(source), np.arange(encoding.n_columns)
    ):
        raise ValueError(
            f"source {of_part} must name each of {encoding.n_columns} > 0 columns, got {shown(source.tolist())}"
        )
    strange = kind[~np.isin(kind, list(Kind))]
    if len(strange):
        raise ValueError(f"kind {of_part} must hold numbers from 0 to {max(Kind)}, got {strange[0]}")
    n_ranked, n_knots = np.count_nonzero(kind == Kind.RANK), len(encoding.knots)
    is_sound = len(bounds) == n_ranked + 1 and bounds[0] == 0 and bounds[-1] == n_knots
    if not is_sound or np.any(np.diff(bounds) <= 0):
        raise ValueError(
            f"bounds {of_part} must rise from 0 to {n_knots} in {n_ranked} steps, got {shown(bounds.tolist())}"
        )
    _check_knots(encoding, of_part)


def _check_knots(encoding: Encoding, of_part: str) -> None:
    knots, ranks = encoding.knots, encoding.ranks
    if len(knots) != len(ranks) or not np.all((ranks >= 0) & (ranks <= 1)):
        raise ValueError(
            f"ranks {of_part} must be a number from 0 to 1 for each of {len(knots)} knots, got {shown(ranks.tolist())}"
        )
    # Between the last knot of one column and the first of the next anything goes.
    is_inside = np.ones(max(len(knots) - 1, 0), dtype=bool)
    is_inside[encoding.bounds[1:-1] - 1] = False
    falls = np.flatnonzero((knots[1:] <= knots[:-1]) & is_inside)
    if len(falls):
        raise ValueError(
            f"knots {of_part} must rise within a column, got {knots[falls[0]]} before {knots[falls[0] + 1]}"
        )
