"""Run the cells of a specification that have no result yet, each in a process of its own."""

import logging
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import asdict
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

#: What a row does not know until the trial has told it.
_UNKNOWN = (
    *("n_unlabeled", "n_test", "n_columns", "test_auc", "fit_memory_bytes"),
    *("load_seconds", "fit_seconds", "processor_seconds", "score_seconds"),
)


def run_spec(
    spec: Spec,
    rows_file: str | Path,
    *,
    cells: Sequence[Cell] | None = None,
    folder: str | None = None,
    n_jobs: int = 1,
    on_row: Callable[[Row], None] = lambda _: None,
) -> list[Row]:
    """Run those cells of an experiment that have no result yet and return the rows of all, in their order.

    A cell whose last row in the file is `ok` is not run again; one that was skipped is not either while the memory
    limit is the same. Cells that failed are tried again, and the new row counts. A run may be killed at any moment:
    started again, it goes on where the file ends.

    Parameters
    ----------
    spec
        The experiment: its limits, its plugins, and the name that rows bear.
    rows_file
        JSON-lines file of results; rows of other cells in it are left alone.
    cells
        Cells to run; None for those of the specification.
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
        raise ValueError(f"The 'n_jobs' parameter of run_spec must be an int >= 1. Got {n_jobs!r} instead.")
    cells = spec.cells(folder) if cells is None else cells
    with RowStore(rows_file) as store:
        waiting = [cell for cell in cells if not _is_settled(store.rows.get(cell.key), spec)]
        logger.info("%s: %d cells, %d have a result", spec.name, len(cells), len(cells) - len(waiting))
        for number, row in enumerate(_run_all(waiting, spec, folder, n_jobs), start=1):
            store.add(row)
            logger.info("%d of %d: %s", number, len(waiting), _summary(row))
            on_row(row)
        return [store.rows[cell.key] for cell in cells]


def _is_settled(row: Row | None, spec: Spec) -> bool:
    if row is not None and row["status"] == Status.SKIPPED:
        return bool(row["memory_limit_bytes"] == spec.memory_limit_bytes)
    return row is not None and row["status"] == Status.OK


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
                    running.add(executor.submit(_run_cell, cell, spec, folder, interrupt))
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


def _run_cell(cell: Cell, spec: Spec, folder: str | None, interrupt: Event) -> Row | None:
    """Return the row of a cell, run in a process of its own; None if it was interrupted."""
    started_at = datetime.now(UTC).isoformat(timespec="seconds")
    memory_limit = spec.memory_limit_bytes
    task = {"cell": asdict(cell), "plugins": spec.plugins, "folder": folder, "memory_limit": memory_limit}
    task["repeats"] = spec.repeats
    limits = Limits(spec.load_limit_seconds, spec.time_limit_seconds, memory_limit)
    command = [sys.executable, "-m", "s2auc.experiments.harness.worker"]
    ending = run_limited(command, task, limits, interrupt=interrupt, environment=_environment(spec.threads))
    if ending.stop is Stop.INTERRUPT:
        return None
    return {
        **{name: value for name, value in asdict(cell).items() if name not in ("max_test", "data")},
        "cell": cell.key,
        "experiment": spec.name,
        **dict.fromkeys(_UNKNOWN),
        "source": "",
        "note": "",
        "details": {},
        "peak_memory_bytes": ending.peak_bytes,
        "threads": spec.threads,
        "time_limit_seconds": spec.time_limit_seconds,
        "memory_limit_bytes": memory_limit,
        "versions": package_versions(),
        "machine": describe_machine(),
        "started_at": started_at,
        **ending.messages.get("ready", {}),
        **(ending.messages.get("result") or _failure(ending, limits)),
    }


def _failure(ending: Ending, limits: Limits) -> Row:
    """Return status and reason of a process that gave no result."""
    reasons = {
        Stop.LOADING: f"rows were not loaded within {limits.load_seconds:g} s",
        Stop.WORKING: f"did not finish within {limits.work_seconds:g} s",
        Stop.MEMORY: f"held {show_bytes(ending.peak_bytes)}, the limit is {show_bytes(limits.memory_bytes or 0)}",
    }
    if ending.stop is not None:
        status = Status.OUT_OF_MEMORY if ending.stop is Stop.MEMORY else Status.TIMEOUT
        return {"status": status, "reason": reasons[ending.stop]}
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
