"""The table of all kinds of parts."""

from collections.abc import Mapping
from types import MappingProxyType

from s2auc.models.parts.part import Part
from s2auc.models.plain_parts import PLAIN_PARTS
from s2auc.models.projected_part import ProjectedPart

PARTS: Mapping[str, type[Part]] = MappingProxyType({**PLAIN_PARTS, "projected": ProjectedPart})
"""Those that read columns as they are (`PLAIN_PARTS`), and `projected`: several of these, on components of columns."""
