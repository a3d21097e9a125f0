"""A table whose rows are read when they are needed: the handle that users hold, and how they get it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from os import PathLike
from pathlib import Path
from types import MappingProxyType
from typing import Any

from s2auc.common.arrays import AnyArray
from s2auc.common.errors import InputError
from s2auc.common.lazy_modules import pa
from s2auc.data.schema.arrow_columns import kind_of_type
from s2auc.data.schema.column_names import check_distinct, listed
from s2auc.data.schema.column_selection import ColumnSelection, check_known
from s2auc.data.schema.date_parts import TEMPORAL_KINDS
from s2auc.data.tables.arrow_table import ArrowLabels, ArrowLazyRows
from s2auc.data.tables.csv_files import CsvColumns
from s2auc.data.tables.description import ColumnRole, describe_columns, describe_roles
from s2auc.data.tables.engines import is_dask_collection, load_engine
from s2auc.data.tables.frames import as_columns, is_numbered
from s2auc.data.tables.lazy_table import LabelColumn, LazyRows
from s2auc.data.tables.libsvm_files import SparseFile, SparseFileRows
from s2auc.data.tables.matrix_table import ArrayLabels, MatrixLazyRows, load_matrix, matrix_columns
from s2auc.data.tables.paths import TableFiles, find_files, is_path
from s2auc.data.tables.pieces import ArrowColumns, Result, open_files

SPREAD_FORMATS = "parquet", "ipc"
"""Formats of files that workers can read in parts."""

NO_ROLES: Mapping[str, str] = MappingProxyType({})

UNREADABLE = "error", "missing"
"""Ways to treat cells that a model cannot read."""


class Table:
    """A table whose rows are read when they are needed, as `open_table` gives it.

    Attributes
    ----------
    X
        The columns to learn from or to score: estimators take them wherever they take rows.
    y
        The labels, None without a label column: estimators take them wherever they take labels.
    n_rows
        How many rows there are.
    names
        The names of all columns.
    paths
        The files it is read from; none if it is in memory.
    """

    def __init__(
        self,
        X: LazyRows,
        y: LabelColumn | None,
        columns: ArrowColumns | None,
        description: Callable[[], str],
        dropping: "Callable[[Sequence[str], Mapping[str, str]], Table] | None" = None,
        paths: tuple[Path, ...] = (),
    ) -> None:
        self.X, self.y, self.paths = X, y, paths
        self._columns, self._description, self._dropping = columns, description, dropping
        self.names: list[str] = [] if columns is None else list(columns.schema.names)

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return self.X.n_rows

    @property
    def column_roles(self) -> list[ColumnRole]:
        """The kind and the role of each column; empty where columns have neither names nor types."""
        return describe_roles(self._columns, self.X) if isinstance(self.X, ArrowLazyRows) and self._columns else []

    @property
    def is_spread(self) -> bool:
        """Whether the rows are on other machines."""
        return self._columns is not None and self._columns.is_spread

    def map_parts(
        self, names: Sequence[str], kept: Sequence[str], work: Callable[["Table", int], Result], stage: str
    ) -> Iterator[Result]:
        """Yield work(table of some rows that follow each other, its place), in order, done where the rows are.

        Parameters
        ----------
        names, kept
            The columns to score that the tables have, and others that they have besides.
        work, stage
            As for `ArrowColumns.map_parts`.
        """
        if self._columns is None:
            raise ValueError("Sparse rows have no columns with names. Got some; work on them here.")
        both = list(dict.fromkeys([*names, *kept]))
        return self._columns.map_parts(both, partial(_work_on_table, list(names), work), stage)

    def dropping(self, names: Sequence[str], roles: Mapping[str, str] | None = None) -> "Table":
        """Return the same table without some features, those of them that it has.

        Parameters
        ----------
        names
            Columns that are no features.
        roles
            What some columns are instead, "id" or "group": the name of the column by its role.
        """
        more = roles or {}
        found = [name for name in [*names, *more.values()] if name in self.names]
        return self._dropping(found, more) if found and self._dropping is not None else self

    def column(self, name: str, *, as_it_stands: bool = False) -> LabelColumn:
        """Return a column as labels are, to be read when it is needed.

        Parameters
        ----------
        name
            Its name.
        as_it_stands
            Whether its text is taken as it stands, such as that of groups; else a blank cell is missing.
        """
        if self._columns is None:
            raise ValueError(f"Sparse rows have no columns with names. Got {name!r}; leave it out.")
        check_known([name], self.names, "name")
        return ArrowLabels(self._columns, name, as_it_stands=as_it_stands)

    def batches(self, names: Sequence[str], chunk_rows: int) -> Iterator[Any]:
        """Yield columns as they are, in order: record batches of just so many rows, but for the last.

        Of a table without rows there is one batch, which has none either: it tells the types.
        """
        if self._columns is None:
            raise ValueError(f"Sparse rows have no columns to keep. Got {listed(list(names))}; keep none.")
        check_known(names, self.names, "names")
        waiting: list[Any] = []
        n_waiting = 0
        for batch in self._columns.batches(names, chunk_rows):
            while batch.num_rows:
                part = batch.slice(0, chunk_rows - n_waiting)
                batch = batch.slice(part.num_rows)
                waiting.append(part)
                n_waiting += part.num_rows
                if n_waiting == chunk_rows:
                    yield _one_batch(waiting)
                    waiting, n_waiting = [], 0
        if waiting:
            yield _one_batch(waiting)
        elif not self.n_rows:
            yield self.no_rows(names)

    def no_rows(self, names: Sequence[str]) -> Any:
        """Return a record batch without rows that tells the types of columns."""
        if self._columns is None:
            raise ValueError(f"Sparse rows have no columns to keep. Got {listed(list(names))}; keep none.")
        types = pa.schema([self._columns.schema.field(name) for name in names])
        return pa.RecordBatch.from_arrays([pa.array([], field.type) for field in types], schema=types)

    def __repr__(self) -> str:
        return self._description()


def open_table(
    table: Any,
    *,
    label: str | None = None,
    features: Sequence[str] | None = None,
    drop: Sequence[str] | None = None,
    engine: str | None = None,
    unreadable: str = "error",
) -> Table:
    """Return a table whose rows are read when they are needed, however many there are.

    Parameters
    ----------
    table
        Parquet, Arrow (Feather), CSV, TSV, NumPy or LIBSVM files: a path, a folder, a pattern such as
        ``"claims/*.parquet"``, or a list of paths. Or a table in memory: of pyarrow, pandas, polars (also a LazyFrame),
        a dict of columns, or of any library that hands out Arrow's streams, such as DuckDB, ibis or narwhals. Or a data
        frame of Dask, whose rows stay where they are.
    label : str or None, default=None
        The column of labels, blank where a row is unlabelled.
    features : list of str or None, default=None
        The columns to use, in this order, none of which is ignored. None uses all but the label, without those that are
        row IDs or free text, never change, or hold something that is not read.
    drop : list of str or None, default=None
        Columns not to use.
    engine : str or None, default=None
        "dask": Parquet or Arrow files are read by the workers of the current client of Dask, which see them under the
        same paths. None: by this process.
    unreadable : {"error", "missing"}, default="error"
        What to do with a cell that a fitted model cannot read, such as a word in a column that held numbers: raise an
        error that names it, or treat it as missing.

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
    if unreadable not in UNREADABLE:
        raise InputError(
            "be 'error' or 'missing'", parameter="unreadable", found=repr(unreadable), fix="choose one of these"
        )
    asked = ColumnSelection(label, features, drop).spelled()
    if isinstance(table, Table):
        if asked.is_anything or engine is not None or unreadable != "error":
            raise InputError(
                "not be given where a table is open already",
                subject="label, features, drop, engine and unreadable",
                found="some",
                fix="pass them to the first call of open_table",
            )
        return table
    origin = _Origin(type(table).__name__, reads_all=unreadable == "missing")
    if engine is not None:
        return _spread_table(table, asked, engine, origin)
    if not is_path(table):
        return _arrow_table(as_columns(table), asked, replace(origin, named=not is_numbered(table)))
    files = find_files(table)
    return _OPENERS[files.format](files, asked, _origin_of_files(table, files, origin))


