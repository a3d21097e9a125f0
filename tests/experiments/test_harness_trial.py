"""One trial in this process: what the clock covers, and which rows the learner sees."""

import hashlib
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import harness_plugin
from s2auc.experiments.datasets.load import load_dataset
from s2auc.experiments.harness import trial
from s2auc.experiments.harness.cells import Cell
from s2auc.experiments.harness.trial import run_trial
from s2auc.experiments.harness.trial_rows import LOADERS, cut, load_trial_rows

CELL = Cell("moons", "linear", 20, 100, 50, "none", 0, 5, {})


class Clock:
    """A clock that stands still but for what is said to take time."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now

    def taking(self, seconds, function):
        def slow(*arguments):
            self.now += seconds
            return function(*arguments)

        return slow


def test_the_clock_covers_the_fit_only(monkeypatch):
    clock, linear = Clock(), harness_plugin.Linear
    monkeypatch.setattr("s2auc.experiments.harness.trial.perf_counter", clock)
    for seconds, name in ((1, "__init__"), (2, "fit"), (4, "scores")):
        monkeypatch.setattr(linear, name, clock.taking(seconds, getattr(linear, name)))
    monkeypatch.setattr(trial, "load_trial_rows", clock.taking(8, load_trial_rows))
    monkeypatch.setattr(trial, "auc", clock.taking(16, lambda truth, scores: 0.5))
    result = run_trial(CELL)
    assert result["status"] == "ok"
    assert result["test_auc"] == 0.5
    assert (result["fit_seconds"], result["score_seconds"], clock.now) == (2, 4, 31)


def test_the_clock_runs():
    assert run_trial(replace(CELL, parameters={"seconds": 0.01}))["fit_seconds"] >= 0.01


def test_test_rows_never_reach_the_learner(tmp_path, monkeypatch):
    monkeypatch.setenv("S2AUC_TEST_SEEN", str(tmp_path / "seen.json"))
    cell = replace(CELL, method="record", parameters={"deed": "record"})
    kept = []
    monkeypatch.setattr(
        trial, "load_trial_rows", lambda *arguments: kept.append(load_trial_rows(*arguments)) or kept[0]
    )
    run_trial(cell)
    seen = set(json.loads((tmp_path / "seen.json").read_text()))
    test_rows = {hashlib.sha256(row.tobytes()).hexdigest() for row in kept[0].X_test}
    assert len(seen) == 120
    assert len(test_rows) == 50
    assert seen.isdisjoint(test_rows)


@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="other systems count from the start")
def test_memory_of_the_fit_is_its_growth(monkeypatch):
    monkeypatch.setitem(harness_plugin.DEEDS, "talk", lambda *rows: np.ones(12_500_000).sum())

    def load(cell, folder):
        # What loading took for a moment must not hide what the fit takes.
        np.ones(40_000_000).sum()
        return load_trial_rows(cell, folder)

    monkeypatch.setattr(trial, "load_trial_rows", load)
    result = run_trial(replace(CELL, method="talk", parameters={"deed": "talk"}))
    assert 95e6 < result["fit_memory_bytes"] < 140e6
    assert result["peak_memory_bytes"] > result["fit_memory_bytes"]


def test_methods_of_a_trial_meet_the_same_rows():
    first, second = (load_trial_rows(replace(CELL, method=method), None) for method in ("qsg", "linear"))
    np.testing.assert_array_equal(first.X_labeled, second.X_labeled)
    np.testing.assert_array_equal(first.X_test, second.X_test)
    other = load_trial_rows(replace(CELL, seed=6), None)
    assert not np.array_equal(first.X_test, other.X_test)


@pytest.mark.parametrize(("cap", "n_unlabeled", "n_test"), [(None, 269, 200), (100, 100, 200), (0, 0, 200)])
def test_sizes_of_a_small_dataset(cap, n_unlabeled, n_test):
    problem = load_trial_rows(
        replace(CELL, dataset="breast_cancer", n_labeled=100, max_unlabeled=cap, max_test=200), None
    )
    assert (problem.sizes.n_labeled, problem.sizes.n_unlabeled, len(problem.y_test)) == (100, n_unlabeled, n_test)
    assert problem.source == "breast_cancer: all 569 rows that ship with scikit-learn"


def test_test_rows_are_at_most_half_of_the_rest():
    problem = load_trial_rows(
        replace(CELL, dataset="breast_cancer", n_labeled=169, max_unlabeled=None, max_test=10_000), None
    )
    assert (problem.sizes.n_unlabeled, len(problem.y_test)) == (200, 200)


def test_too_many_labels_asked_for():
    with pytest.raises(ValueError, match="breast_cancer must have rows for 566 labelled and two test rows at least"):
        load_trial_rows(replace(CELL, dataset="breast_cancer", n_labeled=566, max_unlabeled=None), None)


def test_files_are_loaded_whole_or_picked_from(tmp_path):
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 255, (400, 3)), rng.random(400) < 0.4
    np.savez(tmp_path / "skin.npz", X=X, y=y)
    cell = replace(CELL, dataset="skin")
    assert load_trial_rows(cell, str(tmp_path)).source == "skin: 400 of 245,057 published rows, from skin.npz"
    (tmp_path / "skin.npz").unlink()
    lines = [f"{a}\t{b}\t{c}\t{1 if positive else 2}" for (a, b, c), positive in zip(X, y, strict=True)]
    (tmp_path / "Skin_NonSkin.txt").write_text("\n".join(lines))
    problem = load_trial_rows(cell, str(tmp_path))
    assert problem.source.startswith("skin: 170 random rows (seed 5) of 400 of 245,057 published rows")
    assert (problem.sizes.n_unlabeled, len(problem.y_test)) == (100, 50)


def test_columns_are_scaled_over_all_training_rows():
    dataset = load_dataset("moons", n_rows=300)
    X = dataset.X.copy()
    X[:, 3] = 7
    problem = cut(X, dataset.y, "", replace(CELL, scaling="minmax"))
    training = np.concatenate([problem.X_labeled, problem.X_unlabeled])
    np.testing.assert_array_equal(training.min(axis=0), 0)
    assert training.max(axis=0) == pytest.approx(np.where(np.arange(10) == 3, 0, 1))
    assert problem.X_test.dtype == np.float32


def test_datasets_of_plugins(monkeypatch):
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((200, 2)), np.arange(200) % 3 == 0
    monkeypatch.setitem(LOADERS, "mine", lambda cell, folder: cut(X, y, f"mine, in {folder}", cell))
    problem = load_trial_rows(replace(CELL, dataset="mine"), "folder")
    assert problem.source == "mine, in folder"
    assert (problem.sizes.n_unlabeled, len(problem.y_test)) == (100, 50)


def test_the_fastest_of_several_runs_counts(monkeypatch):
    clock, linear = Clock(), harness_plugin.Linear
    monkeypatch.setattr("s2auc.experiments.harness.trial.perf_counter", clock)
    durations = iter([5.0, 3.0, 4.0])
    usual = linear.fit

    def fit(*arguments):
        clock.now += next(durations)
        return usual(*arguments)

    monkeypatch.setattr(linear, "fit", fit)
    result = run_trial(CELL, repeats=3)
    assert (result["fit_seconds"], result["n_runs"]) == (3.0, 3)
    durations = iter([40.0])
    assert run_trial(CELL, repeats=3)["n_runs"] == 1  # long fits are run once


def test_columns_of_the_table_are_scaled_alike_whatever_rows_a_fit_has():
    few, many = (
        load_trial_rows(replace(CELL, scaling="minmax_of_table", dataset="breast_cancer", max_unlabeled=size), None)
        for size in (30, 300)
    )
    np.testing.assert_array_equal(few.X_labeled, many.X_labeled)
    np.testing.assert_array_equal(few.X_test, many.X_test)
    everything = load_dataset("breast_cancer").X
    low, high = everything.min(axis=0), everything.max(axis=0)
    raw = load_trial_rows(replace(CELL, dataset="breast_cancer", max_unlabeled=30), None)
    np.testing.assert_allclose(few.X_test, (raw.X_test - low) / (high - low), atol=1e-6)
    learnt = [
        load_trial_rows(replace(CELL, scaling="minmax", dataset="breast_cancer", max_unlabeled=size), None)
        for size in (30, 300)
    ]
    assert not np.allclose(learnt[0].X_labeled, learnt[1].X_labeled)
