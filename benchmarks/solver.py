"""Speed of the blocked solver, compared with a literal loop of Algorithm 1 and with SAMULT.

Three programs make the same iterates (same rows, same frequencies, same steps, float32 cosines):

- literal: one iteration at a time, every earlier block of frequencies drawn again, one NumPy call a block, one thread;
- literal, cached: the same with the frequencies kept;
- blocked: the solver of the library, on all cores, the fastest of several runs.

The second table compares fits on 200 labelled and 10,000 unlabelled rows, columns from 0 to 1, one setting of the
paper's grid, one thread: QSG-S2AUC with 200 steps of 64 rows and frequencies, as published and with the steps of this
library, and SAMULT with every row as a centre. Seconds are those of the processor, the least of several runs of each.

    python benchmarks/solver.py --json results.json --data DIRECTORY
"""

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from s2auc import QSG, S2AUCClassifier, SAMULTClassifier
from s2auc.common.storage.files import write_file
from s2auc.common.threads import n_threads
from s2auc.data.features.scaling import SCALINGS
from s2auc.experiments.datasets.load import available_datasets, load_dataset
from s2auc.experiments.datasets.split import semi_supervised_split
from s2auc.experiments.machine import describe_machine
from s2auc.kernels.frequencies import FrequencyStream, draw_frequencies
from s2auc.kernels.instruction_sets import choose_instruction_set
from s2auc.kernels.shift_invariant import KERNELS
from s2auc.kernels.versions import package_versions
from s2auc.ranking.losses import LOSSES
from s2auc.ranking.objective import semi_supervised
from s2auc.solvers.batches import plan_draws, rows_of_steps
from s2auc.solvers.qsg.curvature import measure_curvature
from s2auc.solvers.qsg.iterates import Iterates
from s2auc.solvers.qsg.panels import Problem, run_panels
from s2auc.solvers.qsg.qsg import SCHEDULES

N_ITERATIONS, N_FREQUENCIES, BATCH_SIZE, PAIRING = 1000, 16, 32, "triplet"
N_LABELED, N_UNLABELED, ALPHA, LABELED_WEIGHT, SEED = 200, 20_000, 1e-3, 0.5, 0
N_COMPARED, N_TEST = 10_000, 5_000
SETTINGS = {"alpha": 2.0**-3, "kernel_gamma": 2.0, "labeled_weight": 0.5, "scaling": "none"}
REPEATS, FEW_REPEATS = 10, 3


def make_problem(name: str, folder: str | None) -> tuple[Problem, FrequencyStream, str]:
    """Return 200 labelled rows with up to 20,000 unlabelled ones as a problem for the solver."""
    dataset = load_dataset(name, folder=folder, seed=SEED)
    split = semi_supervised_split(dataset.y, n_labeled=N_LABELED, n_unlabeled=N_UNLABELED, seed=SEED)
    labels = dataset.y[split.labeled]
    groups = {
        "positive": dataset.X[split.labeled[labels]],
        "negative": dataset.X[split.labeled[~labels]],
        "unlabeled": dataset.X[split.unlabeled],
    }
    X = np.concatenate(list(groups.values())).astype(np.float64)
    sizes = {group: len(rows) for group, rows in groups.items()}
    draws = plan_draws(sizes, pairing=PAIRING, batch_size=BATCH_SIZE)
    steps = rows_of_steps(draws, seed=SEED, first=0, last=N_ITERATIONS)
    offsets = dict(zip(sizes, np.cumsum([0, *sizes.values()]), strict=False))
    problem = Problem(
        X=SCALINGS["standard"](X).apply(X),
        steps={group: index + offsets[group] for group, index in steps.items()},
        objective=semi_supervised(LOSSES["square"], np.array([LABELED_WEIGHT]), PAIRING),
        alpha=np.array([ALPHA]),
        followed=np.arange(N_LABELED),
        row_weight=None,
        n_frequencies=N_FREQUENCIES,
    )
    return problem, FrequencyStream("gaussian", 1.0 / X.shape[1], X.shape[1], SEED), dataset.source


def literal(problem: Problem, take: Callable[[int, int], np.ndarray], step_sizes: np.ndarray) -> np.ndarray:
    """Return the coefficients (frequencies, 2) of the last iterate, one iteration and one block at a time."""
    m = problem.n_frequencies
    coefficients: list[np.ndarray] = []
    for t, step in enumerate(step_sizes[:, 0]):
        rows = {group: index[t] for group, index in problem.steps.items()}
        X = np.concatenate([problem.X[index] for index in rows.values()]).astype(np.float32)
        scores = np.zeros(len(X))
        for i, (cosine, sine) in enumerate(coefficients):
            angles = X @ take(i * m, (i + 1) * m).astype(np.float32).T
            scores += np.cos(angles) @ cosine.astype(np.float32) + np.sin(angles) @ sine.astype(np.float32)
        ends = np.cumsum([len(index) for index in rows.values()])[:-1]
        batch = dict(zip(rows, np.split(scores, ends), strict=True))
        gradient = np.concatenate(list(problem.objective.of_model(0, 1).evaluate(batch).gradient.values()))
        angles = X @ take(t * m, (t + 1) * m).astype(np.float32).T
        decay = 1.0 - step * ALPHA
        coefficients = [(decay * cosine, decay * sine) for cosine, sine in coefficients]
        coefficients.append((-step / m * (np.cos(angles).T @ gradient), -step / m * (np.sin(angles).T @ gradient)))
    return np.concatenate([np.stack(pair, axis=1) for pair in coefficients])


