"""Methods of the demonstration that are soon fitted: how well they rank does not matter where these are used."""

from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from unittest.mock import patch

from s2auc import S2AUCClassifierCV
from s2auc.experiments.methods.table import METHODS

_SEARCH = {
    "kernels": ["gaussian"],
    "kernel_gammas": ["median"],
    "alphas": [1e-3, 1e-1],
    "scalings": ["standard"],
    "neighbor_weights": [0.0],
    "members": ["kernels"],
    "cv": 3,
}
_CHANGES = {
    "s2auc_cv": _SEARCH,
    "s2auc_cv_labeled": _SEARCH,
    "random_forest": {"n_estimators": 20, "search_estimators": 5},
}


@contextmanager
def fast_methods():
    """Give the slow methods less to do, and so the fit of tables."""
    faster = {
        name: replace(METHODS[name], parameters={**METHODS[name].parameters, **changes})
        for name, changes in _CHANGES.items()
    }
    search = partial(S2AUCClassifierCV, **_SEARCH)
    with patch.dict(METHODS, faster), patch("s2auc.estimators.table_fit.S2AUCClassifierCV", search):
        yield
