"""Options that several commands take."""

from pathlib import Path
from typing import Annotated, Any

import typer

SEEDS = 2**64
"""Seeds are integers in [0, SEEDS)."""


def _check_seed(seed: int) -> int:
    if not 0 <= seed < SEEDS:
        raise typer.BadParameter(f"it must lie between 0 and {SEEDS - 1}, but it is {seed}; try 0.")
    return seed


def _check_jobs(jobs: int | None) -> int | None:
    if jobs == 0:
        raise typer.BadParameter("it must not be 0; leave it out to use all cores.")
    return jobs


def option(metavar: str, words: str, *names: str, **settings: Any) -> Any:
    """Return an option with a value: what help calls the value, what it says, and names other than the parameter's."""
    return typer.Option(*names, metavar=metavar, help=words, **settings)


AsJson = Annotated[bool, typer.Option("--json", help="Print results as JSON, for machines.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print warnings and errors only.")]
Debug = Annotated[bool, typer.Option("--debug", help="Show where an error comes from.")]
Seed = Annotated[int, option("NUMBER", "The same seed gives the same result.", callback=_check_seed)]
Jobs = Annotated[int | None, option("NUMBER", "Threads; all cores by default.", "--jobs", "-j", callback=_check_jobs)]
Dask = Annotated[
    str | None,
    option("SCHEDULER", "Workers of Dask do the work: those of a scheduler, tcp://host:8786, or 'local' ones."),
]
Unreadable = Annotated[
    str,
    option(
        "error|missing",
        "Cells that the model cannot read, such as a word among numbers: stop, or treat them as missing.",
    ),
]
Label = Annotated[
    str | None, option("COLUMN", "Column of labels; by default that of the table the model was fitted on.")
]
ModelFile = Annotated[Path, typer.Argument(metavar="MODEL", help="Model file, as 's2auc fit' writes it.")]
TableName = Annotated[
    str,
    typer.Argument(
        metavar="TABLE", help="A file (CSV, TSV, Parquet, Arrow, LIBSVM, .npy), a folder, or a pattern in quotes."
    ),
]
