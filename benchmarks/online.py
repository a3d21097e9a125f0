"""Baselines that learn one row after the other: how fast they tend to what they should, and how fast they run.

Errors. Rows of two normal classes, whose best linear ranking under the square loss is known in closed form: how much
more than the minimum SOLAM and FSAUC lose after so many rows, on average over some draws of rows, and the slope of the
logarithm of that against the logarithm of the number of rows. Each number of rows is a run of its own, which FSAUC
plans for. FOAM against the same steps with the kernel itself (NOAM with all rows as landmarks), for more and more
frequencies.

Seconds. One call of `partial_fit` for each method, on one thread.

    python benchmarks/online.py --json online.json
    python benchmarks/online.py --quick
"""

import argparse
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from s2auc import FOAMClassifier, FSAUCClassifier, NOAMClassifier, SOLAMClassifier
from s2auc.common.storage.files import write_file
from s2auc.experiments.machine import describe_machine
from s2auc.kernels.versions import package_versions

N_COLUMNS, SHARE = 18, 0.3
SIZES = 1_000, 3_000, 10_000, 30_000, 100_000
QUICK_SIZES = 300, 1_000, 3_000
FREQUENCIES = 25, 100, 400
STEP_SIZES = {"SOLAM": (0.3, 1.0, 3.0), "FSAUC": (0.03, 0.1, 0.3)}
LINEAR: dict[str, Callable[..., Any]] = {"SOLAM": SOLAMClassifier, "FSAUC": FSAUCClassifier}
TIMED: dict[str, Callable[..., Any]] = {**LINEAR, "FOAM": FOAMClassifier, "NOAM": NOAMClassifier}


class TwoNormals:
    """Two normal classes that differ in their mean, and their best linear ranking."""

    def __init__(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.mix = np.eye(N_COLUMNS) + 0.7 * rng.normal(size=(N_COLUMNS, N_COLUMNS)) / np.sqrt(N_COLUMNS)
        self.gap = 1.5 * rng.normal(size=N_COLUMNS) / np.sqrt(N_COLUMNS)
        self.second = 2.0 * self.mix.T @ self.mix + np.outer(self.gap, self.gap)
        self.best = np.linalg.solve(self.second, self.gap)

    def draw(self, n_rows: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
        """Return rows and whether they are positive."""
        rng = np.random.default_rng(seed)
        is_positive = rng.random(n_rows) < SHARE
        return rng.normal(size=(n_rows, N_COLUMNS)) @ self.mix + is_positive[:, None] * self.gap, is_positive

    def excess(self, model: Any) -> float:
        """Return how much more than the minimum a linear model loses."""
        part = model.model_.parts[0]
        gap = part.columns.scale * part.weights - self.best
        return float(gap @ self.second @ gap)


def linear_errors(method: str, step_size: float, sizes: Sequence[int], seed: int, n_draws: int) -> list[float]:
    """Return the mean excess for each number of rows, each fitted by one pass."""
    rows, errors = TwoNormals(seed), []
    for n_rows in sizes:
        found = []
        for number in range(n_draws):
            X, y = rows.draw(n_rows, seed + 1 + number)
            model = LINEAR[method](step_size=step_size, scaling="none", max_epochs=1, random_state=seed)
            found.append(rows.excess(model.fit(X, y)))
        errors.append(float(np.mean(found)))
    return errors


def slope_of(sizes: Sequence[int], errors: list[float]) -> float:
    """Return the slope of log error against log size."""
    return float(np.polyfit(np.log(sizes), np.log(errors), 1)[0])


def fourier_errors(seed: int, n_draws: int) -> list[float]:
    """Return how far scores of FOAM lie from those of the kernel itself, relative to how far these spread."""
    X, y = TwoNormals(seed).draw(300, seed + 1)
    plain = {"kernel_gamma": 0.05, "scaling": "none"}
    exact = scores_of(NOAMClassifier(n_landmarks=len(X), random_state=seed, **plain).partial_fit(X, y), X)
    errors = []
    for n_frequencies in FREQUENCIES:
        models = (FOAMClassifier(n_frequencies=n_frequencies, random_state=seed + n, **plain) for n in range(n_draws))
        gaps = [scores_of(model.partial_fit(X, y), X) - exact for model in models]
        errors.append(float(np.sqrt(np.mean(np.square(gaps))) / exact.std()))
    return errors


def scores_of(model: Any, X: np.ndarray) -> np.ndarray:
    """Return scores without the threshold."""
    scores: np.ndarray = model.decision_function(X) + model.offset_
    return scores


def seconds_of(method: str, n_rows: int, seed: int) -> float:
    """Return the seconds of one pass over so many rows."""
    X, y = TwoNormals(seed).draw(n_rows, seed)
    model = TIMED[method](random_state=seed)
    started = perf_counter()
    model.partial_fit(X, y)
    return perf_counter() - started


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--draws", type=int, default=5, help="draws of rows that each error is the mean of")
    parser.add_argument("--quick", action="store_true", help="fewer rows")
    parser.add_argument("--json", type=Path, help="file for what is found")
    arguments = parser.parse_args()
    sizes = QUICK_SIZES if arguments.quick else SIZES
    found: dict[str, Any] = {"seed": arguments.seed, "machine": describe_machine(), "versions": package_versions()}
    print(f"seed {arguments.seed}, {found['machine']}, {found['versions']}")
    with threadpool_limits(1):
        found["seconds"] = {method: seconds_of(method, sizes[-1], arguments.seed) for method in TIMED}
        for method, seconds in found["seconds"].items():
            print(f"{method}: {seconds:.1f} s for {sizes[-1]:,} rows of {N_COLUMNS} columns")
        found["errors"] = []
        for method, step_sizes in STEP_SIZES.items():
            for step_size in step_sizes:
                errors = linear_errors(method, step_size, sizes, arguments.seed, arguments.draws)
                slope = slope_of(sizes, errors)
                found["errors"].append({"method": method, "step_size": step_size, "errors": errors, "slope": slope})
                shown = ", ".join(f"{n_rows:,}: {error:.5f}" for n_rows, error in zip(sizes, errors, strict=True))
                print(f"{method}, step_size={step_size}: slope {slope:.2f} ({shown})")
        errors = fourier_errors(arguments.seed, arguments.draws)
        slope = slope_of(FREQUENCIES, errors)
        found["errors"].append({"method": "FOAM", "errors": errors, "slope": slope})
        shown = ", ".join(f"{n:,}: {error:.4f}" for n, error in zip(FREQUENCIES, errors, strict=True))
        print(f"FOAM against the kernel: slope {slope:.2f} ({shown})")
    if arguments.json:
        write_file(arguments.json, json.dumps(found, indent=1).encode())


if __name__ == "__main__":
    main()
