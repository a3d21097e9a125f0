"""Data drift: columns of rows that are scored, compared with those of the fit."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isfinite, log
from typing import Any

import numpy as np

from s2auc.common.arrays import BoolArray, FloatArray, IndexArray
from s2auc.common.user_warnings import warn_user
from s2auc.data.features.encoding import Kind
from s2auc.data.schema.column_names import short
from s2auc.data.sources.rows import Rows, count_rows, dense_rows
from s2auc.models.model import Model
from s2auc.models.parts.part import ColumnPart
from s2auc.models.record import Record

LOOKED_AT_VALUES, MIN_OF_CHUNK = 2**15, 64
"""Values of a chunk that are looked at, those of rows at equal distances, but never fewer rows than these."""

MIN_ROWS = 30
"""Of fewer rows, scored or fitted, or of fewer values of a column, nothing is said."""

FAR = 2.0
"""Deviations between means, besides what chance explains: `CHANCE` standard errors."""

CHANCE = 5.0

MOSTLY, SELDOM = 0.5, 0.25
"""Shares: more rows than the first are most of them, fewer than the second are few."""

NEARLY_ALL = 0.975
"""More rows than this share lie above the median of the fit, or below, if a normal column moves by `FAR` deviations."""

RARE = 1e-6
"""A column with one value in all rows is named if this is less likely by chance."""

TOLERANCE = 1e-6
"""Values outside the range by less, in units of the largest, are inside: they may have been float32 before."""

MAX_NAMED = 3
"""Columns that a warning describes; of more it says how many there are."""


@dataclass(frozen=True, eq=False)
class Tally:
    """What some rows say about their columns: counts, sums, and the smallest and largest values, chunk by chunk."""

    n_rows: int
    n_missing: IndexArray
    n_outside: IndexArray
    n_below: IndexArray
    n_above: IndexArray
    held_total: FloatArray
    low: FloatArray
    high: FloatArray

    def __add__(self, other: "Tally") -> "Tally":
        counts = {name: getattr(self, name) + getattr(other, name) for name in _ADDED}
        return Tally(**counts, low=np.minimum(self.low, other.low), high=np.maximum(self.high, other.high))


_ADDED = "n_rows", "n_missing", "n_outside", "n_below", "n_above", "held_total"


@dataclass(frozen=True, eq=False)
class FittedColumns:
    """What a model's record says about the columns of the rows it was fitted on.

    Attributes
    ----------
    names
        What a sentence calls them.
    is_categorical
        Which of them hold categories: means of their codes say nothing.
    mean, deviation, low, high
        Of the values that were there.
    missing
        The share of rows that lacked a value; NaN if it is not known.
    n_present
        How many values were there; NaN if it is not known.
    median
        Of the values; NaN if it is not known, or the column is a part of dates: rows of one day share a month.
    levels
        The categories, by the number of the column.
    text_of
        What a sentence calls the text column that a column comes from, by the number of the latter.
    """

    names: list[str]
    is_categorical: BoolArray
    mean: FloatArray
    deviation: FloatArray
    low: FloatArray
    high: FloatArray
    missing: FloatArray
    n_present: FloatArray
    median: FloatArray
    levels: Mapping[int, Sequence[Any]] = field(default_factory=dict)
    text_of: Mapping[int, str] = field(default_factory=dict)

    @classmethod
    def from_model(cls, model: Model) -> "FittedColumns | None":
        """Return what a model says; None if its record does not describe every column, or knows few rows."""
        fitted = cls.from_record(model.record, model.n_columns)
        if fitted is None:
            return None
        median = fitted.median.copy()
        for part in model.parts:
            encoding = part.columns.encoding if isinstance(part, ColumnPart) else None
            if encoding is not None:  # medians stand in for missing values
                is_number = np.isin(encoding.kind, [Kind.VALUE, Kind.RANK])
                median[encoding.source[is_number]] = encoding.number[is_number]
        parts, sums = model.schema.parts, model.schema.sum_columns
        median[list(parts)] = np.nan
        # Sums of words were learnt after the rows of the fit were read.
        low, high, mean, median[sums] = fitted.low.copy(), fitted.high.copy(), fitted.mean.copy(), np.nan
        low[sums], high[sums], mean[sums] = -np.inf, np.inf, np.nan
        levels = {column: levels for column, levels in model.schema.levels.items() if levels and column not in parts}
        names = {first: short(source) for first, (source, _) in model.schema.texts.items()}
        blocks = model.schema.text_blocks.items()
        text_of = {number: names[first] for first, block in blocks for number in range(block.start, block.stop)}
        return replace(fitted, median=median, low=low, high=high, mean=mean, levels=levels, text_of=text_of)

    @classmethod
    def from_record(cls, record: Record, n_columns: int) -> "FittedColumns | None":
        """Return what a record says; None if it does not describe every column, or knows few rows."""
        columns, n_sampled = record.get("columns", []), record.get("n_sampled")
        if not columns or len(columns) != n_columns or (n_sampled is not None and n_sampled < MIN_ROWS):
            return None
        numbers = [[column[name] for name in ("mean", "deviation", "low", "high", "n_missing")] for column in columns]
        mean, deviation, low, high, n_missing = np.array(numbers, dtype=np.float64).T
        # How many rows were looked at is not known of older models: that no value was missing is.
        missing = np.where(n_missing == 0, 0.0, np.nan) if n_sampled is None else n_missing / n_sampled
        n_present = (np.nan if n_sampled is None else n_sampled) - n_missing
        is_categorical = np.array([column["kind"] == "categories" for column in columns])
        names = [short(column["name"]) for column in columns]
        median = np.full(n_columns, np.nan)
        return cls(names, is_categorical, mean, deviation, low, high, missing, n_present, median)

    def tally(self, rows: Rows) -> Tally:
        """Return what some of the rows say: those at equal distances that a chunk can be judged by."""
        n_rows = count_rows(rows)
        wanted = max(MIN_OF_CHUNK, LOOKED_AT_VALUES // len(self.names))
        values = dense_rows(rows[:: max(1, n_rows // wanted)])
        margin = TOLERANCE * np.maximum(np.abs(self.low), np.abs(self.high))
        near = TOLERANCE * np.abs(self.median)
        is_missing = np.isnan(values)
        # Values beyond the range count as its ends: one that is a million times too large does not move the mean.
        held = np.where(is_missing, 0.0, np.clip(values, self.low, self.high))
        with np.errstate(over="ignore", invalid="ignore"):
            is_outside = (values < self.low - margin) | (values > self.high + margin)
            return Tally(
                n_rows=len(values),
                n_missing=is_missing.sum(axis=0),
                n_outside=is_outside.sum(axis=0),
                n_below=(values < self.median - near).sum(axis=0),
                n_above=(values > self.median + near).sum(axis=0),
                held_total=held.sum(axis=0),
                low=np.fmin.reduce(values, axis=0, initial=np.inf),
                high=np.fmax.reduce(values, axis=0, initial=-np.inf),
            )

    def describe_drift(self, found: Tally) -> str | None:
        """Return a sentence about the columns that lie far from where they were, the worst ones first; None if none do.

        Parameters
        ----------
        found
            What the rows say that are scored.

        Examples
        --------
        >>> age = {"name": "age", "kind": "numbers", "mean": 40, "deviation": 9, "low": 18, "high": 90, "n_missing": 0}
        >>> fitted = FittedColumns.from_record({"columns": [age]}, 1)
        >>> fitted.describe_drift(fitted.tally(np.full((100, 1), 40.0))) is None
        True
        >>> print(fitted.describe_drift(fitted.tally(np.full((100, 1), 480.0))))
        Data drift: the rows differ from those that the model was fitted on: 100 % of column 'age' lie outside 18 to \
