"""Estimates, settings, learning curve and shift of the record of a model, in the form in which a report tells them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from s2auc.data.features.shift import SHIFT_LEVEL
from s2auc.data.schema.schema import Schema
from s2auc.models.record import Record
from s2auc.models.record import RecordedEstimate as EstimateEntry
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
    def of(cls, entry: EstimateEntry | None) -> "RecordedEstimate | None":
        """Return an AUC of a record, its interval only if it can be one; None if it is no AUC."""
        if entry is None or not 0 <= entry["value"] <= 1:
            return None
        value, low, high, level = entry["value"], entry["low"], entry["high"], entry["level"]
        is_interval = 0 <= low <= value <= high <= 1 and 0 < level < 1
        return cls(value, low, high, level) if is_interval else cls(value, None, None, 0.95)


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

    parameters: dict[str, Any]
    mean_auc: float | None
    is_chosen: bool
    share: float | None


def recorded_settings(record: Record) -> list[RecordedSetting]:
    """Return what was tried and chosen; nothing if a record does not tell."""
    chosen = record.get("settings_chosen", [])
    shares: Mapping[int, float | None] = dict(zip(chosen, record.get("shares", [None] * len(chosen)), strict=True))
    return [
        RecordedSetting(entry, _auc(entry.get("mean_auc")), place in shares, shares.get(place))
        for place, entry in enumerate(record.get("settings_tried", []))
    ]


def recorded_curve(record: Record) -> list[tuple[int, RecordedEstimate]]:
    """Return the AUC by the number of labels, in the order of these; empty if a record does not tell."""
    points = [(point["n_labels"], RecordedEstimate.of(point)) for point in record.get("learning_curve", [])]
    found = [(n_labels, estimate) for n_labels, estimate in points if n_labels > 0 and estimate is not None]
    return sorted(found, key=lambda point: point[0])[:MAX_POINTS]


def recorded_shift(record: Record, schema: Schema) -> tuple[str, float] | None:
    """Return the column in which labelled and unlabelled rows differ, and how surely, if that is worth a warning."""
    shift = record.get("shift")
    if shift is None or not shift["p_value"] < SHIFT_LEVEL:
        return None
    column = shift["column"]
    if column not in schema.places or schema.names is None:
        return f"column {shown(column)}", shift["p_value"]
    return f"column “{shown(schema.column_labels[schema.places.index(column)])}”", shift["p_value"]


def _auc(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and 0 <= value <= 1 else None
