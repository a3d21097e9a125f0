"""CSV and TSV files as columns: read once, and kept as text in a Parquet file while they are used."""

import csv
from collections.abc import Iterator, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any, NamedTuple

from s2auc.common.files import ScratchFolder
from s2auc.common.lazy_modules import pa, pacsv, pq
from s2auc.data.schema.column_names import header_names, listed
from s2auc.data.schema.text_readings import TextProfile
from s2auc.data.tables.formats.encodings import find_encoding, open_text, wrong_encoding
from s2auc.data.tables.paths import TableFiles
from s2auc.data.tables.pieces import PieceColumns, open_files, readable

_DELIMITERS = ",;\t|"
_BLOCK_BYTES = 2**22


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
        return {name: deepcopy(self._profiles[name]) for name in names}


class _Header(NamedTuple):
    """The first row of a file, which names its columns."""

    names: list[str]
    delimiter: str
    n_lines: int
    encoding: str


def _read_header(path: Path, file_format: str, encoding: str) -> _Header:
    """Return the names of columns, and what stands between values: tabs, or what is most frequent in the first line."""
    with open_text(path, encoding) as file:
        line = next((line for line in file if line.strip()), "")
        unquoted = "".join(line.split('"')[::2])
        delimiter = "\t" if file_format == "tsv" else max(_DELIMITERS, key=unquoted.count)
        file.seek(0)
        rows = csv.reader(file, delimiter=delimiter)
        row: list[str] = next(filter(None, rows), [])
    return _Header(header_names(row, repr(path.name)), delimiter, rows.line_num, encoding)


def _text_batches(path: Path, header: _Header) -> Iterator[Any]:
    """Yield the rows of a file as text, after the one that names the columns."""
    names, delimiter, n_lines, encoding = header
    reading = pacsv.ReadOptions(block_size=_BLOCK_BYTES, column_names=names, skip_rows=n_lines, encoding=encoding)
    parsing = pacsv.ParseOptions(delimiter=delimiter, newlines_in_values=True)
    types = pacsv.ConvertOptions(column_types=dict.fromkeys(names, pa.string()), strings_can_be_null=False)
    with readable(path.name, "text"):
        try:
            with pacsv.open_csv(path, read_options=reading, parse_options=parsing, convert_options=types) as reader:
                last = None
                for last in reader:
                    yield last
                _check_quotes(path, header, last)
        except UnicodeDecodeError as error:
            raise wrong_encoding(path, encoding) from error
        except pa.ArrowInvalid:
            _check_lines(path, header)
            raise


def _check_quotes(path: Path, header: _Header, last: Any) -> None:
    """Raise a ValueError if a quote is never closed: all lines behind it would be one value of the last row."""
    if last is not None and any("\n" in str(column[-1]) for column in last.columns if len(column)):
        _check_lines(path, header)


def _check_lines(path: Path, header: _Header) -> None:
    """Raise a ValueError that names the first line with a quote that is not closed, or too many or too few values."""
    n_names, name = len(header.names), repr(path.name)
    with open_text(path, header.encoding) as file:
        rows, line = csv.reader(file, delimiter=header.delimiter, strict=True), 0
        try:
            for row in rows:
                first, line = line + 1, rows.line_num
                if row and len(row) != n_names:
                    where = f"line {line}" if line == first else f"the row of lines {first} to {line}"
                    rule, found = f"have a value for each of its {n_names} columns", f"{len(row)} in {where}"
                    fix = f"correct the line, or put quotes around values that hold {header.delimiter!r}"
                    raise ValueError(f"Rows of {name} must {rule}. Got {found}; {fix}.")
        except csv.Error as error:
            found = f"one that is not, in the row that begins in line {line + 1}; close it"
            raise ValueError(f"Quotes of {name} must be closed. Got {found}.") from error
