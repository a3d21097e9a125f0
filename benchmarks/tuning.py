"""What the paper's whole grid costs as bundles of models, against single fits with the same settings.

7 widths x 7 alphas x 11 labelled weights x 5 folds are 2,695 fits. A second row is the default search on many
unlabelled rows: every default of `S2AUCClassifierCV`, the judging of its choice included.

    python benchmarks/tuning.py --json results.json --data DIRECTORY
"""

import argparse
import json
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from s2auc import S2AUCClassifier, S2AUCClassifierCV
from s2auc.common.storage.files import write_file
from s2auc.common.threads import n_threads, single_blas_thread
from s2auc.experiments.datasets.load import available_datasets, load_dataset
from s2auc.experiments.datasets.split import semi_supervised_split
from s2auc.experiments.machine import describe_machine
from s2auc.kernels.instruction_sets import choose_instruction_set
from s2auc.kernels.versions import package_versions

N_LABELED, N_TEST, SEED = 200, 10_000, 0
POWERS = tuple(2.0**power for power in range(-3, 4))
RUN = {"n_frequencies": 32, "batch_size": 64, "random_state": SEED}
N_ITERATIONS, N_FOLDS = 150, 5
REPEATS = 5


def load(name: str, folder: str | None, n_unlabeled: int | None) -> tuple[np.ndarray, ...]:
    """Return labelled rows, their labels, unlabelled rows, test rows and their labels."""
    data = load_dataset(name, folder=folder)
    n_test = min(N_TEST, len(data.y) // 10)
    split = semi_supervised_split(data.y, n_labeled=N_LABELED, n_test=n_test, n_unlabeled=n_unlabeled, seed=SEED)
    parts = [np.asarray(data.X[part], dtype=np.float64) for part in (split.labeled, split.unlabeled, split.test)]
    return parts[0], data.y[split.labeled], parts[1], parts[2], data.y[split.test]


def gigaflops() -> float:
    """Return the speed of float32 matrix products on one thread, the best of several."""
    A = np.ones((1024, 1024), dtype=np.float32)
    best = 0.0
    with single_blas_thread:
        for _ in range(REPEATS):
            started = perf_counter()
            A @ A
            best = max(best, 2 * 1024**3 / (perf_counter() - started) / 1e9)
    return best


def measure_grid(name: str, folder: str | None) -> dict[str, Any]:
    """Return the cost of the paper's grid and of one fit."""
    X, y, pool, _, _ = load(name, folder, None)
    weights = tuple(np.linspace(0.0, 1.0, 11))
    grid = S2AUCClassifierCV(
        kernels=("gaussian",),
        kernel_gammas=tuple(f"{power} median" for power in POWERS),
        alphas=POWERS,
        labeled_weights=weights,
        max_iters=(N_ITERATIONS,),
        scalings=("minmax",),
        column_weightings=("none",),
        solver="qsg",
        selection="best",
        cv=N_FOLDS,
        judge=False,
        **RUN,
    )
    single = S2AUCClassifier(max_iter=N_ITERATIONS, scaling="minmax", alpha=1.0, labeled_weight=0.5, **RUN)
    times = []
    for _ in range(REPEATS):
        started = perf_counter()
        single.fit(X, y, pool)
        times.append(perf_counter() - started)
    started = perf_counter()
    grid.fit(X, y, pool)
    grid_seconds = perf_counter() - started
    return {
        "search": "the paper's grid",
        "dataset": name,
        "n_unlabeled": len(pool),
        "n_fits": len(POWERS) ** 2 * len(weights) * N_FOLDS,
        "grid_seconds": grid_seconds,
        "one_fit_seconds": min(times),
        "grid_over_one_fit": grid_seconds / min(times),
        "best_score": grid.best_score_,
        "best_params": grid.best_params_,
    }


def measure_defaults(name: str, folder: str | None) -> dict[str, Any]:
    """Return the cost of a search with all defaults on a large pool."""
    X, y, pool, X_test, y_test = load(name, folder, 500_000)
    started = perf_counter()
    search = S2AUCClassifierCV(random_state=SEED).fit(X, y, pool)
    seconds = perf_counter() - started
    return {
        "search": "all defaults",
        "dataset": name,
        "n_unlabeled": len(pool),
        "n_columns": X.shape[1],
        "grid_seconds": seconds,
        "test_auc": search.score(X_test, y_test),
        "held_out_auc": str(search.held_out_auc_),
        "did_unlabeled_help": str(search.did_unlabeled_help_),
    }


def main() -> None:
    """Measure, print and write the rows."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", metavar="FILE", type=Path, required=True, help="where to write the rows")
    parser.add_argument("--data", metavar="DIR", help="folder with codrna and covtype (default: S2AUC_DATA)")
    arguments = parser.parse_args()
    there = available_datasets(arguments.data)
    first = "codrna" if "codrna" in there else "moons"
    second = "covtype" if "covtype" in there else "blobs"
    circumstances = {
        "sgemm_gigaflops": gigaflops(),
        "kernel": choose_instruction_set().name,
        "seed": SEED,
        "threads": n_threads(),
        "versions": package_versions(),
        "machine": describe_machine(),
    }
    rows = [
        measure_grid(first, arguments.data) | circumstances,
        measure_defaults(second, arguments.data) | circumstances,
    ]
    grid, defaults = rows
    print(
        f"{grid['search']} on {first}: {grid['n_fits']:,} fits in {grid['grid_seconds']:.1f} s, one fit takes "
        f"{grid['one_fit_seconds']:.3f} s: as long as {grid['grid_over_one_fit']:.0f} fits"
    )
    print(
        f"{defaults['search']} on {second}, {defaults['n_unlabeled']:,} unlabelled rows: "
        f"{defaults['grid_seconds']:.1f} s, test AUC {defaults['test_auc']:.3f}, held-out AUC "
        f"{defaults['held_out_auc']}. {defaults['did_unlabeled_help']}"
    )
    print(", ".join(f"{name} {value}" for name, value in circumstances.items()))
    write_file(arguments.json, json.dumps([grid, defaults], indent=2).encode())


if __name__ == "__main__":
    main()
