"""How long tables of 1 to 100 million rows take on the workers of Dask, and how much memory client and workers hold.

The tables have 18 columns of float32 numbers and a label in 200 rows, in Parquet files of five million rows each. One
run, in a process of its own, tunes a classifier and then scores all rows with 1,000 frequencies, on one or two workers
of one thread each; the plain run beside it has as many threads and no workers. The start of the cluster and what
workers import are not counted. Seconds are told by stage: what columns and labels mean, gathering the rows that were
drawn, the search, scoring. The scheduler lives in the client, and counts as part of it.

    python benchmarks/distributed.py --json results.json --figure docs/images/dask.png
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

# This file has the name of a library, which must be found first.
sys.path.sort(key=lambda folder: Path(folder).resolve() == Path(__file__).resolve().parent)

from memory_tables import LABEL, N_COLUMNS, make_folder, model_of_frequencies

from s2auc.common.progress import Progress, listening
from s2auc.common.storage.files import write_file
from s2auc.experiments.machine import describe_machine
from s2auc.experiments.memory import peak_bytes
from s2auc.kernels.versions import package_versions

ROWS, WORKERS, N_FREQUENCIES, SEED = (1_000_000, 10_000_000, 100_000_000), (1, 2), 1000, 0
MAX_CLIENT_MEGABYTES, MAX_OVERHEAD, OVERHEAD_ROWS = 1000, 0.25, 10_000_000
PLAIN, DASK = "plain", "dask"
STAGES = "understand", "gather", "search", "score"
ROW_BYTES = 4 * N_COLUMNS + 1 + 8
"""Of a row on the disk, with its score."""

WARM_ROWS = 20_000


def run_stages(folder: Path, out: Path, engine: str | None) -> dict[str, float]:
    """Return the seconds of every stage of a search and of scoring."""
    from s2auc import S2AUCClassifierCV, open_table, score_table

    began = {"understand": perf_counter()}

    def hear(progress: Progress) -> None:
        # Rows are known when the first stage is told, and gathered and scaled when the columns are.
        stage = {"rows": "gather", "columns": "search", "judging": "judge"}.get(progress.stage)
        if stage is not None:
            began.setdefault(stage, perf_counter())

    with listening(hear):
        table = open_table(folder, label=LABEL, engine=engine)
        S2AUCClassifierCV(random_state=SEED).fit(table.X, table.y)
    fitted = perf_counter()
    score_table(model_of_frequencies(N_FREQUENCIES, SEED), table, out)
    return {
        "understand": began["gather"] - began["understand"],
        "gather": began["search"] - began["gather"],
        "search": fitted - began["search"],
        "score": perf_counter() - fitted,
    }


def measure_here(engine: str, n_workers: int, folder: Path) -> dict[str, Any]:
    """Return the row of one run in this process, whose workers and modules are there before the clock starts."""
    with ExitStack() as stack:
        client = None
        if engine == DASK:
            from s2auc.distributed.clients import local_client

            client = stack.enter_context(local_client(n_workers))
        scratch = Path(stack.enter_context(TemporaryDirectory(dir=folder.parent)))
        make_folder(scratch / "warm", WARM_ROWS, SEED)
        chosen = None if client is None else DASK
        run_stages(scratch / "warm", scratch / "warm.parquet", chosen)
        seconds = run_stages(folder, scratch / "scores.parquet", chosen)
        peaks = [] if client is None else list(client.run(peak_bytes).values())
    return {
        "seconds": seconds,
        "client_peak_megabytes": peak_bytes() / 1e6,
        "worker_peak_megabytes": [peak / 1e6 for peak in peaks],
    }


def measure(engine: str, n_workers: int, folder: Path, n_rows: int) -> dict[str, Any]:
    """Return a row of the benchmark, from a process of its own with as many threads as there are workers."""
    command = [sys.executable, __file__, "--measure", engine, str(n_workers), str(folder)]
    environment = os.environ | {"S2AUC_NUM_THREADS": str(n_workers)}
    finished = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    row: dict[str, Any] = {"rows": n_rows, "engine": engine, "workers": n_workers}
    if finished.returncode:
        told = finished.stderr.strip().splitlines() or [f"it ended with {finished.returncode}"]
        row |= {"seconds": None, "client_peak_megabytes": None, "worker_peak_megabytes": [], "failure": told[-1]}
    else:
        row |= json.loads(finished.stdout.splitlines()[-1])
    return row | {"seed": SEED, "versions": package_versions() | _versions(), "machine": describe_machine()}


def _versions() -> dict[str, str]:
    from importlib.metadata import version

    return {name: version(name) for name in ("dask", "distributed", "pyarrow")}


def total(row: Mapping[str, Any]) -> float:
    """Return the seconds of all stages."""
    return float(sum(row["seconds"].values()))


def verdicts(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return what the rows say about the targets, a line each."""
    lines = [f"{row['rows']:,} rows, {row['engine']}: failed, {row['failure']}" for row in rows if "failure" in row]
    sound = [row for row in rows if "failure" not in row]
    on_dask = [row for row in sound if row["engine"] == DASK]
    if on_dask:
        most = max(row["client_peak_megabytes"] for row in on_dask)
        is_met = most < MAX_CLIENT_MEGABYTES
        lines.append(f"client: peak {most:.0f} MB, {_met(is_met)} (under {MAX_CLIENT_MEGABYTES} MB)")
    for row in on_dask:
        alike = [one for one in sound if one["engine"] == PLAIN and _size(one) == _size(row)]
        if alike:
            overhead = total(row) / total(alike[0]) - 1.0
            asked = row["rows"] == OVERHEAD_ROWS
            target = f", {_met(overhead < MAX_OVERHEAD)} (under {100 * MAX_OVERHEAD:.0f} %)" if asked else ""
            workers = "1 worker" if row["workers"] == 1 else f"{row['workers']} workers"
            lines.append(f"{row['rows']:,} rows, {workers}: {100 * overhead:+.0f} % against no workers{target}")
    return lines


