"""The benchmark of probabilities without negative rows runs, and says what it compared."""

import json

from benchmark_runs import run_benchmark


def test_both_ways_are_compared(tmp_path):
    output = tmp_path / "results.json"
    arguments = ["--json", output, "--tables", "breast_cancer", "--positives", "30"]
    finished = run_benchmark("positive_unlabeled.py", *arguments)
    assert finished.returncode == 0, finished.stderr
    [row] = json.loads(output.read_text())
    assert (row["table"], row["n_positive"]) == ("breast_cancer", 30)
    assert row["platt_log_loss"] < 0.4
    assert 0.0 < row["prior_by_scores"] < 1.0
    assert "Seed 5" in finished.stdout


def test_an_empty_folder_is_said(tmp_path):
    finished = run_benchmark("positive_unlabeled.py", "--json", tmp_path / "results.json", "--data", tmp_path)
    assert finished.returncode == 1
    assert finished.stderr.startswith("None of the tables")
