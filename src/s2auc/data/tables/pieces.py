"""Columns that Arrow reads, piece by piece: the row groups of Parquet files, other files whole, tables in memory.

Rows are read in the order of the pieces, and only the columns that are asked for; a piece of which no row is wanted is
passed over. At most a few batches are in memory at a time.
"""

import csv
import re
import zlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest
from typing import Any, ClassVar

from s2auc.common.errors import InputError
from s2auc.common.lazy_modules import pa, pads, pq
from s2auc.common.messages import one_line
from s2auc.common.storage.opened_files import OpenedFile
from s2auc.common.threads import n_threads
from s2auc.data.schema.column_profiler import ColumnProfiler
from s2auc.data.schema.schema import Schema
from s2auc.data.schema.text_readings import TextProfile
from s2auc.data.sources.source import Result, RowSource
from s2auc.data.tables.paths import TableFiles

BATCH_ROWS = 2**15
"""Rows that are decoded together, where nobody asks for fewer."""

_BUFFER_BYTES = 2**20


_GUESS = re.compile(r"(?s).*Is this a '[a-z]+' file\?: ")
"""What Arrow says before it comes to the point."""


@contextmanager
def readable(name: str, file_format: str) -> Iterator[None]:
    """Turn what is said of a file that is damaged into one sentence that names it."""
    try:
        yield
    except pa.ArrowMemoryError as error:
        fix = "check the file, or use a machine with more"
        raise MemoryError(f"{name!r} needs more memory than there is ({one_line(error)}); {fix}.") from error
    except (pa.ArrowException, OSError, EOFError, csv.Error, zlib.error) as error:
        # The file is gone, the disk is full, or somebody interrupts.
        if getattr(error, "errno", None) is not None or isinstance(error, pa.ArrowCancelled):
            raise
        raise InputError(
            "be a readable {format} file",
            subject="{file}",
            file=repr(name),
            format=file_format,
            found=f"an error ({one_line(_GUESS.sub('', str(error)))})",
            fix="write it again",
        ) from error


class Piece(ABC):
    """Some rows that follow each other."""

    n_rows: int

    @abstractmethod
    def batches(self, names: Sequence[str], batch_rows: int) -> Iterator[Any]:
        """Yield the columns with these names as record batches of at most so many rows."""


class ArrowColumns(ABC):
    """Columns and their rows, in pieces."""

    @property
    @abstractmethod
    def schema(self) -> Any:
        """The names and types of all columns: a `pyarrow.Schema`."""

    @property
    @abstractmethod
    def pieces(self) -> Sequence[Piece]:
        """All rows, in order."""

    @cached_property
    def n_rows(self) -> int:
        """Number of rows."""
        return sum(piece.n_rows for piece in self.pieces)

    def batches(self, names: Sequence[str], batch_rows: int = BATCH_ROWS) -> Iterator[Any]:
        """Yield columns of all rows, in order, as record batches of at most so many rows."""
        for piece in self.pieces:
            yield from piece.batches(names, batch_rows)

    def no_rows(self, names: Sequence[str]) -> Any:
        """Return a record batch without rows that tells the types of columns."""
        fields = [self.schema.field(name) for name in names]
        return pa.RecordBatch.from_arrays([pa.nulls(0, field.type) for field in fields], schema=pa.schema(fields))

    is_spread: bool = False
    """Whether the rows are on other machines, where `map_parts` works on them."""

    def map_parts(
        self, names: Sequence[str], work: Callable[["ArrowColumns", int], Result], stage: str = "read"
    ) -> Iterator[Result]:
        """Yield work(columns of some rows that follow each other, their place), in order, done where the rows are.

        Parameters
        ----------
        names
            The columns that the work reads.
        work
            Something that pickles, as must what it returns.
        stage
            What it does, in a word.
        """
        yield work(self, 0)

    def open_rows(
        self, names: Sequence[str], schema: Schema, display_name: str, *, reads_all: bool = False
    ) -> RowSource:
        """Return the rows by the columns of a schema, given their names here.

        Parameters
        ----------
        names
            The columns that the schema reads, in its order.
        schema, display_name
            What these are, and what errors call the table.
        reads_all
            Whether cells that cannot be read are missing, instead of errors.
        """
        from s2auc.data.tables.arrow_rows import ArrowRows  # which needs this file

        return ArrowRows(self, names, schema, display_name, reads_all=reads_all)

    def open_terms(self, names: Sequence[str], schema: Schema, display_name: str) -> RowSource:
        """Return the terms of the text columns of a schema as rows; the parameters are those of `open_rows`."""
        from s2auc.data.tables.term_rows import TermRows  # which needs this file

        return TermRows(self, names, schema, display_name)

    def profile(self, profilers: Mapping[str, ColumnProfiler | TextProfile]) -> None:
        """Let profilers of columns take in rows until all are settled, and no more columns than are not."""
        for piece in self.pieces:
            names = [name for name, profiler in profilers.items() if not profiler.is_settled]
            if not names:
                return
            for batch in piece.batches(names, BATCH_ROWS):
                for name, array in zip(names, batch.columns, strict=True):
                    if not profilers[name].is_settled:
                        profilers[name].update(array)
                if all(profilers[name].is_settled for name in names):
                    break

    def profile_text(self, names: Sequence[str]) -> dict[str, TextProfile]:
        """Return what the text of some columns may stand for, in all rows."""
        profiles = {name: TextProfile() for name in names}
        self.profile(profiles)
        return profiles


