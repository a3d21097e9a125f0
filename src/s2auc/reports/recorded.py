"""Entries of a model's record, ready to be printed: whoever wrote the record, nothing here raises an error."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

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


@dataclass(frozen=True)
class RecordedSetting:
    """A setting that a search tried.

    Attributes
    ----------
    parameters
        What a record holds of it.
    mean_auc
        Its mean AUC on rows held out, None where it is not known.
    is_chosen, share
        Whether the model is made of it, and how much it counts, None where it is not known.
    """

    parameters: Mapping[Any, Any]
    mean_auc: float | None
    is_chosen: bool
    share: float | None


def recorded_settings(record: Any) -> list[RecordedSetting]:
    """Return what was tried and chosen; nothing if a record does not tell."""
    tried, chosen, shares = (_list(record, name) for name in ("settings_tried", "settings_chosen", "shares"))
    known = shares if len(shares) == len(chosen) else [None] * len(chosen)
    share_of = {place: share for place, share in zip(chosen, known, strict=True) if type(place) is int}
    found = []
    for place, entry in enumerate(tried):
        mean, share = number_entry(entry, "mean_auc"), number_entry({"share": share_of.get(place)}, "share")
        mean = mean if mean is not None and 0 <= mean <= 1 else None
        found.append(RecordedSetting(entry if isinstance(entry, Mapping) else {}, mean, place in share_of, share))
    return found


def recorded_curve(record: Any) -> list[tuple[int, RecordedEstimate]]:
    """Return the AUC by the number of labels, in the order of these; empty if a record does not tell."""
    found = []
    for entry in _list(record, "learning_curve")[: 10 * MAX_POINTS]:
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
    return [column for column in _list(record, "columns") if isinstance(column, Mapping)]


def _list(record: Any, name: str) -> list[Any]:
    entries = find_entry(record, name)
    return entries if isinstance(entries, list) else []
