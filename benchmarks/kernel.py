"""How close the compiled kernel comes to what the processor can do, and how far ahead of NumPy it is.

For every operation and number of columns: pairs of row and frequency per second through the library's own function, as
a share of the multiply-add peak that a loop in the same extension reaches in the same run, and against the library's
NumPy path on one thread. Times are the best of several, peak and operations alike. There are 3840 rows and 2048
frequencies; 512 for the features, which then fill 16 MB, as those of a panel of the solver. Operations per pair:

- evaluate: 2(d + 1) + 16, the dot product, the weighted sum, range reduction and one cosine;
- features: 2d + 23, with both waves: 3 additions and a square, polynomials of 10 and 9.

    python benchmarks/kernel.py --json results.json
"""

import argparse
import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from s2auc.common.threads import available_cores
from s2auc.experiments.machine import describe_machine
from s2auc.experiments.output import write_file
from s2auc.kernels import _cosines
from s2auc.kernels.fourier import evaluate, features
from s2auc.kernels.frequencies import draw_frequencies
from s2auc.kernels.instruction_sets import choose_instruction_set
from s2auc.kernels.shift_invariant import KERNELS
from s2auc.kernels.versions import package_versions

COLUMNS = (3, 8, 18, 28, 54, 128, 200)
N_ROWS, N_FREQUENCIES, SEED = 15_360, 2048, 0
N_WAVE_ROWS, N_WAVES = 3840, 512
SECONDS, PEAK_ROUNDS = 0.25, 2_000_000
OPERATIONS = ("evaluate", "features")
FLOPS = {
    "evaluate": lambda d: 2 * (d + 1) + 16,
    "features": lambda d: 2 * d + 23,
}


@contextmanager
def environment(**values: str) -> Iterator[None]:
    """Set environment variables of the library for a while."""
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def best_time(work: Callable[[], Any]) -> float:
    """Return the shortest time of several runs, at least three and for at least `SECONDS`."""
    work()
    times: list[float] = []
    while len(times) < 3 or sum(times) < SECONDS:
        started = perf_counter()
        work()
        times.append(perf_counter() - started)
    return min(times)


def measure_peak(instruction_set: str) -> float:
    """Return floating point operations per second of one thread that does nothing but multiply and add."""
    return _cosines.multiply_add(instruction_set, PEAK_ROUNDS) / best_time(
        lambda: _cosines.multiply_add(instruction_set, PEAK_ROUNDS)
    )


def make_work(d: int) -> tuple[dict[str, Callable[..., np.ndarray]], dict[str, float]]:
    """Return the operations on random rows, and by what their errors are divided."""
    rng = np.random.default_rng(SEED)
    X = rng.normal(size=(N_ROWS, d))
    W = draw_frequencies(KERNELS["gaussian"], 1.0 / d, d, SEED, 0, N_FREQUENCIES)
    cosine, sine = rng.normal(size=(2, N_FREQUENCIES))
    work = {
        "evaluate": lambda **dtype: evaluate(X, W, cosine, sine, **dtype),
        "features": lambda **dtype: features(X[:N_WAVE_ROWS], W[:N_WAVES], **dtype),
    }
    return work, {"evaluate": np.hypot(cosine, sine).sum(), "features": 1.0}


def measure(d: int, instruction_set: str) -> Iterator[dict[str, Any]]:
    """Yield rows of the benchmark for one number of columns, the share of the peak still missing."""
    work, scale = make_work(d)
    for operation in OPERATIONS:
        run = work[operation]
        # The result of `features` is to fit in the cache.
        n_rows, n_frequencies = (N_WAVE_ROWS, N_WAVES) if operation == "features" else (N_ROWS, N_FREQUENCIES)
        with environment(S2AUC_KERNEL="numpy", S2AUC_NUM_THREADS="1"):
            numpy_seconds = best_time(run)
        error = float(np.abs(run() - run(dtype=np.float64)).max() / scale[operation])
        for threads in sorted({1, min(2, available_cores())}):
            with environment(S2AUC_KERNEL=instruction_set, S2AUC_NUM_THREADS=str(threads)):
                seconds = best_time(run)
            yield {
                "operation": operation,
                "d": d,
                "threads": threads,
                "n_rows": n_rows,
                "n_frequencies": n_frequencies,
                "giga_pairs_per_second": n_rows * n_frequencies / seconds * 1e-9,
                "flops_per_pair": FLOPS[operation](d),
                "speedup_over_numpy": numpy_seconds / seconds,
                "max_relative_error": error,
            }


def main() -> None:
    """Measure, print a table and write the rows."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", metavar="FILE", type=Path, help="where to write the rows")
    arguments = parser.parse_args()
    chosen = choose_instruction_set()
    if not chosen.is_native:
        raise SystemExit(f"There is no compiled kernel to measure: {chosen.reason}.")
    rows, peak = [], measure_peak(chosen.name)
    for d in COLUMNS:
        rows += measure(d, chosen.name)
        peak = max(peak, measure_peak(chosen.name))
    shared = {
        "kernel": chosen.name,
        "peak_gflops_per_thread": peak * 1e-9,
        "seed": SEED,
        "versions": package_versions(),
        "machine": describe_machine(),
    }
    titles = "operation", "d", "threads", "Gpairs/s", "% of peak", "vs NumPy", "error"
    print("".join(f"{title:>11}" for title in titles))
    for row in rows:
        speed = row["giga_pairs_per_second"] * 1e9
        row["percent_of_peak"] = 100.0 * speed * row["flops_per_pair"] / (peak * row["threads"])
        row.update(shared)
        print(
            f"{row['operation']:>11}{row['d']:11d}{row['threads']:11d}{row['giga_pairs_per_second']:11.3f}"
            f"{row['percent_of_peak']:10.1f}%{row['speedup_over_numpy']:10.1f}x{row['max_relative_error']:11.1e}"
        )
    print(f"kernel {chosen.name}, peak {peak * 1e-9:.1f} Gflop/s a thread, seed {SEED}")
    print(f"{shared['versions']}, {shared['machine']}")
    if arguments.json:
        write_file(arguments.json, json.dumps(rows, indent=2).encode())


if __name__ == "__main__":
    main()
