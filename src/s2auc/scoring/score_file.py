"""Files of scores, by the ending of their name: written piece by piece, and whole or not at all."""

import io
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from gzip import GzipFile
from pathlib import Path
from types import MappingProxyType
from typing import Any, BinaryIO

from s2auc.common.errors import InputError
from s2auc.common.lazy_modules import pa, pacsv, pq
from s2auc.common.storage.files import unwritable, whole_file
from s2auc.scoring.dictionary_columns import growing_dictionaries

MADE_COLUMNS = "row", "score", "probability"
"""What columns that are not kept ones can be called; hardly a value of theirs comes twice."""

GZIP_LEVEL = 1
"""Numbers hardly get smaller with more effort."""


@dataclass(frozen=True)
class BatchWriter:
    """A writer of record batches: one of pyarrow's, with what happens to batches first.

    Attributes
    ----------
    writer
        The writer of pyarrow.
    prepare
        Returns what it is given in place of a batch.
    beneath
        A stream to close after it.
    """

    writer: Any
    prepare: Callable[[Any], Any]
    beneath: BinaryIO | None = None

    def write(self, batch: Any) -> None:
        """Write a record batch."""
        self.writer.write(self.prepare(batch))

    def close(self) -> None:
        """Write what comes at the end of the file; the file itself stays open."""
        self.writer.close()
        if self.beneath is not None:
            self.beneath.close()


def _write_parquet(sink: Any, schema: Any) -> BatchWriter:
    repeated = [name for name in schema.names if name not in MADE_COLUMNS]
    return BatchWriter(pq.ParquetWriter(sink, schema, use_dictionary=repeated), lambda batch: batch)


def _write_arrow(sink: Any, schema: Any) -> BatchWriter:
    writer = pa.ipc.new_file(sink, schema, options=pa.ipc.IpcWriteOptions(emit_dictionary_deltas=True))
    # A file can only add to the categories of a column, not replace them.
    return BatchWriter(writer, growing_dictionaries())


def _write_text(sink: Any, schema: Any, delimiter: str, *, is_zipped: bool = False) -> BatchWriter:
    is_coded = pa.types.is_dictionary
    plain = pa.schema([field.with_type(field.type.value_type) if is_coded(field.type) else field for field in schema])
    are_bytes = pa.types.is_binary, pa.types.is_large_binary, pa.types.is_fixed_size_binary
    if any(is_of_bytes(field.type) for field in plain for is_of_bytes in are_bytes):
        raise pa.ArrowInvalid("Bytes need not be text")
    # Neither the name nor the time goes into a zipped file: equal scores give equal files.
    zipped: Any = GzipFile("", "wb", GZIP_LEVEL, sink, mtime=0) if is_zipped else None
    writer = pacsv.CSVWriter(
        sink if zipped is None else zipped, plain, write_options=pacsv.WriteOptions(delimiter=delimiter)
    )
    return BatchWriter(writer, lambda batch: pa.Table.from_batches([batch]).cast(plain), zipped)


FORMATS: Mapping[str, Callable[[Any, Any], BatchWriter]] = MappingProxyType(
    {
        ".parquet": _write_parquet,
        ".feather": _write_arrow,
        ".arrow": _write_arrow,
        ".csv": partial(_write_text, delimiter=","),
        ".tsv": partial(_write_text, delimiter="\t"),
        ".csv.gz": partial(_write_text, delimiter=",", is_zipped=True),
        ".tsv.gz": partial(_write_text, delimiter="\t", is_zipped=True),
    }
)
"""Functions that begin a file, given where it is written to and its schema, by the ending of its name."""

STREAM_ENDING = ".csv"
"""How scores are written to a stream, which has no name."""


def check_ending(path: Path) -> str:
    """Return the ending of a path that says how to write the file.

    Raises
    ------
    ValueError
        If it says nothing.

    Examples
    --------
    >>> check_ending(Path("scores.v2.CSV.gz"))
    '.csv.gz'
    >>> check_ending(Path("scores.xlsx"))
    Traceback (most recent call last):
    ...
    s2auc.common.errors.InputError: path must end in .parquet, .feather, .arrow, .csv, .tsv, .csv.gz or .tsv.gz. Got \
'scores.xlsx'; choose one of these.
    """
    name = path.name.lower()
    for ending in sorted(FORMATS, key=len, reverse=True):
        if name.endswith(ending) and name != ending:
            return ending
    *most, last = FORMATS
    raise InputError(
        "end in {endings}",
        parameter="path",
        found=repr(path.name),
        fix="choose one of these",
        endings=f"{', '.join(most)} or {last}",
    )


def check_writable(schema: Any, ending: str) -> None:
    """Raise an InputError that names the first kept column whose type no such file can hold."""
    for field in schema:
        alone = pa.schema([field])
        row = pa.RecordBatch.from_arrays([pa.nulls(1, field.type)], schema=alone)
        try:
            writer = FORMATS[ending](io.BytesIO(), alone)
            writer.write(row)
            writer.close()
        except pa.ArrowException as error:
            raise InputError(
                "have a type that a {ending} file can hold",
                column=field.name,
                found=str(field.type),
                fix="leave it out of {keep}, or write a .feather file",
                ending=ending,
            ) from error


def score_stream(stream: BinaryIO, schema: Any) -> AbstractContextManager[BatchWriter]:
    """Write record batches to a stream as they come; it is left open, and nothing more is written after an error."""
    return _closed_well(_Sink(stream), STREAM_ENDING, schema)


@contextmanager
def score_file(target: Path, schema: Any) -> Iterator[BatchWriter]:
    """Open a file of record batches to write to, which takes the target's place where the block ends well.

    Raises
    ------
    OSError
        If the file cannot be written, in one sentence; what stood in its place before is still there.
    """
    is_inside = False
    try:
        with whole_file(target) as file:
            is_inside = True
            with _closed_well(_Sink(file, target), check_ending(target), schema) as writer:
                yield writer
            is_inside = False
    except OSError as error:
        if is_inside:  # has been told, or has to do with something else
            raise
        raise _cannot_write(target, error) from error


@contextmanager
def _closed_well(sink: "_Sink", ending: str, schema: Any) -> Iterator[BatchWriter]:
    """Make a writer and close it; after an error its last words are not heard."""
    writer = FORMATS[ending](sink, schema)
    try:
        yield writer
        writer.close()
    except BaseException:
        sink.is_dead = True
        with suppress(Exception):
            writer.close()
        raise


class _Sink(io.RawIOBase):
    """A file for libraries to write to: what fails is told in one sentence, and after a failure nothing is written.

    Of a stream, which has no path, it is told as it comes.
    """

    def __init__(self, file: BinaryIO, target: Path | None = None) -> None:
        super().__init__()
        self._file, self._target, self.is_dead = file, target, False

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        # Libraries write once more when they are closed, or forgotten.
        if not self.is_dead:
            try:
                left = memoryview(data)
                while left.nbytes:
                    # Raw streams may take less than they are given, and tell how much; others need not tell.
                    taken = self._file.write(left)
                    left = left[left.nbytes if taken is None else taken :]
            except OSError as error:
                self.is_dead = True
                if self._target is None:
                    raise
                raise _cannot_write(self._target, error) from error
        return len(data)


def _cannot_write(target: Path, error: OSError) -> OSError:
    return unwritable("write the scores", target, error, "make room there or choose another path")
