"""Forests: nodes, and sums of the values of leaves."""
