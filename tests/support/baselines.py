"""Small groups of rows that the tests of the baselines share."""

import numpy as np

import reference

GAMMA = 0.7


def make_groups(n_positive=4, n_negative=5, n_unlabeled=9, seed=0):
    rng = np.random.default_rng(seed)
    return {
        "positive": rng.normal(0.6, 1, (n_positive, 2)),
        "negative": rng.normal(-0.6, 1, (n_negative, 2)),
        "unlabeled": rng.normal(0, 1, (n_unlabeled, 2)),
    }


def as_rows(groups):
    """X and y of the groups, one after the other, with the marker -1."""
    classes = {"positive": 1, "negative": 0, "unlabeled": -1}
    y = np.concatenate([np.full(len(X), classes[group]) for group, X in groups.items()])
    return np.vstack(list(groups.values())), y


def kernels(groups, centers, kernel="gaussian"):
    """Kernels between the rows of each group and the centres, by the reference."""
    return {group: reference.kernel_matrix(kernel, X, centers, GAMMA) for group, X in groups.items()}


def raw_scores(model, X):
    return model.decision_function(X) + model.offset_


def many_rows(n_rows=400, n_labeled=40, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, 3))
    truth = (X[:, 0] + 0.5 * np.sin(3 * X[:, 1]) > 0).astype(int)
    return X, truth, np.where(np.arange(n_rows) < n_labeled, truth, -1)
