"""A fit that fails or is interrupted leaves no trace."""

import copy

import numpy as np
import pandas as pd
import pytest

from classifier_rows import fast, fingerprint, make_rows
from s2auc import QSG
from s2auc.solvers.qsg.panels import DivergenceError


class Stopper:
    """A stand-in for the solver that is interrupted after some panels."""

    def __init__(self, run, error, n_panels):
        self.run, self.error, self.n_panels = run, error, n_panels

    def __call__(self, *args, **kwargs):
        for number, panel in enumerate(self.run(*args, **kwargs)):
            if number == self.n_panels:
                raise self.error
            yield panel


def interrupt(monkeypatch, n_panels):
    from s2auc.solvers.qsg import qsg

    monkeypatch.setattr("s2auc.solvers.qsg.panels.MAX_PANEL", 2)
    monkeypatch.setattr("s2auc.solvers.qsg.qsg.run_panels", Stopper(qsg.run_panels, KeyboardInterrupt(), n_panels))


def named(X):
    return pd.DataFrame(X, columns=["a", "b", "c", "d"][: X.shape[1]])


# Parameters to set, then what to fit on.
FAILURES = {
    "infinity": ({}, lambda X, y: {"X": np.where(X > 2, np.inf, X), "y": y}),
    "one class": ({}, lambda X, y: {"X": named(X[:, :2]), "y": np.ones(len(X))}),
    "bad pool": ({}, lambda X, y: {"X": named(X), "y": y, "X_unlabeled": named(X[:, :2])}),
    "bad parameter": ({"alpha": -1}, lambda X, y: {"X": X, "y": np.where(y == 1, 5, y)}),
    "tiny alpha": ({"solver": "exact", "alpha": 1e-18}, lambda X, y: {"X": X, "y": y}),
    "divergence": (
        {"alpha": 1e-9, "solver": QSG(schedule="printed"), "max_iter": 50},
        lambda X, y: {"X": X, "y": y, "X_unlabeled": X + 1.0},
    ),
}


@pytest.mark.filterwarnings("ignore:X has feature names, but")
@pytest.mark.parametrize("case", FAILURES)
@pytest.mark.parametrize(("method", "warm_start"), [("fit", False), ("fit", True), ("partial_fit", False)])
def test_a_failing_fit_leaves_the_model_as_it_was(method, warm_start, case):
    changes, change = FAILURES[case]
    X, _, y = make_rows()
    model = fast(warm_start=warm_start).fit(X, y)
    twin, parameters, before = copy.deepcopy(model), model.get_params(), fingerprint(model, X)
    with pytest.raises((ValueError, DivergenceError, AttributeError)):
        getattr(model.set_params(**changes), method)(**change(X, y))
    assert fingerprint(model.set_params(**parameters), X) == before
    twin.partial_fit(X, y)
    np.testing.assert_array_equal(model.partial_fit(X, y).decision_function(X), twin.decision_function(X))


@pytest.mark.parametrize("method", ["fit", "partial_fit"])
@pytest.mark.parametrize("n_panels", [0, 3])
def test_an_interrupted_fit_leaves_the_model_as_it_was(method, n_panels, monkeypatch):
    X, _, y = make_rows()
    model, unfitted = fast().fit(X, y), fast()
    before = fingerprint(model, X)
    with monkeypatch.context() as patch:
        interrupt(patch, n_panels)
        for interrupted in (model, unfitted):
            with pytest.raises(KeyboardInterrupt):
                getattr(interrupted, method)(X + 1.0, y, X_unlabeled=X)
    assert fingerprint(model, X) == before
    assert vars(unfitted) == fast().get_params()
    again = fast().fit(X, y).partial_fit(X, y)
    np.testing.assert_array_equal(model.partial_fit(X, y).decision_function(X), again.decision_function(X))
