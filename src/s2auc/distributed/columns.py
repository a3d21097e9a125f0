"""Columns of a table in partitions: those of a Dask frame, or of files that workers read themselves."""

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property, partial, reduce
from typing import Any, TypeAlias

import numpy as np

from s2auc.common.lazy_modules import pa
from s2auc.common.messages import one_line
from s2auc.data.schema.arrow_columns import is_dictionary
from s2auc.data.schema.column_names import listed
from s2auc.data.schema.column_profiler import MAX_KEPT, ColumnProfiler, NumberProfiler
from s2auc.data.schema.schema import Schema
from s2auc.data.schema.text_readings import TextProfile
from s2auc.data.sources.source import Result, RowSource
from s2auc.data.tables.arrow_rows import ArrowRows
from s2auc.data.tables.frames import table_of
from s2auc.data.tables.pieces import ArrowColumns, MemoryColumns, Piece, PieceColumns
from s2auc.distributed.crew import Parts
from s2auc.distributed.rows import DaskRows
from s2auc.distributed.tasks import pack

Profilers: TypeAlias = Mapping[str, ColumnProfiler | TextProfile]

PART_ROWS = 2**20
"""Rows of files that one task reads, where their row groups allow."""


class DaskColumns(ArrowColumns):
    """Columns whose rows are in partitions, on which workers work."""

    is_spread = True

    @abstractmethod
    def parts(self, names: Sequence[str]) -> Parts:
        """Return the partitions with these columns at least, read as `ArrowColumns`."""

    @abstractmethod
    def lengths(self, may_read: bool = True) -> Sequence[int] | None:
        """Return how many rows each partition has; None if they would have to be read, and may not."""

    @property
    def pieces(self) -> Sequence[Piece]:
        """The partitions, whose columns travel as they are asked for."""
        return [_RemotePiece(self, place, n_rows) for place, n_rows in enumerate(self.lengths() or ()) if n_rows]

    def map_parts(
        self, names: Sequence[str], work: Callable[[ArrowColumns, int], Result], stage: str = "read"
    ) -> Iterator[Result]:
        """Yield work(columns of a partition, its number), in order, done by the workers."""
        return self.parts(names).map(stage, work)

    def open_rows(
        self, names: Sequence[str], schema: Schema, display_name: str, *, reads_all: bool = False
    ) -> RowSource:
        """Return the rows by the columns of a schema, once their types are known to be those that were learnt."""
        ArrowRows(PieceColumns(self.schema, []), names, schema, display_name)
        opened = self.parts(names).read_by(
            lambda columns, _: ArrowRows(columns, names, schema, display_name, reads_all=reads_all)
        )
        return DaskRows(opened, self.lengths, schema)

    def profile(self, profilers: Profilers) -> None:
        """Let profilers take in the first partition; those that leave something open, all others."""
        lengths = self.lengths() or ()
        firsts = np.cumsum([0, *lengths])[:-1].tolist()
        fresh = {name: deepcopy(profiler) for name, profiler in profilers.items()}
        for places in (range(1), range(1, len(lengths))):
            names = [name for name, profiler in profilers.items() if not profiler.is_settled]
            if not names or not places:
                return
            work = partial(_profile_part, {name: fresh[name] for name in names})
            for found in self.parts(names).map("study", work, [firsts[place] for place in places], places):
                for name in names:
                    if not profilers[name].is_settled:
                        profilers[name].join(found[name])


class FileColumns(DaskColumns):
    """Columns of files, which workers read themselves: each partition is some row groups, or a file.

    Parameters
    ----------
    columns
        The files, which the client can see too.
    """

    def __init__(self, columns: ArrowColumns) -> None:
        self._columns = columns

    @property
    def schema(self) -> Any:
        """The names and types of all columns."""
        return self._columns.schema

    @cached_property
    def _groups(self) -> list[PieceColumns]:
        groups: list[list[Piece]] = []
        n_rows = PART_ROWS
        for piece in self._columns.pieces:
            if n_rows + piece.n_rows > PART_ROWS:
                groups.append([])
                n_rows = 0
            groups[-1].append(piece)
            n_rows += piece.n_rows
        return [PieceColumns(self.schema, group) for group in groups or [[]]]

    def parts(self, names: Sequence[str]) -> Parts:  # noqa: ARG002 columns are chosen as they are read
        """Return the partitions, which hold nothing but where their rows are."""
        return self._parts

    @cached_property
    def _parts(self) -> Parts:
        return Parts([pack(group) for group in self._groups])

    def lengths(self, may_read: bool = True) -> Sequence[int]:  # noqa: ARG002 the ends of files tell
        """Return how many rows each partition has."""
        return [group.n_rows for group in self._groups]


