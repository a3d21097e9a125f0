"""How much memory, and how long, it takes to fit, tune and score on tables of 1 to 50 million rows in Parquet files.

The tables have 18 columns of float32 numbers and a label in 200 rows. Every measurement is a process of its own, whose
peak is the most memory it ever held, libraries included. `score` has 1,000 frequencies, `score tuned` is the model that
`tune` found on the same table; `scan` reads all rows as float64 through the source that estimators use, and `polars`
adds up all columns of the file, if polars is installed.

    python benchmarks/memory.py --json results.json
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from memory_tables import LABEL, make_table, model_of_frequencies

from s2auc.common.storage.files import write_file
from s2auc.experiments.machine import describe_machine
from s2auc.experiments.memory import peak_bytes
from s2auc.kernels.versions import package_versions

ROWS, N_FREQUENCIES, SEED = (1_000_000, 10_000_000, 50_000_000), 1000, 0
MAX_GROWTH, MAX_MEGABYTES = 0.15, 1000
MIN_ROWS_PER_SECOND = {"scan": 2e6, "score": 1e6}
CHUNK_ROWS = 2**14


def fit(path: Path) -> None:
    """Fit a classifier."""
    from s2auc import S2AUCClassifier, open_table

    table = open_table(path, label=LABEL)
    S2AUCClassifier(random_state=SEED).fit(table.X, table.y)


def tune(path: Path) -> None:
    """Tune a classifier, and keep its model beside the table."""
    from s2auc import S2AUCClassifierCV, open_table

    table = open_table(path, label=LABEL)
    S2AUCClassifierCV(random_state=SEED).fit(table.X, table.y).save(_tuned(path))


def score(path: Path) -> None:
    """Score with a model of so many frequencies."""
    from s2auc import open_table, score_table

    model = model_of_frequencies(N_FREQUENCIES, SEED)
    score_table(model, open_table(path, label=LABEL), path.with_name("scores.parquet"))


def score_tuned(path: Path) -> None:
    """Score with the model that was tuned on the same table."""
    from s2auc import open_table, score_table

    score_table(_tuned(path), open_table(path, label=LABEL), path.with_name("scores.parquet"))


def scan(path: Path) -> None:
    """Read all rows."""
    from s2auc import open_table

    table = open_table(path, label=LABEL)
    source = table.X.open(model_of_frequencies(1, SEED).schema)
    n_read = sum(len(rows) for rows in source.scan(CHUNK_ROWS))
    if n_read != table.n_rows:
        raise RuntimeError(f"{n_read} of {table.n_rows} rows were read")


def polars(path: Path) -> None:
    """Add up all columns by polars, which reads the file some rows at a time too."""
    import polars as pl

    pl.scan_parquet(path).select(pl.all().cast(pl.Float64).sum()).collect(engine="streaming")


COMMANDS: Mapping[str, Callable[[Path], None]] = {
    "fit": fit,
    "tune": tune,
    "score": score,
    "score tuned": score_tuned,
    "scan": scan,
    "polars": polars,
}


def measure_here(command: str, path: Path) -> dict[str, float]:
    """Return seconds and peak of a command that is run in this process; modules are imported before."""
    import sklearn.ensemble
    import sklearn.linear_model  # noqa: F401 what estimators import as they are fitted

    import s2auc.scoring.score_table  # noqa: F401

    started = perf_counter()
    COMMANDS[command](path)
    return {"seconds": perf_counter() - started, "peak_megabytes": peak_bytes() / 1e6}


def measure(command: str, path: Path, n_rows: int) -> dict[str, Any]:
    """Return a row of the benchmark, from a process of its own."""
    finished = subprocess.run(
        [sys.executable, __file__, "--measure", command, str(path)], capture_output=True, text=True, check=False
    )
    row: dict[str, Any] = {"rows": n_rows, "command": command}
    if finished.returncode:
        told = finished.stderr.strip().splitlines() or [f"it ended with {finished.returncode}"]
        row |= {"peak_megabytes": None, "seconds": None, "rows_per_second": None, "failure": told[-1]}
    else:
        row |= json.loads(finished.stdout.splitlines()[-1])
        row["rows_per_second"] = n_rows / row["seconds"]
    versions = package_versions() | {name: _version(name) for name in ("pyarrow", "polars") if find_spec(name)}
    return row | {"seed": SEED, "versions": versions, "machine": describe_machine()}


def verdicts(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return what the rows say about the targets, a line each; polars has none to meet."""
    lines = []
    for command in dict.fromkeys(row["command"] for row in rows if row["command"] != "polars"):
        own = sorted((row for row in rows if row["command"] == command), key=lambda row: row["rows"])
        if any(row["peak_megabytes"] is None for row in own):
            lines.append(f"{command}: missed, it failed")
            continue
        first, last, most = own[0], own[-1], max(row["peak_megabytes"] for row in own)
        growth = last["peak_megabytes"] / first["peak_megabytes"] - 1.0
        lines.append(f"{command}: peak {most:.0f} MB, {_met(most < MAX_MEGABYTES)} (under {MAX_MEGABYTES} MB)")
        if len(own) > 1:
            lines.append(
                f"{command}: peak {100 * growth:+.0f} % from {first['rows']:,} to {last['rows']:,} rows, "
                f"{_met(growth < MAX_GROWTH)} (under {100 * MAX_GROWTH:.0f} %)"
            )
        fewest = MIN_ROWS_PER_SECOND.get(command)
        if fewest:
            speed = last["rows_per_second"]
            lines.append(
                f"{command}: {speed / 1e6:.2f} million rows/s, {_met(speed >= fewest)} ({fewest / 1e6:g} asked)"
            )
    return lines


