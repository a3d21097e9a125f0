"""The benchmark of suggested rows: it goes on where it was, and what it tells follows from its rows."""

import json
import sys

import numpy as np
import pytest

from benchmark_runs import BENCHMARKS, run_benchmark

sys.path.append(str(BENCHMARKS))  # last: one of them has the name of a library
from suggest_report import draw_figure, gains, results_text


def forged(rule, trial, test_auc, table="digits", size="40+20"):
    known = {"dataset": table, "size": size, "trial": trial, "rule": rule, "test_auc": test_auc, "n_positive": 3}
    return known | {"cell": f"{table}/{size}/{trial}/{rule}", "seed": 0, "threads": 1, "versions": {}, "machine": {}}


ROWS = [
    *(forged("random", trial, 0.8) for trial in range(3)),
    *(forged("random again", trial, 0.7) for trial in range(2)),
    *(forged("start", trial, 0.6) for trial in range(3)),
    *(forged("uncertain, spread", trial, 0.8 + 0.1 * trial) for trial in range(3)),
]


def test_gains_are_those_over_the_mean_of_random_draws():
    assert gains(ROWS, "uncertain, spread", "digits", "40+20") == pytest.approx([0.05, 0.15])
    assert len(gains(ROWS, "uncertain, spread", "digits", "100+50")) == 0


def test_results_in_a_file():
    lines = results_text(ROWS).splitlines()
    assert 'digits,40+20,"uncertain, spread",3,0.90000,0.10000,3.0,0.80000 0.90000 1.00000' in lines


def test_the_figure_is_an_image():
    pytest.importorskip("matplotlib")
    image = draw_figure(ROWS, {"chosen-on": ["digits"], "held-back": ["yeast"]})
    assert image.startswith(b"\x89PNG")


def test_a_run_goes_on_where_it_was(tmp_path, fast_search):
    path, results = tmp_path / "found.json", tmp_path / "found.csv"
    arguments = ("--json", path, "--tables", "breast_cancer", "--trials", 1, "--results", results)
    first = run_benchmark("suggest.py", *arguments, "--rules", "random", "random again")
    assert first.returncode == 0, first.stderr
    rows = json.loads(path.read_text())
    ended = run_benchmark("suggest.py", *arguments, "--rules", "random", "random again", "uncertain, spread")
    assert ended.returncode == 0, ended.stderr
    found = json.loads(path.read_text())
    assert found[:3] == rows
    assert [row["rule"] for row in found] == ["start", "random", "random again", "uncertain, spread"]
    assert all(0.8 < row["test_auc"] <= 1.0 for row in found)
    assert np.isfinite(gains(found, "uncertain, spread", "breast_cancer", "40+20")).all()
    assert "uncertain, spread" in ended.stdout
    assert results.read_text().count("\n") == 9