90, where all lay; check units and where the columns come from, or fit the model again.
        """
        if found.n_rows < MIN_ROWS:
            return None
        n_present = found.n_rows - found.n_missing
        missing, outside = found.n_missing / found.n_rows, found.n_outside / np.maximum(n_present, 1)
        mean = found.held_total / np.maximum(n_present, 1)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            gap = np.abs(mean - self.mean) / self.deviation - CHANCE / np.sqrt(np.maximum(n_present, 1))
        aside = np.maximum(found.n_below, found.n_above) / np.maximum(n_present, 1)
        is_constant = self._became_constant(found, n_present)
        worst: dict[int, tuple[float, str]] = {}
        for place, name in enumerate(self.names):
            enough = n_present[place] >= MIN_ROWS
            if missing[place] > MOSTLY and self.missing[place] < SELDOM:
                kind = "missing or unknown categories" if self.is_categorical[place] else "missing"
                text = f"{_percent(missing[place])} of column {name} are {kind}, {_percent(self.missing[place])} were"
                worst[place] = missing[place], text
            elif enough and self.missing[place] == 1:
                continue  # no value was there to compare with, and none counts
            elif enough and outside[place] > MOSTLY:
                limits = f"{self.low[place]:.4g} to {self.high[place]:.4g}"
                text = f"{_percent(outside[place])} of column {name} lie outside {limits}, where all lay"
                worst[place] = outside[place], text
            elif enough and not self.is_categorical[place] and isfinite(gap[place]) and gap[place] > FAR:
                was = f"{self.mean[place]:.4g} ± {self.deviation[place]:.4g}"
                text = f"the mean of column {name} is about {mean[place]:.4g}, it was {was}"
                worst[place] = gap[place] / (gap[place] + FAR), text
            elif enough and is_constant[place]:
                worst[place] = 1.0, f"column {name} is {self._constant(place, found.low[place])}"
            elif enough and aside[place] > NEARLY_ALL:
                side = "below" if found.n_below[place] > found.n_above[place] else "above"
                limit = f"{side} {self.median[place]:.4g}"
                worst[place] = aside[place], f"{_percent(aside[place])} of column {name} lie {limit}, at most half did"
        if not worst:
            return None
        # The sort is stable: equally bad columns stay in their order.
        texts = [text for _, text in sorted(self._texts_once(worst), key=lambda entry: -entry[0])]
        more = f"; and {len(texts) - MAX_NAMED} columns more" if len(texts) > MAX_NAMED else ""
        return (
            f"Data drift: the rows differ from those that the model was fitted on: {'; '.join(texts[:MAX_NAMED])}"
            f"{more}; check units and where the columns come from, or fit the model again."
        )

    def _constant(self, place: int, value: float) -> str:
        """Return the one value of a column, and what it was before."""
        levels = self.levels.get(place)
        if levels is None:
            return f"{value:.4g} in every row, it was {self.mean[place]:.4g} ± {self.deviation[place]:.4g}"
        return f"{short(levels[int(value)])} in every row, it was one of {len(levels):,} categories"

    def _texts_once(self, worst: Mapping[int, tuple[float, str]]) -> list[tuple[float, str]]:
        """Return what is said of columns, in one sentence for all that a text column gives."""
        said: dict[int | str, tuple[float, str]] = {}
        for place, (share, text) in worst.items():
            name = self.text_of.get(place)
            if name is None:
                said[place] = share, text
            else:
                share = max(share, said.get(name, (0.0, ""))[0])
                said[name] = share, f"texts of column {name} are unlike those that the model was fitted on"
        return list(said.values())

    def _became_constant(self, found: Tally, n_present: IndexArray) -> BoolArray:
        """Return which columns have one value in all rows, though too many rows of the fit had another one."""
        value = found.low
        with np.errstate(all="ignore"):
            # The mean squared distance from the value is known, and the largest: at least this share was elsewhere.
            largest = np.maximum(np.abs(self.low - value), np.abs(self.high - value))
            elsewhere = np.square(self.deviation / largest) + np.square((self.mean - value) / largest)
            # If the value lies on one side of the median, at least half of the rows did not.
            is_aside = np.maximum(found.n_below, found.n_above) == n_present
            n_elsewhere = self.n_present * np.where(is_aside, np.fmax(elsewhere, 0.5), elsewhere)
            # The chance that, of all rows in any order, these are in the fit: at most (n_fit / n_all)^n_elsewhere.
            is_rare = n_elsewhere * np.log1p(n_present / self.n_present) > -log(RARE)
        is_known: BoolArray = np.isfinite(self.median)
        is_known[list(self.levels)] = True  # codes of categories have distances, too
        is_one: BoolArray = (found.low == found.high) & is_rare
        return is_known & is_one


def warn_of_drift(model: Model, found: Tally | None) -> None:
    """Warn if columns of rows that a model scored lie far from those of its fit."""
    fitted = FittedColumns.from_model(model)
    told = None if fitted is None or found is None else fitted.describe_drift(found)
    if told:
        warn_user(told)


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"
