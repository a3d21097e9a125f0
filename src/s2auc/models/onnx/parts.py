"""The parts of a model as nodes of an ONNX graph."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Generic, TypeVar

import numpy as np

from s2auc.kernels.frequencies import draw_frequencies
from s2auc.kernels.shift_invariant import KERNELS
from s2auc.models.onnx.encoding import EncodedRows, column_bytes
from s2auc.models.onnx.graph import Tensor
from s2auc.models.onnx_trees import NODE_BYTES, sum_leaves
from s2auc.models.parts.cosine import CosinePart
from s2auc.models.parts.kernel import KernelPart
from s2auc.models.parts.linear import LinearPart
from s2auc.models.parts.part import Part
from s2auc.models.parts.trees.part import TreePart
from s2auc.models.projected_part import ProjectedPart

LARGEST_COMPONENT = 1e300
"""Of projected rows: values are held to what cannot exceed it."""

Exported = TypeVar("Exported", bound=Part)


@dataclass(frozen=True)
class Exporter(Generic[Exported]):
    """How parts of a kind become nodes.

    Attributes
    ----------
    add
        Adds nodes and returns the score of every row, (n, 1).
    count_bytes
        Tells how many bytes they will take in a file at most, but for some thousands.
    """

    add: Callable[[Exported, EncodedRows], Tensor]
    count_bytes: Callable[[Exported], int]


def add_parts(parts: Sequence[Part], rows: EncodedRows) -> Tensor:
    """Add parts to a graph and return the sum of their scores, (n, 1)."""
    scores = [EXPORTERS[type(part)].add(part, rows) for part in parts]
    total = scores[0]
    for score in scores[1:]:
        total = total + score
    return total


def count_bytes(parts: Sequence[Part]) -> int:
    """Return how many bytes parts will take in a file at most, but for some thousands each.

    Examples
    --------
    >>> from s2auc.data.features.scaling import ColumnScaling
    >>> columns = ColumnScaling(np.zeros(10), np.ones(10))
    >>> count_bytes([CosinePart(columns, "gaussian", 1.0, 0, np.ones(1000), np.ones(1000))])
    96160
    """
    return sum(EXPORTERS[type(part)].count_bytes(part) for part in parts)


def _add_cosines(part: CosinePart, rows: EncodedRows) -> Tensor:
    n_columns = len(part.columns.shift)
    frequencies = draw_frequencies(KERNELS[part.kernel], part.gamma, n_columns, part.seed, 0, part.n_frequencies)
    # c·cos z + s·sin z = hypot(c, s)·sin(z + atan2(c, s)): runtimes knew sines in float64 long before cosines.
    angles = rows.scaled(part.columns) @ frequencies.T + np.arctan2(part.cosine, part.sine)
    score: Tensor = np.sin(angles) @ np.hypot(part.cosine, part.sine)[:, None]
    return score


def _add_kernels(part: KernelPart, rows: EncodedRows) -> Tensor:
    scaled, kernel = rows.scaled(part.columns), KERNELS[part.kernel]
    graph = scaled.graph
    # Column by column, as SciPy does it: the difference of large squares would lose digits.
    by_column = graph.add("Unsqueeze", graph.add("Transpose", scaled, perm=[1, 0]), np.array([2]))
    nothing = scaled.summed() * np.zeros((1, part.n_centers))
    add_column = METRICS[kernel.metric]
    distances: Any = graph.fold(add_column, nothing, by_column, graph.constant(part.centers.T[:, None, :]))
    values: Any = kernel.shape(distances, part.gamma)
    score: Tensor = values @ part.coefficients[:, None]
    return score


def _add_squares(total: Any, values: Any, centers: Any) -> Any:
    difference = values - centers
    return total + difference * difference


def _add_distances(total: Any, values: Any, centers: Any) -> Any:
    return total + np.absolute(values - centers)


METRICS: Mapping[str, Callable[..., Tensor]] = MappingProxyType(
    {"sqeuclidean": _add_squares, "cityblock": _add_distances}
)
"""What a column adds to distances, by the names of SciPy."""


def _add_linear(part: LinearPart, rows: EncodedRows) -> Tensor:
    score: Tensor = rows.scaled(part.columns) @ part.weights[:, None]
    return score


def _add_trees(part: TreePart, rows: EncodedRows) -> Tensor:
    scaled = rows.scaled(part.columns)
    score: Tensor = sum_leaves(part, scaled) / part.n_trees * part.share
    # Missing values that nothing stands in for must not pass for numbers.
    return score if part.takes_missing else score + scaled.summed() * 0.0


def _add_projected(part: ProjectedPart, rows: EncodedRows) -> Tensor:
    matrix, graph = part.projection.matrix, rows.rows.graph
    present = graph.where(np.isnan(rows.rows), 0.0, rows.rows)
    largest = LARGEST_COMPONENT / max(1.0, float(np.abs(matrix).max()) * len(matrix))
    return add_parts(part.parts, EncodedRows(present.held(largest) @ matrix))


def _cosine_bytes(part: CosinePart) -> int:
    return 8 * part.n_frequencies * (len(part.columns.shift) + 2) + column_bytes(part.columns)


def _kernel_bytes(part: KernelPart) -> int:
    return 8 * (part.centers.size + 2 * part.n_centers) + column_bytes(part.columns)


def _linear_bytes(part: LinearPart) -> int:
    return 8 * len(part.weights) + column_bytes(part.columns)


def _tree_bytes(part: TreePart) -> int:
    return NODE_BYTES * len(part.column) + column_bytes(part.columns)


def _projected_bytes(part: ProjectedPart) -> int:
    return 8 * part.projection.matrix.size + count_bytes(part.parts)


EXPORTERS: Mapping[type[Any], Exporter[Any]] = MappingProxyType(
    {
        CosinePart: Exporter(_add_cosines, _cosine_bytes),
        KernelPart: Exporter(_add_kernels, _kernel_bytes),
        LinearPart: Exporter(_add_linear, _linear_bytes),
        TreePart: Exporter(_add_trees, _tree_bytes),
        ProjectedPart: Exporter(_add_projected, _projected_bytes),
    }
)
"""For every kind in `PARTS`."""
