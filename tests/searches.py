"""A small search and rows for it."""

import numpy as np
from sklearn.datasets import make_moons

SMALL = {"kernels": ("gaussian",), "kernel_gammas": ("median",), "alphas": (1e-3, 1e-1), "n_frequencies": 32}


def moons(n_labeled=60, n_rows=600, seed=0):
    X, truth = make_moons(n_rows, noise=0.25, random_state=seed)
    y = np.full(n_rows, -1)
    y[:n_labeled] = truth[:n_labeled]
    return X, y, truth
