"""LIBSVM text files as sparse rows: read once, and kept as memory maps while they are used.

Columns count from 1, or from 0 if the files of a fit have a column 0; a model remembers which. A comment and what
follows `qid:` are skipped.
"""

import gzip
from collections.abc import Iterator, Sequence
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from scipy.sparse import csr_array
from sklearn.datasets import load_svmlight_file

from s2auc.common.arrays import AnyArray
from s2auc.common.files import ScratchFolder
from s2auc.data.schema.schema import Schema
from s2auc.data.sources.source import RowSource
from s2auc.data.tables.lazy_table import LazyRows
from s2auc.data.tables.matrix_table import MatrixLazyRows
from s2auc.data.tables.pieces import one_line, readable

_CHUNK_BYTES = 2**24
_MAX_COLUMNS = 2**31 - 2


class SparseFile:
    """The rows of LIBSVM files, and their labels.

    Attributes
    ----------
    first
        The number of the first column: 0 if there is a column 0, else 1.
    labels
        The label of every row.
    """

    def __init__(self, paths: tuple[Path, ...]) -> None:
        self._folder = ScratchFolder()
        lengths, least, greatest = [np.zeros(1, dtype=np.int64)], _MAX_COLUMNS, -1
        files = {name: (self._folder.path / name).open("wb") for name in ("values", "columns", "labels")}
        try:
            for path in paths:
                for rows, labels in _chunks(path):
                    files["values"].write(rows.data.astype(np.float64).tobytes())
                    files["columns"].write(rows.indices.astype(np.int32).tobytes())
                    files["labels"].write(labels.astype(np.float64).tobytes())
                    lengths.append(np.diff(rows.indptr).astype(np.int64))
                    if rows.nnz:
                        least, greatest = min(least, int(rows.indices.min())), max(greatest, int(rows.indices.max()))
        finally:
            for file in files.values():
                file.close()
        if greatest < 0:
            raise ValueError(f"{paths[0].name!r} must hold rows with values. Got none; write it anew.")
        self.first, self._greatest, self._name = min(least, 1), greatest, paths[0].name
        starts = np.cumsum(np.concatenate(lengths))
        self._starts = starts.astype(np.int32) if starts[-1] < 2**31 else starts
        self.labels = self._mapped("labels", np.float64)

    @property
    def n_columns(self) -> int:
        """Number of columns, if the files tell the number of the first."""
        return self._greatest + 1 - self.first

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
            raise ValueError(
                f"Columns of {self._name!r} must count from 1, as they did when the model was fitted. Got a column 0; "
                "add one to all column numbers, or remove those of column 0."
            )
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

    def _mapped(self, name: str, dtype: Any, mode: Any = "r") -> AnyArray:
        return np.memmap(self._folder.path / name, dtype=dtype, mode=mode)


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

    def learn_schema(
        self, categorical_features: str | Sequence[str | int] | None, pool: LazyRows | None = None
    ) -> Schema:
        """Return what the columns mean, and the number of the first."""
        return replace(super().learn_schema(categorical_features, pool), first_number=self._file.first)

    def open(self, schema: Schema, display_name: str = "X") -> RowSource:
        """Return the rows by the columns that a schema knows, numbered as when they were learnt."""
        return MatrixLazyRows(self._file.matrix(schema.first_number, schema.n_columns), keeper=self._file).open(
            schema, display_name
        )


def _chunks(path: Path) -> Iterator[tuple[Any, AnyArray]]:
    """Yield rows and labels, some at a time."""
    opening: Any = gzip.open if path.suffix.lower() == ".gz" else open
    n_before = 0
    with readable(path.name, "LIBSVM"), opening(path, "rb") as file:
        for lines in _lines(file):
            n_lines = lines.count(b"\n")
            try:
                rows, labels = load_svmlight_file(BytesIO(lines), n_features=_MAX_COLUMNS, zero_based=True)
            except (ValueError, OverflowError) as error:
                raise ValueError(
                    f"Lines of {path.name!r} must be a label and column:value pairs whose columns rise. Got an error "
                    f"in the {n_lines} lines after line {n_before} "
                    f"({one_line(error)}); correct it."
                ) from error
            n_before += n_lines
            yield rows, labels


def _lines(file: BinaryIO) -> Iterator[bytes]:
    """Yield whole lines, many at a time."""
    rest = b""
    while block := file.read(_CHUNK_BYTES):
        head, newline, tail = (rest + block).rpartition(b"\n")
        if newline:
            yield head + newline
        rest = tail
    if rest.strip():
        yield rest + b"\n"
