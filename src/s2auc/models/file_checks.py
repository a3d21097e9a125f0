"""Whether the values of a model make sense: asked before it is saved, and again after a file was read."""

from reprlib import repr as shown
from sys import float_info
from typing import Any

from s2auc.kernels.frequencies import FREQUENCY_VERSION
from s2auc.models.file_classes import check_classes
from s2auc.models.files.schema import check_schema
from s2auc.models.model import Model
from s2auc.models.part_lists import kind_of_part
from s2auc.models.parts.bounds import LARGEST_TOTAL
from s2auc.models.parts.kinds import PARTS
from s2auc.models.record import check_record
from s2auc.ranking.calibration import PlattScaling


def check_model(model: Model) -> None:
    """Raise a ValueError that names the first thing wrong with the values of a model."""
    if model.frequency_version != FREQUENCY_VERSION:
        raise ValueError(f"its frequency_version must be {FREQUENCY_VERSION!r}, got {shown(model.frequency_version)}")
    if not model.parts:
        raise ValueError("it must have at least one part, got none")
    # The parts bound the number of columns, on which everything after them relies.
    for place, part in enumerate(model.parts):
        kind_of_part(part, PARTS)
        part.check(place, model.n_columns)
    if not _is_finite(model.offset) or abs(model.offset) > LARGEST_TOTAL:
        raise ValueError(f"its offset must be a finite float, {LARGEST_TOTAL:g} at most, got {shown(model.offset)}")
    check_classes(model.classes)
    check_schema(model.schema)
    if model.probabilities is not None:
        _check_probabilities(model.probabilities)
    check_record(model.record)


def _check_probabilities(probabilities: PlattScaling) -> None:
    slope, intercept = probabilities.slope, probabilities.intercept
    if not _is_finite(slope) or not 0 < slope <= LARGEST_TOTAL:
        raise ValueError(
            f"the slope of its probabilities must be a finite float > 0, {LARGEST_TOTAL:g} at most, got {shown(slope)}"
        )
    if not _is_finite(intercept) or abs(intercept) > LARGEST_TOTAL:
        raise ValueError(
            f"the intercept of its probabilities must be a finite float, {LARGEST_TOTAL:g} at most, got "
            f"{shown(intercept)}"
        )


def _is_finite(value: Any) -> bool:
    return isinstance(value, int | float) and abs(value) <= float_info.max
