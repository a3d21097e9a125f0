"""The benchmark of stated AUCs: it goes on where it was, and what it tells follows from its rows."""

import json
import sys

import numpy as np
import pytest

from benchmark_runs import BENCHMARKS, run_benchmark

sys.path.append(str(BENCHMARKS))  # last: one of them has the name of a library
from coverage_report import groups_of, results_text, summarize


def forged(table, trial, stated, low, high, true):
    known = {"table": table, "scheme": "top", "labels": 150, "quick": False, "trial": trial, "round": 1}
    counts = {"n_labeled": 200, "n_positive": 60, "sampling": "by score"}
    judged = {"stated": stated, "low": low, "high": high, "unweighted": 0.95, "true": true}
    return known | counts | judged | {"precision": 0.5, "prevalence": 0.2, "seconds": 3.0, "cell": f"{table}/{trial}"}


ROWS = [
    forged("bank", 0, 0.8, 0.7, 0.9, 0.75),
    forged("bank", 1, 0.9, 0.85, 0.95, 0.8),
    forged("adult", 0, None, None, None, 0.8),
]


def test_errors_and_coverage_are_those_of_fits_that_state_an_auc():
    found = summarize(ROWS)
    assert (found["fits"], found["n_unstated"], found["covered"], found["too_high"]) == (2, 1, 0.5, 0.5)
    assert found["error"] == pytest.approx(0.075)
    assert found["unweighted_error"] == pytest.approx(0.175)
    assert set(groups_of(ROWS)) == {("top", 150, 1, False, table) for table in ("all", "bank", "adult")}


def test_results_in_a_file():
    header, *lines = results_text(ROWS).splitlines()
    assert header.startswith("table,scheme,labels,round,trial")
    assert lines[0] == "bank,top,150,1,0,False,200,60,by score,0.8,0.7,0.9,0.95,0.75,0.5,0.2,3.0"
    assert len(lines) == 3


def test_a_run_goes_on_where_it_was(tmp_path):
    random = np.random.default_rng(0)
    y = random.random(600) < 0.4
    np.savez(tmp_path / "small.npz", X=random.normal(size=(600, 3)) + y[:, None], y=y)
    rows = tmp_path / "rows.jsonl"
    command = ["--rows", rows, "--data", tmp_path, "--tables", "small", "--labels", 40, "--step", 10, "--quick"]
    first = run_benchmark("coverage.py", *command, "--trials", 1, "--schemes", "top")
    assert first.returncode == 0, first.stderr
    content = rows.read_text()
    assert [json.loads(line)["n_labeled"] for line in content.splitlines()] == [40, 50, 60]
    again = run_benchmark("coverage.py", *command, "--trials", 1, "--schemes", "top", "grouped")
    assert again.returncode == 0, again.stderr
    assert rows.read_text().startswith(content)
    assert len(rows.read_text().splitlines()) == 4
