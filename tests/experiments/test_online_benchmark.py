"""The benchmark of baselines that learn one row after the other: what it prints, and that errors fall."""

import json

from benchmark_runs import run_benchmark


def test_it_tells_errors_and_seconds(tmp_path):
    process = run_benchmark("online.py", "--quick", "--draws", 2, "--json", tmp_path / "found.json")
    assert process.returncode == 0, process.stderr
    found = json.loads((tmp_path / "found.json").read_text())
    assert set(found["seconds"]) == {"SOLAM", "FSAUC", "FOAM", "NOAM"}
    assert found["versions"]["s2auc"]
    slopes = {}
    for row in found["errors"]:
        slopes.setdefault(row["method"], []).append(row["slope"])
    assert max(slopes["FSAUC"]) < -0.2
    assert min(slopes["FSAUC"]) < min(slopes["SOLAM"]) < -0.2
    assert -0.8 < slopes["FOAM"][0] < -0.2
    assert "FSAUC, step_size=0.1: slope" in process.stdout
