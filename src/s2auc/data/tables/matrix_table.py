"""Matrices in files as tables: the columns of NumPy's memory maps, and sparse rows, all of them numbers."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from s2auc.common.arrays import AnyArray, is_sparse
from s2auc.common.lazy_modules import pa
from s2auc.data.schema.schema import Schema
from s2auc.data.sources.matrix_rows import DenseRows, SparseRows
from s2auc.data.sources.rows import check_numeric
from s2auc.data.sources.source import RowSource
from s2auc.data.tables.lazy_table import NO_ROLES, LabelColumn, LazyRows
from s2auc.data.tables.paths import TableFiles
from s2auc.data.tables.pieces import ArrowColumns, Piece, PieceColumns
from s2auc.data.tables.schema_learner import matrix_schema

_CHUNK_ROWS = 2**16


def load_matrix(files: TableFiles) -> Any:
    """Return the memory map of a file of NumPy that holds a matrix of numbers."""
    if len(files.paths) > 1:
        raise ValueError(f"A table of NumPy must be one file. Got {len(files.paths)}; pass one of them.")
    name = files.paths[0].name
    try:
        matrix = np.load(files.paths[0], mmap_mode="r", allow_pickle=False)
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
    """

    def __init__(
        self,
        matrix: Any,
        places: Sequence[int] | None = None,
        keeper: object = None,
        roles: Mapping[str, str] = NO_ROLES,
    ) -> None:
        self._matrix, self._places, self._keeper, self.roles = matrix, places, keeper, roles
        self.n_rows, self.n_columns = int(matrix.shape[0]), int(matrix.shape[1]) if places is None else len(places)

    def learn_schema(
        self,
        categorical_features: str | Sequence[str | int] | None,
        pool: LazyRows | None = None,  # noqa: ARG002 numbers mean the same in any table
    ) -> Schema:
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
            return MatrixLazyRows(self._matrix, chosen, self._keeper).open(schema, display_name)
        if is_sparse(self._matrix):
            return SparseRows(self._matrix, schema)
        return DenseRows(self._matrix, schema, self._places)


class ArrayLabels(LabelColumn):
    """Labels of an array or a memory map, or of a column of one."""

    def __init__(self, values: Any) -> None:
        self._values, self.n_rows = values, len(values)

    def chunks(self) -> Iterator[AnyArray]:
        """Yield the labels in order, some at a time."""
        for first in range(0, self.n_rows, _CHUNK_ROWS):
            yield np.array(self._values[first : first + _CHUNK_ROWS])


class _MatrixPiece(Piece):
    def __init__(self, matrix: Any) -> None:
        self._matrix, self.n_rows = matrix, int(matrix.shape[0])

    def batches(self, names: Sequence[str], batch_rows: int) -> Iterator[Any]:
        for first in range(0, self.n_rows, batch_rows):
            rows = np.array(self._matrix[first : first + batch_rows])
            arrays = [pa.array(np.ascontiguousarray(rows[:, int(name)])) for name in names]
            yield pa.RecordBatch.from_arrays(arrays, names=list(names))


def matrix_columns(matrix: Any) -> ArrowColumns:
    """Return the columns of a dense matrix by their numbers, as text, for whoever wants them as they are."""
    arrow_type = pa.from_numpy_dtype(matrix.dtype)
    schema = pa.schema([(str(place), arrow_type) for place in range(matrix.shape[1])])
    return PieceColumns(schema, [_MatrixPiece(matrix)] if matrix.shape[0] else [])
