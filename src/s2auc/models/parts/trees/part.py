"""A model's part that is a forest: share · mean over trees of the value of the leaf that a row arrives at."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from reprlib import repr as shown
from sys import float_info
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from s2auc.common.arrays import FloatArray
from s2auc.data.features.scaling import ColumnScaling
from s2auc.data.sources.rows import Rows, count_rows
from s2auc.models.checks import require
from s2auc.models.parts.bounds import check_numbers, check_total, scaled_chunks
from s2auc.models.parts.columns import check_columns
from s2auc.models.parts.part import ColumnPart
from s2auc.models.parts.trees.scoring import sum_leaves
from s2auc.models.parts.trees.tables import LEAF, TreeTables, are_whole_trees, preorder_of

MAX_NODES = 2**24
"""Of all trees of a part together: a quarter of a gigabyte in a file."""


@dataclass(frozen=True, eq=False)
class TreePart(ColumnPart):
    """One forest of binary trees, on columns in float32, as scikit-learn's forests see them.

    Nodes stand in preorder, tree after tree: a node, its left subtree, its right subtree. That says which node is whose
    child (`models.parts.trees.tables`). Leaf values are added in float64 in the order of the trees, then divided by
    their number, then multiplied by the share.

    Attributes
    ----------
    columns
        What happens to columns first; of scaling trees see only that values keep their order in float32.
    column
        The column that each node looks at, int32; -1 at leaves.
    number
        Of a leaf, its value. Of any other node, its threshold: rows go left whose value, in float32, is not above it.
    share
        What the mean of the leaf values is multiplied by.

    Examples
    --------
    >>> import numpy as np
    >>> columns = ColumnScaling(np.zeros(2), np.ones(2))
    >>> column, number = np.array([1, -1, -1], dtype=np.int32), np.array([0.5, 0.0, 1.0])
    >>> TreePart(columns, column, number, share=2.0).score(np.array([[9.0, 0.5], [9.0, 0.75]])).tolist()
    [0.0, 2.0]
    """

    FLOATS, ARRAYS = ("share",), ("column", "number")

    column: NDArray[np.int32]
    number: FloatArray
    share: float = 1.0

    @classmethod
    def of_forest(cls, columns: ColumnScaling, forest: Any, share: float = 1.0) -> Self:
        """Return the part that scores rows share · `forest.predict_proba`, of the second class.

        Parameters
        ----------
        columns
            What happened to columns before the forest was fitted on them, in float32.
        forest
            A fitted `ExtraTreesClassifier` or `RandomForestClassifier` of scikit-learn, with two classes.
        share
            What its probabilities are multiplied by.

        Examples
        --------
        >>> from sklearn.ensemble import ExtraTreesClassifier
        >>> X = np.arange(10.0)[:, None]
        >>> forest = ExtraTreesClassifier(5, random_state=0).fit(X, X[:, 0] > 5)
        >>> part = TreePart.of_forest(ColumnScaling(np.zeros(1), np.ones(1)), forest)
        >>> bool(np.all(part.score(X) == forest.predict_proba(X)[:, 1]))
        True
        """
        return cls(columns, *preorder_of(forest), share)

    def score(self, X: Rows) -> FloatArray:
        """Return the part's score of every row, which does not depend on the rows that come with it."""
        sums = np.empty(count_rows(X))
        for place, rows in scaled_chunks(self.columns, X):
            with np.errstate(over="ignore"):  # beyond float32 is above all thresholds, or below
                narrow = rows.astype(np.float32)
            sums[place] = sum_leaves(self.tables, narrow)
        means: FloatArray = sums / len(self.tables.first)
        return self.share * means

    def arrays(self) -> dict[str, FloatArray]:
        """Return the numbers that a file keeps of the part."""
        return super().arrays() | {"column": self.column.astype(np.float64)}

    @classmethod
    def from_file(cls, description: Mapping[str, Any], arrays: Mapping[str, FloatArray]) -> Self:
        """Return the part that a file describes; its values are for `check` to judge."""
        part = super().from_file(description, arrays)
        with np.errstate(invalid="ignore"):
            whole = part.column.astype(np.int32)
        return replace(part, column=whole) if np.array_equal(whole, part.column) else part  # else as it came

    def check(self, place: int, n_columns: int) -> None:
        """Raise a ValueError that names the first thing wrong with the part, which scores rows of so many columns."""
        # float32 is refused: it would count in float32 before it is saved, in float64 after.
        is_finite = isinstance(self.share, int | float) and abs(self.share) <= float_info.max
        require(is_finite, f"share of part {place} must be a finite float, got {shown(self.share)}")
        n_scaled = check_columns(self.columns, place, n_columns)
        column: Any = self.column
        is_array = isinstance(column, np.ndarray)
        got = f"shape {column.shape}" if is_array else shown(column)
        require(is_array and column.ndim == 1, f"column of part {place} must be a vector of int32, got {got}")
        n_nodes = len(column)
        require(n_nodes > 0, f"column of part {place} must be that of at least one node, got none")
        strange = column[~((column >= LEAF) & (column < n_scaled) & (column == np.floor(column)))]
        require(
            not strange.size and column.dtype == np.int32,
            f"column of part {place} must hold int32 numbers from {LEAF}, which is for leaves, to {n_scaled - 1}, "
            f"got {shown(strange[0].item()) if strange.size else column.dtype}",
        )
        check_numbers(self.number, "number", place)
        n_numbers = len(self.number)
        sentence = f"column and number of part {place} must be of one length, got {n_nodes} and {n_numbers}"
        require(n_nodes == n_numbers, sentence)
        leaves = self.number[column == LEAF]
        check_total("leaves, times the share,", place, leaves, factor=max(1.0, abs(self.share)))
        require(n_nodes <= MAX_NODES, f"the trees of part {place} must have at most {MAX_NODES} nodes, got {n_nodes}")
        require(
            are_whole_trees(column == LEAF),
            f"column of part {place} must be that of whole trees, a node with two children before these, got {n_nodes} "
            "nodes that end in the middle of a tree",
        )

    @cached_property
    def tables(self) -> TreeTables:
        """The trees as tables that walks can follow, kept for the next rows."""
        return TreeTables.of_preorder(self.column, self.number)
