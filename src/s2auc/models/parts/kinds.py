"""The kinds of parts, lists of parts as a file has them, and the part that sees components of the columns."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from reprlib import repr as shown
from types import MappingProxyType
from typing import Any, ClassVar, Self

from s2auc.common.arrays import FloatArray
from s2auc.data.features.projection import Projection
from s2auc.data.sources.rows import Rows
from s2auc.models.checks import require
from s2auc.models.parts.bounds import check_numbers, finite_components
from s2auc.models.parts.cosine import CosinePart
from s2auc.models.parts.kernel import KernelPart
from s2auc.models.parts.linear import LinearPart
from s2auc.models.parts.part import Part, sum_scores
from s2auc.models.parts.trees.part import TreePart
from s2auc.models.strict_json import fields_of

PLAIN_PARTS: Mapping[str, type[Part]] = MappingProxyType(
    {"cosines": CosinePart, "kernels": KernelPart, "linear": LinearPart, "trees": TreePart}
)
"""Parts that read the columns of rows as they are. `cosines`: random Fourier features, from a seed; `kernels`: kernels
at rows that are kept; `linear`: columns by their weights; `trees`: the mean over a forest."""

_ARRAY_NAME = re.compile(r"parts\.(0|[1-9][0-9]{0,8})\.(.+)", flags=re.ASCII | re.DOTALL)


def kind_of_part(part: Part, kinds: Mapping[str, type[Part]]) -> str:
    """Return the name of a part's kind in a table; a ValueError if it has none.

    Examples
    --------
    >>> import numpy as np
    >>> from s2auc.data.features.scaling import ColumnScaling
    >>> kind_of_part(LinearPart(ColumnScaling(np.zeros(1), np.ones(1)), np.ones(1)), PLAIN_PARTS)
    'linear'
    """
    names = [name for name, kind in kinds.items() if type(part) is kind]
    require(bool(names), f"its parts must be of the kinds {sorted(kinds)}, got one of type {type(part).__name__}")
    return names[0]


def describe_parts(parts: Sequence[Part], kinds: Mapping[str, type[Part]]) -> list[dict[str, Any]]:
    """Return what a file says about each part in words."""
    return [{"kind": kind_of_part(part, kinds), **part.description()} for part in parts]


def arrays_of_parts(parts: Sequence[Part]) -> dict[str, FloatArray]:
    """Return the arrays of all parts, by names that tell whose they are."""
    return {f"parts.{place}.{name}": array for place, part in enumerate(parts) for name, array in part.arrays().items()}


def decode_parts(
    values: list[Any], arrays: Mapping[str, FloatArray], kinds: Mapping[str, type[Part]]
) -> tuple[Part, ...]:
    """Return the parts that a file describes, each of one of some kinds."""
    grouped: list[dict[str, FloatArray]] = [{} for _ in values]
    for name, array in arrays.items():
        match = _ARRAY_NAME.fullmatch(name)
        if match is None or int(match[1]) >= len(values):
            raise ValueError(f"its arrays must be those of its {len(values)} parts, got {shown(name)}")
        grouped[int(match[1])][match[2]] = array
    parts = []
    for place, value in enumerate(values):
        words = dict(value) if isinstance(value, dict) else {}
        kind = words.pop("kind", None)
        is_known = isinstance(kind, str) and kind in kinds
        require(is_known, f"the kind of part {place} must be one of {sorted(kinds)}, got {shown(kind)}")
        try:
            parts.append(kinds[kind].from_file(words, grouped[place]))
        except ValueError as error:
            raise ValueError(f"in part {place}, {error}") from error
    return tuple(parts)


@dataclass(frozen=True, eq=False)
class ProjectedPart:
    """The sum of parts that score the components of a row; rows are projected once for all of them.

    Examples
    --------
    >>> import numpy as np
    >>> from s2auc.data.features.scaling import ColumnScaling
    >>> inner = LinearPart(ColumnScaling(np.zeros(1), np.ones(1)), np.array([2.0]))
    >>> part = ProjectedPart(Projection(np.array([[1.0], [0.5]])), (inner,))
    >>> part.score(np.array([[1.0, 4.0]])).tolist()
    [6.0]
    """

    takes_missing: ClassVar[bool] = True  # they count as zero

    projection: Projection
    parts: tuple[Part, ...]

    def score(self, X: Rows) -> FloatArray:
        """Return the part's score of every row."""
        return sum_scores(self.parts, finite_components(self.projection, X))

    def description(self) -> dict[str, Any]:
        """Return what a file says about the part in words."""
        return {"parts": describe_parts(self.parts, PLAIN_PARTS)}

    def arrays(self) -> dict[str, FloatArray]:
        """Return the numbers that a file keeps of the part."""
        return {"matrix": self.projection.matrix} | arrays_of_parts(self.parts)

    @classmethod
    def from_file(cls, description: Mapping[str, Any], arrays: Mapping[str, FloatArray]) -> Self:
        """Return the part that a file describes; its values are for `check` to judge."""
        values = fields_of(description, "description", {"parts"})["parts"]
        sentence = f"its parts must be a list of at least one, got {shown(values)}"
        require(isinstance(values, list) and len(values) > 0, sentence)
        numbers = dict(arrays)
        require("matrix" in numbers, f"its arrays must have the name 'matrix', got {shown(sorted(numbers))}")
        return cls(Projection(numbers.pop("matrix")), decode_parts(values, numbers, PLAIN_PARTS))

    def check(self, place: int, n_columns: int) -> None:
        """Raise a ValueError that names the first thing wrong with the part, which scores rows of so many columns."""
        matrix = self.projection.matrix
        check_numbers(matrix, "matrix", place, n_dimensions=2)
        require(
            matrix.shape[0] == n_columns and matrix.shape[1] > 0,
            f"matrix of part {place} must have a row for each of {n_columns} columns, and columns, got shape "
            f"{matrix.shape}",
        )
        require(len(self.parts) > 0, f"part {place} must have at least one part inside, got none")
        for number, part in enumerate(self.parts):
            try:
                kind_of_part(part, PLAIN_PARTS)
                part.check(number, self.projection.n_components)
            except ValueError as error:
                raise ValueError(f"inside part {place}, {error}") from error


PARTS: Mapping[str, type[Part]] = MappingProxyType({**PLAIN_PARTS, "projected": ProjectedPart})
"""Those that read columns as they are (`PLAIN_PARTS`), and `projected`: several of these, on components of columns."""
