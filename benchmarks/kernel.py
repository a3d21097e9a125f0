"""How close the compiled kernel comes to what the processor can do, and how far ahead of NumPy it is.

For every instruction set of this processor, operation and number of columns: pairs of row and frequency per second, and
as a share of the multiply-add peak that a loop in the same extension reaches in the same run,

- of a call as the library makes it (`evaluate` of as many rows as scoring takes at a time; `features` of 3840 rows and
  512 frequencies, which fill 16 MB, as those of a panel of the solver), norms, packing and all;
- of one long call of the extension on the same rows, with frequencies that are packed already: the kernel alone.

All times are the best of many, in several passes over everything. Calls on one thread are timed by the processor time
that they used, which other programs disturb least; two threads and the peak, whose runs are short, by the clock on the
wall. On a busy machine, or one whose cores are shared with others, shares come out too low: more `--passes` help. NumPy
is the library's NumPy path on one thread. Floating point operations per pair:

- evaluate: 2(d + 1) + 14, the dot product and the weighted sum; 3 additions and a square, a polynomial of 10;
- features: 2d + 23, with both waves: 3 additions and a square, polynomials of 10 and 9.

    python benchmarks/kernel.py --json results.json
"""

import argparse
import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, thread_time
from typing import Any

import numpy as np

from s2auc.common.storage.files import write_file
from s2auc.common.threads import available_cores
from s2auc.experiments.machine import describe_machine
from s2auc.kernels import _cosines
from s2auc.kernels.fourier import evaluate, features
from s2auc.kernels.frequencies import draw_frequencies
from s2auc.kernels.instruction_sets import available_instruction_sets
from s2auc.kernels.shift_invariant import KERNELS
from s2auc.kernels.versions import package_versions
from s2auc.models.scoring_chunks import SCORE_CHUNK

COLUMNS = (3, 8, 18, 28, 54, 128, 200)
N_FREQUENCIES, SEED = 2048, 0
N_WAVE_ROWS, N_WAVES = 3840, 512
SECONDS, LEAST_RUNS, PEAK_ROUNDS = 0.15, 3, 1_000_000
PEAK, LONG = "peak", "long call"

Work = Callable[[], Any]


@dataclass(frozen=True)
class Operation:
    """An operation on random rows: as the library calls it, and as one long call of the extension."""

    name: str
    n_columns: int
    n_pairs: int
    flops_per_pair: int
    scale: float
    """What errors are divided by."""

    call: Callable[..., np.ndarray]
    long_call: Callable[[str], Work]


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


def best_time(work: Work, clock: Callable[[], float] = thread_time) -> float:
    """Return the shortest time of several runs, for at least `SECONDS` in all, after one that does not count."""
    work()
    times: list[float] = []
    began = perf_counter()
    while len(times) < LEAST_RUNS or perf_counter() - began < SECONDS:
        started = clock()
        work()
        times.append(clock() - started)
    return min(times)


def peak_loop(kernel: str) -> Work:
    """Return work that does nothing but multiply and add, on one thread."""
    return lambda: _cosines.multiply_add(kernel, PEAK_ROUNDS)


def make_operations(d: int) -> list[Operation]:
    """Return the operations on rows of so many columns."""
    rng = np.random.default_rng(SEED)
    X = rng.normal(size=(SCORE_CHUNK, d))
    W = draw_frequencies(KERNELS["gaussian"], 1.0 / d, d, SEED, 0, N_FREQUENCIES)
    cosine, sine = rng.normal(size=(2, N_FREQUENCIES))
    scores, waves = np.empty(len(X)), np.empty((N_WAVE_ROWS, 2 * N_WAVES), dtype=np.float32)
    few, some = X[:N_WAVE_ROWS], W[:N_WAVES]

    def long_evaluate(kernel: str) -> Work:
        pack = _cosines.pack(kernel, W, False, sine, cosine[None])
        return lambda: _cosines.evaluate(pack, X, scores)

    def long_features(kernel: str) -> Work:
        pack = _cosines.pack(kernel, some, False, np.zeros(N_WAVES), np.zeros((0, N_WAVES)))
        return lambda: _cosines.features(pack, few, waves)

    def call_evaluate(**dtype: Any) -> np.ndarray:
        return evaluate(X, W, cosine, sine, **dtype)

    def call_features(**dtype: Any) -> np.ndarray:
        return features(few, some, **dtype)

    amplitudes = float(np.hypot(cosine, sine).sum())
    return [
        Operation("evaluate", d, X.shape[0] * len(W), 2 * (d + 1) + 14, amplitudes, call_evaluate, long_evaluate),
        Operation("features", d, len(few) * len(some), 2 * d + 23, 1.0, call_features, long_features),
    ]


