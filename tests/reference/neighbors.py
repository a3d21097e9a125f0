"""Who is whose neighbour, one pair of rows at a time, and what differences between neighbours weigh."""

import math
from collections.abc import Sequence

import numpy as np

from reference.pairs import Term

Edge = tuple[int, int]


def near_rows(X: np.ndarray, row: int, n_neighbors: int) -> tuple[set[int], set[int]]:
    """The other rows that are among the nearest whichever way ties go, and those that may be."""
    distance = {other: math.dist(X[row], X[other]) for other in range(len(X)) if other != row}
    if not distance:
        return set(), set()
    last = sorted(distance.values())[min(n_neighbors, len(distance)) - 1]
    slack = 1e-9 * (1.0 + last)
    certain = {other for other, apart in distance.items() if apart < last - slack}
    possible = {other for other, apart in distance.items() if apart <= last + slack}
    return (possible if len(possible) <= n_neighbors else certain), possible


def neighbor_edges(X: np.ndarray, n_neighbors: int) -> tuple[set[Edge], set[Edge]]:
    """The edges that there must be and those that there may be, both ways, whichever of two rows says so."""
    must: set[Edge] = set()
    may: set[Edge] = set()
    for row in range(len(X)):
        certain, possible = near_rows(X, row, n_neighbors)
        must |= {edge for other in certain for edge in ((row, other), (other, row))}
        may |= {edge for other in possible for edge in ((row, other), (other, row))}
    return must, may


def roughness(edges: Sequence[Edge], Phi: np.ndarray) -> np.ndarray:
    """M, the mean of (φ - φ')(φ - φ')ᵀ over the edges; zero if there are none."""
    M = np.zeros((Phi.shape[1], Phi.shape[1]))
    for row, other in edges:
        difference = Phi[row] - Phi[other]
        M += np.outer(difference, difference) / len(edges)
    return M


def neighbor_term(weight: float, edges: Sequence[Edge]) -> Term:
    """Half the weight times the mean of (f(u) - f(u'))² over all edges, rows being those of the group "node"."""
    return weight / 2, "squared_difference", [("node", int(row), "node", int(other)) for row, other in edges]
