"""One column of a table as it was learnt, before it takes its place among the columns of a model."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import isfinite
from numbers import Integral
from typing import Any

import numpy as np

from s2auc.data.schema.column_names import Name
from s2auc.data.schema.date_parts import part_name

Level = str | bool | int | float
"""The type of a category."""


@dataclass(frozen=True)
class LearntColumn:
    """One column of a table as it was learnt.

    Attributes
    ----------
    name
        What it is called, or its number.
    is_categorical
        Whether it holds categories.
    levels
        These, in the order of their codes; None where numbers stand for themselves.
    parts
        If it holds dates, times or durations: the parts that are read, in the order of `date_parts.PARTS`.
    reading
        How its cells are read where they are text (`text_readings.READINGS`); None for the usual way.
    """

    name: Name
    is_categorical: bool = False
    levels: tuple[Level, ...] | None = None
    parts: tuple[str, ...] = ()
    reading: str | None = None

    def named_parts(self) -> Iterator[tuple[str, str]]:
        """Yield what the column of each part is called, and the part."""
        for part in self.parts:
            yield part_name(str(self.name), part), part


def sorted_levels(values: Iterable[Any], display_name: str) -> tuple[Level, ...]:
    """Return the categories of a column, each once and sorted, or raise a ValueError if one is infinite.

    Examples
    --------
    >>> sorted_levels(["b", "a", "b"], "'city' of X"), sorted_levels([2, 1.5], "'size' of X")
    (('a', 'b'), (1.5, 2.0))
    """
    levels = sorted(plain_levels(list(dict.fromkeys(values))))
    strange = [level for level in levels if isinstance(level, float) and not isfinite(level)]
    if strange:
        raise ValueError(
            f"Column {display_name} must hold finite numbers or other categories. Got {strange[0]}; replace "
            "infinity by a "
            "missing value."
        )
    return tuple(levels)


def plain_levels(levels: list[Any]) -> list[Any]:
    """Return levels of one kind as Python's own booleans, texts, integers, or floats if any of them is one.

    Examples
    --------
    >>> plain_levels([np.int64(1), True]), plain_levels([1, 2.5])
    ([1, 1], [1.0, 2.5])
    """
    if all(isinstance(level, str) for level in levels):
        return [str.__str__(level) for level in levels]
    if all(isinstance(level, bool | np.bool_) for level in levels):
        return [bool(level) for level in levels]
    if all(isinstance(level, Integral) for level in levels):
        return [int(level) for level in levels]
    return [float(level) for level in levels]