def _met(is_met: bool) -> str:
    return "met" if is_met else "missed"


def _tuned(path: Path) -> Path:
    return path.with_suffix(".tuned.safetensors")


def _version(name: str) -> str:
    from importlib.metadata import version

    return version(name)


def run(folder: Path, n_rows: Sequence[int], commands: Sequence[str]) -> list[dict[str, Any]]:
    """Return the rows of the benchmark, printed as they come."""
    rows = []
    print(f"{'rows':>12}{'command':>14}{'peak MB':>10}{'seconds':>10}{'rows/s':>14}")
    for size in n_rows:
        path = folder / f"rows_{size}_seed_{SEED}.parquet"
        make_table(path, size, SEED)
        for command in commands:
            row = measure(command, path, size)
            rows.append(row)
            figures = (
                row["failure"]
                if row["seconds"] is None
                else f"{row['peak_megabytes']:10.0f}{row['seconds']:10.2f}{row['rows_per_second']:14,.0f}"
            )
            print(f"{size:12,}{command:>14}{figures}", flush=True)
    return rows


def main() -> None:
    """Measure, print a table and verdicts, and write the rows."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", metavar="FILE", type=Path, help="where to write the rows")
    parser.add_argument("--rows", metavar="N", type=int, nargs="+", default=ROWS, help="sizes of the tables")
    parser.add_argument("--commands", nargs="+", choices=COMMANDS, help="what to measure, all there is by default")
    parser.add_argument(
        "--folder", metavar="DIR", type=Path, help="where tables go and stay; 50 million rows take 3.7 GB"
    )
    parser.add_argument("--measure", nargs=2, metavar=("COMMAND", "FILE"), help="measure one command in this process")
    arguments = parser.parse_args()
    if arguments.measure:
        command, path = arguments.measure
        print(json.dumps(measure_here(command, Path(path))))
        return
    commands = arguments.commands or [name for name in COMMANDS if name != "polars" or find_spec("polars")]
    if arguments.folder:
        arguments.folder.mkdir(parents=True, exist_ok=True)
        rows = run(arguments.folder, arguments.rows, commands)
    else:
        with TemporaryDirectory() as folder:
            rows = run(Path(folder), arguments.rows, commands)
    print("\n".join(verdicts(rows)))
    print(f"seed {SEED}, {rows[0]['versions']}, {rows[0]['machine']}")
    if arguments.json:
        write_file(arguments.json, json.dumps(rows, indent=2).encode())


if __name__ == "__main__":
    main()