class FrameColumns(DaskColumns):
    """Columns of a Dask frame.

    Parameters
    ----------
    frame
        The frame, whose columns have names that are text.
    """

    def __init__(self, frame: Any) -> None:
        self._frame = frame

    @cached_property
    def schema(self) -> Any:
        """The names and types of all columns: as the frame says, or found by reading partitions if it does not."""
        known = _known_schema(self._frame._meta)
        return _joined_schema([schema for _, schema in self._measured]) if known is None else known

    @property
    def names(self) -> list[str]:
        """The names of all columns, known without reading."""
        return list(self._frame.columns)

    def parts(self, names: Sequence[str]) -> Parts:
        """Return the partitions with these columns only, which have the types of the whole frame."""
        schema = pa.schema([self.schema.field(name) for name in names])
        frames = self._frame[list(names)].to_delayed()
        return Parts(frames, lambda frame, place: _frame_columns(frame, schema, place))

    def lengths(self, may_read: bool = True) -> Sequence[int] | None:
        """Return how many rows each partition has, once all have been read."""
        return [n_rows for n_rows, _ in self._measured] if may_read or "_measured" in vars(self) else None

    @cached_property
    def _measured(self) -> list[tuple[int, Any]]:
        names = self.names

        def measure(frame: Any, place: int) -> tuple[int, Any]:
            return len(frame), _plain_schema(_arrow_table(frame, names, place).schema)

        return list(Parts(self._frame.to_delayed()).map("measure", measure))


@dataclass(frozen=True, eq=False)
class _RemotePiece(Piece):
    """A partition as columns that the client reads."""

    columns: DaskColumns
    place: int
    n_rows: int

    def batches(self, names: Sequence[str], batch_rows: int) -> Iterator[Any]:
        (batches,) = self.columns.parts(names).map(
            "read", lambda columns, _: list(columns.batches(names, batch_rows)), places=[self.place]
        )
        yield from batches


def _profile_part(profilers: Profilers, columns: ArrowColumns, _: int, first: int) -> Profilers:
    """Return what profilers that know nothing yet learn from a partition, given the number of its first row."""
    # The next partition needs them as they are.
    own = deepcopy(profilers)
    columns.profile(own)
    for profiler in own.values():
        if isinstance(profiler, NumberProfiler) and first >= MAX_KEPT:
            profiler.forget_numbers()
    return own


def _arrow_table(frame: Any, names: Sequence[str], place: int) -> Any:
    """Return a partition as an Arrow table with these columns, or raise a ValueError that names the partition."""
    found = list(map(str, frame.columns))
    if sorted(found) != sorted(names):
        odd = [f"without {listed([name])}" for name in names if name not in found]
        odd += [f"with {listed([name])}" for name in found if name not in names]
        raise ValueError(
            f"Partitions must have the columns that the frame says it has, {listed(list(names))}. Got partition "
            f"{place} {', '.join(odd[:5]) or 'with a column twice'}; make partitions alike."
        )
    return table_of(found, (frame.iloc[:, column] for column in range(len(found)))).select(list(names))


def _frame_columns(frame: Any, schema: Any, place: int) -> MemoryColumns:
    """Return the columns of a partition, with the types of the whole frame."""
    table = _arrow_table(frame, schema.names, place)
    for number, field in enumerate(schema):
        column = table.column(number)
        if column.type == field.type or is_dictionary(column.type):
            continue
        try:
            table = table.set_column(number, field, column.cast(field.type))
        except pa.ArrowException as error:
            raise ValueError(
                f"Column {field.name!r} must have one type in all partitions, {field.type}. Got {column.type} in "
                f"partition {place} ({one_line(error)}); convert it."
            ) from error
    return MemoryColumns(table)


def _plain_schema(schema: Any) -> Any:
    """Return types without what differs between partitions by chance: the width of codes, and that of no categories."""
    return pa.schema([pa.field(field.name, _plain_type(field.type)) for field in schema])


def _plain_type(found: Any) -> Any:
    if not is_dictionary(found):
        return found
    values = found.value_type
    return values if pa.types.is_null(values) else pa.dictionary(pa.int32(), values, ordered=found.ordered)


def _joined_schema(schemas: Sequence[Any]) -> Any:
    """Return the types that hold the values of all partitions; text where they have nothing else in common."""
    return pa.schema([reduce(_joined_field, fields) for fields in zip(*schemas, strict=True)])


def _joined_field(one: Any, other: Any) -> Any:
    try:
        return pa.unify_schemas([pa.schema([one]), pa.schema([other])], promote_options="permissive").field(0)
    except pa.ArrowException:
        return pa.field(one.name, pa.string())


def _known_schema(meta: Any) -> Any:
    """Return the types that an empty frame tells of; None if it says nothing of a column, as of one of objects."""
    try:
        schema = pa.Schema.from_pandas(meta, preserve_index=False).remove_metadata()
    except (pa.ArrowException, TypeError):
        return None
    is_open = any(pa.types.is_null(field.type) or is_dictionary(field.type) for field in schema)
    return None if is_open else schema