@dataclass(frozen=True)
class _Origin:
    """The origin of a table: its name for users, its files and their stamps, and the way to read it."""

    shown: str
    paths: tuple[Path, ...] = ()
    stamps: tuple[str, ...] | None = None
    named: bool = True
    reads_all: bool = False


def _origin_of_files(where: Any, files: TableFiles, origin: _Origin) -> _Origin:
    shown = str(where) if isinstance(where, str | PathLike) else f"{len(files.paths)} {files.format} files"
    # Before the rows are read, which takes a while.
    return replace(origin, shown=shown, paths=files.paths, stamps=files.stamps())


def _spread_table(where: Any, asked: ColumnSelection, engine: str, origin: _Origin) -> Table:
    """Return a table of files that the workers of an engine read."""
    opened = load_engine(engine)
    if is_dask_collection(where):
        return _arrow_table(as_columns(where), asked, origin)
    files = find_files(where) if is_path(where) else None
    if files is None or files.format not in SPREAD_FORMATS:
        got = type(where).__name__ if files is None else f"{files.format} files"
        raise InputError(
            "be Parquet or Arrow files, or a data frame of Dask",
            subject="A table that workers read",
            found=got,
            fix="write it as Parquet, or leave {engine} out",
        )
    return _arrow_table(opened.spread(open_files(files)), asked, _origin_of_files(where, files, origin))


