"""Sparse rows of many columns, like counts of words, and small searches on them."""

import numpy as np
from scipy.sparse import csr_array

N_ROWS, N_COLUMNS, N_LABELED = 300, 400, 60

SMALL = {
    "kernels": ("gaussian",),
    "kernel_gammas": ("median",),
    "alphas": (1e-3, 1e-1),
    "neighbor_weights": (0.0,),
    "scalings": ("common",),
    "column_weightings": ("none",),
    "members": ("kernels", "linear"),
    "n_frequencies": 32,
    "cv": 3,
    "judge": False,
    "random_state": 0,
}
"""A few kernels and linear functions."""

EVERYONE = SMALL | {"scalings": "auto", "column_weightings": "auto", "members": "auto"}
"""Forests, too; for tests with the fixture `few_trees`."""


def make_texts(n_rows=N_ROWS, n_columns=N_COLUMNS, n_words=15, seed=0):
    """Rows of so many words from the columns that their class prefers, which class they are of, and labels of some."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, n_rows)
    rates = np.exp(rng.normal(size=(2, n_columns)))
    rates /= rates.sum(axis=1, keepdims=True)
    X = csr_array(np.stack([rng.multinomial(n_words, rates[label]) for label in truth]).astype(float))
    return X, truth, np.where(np.arange(n_rows) < N_LABELED, truth, -1)
