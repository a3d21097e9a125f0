"""The preset of Algorithm 1 as the paper describes it, against the slow reference, and the warning of its theorem."""

import warnings

import numpy as np
import pytest

import reference
from classifier_rows import fast, make_rows
from s2auc import QSG
from s2auc.kernels.frequencies import draw_frequencies
from s2auc.kernels.shift_invariant import KERNELS
from s2auc.solvers.batches import plan_draws, rows_of_steps
from s2auc.solvers.table import read_solver


@pytest.mark.parametrize("step_scale", [1.0, 1.5])
def test_the_preset_makes_the_printed_steps(step_scale):
    X, _, y = make_rows()
    settings = {"alpha": 1.0, "labeled_weight": 0.3, "batch_size": 4, "n_frequencies": 3, "max_iter": 20}
    solver = QSG.as_published(step_scale)
    ranker = fast(solver=solver, scaling="none", kernel_gamma=0.7, **settings).fit(X, y)
    assert ranker.history_["step"] == pytest.approx(step_scale / (1.0 * np.arange(1, 21)))
    groups = {"positive": X[y == 1], "negative": X[y == 0], "unlabeled": X[y == -1]}
    sizes = {group: len(rows) for group, rows in groups.items()}
    steps = rows_of_steps(
        plan_draws(sizes, pairing="triplet", batch_size=4), seed=ranker.seed_, first=0, last=settings["max_iter"]
    )
    frequencies = draw_frequencies(KERNELS["gaussian"], 0.7, X.shape[1], ranker.model_.parts[0].seed, 0, 3 * 20)
    *_, last = reference.algorithm_1(
        groups,
        [{group: index[t] for group, index in steps.items()} for t in range(20)],
        loss="square",
        labeled_weight=0.3,
        alpha=1.0,
        steps=step_scale / np.arange(1, 21),
        draw=lambda first, last: frequencies[first:last],
        n_frequencies=3,
    )
    expected = reference.predict(X, last, lambda first, last: frequencies[first:last])
    np.testing.assert_allclose(ranker.decision_function(X) + ranker.offset_, expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("step_scale", [0.5, 2.5, 1e-3])
def test_scales_that_the_theorem_leaves_out_are_warned_of(step_scale):
    X, _, y = make_rows()
    solver = QSG(schedule="printed", step_scale=step_scale)
    sentence = rf"Theorem 1\) for a step_scale in \(1, 2\).* not for {step_scale:g};"
    with pytest.warns(UserWarning, match=sentence):
        fast(solver=solver, max_iter=3, alpha=1.0).fit(X, y)
    with pytest.warns(UserWarning, match=sentence):
        read_solver(solver, "square", "S2AUCClassifierCV")


@pytest.mark.parametrize("solver", [QSG.as_published(), QSG.as_published(1.5), QSG.as_published(3), QSG(0.5)])
def test_others_are_not(solver):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        solver.warn_unproved()
    assert not caught
