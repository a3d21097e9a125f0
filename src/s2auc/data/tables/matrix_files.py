"""Matrices in files as tables, all of them numbers: memory maps of NumPy, and sparse rows of LIBSVM text files.

LIBSVM files are read once, and kept as memory maps while they are used. Their columns count from 1, or from 0 if the
files of a fit have a column 0; a model remembers which. A comment and what follows `qid:` are skipped.
"""

import gzip
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from scipy.sparse import csr_array
from sklearn.datasets import load_svmlight_file

from s2auc.common.arrays import AnyArray, IndexArray, is_sparse
from s2auc.common.errors import InputError
from s2auc.common.lazy_modules import pa
from s2auc.common.messages import one_line
from s2auc.common.storage.files import ScratchFolder
from s2auc.common.storage.opened_files import OpenedFile
from s2auc.data.schema.schema import Schema
from s2auc.data.sources.matrix_rows import DenseRows, SparseRows
from s2auc.data.sources.rows import Rows, check_numeric
from s2auc.data.sources.source import Result, RowsOfAnother, RowSource
from s2auc.data.tables.lazy_table import NO_ROLES, CategoricalFeatures, LabelColumn, LazyRows
from s2auc.data.tables.paths import TableFiles
from s2auc.data.tables.pieces import ArrowColumns, Piece, PieceColumns, readable
from s2auc.data.tables.schema_learner import matrix_schema

_CHUNK_ROWS = 2**16
_CHUNK_BYTES, _MAX_LINE_BYTES = 2**24, 2**28
_MAX_COLUMNS = 2**31 - 2


def load_matrix(files: TableFiles) -> Any:
    """Return the memory map of a file of NumPy that holds a matrix of numbers."""
    if len(files.paths) > 1:
        raise ValueError(f"A table of NumPy must be one file. Got {len(files.paths)}; pass one of them.")
    name = files.paths[0].name
    try:
        matrix = np.load(files.paths[0], mmap_mode="r", allow_pickle=False)
        if not isinstance(matrix, np.ndarray):
            raise ValueError("an archive of arrays")
    except (ValueError, EOFError) as error:
        raise ValueError(f"{name!r} must be a numeric .npy file. Got another; save it again.") from error
    if matrix.ndim != 2:
        raise ValueError(f"{name!r} must hold a matrix. Got an array of shape {matrix.shape}; reshape it.")
    check_numeric(matrix.dtype, repr(name))
    return matrix


class MatrixLazyRows(LazyRows):
    """Columns of a matrix, which have no names and mean what those of an array mean: none is left out.

    Parameters
    ----------
    matrix
        A memory map, or a CSR matrix.
    places
        Numbers of the columns that are read, in their order; None for all.
    keeper
        Something that must live as long as the matrix is used, such as the files behind it.
    roles
        As for all lazy rows.
    file
        The file of a memory map.
    """

    def __init__(
        self,
        matrix: Any,
        places: Sequence[int] | None = None,
        keeper: object = None,
        roles: Mapping[str, str] = NO_ROLES,
        file: OpenedFile | None = None,
    ) -> None:
        self._matrix, self._places, self._keeper, self.roles, self._opened = matrix, places, keeper, roles, file
        self.n_rows, self.n_columns = int(matrix.shape[0]), int(matrix.shape[1]) if places is None else len(places)

    def learn_schema(self, categorical_features: CategoricalFeatures, pool: LazyRows | None = None) -> Schema:
        """Return what the columns mean."""
        return matrix_schema(self.n_columns, categorical_features)

    def __repr__(self) -> str:
        if is_sparse(self._matrix):
            return f"{self.n_rows:,} sparse rows, {self.n_columns} columns"
        return f"{self.n_rows:,} rows, {self.n_columns} columns of {self._matrix.dtype}"

    def open(self, schema: Schema, display_name: str = "X") -> RowSource:
        """Return the rows by the columns that a schema knows, which go by their place."""
        if schema.of_matrix(np.zeros((0, self.n_columns)), display_name).shape[1] != self.n_columns:
            chosen = schema.source_places if self._places is None else [self._places[k] for k in schema.source_places]
            return MatrixLazyRows(self._matrix, chosen, self._keeper, file=self._opened).open(schema, display_name)
        if is_sparse(self._matrix):
            return SparseRows(self._matrix, schema)
        rows = DenseRows(self._matrix, schema, self._places)
        return rows if self._opened is None else _MappedRows(rows, self._opened)


