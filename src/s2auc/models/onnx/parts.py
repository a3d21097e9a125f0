"""The parts of a model as nodes of an ONNX graph."""

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from operator import add
from types import MappingProxyType
from typing import Any

import numpy as np

from s2auc.common.arrays import AnyArray
from s2auc.kernels.frequencies import draw_frequencies
from s2auc.kernels.shift_invariant import KERNELS
from s2auc.models.onnx.encoding import EncodedRows
from s2auc.models.onnx.graph import Tensor
from s2auc.models.parts.cosine import CosinePart
from s2auc.models.parts.kernel import KernelPart
from s2auc.models.parts.kinds import ProjectedPart
from s2auc.models.parts.linear import LinearPart
from s2auc.models.parts.part import Part
from s2auc.models.parts.trees.part import TreePart
from s2auc.models.parts.trees.tables import LEAF

MAX_COMPONENT = 1e300
"""Of projected rows: values are held to what cannot exceed it."""


def add_parts(parts: Sequence[Part], rows: EncodedRows) -> Tensor:
    """Add parts to a graph and return the sum of their scores, (n, 1)."""
    return reduce(add, [EXPORTERS[type(part)](part, rows) for part in parts])


def count_bytes(parts: Sequence[Part]) -> int:
    """Return how many bytes parts will take in a file at most, but for some thousands each.

    Examples
    --------
    >>> from s2auc.data.features.scaling import ColumnScaling
    >>> columns = ColumnScaling(np.zeros(10), np.ones(10))
    >>> count_bytes([CosinePart(columns, "gaussian", 1.0, 0, np.ones(1000), np.ones(1000))])
    96160
    """
    return sum(map(_count_bytes, parts))


def _count_bytes(part: Part) -> int:
    if isinstance(part, ProjectedPart):
        return 8 * part.projection.matrix.size + count_bytes(part.parts)
    drawn = len(part.cosine) * len(part.columns.shift) if isinstance(part, CosinePart) else 0
    kept = {name: 8 * array.size for name, array in part.arrays().items()}
    # Nodes of trees become lists of integers, and the ranks of columns tables of one length.
    is_larger = {name: isinstance(part, TreePart) or name.startswith("encoding.") for name in kept}
    return 8 * drawn + sum(4 * size if is_larger[name] else size for name, size in kept.items())


def _add_cosines(part: CosinePart, rows: EncodedRows) -> Tensor:
    n_columns = len(part.columns.shift)
    frequencies = draw_frequencies(KERNELS[part.kernel], part.gamma, n_columns, part.seed, 0, len(part.cosine))
    # c·cos z + s·sin z = hypot(c, s)·sin(z + atan2(c, s)): runtimes knew sines in float64 long before cosines.
    angles = rows.scaled(part.columns) @ frequencies.T + np.arctan2(part.cosine, part.sine)
    score: Tensor = np.sin(angles) @ np.hypot(part.cosine, part.sine)[:, None]
    return score


def _add_kernels(part: KernelPart, rows: EncodedRows) -> Tensor:
    scaled, kernel = rows.scaled(part.columns), KERNELS[part.kernel]
    graph = scaled.graph
    # Column by column, as SciPy does it: the difference of large squares would lose digits.
    by_column = graph.add("Unsqueeze", graph.add("Transpose", scaled, perm=[1, 0]), np.array([2]))
    nothing = scaled.summed() * np.zeros((1, len(part.centers)))
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
    score: Tensor = _sum_leaves(part, scaled) / len(part.tables.first) * part.share
    # Missing values that nothing stands in for must not pass for numbers.
    return score if part.takes_missing else score + scaled.summed() * 0.0


def _sum_leaves(part: TreePart, rows: Tensor) -> Tensor:
    """Return the sum of the leaf values of rows that are scaled, (n, 1).

    Rows are compared in float32, thresholds are the largest float32 not above those of the part, so rows arrive at the
    leaves that they arrive at in `parts.trees.scoring`. Values are added in float64; the operator gives their sum
    in float32.
    """
    tables, is_leaf = part.tables, part.column == LEAF
    number = np.arange(len(is_leaf))
    tree = np.searchsorted(tables.first, number, side="right") - 1
    place = number - tables.first[tree]  # within the tree
    lists: dict[str, AnyArray] = {
        "nodes_treeids": tree,
        "nodes_nodeids": place,
        "nodes_featureids": tables.column,
        "nodes_modes": np.where(is_leaf, "LEAF", "BRANCH_LEQ"),
        "nodes_truenodeids": np.where(is_leaf, 0, place + 1),
        "nodes_falsenodeids": np.where(is_leaf, 0, tables.right - tables.first[tree]),
        "target_treeids": tree[is_leaf],
        "target_nodeids": place[is_leaf],
        "target_ids": np.zeros(np.count_nonzero(is_leaf), dtype=np.int64),
    }
    threshold = np.where(is_leaf, np.float32(0.0), tables.threshold).astype(np.float64)
    from_array = rows.graph.onnx.numpy_helper.from_array
    return rows.graph.add(
        "TreeEnsembleRegressor",
        rows.cast("FLOAT").cast("DOUBLE"),
        domain="ai.onnx.ml",
        n_targets=1,
        nodes_values_as_tensor=from_array(threshold, "numbers"),
        target_weights_as_tensor=from_array(tables.value[is_leaf], "numbers"),
        **{name: array.tolist() for name, array in lists.items()},
    ).cast("DOUBLE")


def _add_projected(part: ProjectedPart, rows: EncodedRows) -> Tensor:
    matrix, graph = part.projection.matrix, rows.rows.graph
    present = graph.where(np.isnan(rows.rows), 0.0, rows.rows)
    largest = MAX_COMPONENT / max(1.0, float(np.abs(matrix).max()) * len(matrix))
    return add_parts(part.parts, EncodedRows(present.held(largest) @ matrix))


EXPORTERS: Mapping[type[Any], Callable[[Any, EncodedRows], Tensor]] = MappingProxyType(
    {
        CosinePart: _add_cosines,
        KernelPart: _add_kernels,
        LinearPart: _add_linear,
        TreePart: _add_trees,
        ProjectedPart: _add_projected,
    }
)
"""What adds nodes and returns the score of every row, (n, 1), for every kind in `PARTS`."""
