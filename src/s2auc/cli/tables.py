"""Tables as the options of a command name and describe them."""

import os
from pathlib import Path
from typing import Any


def opened(table: str, file_format: str | None, encoding: str | None, sheet: str | None, query: str | None) -> Any:
    """Return a table that is opened with options, or its name where there are none: functions open it themselves."""
    options: dict[str, Any] = {"file_format": file_format, "encoding": encoding, "sheet": sheet, "query": query}
    if table != "-" and not any(options.values()):
        return table
    from s2auc import open_table

    return open_table(table, **options)


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
    from s2auc.common.errors import InputError
    from s2auc.common.storage.files import check_other_file

    row_id = id_column or inspect_model(model)["table"].get("id")
    if row_id is None:
        fix = "name the column of row IDs, which the verdicts are joined by"
        raise InputError("be given with {labels}", parameter="row_id", found="none", fix=fix)
    verdicts = open_table(labels)
    if output is not None:
        check_other_file(Path(os.path.realpath(output)), verdicts.paths)
    return join_labels(table, verdicts, row_id, label=label, latest_wins=latest_wins)