class _MappedRows(RowsOfAnother):
    """Rows of a memory map, whose file must stay as it is."""

    def __init__(self, source: RowSource, file: OpenedFile) -> None:
        super().__init__(source)
        self._file = file

    def gather(self, numbers: IndexArray) -> Rows:
        """Return the rows with these numbers."""
        rows = self.source.gather(numbers)
        self._file.check()
        return rows

    def map_chunks(self, work: Callable[[Rows, int], Result], chunk_rows: int) -> Iterator[Result]:
        """Yield work(rows, number of the first of them), in order."""
        return self._file.reading(super().map_chunks(work, chunk_rows))


class ArrayLabels(LabelColumn):
    """Labels of an array or a memory map, or of a column of one."""

    def __init__(self, values: Any) -> None:
        self._values, self.n_rows = values, len(values)

    def chunks(self) -> Iterator[AnyArray]:
        """Yield the labels in order, some at a time."""
        for first in range(0, self.n_rows, _CHUNK_ROWS):
            yield np.array(self._values[first : first + _CHUNK_ROWS])


class _MatrixPiece(Piece):
    def __init__(self, matrix: Any, file: OpenedFile) -> None:
        self._matrix, self._file, self.n_rows = matrix, file, int(matrix.shape[0])

    def batches(self, names: Sequence[str], batch_rows: int) -> Iterator[Any]:
        return self._file.reading(self._batches(names, batch_rows))

    def _batches(self, names: Sequence[str], batch_rows: int) -> Iterator[Any]:
        for first in range(0, self.n_rows, batch_rows):
            rows = np.array(self._matrix[first : first + batch_rows])
            arrays = [pa.array(np.ascontiguousarray(rows[:, int(name)])) for name in names]
            yield pa.RecordBatch.from_arrays(arrays, names=list(names))


def matrix_columns(matrix: Any, file: OpenedFile) -> ArrowColumns:
    """Return the columns of a memory map by their numbers, as text, for whoever wants them as they are."""
    arrow_type = pa.from_numpy_dtype(matrix.dtype)
    schema = pa.schema([(str(place), arrow_type) for place in range(matrix.shape[1])])
    return PieceColumns(schema, [_MatrixPiece(matrix, file)] if matrix.shape[0] else [])


