"""Run a benchmark, and forge rows of results for the reports of benchmarks."""

import io
import logging
import runpy
import subprocess
import sys
import warnings
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from unittest.mock import patch

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


def run_benchmark(name, *arguments):
    """Run a benchmark in this process, which has imported most of what it needs, and return how it ended."""
    command = [str(BENCHMARKS / name), *map(str, arguments)]
    output, errors, code = io.StringIO(), io.StringIO(), 0
    level = logging.root.level
    # Not by `patch`: loggers keep in mind what the level was.
    logging.root.setLevel(logging.INFO)
    with (
        patch.object(sys, "argv", command),
        patch.object(sys, "path", [str(BENCHMARKS), *sys.path]),
        patch.object(logging.root, "handlers", [logging.StreamHandler(errors)]),
        warnings.catch_warnings(),
        redirect_stdout(output),
        redirect_stderr(errors),
    ):
        try:
            runpy.run_path(command[0], run_name="__main__")
        except SystemExit as ending:
            # As the interpreter does: a text is an error, and is printed.
            code = 1 if isinstance(ending.code, str) else ending.code or 0
            errors.write(f"{ending.code}\n")
        finally:
            logging.root.setLevel(level)
    return subprocess.CompletedProcess(command, code, output.getvalue(), errors.getvalue())


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
