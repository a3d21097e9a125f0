"""`s2auc inspect`: what a model file holds, from its record, or how a table is interpreted."""

from dataclasses import asdict
from typing import Annotated

import typer

from s2auc.cli.options import AsJson, Debug, Encoding, FileFormat, Query, Quiet, Sheet
from s2auc.cli.runs import command
from s2auc.cli.screen import Screen
from s2auc.cli.tables import is_table, opened
from s2auc.cli.understood import print_columns


def inspect(
    path: Annotated[
        str,
        typer.Argument(metavar="FILE", help="A model file, as 's2auc fit' writes it, or a table as 'fit' takes it."),
    ],
    file_format: FileFormat = None,
    encoding: Encoding = None,
    sheet: Sheet = None,
    query: Query = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
    debug: Debug = False,
) -> None:
    """Print what a model is and how it came about, or every column of a table.

    Of a model: columns, classes, rows and settings, how good it was, and versions, all from the file. Of a table: what
    each column holds, how its cells are read, and why some are ignored.

    \b
    Examples:
      s2auc inspect model.safetensors
      s2auc inspect claims.xlsx --sheet May
    """
    with command(as_json, quiet, debug) as screen:
        reading = {"file_format": file_format, "encoding": encoding, "sheet": sheet, "query": query}
        if any(reading.values()) or is_table(path):
            with screen.progress():
                table = opened(path, **reading, at_once=True)
                roles = table.interpreted_roles()
            print_columns(screen, path, table.n_rows, roles, lists_all=True)
            screen.result({"table": path, "n_rows": table.n_rows, "columns": [asdict(role) for role in roles]})
        else:
            _inspect_model(screen, path)


def _inspect_model(screen: Screen, path: str) -> None:
    from s2auc import inspect_model, load_model
    from s2auc.models.summary import model_facts

    loaded = load_model(path)
    screen.table(["", ""], [[name, text] for name, text in model_facts(loaded).items() if text])
    screen.result(inspect_model(loaded))
