"""The paper's second update rule against the slow reference, its limits, and its bounds."""

import numpy as np
import pytest

import reference
from classifier_rows import fast, make_rows
from s2auc import KernelSGD, S2AUCClassifierCV, SAMULTClassifier, load_model
from s2auc.kernels.products import kernel_product
from s2auc.kernels.shift_invariant import KERNELS
from s2auc.solvers.batches import plan_draws, rows_of_steps
from s2auc.solvers.qsg.panels import DivergenceError

SETTINGS = {"alpha": 0.3, "labeled_weight": 0.4, "batch_size": 4, "kernel_gamma": 0.7, "scaling": "none"}
N_STEPS = 25


def literal(ranker, X, y, *, loss, kernel, pairing, averaged, weight=None):
    """Return the scores of all rows by the slow reference, with the steps that the classifier made."""
    masks = {"positive": y == 1, "negative": y == 0, "unlabeled": y == -1}
    sizes = {group: int(mask.sum()) for group, mask in masks.items()}
    weights = None if weight is None else {group: weight[masks[group]] for group in ("positive", "negative")}
    draws = plan_draws(sizes, pairing=pairing, batch_size=SETTINGS["batch_size"], weights=weights)
    steps = rows_of_steps(draws, seed=ranker.seed_, first=0, last=N_STEPS)
    if weights is not None:
        weights = {group: draws[group].step_weight for group in weights} | {"unlabeled": np.ones(sizes["unlabeled"])}
    iterates = list(
        reference.second_rule(
            {group: X[mask] for group, mask in masks.items()},
            [{group: index[t] for group, index in steps.items()} for t in range(N_STEPS)],
            lambda x, z: reference.kernel(kernel, x, z, SETTINGS["kernel_gamma"]),
            loss=loss,
            labeled_weight=SETTINGS["labeled_weight"],
            alpha=SETTINGS["alpha"],
            steps=ranker.history_["step"],
            pairing=pairing,
            weights=weights,
        )
    )
    shares = np.arange(1, N_STEPS + 1) / (N_STEPS * (N_STEPS + 1) / 2) if averaged else np.eye(N_STEPS)[-1]
    rows = X[:30]
    return sum(
        share
        * sum(c * reference.kernel_matrix(kernel, rows, z[None], SETTINGS["kernel_gamma"])[:, 0] for c, z in terms)
        for share, terms in zip(shares, iterates, strict=True)
        if share
    )


@pytest.mark.parametrize(
    ("loss", "kernel", "pairing", "average"),
    [
        ("square", "gaussian", "triplet", False),
        ("square", "laplacian", "all", True),
        ("logistic", "matern32", "triplet", True),
    ],
)
def test_iterates_are_those_of_the_reference(loss, kernel, pairing, average, monkeypatch):
    # Several panels, so that rows of earlier ones count.
    monkeypatch.setattr("s2auc.solvers.kernel_sgd.expansion.MAX_PANEL", 7)
    X, _, y = make_rows()
    y = np.where(np.arange(len(y)) < 12, y, -1)
    ranker = fast(
        solver=KernelSGD(average=average, pairing=pairing), loss=loss, kernel=kernel, max_iter=N_STEPS, **SETTINGS
    ).fit(X, y)
    expected = literal(ranker, X, y, loss=loss, kernel=kernel, pairing=pairing, averaged=average)
    np.testing.assert_allclose(ranker.decision_function(X[:30]) + ranker.offset_, expected, rtol=1e-4, atol=1e-5)
    assert ranker.n_iter_ == N_STEPS == len(ranker.history_["risk"])
    assert ranker.n_centers_ == len(ranker.model_.parts[0].coefficients)


def test_weights_of_rows_count():
    X, _, y = make_rows()
    y = np.where(np.arange(len(y)) < 12, y, -1)
    weight = np.random.default_rng(0).integers(0, 4, len(y)).astype(float)
    ranker = fast(solver=KernelSGD(average=False), max_iter=N_STEPS, **SETTINGS).fit(X, y, sample_weight=weight)
    expected = literal(ranker, X, y, loss="square", kernel="gaussian", pairing="all", averaged=False, weight=weight)
    np.testing.assert_allclose(ranker.decision_function(X[:30]) + ranker.offset_, expected, rtol=1e-4, atol=1e-5)


