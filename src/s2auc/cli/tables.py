"""Tables as the options of a command name and describe them."""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from warnings import catch_warnings, simplefilter

from s2auc.cli.text import command_line
from s2auc.cli.vocabulary import COMMAND_LINE
from s2auc.common.errors import InputError
from s2auc.common.messages import Message, Place, render


def opened(
    table: str,
    file_format: str | None,
    encoding: str | None,
    sheet: str | None,
    query: str | None,
    *,
    at_once: bool = False,
) -> Any:
    """Return a table that is opened with options, or its name where there are none: functions open it themselves."""
    options: dict[str, Any] = {"file_format": file_format, "encoding": encoding, "sheet": sheet, "query": query}
    if table != "-" and not any(options.values()) and not at_once:
        return table
    from s2auc import open_table

    return open_table(table, **options)


def is_table(path: str) -> bool:
    """Return whether a path names a table rather than a model file, or nothing that is there."""
    from s2auc.data.tables.formats.copies import is_elsewhere
    from s2auc.data.tables.paths import FORMATS, find_files

    if is_elsewhere(path):
        return True
    with suppress(OSError), open(path, "rb") as file:
        if file.read(9)[8:] == b"{":  # behind the length of the header: a file of safetensors
            return False
    try:
        return bool(find_files(path))
    except (OSError, ValueError):
        return path.endswith(tuple(FORMATS))


def verdicts_of(
    model: Any,
    table: Any,
    labels: str | None,
    id_column: str | None,
    label: str | None,
    *,
    latest_wins: bool,
    output: str | Path | None = None,
) -> Any:
    """Return the labels that a file of verdicts gives the rows of a table; None without such a file.

    An error is raised if this file is the output.
    """
    if labels is None:
        return None
    from s2auc import inspect_model, join_labels, open_table
    from s2auc.common.storage.files import check_other_file

    row_id = id_column or inspect_model(model)["table"].get("id")
    if row_id is None:
        fix = "name the column of row IDs, which the verdicts are joined by"
        raise InputError("be given with {labels}", parameter="row_id", found="none", fix=fix)
    verdicts = open_table(labels)
    if output is not None:
        check_other_file(Path(os.path.realpath(output)), verdicts.paths)
    return join_labels(table, verdicts, row_id, label=label, latest_wins=latest_wins)


def reading_options(reading: Mapping[str, Any]) -> list[str]:
    """Return the options that say how a table is read, as they are typed.

    Examples
    --------
    >>> reading_options({"file_format": None, "sheet": "May"})
    ['--sheet', 'May']
    """
    return [word for name, value in reading.items() if value is not None for word in (COMMAND_LINE[name], value)]


@contextmanager
def showing_command(arguments: Sequence[str]) -> Iterator[None]:
    """Let an error about labels of more than two values show the command to type, given what was typed."""
    try:
        yield
    except InputError as error:
        if getattr(error, "value", None) is None:
            raise
        raise error.with_example(command_line("s2auc", *arguments, "--positive", error.value)) from error  # type: ignore[attr-defined]


@contextmanager
def naming_lines(table: str, file_format: str | None, encoding: str | None) -> Iterator[None]:
    """Let errors about a row of a table that is one text file tell its line."""
    try:
        yield
    except InputError as error:
        message = error.args[0]
        place = message.facts.get("row") if isinstance(message, Message) else None
        if (
            isinstance(place, Place)
            and error.row is not None
            and COMMAND_LINE["X_unlabeled"] not in render(error, COMMAND_LINE)
        ):
            from s2auc.data.tables.csv_files import line_of_row
            from s2auc.data.tables.formats.copies import is_elsewhere
            from s2auc.data.tables.paths import find_files

            files = None if is_elsewhere(table) else find_files(table, file_format)
            if files is not None and files.format in ("csv", "tsv") and len(files.paths) == 1:
                with catch_warnings():
                    simplefilter("ignore")
                    place.line = line_of_row(files.paths[0], files.format, error.row, encoding)
        raise
