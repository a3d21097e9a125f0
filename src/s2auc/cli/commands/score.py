"""`s2auc score`: the scores of all rows of a table, or the top of the list."""

import sys
from typing import Annotated

import typer

from s2auc.cli.options import (
    LABELS,
    AsJson,
    Dask,
    Debug,
    Encoding,
    FileFormat,
    IdColumn,
    Jobs,
    ModelFile,
    Query,
    Quiet,
    Sheet,
    TableName,
    Unreadable,
    option,
)
from s2auc.cli.runs import command, workers
from s2auc.cli.tables import naming_lines, opened, verdicts_of
from s2auc.cli.text import read_amount, read_names, show_seconds
from s2auc.common.errors import InputError

STREAM = "-"
"""The name of standard output."""


def score(
    model: ModelFile,
    table: TableName,
    output: Annotated[
        str,
        option(
            "FILE",
            "File of scores: .parquet, .csv, .tsv, .feather, .csv.gz; '-' writes CSV to a pipe.",
            "--output",
            "-o",
        ),
    ],
    top: Annotated[
        str | None,
        option(
            "ROWS", "Only the highest scores, best first: a number of rows (100) or a share (1%); 'row' counts from 0."
        ),
    ] = None,
    keep: Annotated[
        list[str] | None,
        option("COLUMNS", "Columns to write next to the scores, separated by commas; by default the --id of the fit."),
    ] = None,
    labels: Annotated[
        str | None,
        option("TABLE", "Table of verdicts: rows that have one are not listed by --top.", "--labels", group=LABELS),
    ] = None,
    id_column: IdColumn = None,
    probability: Annotated[bool, typer.Option("--probability", help="Also write the probability.")] = False,
    dask: Dask = None,
    jobs: Jobs = None,
    file_format: FileFormat = None,
    encoding: Encoding = None,
    sheet: Sheet = None,
    query: Query = None,
    unreadable: Unreadable = "error",
    as_json: AsJson = False,
    quiet: Quiet = False,
    debug: Debug = False,
) -> None:
    """Score every row of a table, or find the top.

    The higher the score, the more likely positive. Rows are read, scored and written some at a time: memory does not
    grow with the table. The file appears whole or not at all. Workers of Dask write a folder, with a file a part.

    \b
    Examples:
      s2auc score model.safetensors claims.parquet -o scores.parquet
      s2auc score model.safetensors claims.csv --top 100 --keep id -o top.csv
      s2auc score model.safetensors claims.csv --keep id -o - | head
    """
    is_streamed = output == STREAM
    with (
        command(as_json, quiet, debug, output_is_taken=is_streamed) as screen,
        naming_lines(table, file_format, encoding),
    ):
        if is_streamed and as_json:
            raise ValueError("--json must not be given where scores go to standard output. Got -o -; name a file.")
        with screen.progress():
            if labels is not None and top is None:
                fix = "say how many rows to list"
                raise InputError("be given with {top}", parameter="labels", found=repr(labels), fix=fix)
            from s2auc import score_table
            from s2auc.common.threads import thread_limit

            with thread_limit(jobs), workers(dask, jobs) as engine:
                rows = opened(table, file_format, encoding, sheet, query)
                done = score_table(
                    model,
                    rows,
                    sys.stdout.buffer if is_streamed else output,
                    keep=read_names(keep),
                    top=None if top is None else read_amount(top),
                    y=verdicts_of(
                        model, rows, labels, id_column, None, latest_wins=True, output=None if is_streamed else output
                    ),
                    probability=probability,
                    engine=engine,
                    unreadable=unreadable,
                )
        some = "" if done.n_written == done.n_scored else f", the highest {done.n_written:,} written"
        rate = f" ({done.n_scored / max(done.seconds, 1e-9):,.0f} a second)" if done.n_scored >= 100_000 else ""
        where = "" if is_streamed else f" to {output}"
        screen.say(f"{done.n_scored:,} rows scored in {show_seconds(done.seconds)}{rate}{some}{where}.")
        screen.result({"path": output, "n_scored": done.n_scored, "n_written": done.n_written, "seconds": done.seconds})