class SparseFile:
    """The rows of LIBSVM files, and their labels.

    Attributes
    ----------
    first
        The number of the first column: 0 if there is a column 0, else 1.
    labels
        The label of every row.
    """

    def __init__(self, files: TableFiles) -> None:
        self._folder = ScratchFolder()
        lengths, least, greatest = [np.zeros(1, dtype=np.int64)], _MAX_COLUMNS, -1
        with ExitStack() as opened:
            names = "values", "columns", "labels"
            targets = [opened.enter_context((self._folder.path / name).open("wb")) for name in names]
            chunks = [file.reading(_chunks(path)) for path, file in zip(files.paths, files.opened, strict=True)]
            for rows, labels in chain.from_iterable(chunks):
                stored = rows.data.astype(np.float64), rows.indices.astype(np.int32), labels.astype(np.float64)
                for target, array in zip(targets, stored, strict=True):
                    target.write(array.tobytes())
                lengths.append(np.diff(rows.indptr).astype(np.int64))
                least = min(least, int(rows.indices.min(initial=least)))
                greatest = max(greatest, int(rows.indices.max(initial=greatest)))
        if greatest < 0:
            raise ValueError(f"{files.paths[0].name!r} must hold rows with values. Got none; write it again.")
        self.first, self._greatest, self._name = min(least, 1), greatest, files.paths[0].name
        starts = np.cumsum(np.concatenate(lengths))
        self._starts = starts.astype(np.int32) if starts[-1] < 2**31 else starts
        self.labels = self._mapped("labels", np.float64)

    def matrix(self, first: int | None = None, n_columns: int = 0) -> Any:
        """Return the rows as a CSR matrix of memory maps.

        Parameters
        ----------
        first
            The number of the first column, as the files of a fit had it; None for what these files tell.
        n_columns
            How many columns there are at least; those that the files do not mention are zero.
        """
        first = self.first if first is None else first
        if first > self.first:
            rule = "count from 1, as they did when the model was fitted"
            fix = "add one to all column numbers, or remove those of column 0"
            raise ValueError(f"Columns of {self._name!r} must {rule}. Got a column 0; {fix}.")
        columns = self._columns_from(first)
        shape = len(self._starts) - 1, max(self._greatest + 1 - first, n_columns)
        return csr_array((self._mapped("values", np.float64), columns, self._starts), shape=shape)

    def _columns_from(self, first: int) -> AnyArray:
        """Return the numbers of columns from 0, given that of the first."""
        if first == 0:
            return self._mapped("columns", np.int32)
        if not (self._folder.path / "shifted").exists():
            numbers = self._mapped("columns", np.int32)
            with (self._folder.path / "shifted").open("wb") as file:
                for start in range(0, len(numbers), _CHUNK_BYTES):
                    file.write((numbers[start : start + _CHUNK_BYTES] - 1).tobytes())
        return self._mapped("shifted", np.int32)

    def _mapped(self, name: str, dtype: Any) -> AnyArray:
        return np.memmap(self._folder.path / name, dtype=dtype, mode="r")


class SparseFileRows(MatrixLazyRows):
    """The columns of LIBSVM files, numbered from 0 or 1 as in the files of the fit.

    Parameters
    ----------
    file
        The files.
    """

    def __init__(self, file: SparseFile) -> None:
        super().__init__(file.matrix())
        self._file = file

    def learn_schema(self, categorical_features: CategoricalFeatures, pool: LazyRows | None = None) -> Schema:
        """Return what the columns mean, and the number of the first."""
        return replace(super().learn_schema(categorical_features, pool), first_number=self._file.first)

    def open(self, schema: Schema, display_name: str = "X") -> RowSource:
        """Return the rows by the columns that a schema knows, numbered as when they were learnt."""
        matrix = self._file.matrix(schema.first_number, schema.n_columns)
        return MatrixLazyRows(matrix, keeper=self._file).open(schema, display_name)


def _chunks(path: Path) -> Iterator[tuple[Any, AnyArray]]:
    """Yield rows and labels, some at a time."""
    opening: Any = gzip.open if path.suffix.lower() == ".gz" else open
    n_before = 0
    with readable(path.name, "LIBSVM"), opening(path, "rb") as file:
        for lines in _lines(file, path.name):
            n_lines = lines.count(b"\n")
            try:
                rows, labels = load_svmlight_file(BytesIO(lines), n_features=_MAX_COLUMNS, zero_based=True)
            except (ValueError, OverflowError) as error:
                rule = "be a label and column:value pairs whose columns rise"
                found = f"an error in the {n_lines} lines after line {n_before} ({one_line(error)})"
                raise ValueError(f"Lines of {path.name!r} must {rule}. Got {found}; correct it.") from error
            n_before += n_lines
            yield rows, labels


def _lines(file: BinaryIO, name: str) -> Iterator[bytes]:
    """Yield whole lines, many at a time; an InputError if one is longer than any should be."""
    rest = b""
    while block := file.read(_CHUNK_BYTES):
        head, newline, tail = (rest + block).rpartition(b"\n")
        if newline:
            yield head + newline
        rest = tail
        if len(rest) > _MAX_LINE_BYTES:
            rule, fix = f"have at most {_MAX_LINE_BYTES:,} bytes", "end every row with a line break"
            raise InputError(rule, subject="Lines of {file}", file=repr(name), found="more in one of them", fix=fix)
    if rest.strip():
        yield rest + b"\n"
