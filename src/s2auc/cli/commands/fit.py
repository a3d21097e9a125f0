"""`s2auc fit`: from a table with few labels to a model file."""

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from s2auc.cli.options import (
    COLUMNS,
    LABELS,
    WORK,
    AsJson,
    Dask,
    Debug,
    Encoding,
    FileFormat,
    Jobs,
    LatestWins,
    Query,
    Quiet,
    Seed,
    Sheet,
    TableName,
    Verdicts,
    flag,
    option,
)
from s2auc.cli.runs import command, workers
from s2auc.cli.screen import Screen
from s2auc.cli.tables import naming_lines, reading_options, showing_command
from s2auc.cli.text import read_names, show_seconds
from s2auc.cli.understood import print_understood
from s2auc.common.messages import printable

if TYPE_CHECKING:
    from s2auc.estimators.fitting.leakage import NamedColumn
    from s2auc.estimators.table_fit import FittedTable

MAX_NAMES = 12
"""Columns that alone tell the label, of which it is said."""


def fit(
    context: typer.Context,
    table: TableName,
    output: Annotated[Path, option("FILE", "Model file.", "--output", "-o")] = Path("model.safetensors"),
    label: Annotated[
        str | None, option("COLUMN", "Column of labels, blank where a row is unlabelled.", group=LABELS)
    ] = None,
    positive: Annotated[
        str | None,
        option(
            "VALUE",
            "The label to rank at the top, or a comparison such as '>=7'; by default the one that sorts last: 1, yes, "
            "true. All other labels are negative.",
            group=LABELS,
        ),
    ] = None,
    negative: Annotated[
        list[str] | None,
        option("VALUE", "A label that is negative, if not all others are; may be given several times.", group=LABELS),
    ] = None,
    ignore_label: Annotated[
        list[str] | None,
        option("VALUE", "A label that is as good as blank; may be given several times.", group=LABELS),
    ] = None,
    labels: Verdicts = None,
    latest_wins: LatestWins = False,
    unlabeled: Annotated[
        list[str] | None,
        option("TABLE", "Table of more unlabelled rows; may be given several times.", group=LABELS),
    ] = None,
    unlabeled_value: Annotated[
        str | None, option("VALUE", "Label that means unlabelled, in addition to blanks.", group=LABELS)
    ] = None,
    id_column: Annotated[
        str | None, option("COLUMN", "Column of row IDs, which are not learnt from.", "--id", group=COLUMNS)
    ] = None,
    features: Annotated[
        list[str] | None,
        option(
            "COLUMNS", "Columns to learn from, separated by commas; by default all that tell something.", group=COLUMNS
        ),
    ] = None,
    drop: Annotated[
        list[str] | None, option("COLUMNS", "Columns not to learn from, separated by commas.", group=COLUMNS)
    ] = None,
    categorical: Annotated[
        list[str] | None, option("COLUMNS", "Columns whose values are categories, such as codes.", group=COLUMNS)
    ] = None,
    numeric: Annotated[
        list[str] | None,
        option("COLUMNS", "Columns of numbers: other cells count as missing.", group=COLUMNS),
    ] = None,
    date: Annotated[
        list[str] | None, option("COLUMNS", "Columns of dates: other cells count as missing.", group=COLUMNS)
    ] = None,
    text: Annotated[
        list[str] | None, option("COLUMNS", "Columns of text, such as notes or messages.", group=COLUMNS)
    ] = None,
    min_text_rows: Annotated[
        int, option("NUMBER", "Use words of text columns that at least so many different texts contain.", group=COLUMNS)
    ] = 5,
    group: Annotated[
        str | None,
        option("COLUMN", "Column of what rows belong to, such as a patient: they are tested together.", group=COLUMNS),
    ] = None,
    random_labels: Annotated[
        str | None,
        option(
            "COLUMN",
            "Column that says which labels were drawn at random (random, true, yes, 1): only these rows are held out.",
            group=COLUMNS,
        ),
    ] = None,
    time: Annotated[
        str | None,
        option(
            "COLUMN",
            "Column of times: also estimate the AUC by training on earlier and testing on later rows. Not a feature, "
            "unless --features lists it.",
            group=COLUMNS,
        ),
    ] = None,
    columns: Annotated[bool, flag("List every column and how it was read.", "--columns", group=COLUMNS)] = False,
    file_format: FileFormat = None,
    encoding: Encoding = None,
    sheet: Sheet = None,
    query: Query = None,
    tune: Annotated[
        bool, flag("Choose settings by cross-validation, or fit the usual ones.", "--tune/--no-tune", group=WORK)
    ] = True,
    checkpoint: Annotated[
        Path | None,
        option("FOLDER", "Folder for what is done so far: after a kill the same command goes on there.", group=WORK),
    ] = None,
    dask: Dask = None,
    seed: Seed = 0,
    jobs: Jobs = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
    debug: Debug = False,
) -> None:
    """Learn to rank from a table with few labels.

    Shows how it read the table, chooses its settings by itself, and writes a model file. It ends with how good the
    ranking is on rows that it did not learn from, and with whether the unlabelled rows helped.

    \b
    Examples:
      s2auc fit claims.csv --label status --positive fraud --ignore-label open
      s2auc fit claims.csv --id claim --labels verdicts.csv
      s2auc fit claims.csv --label fraud --categorical zip,agent --text note
      s2auc fit claims.xlsx --sheet 2024 --label fraud
      s2auc fit checked.csv --label fraud --unlabeled all.csv --checkpoint work
      s2auc fit claims.parquet --label fraud --json
    """
    way_on = "nothing was written; with --checkpoint FOLDER a run can go on where it was"
    if checkpoint is not None:
        way_on = f"the same command goes on from what is kept in {checkpoint}"
    with (
        command(as_json, quiet, debug, way_on=way_on) as screen,
        workers(dask, jobs) as engine,
        naming_lines(table, file_format, encoding),
    ):
        with screen.progress():
            from s2auc.estimators.table_fit import TableFit

            reading = {"file_format": file_format, "encoding": encoding, "sheet": sheet, "query": query}
            types = {"categorical": categorical, "numeric": numeric, "date": date, "text": text}
            with showing_command(context.obj or ["fit", table]):
                prepared = TableFit(
                    table,
                    label,
                    output,
                    positive=positive,
                    negative=negative or (),
                    ignore=ignore_label or (),
                    labels=labels,
                    latest_wins=latest_wins,
                    unlabeled_table=unlabeled,
                    unlabeled=unlabeled_value,
                    features=read_names(features),
                    drop=read_names(drop),
                    row_id=id_column,
                    group=group,
                    random_labels=random_labels,
                    time=time,
                    tune=tune,
                    engine=engine,
                    min_text_rows=min_text_rows,
                    **reading,
                    **{kind: read_names(names) for kind, names in types.items()},
                )
        print_understood(screen, prepared.understood, lists_all=columns)
        with screen.progress():
            fitted = prepared.fit(checkpoint=checkpoint, n_jobs=jobs, random_state=seed)
        print_fitted(screen, fitted)
        kept = [] if id_column is None else ["--keep", id_column]
        screen.say_next(
            "s2auc", "score", output, table, *reading_options(reading), "--top", 100, *kept, "-o", "top.csv"
        )
        if checkpoint is not None:
            screen.say(f"The folder {checkpoint} is no longer needed.")
        from s2auc import inspect_model

        facts = {"table": fitted.understood.as_dict(), "model": inspect_model(fitted.model)}
        screen.result({"path": str(output), "seconds": fitted.seconds, **facts})


