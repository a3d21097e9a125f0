"""Forests as the operator of ONNX has them: lists of nodes, each with its tree, its number and its children."""

from typing import Any

import numpy as np

from s2auc.common.arrays import AnyArray, FloatArray
from s2auc.models.onnx.graph import Graph, Tensor
from s2auc.models.parts.trees.part import TreePart
from s2auc.models.parts.trees.tables import LEAF, TreeTables

NODE_BYTES = 60
"""That a node takes in a file, at most."""


def sum_leaves(part: TreePart, rows: Tensor) -> Tensor:
    """Return the sum of the leaf values of rows that are scaled, (n, 1).

    Rows are compared in float32, thresholds are the largest float32 not above those of the part, so rows arrive at the
    leaves that they arrive at in `s2auc.models.parts.trees.scoring`. Values are added in float64; the operator gives their sum
    in float32.
    """
    tables, is_leaf = TreeTables.of_preorder(part.column, part.number), part.column == LEAF
    number = np.arange(len(is_leaf))
    tree = np.searchsorted(tables.first, number, side="right") - 1
    place = number - tables.first[tree]  # within the tree
    children = {
        "nodes_truenodeids": np.where(is_leaf, 0, place + 1),
        "nodes_falsenodeids": np.where(is_leaf, 0, tables.right - tables.first[tree]),
    }
    leaves = {
        "target_treeids": tree[is_leaf],
        "target_nodeids": place[is_leaf],
        "target_ids": np.zeros(np.count_nonzero(is_leaf), dtype=np.int64),
    }
    nodes: dict[str, AnyArray] = {
        "nodes_treeids": tree,
        "nodes_nodeids": place,
        "nodes_featureids": tables.column,
        "nodes_modes": np.where(is_leaf, "LEAF", "BRANCH_LEQ"),
    }
    threshold = np.where(is_leaf, np.float32(0.0), tables.threshold).astype(np.float64)
    return rows.graph.add(
        "TreeEnsembleRegressor",
        rows.cast("FLOAT").cast("DOUBLE"),
        domain="ai.onnx.ml",
        n_targets=1,
        nodes_values_as_tensor=_tensor(rows.graph, threshold),
        target_weights_as_tensor=_tensor(rows.graph, tables.value[is_leaf]),
        **{name: array.tolist() for name, array in (nodes | children | leaves).items()},
    ).cast("DOUBLE")


def _tensor(graph: Graph, array: FloatArray) -> Any:
    return graph.onnx.numpy_helper.from_array(array, "numbers")