def _arrow_table(
    columns: ArrowColumns,
    asked: ColumnSelection,
    origin: _Origin,
    dropped: Sequence[str] = (),
    roles: Mapping[str, str] = NO_ROLES,
) -> Table:
    names = list(columns.schema.names)
    check_distinct(names, "the table")
    used = asked.used(names, dropped)
    if asked.label is not None and kind_of_type(columns.schema.field(asked.label).type) in (None, *TEMPORAL_KINDS):
        raise InputError(
            "name a column of numbers, booleans or text",
            parameter="label",
            found=f"{asked.label!r}, which holds {columns.schema.field(asked.label).type}",
            fix="convert it",
        )
    roles = roles if asked.label is None else {"label": asked.label, **roles}
    X = ArrowLazyRows(
        columns,
        used,
        asked.features or (),
        named=origin.named,
        reads_all=origin.reads_all,
        origin=origin.stamps,
        roles=roles,
    )
    y = None if asked.label is None else ArrowLabels(columns, asked.label)
    return Table(
        X,
        y,
        columns,
        lambda: describe_columns(columns, X, origin.shown),
        lambda names, more: _arrow_table(columns, asked, origin, [*dropped, *names], {**roles, **more}),
        origin.paths,
    )


def _of_arrow_files(files: TableFiles, asked: ColumnSelection, origin: _Origin) -> Table:
    return _arrow_table(open_files(files), asked, origin)


def _of_text_files(files: TableFiles, asked: ColumnSelection, origin: _Origin) -> Table:
    return _arrow_table(CsvColumns(files), asked, origin)


def _of_numpy_file(files: TableFiles, asked: ColumnSelection, origin: _Origin) -> Table:
    return _matrix_table(load_matrix(files), asked, origin)


def _matrix_table(
    matrix: AnyArray,
    asked: ColumnSelection,
    origin: _Origin,
    dropped: Sequence[str] = (),
    roles: Mapping[str, str] = NO_ROLES,
) -> Table:
    columns = matrix_columns(matrix)
    used = asked.used(list(columns.schema.names), dropped)
    is_whole = len(used) == matrix.shape[1] and asked.features is None
    roles = roles if asked.label is None else {"label": asked.label, **roles}
    X = MatrixLazyRows(matrix, None if is_whole else [int(name) for name in used], roles=roles)
    y = None if asked.label is None else ArrayLabels(matrix[:, int(asked.label)], asked.label)
    return Table(
        X,
        y,
        columns,
        lambda: f"{origin.shown}: {X.n_rows:,} rows, {X.n_columns} columns of {matrix.dtype}",
        lambda names, more: _matrix_table(matrix, asked, origin, [*dropped, *names], {**roles, **more}),
        origin.paths,
    )


def _of_sparse_files(files: TableFiles, asked: ColumnSelection, origin: _Origin) -> Table:
    if asked.is_anything:
        raise InputError(
            "not be given for LIBSVM files, whose first value is the label and whose columns have no names",
            subject="{label}, {features} and {drop}",
            found="some",
            fix="leave them out",
        )
    rows = SparseFile(files.paths)
    X, y = SparseFileRows(rows), ArrayLabels(rows.labels)
    words = f"{origin.shown}: {X.n_rows:,} sparse rows, {X.n_columns} columns"
    return Table(X, y, None, lambda: words, paths=origin.paths)


_OPENERS: dict[str, Callable[[TableFiles, ColumnSelection, _Origin], Table]] = {
    "parquet": _of_arrow_files,
    "ipc": _of_arrow_files,
    "csv": _of_text_files,
    "tsv": _of_text_files,
    "npy": _of_numpy_file,
    "libsvm": _of_sparse_files,
}
"""How the files of each format are opened."""


def _one_batch(parts: Sequence[Any]) -> Any:
    if len(parts) == 1:
        return parts[0]
    table = pa.Table.from_batches(parts).unify_dictionaries().combine_chunks()
    return table.to_batches()[0]


def _work_on_table(names: list[str], work: Callable[[Table, int], Result], columns: ArrowColumns, place: int) -> Result:
    return work(Table(ArrowLazyRows(columns, names), None, columns, lambda: f"part {place}"), place)
