"""Rows that S2AUCClassifier learns in a moment, and all that can be seen of it then."""

import numpy as np

from s2auc import S2AUCClassifier

N_LABELED = 40


def make_rows(n_rows=400, seed=0):
    """Two moons-like groups; the first rows are labelled 0 and 1, the others -1."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, 3))
    truth = (X[:, 0] + 0.5 * np.sin(3 * X[:, 1]) > 0).astype(int)
    return X, truth, np.where(np.arange(n_rows) < N_LABELED, truth, -1)


def fast(**changes):
    return S2AUCClassifier(**{"max_iter": 10, "n_frequencies": 8, "batch_size": 16, "random_state": 1} | changes)


def fingerprint(model, X):
    """All that can be seen of a fitted model, comparable by ==."""
    seen = {name: value for name, value in vars(model).items() if name not in {"model_", "_state_", "history_"}}
    seen = {name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in seen.items()}
    return {
        **seen,
        "history": {name: column.tolist() for name, column in model.history_.items()},
        "scores": model.decision_function(X).tolist(),
        "names": set(vars(model)),
    }