def regroup(batches: Iterator[Any], n_rows: int) -> Iterator[list[Any]]:
    """Yield groups of consecutive record batches, cut where need be, of just so many rows; the last may have fewer."""
    group: list[Any] = []
    n_left = n_rows
    for batch in batches:
        rest = batch
        while rest.num_rows:
            group.append(rest.slice(0, n_left))
            rest = rest.slice(group[-1].num_rows)
            n_left -= group[-1].num_rows
            if not n_left:
                yield group
                group, n_left = [], n_rows
    if group:
        yield group


def without_views(batch: Any) -> Any:
    """Return a batch whose text has a form that all of Arrow's functions know."""

    def plain(array: Any) -> Any:
        if pa.types.is_dictionary(array.type):
            values = plain(array.dictionary)
            return pa.DictionaryArray.from_arrays(array.indices, values)
        return array.cast(pa.large_string()) if pa.types.is_string_view(array.type) else array

    return pa.RecordBatch.from_arrays([plain(array) for array in batch.columns], names=batch.schema.names)


class PieceColumns(ArrowColumns):
    """Columns whose pieces are known.

    Parameters
    ----------
    schema
        The names and types of all columns.
    pieces
        The pieces, in order.
    """

    schema: Any = None
    pieces: Sequence[Piece] = ()

    def __init__(self, schema: Any, pieces: Sequence[Piece]) -> None:
        self.schema, self.pieces = schema, pieces


@dataclass(frozen=True, eq=False)
class _MemoryPiece(Piece):
    table: Any
    n_rows: int

    def batches(self, names: Sequence[str], batch_rows: int) -> Iterator[Any]:
        if names:
            yield from map(without_views, self.table.select(list(names)).to_batches(max_chunksize=batch_rows))


class MemoryColumns(PieceColumns):
    """The columns of a `pyarrow.Table`, which may be the memory map of a file that nobody has checked."""

    def __init__(self, table: Any) -> None:
        try:
            table.validate(full=True)
        except pa.ArrowException as error:
            rule, fix = "be valid Arrow data", "make it again"
            raise InputError(rule, subject="The table", found=f"an error ({one_line(error)})", fix=fix) from error
        super().__init__(table.schema, [_MemoryPiece(table, int(table.num_rows))])


@dataclass(frozen=True, eq=False)
class _ScannedPiece(Piece):
    """A file, or a whole data set, that Arrow scans."""

    scanned: Any
    schema: Any
    n_rows: int
    file: OpenedFile | None = None

    format_name = "data"

    def batches(self, names: Sequence[str], batch_rows: int) -> Iterator[Any]:
        options = {"batch_readahead": 2, "fragment_readahead": 1, "use_threads": n_threads() > 1}
        options |= {} if self.schema is None else {"schema": self.schema}
        batches = self.scanned.to_batches(columns=list(names), batch_size=batch_rows, **options)
        with readable(getattr(self.scanned, "path", "the data set"), self.format_name):
            for batch in batches if self.file is None else self.file.reading(batches):
                batch.validate(full=True)
                if batch.num_rows:
                    yield without_views(batch)


@dataclass(frozen=True, eq=False)
class _FilePiece(Piece):
    """Rows of one file of a data set: a value for all of them where the file does not hold a column itself."""

    fragment: Any
    schema: Any
    n_rows: int
    file: OpenedFile | None = None

    format_name: ClassVar[str]

    @abstractmethod
    def _stored(self, names: list[str], batch_rows: int) -> Iterator[Any]:
        """Yield columns of the file, by their types there, as record batches of at most so many rows."""

    def batches(self, names: Sequence[str], batch_rows: int) -> Iterator[Any]:
        values = pads.get_partition_keys(self.fragment.partition_expression)
        held = set(self.fragment.physical_schema.names) - values.keys()
        fields = [self.schema.field(name) for name in names]
        batches = self._stored([name for name in names if name in held], batch_rows)
        with readable(self.fragment.path, self.format_name):
            for batch in batches if self.file is None else self.file.reading(batches):
                # First of all: an offset that points out of its buffer would be followed by whatever comes next.
                batch.validate(full=True)
                arrays = [
                    _of_type(batch.column(field.name), field.type)
                    if field.name in held
                    else pa.repeat(pa.scalar(values.get(field.name), field.type), batch.num_rows)
                    for field in fields
                ]
                yield without_views(pa.RecordBatch.from_arrays(arrays, names=list(names)))


