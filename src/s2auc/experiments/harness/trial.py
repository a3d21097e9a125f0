"""One trial, in the process that runs it: load, fit against the clock, score, measure."""

import gc
from collections.abc import Callable
from time import perf_counter, process_time
from typing import Any

import numpy as np

from s2auc.common.arrays import AnyArray
from s2auc.experiments.harness.cells import Cell, Status
from s2auc.experiments.harness.trial_rows import TrialRows, load_trial_rows
from s2auc.experiments.memory import peak_bytes, reset_peak
from s2auc.experiments.methods.table import METHODS
from s2auc.ranking.metrics import auc

MAX_REPEATED_SECONDS = 10.0
"""No run of a fit starts once all runs before it took so long."""


def run_trial(
    cell: Cell,
    *,
    folder: str | None = None,
    memory_limit: int | None = None,
    repeats: int = 1,
    announce: Callable[[dict[str, Any]], None] = lambda _: None,
) -> dict[str, Any]:
    """Return the part of a result that the trial itself knows: status and reason, AUC, seconds, bytes.

    Parameters
    ----------
    cell
        The trial.
    folder
        Data folder.
    memory_limit
        Bytes that the process may hold; a method that says it needs more is not started.
    repeats
        How often a fit is run, unless it takes long.
    announce
        Is told the sizes when all rows are there and the clock is about to start.
    """
    method = METHODS[cell.method]
    start = perf_counter()
    problem = load_trial_rows(cell, folder)
    load_seconds = perf_counter() - start
    sizes = problem.sizes
    announce(
        {
            "source": problem.source,
            "n_unlabeled": sizes.n_unlabeled,
            "n_test": len(problem.y_test),
            "n_columns": sizes.n_columns,
            "load_seconds": load_seconds,
        }
    )
    obstacle = method.obstacle(sizes, memory_limit)
    if obstacle:
        return {"status": Status.SKIPPED, "reason": obstacle}
    scores, measured = _fit(cell, problem, repeats)
    flaw = _flaw(scores, len(problem.y_test))
    if flaw:
        return {"status": Status.INVALID, "reason": flaw, **measured}
    return {"status": Status.OK, "reason": "", "test_auc": auc(problem.y_test, scores), **measured}


def _fit(cell: Cell, problem: TrialRows, repeats: int) -> tuple[AnyArray, dict[str, Any]]:
    """Fit on training rows only; return the scores of the test rows, and what they took.

    Every run makes the same model: the seconds are those of the fastest, the memory is that of the first.
    """
    # Building imports the method's modules, which is no part of fitting.
    learner, fit_memory, peak = METHODS[cell.method].build(cell.seed, **cell.parameters), 0, 0
    seconds: list[tuple[float, float]] = []
    while not seconds or (len(seconds) < repeats and sum(wall for wall, _ in seconds) < MAX_REPEATED_SECONDS):
        gc.collect()
        reset_peak()
        before = peak_bytes()
        start, start_processor = perf_counter(), process_time()
        learner.fit(problem.X_labeled, problem.y_labeled, problem.X_unlabeled)
        seconds.append((perf_counter() - start, process_time() - start_processor))
        if len(seconds) == 1:
            peak = peak_bytes()
            fit_memory = peak - before
    start = perf_counter()
    scores = np.asarray(learner.scores(problem.X_test))
    return scores, {
        "fit_seconds": min(wall for wall, _ in seconds),
        "processor_seconds": min(processor for _, processor in seconds),
        "n_runs": len(seconds),
        "score_seconds": perf_counter() - start,
        "peak_memory_bytes": peak,
        "fit_memory_bytes": fit_memory,
        "note": str(getattr(learner, "note", "")),
        "details": dict(getattr(learner, "details", {})),
    }


def _flaw(scores: AnyArray, n_test: int) -> str:
    """Return what is wrong with scores, or an empty text."""
    if scores.shape != (n_test,):
        return f"scores have shape {scores.shape}, not ({n_test},)"
    if scores.dtype.kind not in "biuf":
        return f"scores have dtype {scores.dtype}, not numbers"
    n_missing = int(np.isnan(scores).sum()) if scores.dtype.kind == "f" else 0
    return f"{n_missing:,} of {n_test:,} scores are NaN" if n_missing else ""
