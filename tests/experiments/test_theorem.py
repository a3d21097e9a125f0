"""Distances to the minimiser, step by step, against Algorithm 1 as it is printed."""

from dataclasses import replace

import numpy as np
import pytest

import reference
from s2auc.experiments.harness.store import RowStore
from s2auc.experiments.reproduction.protocol import FULL
from s2auc.experiments.reproduction.theorem import Setting, follow_steps, followed_times, run_theorem
from s2auc.kernels.frequencies import draw_frequencies
from s2auc.kernels.shift_invariant import KERNELS
from s2auc.solvers.batches import plan_draws, rows_of_steps

N_STEPS = 60


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(0)
    y = np.arange(30) < 14
    X = rng.normal(0, 0.4, (30, 2)) + np.where(y, 0.5, -0.5)[:, None]
    return X, y, rng.normal(0, 0.7, (40, 2))


def test_steps_are_those_of_the_classifier(rows):
    course = follow_steps(*rows, Setting(), N_STEPS, seed=3)
    assert course.gap < 1e-6
    assert course.times == followed_times(Setting(), N_STEPS)
    # |a + b|² <= 2|a|² + 2|b|², the split of the paper's proof.
    for total, features, data in zip(course.total, course.features, course.data, strict=True):
        assert 0 < total <= 2 * features + 2 * data


def test_distances_against_the_printed_algorithm(rows, monkeypatch):
    X, y, X_unlabeled = rows
    setting = Setting()
    seen = {}
    from s2auc.experiments.reproduction import theorem

    class Watched(theorem.S2AUCClassifier):
        def fit(self, *arguments):
            seen["classifier"] = super().fit(*arguments)
            return self

    monkeypatch.setattr(theorem, "S2AUCClassifier", Watched)
    course = follow_steps(X, y, X_unlabeled, setting, N_STEPS, seed=3)
    classifier = seen["classifier"]
    groups = {"positive": X[y], "negative": X[~y], "unlabeled": X_unlabeled}
    sizes = {group: len(part) for group, part in groups.items()}
    plan = plan_draws(sizes, pairing="triplet", batch_size=setting.batch_size)
    steps = rows_of_steps(plan, seed=classifier.seed_, first=0, last=N_STEPS)
    draws = [{group: index[t] for group, index in steps.items()} for t in range(N_STEPS)]
    part = classifier.model_.parts[0]
    frequencies = draw_frequencies(
        KERNELS["gaussian"], setting.kernel_gamma, 2, part.seed, 0, setting.n_frequencies * N_STEPS
    )
    everything = np.vstack(list(groups.values()))
    K = reference.kernel_matrix("gaussian", everything, everything, setting.kernel_gamma)
    terms = reference.semi_supervised_terms("square", setting.labeled_weight, sizes, "all")
    best = K @ reference.kernel_minimiser(K, *reference.quadratic_risk(terms, sizes), setting.alpha)
    iterates = reference.algorithm_1(
        groups,
        draws,
        loss="square",
        labeled_weight=setting.labeled_weight,
        alpha=setting.alpha,
        steps=classifier.history_["step"],
        draw=lambda first, last: frequencies[first:last],
        n_frequencies=setting.n_frequencies,
    )
    iterates = list(iterates)

    def draw(first, last):
        return frequencies[first:last]

    def distances_of(scores):
        return [np.mean((scores(t) - best) ** 2) for t in course.times]

    assert classifier.history_["step"] == pytest.approx(1.0 / (setting.alpha * np.arange(1, N_STEPS + 1)))
    expected = distances_of(lambda t: reference.predict(everything, iterates[t - 1], draw))
    assert course.total == pytest.approx(expected, rel=1e-6)
    assert course.scale == pytest.approx(np.mean(best**2), rel=1e-6)

    # Derivatives of the kernel's iterates at f_t, as in the proofs, and at their own scores.
    before = [np.zeros((0, 2 * setting.n_frequencies)), *iterates[:-1]]
    at_f = [
        {group: reference.predict(groups[group][index], coefficients, draw) for group, index in rows_of_step.items()}
        for coefficients, rows_of_step in zip(before, draws, strict=True)
    ]
    minimiser = reference.kernel_minimiser(K, *reference.quadratic_risk(terms, sizes), setting.alpha)
    assert course.norm == pytest.approx(minimiser @ K @ minimiser, rel=1e-6)
    for scores_at, name in ((at_f, "data"), (None, "second_rule")):
        of_kernel = list(
            reference.second_rule(
                groups,
                draws,
                lambda x, z: reference.kernel("gaussian", x, z, setting.kernel_gamma),
                loss="square",
                labeled_weight=setting.labeled_weight,
                alpha=setting.alpha,
                steps=classifier.history_["step"],
                scores_at=scores_at,
            )
        )
        place = {row.tobytes(): number for number, row in enumerate(everything)}
        beta = np.zeros((N_STEPS, len(everything)))
        for t, kernels in enumerate(of_kernel):
            for coefficient, row in kernels:
                beta[t, place[row.tobytes()]] += coefficient
        assert getattr(course, name) == pytest.approx(distances_of(lambda t, beta=beta: K @ beta[t - 1]), rel=1e-6)
        norms = [(beta[t - 1] - minimiser) @ K @ (beta[t - 1] - minimiser) for t in course.times]
        assert getattr(course, f"{name}_norm") == pytest.approx(norms, rel=1e-6)


def test_rows_are_made_once(tmp_path, monkeypatch):
    extent = replace(FULL, theorem_datasets=("moons",), theorem_rows=60, theorem_seeds=2, theorem_steps=60)
    with RowStore(tmp_path / "rows.jsonl") as store:
        first = run_theorem(extent, store)
    monkeypatch.setattr("s2auc.experiments.reproduction.theorem.follow_steps", None)
    with RowStore(tmp_path / "rows.jsonl") as store:
        assert run_theorem(extent, store) == first
    assert [row["run"] for row in first] == [0, 1]
