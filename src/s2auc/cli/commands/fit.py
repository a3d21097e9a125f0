"""`s2auc fit`: from a table with few labels to a model file."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from s2auc.cli.options import AsJson, Dask, Debug, Jobs, Quiet, Seed, TableName, option
from s2auc.cli.runs import command, workers
from s2auc.cli.screen import Screen
from s2auc.cli.text import listed, quoted, read_names, show_seconds
from s2auc.common.messages import printable

if TYPE_CHECKING:
    from s2auc.estimators.table_fit import FittedTable, UnderstoodTable

MAX_NAMES = 12
"""Columns of a kind that are named; of more it is said how many there are."""


def fit(
    table: TableName,
    label: Annotated[
        str | None, option("COLUMN", "Column of labels: two classes, blank where a row is unlabelled.")
    ] = None,
    output: Annotated[Path, option("FILE", "Model file.", "--output", "-o")] = Path("model.safetensors"),
    positive: Annotated[
        str | None, option("VALUE", "The class to rank at the top; by default the one that sorts last: 1, yes, true.")
    ] = None,
    unlabeled: Annotated[
        list[str] | None, option("TABLE", "Table of more unlabelled rows; may be given several times.")
    ] = None,
    unlabeled_value: Annotated[
        str | None, option("VALUE", "Value of the label column that means unlabelled, in addition to blanks.")
    ] = None,
    features: Annotated[
        list[str] | None,
        option("COLUMNS", "Columns to learn from, separated by commas; by default all that tell something."),
    ] = None,
    drop: Annotated[list[str] | None, option("COLUMNS", "Columns not to learn from, separated by commas.")] = None,
    id_column: Annotated[str | None, option("COLUMN", "Column that names rows; not learnt from.", "--id")] = None,
    group: Annotated[
        str | None, option("COLUMN", "Column of what rows belong to, such as a patient: they are tested together.")
    ] = None,
    tune: Annotated[
        bool, typer.Option("--tune/--no-tune", help="Choose settings by cross-validation, or fit the usual ones.")
    ] = True,
    checkpoint: Annotated[
        Path | None,
        option("FOLDER", "Folder for what is done so far: after a kill the same command goes on from there."),
    ] = None,
    dask: Dask = None,
    seed: Seed = 0,
    jobs: Jobs = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
    debug: Debug = False,
) -> None:
    """Learn to rank from a table with few labels.

    Shows what it understood of the table, chooses its settings by itself, and writes a model file. It ends with how
    good the ranking is on rows that it did not learn from, and with whether the unlabelled rows helped.

    \b
    Examples:
      s2auc fit claims.csv --label fraud --id id
      s2auc fit "claims/*.parquet" --label fraud --positive yes -o m.safetensors
      s2auc fit checked.csv --label fraud --unlabeled all.csv --checkpoint work
      s2auc fit claims.parquet --label fraud --dask tcp://scheduler:8786
    """
    way_on = "nothing was written; with --checkpoint FOLDER a run can go on where it was"
    if checkpoint is not None:
        way_on = f"the same command goes on from what is kept in {checkpoint}"
    with command(as_json, quiet, debug, way_on=way_on) as screen, workers(dask, jobs) as engine:
        with screen.progress():
            from s2auc.estimators.table_fit import TableFit

            prepared = TableFit(
                table,
                label,
                output,
                positive=positive,
                unlabeled_table=unlabeled,
                unlabeled=unlabeled_value,
                features=read_names(features),
                drop=read_names(drop),
                row_id=id_column,
                group=group,
                tune=tune,
                engine=engine,
            )
        print_understood(screen, prepared.understood)
        with screen.progress():
            fitted = prepared.fit(checkpoint=checkpoint, n_jobs=jobs, random_state=seed)
        print_fitted(screen, fitted)
        kept = [] if id_column is None else ["--keep", id_column]
        screen.say_next("s2auc", "score", output, table, "--top", 100, *kept, "-o", "top.csv")
        if checkpoint is not None:
            screen.say(f"The folder {checkpoint} is no longer needed.")
        from s2auc import inspect_model

        facts = {"table": fitted.understood.as_dict(), "model": inspect_model(fitted.model)}
        screen.result({"path": str(output), "seconds": fitted.seconds, **facts})


def print_understood(screen: Screen, understood: "UnderstoodTable") -> None:
    """Print how a table was interpreted: features, how cells were read, columns that are not used and why, labels."""
    columns = understood.columns
    counted = f", {len(columns):,} columns" if columns else ""
    screen.say(f"{understood.name}: {understood.n_rows:,} rows{counted}", style="bold")
    kinds: dict[str, list[str]] = {}
    for column in columns:
        if column.is_used:
            kinds.setdefault(column.holds, []).append(column.name)
    if kinds:
        screen.say("Features")
        screen.table([""] * 3, [[f"  {len(names):,}", kind, listed(names, MAX_NAMES)] for kind, names in kinds.items()])
    _print_some(screen, "How cells were read", [(each.name, note) for each in columns for note in each.notes])
    _print_some(screen, "Not used", [(each.name, each.role) for each in columns if not each.is_used])
    screen.say("Labels")
    negative = [f"{understood.n_negative:,}", f"{quoted(understood.negative)}, negative"]
    marked = "" if understood.marker is None else f" or {quoted(understood.marker)}"
    rows = [
        [f"{understood.n_positive:,}", f"{quoted(understood.positive)}, positive: to rank at the top"],
        *([negative] if understood.n_negative else []),
        [f"{understood.n_unlabeled:,}", f"unlabelled (blank{marked})"],
        *([[f"{understood.n_more_unlabeled:,}", "unlabelled, in other tables"]] if understood.n_more_unlabeled else []),
    ]
    screen.table(["", ">", ""], [["", *row] for row in rows])
    screen.say()


def _print_some(screen: Screen, heading: str, rows: "list[tuple[str, str]]") -> None:
    """Print columns and what there is to say of each, the first few of many."""
    if rows:
        screen.say(heading)
        screen.table(["", ""], [[f"  {printable(name)}", words] for name, words in rows[:MAX_NAMES]])
    if len(rows) > MAX_NAMES:
        screen.say(f"  and {len(rows) - MAX_NAMES:,} more: see --json")


def print_fitted(screen: Screen, fitted: "FittedTable") -> None:
    """Print how good a fit is, whether unlabelled rows helped, and where its model is."""
    ranker = fitted.ranker
    if hasattr(ranker, "held_out_auc_"):
        judged = "unknown: too few labels to hold rows out" if ranker.held_out_auc_ is None else ranker.held_out_auc_
        screen.say(f"AUC on rows held out: {judged}", style="bold")
        screen.say(str(ranker.did_unlabeled_help_))
        if ranker.learning_curve_ is not None:
            screen.say(ranker.learning_curve_.sentence)
    else:
        screen.say("One setting was fitted, and not judged: without --no-tune settings are chosen and judged.")
    screen.say(f"Model: {fitted.path}, after {show_seconds(fitted.seconds)}.")