def blocked(problem: Problem, stream: FrequencyStream, step_sizes: np.ndarray) -> np.ndarray:
    """Return the same coefficients from the blocked solver, the frequencies drawn within the time."""
    iterates = Iterates.empty(n_models=1)
    for _ in run_panels(problem, iterates, stream, step_sizes, averaged=False):
        pass
    return np.concatenate(iterates.coefficients(), axis=1)


def compare_fits(name: str, folder: str | None) -> dict[str, Any]:
    """Return least processor seconds and test AUC of SAMULT and of both forms of QSG-S2AUC."""
    data = load_dataset(name, folder=folder, seed=SEED)
    split = semi_supervised_split(data.y, n_labeled=N_LABELED, n_unlabeled=N_COMPARED, n_test=N_TEST, seed=SEED)
    X = np.asarray(data.X, dtype=np.float64)
    X = SCALINGS["minmax"](X).apply(X)
    labeled, labels, pool = X[split.labeled], data.y[split.labeled], X[split.unlabeled]
    steps = {"max_iter": 200, "n_frequencies": 64, "batch_size": 64, "random_state": SEED, **SETTINGS}
    found: dict[str, Any] = {"dataset": name}
    for method, ranker, repeats in (
        ("samult", SAMULTClassifier(**SETTINGS), FEW_REPEATS),
        ("published", S2AUCClassifier(solver=QSG.as_published(), **steps), REPEATS),
        ("library", S2AUCClassifier(solver=QSG(average=False), **steps), REPEATS),
    ):
        seconds = []
        with threadpool_limits(1):
            for _ in range(repeats):
                started = process_time()
                ranker.fit(labeled, labels, pool)
                seconds.append(process_time() - started)
        found[f"{method}_seconds"] = min(seconds)
        found[f"{method}_auc"] = ranker.score(X[split.test], data.y[split.test])
    return found


def timed(work: Callable[[], np.ndarray]) -> tuple[np.ndarray, float]:
    """Return the result and the time of one run."""
    started = perf_counter()
    result = work()
    return result, perf_counter() - started


def measure(name: str, folder: str | None) -> dict[str, Any]:
    """Return one row of the benchmark."""
    problem, stream, source = make_problem(name, folder)
    t = np.arange(1.0, N_ITERATIONS + 1)[:, None]
    step_sizes = SCHEDULES["shifted"](t, problem.alpha, measure_curvature(problem, stream, Iterates.empty(1)))
    settings = stream.kernel, stream.gamma, stream.n_columns, stream.seed

    def redraw(first: int, last: int) -> np.ndarray:
        return draw_frequencies(KERNELS[settings[0]], *settings[1:], first, last)

    runs = [timed(lambda: blocked(problem, FrequencyStream(*settings), step_sizes)) for _ in range(FEW_REPEATS)]
    result, blocked_seconds = min(runs, key=lambda run: run[1])
    with threadpool_limits(1):
        _, cached_seconds = timed(lambda: literal(problem, stream.take, step_sizes))
        expected, literal_seconds = timed(lambda: literal(problem, redraw, step_sizes))
    return {
        "dataset": name,
        "source": source,
        "literal_seconds": literal_seconds,
        "literal_cached_seconds": cached_seconds,
        "blocked_seconds": blocked_seconds,
        "speedup": literal_seconds / blocked_seconds,
        "speedup_over_cached": cached_seconds / blocked_seconds,
        "max_relative_difference": float(np.abs(result - expected).max() / np.abs(expected).max()),
        "kernel": choose_instruction_set().name,
        "n_iterations": N_ITERATIONS,
        "n_frequencies": N_FREQUENCIES,
        "batch_size": BATCH_SIZE,
        "pairing": PAIRING,
        "seed": SEED,
        "threads": n_threads(),
        "versions": package_versions(),
        "machine": describe_machine(),
    }


def main() -> None:
    """Measure, print a table and write the rows."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", metavar="FILE", type=Path, help="where to write the rows")
    parser.add_argument("--data", metavar="DIR", help="folder with codrna and covtype (default: S2AUC_DATA)")
    arguments = parser.parse_args()
    available = available_datasets(arguments.data)
    names = [name for name in ("codrna", "covtype") if name in available] or ["moons", "blobs"]
    rows = []
    titles = "dataset", "literal", "cached", "blocked", "speedup", "vs cached", "difference"
    print("".join(f"{title:>11}" for title in titles))
    for name in names:
        row = measure(name, arguments.data)
        rows.append(row)
        print(
            f"{row['dataset']:>11}{row['literal_seconds']:10.2f}s{row['literal_cached_seconds']:10.2f}s"
            f"{row['blocked_seconds']:10.2f}s{row['speedup']:10.1f}x{row['speedup_over_cached']:10.1f}x"
            f"{row['max_relative_difference']:11.1e}"
        )
    print("\nfits with 10,000 unlabelled rows: seconds (AUC), and SAMULT's seconds divided by them")
    for row in rows:
        row |= compare_fits(row["dataset"], arguments.data)
        shown = [f"{row['dataset']:>11}  SAMULT {row['samult_seconds']:.2f} ({row['samult_auc']:.4f})"]
        for method in ("published", "library"):
            seconds, area = row[f"{method}_seconds"], row[f"{method}_auc"]
            shown.append(f"{method} {seconds:.3f} ({area:.4f}), {row['samult_seconds'] / seconds:.0f}x")
        print("; ".join(shown))
    shared = rows[0]
    print(f"seed {SEED}, {shared['threads']} threads, {shared['versions']}, {shared['machine']}")
    if arguments.json:
        write_file(arguments.json, json.dumps(rows, indent=2).encode())


if __name__ == "__main__":
    main()
