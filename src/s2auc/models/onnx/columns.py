"""The inputs of an ONNX graph: columns of a table as they come, and the numbers that a model makes of them.

Where all columns are plain numbers there is one input, "X", a matrix of float64 with the columns of the model in their
order. Elsewhere there is one input a column of the table, named like it, a matrix of one column: text for categories
that are text, float64 for all others, booleans as 0 and 1. ONNX has no dates: a date comes as days since 1970-01-01 in
UTC, the time of day as a fraction; a time of day as hours since midnight; a duration as seconds. Those are the first
parts of each kind in `schema.date_parts`, and the others follow from them.
"""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from s2auc.data.schema.column_names import listed, short
from s2auc.data.schema.date_parts import DATE_PARTS
from s2auc.data.schema.schema import LearntColumn, Level, Schema
from s2auc.models.checks import require
from s2auc.models.onnx.encoding import SortedTables
from s2auc.models.onnx.graph import Graph, Tensor
from s2auc.models.parts.bounds import MAX_DIFFERENCE

UNITS = {
    "date": "days since 1970-01-01 in UTC, the time of day as a fraction",
    "time": "hours since midnight",
    "duration": "seconds",
}
"""What a number of each kind counts."""

MATRIX = "X"
"""The input that holds all columns."""


def input_names(schema: Schema, outputs: Sequence[str]) -> list[str]:
    """Return what the inputs are called: like columns, but for those without a name or with that of an output.

    Examples
    --------
    >>> input_names(Schema(3, {2: ("a", "b")}, names=("", "score", "kind")), outputs=["score"])
    ['column_0', 'score_', 'kind']
    >>> input_names(Schema(3, {}, names=("", "score", "kind")), outputs=["score"])
    ['X']
    """
    if _is_matrix(schema):
        return [MATRIX]
    own = [str(column.name) or f"column_{place}" for place, column in enumerate(schema.columns())]
    names: list[str] = []
    for name in own:
        free = name
        while free in outputs or free in names or (free != name and free in own):
            free += "_"
        names.append(free)
    return names


def read_rows(graph: Graph, schema: Schema, names: Sequence[str]) -> Tensor:
    """Return rows of numbers as `Schema.read` gives them, given the names of the inputs; no number is infinite."""
    if _is_matrix(schema):
        meaning = "the columns of the model in their order; NaN where a value is missing"
        rows = graph.input(MATRIX, "DOUBLE", schema.n_columns, meaning)
    else:
        pairs = zip(names, schema.columns(), strict=True)
        rows = graph.beside([made for name, column in pairs for made in _columns(graph, name, column)])
    return rows.held(MAX_DIFFERENCE)


def check_levels(schema: Schema) -> None:
    """Raise a ValueError if categories that are numbers are one and the same as float64."""
    for column in schema.columns():
        levels = column.levels or ()
        require(
            not levels or isinstance(levels[0], str) or len(set(map(float, levels))) == len(levels),
            f"categories of column {short(column.name)} must be different as float64, got whole numbers beyond 2**53; "
            "fit with them as text",
        )


def check_no_texts(schema: Schema) -> None:
    """Raise a ValueError if there are text columns."""
    names = listed([source for source, _ in schema.texts.values()])
    require(
        not schema.texts,
        f"its columns must hold no text, which ONNX graphs cannot split into words as s2auc does, got {names}; score "
        "with the model file, or fit a second model with these columns in drop",
    )


def _is_matrix(schema: Schema) -> bool:
    return not schema.parts and all(levels is None for levels in schema.levels.values())


def _columns(graph: Graph, name: str, column: LearntColumn) -> list[Tensor]:
    """Return the columns of numbers that a column of the table gives: one, or one a part of dates."""
    if column.parts:
        unit = UNITS[DATE_PARTS[column.parts[0]].kind]
        number = graph.input(name, "DOUBLE", 1, f"{unit}; NaN where missing")
        return [PART_MAKERS[part](number) for part in column.parts]
    if column.levels and isinstance(column.levels[0], str):
        meaning = "a category, without blanks around it; any other text, such as an empty one, counts as missing"
        text = graph.input(name, "STRING", 1, meaning)
        return [_codes_of_text(text, column.levels)]
    if column.levels:
        number = graph.input(name, "DOUBLE", 1, "a category, False as 0 and True as 1; other numbers count as missing")
        return [_codes_of_numbers(number, column.levels)]
    number = graph.input(name, "DOUBLE", 1, "NaN where missing")
    return [number if column.levels is None else number * np.nan]  # of no category, all are strangers


def _codes_of_text(text: Tensor, levels: tuple[Level, ...]) -> Tensor:
    graph = text.graph
    codes = graph.add(
        "LabelEncoder",
        text,
        domain="ai.onnx.ml",
        keys_strings=list(levels),
        values_int64s=list(range(len(levels))),
        default_int64=-1,
    ).cast("DOUBLE")
    return graph.where(codes < 0.0, np.nan, codes)


def _codes_of_numbers(number: Tensor, levels: tuple[Level, ...]) -> Tensor:
    values = np.array(levels, dtype=np.float64)
    order = np.argsort(values)
    tables = SortedTables([values[order]], number.held(MAX_DIFFERENCE))
    is_known = tables.reached == number
    return number.graph.where(is_known, tables.look_up([order.astype(np.float64)]), np.nan)


def _month(days: Any) -> Any:
    """Return the month of the Gregorian calendar, whose years begin in March here: leap days then end them."""
    since_march = np.floor(days) + 719_468.0  # since 0000-03-01
    in_era = since_march - 146_097.0 * np.floor(since_march / 146_097.0)  # 400 years
    leaps = np.floor(in_era / 1_460.0) - np.floor(in_era / 36_524.0) + np.floor(in_era / 146_096.0)
    year = np.floor((in_era - leaps) / 365.0)
    in_year = in_era - (365.0 * year + np.floor(year / 4.0) - np.floor(year / 100.0))
    from_march = np.floor((5.0 * in_year + 2.0) / 153.0)
    from_january = from_march + 2.0
    return from_january - 12.0 * np.floor(from_january / 12.0) + 1.0


def _weekday(days: Any) -> Any:
    since_monday = np.floor(days) + 3.0  # 1970 began on a Thursday
    return since_monday - 7.0 * np.floor(since_monday / 7.0)


def _hour(days: Any) -> Any:
    # Days as float64 tell microseconds apart, but do not add up to them: they are rounded to whole ones.
    return np.floor((days - np.floor(days)) * 86_400e6 + 0.5) / 3_600e6


PART_MAKERS: Mapping[str, Callable[[Any], Tensor]] = MappingProxyType(
    {"month": _month, "weekday": _weekday, "hour": _hour}
    | dict.fromkeys(("day", "time", "seconds"), lambda number: number)
)
"""What makes each of `s2auc.data.schema.date_parts.DATE_PARTS` of a number; NumPy's arrays may stand for tensors."""