def _size(row: Mapping[str, Any]) -> tuple[int, int]:
    return row["rows"], row["workers"]


def _met(is_met: bool) -> str:
    return "met" if is_met else "missed"


def draw(rows: Sequence[Mapping[str, Any]]) -> bytes:
    """Return a figure: seconds of every stage by workers, of the largest table; seconds of all stages by rows."""
    from s2auc.common.figure_style import BLUE, COLOURS, VERMILION, clean, new_figure

    sound = [row for row in rows if "failure" not in row]
    largest = max(row["rows"] for row in sound)
    figure = new_figure(figsize=(9.0, 3.6))
    by_workers, by_rows = figure.subplots(1, 2)
    bars = sorted((row for row in sound if row["rows"] == largest), key=lambda row: (row["workers"], row["engine"]))
    for place, row in enumerate(bars):
        bottom = 0.0
        for stage, colour in zip(STAGES, COLOURS, strict=False):
            height = row["seconds"][stage]
            by_workers.bar(place, height, bottom=bottom, color=colour, width=0.6, label=stage if place == 0 else None)
            bottom += height
    words = [f"{row['workers']} {'worker' if row['engine'] == DASK else 'thread'}" for row in bars]
    words = [word if word.startswith("1 ") else f"{word}s" for word in words]
    by_workers.set_xticks(range(len(bars)), words)
    by_workers.set_title(f"{largest:,} rows")
    by_workers.set_ylabel("seconds")
    by_workers.legend(frameon=False)
    for engine, colour, dashes in ((PLAIN, BLUE, "-"), (DASK, VERMILION, "--")):
        for n_workers, marker in zip(sorted({row["workers"] for row in sound}), "osD^", strict=False):
            line = sorted((row["rows"], total(row)) for row in sound if _kind(row) == (engine, n_workers))
            if line:
                name = f"{n_workers} {'worker' if engine == DASK else 'thread'}{'s' if n_workers > 1 else ''}"
                by_rows.plot(*zip(*line, strict=True), dashes, color=colour, marker=marker, label=name)
    by_rows.set_xscale("log")
    by_rows.set_yscale("log")
    by_rows.set_xlabel("rows")
    by_rows.set_ylabel("seconds, all stages")
    by_rows.legend(frameon=False)
    for axes in (by_workers, by_rows):
        clean(axes)
    content = BytesIO()
    figure.savefig(content, format="png", dpi=150)
    return content.getvalue()


def _kind(row: Mapping[str, Any]) -> tuple[str, int]:
    return row["engine"], row["workers"]


def affordable(asked: Sequence[int], folder: Path) -> list[int]:
    """Return sizes that fit on the disk one at a time; one that does not becomes as large as fits, which is told."""
    most = int(0.8 * shutil.disk_usage(folder).free / ROW_BYTES)
    sizes = []
    for size in asked:
        if size > most:
            print(f"{size:,} rows would not fit on the disk: {most:,} in their place")
        sizes.append(min(size, most))
    return sizes


def run(folder: Path, n_rows: Sequence[int], n_workers: Sequence[int]) -> list[dict[str, Any]]:
    """Return the rows of the benchmark, printed as they come; tables are removed when they have served."""
    rows = []
    print(
        f"{'rows':>12}{'engine':>8}{'workers':>9}"
        + "".join(f"{name:>12}" for name in (*STAGES, "client MB", "worker MB"))
    )
    for size in affordable(n_rows, folder):
        table = folder / f"rows_{size}_seed_{SEED}"
        make_folder(table, size, SEED)
        for workers in n_workers:
            for engine in (PLAIN, DASK):
                row = measure(engine, workers, table, size)
                rows.append(row)
                told = row.get("failure") or "".join(f"{row['seconds'][stage]:12.2f}" for stage in STAGES)
                if "failure" not in row:
                    told += f"{row['client_peak_megabytes']:12.0f}{max(row['worker_peak_megabytes'], default=0):12.0f}"
                print(f"{size:12,}{engine:>8}{workers:9}{told}", flush=True)
        shutil.rmtree(table)
    return rows


def main() -> None:
    """Measure, print a table and verdicts, and write rows and figure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", metavar="FILE", type=Path, help="where to write the rows")
    parser.add_argument("--figure", metavar="FILE", type=Path, help="where to draw them")
    parser.add_argument("--rows", metavar="N", type=int, nargs="+", default=ROWS, help="sizes of the tables")
    parser.add_argument("--workers", metavar="N", type=int, nargs="+", default=WORKERS, help="numbers of workers")
    parser.add_argument("--folder", metavar="DIR", type=Path, help="where tables go; 100 million rows take 7.3 GB")
    parser.add_argument("--measure", nargs=3, metavar=("ENGINE", "WORKERS", "DIR"), help="measure in this process")
    arguments = parser.parse_args()
    if arguments.measure:
        engine, workers, folder = arguments.measure
        print(json.dumps(measure_here(engine, int(workers), Path(folder))))
        return
    with TemporaryDirectory(dir=arguments.folder) as folder:
        rows = run(Path(folder), arguments.rows, arguments.workers)
    print("\n".join(verdicts(rows)))
    print(f"seed {SEED}, {rows[0]['versions']}, {rows[0]['machine']}")
    if arguments.json:
        write_file(arguments.json, json.dumps(rows, indent=2).encode())
    if arguments.figure:
        write_file(arguments.figure, draw(rows))


if __name__ == "__main__":
    main()
