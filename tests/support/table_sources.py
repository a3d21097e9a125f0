"""One table in every form that `open_table` takes."""

import csv
import datetime as dt

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.feather as feather
import pyarrow.parquet as pq

N_ROWS = 211


def make_frame(n_rows=N_ROWS, seed=0):
    """Return columns of many types, with missing values in most of them."""
    rng = np.random.default_rng(seed)
    start = dt.datetime(2023, 1, 1)
    moments = [start + dt.timedelta(seconds=int(s)) for s in rng.integers(0, 10**8, n_rows)]
    frame = pd.DataFrame(
        {
            "height": rng.normal(size=n_rows),
            "weight": rng.normal(size=n_rows).astype(np.float32),
            "age": rng.integers(18, 40, n_rows),
            "city": rng.choice(["Rome", "Oslo", "Lima, Peru", "Ürümqi"], n_rows),
            "member": rng.random(n_rows) < 0.3,
            "signed": np.array(moments, dtype="datetime64[us]"),
            "fraud": rng.integers(0, 2, n_rows).astype(np.float64),
        }
    )
    frame.loc[rng.random(n_rows) < 0.1, ["height", "weight"]] = np.nan
    frame["city"] = frame["city"].where(rng.random(n_rows) > 0.1)
    frame["signed"] = frame["signed"].where(rng.random(n_rows) > 0.1)
    frame.loc[rng.random(n_rows) < 0.8, "fraud"] = np.nan
    return frame


def to_arrow(frame):
    return pa.Table.from_pandas(frame, preserve_index=False)


def parquet_file(frame, folder):
    pq.write_table(to_arrow(frame), folder / "rows.parquet", row_group_size=50)
    return folder / "rows.parquet"


def parquet_folder(frame, folder):
    (folder / "parts").mkdir()
    (folder / "parts" / "_SUCCESS").touch()
    for part, first in enumerate(range(0, len(frame), 80)):
        rows = to_arrow(frame.iloc[first : first + 80])
        pq.write_table(rows, folder / "parts" / f"{part}.parquet", row_group_size=33)
    return folder / "parts"


def feather_file(frame, folder):
    feather.write_feather(to_arrow(frame), str(folder / "rows.feather"), chunksize=64)
    return str(folder / "rows.feather")


def dictionaries(frame, folder):
    """Return a table whose parts have other dictionaries, in the order in which values occur."""
    table = to_arrow(frame)
    place = table.schema.get_field_index("city")
    parts = []
    for first in range(0, len(frame), 60):
        part = table.slice(first, 60).combine_chunks()
        parts.append(part.set_column(place, "city", part["city"].combine_chunks().dictionary_encode()))
    return pa.concat_tables(parts)


def text_file(ending, **options):
    """Return how to write a text file, from which every number can be read as it was."""

    def write(frame, folder):
        whole = frame.assign(
            weight=frame["weight"].astype(np.float64),
            fraud=frame["fraud"].map(lambda label: "" if np.isnan(label) else f"{label:.1f}"),
        )
        whole.to_csv(folder / f"rows{ending}", index=False, **options)
        return folder / f"rows{ending}"

    return write


SOURCES = {
    "csv": text_file(".csv"),
    "csv of missing words": text_file(".csv", na_rep="NA", encoding="utf-8-sig", quoting=csv.QUOTE_NONNUMERIC),
    "csv of semicolons": text_file(".csv.gz", sep=";"),
    "tsv": text_file(".tsv", sep="\t"),
    "tsv.gz": text_file(".tsv.gz", sep="\t", na_rep="null"),
    "parquet": parquet_file,
    "parquet folder": parquet_folder,
    "parquet pattern": lambda frame, folder: str(parquet_folder(frame, folder) / "*.parquet"),
    "parquet list": lambda frame, folder: sorted(parquet_folder(frame, folder).glob("*.parquet")),
    "feather": feather_file,
    "arrow table": lambda frame, folder: to_arrow(frame),
    "arrow batches": lambda frame, folder: pa.Table.from_batches(to_arrow(frame).to_batches(max_chunksize=17)),
    "arrow reader": lambda frame, folder: to_arrow(frame).to_reader(max_chunksize=30),
    "arrow dictionaries": dictionaries,
    "arrow dataset": lambda frame, folder: ds.dataset(parquet_folder(frame, folder)),
    "pandas": lambda frame, folder: frame,
    "pandas index": lambda frame, folder: frame.set_index(np.arange(len(frame))[::-1]),
    "polars": lambda frame, folder: pl.from_pandas(frame),
    "polars lazy": lambda frame, folder: pl.from_pandas(frame).lazy(),
}
"""How to make each of a pandas frame, in a folder if it needs one."""

SPELLED_MISSING = {"csv": "", "csv of missing words": "NA", "csv of semicolons": "", "tsv": "", "tsv.gz": "null"}
"""How a missing value stands in the text files."""
