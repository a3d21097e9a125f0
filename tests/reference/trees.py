"""Forests, a row and a node at a time."""

import numpy as np


def leaf_of(column, number, root, row):
    """Return the number of the leaf that a row arrives at, given nodes in preorder."""
    node = root
    while column[node] >= 0:
        goes_left = np.float64(np.float32(row[column[node]])) <= number[node]
        node = node + 1 if goes_left else skip(column, node + 1)
    return node


def skip(column, node):
    """Return the number of the node that follows a node and everything below it."""
    n_missing = 1
    while n_missing:
        n_missing += 1 if column[node] >= 0 else -1
        node += 1
    return node


def roots_of(column):
    """Return the number of each tree's first node."""
    roots, node = [], 0
    while node < len(column):
        roots.append(node)
        node = skip(column, node)
    return roots


def sums(column, number, rows):
    """Return the sum over trees of the leaf values of every row, added in the order of the trees."""
    roots, totals = roots_of(column), []
    for row in rows:
        total = 0.0
        for root in roots:
            total += number[leaf_of(column, number, root, row)]
        totals.append(total)
    return np.array(totals)
