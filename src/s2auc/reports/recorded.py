"""What the record of a model says, made ready to be told: whoever wrote it, nothing here raises an error."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from s2auc.common.arrays import BoolArray, FloatArray
from s2auc.data.features.shift import SHIFT_LEVEL
from s2auc.data.schema.schema import Schema
from s2auc.models.record_entries import find_entry, number_entry
from s2auc.reports.markup import shown

MAX_POINTS = 40
"""Points of a learning curve that are drawn."""


@dataclass(frozen=True)
class RecordedEstimate:
    """A number with its interval, as far as a record tells."""

    value: float
    low: float | None
    high: float | None
    level: float

    @classmethod
    def of(cls, entry: Any) -> "RecordedEstimate | None":
        """Return what an entry says; None if it says nothing that an AUC can be."""
        value, low, high, level = (number_entry(entry, name) for name in ("value", "low", "high", "level"))
        if value is None or not 0 <= value <= 1:
            return None
        has_interval = low is not None and high is not None and level is not None and 0 <= low <= value <= high <= 1
        if not has_interval or level is None or not 0 < level < 1:
            return cls(float(value), None, None, 0.95)
        return cls(float(value), low, high, float(level))


@dataclass(frozen=True, eq=False)
class RecordedSettings:
    """The settings that a search tried.

    Attributes
    ----------
    settings
        Each as a record holds it.
    means
        The mean AUC of each on rows held out, NaN where it is not known.
    is_chosen, shares
        Which of them the model is made of, and how much each counts, NaN where it is not known.
    """

    settings: list[Mapping[Any, Any]]
    means: FloatArray
    is_chosen: BoolArray
    shares: FloatArray


def recorded_settings(record: Any) -> RecordedSettings | None:
    """Return what was tried and chosen; None if a record does not tell."""
    tried, chosen, shares = (find_entry(record, name) for name in ("settings_tried", "settings_chosen", "shares"))
    if not isinstance(tried, list) or not tried:
        return None
    settings = [entry if isinstance(entry, Mapping) else {} for entry in tried]
    means = np.array([_number(entry, "mean_auc") for entry in settings])
    is_chosen, share = np.zeros(len(settings), dtype=bool), np.full(len(settings), np.nan)
    places = chosen if isinstance(chosen, list) else []
    known = shares if isinstance(shares, list) and len(shares) == len(places) else [None] * len(places)
    for place, value in zip(places, known, strict=True):
        if type(place) is int and 0 <= place < len(settings):
            is_chosen[place] = True
            share[place] = _number({"share": value}, "share")
    return RecordedSettings(settings, np.where((means >= 0) & (means <= 1), means, np.nan), is_chosen, share)


def recorded_curve(record: Any) -> list[tuple[int, RecordedEstimate]]:
    """Return the AUC by the number of labels, in the order of these; empty if a record does not tell."""
    entries = find_entry(record, "learning_curve")
    found = []
    for entry in entries[: 10 * MAX_POINTS] if isinstance(entries, list) else ():
        n_labels, estimate = number_entry(entry, "n_labels"), RecordedEstimate.of(entry)
        if n_labels is not None and n_labels > 0 and estimate is not None:
            found.append((int(n_labels), estimate))
    return sorted(found, key=lambda point: point[0])[:MAX_POINTS]


def recorded_shift(record: Any, schema: Schema) -> tuple[str, float] | None:
    """Return the column in which labelled and unlabelled rows differ, and how surely, if that is worth a warning."""
    column, p_value = find_entry(record, "shift", "column"), number_entry(record, "shift", "p_value")
    if p_value is None or not p_value < SHIFT_LEVEL:
        return None
    place = schema.places.index(column) if type(column) is int and column in schema.places else None
    if place is None or schema.names is None:
        return f"column {shown(column)}", float(p_value)
    return f"column “{shown(schema.column_labels[place])}”", float(p_value)


def recorded_columns(record: Any) -> list[Mapping[Any, Any]]:
    """Return what a record says of columns."""
    columns = find_entry(record, "columns")
    return [column for column in columns if isinstance(column, Mapping)] if isinstance(columns, list) else []


def _number(entry: Mapping[Any, Any], name: str) -> float:
    value = number_entry(entry, name)
    return float("nan") if value is None else float(value)
