"""CSV and TSV files as columns: read once, and kept as text in a Parquet file while they are used."""

import csv
import gzip
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from copy import deepcopy
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, TextIO

from s2auc.common.files import ScratchFolder
from s2auc.common.lazy_modules import pa, pacsv, pq
from s2auc.data.schema.column_names import NO_NAME, check_distinct, listed
from s2auc.data.schema.text_readings import TextProfile
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

    Raises
    ------
    ValueError
        If a file has no first row, rows of another length, or is not in UTF-8.
    """

    def __init__(self, files: TableFiles) -> None:
        headers = [_read_header(path, files.format) for path in files.paths]
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


def _read_header(path: Path, file_format: str) -> _Header:
    """Return the names of columns, and what stands between values: tabs, or what is most frequent in the first line."""
    with _opened(path) as file:
        line = next((line for line in file if line.strip()), "")
        unquoted = "".join(line.split('"')[::2])
        delimiter = "\t" if file_format == "tsv" else max(_DELIMITERS, key=unquoted.count)
        file.seek(0)
        rows = csv.reader(file, delimiter=delimiter)
        row: list[str] = next(filter(None, rows), [])
    names = [name.strip() or NO_NAME.format(place) for place, name in enumerate(row)]
    if not names:
        raise ValueError(f"{path.name!r} must name its columns in its first row. Got an empty file; save it again.")
    check_distinct(names, repr(path.name))
    return _Header(names, delimiter, rows.line_num)


def _text_batches(path: Path, header: _Header) -> Iterator[Any]:
    """Yield the rows of a file as text, after the one that names the columns."""
    names, delimiter, n_lines = header
    reading = pacsv.ReadOptions(block_size=_BLOCK_BYTES, column_names=names, skip_rows=n_lines)
    parsing = pacsv.ParseOptions(delimiter=delimiter, newlines_in_values=True)
    types = pacsv.ConvertOptions(column_types=dict.fromkeys(names, pa.string()), strings_can_be_null=False)
    with readable(path.name, "text"):
        try:
            with pacsv.open_csv(path, read_options=reading, parse_options=parsing, convert_options=types) as reader:
                last = None
                for last in reader:
                    yield last
                _check_quotes(path, delimiter, last)
        except pa.ArrowInvalid:
            _check_lengths(path, delimiter, len(names))
            raise


def _check_quotes(path: Path, delimiter: str, last: Any) -> None:
    """Raise a ValueError if a quote is never closed: all lines behind it would be one value of the last row."""
    if last is None or not any("\n" in str(column[-1]) for column in last.columns if len(column)):
        return
    with _opened(path) as file:
        rows, line = csv.reader(file, delimiter=delimiter, strict=True), 0
        try:
            for _ in rows:
                line = rows.line_num
        except csv.Error as error:
            found = f"one that is not, in the row that begins in line {line + 1}; close it"
            raise ValueError(f"Quotes of {path.name!r} must be closed. Got {found}.") from error


@contextmanager
def _opened(path: Path) -> Iterator[TextIO]:
    """Open a file as text, without the mark that some programs put at the beginning."""
    opening: Any = gzip.open if path.suffix.lower() == ".gz" else open
    try:
        with readable(path.name, "text"), opening(path, "rt", encoding="utf-8-sig", newline="") as file:
            yield file
    except UnicodeDecodeError as error:
        fix = "save it in UTF-8, or pass pandas.read_csv(path, encoding='latin-1') with the encoding that it has"
        raise ValueError(f"{path.name!r} must be text in UTF-8. Got another encoding; {fix}.") from error


def _check_lengths(path: Path, delimiter: str, n_names: int) -> None:
    """Raise a ValueError that names the first line with more or fewer values than there are columns."""
    with _opened(path) as file:
        rows = csv.reader(file, delimiter=delimiter)
        for row in islice(rows, 1, None):
            if row and len(row) != n_names:
                rule, found = f"have a value for each of its {n_names} columns", f"{len(row)} in line {rows.line_num}"
                fix = f"correct the line, or put quotes around values that hold {delimiter!r}"
                raise ValueError(f"Rows of {path.name!r} must {rule}. Got {found}; {fix}.")
