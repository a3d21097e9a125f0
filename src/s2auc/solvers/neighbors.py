"""Which rows are neighbours: nearby rows should have similar scores, which needs no labels to say.

The term is half its weight times the mean of (f(x) - f(x'))² over *edges*, pairs of a row and one of its nearest
neighbours, each pair in both directions. A step draws some of them. On features it is a quadratic form,
½·weight·wᵀMw with M = (2 / edges)·Φᵀ(D - W)Φ, where W has a one for every edge and D the number of edges of each row.
The rows are labelled and unlabelled ones; the graph does not know which.
"""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from s2auc.common.arrays import AnyArray, FloatArray, IndexArray
from s2auc.common.groups import NODE
from s2auc.common.randomness import draw_rows, group_stream
from s2auc.common.threads import single_blas_thread

BLOCK_ROWS = 256
"""Rows whose distances to all others are in memory at a time."""


@dataclass(frozen=True)
class EdgeDraw:
    """Which edges steps draw: `size` of them for each iteration in [first, last), a function of the seed."""

    seed: int
    size: int
    first: int
    last: int


@dataclass(frozen=True, eq=False)
class NeighborGraph:
    """Rows that are among each other's nearest, whichever of the two says so.

    Attributes
    ----------
    edges
        Pairs of rows, by their places among the nodes, each pair in both directions, (edges, 2).
    n_nodes
        How many rows there are.
    """

    edges: IndexArray
    n_nodes: int

    @classmethod
    def of_rows(cls, X: FloatArray, n_neighbors: int) -> "NeighborGraph":
        """Return the graph of rows as the kernel sees them, with so many neighbours a row, or as many as there are.

        Examples
        --------
        >>> import numpy as np
        >>> NeighborGraph.of_rows(np.array([[0.0], [1.0], [3.0]]), n_neighbors=1).edges.tolist()
        [[0, 1], [1, 0], [1, 2], [2, 1]]
        """
        n_nodes = len(X)
        n_neighbors = min(n_neighbors, n_nodes - 1)
        if n_neighbors < 1:
            return cls(np.zeros((0, 2), dtype=np.intp), n_nodes)
        row, other = np.repeat(np.arange(n_nodes), n_neighbors), nearest_rows(X, n_neighbors).ravel()
        numbers = np.unique(np.concatenate([row * n_nodes + other, other * n_nodes + row]))
        return cls(np.stack(np.divmod(numbers, n_nodes), axis=1).astype(np.intp), n_nodes)

    def draw(self, draw: EdgeDraw) -> tuple[IndexArray, IndexArray]:
        """Return both ends of the edges that each iteration draws, (iterations, size) each."""
        n_edges = len(self.edges)
        drawn = self.edges[draw_rows(draw.seed, group_stream(NODE), n_edges, draw.size, draw.first, draw.last)]
        return drawn[:, :, 0], drawn[:, :, 1]

    def roughness(self, phi: AnyArray) -> FloatArray:
        """Return M for features of the nodes, which may be float32: wᵀMw is how far neighbours differ in the mean.

        Examples
        --------
        >>> import numpy as np
        >>> graph = NeighborGraph.of_rows(np.array([[0.0], [1.0]]), n_neighbors=1)
        >>> graph.roughness(np.array([[0.0], [3.0]])).tolist()
        [[9.0]]
        """
        row, other = self.edges.T
        ones = np.ones(len(self.edges), dtype=phi.dtype)
        adjacent = csr_array((ones, (row, other)), shape=(self.n_nodes, self.n_nodes))
        degree = np.bincount(row, minlength=self.n_nodes).astype(phi.dtype)
        differences = degree[:, None] * phi - adjacent @ phi
        matrix: FloatArray = (phi.T @ differences).astype(np.float64) * (2.0 / max(len(self.edges), 1))
        return matrix


def nearest_rows(X: FloatArray, n_neighbors: int, block_rows: int = BLOCK_ROWS) -> IndexArray:
    """Return the nearest other rows of each row, in no order, (rows, n_neighbors).

    On one thread: which of several equally near rows is taken must not depend on how many there are.
    """
    # Neither where rows lie nor how large they are may cost digits, or leave the range of squares.
    centred = X - X.mean(axis=0)
    centred /= np.abs(centred).max(initial=0.0) or 1.0
    half_squares = 0.5 * np.sum(np.square(centred), axis=1)
    nearest = np.empty((len(X), n_neighbors), dtype=np.intp)
    with single_blas_thread:
        for first in range(0, len(X), block_rows):
            rows = np.arange(first, min(first + block_rows, len(X)))
            # Half the squared distance, but for what is the same for all others.
            distance = half_squares - centred[rows] @ centred.T
            distance[rows - first, rows] = np.inf
            nearest[rows] = np.argpartition(distance, n_neighbors - 1, axis=1)[:, :n_neighbors]
    return nearest