def test_it_tends_to_the_exact_minimiser():
    X, _, y = make_rows()
    shared = {name: SETTINGS[name] for name in ("alpha", "labeled_weight", "kernel_gamma", "scaling")}
    exact = SAMULTClassifier(**shared).fit(X, y)
    best = exact.decision_function(X) + exact.offset_

    def distance(max_iter):
        ranker = fast(solver=KernelSGD(average=False), batch_size=32, max_iter=max_iter, **shared).fit(X, y)
        return np.mean(np.square(ranker.decision_function(X) + ranker.offset_ - best)) / np.mean(np.square(best))

    near, nearer = distance(50), distance(800)
    assert nearer < min(0.005, 0.2 * near)


def test_centers_are_bounded_by_a_clear_rule():
    X, _, y = make_rows()
    n_labeled = int((y != -1).sum())
    few = fast(solver=KernelSGD(max_centers=20), batch_size=16, max_iter=50).fit(X, y)
    assert n_labeled < few.n_centers_ <= n_labeled + 20
    many = fast(solver=KernelSGD(), batch_size=16, max_iter=50).fit(X, y)
    assert many.n_centers_ > n_labeled + 200
    # A bound that the draws cannot reach changes nothing.
    shorter = {"batch_size": 16, "max_iter": 10}
    free, bound = (fast(solver=KernelSGD(max_centers=most), **shorter).fit(X, y) for most in (10_000, 160))
    np.testing.assert_array_equal(free.decision_function(X), bound.decision_function(X))


def test_a_model_is_kept_in_a_file(tmp_path):
    X, _, y = make_rows()
    ranker = fast(solver="kernel_sgd", max_iter=N_STEPS, **SETTINGS).fit(X, y)
    ranker.save(tmp_path / "model.safetensors")
    np.testing.assert_array_equal(
        load_model(tmp_path / "model.safetensors").decision_function(X), ranker.decision_function(X)
    )


def test_products_are_those_of_the_kernel():
    rng = np.random.default_rng(0)
    for offset in (0.0, 1e5):
        X, Z = rng.normal(size=(30, 5)) + offset, rng.normal(size=(50, 5)) + offset
        Z[:3] = X[:3]
        coefficients = rng.normal(size=50)
        for kernel in KERNELS.values():
            expected = kernel.matrix(X, Z, 0.3) @ coefficients
            found = kernel_product(kernel, 0.3, X, Z, coefficients, block_numbers=333)
            np.testing.assert_allclose(found, expected, atol=1e-5)
    # Rows far from one another: a product alone would lose their distances.
    far = np.array([[0.0, 0.0], [1e9, 1.0], [1e9, 1.5]])
    expected = KERNELS["gaussian"].matrix(far, far, 1.0) @ np.ones(3)
    np.testing.assert_allclose(kernel_product(KERNELS["gaussian"], 1.0, far, far, np.ones(3)), expected, atol=1e-6)


def test_what_it_cannot_do_is_said():
    X, _, y = make_rows()
    with pytest.raises(ValueError, match="The 'solver' parameter of S2AUCClassifierCV must be"):
        S2AUCClassifierCV(solver="kernel_sgd").fit(X, y)
    with pytest.raises(AttributeError, match="a fit with the solver 'kernel_sgd' cannot be continued"):
        fast(solver="kernel_sgd").partial_fit(X, y)
    with pytest.raises(DivergenceError, match="schedule='shifted'"):
        fast(solver=KernelSGD(schedule="printed", pairing="triplet"), alpha=1e-4, max_iter=200).fit(X, y)
    with pytest.warns(UserWarning, match="Theorem 1"):
        fast(solver=KernelSGD(schedule="printed", step_scale=0.5), alpha=1.0).fit(X, y)
