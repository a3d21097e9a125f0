"""CSV and TSV files as columns: read once, and kept as text in a Parquet file while they are used."""

import csv
import re
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TextIO

from s2auc.common.errors import InputError
from s2auc.common.lazy_modules import pa, pacsv, pc, pq
from s2auc.common.storage.files import ScratchFolder
from s2auc.data.schema.column_names import header_names, listed
from s2auc.data.schema.text_readings import TextProfile
from s2auc.data.tables.formats.encodings import find_encoding, open_bytes, open_text, wrong_encoding
from s2auc.data.tables.paths import TableFiles
from s2auc.data.tables.pieces import PieceColumns, open_files, readable

_DELIMITERS = ",;\t|"
MAX_ROW_LENGTH = 2**24
"""Characters of a row, so that a file without line breaks is refused before it fills the memory."""

_ODD_QUOTES = r'^[^"]*"([^"]*"[^"]*")*[^"]*$'
_CHARACTER_BYTES = 4  # at most, in UTF-8 and UTF-16
_BLOCK_BYTES, _MAX_BLOCK_BYTES = 2**22, 2**26
_COLUMN_BYTES = 2**11  # of a block at least: every column of a block takes its time, however few rows there are


class CsvColumns(PieceColumns):
    """The columns of CSV or TSV files, each of which names the same ones in its first row: text, as it stands there.

    Parameters
    ----------
    files
        The files.
    encoding
        Their encoding; None to tell it from their bytes.

    Raises
    ------
    ValueError
        If a file has no first row, rows of another length, or another encoding.
    """

    def __init__(self, files: TableFiles, encoding: str | None = None) -> None:
        for path in files.paths:
            _check_first_line(path)
        headers = [_read_header(path, files.format, find_encoding(path, encoding)) for path in files.paths]
        names = headers[0].names
        other = next((place for place, header in enumerate(headers) if header.names != names), None)
        if other is not None:
            first, file = files.paths[0].name, files.paths[other].name
            found = f"{listed(names)} in {first!r} and {listed(headers[other].names)} in {file!r}; write them alike"
            raise ValueError(f"Text files of one table must have the same columns in the same order. Got {found}.")
        self._folder, self._profiles = ScratchFolder(), {name: TextProfile() for name in names}
        path = self._folder.path / "rows.parquet"
        with pq.ParquetWriter(path, pa.schema([(name, pa.string()) for name in names])) as writer:
            for source, opened, header in zip(files.paths, files.opened, headers, strict=True):
                for batch in opened.reading(_text_batches(source, header)):
                    for profile, array in zip(self._profiles.values(), batch.columns, strict=True):
                        profile.update(array)
                    writer.write_batch(batch)
        cached = open_files(TableFiles((path,), "parquet"))
        super().__init__(cached.schema, cached.pieces)

    def profile_text(self, names: Sequence[str]) -> dict[str, TextProfile]:
        """Return what the text of some columns may stand for, which was found while the files were read."""
        return {name: self._profiles[name] for name in names}


def line_of_row(path: Path, file_format: str, row: int, encoding: str | None = None) -> int | None:
    """Return the line, counted from 1, where a row of a CSV or TSV file begins; None if it has not so many.

    Parameters
    ----------
    path, file_format, encoding
        The file, as `CsvColumns` reads it.
    row
        The number of the row, counted from 0 behind the names of columns.
    """
    header = _read_header(path, file_format, find_encoding(path, encoding))
    with open_text(path, header.encoding) as file:
        first = header.n_lines + 1
        for n_lines, cells in _rows(file, path, delimiter=header.delimiter):
            if n_lines > header.n_lines and cells:
                if row == 0:
                    return first
                row -= 1
            first = max(first, n_lines + 1)
    return None


class _Header(NamedTuple):
    """The first row of a file, which names its columns."""

    names: list[str]
    delimiter: str
    n_lines: int
    encoding: str


def _read_header(path: Path, file_format: str, encoding: str) -> _Header:
    """Return the names of columns, and what stands between values: tabs, or what is most frequent in the first line."""
    with open_text(path, encoding) as file:
        line = next((line for line in iter(partial(file.readline, MAX_ROW_LENGTH), "") if line.strip()), "")
        unquoted = "".join(line.split('"')[::2])
        delimiter = "\t" if file_format == "tsv" else max(_DELIMITERS, key=unquoted.count)
        file.seek(0)
        n_lines, row = next(((n_lines, row) for n_lines, row in _rows(file, path, delimiter=delimiter) if row), (0, []))
    return _Header(header_names(row, repr(path.name)), delimiter, n_lines, encoding)


