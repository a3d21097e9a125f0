"""A small search and rows for it."""

import numpy as np
from sklearn.datasets import make_classification, make_moons

SMALL = {
    "kernels": ("gaussian",),
    "kernel_gammas": ("median",),
    "alphas": (1e-3, 1e-1),
    "n_frequencies": 32,
    "scalings": ("standard", "rank"),
    "neighbor_weights": (0.0,),
    "members": ("kernels",),
}
"""A few kernels."""

EVERYONE = SMALL | {"scalings": ("standard",), "neighbor_weights": (0.0, 10.0), "members": "auto"}
"""Kernels, with neighbours too, linear functions and forests; for tests with the fixture `few_trees`."""


def moons(n_labeled=60, n_rows=600, seed=0):
    X, truth = make_moons(n_rows, noise=0.25, random_state=seed)
    y = np.full(n_rows, -1)
    y[:n_labeled] = truth[:n_labeled]
    return X, y, truth


def spirals(n_labeled=80, n_rows=1500, seed=0):
    """Two spirals of three turns within each other: few labels say little, neighbours tell who belongs together."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, n_rows)
    turn = 6 * np.pi * np.sqrt(rng.random(n_rows))
    angle = turn + np.pi * truth
    X = np.stack([turn * np.cos(angle), turn * np.sin(angle)], axis=1) + 0.15 * rng.normal(size=(n_rows, 2))
    return X, np.where(np.arange(n_rows) < n_labeled, truth, -1), truth


def rare_rows(seed=0, n_rows=4000):
    """Rows of which a quarter is positive, hard to tell, 150 of them labelled at random."""
    X, truth = make_classification(
        n_rows, 6, n_informative=3, n_redundant=0, weights=[0.8], flip_y=0.15, class_sep=1.0, random_state=seed
    )
    y = np.full(n_rows, -1)
    y[:150] = truth[:150]
    return X, y, truth
