"""`s2auc suggest`: the rows of a table that are best looked at next."""

from typing import Annotated

import typer

from s2auc.cli.options import AsJson, Debug, Jobs, ModelFile, Quiet, Seed, TableName
from s2auc.cli.progress_bar import progress_bar
from s2auc.cli.runs import command
from s2auc.cli.screen import Screen
from s2auc.cli.text import read_names


def suggest(
    model: ModelFile,
    table: TableName,
    output: Annotated[
        str,
        typer.Option("--output", "-o", metavar="FILE", help="File of rows: .csv, .parquet, .tsv, .feather, .csv.gz."),
    ],
    rows: Annotated[int, typer.Option("--rows", "-n", metavar="NUMBER", help="How many rows to suggest.")] = 50,
    keep: Annotated[
        list[str] | None,
        typer.Option(metavar="COLUMNS", help="Columns of the table to write beside the rows, separated by commas."),
    ] = None,
    seed: Seed = 0,
    jobs: Jobs = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
    debug: Debug = False,
) -> None:
    """Say which rows are best labelled next.

    These are rows whose class the model doubts, far from one another. Rows with a label are passed over, if the table
    has the column that the model was fitted with. Fill in their labels and fit again.

    \b
    Examples:
      s2auc suggest model.safetensors claims.csv --keep claim_id -o next.csv
      s2auc suggest model.safetensors "claims/*.parquet" -n 20 -o next.parquet
    """
    screen = Screen(as_json=as_json, is_quiet=quiet)
    with command(screen, debug=debug):
        with progress_bar(screen):
            from s2auc import suggest_rows
            from s2auc.common.threads import thread_limit
            from s2auc.models.suggested_rows import check_output

            check_output(output)
            with thread_limit(jobs):
                found = suggest_rows(model, table, rows, keep=read_names(keep), random_state=seed)
            found.write(output)
        n_unlabeled = found.n_rows - found.n_labeled
        screen.say(f"{len(found):,} of {n_unlabeled:,} unlabelled rows written to {output}: look at these next.")
        screen.result(
            {
                "path": output,
                "rows": found.rows.tolist(),
                "n_rows": found.n_rows,
                "n_labeled": found.n_labeled,
                "n_looked_at": found.n_looked_at,
            }
        )
