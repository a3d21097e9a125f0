"""Run the cells of a specification that have no result yet, each in a process of its own."""

import logging
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from datetime import UTC, datetime
from pathlib import Path
from threading import Event

from s2auc.common.memory import show_bytes
from s2auc.experiments.harness.cells import Cell, Status
from s2auc.experiments.harness.limits import Ending, Limits, Stop, run_limited
from s2auc.experiments.harness.spec import Spec
from s2auc.experiments.harness.store import Row, RowStore
from s2auc.experiments.machine import describe_machine
from s2auc.kernels.versions import package_versions

logger = logging.getLogger(__name__)

_THREAD_VARIABLES = (
    "S2AUC_NUM_THREADS",
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
)


def run_spec(
    spec: Spec,
    rows_file: str | Path,
    *,
    folder: str | None = None,
    n_jobs: int = 1,
    on_row: Callable[[Row], None] = lambda _: None,
) -> list[Row]:
    """Run what is missing of an experiment and return all its rows, in the order of its cells.

    Parameters
    ----------
    spec
        The experiment.
    rows_file, folder, n_jobs, on_row
        As for `run_cells`.
    """
    return run_cells(spec.cells(folder), spec, rows_file, folder=folder, n_jobs=n_jobs, on_row=on_row)


def run_cells(
    cells: Sequence[Cell],
    spec: Spec,
    rows_file: str | Path,
    *,
    folder: str | None = None,
    n_jobs: int = 1,
    on_row: Callable[[Row], None] = lambda _: None,
) -> list[Row]:
    """Run those cells that have no result yet and return the rows of all, in their order.

    A cell whose last row in the file is `ok` is not run again; one that was skipped is not either while the memory
    limit is the same. Cells that failed are tried again, and the new row counts. A run may be killed at any moment:
    started again, it goes on where the file ends.

    Parameters
    ----------
    cells
        What to run.
    spec
        The limits, the plugins, and the name that rows bear.
    rows_file
        JSON-lines file of results; rows of other cells in it are left alone.
    folder
        Data folder as in `s2auc.experiments.datasets.load_dataset`.
    n_jobs
        Cells that run at the same time. They then compete for the machine: times are best taken with one.
    on_row
        Is told every new row.
    """
    if os.name != "posix":
        raise OSError(
            "Experiments must run on a POSIX system such as Linux or macOS, which can limit and end groups of "
            f"processes. Got {sys.platform!r} instead; use a virtual machine or container."
        )
    if n_jobs < 1:
        raise ValueError(f"The 'n_jobs' parameter of run_cells must be an int >= 1. Got {n_jobs!r} instead.")
    with RowStore(rows_file) as store:
        waiting = [cell for cell in cells if not _is_settled(store.rows.get(cell.key), spec)]
        logger.info("%s: %d cells, %d have a result", spec.name, len(cells), len(cells) - len(waiting))
        for number, row in enumerate(_run_all(waiting, spec, folder, n_jobs), start=1):
            store.add(row)
            logger.info("%d of %d: %s", number, len(waiting), _summary(row))
            on_row(row)
        return [store.rows[cell.key] for cell in cells]


def _is_settled(row: Row | None, spec: Spec) -> bool:
    if row is None:
        return False
    if row["status"] == Status.SKIPPED:
        return bool(row["memory_limit_bytes"] == spec.memory_limit_bytes)
    return bool(row["status"] == Status.OK)


def _run_all(cells: Sequence[Cell], spec: Spec, folder: str | None, n_jobs: int) -> Iterator[Row]:
    """Yield rows as trials end; whatever stops this generator stops the trials under way."""
    interrupt = Event()
    left = iter(cells)
    with ThreadPoolExecutor(n_jobs, thread_name_prefix="cell") as executor:
        running: set[Future[Row | None]] = set()
        try:
            while True:
                # No more than can run at once are handed over: what is under way is what an interrupt has to stop.
                for cell in left:
                    running.add(executor.submit(run_cell, cell, spec, folder, interrupt))
                    if len(running) == n_jobs:
                        break
                if not running:
                    return
                done, running = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    row = future.result()
                    if row is not None:
                        yield row
        finally:
            interrupt.set()


