"""Forests as tables that walks can follow: made from nodes in preorder, whose order says what the trees look like.

In preorder a node is followed by its left subtree, then by its right one. So whether each node is a leaf is all that
needs to be known: the left child of a node is the next one, its right child follows the left subtree, and where a tree
is complete the next one starts. There is no child to point astray, whatever the numbers.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from s2auc.common.arrays import AnyArray, BoolArray, FloatArray, IndexArray

LEAF = -1
"""In the place of a leaf's column."""


@dataclass(frozen=True, eq=False)
class TreeTables:
    """Nodes of all trees, one after the other: a row goes to the next node if its value is at most the threshold.

    A leaf has a threshold that no value is below, NaN, and itself for a right child, so that walks stay there.

    Attributes
    ----------
    column
        The column that each node looks at, int32; 0 at leaves.
    threshold
        In float32, like the values that are compared with it.
    right
        The number of the right child, int32.
    value
        Of the leaves; 0 elsewhere.
    first
        The number of each tree's first node, int32.
    """

    column: NDArray[np.int32]
    threshold: NDArray[np.float32]
    right: NDArray[np.int32]
    value: FloatArray
    first: NDArray[np.int32]

    @classmethod
    def of_preorder(cls, column: AnyArray, number: FloatArray) -> "TreeTables":
        """Return the tables of whole trees, given the column of each node and its threshold or, at leaves, value.

        Examples
        --------
        >>> tables = TreeTables.of_preorder(np.array([0, 1, -1, -1, -1]), np.array([0.5, 0.25, 1.0, 2.0, 3.0]))
        >>> tables.right.tolist()
        [4, 3, 2, 3, 4]
        """
        is_leaf: BoolArray = column == LEAF
        return cls(
            column=np.where(is_leaf, 0, column).astype(np.int32),
            threshold=np.where(is_leaf, np.float32(np.nan), float32_below(number)),
            right=_right_children(is_leaf).astype(np.int32),
            value=np.where(is_leaf, number, 0.0),
            first=first_nodes(is_leaf).astype(np.int32),
        )


def float32_below(numbers: FloatArray) -> NDArray[np.float32]:
    """Return the largest float32 that is not above each number: x ≤ one as x ≤ the other, for every float32 x.

    Examples
    --------
    >>> float32_below(np.array([0.5, 0.1, 1e300])).astype(float).tolist()
    [0.5, 0.09999999403953552, 3.4028234663852886e+38]
    """
    with np.errstate(over="ignore", under="ignore"):  # beyond float32 is infinity, then put right
        nearest = numbers.astype(np.float32)
        return np.where(nearest > numbers, np.nextafter(nearest, np.float32(-np.inf)), nearest)


def are_whole_trees(is_leaf: BoolArray) -> bool:
    """Return whether nodes in preorder make up trees, at least one, the last of which is complete.

    Examples
    --------
    >>> are_whole_trees(np.array([False, True, True])), are_whole_trees(np.array([True, False, True]))
    (True, False)
    """
    missing = _missing_nodes(is_leaf)
    return len(missing) > 0 and bool(missing[-1] < np.min(missing[:-1], initial=0))


def first_nodes(is_leaf: BoolArray) -> IndexArray:
    """Return the number of the first node of every tree, given whole trees."""
    missing = _missing_nodes(is_leaf)
    lowest = np.minimum.accumulate(np.concatenate([[0], missing]))
    # A tree is complete where fewer nodes are missing than ever before.
    return np.concatenate([[0], 1 + np.flatnonzero(np.diff(lowest) < 0)[:-1]])


def _missing_nodes(is_leaf: BoolArray) -> IndexArray:
    """Return how many more nodes are called for after each node than before the first one, less one a tree.

    A node with children calls for one more than it is; a leaf for one less.
    """
    return np.cumsum(np.where(is_leaf, -1, 1))


def _right_children(is_leaf: BoolArray) -> IndexArray:
    """Return the right child of every node, itself for a leaf, given whole trees."""
    missing, nodes = _missing_nodes(is_leaf), np.arange(len(is_leaf))
    # The left subtree of a node ends where one node fewer is missing, for the first time, than after the node itself.
    # Counts change by one from node to node: nodes sorted by count, then place, have it next to where it would stand.
    order = np.argsort(missing, kind="stable")
    places = (missing[order] - missing.min()) * len(nodes) + order
    parents = nodes[~is_leaf]
    ends = order[np.searchsorted(places, (missing[parents] - 1 - missing.min()) * len(nodes) + parents)]
    right = nodes.copy()
    right[parents] = ends + 1
    return right


def preorder_of(forest: Any) -> tuple[NDArray[np.int32], FloatArray]:
    """Return the column of each node, and its threshold or, at leaves, the probability of the second class.

    Examples
    --------
    >>> from sklearn.ensemble import ExtraTreesClassifier
    >>> forest = ExtraTreesClassifier(2, random_state=0).fit([[0.0], [1.0]], [0, 1])
    >>> preorder_of(forest)[0].tolist()
    [0, -1, -1, 0, -1, -1]
    """
    columns, numbers = [], []
    for tree in (estimator.tree_ for estimator in forest.estimators_):
        left, right = tree.children_left.tolist(), tree.children_right.tolist()
        order, waiting = [], [0]
        # Trees that were grown to a number of leaves, best first, stand in another order.
        while waiting:
            node = waiting.pop()
            order.append(node)
            if left[node] >= 0:
                waiting += [right[node], left[node]]
        is_leaf = tree.children_left[order] < 0
        columns.append(np.where(is_leaf, LEAF, tree.feature[order]).astype(np.int32))
        # Probabilities as `predict_proba` has them: the shares of the classes among the rows that arrived at a leaf.
        numbers.append(np.where(is_leaf, tree.value[order, 0, 1], tree.threshold[order]))
    return np.concatenate(columns), np.concatenate(numbers)
