"""The handle that users hold of a table, whose rows are read when they are needed, and the way to open one."""

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any

from s2auc.common.arrays import AnyArray
from s2auc.common.docstrings import describes_parameters_like
from s2auc.common.errors import InputError
from s2auc.common.lazy_modules import pa, pads
from s2auc.common.storage.opened_files import OpenedFile
from s2auc.data.schema.arrow_columns import kind_of_type
from s2auc.data.schema.column_names import check_distinct, listed
from s2auc.data.schema.column_selection import ColumnSelection, check_known
from s2auc.data.schema.date_parts import TEMPORAL_KINDS
from s2auc.data.sources.source import Result
from s2auc.data.tables.arrow_table import ArrowLabels, ArrowLazyRows, IgnoredColumnsWarning
from s2auc.data.tables.csv_files import CsvColumns
from s2auc.data.tables.description import ColumnRole, describe_columns, describe_roles
from s2auc.data.tables.engines import is_dask_collection, load_engine
from s2auc.data.tables.formats.databases import read_duckdb, read_sqlite
from s2auc.data.tables.formats.excel import read_excel
from s2auc.data.tables.formats.json_files import read_json
from s2auc.data.tables.frames import as_columns, is_numbered
from s2auc.data.tables.lazy_table import LabelColumn, LazyRows
from s2auc.data.tables.matrix_files import (
    ArrayLabels,
    MatrixLazyRows,
    SparseFile,
    SparseFileRows,
    load_matrix,
    matrix_columns,
)
from s2auc.data.tables.paths import TableFiles, find_files, is_path
from s2auc.data.tables.pieces import ArrowColumns, PieceColumns, open_files, regroup
from s2auc.data.text.vocabulary import MIN_TEXTS


