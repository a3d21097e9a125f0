"""Rules that make two classes of a label column with more values: one against the rest, grades, values left out."""

import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from s2auc.common.arrays import BoolArray
from s2auc.common.errors import InputError
from s2auc.data.labels.labeled_rows import LabeledRows
from s2auc.data.labels.values import is_equal, kind_of

_COMPARISON = re.compile(r"\s*(>=|<=|>|<)\s*([+-]?[0-9.]+(?:[eE][+-]?[0-9]+)?)\s*")
_COMPARE: dict[str, tuple[Callable[[Any, Any], Any], str]] = {
    ">=": (operator.ge, "<"),
    "<=": (operator.le, ">"),
    ">": (operator.gt, "<="),
    "<": (operator.lt, ">="),
}


_BOOLEANS = {True: ("true", "yes"), False: ("false", "no")}
"""Spellings of booleans: some programs make these of words."""


@dataclass(frozen=True)
class LabelRule:
    """Which values of a label column are positive and which negative.

    Attributes
    ----------
    positive
        The positive value, or a comparison such as ``">=7"`` of numbers; None if the column has two classes already,
        and some values besides that are ignored.
    negative
        The negative values; empty if all others are.
    ignored
        Values that are as good as blank.

    Examples
    --------
    >>> rule = LabelRule("fraud", ignored=("unclear",))
    >>> found = LabeledRows(9, np.arange(4), np.array(["fraud", "ok", "unclear", "abuse"]), has_marked=False)
    >>> rule.apply(found).values.tolist()
    ['fraud', 'not fraud', 'not fraud']
    """

    positive: Any = None
    negative: tuple[Any, ...] = ()
    ignored: tuple[Any, ...] = ()

    @property
    def classes(self) -> tuple[str, str]:
        """The names of the negative and the positive class, which are text."""
        comparison = read_comparison(self.positive)
        if comparison is not None:
            sign, number = comparison
            return f"{_COMPARE[sign][1]}{number:g}", f"{sign}{number:g}"
        return str(self.negative[0]) if len(self.negative) == 1 else f"not {self.positive}", str(self.positive)

    def apply(self, found: LabeledRows) -> LabeledRows:
        """Return labelled rows with the two classes as labels, without those that have neither."""
        distinct, places = np.unique(found.values, return_inverse=True)
        values: list[Any] = distinct.tolist()
        is_kept = ~self._are_among(values, self.ignored)
        if self.positive is None:
            kept = is_kept[places]
            return LabeledRows(found.n_rows, found.numbers[kept], found.values[kept], found.has_marked)
        is_positive = self._are_positive(values)
        if self.negative:
            is_kept &= is_positive | self._are_among(values, self.negative)
        kept = is_kept[places]
        labels = np.where(is_positive[places], *reversed(self.classes))
        return LabeledRows(found.n_rows, found.numbers[kept], labels[kept], found.has_marked)

    def passed_over(self, count_of: Mapping[Any, int]) -> dict[Any, int]:
        """Return the values that are neither positive nor negative, given the number of rows with each value."""
        values = list(count_of)
        one_each = LabeledRows(len(values), np.arange(len(values)), np.array(values), has_marked=False)
        kept = set(self.apply(one_each).numbers.tolist())
        return {value: count_of[value] for place, value in enumerate(values) if place not in kept}

    def negative_among(self, count_of: Mapping[Any, int]) -> dict[Any, int]:
        """Return the negative values, given the number of rows with each value; none without a positive one."""
        if self.positive is None:
            return {}
        is_positive, neither = self._are_positive(list(count_of)), self.passed_over(count_of)
        values = [value for value, mark in zip(count_of, is_positive, strict=True) if not mark and value not in neither]
        return {value: count_of[value] for value in values}

    def as_dict(self) -> Any:
        """Return plain values, such as JSON holds."""
        return {"positive": self.positive, "negative": list(self.negative), "ignored": list(self.ignored)}

    @classmethod
    def of_dict(cls, entries: Mapping[str, Any]) -> "LabelRule":
        """Return the rule that `as_dict` described."""
        return cls(entries["positive"], tuple(entries["negative"]), tuple(entries["ignored"]))

    def _are_positive(self, values: list[Any]) -> BoolArray:
        comparison = read_comparison(self.positive)
        if comparison is None:
            return self._are_among(values, (self.positive,))
        compare, number = _COMPARE[comparison[0]][0], comparison[1]
        strange = next((value for value in values if kind_of(value) != "number"), None)
        if strange is not None:
            rule = "be a value of the label column, or compare its numbers"
            found = f"{self.positive!r}, while the column holds {strange!r}"
            raise InputError(rule, parameter="positive", found=found, fix="name a value")
        return np.array([compare(value, number) for value in values], dtype=bool)

    @staticmethod
    def _are_among(values: list[Any], wanted: tuple[Any, ...]) -> BoolArray:
        return np.array([any(is_value(value, other) for other in wanted) for value in values], dtype=bool)


def read_comparison(text: Any) -> tuple[str, float] | None:
    """Return the sign and the number of a comparison such as ``">=7"``; None if it is none.

    Examples
    --------
    >>> read_comparison(">= 7"), read_comparison("fraud")
    (('>=', 7.0), None)
    """
    match = _COMPARISON.fullmatch(text) if isinstance(text, str) else None
    try:
        return None if match is None else (match[1], float(match[2]))
    except ValueError:
        return None


def is_value(value: Any, wanted: Any) -> bool:
    """Return whether a label is the one that is wanted, or is spelled like it.

    Examples
    --------
    >>> is_value(1, "1"), is_value(True, "Yes"), is_value("yes", "Yes")
    (True, True, False)
    """
    if is_equal(value, wanted):
        return True
    text, typed = (value, wanted) if isinstance(value, str) else (wanted, value)
    if not isinstance(text, str) or isinstance(typed, str):
        return False
    if kind_of(typed) == "boolean":
        return text.strip().lower() in _BOOLEANS[bool(typed)]
    try:
        return kind_of(typed) == "number" and float(text) == float(typed)
    except ValueError:
        return False
