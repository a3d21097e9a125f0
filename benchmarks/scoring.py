"""How many rows a second a model scores, against scikit-learn's random features with a linear model behind them.

Both have the same number of frequencies. `RBFSampler` keeps the type of the rows, so it is measured on float32 rows,
its fast case, and on float64 rows; the library takes either. One thread, and all of them.

    python benchmarks/scoring.py --json results.json
"""

import argparse
import json
import os
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from sklearn.kernel_approximation import RBFSampler
from sklearn.linear_model import RidgeClassifier
from sklearn.pipeline import make_pipeline
from threadpoolctl import threadpool_limits

from s2auc.common.storage.files import write_file
from s2auc.common.threads import available_cores
from s2auc.data.features.scaling import SCALINGS
from s2auc.data.schema.schema import Schema
from s2auc.experiments.machine import describe_machine
from s2auc.kernels.instruction_sets import choose_instruction_set
from s2auc.kernels.versions import package_versions
from s2auc.models.model import Model
from s2auc.models.parts.cosine import CosinePart

COLUMNS, N_ROWS, N_FREQUENCIES, SEED, REPEATS = (3, 8, 18, 54, 200), 8192, 4096, 0, 5


def make_scorers(d: int) -> tuple[np.ndarray, dict[str, Callable[[np.ndarray], np.ndarray]]]:
    """Return rows and what scores them: a model of the library, and random features with a linear model."""
    rng = np.random.default_rng(SEED)
    X = rng.normal(size=(N_ROWS, d))
    cosine, sine = rng.normal(size=(2, N_FREQUENCIES))
    part = CosinePart(SCALINGS["standard"](X), "gaussian", 1.0 / d, SEED, cosine, sine)
    sampler = RBFSampler(gamma=1.0 / d, n_components=N_FREQUENCIES, random_state=SEED)
    linear = make_pipeline(sampler, RidgeClassifier()).fit(X[:200].astype(np.float32), X[:200, 0] > 0)
    return X, {
        "s2auc": Model((part,), 0.0, np.array([0, 1]), Schema(d, {})).decision_function,
        "sklearn": linear.decision_function,
    }


def rows_per_second(score: Callable[[np.ndarray], np.ndarray], X: np.ndarray) -> float:
    """Return the best of several measurements."""
    score(X)
    times = []
    for _ in range(REPEATS):
        started = perf_counter()
        score(X)
        times.append(perf_counter() - started)
    return len(X) / min(times)


def measure(d: int) -> list[dict[str, Any]]:
    """Return rows of the benchmark for one number of columns."""
    X, scorers = make_scorers(d)
    rows = []
    for threads in sorted({1, available_cores()}):
        os.environ["S2AUC_NUM_THREADS"] = str(threads)
        with threadpool_limits(threads):
            for dtype in (np.float32, np.float64):
                speed = {name: rows_per_second(score, X.astype(dtype)) for name, score in scorers.items()}
                rows.append(
                    {
                        "d": d,
                        "dtype": np.dtype(dtype).name,
                        "threads": threads,
                        "rows_per_second": speed["s2auc"],
                        "sklearn_rows_per_second": speed["sklearn"],
                        "speedup": speed["s2auc"] / speed["sklearn"],
                        "n_rows": N_ROWS,
                        "n_frequencies": N_FREQUENCIES,
                        "kernel": choose_instruction_set().name,
                        "seed": SEED,
                        "versions": package_versions(),
                        "machine": describe_machine(),
                    }
                )
    return rows


def main() -> None:
    """Measure, print a table and write the rows."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", metavar="FILE", type=Path, help="where to write the rows")
    arguments = parser.parse_args()
    titles = "d", "rows", "threads", "rows/s", "sklearn", "speedup"
    print("".join(f"{title:>11}" for title in titles))
    rows = []
    for d in COLUMNS:
        for row in measure(d):
            rows.append(row)
            print(
                f"{row['d']:11d}{row['dtype']:>11}{row['threads']:11d}{row['rows_per_second']:11.0f}"
                f"{row['sklearn_rows_per_second']:11.0f}{row['speedup']:10.1f}x"
            )
    shared = rows[0]
    print(f"{N_FREQUENCIES} frequencies, kernel {shared['kernel']}, seed {SEED}")
    print(f"{shared['versions']}, {shared['machine']}")
    if arguments.json:
        write_file(arguments.json, json.dumps(rows, indent=2).encode())


if __name__ == "__main__":
    main()
