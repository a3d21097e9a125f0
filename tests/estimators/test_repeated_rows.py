"""Rows that are in a table twice do not inflate the stated AUC."""

import numpy as np
import pandas as pd
import pytest

from s2auc import LabeledKFold, S2AUCClassifierCV, fit_table
from searches import SMALL

NARROW = SMALL | {"kernel_gammas": ("30 median",), "alphas": (1e-4,)}
"""Kernels so narrow that they recognise single rows."""


def make_doubled(seed=0, n_labeled=80):
    random = np.random.default_rng(seed)
    X = random.normal(size=(400, 4))
    y = np.where(np.arange(400) < n_labeled, random.random(400) < 0.5, -1)  # nothing to learn
    return np.repeat(X, 2, axis=0), np.repeat(y, 2)


def test_doubled_rows_are_held_out_together():
    X, y = make_doubled()
    together = S2AUCClassifierCV(**NARROW, random_state=0).fit(X, y)
    apart = S2AUCClassifierCV(**NARROW, random_state=0, cv=LabeledKFold(5, shuffle=True, random_state=0)).fit(X, y)
    assert apart.held_out_auc_.value > 0.8
    assert together.held_out_auc_.value < 0.65
    assert together.repeated_rows_ == "80 of 160 labelled rows repeat others; equal rows are held out together."
    assert apart.repeated_rows_ == "80 of 160 labelled rows repeat others."


def test_without_repeated_rows_nothing_is_said():
    X, y = make_doubled()
    search = S2AUCClassifierCV(**NARROW, random_state=0).fit(X[::2], y[::2])
    assert search.repeated_rows_ == ""


@pytest.mark.parametrize("are_ids_repeated", [False, True])
def test_rows_of_one_id_are_held_out_together(are_ids_repeated, monkeypatch):
    passed = []

    def fit(ranker, X, y, X_unlabeled=None, *, groups=None):
        passed.append(groups)
        raise KeyboardInterrupt

    monkeypatch.setattr(S2AUCClassifierCV, "fit", fit)
    X, y = make_doubled()
    table = pd.DataFrame(X + 0.01 * np.random.default_rng(0).normal(size=X.shape), columns=list("abcd"))
    table["claim"] = np.repeat(np.arange(400), 2) if are_ids_repeated else np.arange(800)
    table["fraud"] = np.where(y < 0, np.nan, y)
    with pytest.raises(KeyboardInterrupt):
        fit_table(table, "fraud", row_id="claim")
    assert (passed[0] is not None) == are_ids_repeated