def _print_telling(screen: Screen, columns: "Sequence[NamedColumn]") -> None:
    """Print columns that alone tell the label, and the option that drops those that should not be known."""
    for column in columns[:MAX_NAMES]:
        screen.say(printable(column.sentence))
    suspects = [column.name for column in columns if column.is_suspect]
    if suspects:
        screen.say(f"If not, run the command again with --drop {shlex.quote(','.join(suspects))}.")


def print_fitted(screen: Screen, fitted: "FittedTable") -> None:
    """Print how good a fit is, whether unlabelled rows helped, and where its model is."""
    ranker = fitted.ranker
    if hasattr(ranker, "held_out_auc_"):
        judged = "unknown: too few labels to hold rows out" if ranker.held_out_auc_ is None else ranker.held_out_auc_
        if ranker.label_sampling_.answer == "uncovered":
            judged = "unknown: labels do not represent the table"
        compared = ", positive against unlabelled rows" if not fitted.understood.n_negative else ""
        screen.say(f"AUC on rows held out{compared}: {judged}", style="bold")
        if ranker.label_sampling_.is_biased:
            screen.say(ranker.label_sampling_.sentence)
        if ranker.time_verdict_ is not None:
            screen.say(ranker.time_verdict_)
        _print_telling(screen, ranker.telling_columns_)
        if ranker.repeated_rows_:
            screen.say(ranker.repeated_rows_)
        screen.say(str(ranker.did_unlabeled_help_))
        if ranker.learning_curve_ is not None:
            screen.say(ranker.learning_curve_.sentence)
    else:
        screen.say("One setting was fitted, and not judged: without --no-tune settings are chosen and judged.")
    screen.say(f"Model: {fitted.path}, after {show_seconds(fitted.seconds)}.")