@dataclass(eq=False, repr=False)
class Table:
    """A table whose rows are read when they are needed, as `open_table` gives it.

    Attributes
    ----------
    X
        The columns to learn from or to score: estimators take them wherever they take rows.
    y
        The labels, None without a label column: estimators take them wherever they take labels.
    columns
        All columns with names; sparse rows have none.
    display_name
        What descriptions call the table.
    paths
        The files it is read from; none if it is in memory.
    selection, reopen
        The columns that were selected, and what opens the same table with another selection.
    """

    X: LazyRows
    y: LabelColumn | None
    columns: ArrowColumns
    display_name: str
    paths: tuple[Path, ...] = ()
    selection: ColumnSelection = ColumnSelection()  # noqa: RUF009 which is frozen
    reopen: "Callable[[ColumnSelection], Table] | None" = None

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return self.X.n_rows

    @property
    def names(self) -> list[str]:
        """The names of all columns."""
        return list(self.columns.schema.names)

    @property
    def column_roles(self) -> list[ColumnRole]:
        """The kind and the role of each column; empty where columns have neither names nor types."""
        return describe_roles(self.X) if isinstance(self.X, ArrowLazyRows) else []

    def interpreted_roles(self) -> list[ColumnRole]:
        """Return the kind and the role of each column as a fit would see them, which takes a pass over the rows."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", IgnoredColumnsWarning)
            self.X.learn_schema("from_dtype")
        return self.column_roles

    @property
    def is_spread(self) -> bool:
        """Whether the rows are on other machines."""
        return self.columns.is_spread

    def map_parts(
        self, names: Sequence[str], kept: Sequence[str], work: Callable[["Table", int], Result], stage: str
    ) -> Iterator[Result]:
        """Yield work(table of consecutive rows, its place), in order, done where the rows are.

        Parameters
        ----------
        names, kept
            The columns to score that the tables have, and others that they have besides.
        work, stage
            As for `ArrowColumns.map_parts`.
        """
        both = list(dict.fromkeys([*names, *kept]))
        return self.columns.map_parts(both, partial(_work_on_table, list(names), work), stage)

    def selecting(self, selection: ColumnSelection) -> "Table":
        """Return the same table with other columns: those of a selection, where it names any."""
        if selection == ColumnSelection():
            return self
        if self.reopen is None:
            rule = "not be given for LIBSVM files"
            raise InputError(rule, subject="{label}, {features} and {drop}", found="some", fix="leave them out")
        return self.reopen(self.selection.updated(selection))

    def dropping(self, names: Sequence[str], roles: Mapping[str, str] | None = None) -> "Table":
        """Return the same table without some features, those of them that it has.

        Parameters
        ----------
        names
            Columns that are no features.
        roles
            What some columns are instead, "id", "group", "random" or "time": the name of the column by its role.
        """
        more = roles or {}
        found = [name for name in [*names, *more.values()] if name in self.names]
        return self.reopen(self.selection.excluding(found, more)) if found and self.reopen is not None else self

    def column(self, name: str, *, as_it_stands: bool = False) -> LabelColumn:
        """Return a column as labels are, to be read when it is needed.

        Parameters
        ----------
        name
            Its name.
        as_it_stands
            Whether its text is taken as it stands, such as that of groups; else a blank cell is missing.
        """
        check_known([name], self.names, "name")
        return ArrowLabels(self.columns, name, as_it_stands=as_it_stands)

    def batches(self, names: Sequence[str], chunk_rows: int) -> Iterator[Any]:
        """Yield columns as they are, in order: record batches of just so many rows, but for the last.

        Of a table without rows there is one batch, which has none either: it tells the types.
        """
        check_known(names, self.names, "names")
        for group in regroup(self.columns.batches(names, chunk_rows), chunk_rows):
            table = pa.Table.from_batches(group) if len(group) > 1 else None
            yield group[0] if table is None else table.unify_dictionaries().combine_chunks().to_batches()[0]
        if not self.n_rows:
            yield self.no_rows(names)

    def no_rows(self, names: Sequence[str]) -> Any:
        """Return a record batch without rows that tells the types of columns."""
        return self.columns.no_rows(names)

    def __repr__(self) -> str:
        if isinstance(self.X, ArrowLazyRows):
            return describe_columns(self.X, self.display_name)
        return f"{self.display_name}: {self.X!r}"


@describes_parameters_like()
def open_table(
    table: Any,
    *,
    label: str | None = None,
    features: Sequence[str] | None = None,
    drop: Sequence[str] | None = None,
    engine: str | None = None,
    unreadable: str = "error",
    categorical: Sequence[str] | None = None,
    numeric: Sequence[str] | None = None,
    date: Sequence[str] | None = None,
    text: Sequence[str] | None = None,
    min_text_rows: int = MIN_TEXTS,
    file_format: str | None = None,
    encoding: str | None = None,
    sheet: str | None = None,
    query: str | None = None,
) -> Table:
    """Return a table whose rows are read when they are needed, however many there are.

    Parameters
    ----------
    table
        CSV, TSV, Excel, JSON, Parquet, Arrow (Feather), ORC, SQLite, DuckDB, NumPy or LIBSVM files: a path, a folder, a
        pattern such as ``"claims/*.parquet"``, a list of paths, ``"-"`` for standard input, or an address such as
        ``"s3://bucket/claims.csv"``. Or a table in memory: of pyarrow, pandas, polars (also a LazyFrame), a dict of
        columns, or of any library that hands out Arrow's streams, such as DuckDB, ibis or narwhals. Or a data frame of
        Dask, whose rows stay where they are. Or an open table, to be opened with other columns.
    label : str or None, default=None
        The column of labels, blank where a row is unlabelled.
    features : list of str or None, default=None
        The columns to use, in this order, none of which is ignored. None uses all but the label, without those that are
        row IDs or codes, never change, or hold something that is not read.
    drop : list of str or None, default=None
        Columns not to use.
    engine : str or None, default=None
        "dask": Parquet or Arrow files are read by the workers of the current client of Dask, which see them under the
        same paths. None: by this process.
    unreadable : {"error", "missing"}, default="error"
        What to do with a cell that a fitted model cannot read, such as a word in a column that held numbers: raise an
        error that names it, or treat it as missing.
    categorical, numeric, date : list of str or None, default=None
        Columns that hold categories, numbers or dates, whatever they look like. Cells of text that are no number, or no
        date, are missing then. A column that is named here is never ignored.
    text : list of str or None, default=None
        Columns that hold text, such as notes, titles and messages. Others are recognised by themselves: text of which
        most is different, and that shares words.
    min_text_rows : int, default=5
        A term enters the vocabulary of a text column, and with it the model file, only if at least this many different
        texts contain it. What fewer say, such as the names of single people, stays out.
    file_format : str or None, default=None
        The format of files: "csv", "tsv", "jsonl" (an object per line), "json" (an array of objects), "excel",
        "sqlite", "duckdb", "parquet", "arrow", "orc", "npy" or "libsvm". None tells it from the ending of their names.
    encoding : str or None, default=None
        The encoding of text files, such as "cp1252". None detects UTF-8, UTF-16 and what Windows programs write.
    sheet : str or None, default=None
        The sheet of an Excel file; None takes the first.
    query : str or None, default=None
        The table of a SQLite or DuckDB file, or a SELECT statement; None takes its only table.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    ValueError
        If a column does not exist, or a file cannot be read.

    Examples
    --------
    >>> import pandas as pd
    >>> table = open_table(pd.DataFrame({"age": [31, 45, 20], "fraud": [1, None, 0]}), label="fraud")
    >>> table
    DataFrame: 3 rows, 2 columns
      age: numbers
      fraud: numbers, label
    """
    if unreadable not in ("error", "missing"):
        found = repr(unreadable)
        raise InputError("be 'error' or 'missing'", parameter="unreadable", found=found, fix="choose one of these")
    types = {"categorical": categorical, "numeric": numeric, "date": date, "text": text}
    selection = ColumnSelection.of_arguments(label, features, drop, types, min_text_rows)
    reading = {"file_format": file_format, "encoding": encoding, "sheet": sheet, "query": query}
    if isinstance(table, Table):
        _check_reading(reading | {"engine": engine}, (), "a table that is open already")
        return _opened_again(table, selection, reads_all=unreadable == "missing")
    workers = None if engine is None else load_engine(engine)
    files = find_files(table, file_format) if is_path(table) else None
    if files is None:
        _check_reading(reading, (), "a table in memory")
    else:
        _check_reading(reading, ("file_format", *_OPTIONS.get(files.format, ())), f"{files.format} files")
    origin = _origin(table, files, reads_all=unreadable == "missing")
    if files is None or workers is not None:
        columns = as_columns(table) if workers is None else _spread_columns(table, files, workers)
        return _arrow_table(columns, origin, selection)
    if files.format == "libsvm":
        return _sparse_table(files, origin, selection)
    if files.format == "npy":
        return _matrix_table(load_matrix(files), files.opened[0], origin, selection)
    return _arrow_table(_file_columns(files, encoding, sheet, query), origin, selection)


_OPTIONS = dict.fromkeys(("csv", "tsv", "json", "jsonl"), ("encoding",)) | {
    "excel": ("sheet",),
    "sqlite": ("query",),
    "duckdb": ("query",),
}
"""Options that readers of some formats have."""

_DATABASES = "sqlite", "duckdb"
"""Formats whose rows are those of one moment, whatever is written to the files meanwhile."""


def _check_reading(reading: Mapping[str, Any], allowed: Sequence[str], where: str) -> None:
    """Raise an InputError if an option is given that means nothing there."""
    strange = next((name for name, value in reading.items() if value is not None and name not in allowed), None)
    if strange is not None:
        found, rule = repr(reading[strange]), "be left out for {where}"
        raise InputError(rule, parameter=strange, found=found, fix="leave it out", where=where)


def _file_columns(files: TableFiles, encoding: str | None, sheet: str | None, query: str | None) -> ArrowColumns:
    """Return the columns of files by their format."""
    if files.format in ("csv", "tsv"):
        return CsvColumns(files, encoding)
    readers = {
        "excel": partial(read_excel, sheet=sheet),
        "sqlite": partial(read_sqlite, query=query),
        "duckdb": partial(read_duckdb, query=query),
    }
    if files.format in readers and len(files.paths) > 1:
        found = f"{len(files.paths)} {files.format} files"
        raise InputError("be one file of this format", subject="A table", found=found, fix="pass one of them")
    try:
        if files.format in ("json", "jsonl"):
            return read_json(files.paths, encoding, by_line=files.format == "jsonl")
        return readers[files.format](files.paths[0]) if files.format in readers else open_files(files, files.keeper)
    finally:  # what cannot be read may be that of another file
        for file in files.opened if files.format not in _DATABASES else ():
            file.check()


def _opened_again(table: Table, selection: ColumnSelection, *, reads_all: bool) -> Table:
    """Return an open table with other columns, if any are given, or with cells that cannot be read as missing."""
    if reads_all and isinstance(table.X, ArrowLazyRows):
        table = replace(table, X=replace(table.X, reads_all=True))
    return table.selecting(selection)


@dataclass(frozen=True)
class _Origin:
    """The origin of a table: its name for users, its files, and the way to read it."""

    display_name: str
    paths: tuple[Path, ...] = ()
    files: tuple[OpenedFile, ...] | None = None
    named: bool = True
    reads_all: bool = False
    keeper: object = None


def _origin(table: Any, files: TableFiles | None, *, reads_all: bool) -> _Origin:
    if files is None:
        paths = tuple(map(Path, table.files)) if isinstance(table, pads.FileSystemDataset) else ()
        return _Origin(type(table).__name__, paths, named=not is_numbered(table), reads_all=reads_all)
    name = str(table) if isinstance(table, str | PathLike) else f"{len(files.paths)} {files.format} files"
    # Before the rows are read, which takes a while.
    return _Origin(name, files.paths, files.opened, reads_all=reads_all, keeper=files.keeper)


def _spread_columns(table: Any, files: TableFiles | None, workers: Any) -> ArrowColumns:
    """Return the columns of a table that the workers of an engine read."""
    if is_dask_collection(table):
        return as_columns(table)
    if files is None or files.format not in ("parquet", "ipc"):
        found = type(table).__name__ if files is None else f"{files.format} files"
        rule, fix = "be Parquet or Arrow files, or a data frame of Dask", "write it as Parquet, or leave {engine} out"
        raise InputError(rule, subject="A table that workers read", found=found, fix=fix)
    columns: ArrowColumns = workers.spread(open_files(files))
    return columns


def _arrow_table(columns: ArrowColumns, origin: _Origin, selection: ColumnSelection) -> Table:
    label, names = selection.label, list(columns.schema.names)
    check_distinct(names, "the table")
    used = selection.used(names)
    if label is not None and kind_of_type(columns.schema.field(label).type) in (None, *TEMPORAL_KINDS):
        found = f"{label!r}, which holds {columns.schema.field(label).type}"
        raise InputError("name a column of numbers, booleans or text", parameter="label", found=found, fix="convert it")
    X = ArrowLazyRows(
        columns,
        used,
        kept=selection.features or (),
        named=origin.named,
        reads_all=origin.reads_all,
        origin=origin.files,
        roles=selection.roles,
        types=selection.types,
        min_texts=selection.min_text_rows,
    )
    y = None if label is None else ArrowLabels(columns, label)
    reopen = partial(_arrow_table, columns, origin)
    return Table(X, y, columns, origin.display_name, origin.paths, selection, reopen)


def _matrix_table(matrix: AnyArray, file: OpenedFile, origin: _Origin, selection: ColumnSelection) -> Table:
    if selection.types:
        found, fix = listed(list(selection.types)), "pass categorical_features to the classifier"
        raise InputError("be left out for .npy files", subject="Types of columns", found=found, fix=fix)
    columns = matrix_columns(matrix, file)
    used = selection.used(columns.schema.names)
    is_whole = len(used) == matrix.shape[1] and selection.features is None
    X = MatrixLazyRows(matrix, None if is_whole else [int(name) for name in used], roles=selection.roles, file=file)
    y = None if selection.label is None else ArrayLabels(matrix[:, int(selection.label)])
    reopen = partial(_matrix_table, matrix, file, origin)
    return Table(X, y, columns, origin.display_name, origin.paths, selection, reopen)


def _sparse_table(files: TableFiles, origin: _Origin, selection: ColumnSelection) -> Table:
    if selection != ColumnSelection():
        rule = "not be given for LIBSVM files, whose first value is the label and whose columns have no names"
        raise InputError(rule, subject="{label}, {features} and {drop}", found="some", fix="leave them out")
    file = SparseFile(files)
    no_columns = PieceColumns(pa.schema([]), [])
    return Table(SparseFileRows(file), ArrayLabels(file.labels), no_columns, origin.display_name, origin.paths)


def _work_on_table(names: list[str], work: Callable[[Table, int], Result], columns: ArrowColumns, place: int) -> Result:
    return work(Table(ArrowLazyRows(columns, names), None, columns, f"part {place}"), place)
