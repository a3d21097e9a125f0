"""Excel and OpenDocument workbooks: one sheet, whose first row names its columns."""

from contextlib import suppress
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile

from s2auc.common.errors import InputError
from s2auc.common.lazy_modules import import_optional
from s2auc.common.messages import Message, one_line
from s2auc.common.user_warnings import warn_user
from s2auc.data.schema.column_names import header_names, listed
from s2auc.data.tables.formats.scratch import keep_batches, text_batches
from s2auc.data.tables.pieces import ArrowColumns

MAX_SHEET_BYTES = 2**30
"""Of the XML of a sheet, about a million rows of twenty columns; larger ones would fill the memory."""


def read_excel(path: Path, sheet: str | None) -> ArrowColumns:
    """Return the columns of a sheet, by default of the first one, as text.

    The workbook is read into memory whole.
    """
    _check_size(path)
    calamine = import_optional("python_calamine", "Excel files need python-calamine", "excel")
    try:
        workbook = calamine.CalamineWorkbook.from_path(str(path))
        name = _chosen_sheet(path, workbook.sheet_names, sheet)
        rows: list[list[Any]] = workbook.get_sheet_by_name(name).to_python(skip_empty_area=True)
    except calamine.PasswordError as error:
        rule = "not be protected by a password"
        raise InputError(
            rule, subject="{file}", found="one that is", fix="save it without", file=repr(path.name)
        ) from error
    except (calamine.CalamineError, OSError, ValueError) as error:
        if getattr(error, "errno", None) is not None or isinstance(error, InputError):
            raise
        rule, fix = "be an Excel or OpenDocument workbook that can be read", "save it again"
        found = f"an error ({one_line(error)})"
        raise InputError(rule, subject="{file}", found=found, fix=fix, file=repr(path.name)) from error
    rows = [row for row in rows if any(cell != "" for cell in row)]
    names = header_names([str(cell) for cell in rows[0]] if rows else [], repr(path.name))
    return keep_batches(text_batches(names, rows[1:]))


def _check_size(path: Path) -> None:
    """Raise an InputError if what a workbook holds, which is compressed in most formats, is too large for memory."""
    n_bytes = path.stat().st_size
    with suppress(BadZipFile), ZipFile(path) as archive:
        n_bytes = max((part.file_size for part in archive.infolist()), default=0)
    if n_bytes > MAX_SHEET_BYTES:
        rule, found = "hold sheets of at most {limit} GB", f"{n_bytes / 2**30:.1f} GB"
        fix, limit = "save it as CSV or Parquet", f"{MAX_SHEET_BYTES / 2**30:g}"
        raise InputError(rule, subject="{file}", found=found, fix=fix, file=repr(path.name), limit=limit)


def _chosen_sheet(path: Path, names: list[str], sheet: str | None) -> str:
    if sheet is None:
        if len(names) > 1:
            told = "{file} has {n} sheets ({names}), of which {first} is read; name another with {sheet}."
            warn_user(Message(told, file=repr(path.name), n=len(names), names=listed(names), first=repr(names[0])))
        return names[0]
    if sheet not in names:
        found, fix = f"{sheet!r}, which does not exist", "choose among {names}"
        rule = "name a sheet of {file}"
        raise InputError(rule, parameter="sheet", found=found, fix=fix, names=listed(names), file=repr(path.name))
    return sheet