def measure_times(operation: Operation, kernels: list[str]) -> Iterator[tuple[tuple[Any, ...], float]]:
    """Yield what was timed (operation, columns, kernel, and threads of the call or what else), and its seconds."""
    of_operation = operation.name, operation.n_columns
    with environment(S2AUC_KERNEL="numpy", S2AUC_NUM_THREADS="1"):
        yield (*of_operation, "numpy", 1), best_time(operation.call)
    for kernel in kernels:
        with environment(S2AUC_KERNEL=kernel, S2AUC_NUM_THREADS="1"):
            yield (*of_operation, kernel, 1), best_time(operation.call)
        if available_cores() > 1:
            with environment(S2AUC_KERNEL=kernel, S2AUC_NUM_THREADS="2"):
                yield (*of_operation, kernel, 2), best_time(operation.call, perf_counter)
        yield (*of_operation, kernel, LONG), best_time(operation.long_call(kernel))


def measure_errors(operation: Operation, kernels: list[str]) -> dict[str, float]:
    """Return the largest error of every kernel."""
    exact, errors = operation.call(dtype=np.float64), {}
    for kernel in kernels:
        with environment(S2AUC_KERNEL=kernel):
            errors[kernel] = float(np.abs(operation.call() - exact).max() / operation.scale)
    return errors


def make_rows(operation: Operation, kernels: list[str], best: dict[tuple[Any, ...], float]) -> Iterator[dict[str, Any]]:
    """Yield rows of the benchmark, one for each kernel and number of threads, from the best times."""
    errors = measure_errors(operation, kernels)
    for kernel in kernels:
        times = {what: best[operation.name, operation.n_columns, kernel, what] for what in (1, LONG)}
        pairs_at_peak = _cosines.multiply_add(kernel, PEAK_ROUNDS) / best[PEAK, kernel] / operation.flops_per_pair
        for threads in (1, 2):
            seconds = best.get((operation.name, operation.n_columns, kernel, threads))
            if seconds is not None:
                yield {
                    "kernel": kernel,
                    "operation": operation.name,
                    "d": operation.n_columns,
                    "threads": threads,
                    "giga_pairs_per_second": operation.n_pairs / seconds * 1e-9,
                    "percent_of_peak": 100.0 * operation.n_pairs / seconds / (pairs_at_peak * threads),
                    "percent_of_peak_long": 100.0 * operation.n_pairs / times[LONG] / pairs_at_peak,
                    "speedup_over_numpy": best[operation.name, operation.n_columns, "numpy", 1] / seconds,
                    "max_relative_error": errors[kernel],
                    "flops_per_pair": operation.flops_per_pair,
                    "peak_gflops_per_thread": pairs_at_peak * operation.flops_per_pair * 1e-9,
                }


def main() -> None:
    """Measure, print a table and write the rows."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", metavar="FILE", type=Path, help="where to write the rows")
    parser.add_argument("--passes", metavar="N", type=int, default=3, help="how often to measure everything")
    arguments = parser.parse_args()
    kernels = [name for name in reversed(available_instruction_sets()) if name != "numpy"]
    best: dict[tuple[Any, ...], float] = {}
    for _ in range(arguments.passes):
        for d in COLUMNS:
            timed = [entry for operation in make_operations(d) for entry in measure_times(operation, kernels)]
            timed += [((PEAK, kernel), best_time(peak_loop(kernel), perf_counter)) for kernel in kernels]
            for what, seconds in timed:
                best[what] = min(seconds, best.get(what, seconds))
    rows = [row for d in COLUMNS for operation in make_operations(d) for row in make_rows(operation, kernels, best)]
    shared = {"seed": SEED, "versions": package_versions(), "machine": describe_machine()}
    titles = "kernel", "operation", "d", "threads", "Gpairs/s", "% of peak", "long call", "vs NumPy", "error"
    print("".join(f"{title:>10}" for title in titles))
    for row in sorted(rows, key=lambda row: (kernels.index(row["kernel"]), row["operation"])):
        print(
            f"{row['kernel']:>10}{row['operation']:>10}{row['d']:10d}{row['threads']:10d}"
            f"{row['giga_pairs_per_second']:10.3f}{row['percent_of_peak']:9.1f}%{row['percent_of_peak_long']:9.1f}%"
            f"{row['speedup_over_numpy']:9.1f}x{row['max_relative_error']:10.1e}"
        )
    for kernel in kernels:
        peak = next(row["peak_gflops_per_thread"] for row in rows if row["kernel"] == kernel)
        print(f"peak of {kernel}: {peak:.1f} Gflop/s a thread")
    print(f"{shared['versions']}, {shared['machine']}, seed {SEED}")
    if arguments.json:
        write_file(arguments.json, json.dumps([row | shared for row in rows], indent=2).encode())


if __name__ == "__main__":
    main()
