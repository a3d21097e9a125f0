"""Columns of times as numbers that sort."""

from typing import Any

import numpy as np

from s2auc.common.arrays import FloatArray
from s2auc.common.errors import InputError
from s2auc.common.lazy_modules import pa, pc
from s2auc.data.schema.arrow_columns import decoded, is_plain_text
from s2auc.data.schema.column_names import short
from s2auc.data.schema.text_readings import TextProfile, read_text
from s2auc.data.tables.pieces import BATCH_ROWS
from s2auc.data.tables.table import Table


def read_times(table: Table, name: str) -> FloatArray:
    """Return a column of dates, times or numbers as numbers: the later the larger, minus infinity where it is blank.

    Raises
    ------
    ValueError
        If cells are text that no one spelling of times fits.

    Examples
    --------
    >>> from s2auc import open_table
    >>> read_times(open_table({"when": ["3.12.2025", "", "1.2.2026"]}), "when").argsort().tolist()
    [1, 0, 2]
    """
    cells = [decoded(batch.column(0)) for batch in table.batches([name], BATCH_ROWS)]
    if is_plain_text(cells[0].type):
        profile = TextProfile()
        for text in cells:
            profile.update(text)
        reading = profile.settle()
        if reading is None and not profile.is_empty:
            example = next(str(cell) for text in cells for cell in text.to_pylist() if cell)
            found, fix = f"text such as {short(example)}", "write times as 2026-12-31T18:00:00"
            raise InputError("hold times in one spelling", column=name, found=found, fix=fix)
        cells = [pa.nulls(len(text)) if reading is None else read_text(text, reading)[0] for text in cells]
    numbers = [_as_number(array) for array in cells]
    return np.concatenate(numbers)


def _as_number(array: Any) -> FloatArray:
    if pa.types.is_temporal(array.type) and not pa.types.is_duration(array.type):
        array = pc.cast(pc.cast(array, pa.timestamp("us"), safe=False), pa.int64())
    numbers = pc.cast(array, pa.float64(), safe=False).to_numpy(zero_copy_only=False)
    return np.asarray(np.nan_to_num(numbers, nan=-np.inf), dtype=np.float64)
