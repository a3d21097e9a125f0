"""Readers of published files: LIBSVM, csv and tsv text block by block, plain or packed, and npz archives."""

import bz2
import gzip
import io
import lzma
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
from sklearn.datasets import load_svmlight_file

from s2auc.common.arrays import AnyArray, BoolArray
from s2auc.experiments.datasets.entries import DatasetRows, Float32Array, Format, PublishedFile, RawRows

#: Bytes of unpacked text that are parsed at a time.
BLOCK_BYTES = 8 * 2**20

_UNPACKERS: dict[str, Callable[[Any], Any]] = {".bz2": bz2.open, ".xz": lzma.open, ".gz": gzip.open}
_DAMAGE = (EOFError, lzma.LZMAError, zlib.error, zipfile.BadZipFile, OSError)


def read_blocks(path: Path, file: PublishedFile, n_columns: int) -> Iterator[DatasetRows]:
    """Yield ``(X, y)`` blocks of a published file in its order.

    Parameters
    ----------
    path
        The file on disk, packed as published or unpacked.
    file
        How the file is to be understood.
    n_columns
        Number of feature columns it must have.
    """
    parse = _PARSERS[file.format]
    n_seen = 0
    with _damage_explained(path):
        for stream in _streams(path, file):
            for text in _whole_lines(stream):
                X, labels = parse(text, _Place(path, file, n_columns, n_seen))
                _check_finite(X, path, n_seen)
                yield X, _positives(labels, path, file)
                n_seen += len(labels)
    if n_seen == 0:
        raise ValueError(f"The file {path} must hold rows of data but is empty; delete it and fetch it again.")


@dataclass(frozen=True)
class _Place:
    """Where a block comes from and what its rows must look like, for parsers and their errors."""

    path: Path
    file: PublishedFile
    n_columns: int
    n_seen: int

    def error(self, text: bytes, reason: object) -> ValueError:
        """Return the error for a block that does not parse."""
        if text.lstrip().startswith(b"<"):
            start = text.lstrip()[:40].decode("ascii", "replace").splitlines()[0]
            reason = f"it holds {start!r}, a web page instead of data"
        return ValueError(
            f"The file {self.path} must hold {self.file.format} rows of one label and {self.n_columns} "
            f"columns, but after row {self.n_seen:,}: {reason}; delete the file and fetch it again."
        )


def _parse_svmlight(text: bytes, place: _Place) -> tuple[Float32Array, AnyArray]:
    try:
        # Indices in LIBSVM files start at 1; guessing per block would shift blocks that lack low columns.
        sparse, labels = load_svmlight_file(
            io.BytesIO(text), n_features=place.n_columns, dtype=np.float32, zero_based=False
        )
    except (ValueError, IndexError) as error:
        raise place.error(text, error) from error
    return sparse.toarray(), labels


def _parse_delimited(text: bytes, place: _Place, delimiter: str | None) -> tuple[Float32Array, AnyArray]:
    try:
        table = np.loadtxt(
            io.BytesIO(text), dtype=np.float32, delimiter=delimiter, comments=None, ndmin=2, encoding="latin1"
        )
    except ValueError as error:
        # What numpy adds are rows counted within the block and advice on its own parameters.
        raise place.error(text, str(error).split(" at row ")[0]) from error
    if table.shape[1] != place.n_columns + 1:
        raise place.error(text, f"rows have {table.shape[1]} fields")
    label_column = place.file.label_column
    return np.delete(table, label_column, axis=1), table[:, label_column]


_PARSERS: dict[Format, Callable[[bytes, _Place], tuple[Float32Array, AnyArray]]] = {
    "svmlight": _parse_svmlight,
    "csv": lambda text, place: _parse_delimited(text, place, ","),
    "tsv": lambda text, place: _parse_delimited(text, place, None),
}


def _positives(labels: AnyArray, path: Path, file: PublishedFile) -> BoolArray:
    positive = np.isin(labels, file.positive)
    unknown = ~positive & ~np.isin(labels, file.negative)
    if unknown.any():
        known = ", ".join(str(label) for label in sorted((*file.positive, *file.negative)))
        raise ValueError(
            f"The labels in {path} must be among {known}. Got {labels[unknown][0]:g} instead; is it the right file?"
        )
    return positive


