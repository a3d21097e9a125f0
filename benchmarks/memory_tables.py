"""Tables that the benchmarks of memory and of Dask read: Parquet files of many rows, most of them without a label."""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from pyarrow.parquet import ParquetWriter

from s2auc.common.storage.files import whole_file
from s2auc.data.features.scaling import ColumnScaling
from s2auc.data.schema.schema import Schema
from s2auc.models.model import Model
from s2auc.models.parts.cosine import CosinePart

N_COLUMNS, N_LABELED, LABEL = 18, 200, "label"
NAMES = tuple(f"x{number}" for number in range(N_COLUMNS))
ROW_GROUP = 2**20
"""Rows of a row group, as pyarrow writes them unless told otherwise."""

PIECE_ROWS = 5_000_000
"""Rows of a file, at most, where a table is written in pieces."""


def make_table(path: Path, n_rows: int, seed: int, n_labeled: int = N_LABELED) -> None:
    """Write a table, row group by row group; a file that is there is left as it is."""
    if path.exists():
        return
    labeled = np.random.default_rng([seed, 0]).choice(n_rows, size=min(n_labeled, n_rows), replace=False)
    fields = [*((name, pa.float32()) for name in NAMES), (LABEL, pa.int8())]
    with whole_file(path) as file, ParquetWriter(file, pa.schema(fields), compression="none") as writer:
        for first in range(0, n_rows, ROW_GROUP):
            size = min(ROW_GROUP, n_rows - first)
            rows = np.random.default_rng([seed, 1, first]).normal(size=(N_COLUMNS, size)).astype(np.float32)
            is_labeled = np.isin(np.arange(first, first + size), labeled)
            labels = pa.array(rows[0] + rows[1] * rows[2] > 0, mask=~is_labeled).cast(pa.int8())
            writer.write_table(pa.table([*rows, labels], names=[*NAMES, LABEL]), row_group_size=ROW_GROUP)


def make_folder(folder: Path, n_rows: int, seed: int) -> None:
    """Write a table in pieces, one file each; those that are there are left as they are."""
    folder.mkdir(parents=True, exist_ok=True)
    n_pieces = -(-n_rows // PIECE_ROWS)
    ends = [n_rows * piece // n_pieces for piece in range(n_pieces + 1)]
    shares = [N_LABELED * piece // n_pieces for piece in range(n_pieces + 1)]
    for piece in range(n_pieces):
        size, n_labeled = ends[piece + 1] - ends[piece], shares[piece + 1] - shares[piece]
        make_table(folder / f"{piece:05d}.parquet", size, seed + piece, n_labeled)


def model_of_frequencies(n_frequencies: int, seed: int) -> Model:
    """Return a model of so many frequencies over these columns, with the record that a fit would leave."""
    coefficients = np.random.default_rng(seed).normal(size=(2, n_frequencies))
    columns = ColumnScaling(np.zeros(N_COLUMNS), np.ones(N_COLUMNS))
    part = CosinePart(columns, "gaussian", 1.0 / N_COLUMNS, seed, *coefficients)
    usual: dict[str, Any] = {"kind": "numbers", "n_missing": 0, "mean": 0.0, "deviation": 1.0, "low": -5.0, "high": 5.0}
    record = {"columns": [{"name": name} | usual for name in NAMES], "n_sampled": 20_200}
    return Model((part,), 0.0, np.array([0, 1]), Schema(N_COLUMNS, {}, NAMES), record=record)
