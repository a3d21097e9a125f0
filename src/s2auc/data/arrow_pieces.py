"""Columns that Arrow reads, piece by piece: the row groups of Parquet files, other files whole, tables in memory.

Rows are read in the order of the pieces, and only the columns that are asked for; a piece of which no row is wanted is
passed over. At most a few batches are in memory at a time.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Any

BATCH_ROWS = 2**15
"""Rows that are decoded together, where nobody asks for fewer."""

_BUFFER_BYTES = 2**20


def load_pyarrow(module: str = "pyarrow") -> Any:
    """Return pyarrow, or one of its modules, or raise an ImportError that says how to install it."""
    try:
        return import_module(module)
    except ImportError as error:
        raise ImportError("Tables that are read in pieces need pyarrow: pip install 's2auc[tables]'.") from error


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


def _without_views(batch: Any) -> Any:
    """Return a batch whose text has a form that all of Arrow's functions know."""
    pyarrow = load_pyarrow()
    is_view = getattr(pyarrow.types, "is_string_view", None)  # which an older pyarrow does not know either

    def plain(array: Any) -> Any:
        if pyarrow.types.is_dictionary(array.type):
            values = plain(array.dictionary)
            return pyarrow.DictionaryArray.from_arrays(array.indices, values)
        return array.cast(pyarrow.large_string()) if is_view is not None and is_view(array.type) else array

    return pyarrow.RecordBatch.from_arrays([plain(array) for array in batch.columns], names=batch.schema.names)


@dataclass(frozen=True, eq=False)
class _MemoryPiece(Piece):
    table: Any

    @property
    def n_rows(self) -> int:  # type: ignore[override]
        return int(self.table.num_rows)

    def batches(self, names: Sequence[str], batch_rows: int) -> Iterator[Any]:
        if names:
            yield from map(_without_views, self.table.select(list(names)).to_batches(max_chunksize=batch_rows))


class MemoryColumns(ArrowColumns):
    """The columns of a `pyarrow.Table`."""

    def __init__(self, table: Any) -> None:
        self._table = table

    @property
    def schema(self) -> Any:
        """The names and types of all columns."""
        return self._table.schema

    @property
    def pieces(self) -> Sequence[Piece]:
        """The table as a whole."""
        return [_MemoryPiece(self._table)]


@dataclass(frozen=True, eq=False)
class _FilePiece(Piece):
    """A row group, or a file, of a data set."""

    fragment: Any
    schema: Any
    n_rows: int

    def batches(self, names: Sequence[str], batch_rows: int) -> Iterator[Any]:
        if not names:
            return
        dataset = load_pyarrow("pyarrow.dataset")
        options = {}
        if isinstance(self.fragment, dataset.ParquetFileFragment):
            # Whole row groups would be fetched ahead otherwise.
            options["fragment_scan_options"] = dataset.ParquetFragmentScanOptions(
                use_buffered_stream=True, buffer_size=_BUFFER_BYTES, pre_buffer=False
            )
        for batch in self.fragment.to_batches(
            schema=self.schema,
            columns=list(names),
            batch_size=batch_rows,
            batch_readahead=2,
            fragment_readahead=1,
            **options,
        ):
            if batch.num_rows:
                yield batch


class DatasetColumns(ArrowColumns):
    """The columns of a `pyarrow.dataset.Dataset`: files that are read when rows are asked for.

    Parameters
    ----------
    dataset
        The files.
    keeper
        Something that must live as long as the columns do, such as the folder of a cache.
    """

    def __init__(self, dataset: Any, keeper: object = None) -> None:
        self._dataset, self._keeper = dataset, keeper

    @property
    def schema(self) -> Any:
        """The names and types of all columns."""
        return self._dataset.schema

    @cached_property
    def pieces(self) -> Sequence[Piece]:
        """The row groups of Parquet files, and other files whole."""
        parquet = load_pyarrow("pyarrow.dataset").ParquetFileFragment
        found: list[Piece] = []
        for fragment in self._dataset.get_fragments():
            if not isinstance(fragment, parquet):
                found.append(_FilePiece(fragment, self.schema, int(fragment.count_rows())))
                continue
            groups = fragment.split_by_row_group()
            found += [_FilePiece(group, self.schema, int(group.row_groups[0].num_rows)) for group in groups]
        return [piece for piece in found if piece.n_rows]
