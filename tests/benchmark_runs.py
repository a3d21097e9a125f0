"""Run a benchmark as its users do, and forge rows of results for the reports of benchmarks."""

import os
import subprocess
import sys
from pathlib import Path

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"


def run_benchmark(name, *arguments):
    """Return the finished process of a benchmark, which finds the modules that the tests find."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, str(BENCHMARKS / name), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False)


def forged_row(dataset, method, n_labeled=200, trial=0, **values):
    """Return a row of the harness with what reports look at."""
    return {
        "cell": f"{dataset} {method} {n_labeled} {trial}",
        "dataset": dataset,
        "method": method,
        "n_labeled": n_labeled,
        "max_unlabeled": None,
        "scaling": "none",
        "trial": trial,
        "status": "ok",
        "reason": "",
        "test_auc": 0.8,
        "fit_seconds": 1.0,
        "score_seconds": 0.5,
        "fit_memory_bytes": 10**8,
        **values,
    }