def run_cell(cell: Cell, spec: Spec, folder: str | None = None, interrupt: Event | None = None) -> Row | None:
    """Return the row of a cell, run in a process of its own; None if it was interrupted.

    Parameters
    ----------
    cell, spec
        What to run, and the limits.
    folder
        Data folder.
    interrupt
        Stops the process when it is set.
    """
    started_at = datetime.now(UTC).isoformat(timespec="seconds")
    memory_limit = spec.memory_limit_bytes
    task = {
        "cell": cell.as_mapping(),
        "plugins": list(spec.plugins),
        "folder": folder,
        "memory_limit": memory_limit,
    }
    limits = Limits(spec.load_limit_seconds, spec.time_limit_seconds, memory_limit)
    command = [sys.executable, "-m", "s2auc.experiments.harness.worker"]
    ending = run_limited(command, task, limits, interrupt=interrupt or Event(), environment=_environment(spec.threads))
    if ending.stop is Stop.INTERRUPT:
        return None
    return {
        "cell": cell.key,
        "experiment": spec.name,
        "dataset": cell.dataset,
        "source": "",
        "method": cell.method,
        "parameters": cell.parameters,
        "n_labeled": cell.n_labeled,
        "n_unlabeled": None,
        "max_unlabeled": cell.max_unlabeled,
        "n_test": None,
        "n_columns": None,
        "scaling": cell.scaling,
        "trial": cell.trial,
        "seed": cell.seed,
        "status": None,
        "reason": "",
        "note": "",
        "details": {},
        "test_auc": None,
        "load_seconds": None,
        "fit_seconds": None,
        "processor_seconds": None,
        "score_seconds": None,
        "peak_memory_bytes": ending.peak_bytes,
        "fit_memory_bytes": None,
        "threads": spec.threads,
        "time_limit_seconds": spec.time_limit_seconds,
        "memory_limit_bytes": memory_limit,
        "library": cell.library,
        "versions": package_versions(),
        "machine": describe_machine(),
        "started_at": started_at,
        **(ending.message("ready") or {}),
        **(ending.message("result") or _failure(ending, limits)),
    }


def _failure(ending: Ending, limits: Limits) -> Row:
    """Return status and reason of a process that gave no result."""
    match ending.stop:
        case Stop.LOADING:
            return {"status": Status.TIMEOUT, "reason": f"rows were not loaded within {limits.load_seconds:g} s"}
        case Stop.WORKING:
            return {"status": Status.TIMEOUT, "reason": f"did not finish within {limits.work_seconds:g} s"}
        case Stop.MEMORY:
            held = f"held {show_bytes(ending.peak_bytes)}, the limit is {show_bytes(limits.memory_bytes or 0)}"
            return {"status": Status.OUT_OF_MEMORY, "reason": held}
    if ending.returncode < 0:
        reason = f"killed by {signal.Signals(-ending.returncode).name}"
    else:
        reason = f"ended with exit code {ending.returncode} and without a result"
    last_words = ending.error_text.strip().splitlines()[-1:]
    return {"status": Status.CRASHED, "reason": ": ".join([reason, *last_words])[:300]}


def _environment(threads: int) -> dict[str, str]:
    """Return the environment of a worker: the same modules, a fixed number of threads, no random hashes."""
    fixed = dict.fromkeys(_THREAD_VARIABLES, str(threads))
    path = os.pathsep.join(entry for entry in sys.path if entry)
    # Threads that wait should sleep: on a busy machine those that spin make a fit slower a hundred times.
    return {**os.environ, **fixed, "OMP_WAIT_POLICY": "PASSIVE", "PYTHONPATH": path, "PYTHONHASHSEED": "0"}


def _summary(row: Row) -> str:
    trial = f"{row['dataset']}, {row['method']}, {row['n_labeled']} labels, trial {row['trial']}"
    if row["status"] == Status.OK:
        return f"{trial}: AUC {row['test_auc']:.4f} in {row['fit_seconds']:.2f} s"
    return f"{trial}: {row['status']}, {row['reason']}"
