"""A model's part that sees components of the columns: other parts, after one projection that they share."""

from collections.abc import Mapping
from dataclasses import dataclass
from reprlib import repr as shown
from typing import Any, Self

import numpy as np

from s2auc.common.arrays import FloatArray
from s2auc.data.features.projection import Projection
from s2auc.data.sources.rows import Rows
from s2auc.models.part_checks import check_numbers
from s2auc.models.part_lists import arrays_by_part, arrays_of_parts, decode_part, describe_parts, kind_of_part
from s2auc.models.parts.bounds import finite_components
from s2auc.models.parts.part import Part
from s2auc.models.plain_parts import PLAIN_PARTS
from s2auc.models.strict_json import fields_of


@dataclass(frozen=True, eq=False)
class ProjectedPart:
    """The sum of parts that score the components of a row; rows are projected once for all of them.

    Examples
    --------
    >>> from s2auc.data.features.scaling import ColumnScaling
    >>> from s2auc.models.parts.linear import LinearPart
    >>> inner = LinearPart(ColumnScaling(np.zeros(1), np.ones(1)), np.array([2.0]))
    >>> part = ProjectedPart(Projection(np.array([[1.0], [0.5]])), (inner,))
    >>> part.score(np.array([[1.0, 4.0]])).tolist()
    [6.0]
    """

    projection: Projection
    parts: tuple[Part, ...]

    @property
    def takes_missing(self) -> bool:
        """Whether missing values can be scored: they count as zero."""
        return True

    def score(self, X: Rows) -> FloatArray:
        """Return the part's score of every row."""
        components = finite_components(self.projection, X)
        scores: FloatArray = np.sum([part.score(components) for part in self.parts], axis=0)
        return scores

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
        if not isinstance(values, list) or not values:
            raise ValueError(f"its parts must be a list of at least one, got {shown(values)}")
        numbers = dict(arrays)
        if "matrix" not in numbers:
            raise ValueError(f"its arrays must have the name 'matrix', got {shown(sorted(numbers))}")
        projection = Projection(numbers.pop("matrix"))
        grouped = arrays_by_part(numbers, len(values))
        parts = (decode_part(value, grouped[place], place, PLAIN_PARTS) for place, value in enumerate(values))
        return cls(projection, tuple(parts))

    def check(self, place: int, n_columns: int) -> None:
        """Raise a ValueError that names the first thing wrong with the part, which scores rows of so many columns."""
        matrix = self.projection.matrix
        check_numbers(matrix, "matrix", place, n_dimensions=2)
        if matrix.shape[0] != n_columns or not matrix.shape[1]:
            raise ValueError(
                f"matrix of part {place} must have a row for each of {n_columns} columns, and columns, got shape "
                f"{matrix.shape}"
            )
        if not self.parts:
            raise ValueError(f"part {place} must have at least one part inside, got none")
        for number, part in enumerate(self.parts):
            try:
                kind_of_part(part, PLAIN_PARTS)
                part.check(number, self.projection.n_components)
            except ValueError as error:
                raise ValueError(f"inside part {place}, {error}") from error