def _of_type(array: Any, wanted: Any) -> Any:
    return array if array.type == wanted else array.cast(wanted)


@dataclass(frozen=True, eq=False)
class _RowGroup(_FilePiece):
    """A row group of a Parquet file, of which no more is read ahead than a buffer: a scan would decode all of it."""

    number: int = 0

    format_name = "parquet"

    def _stored(self, names: list[str], batch_rows: int) -> Iterator[Any]:
        options = {"metadata": self.fragment.metadata, "buffer_size": _BUFFER_BYTES, "pre_buffer": False}
        choice = {"row_groups": [self.number], "columns": names, "use_threads": n_threads() > 1}
        with pq.ParquetFile(self.fragment.filesystem.open_input_file(self.fragment.path), **options) as file:
            yield from file.iter_batches(batch_rows, **choice)


class _ArrowFile(_FilePiece):
    """An Arrow (Feather) file, read without a scan, which would convert types before anything is checked."""

    format_name = "Arrow"

    def _stored(self, names: list[str], batch_rows: int) -> Iterator[Any]:
        places = [self.fragment.physical_schema.get_field_index(name) for name in names]
        options = pa.ipc.IpcReadOptions(included_fields=places, use_threads=n_threads() > 1)
        with (
            self.fragment.filesystem.open_input_file(self.fragment.path) as opened,
            pa.ipc.open_file(opened, options=options) as file,
        ):
            for number in range(file.num_record_batches):
                batch = file.get_batch(number)
                for first in range(0, batch.num_rows, batch_rows):
                    yield batch.slice(first, batch_rows)


class DatasetColumns(ArrowColumns):
    """The columns of a `pyarrow.dataset.Dataset`: files that are read when rows are asked for.

    Parameters
    ----------
    dataset
        The files.
    keeper
        Something that must live as long as the columns do, such as the folder of a cache.
    opened
        The files as they were before anything was read of them, in order; empty where that is not known.
    """

    schema: Any = None

    def __init__(self, dataset: Any, keeper: object = None, opened: Sequence[OpenedFile] = ()) -> None:
        self._dataset, self._keeper, self._opened, self.schema = dataset, keeper, opened, dataset.schema

    @cached_property
    def pieces(self) -> Sequence[Piece]:
        """The row groups of Parquet files, and other files whole."""
        # A filter lives in the data set, and its files know nothing of it.
        if not isinstance(self._dataset, pads.FileSystemDataset) or getattr(self._dataset, "_scan_options", None):
            return [_ScannedPiece(self._dataset, None, int(self._dataset.count_rows()))]
        found: list[Piece] = []
        for fragment, file in zip_longest(self._dataset.get_fragments(), self._opened):
            if isinstance(fragment, pads.ParquetFileFragment):
                groups = fragment.row_groups
                found += [_RowGroup(fragment, self.schema, int(group.num_rows), file, group.id) for group in groups]
            else:
                kind = _ArrowFile if isinstance(fragment.format, pads.IpcFileFormat) else _ScannedPiece
                with readable(fragment.path, kind.format_name):
                    found.append(kind(fragment, self.schema, int(fragment.count_rows()), file))
        return [piece for piece in found if piece.n_rows]


def open_files(files: TableFiles, keeper: object = None) -> ArrowColumns:
    """Return the columns of Parquet or Arrow files, and those that the names of their folders give.

    A column may be absent from some files, where its values are missing then, and its types may differ if one holds
    the values of the other: whole numbers and floats, for example.

    Parameters
    ----------
    files
        The files.
    keeper
        Something that must live as long as the columns do.

    Raises
    ------
    ValueError
        If a file cannot be read, or the types of a column have nothing in common.
    """
    paths, opened = [str(path) for path in files.paths], files.opened
    options: dict[str, Any] = {"format": files.format}
    if files.base is not None:
        options |= {"partitioning": "hive", "partition_base_dir": str(files.base)}
    name, format_name = paths[0], {"ipc": "Arrow"}.get(files.format, files.format)
    try:
        with readable(name, format_name):
            found = pads.dataset(paths, **options)
        if len(paths) == 1:
            return DatasetColumns(found, keeper, opened)
        unified = found.schema
        for fragment in found.get_fragments():
            name = fragment.path
            with readable(name, format_name):
                physical = fragment.physical_schema
            unified = pa.unify_schemas([unified, physical], promote_options="permissive")
        return DatasetColumns(pads.dataset(paths, schema=unified, **options), keeper, opened)
    except pa.ArrowTypeError as error:
        found = f"others in {name!r} ({one_line(error)}); convert one of them"
        raise ValueError(f"Files of one table must have the same types in their columns. Got {found}.") from error
