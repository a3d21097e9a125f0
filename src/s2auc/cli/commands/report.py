"""`s2auc report`: a page about a model and a table, for people."""

from pathlib import Path
from typing import Annotated

from s2auc.cli.options import (
    AsJson,
    Debug,
    Encoding,
    FileFormat,
    IdColumn,
    Label,
    LatestWins,
    ModelFile,
    Query,
    Quiet,
    Seed,
    Sheet,
    TableName,
    Unreadable,
    Verdicts,
    option,
)
from s2auc.cli.runs import command
from s2auc.cli.tables import naming_lines, opened, verdicts_of
from s2auc.cli.text import read_names, show_seconds

_COUNTS = "n_bytes", "n_rows", "n_positive", "n_negative", "n_unlabeled"
_AUC = {"auc": "value", "auc_low": "low", "auc_high": "high", "level": "level"}


def report(
    model: ModelFile,
    table: TableName,
    output: Annotated[Path, option("FILE", "The HTML file to write.", "--output", "-o")],
    label: Label = None,
    labels: Verdicts = None,
    latest_wins: LatestWins = False,
    id_column: IdColumn = None,
    keep: Annotated[
        list[str] | None,
        option(
            "COLUMNS",
            "Columns to list next to the highest scores, separated by commas; by default the row ID column.",
        ),
    ] = None,
    top: Annotated[int, option("ROWS", "How many of the highest rows to list.")] = 20,
    seed: Seed = 0,
    file_format: FileFormat = None,
    encoding: Encoding = None,
    sheet: Sheet = None,
    query: Query = None,
    unreadable: Unreadable = "error",
    as_json: AsJson = False,
    quiet: Quiet = False,
    debug: Debug = False,
) -> None:
    """Write a page about a model and a table.

    What it ranks and how well, what it was made from, which columns matter and how, what more labels would bring, and
    the top of the list: one HTML file under 1 MB, without scripts, that needs no network.

    \b
    Examples:
      s2auc report model.safetensors claims.csv -o report.html
      s2auc report model.safetensors checked.csv --label fraud --keep claim_id,amount -o report.html
    """
    with command(as_json, quiet, debug) as screen, naming_lines(table, file_format, encoding):
        with screen.progress():
            from s2auc import write_report

            rows = opened(table, file_format, encoding, sheet, query)
            y = verdicts_of(model, rows, labels, id_column, label, latest_wins=latest_wins, output=output)
            done = write_report(
                model,
                rows,
                output,
                y=y,
                label=label if y is None else None,
                keep=read_names(keep),
                top=top,
                random_state=seed,
                unreadable=unreadable,
            )
        if done.drift is not None:
            screen.warn(done.drift)
        which = "AUC on its labelled rows" if done.n_negative else "AUC of positive against unlabelled rows"
        judged = "" if done.auc is None else f" {which}: {done.auc}."
        screen.say(f"{done.n_rows:,} rows, {done.n_positive + done.n_negative:,} of them with labels.{judged}")
        screen.say(f"Report: {output}, {done.n_bytes / 1000:,.0f} kB, after {show_seconds(done.seconds)}.")
        auc: dict[str, float | None] = {"auc": None}
        if done.auc is not None:
            auc = {name: getattr(done.auc, field) for name, field in _AUC.items()}
        counts = {name: getattr(done, name) for name in _COUNTS}
        screen.result({"path": str(output), **counts, **auc, "seconds": done.seconds})
