"""The trees of a forest of scikit-learn as nodes in preorder, one tree after the other."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from s2auc.common.arrays import FloatArray, IndexArray
from s2auc.models.parts.trees.tables import LEAF


def preorder_of(forest: Any) -> tuple[NDArray[np.int32], FloatArray]:
    """Return the column of each node, and its threshold or, at leaves, the probability of the second class.

    Examples
    --------
    >>> from sklearn.ensemble import ExtraTreesClassifier
    >>> forest = ExtraTreesClassifier(2, random_state=0).fit([[0.0], [1.0]], [0, 1])
    >>> preorder_of(forest)[0].tolist()
    [0, -1, -1, 0, -1, -1]
    """
    n_classes = np.size(getattr(forest, "classes_", ()))
    if n_classes != 2 or getattr(forest, "n_outputs_", None) != 1:
        raise ValueError(
            f"The forest must be a fitted classifier of two classes. Got {type(forest).__name__} with {n_classes}; "
            "fit it on rows of both classes."
        )
    columns, numbers = zip(*(_nodes_of(tree.tree_) for tree in forest.estimators_), strict=True)
    return np.concatenate(columns), np.concatenate(numbers)


def _nodes_of(tree: Any) -> tuple[NDArray[np.int32], FloatArray]:
    """Return column and number of every node of one tree, in preorder."""
    order = _preorder(tree.children_left.tolist(), tree.children_right.tolist())
    is_leaf = tree.children_left[order] < 0
    column = np.where(is_leaf, LEAF, tree.feature[order]).astype(np.int32)
    # Probabilities as `predict_proba` has them: the shares of the classes among the rows that arrived at a leaf.
    number = np.where(is_leaf, tree.value[order, 0, 1], tree.threshold[order])
    return column, number


def _preorder(left: list[int], right: list[int]) -> IndexArray:
    """Return the numbers of the nodes in preorder, given the children of each."""
    order, waiting = [], [0]
    # Trees that were grown to a number of leaves, best first, stand in another order.
    while waiting:
        node = waiting.pop()
        order.append(node)
        if left[node] >= 0:
            waiting += [right[node], left[node]]
    return np.array(order, dtype=np.intp)
