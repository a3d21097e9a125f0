"""LIBSVM text files as sparse rows: read once, and kept as memory maps while they are used.

Columns count from 1, or from 0 if the files of a fit have a column 0; a model remembers which. A comment and what
follows `qid:` are skipped.
"""

import gzip
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from io import BytesIO
from itertools import chain
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
        with ExitStack() as opened:
            names = "values", "columns", "labels"
            files = [opened.enter_context((self._folder.path / name).open("wb")) for name in names]
            for rows, labels in chain.from_iterable(map(_chunks, paths)):
                stored = rows.data.astype(np.float64), rows.indices.astype(np.int32), labels.astype(np.float64)
                for file, array in zip(files, stored, strict=True):
                    file.write(array.tobytes())
                lengths.append(np.diff(rows.indptr).astype(np.int64))
                least = min(least, int(rows.indices.min(initial=least)))
                greatest = max(greatest, int(rows.indices.max(initial=greatest)))
        if greatest < 0:
            raise ValueError(f"{paths[0].name!r} must hold rows with values. Got none; write it again.")
        self.first, self._greatest, self._name = min(least, 1), greatest, paths[0].name
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

    def learn_schema(
        self, categorical_features: str | Sequence[str | int] | None, pool: LazyRows | None = None
    ) -> Schema:
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
        for lines in _lines(file):
            n_lines = lines.count(b"\n")
            try:
                rows, labels = load_svmlight_file(BytesIO(lines), n_features=_MAX_COLUMNS, zero_based=True)
            except (ValueError, OverflowError) as error:
                rule = "be a label and column:value pairs whose columns rise"
                found = f"an error in the {n_lines} lines after line {n_before} ({one_line(error)})"
                raise ValueError(f"Lines of {path.name!r} must {rule}. Got {found}; correct it.") from error
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