def _check_finite(X: Float32Array, path: Path, n_seen: int) -> None:
    places = np.argwhere(~np.isfinite(X))
    if len(places):
        row, column = places[0]
        raise ValueError(
            f"The values in {path} must be finite numbers, but row {n_seen + row:,} (counted from 0) holds "
            f"{X[row, column]}; delete the file and fetch it again."
        )


def _streams(path: Path, file: PublishedFile) -> Iterator[IO[bytes]]:
    """Yield the unpacked text of a file, or of its members one after another."""
    if path.suffix != ".zip":
        with path.open("rb") as stored, _unpacked(stored, path.name) as stream:
            yield stream
        return
    with zipfile.ZipFile(path) as archive:
        names = {Path(name).name: name for name in archive.namelist()}
        for member in file.members:
            if member not in names:
                raise ValueError(
                    f"The archive {path} must contain {member}, but holds {', '.join(names.values()) or 'nothing'}; "
                    "delete it and fetch it again."
                )
            with archive.open(names[member]) as packed, _unpacked(packed, member) as stream:
                yield stream


def _unpacked(stream: IO[bytes], name: str) -> Any:
    return _UNPACKERS.get(Path(name).suffix, nullcontext)(stream)


def _whole_lines(stream: IO[bytes]) -> Iterator[bytes]:
    """Yield pieces of text that end where lines end, without the blank ones."""
    while chunk := stream.read(BLOCK_BYTES):
        text = chunk + stream.readline()
        if text.strip():
            yield text


@contextmanager
def _damage_explained(path: Path) -> Iterator[None]:
    """Turn the many errors of unpacking into one sentence; leave errors of the operating system alone."""
    try:
        yield
    except _DAMAGE as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        raise ValueError(
            f"The file {path} must be a whole {path.suffix.removeprefix('.') or 'text'} file but is damaged "
            f"or cut short ({error}); delete it and fetch it again."
        ) from error


def read_archive(path: Path, n_columns: int) -> RawRows:
    """Return ``X`` as stored and ``y`` as booleans from an npz file.

    Parameters
    ----------
    path
        File with arrays ``X`` (rows of numbers) and ``y`` (1 or True for positive rows; 0, -1 or False for
        others). Pickled objects are never loaded.
    n_columns
        Number of columns that ``X`` must have.
    """
    X, y = _archive_arrays(path)
    if X.ndim != 2 or X.shape[1] != n_columns or len(X) == 0 or X.dtype.kind not in "buif":
        raise ValueError(
            f"The array X in {path} must hold rows of {n_columns} real numbers. Got shape {X.shape} and type "
            f"{X.dtype} instead; is it the right file?"
        )
    if X.dtype.kind == "f" and not (np.abs(X) <= np.finfo(np.float32).max).all():
        raise ValueError(
            f"The array X in {path} must be finite in float32 but holds NaN or too large a number; write the "
            "file again."
        )
    if y.shape != (len(X),):
        raise ValueError(
            f"The array y in {path} must hold one label for each of the {len(X):,} rows of X. Got shape "
            f"{y.shape} instead; write the file again."
        )
    values = set(np.unique(y).tolist()) if y.dtype.kind in "buif" else {str(y.dtype)}
    if not (values <= {0, 1} or values <= {-1, 1}):
        raise ValueError(
            f"The array y in {path} must hold 1 for positive rows and 0, or -1, for all others. Got "
            f"{', '.join(str(value) for value in sorted(values)[:5])} instead; write the file again."
        )
    return X, np.asarray(y == 1)


def _archive_arrays(path: Path) -> tuple[AnyArray, AnyArray]:
    try:
        if not zipfile.is_zipfile(path):
            raise ValueError("it is no zip archive")
        with np.load(path, allow_pickle=False) as stored:
            missing = {"X", "y"} - set(stored.files)
            if missing:
                raise ValueError(f"it lacks {' and '.join(sorted(missing))}")
            return stored["X"], stored["y"]
    except (ValueError, EOFError, KeyError, zipfile.BadZipFile, zlib.error) as error:
        raise ValueError(
            f"The file {path} must be an npz file with arrays X and y, but {error}; write it again with numpy.savez."
        ) from error