def _text_batches(path: Path, header: _Header) -> Iterator[Any]:
    """Yield the rows of a file as text, after the one that names the columns."""
    names, delimiter, n_lines, encoding = header
    block_size = min(max(_BLOCK_BYTES, _COLUMN_BYTES * len(names)), _MAX_BLOCK_BYTES)
    reading = pacsv.ReadOptions(block_size=block_size, column_names=names, skip_rows=n_lines, encoding=encoding)
    parsing = pacsv.ParseOptions(delimiter=delimiter, newlines_in_values=True)
    types = pacsv.ConvertOptions(column_types=dict.fromkeys(names, pa.string()), strings_can_be_null=False)
    with readable(path.name, "text"):
        try:
            with pacsv.open_csv(path, read_options=reading, parse_options=parsing, convert_options=types) as reader:
                last, is_checked = None, False
                for last in reader:
                    if not is_checked and any(map(_has_swallowed_rows, last.columns)):
                        _check_lines(path, header)
                        is_checked = True
                    yield last
                _check_quotes(path, header, last)
        except UnicodeDecodeError as error:
            raise wrong_encoding(path, encoding) from error
        except pa.ArrowInvalid:
            _check_lines(path, header)
            raise


def _has_swallowed_rows(column: Any) -> bool:
    """Return whether some value has several lines and an odd number of quotes.

    A quote that is not closed makes one value of all that follows up to the next one, whose own end is left over.
    """
    lines = column.filter(pc.match_substring(column, "\n"))
    return len(lines) > 0 and bool(pc.any(pc.match_substring_regex(lines, _ODD_QUOTES)).as_py())


def _check_quotes(path: Path, header: _Header, last: Any) -> None:
    """Raise a ValueError if a quote is never closed: all lines behind it would be one value of the last row."""
    if last is not None and any("\n" in str(column[-1]) for column in last.columns if len(column)):
        _check_lines(path, header)


def _check_lines(path: Path, header: _Header) -> None:
    """Raise a ValueError that names the first line with a quote that is not closed, or too many or too few values."""
    n_names, name = len(header.names), repr(path.name)
    with open_text(path, header.encoding) as file:
        line = 0
        try:
            for n_lines, row in _rows(file, path, delimiter=header.delimiter, strict=True):
                first, line = line + 1, n_lines
                if row and len(row) != n_names:
                    where = f"line {line}" if line == first else f"the row of lines {first} to {line}"
                    rule, found = f"have a value for each of its {n_names} columns", f"{len(row)} in {where}"
                    fix = f"correct the line, or put quotes around values that hold {header.delimiter!r}"
                    raise ValueError(f"Rows of {name} must {rule}. Got {found}; {fix}.")
        except csv.Error as error:
            found = f"one that is not, in line {_line_of_open_quote(path, header, line)}; close it"
            raise ValueError(f"Quotes of {name} must be closed. Got {found}.") from error


def _line_of_open_quote(path: Path, header: _Header, n_lines: int) -> int:
    """Return the line where the quote opens that is not closed, or not where its value ends, behind so many lines."""
    with open_text(path, header.encoding) as file:
        for _ in range(n_lines):
            file.readline()
        text = file.read(MAX_ROW_LENGTH)
    ends = f"{header.delimiter}\r\n"
    place = 0
    while (opening := re.compile(rf'(?:^|[{re.escape(ends)}])(")', re.MULTILINE).search(text, place)) is not None:
        closing = re.compile('(?:[^"]|"")*"').match(text, opening.end())
        if closing is None or text[closing.end() : closing.end() + 1] not in ends:
            return n_lines + 1 + text.count("\n", 0, opening.start(1))
        place = closing.end()
    return n_lines + 1


def _check_first_line(path: Path) -> None:
    """Raise an InputError if the first line of a file is too long, before anything else looks at all of it."""
    with readable(path.name, "text"), open_bytes(path) as file:
        line = file.readline(MAX_ROW_LENGTH * _CHARACTER_BYTES + 1)
        if len(line) > MAX_ROW_LENGTH * _CHARACTER_BYTES and b"\r" not in line:
            raise _too_long(path, 1)


def _too_long(path: Path, line: int) -> InputError:
    rule, found = f"have at most {MAX_ROW_LENGTH:,} characters", f"more in the row that begins in line {line}"
    fix = "close its quotes, or break the line"
    return InputError(rule, subject="Rows of {file}", file=repr(path.name), found=found, fix=fix)


def _rows(file: TextIO, path: Path, **options: Any) -> Iterator[tuple[int, list[str]]]:
    """Yield how many lines were read, and the row that they end with; an InputError if it is longer than any should be.

    Parameters
    ----------
    file, path
        The file, and what errors call it by.
    **options
        Those of `csv.reader`.
    """
    n_read, n_lines = 0, 0

    def lines() -> Iterator[str]:
        nonlocal n_read
        while line := file.readline(MAX_ROW_LENGTH + 1 - n_read):
            n_read += len(line)
            if n_read > MAX_ROW_LENGTH:
                raise _too_long(path, n_lines + 1)
            yield line

    rows = csv.reader(lines(), **options)
    for row in rows:
        n_read, n_lines = 0, rows.line_num
        yield n_lines, row
