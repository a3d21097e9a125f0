"""Rows of formats that Arrow does not read piece by piece: converted once, and kept in temporary Parquet files."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, time, timedelta
from itertools import groupby, islice
from pathlib import Path
from typing import Any

from s2auc.common.lazy_modules import pa, pq
from s2auc.common.storage.files import ScratchFolder
from s2auc.data.tables.paths import TableFiles
from s2auc.data.tables.pieces import ArrowColumns, open_files

BATCH_ROWS = 2**14
"""Rows that are converted together."""


def keep_batches(batches: Iterable[Any]) -> ArrowColumns:
    """Return the columns of record batches, which are written to a temporary folder that lives as long as these do.

    Columns may differ between batches: where one is absent, its values are missing.
    """
    folder, paths = ScratchFolder(), list[Path]()
    for schema, group in groupby(batches, lambda batch: batch.schema):
        paths.append(folder.path / f"{len(paths):06}.parquet")
        with pq.ParquetWriter(paths[-1], schema) as writer:
            for batch in group:
                writer.write_batch(batch)
    return open_files(TableFiles(tuple(paths), "parquet"), keeper=folder)


def text_batches(names: Sequence[str], rows: Iterable[Sequence[Any]]) -> Iterator[Any]:
    """Yield rows of any values as record batches of text, as a CSV file would hold them; at least one batch."""
    schema, rows = pa.schema([(name, pa.string()) for name in names]), iter(rows)
    part = list(islice(rows, BATCH_ROWS))
    while True:
        columns = zip(*part, strict=True) if part else [()] * len(names)
        arrays = [pa.array(map(as_text, column), pa.string()) for column in columns]
        yield pa.RecordBatch.from_arrays(arrays, schema=schema)
        part = list(islice(rows, BATCH_ROWS))
        if not part:
            return


def as_text(value: Any) -> str | None:
    """Return a value as a CSV file would hold it; None where it is missing.

    Examples
    --------
    >>> [as_text(value) for value in (3.0, 0.1, True, None, "yes", date(2024, 5, 1))]
    ['3', '0.1', 'true', None, 'yes', '2024-05-01']
    """
    if value is None or isinstance(value, str):
        return value or None
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        # Excel has no other numbers; beyond 2**53 not every whole number is one.
        return str(int(value)) if value.is_integer() and abs(value) < 2**53 else repr(value)
    if isinstance(value, datetime):
        return value.isoformat(" ") if value.time() != time() else value.date().isoformat()
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, timedelta):
        return repr(value.total_seconds())
    return str(value)
