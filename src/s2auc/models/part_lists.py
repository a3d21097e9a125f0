"""Lists of parts as a file has them: each by its kind and its words, and arrays by the part's place and their name."""

import re
from collections.abc import Mapping, Sequence
from reprlib import repr as shown
from typing import Any, TypeVar

from s2auc.common.arrays import FloatArray
from s2auc.models.parts.part import Part

_ARRAY_NAME = re.compile(r"parts\.(0|[1-9][0-9]{0,8})\.(.+)", flags=re.ASCII | re.DOTALL)

Held = TypeVar("Held")


def kind_of_part(part: Part, kinds: Mapping[str, type[Part]]) -> str:
    """Return the name of a part's kind in a table; a ValueError if it has none.

    Examples
    --------
    >>> import numpy as np
    >>> from s2auc.data.features.scaling import ColumnScaling
    >>> from s2auc.models.parts.linear import LinearPart
    >>> kind_of_part(LinearPart(ColumnScaling(np.zeros(1), np.ones(1)), np.ones(1)), {"linear": LinearPart})
    'linear'
    """
    for name, kind in kinds.items():
        if type(part) is kind:
            return name
    raise ValueError(f"its parts must be of the kinds {sorted(kinds)}, got one of type {type(part).__name__}")


def describe_parts(parts: Sequence[Part], kinds: Mapping[str, type[Part]]) -> list[dict[str, Any]]:
    """Return what a file says about each part in words."""
    return [{"kind": kind_of_part(part, kinds), **part.description()} for part in parts]


def arrays_of_parts(parts: Sequence[Part]) -> dict[str, FloatArray]:
    """Return the arrays of all parts, by names that tell whose they are."""
    return {f"parts.{place}.{name}": array for place, part in enumerate(parts) for name, array in part.arrays().items()}


def arrays_by_part(arrays: Mapping[str, Held], n_parts: int) -> list[dict[str, Held]]:
    """Return what each part has of some arrays, by its own name; a ValueError if one is nobody's.

    Examples
    --------
    >>> arrays_by_part({"parts.1.sine": "array"}, n_parts=2)
    [{}, {'sine': 'array'}]
    """
    grouped: list[dict[str, Held]] = [{} for _ in range(n_parts)]
    for name, array in arrays.items():
        match = _ARRAY_NAME.fullmatch(name)
        if match is None or int(match[1]) >= n_parts:
            raise ValueError(f"its arrays must be those of its {n_parts} parts, got {shown(name)}")
        grouped[int(match[1])][match[2]] = array
    return grouped


def decode_part(value: Any, arrays: Mapping[str, FloatArray], place: int, kinds: Mapping[str, type[Part]]) -> Part:
    """Return the part that a file describes, of one of some kinds."""
    words = dict(value) if isinstance(value, dict) else {}
    kind = words.pop("kind", None)
    if not isinstance(kind, str) or kind not in kinds:
        raise ValueError(f"the kind of part {place} must be one of {sorted(kinds)}, got {shown(kind)}")
    try:
        return kinds[kind].from_file(words, arrays)
    except ValueError as error:
        raise ValueError(f"in part {place}, {error}") from error
