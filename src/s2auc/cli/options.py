"""Options that several commands take."""

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


LABELS, COLUMNS, READING, WORK, PRINTING = "Labels", "Columns", "Reading tables", "How it works", "What is printed"
"""Groups of options in help."""


def option(metavar: str, words: str, *names: str, group: str | None = None, **settings: Any) -> Any:
    """Return an option with a value: what help calls the value, what it says, and names other than the parameter's.

    Options of a group stand together in help, under its name.
    """
    return typer.Option(*names, metavar=metavar, help=words, rich_help_panel=group, **settings)


def flag(words: str, *names: str, group: str | None = None) -> Any:
    """Return an option without a value; the parameters are those of `option`."""
    return typer.Option(*names, help=words, rich_help_panel=group)


AsJson = Annotated[bool, flag("Print results as JSON, for machines.", "--json", group=PRINTING)]
Quiet = Annotated[bool, flag("Print warnings and errors only.", "--quiet", "-q", group=PRINTING)]
Debug = Annotated[bool, flag("Show where an error comes from.", "--debug", group=PRINTING)]
Seed = Annotated[int, option("NUMBER", "The same seed gives the same result.", group=WORK, callback=_check_seed)]
Jobs = Annotated[
    int | None,
    option("NUMBER", "Threads; all cores by default.", "--jobs", "-j", group=WORK, callback=_check_jobs),
]
Dask = Annotated[
    str | None,
    option("SCHEDULER", "Let Dask's workers do the work: tcp://host:8786, or 'local'.", group=WORK),
]
FileFormat = Annotated[
    str | None,
    option(
        "FORMAT",
        "csv, tsv, jsonl, json, excel, sqlite, duckdb, parquet, arrow, orc, npy or libsvm; by default the file's "
        "ending tells.",
        "--format",
        group=READING,
    ),
]
Encoding = Annotated[
    str | None, option("NAME", "Encoding of text files, such as cp1252; by default it is detected.", group=READING)
]
Sheet = Annotated[str | None, option("NAME", "Sheet of an Excel file; by default the first.", group=READING)]
Query = Annotated[
    str | None,
    option("SQL", "Table of a SQLite or DuckDB file, or a SELECT statement; by default its only table.", group=READING),
]
Verdicts = Annotated[
    str | None,
    option("TABLE", "Table of verdicts, one for a row ID: joined to the rows by --id.", "--labels", group=LABELS),
]
LatestWins = Annotated[
    bool, flag("Of contradictory verdicts in --labels the latest counts.", "--latest-wins", group=LABELS)
]
IdColumn = Annotated[
    str | None, option("COLUMN", "Column of row IDs; by default that of the fit.", "--id", group=COLUMNS)
]
Unreadable = Annotated[
    str,
    option(
        "error|missing",
        "Cells that the model cannot read, such as a word among numbers: stop, or treat them as missing.",
        group=READING,
    ),
]
Label = Annotated[
    str | None,
    option("COLUMN", "Column of labels; by default that of the table the model was fitted on.", group=LABELS),
]
ModelFile = Annotated[str, typer.Argument(metavar="MODEL", help="Model file, as 's2auc fit' writes it.")]
TableName = Annotated[
    str,
    typer.Argument(
        metavar="TABLE",
        help="A file (CSV, Excel, JSON lines, Parquet, Arrow, SQLite ...), a folder, a pattern in quotes, an address "
        "such as s3://bucket/rows.csv, or '-' for standard input.",
    ),
]
