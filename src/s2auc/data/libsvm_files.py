"""LIBSVM text files as sparse rows: read once, and kept as memory maps while they are used.

Columns count from 1, or from 0 if a file has a column 0; a comment and what follows `qid:` are passed over.
"""

import gzip
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from scipy.sparse import csr_array
from sklearn.datasets import load_svmlight_file

from s2auc.common.arrays import AnyArray
from s2auc.common.scratch_folders import ScratchFolder
from s2auc.data.arrow_pieces import one_line, readable

_CHUNK_BYTES = 2**24
_MOST_COLUMNS = 2**31 - 2


class SparseFile:
    """The rows of LIBSVM files, and their labels.

    Attributes
    ----------
    matrix
        The rows: a CSR matrix of memory maps.
    labels
        Their labels.
    """

    def __init__(self, paths: tuple[Path, ...]) -> None:
        self._folder = ScratchFolder()
        lengths, least, greatest = [np.zeros(1, dtype=np.int64)], _MOST_COLUMNS, -1
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
        columns = self._mapped("columns", np.int32, "r+")
        if least > 0:
            columns -= 1
            greatest -= 1
        starts = np.cumsum(np.concatenate(lengths))
        starts = starts.astype(np.int32) if starts[-1] < 2**31 else starts
        self.labels = self._mapped("labels", np.float64)
        self.matrix: Any = csr_array(
            (self._mapped("values", np.float64), columns, starts), shape=(len(starts) - 1, greatest + 1)
        )

    def _mapped(self, name: str, dtype: Any, mode: Any = "r") -> AnyArray:
        return np.memmap(self._folder.path / name, dtype=dtype, mode=mode)


def _chunks(path: Path) -> Iterator[tuple[Any, AnyArray]]:
    """Yield rows and labels, some at a time."""
    opening: Any = gzip.open if path.suffix.lower() == ".gz" else open
    n_before = 0
    with readable(path.name, "LIBSVM"), opening(path, "rb") as file:
        for lines in _lines(file):
            n_lines = lines.count(b"\n")
            try:
                rows, labels = load_svmlight_file(BytesIO(lines), n_features=_MOST_COLUMNS, zero_based=True)
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
