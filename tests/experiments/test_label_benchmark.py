"""The benchmark of many labels: it runs in parts, goes on, draws, and its verdicts follow from rows."""

import json
from importlib import import_module

import numpy as np
import pytest

from benchmark_runs import BENCHMARKS, forged_row, run_benchmark
from s2auc.experiments.harness.store import read_rows
from s2auc.experiments.results.summary import Summary


@pytest.fixture
def report(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return import_module("label_report")


def test_parts_add_up_and_are_drawn(tmp_path):
    output, figure = tmp_path / "out" / "labels.json", tmp_path / "out" / "labels.svg"
    arguments = ["--json", output, "--tables", "moons", "--unlabeled", "100", "--trials", "1"]
    arguments += ["--methods", "single", "boosting"]
    first = run_benchmark("labels.py", *arguments, "--labels", "30")
    assert first.returncode == 0, first.stderr
    second = run_benchmark("labels.py", *arguments, "--labels", "30", "60", "--methods", "boosting")
    assert "labels: 2 cells, 1 have a result" in second.stderr
    told = run_benchmark("labels.py", *arguments, "--labels", "30", "60", "--no-run", "--figure", figure)
    assert told.returncode == 0, told.stderr
    rows = json.loads(output.read_text())
    assert [(row["method"], row["n_labeled"], row["status"]) for row in rows] == [
        ("single", 30, "ok"),
        ("boosting", 30, "ok"),
        ("boosting", 60, "ok"),
    ]
    assert rows == read_rows(output.with_suffix(".rows.jsonl"))
    assert all(row["threads"] == 2 and row["n_unlabeled"] == 100 for row in rows)
    assert "moons: test AUC, and seconds of a fit" in told.stdout
    assert "Seed 0, 2 thread(s)" in told.stdout
    drawn = figure.read_text()
    assert all(word in drawn for word in ("moons", "single", "boosting", "labelled rows"))


def test_missing_tables_are_told_at_once(tmp_path, monkeypatch):
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path / "none"))
    ended = run_benchmark("labels.py", "--json", tmp_path / "labels.json", "--data", tmp_path)
    assert ended.returncode == 1
    assert "The tables covtype and codrna must be in the data folder, but neither is" in ended.stderr
    nothing = run_benchmark("labels.py", "--json", tmp_path / "labels.json", "--tables", "moons", "--no-run")
    assert nothing.returncode == 1
    assert "labels.rows.jsonl" in nothing.stderr


@pytest.mark.parametrize(
    ("n_labeled", "own_auc", "seconds", "verdicts"),
    [(5_000, 0.798, 19.0, ["met", "met"]), (5_000, 0.796, 21.0, ["missed", "missed"]), (20_000, 0.791, 99.0, ["met"])],
)
def test_verdicts_follow_from_the_rows(report, capsys, n_labeled, own_auc, seconds, verdicts):
    rows = [
        forged_row("covtype", "tuned", n_labeled, test_auc=own_auc, fit_seconds=seconds),
        forged_row("covtype", "boosting_tuned", n_labeled),
        forged_row("covtype", "boosting", n_labeled, status="timeout", reason="did not finish", test_auc=None),
    ]
    report.print_table(Summary(rows), "covtype")
    *_, failure, verdict = capsys.readouterr().out.splitlines()
    assert failure == f"boosting, {n_labeled:,} labels, trial 0: timeout, did not finish"
    assert verdict.startswith(f"covtype, {n_labeled:,} labels, tuned minus boosting_tuned: AUC {own_auc - 0.8:+.4f}")
    assert [word.strip(",)") for word in verdict.split() if word.strip(",)") in ("met", "missed")] == verdicts


def test_a_missing_baseline_is_told(report, capsys):
    report.print_table(Summary([forged_row("covtype", "tuned", 5_000)]), "covtype")
    assert capsys.readouterr().out.endswith("tuned minus boosting_tuned: no trial has both\n")


def test_few_labels_can_be_searched(report):
    """Folds are fewer where a class is small, and boosting still grows trees."""
    boosting = import_module("benchmark_methods").METHODS["boosting_tuned"]
    parameters = {**boosting.parameters, "max_iter": 5, "grid": {"max_leaf_nodes": [4, 8]}}
    y = np.arange(20) < 3
    X = np.random.default_rng(0).normal(size=(20, 3)) + 3.0 * y[:, None]
    learner = boosting.build(0, **parameters)
    learner.fit(X, y, X[:0])
    assert len(set(learner.scores(X))) > 1
