"""One table in every form that `open_table` takes."""

import csv
import datetime as dt
import json
import sqlite3
from contextlib import closing

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.feather as feather
import pyarrow.orc as orc
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


def spelled(frame):
    """Return a frame whose numbers are those of Python, for formats that know no others."""
    return frame.assign(weight=frame["weight"].astype(np.float64))


def excel_file(frame, folder):
    spelled(frame).to_excel(folder / "rows.xlsx", index=False)
    return folder / "rows.xlsx"


def plain(frame):
    """Return rows of Python's own values, None where one is missing, moments as text."""
    cells = spelled(frame).assign(signed=frame["signed"].astype("str")).astype(object)
    return cells.where(frame.notna(), None).to_dict("records")


def json_lines(frame, folder):
    (folder / "rows.jsonl").write_text("\n".join(map(json.dumps, plain(frame))))
    return folder / "rows.jsonl"


def json_array(frame, folder):
    (folder / "rows.json").write_text(json.dumps(plain(frame)))
    return folder / "rows.json"


def sqlite_file(frame, folder):
    with closing(sqlite3.connect(folder / "rows.sqlite")) as database:
        cells = pd.DataFrame(plain(frame)).assign(member=frame["member"].astype("str").str.lower())
        cells.to_sql("claims", database, index=False)
    return folder / "rows.sqlite"


def duckdb_file(frame, folder):
    with duckdb.connect(folder / "rows.duckdb") as database:
        database.register("given", to_arrow(frame))
        database.execute("CREATE TABLE claims AS SELECT * FROM given")
    return folder / "rows.duckdb"


def orc_file(frame, folder):
    orc.write_table(to_arrow(frame), str(folder / "rows.orc"))
    return folder / "rows.orc"


SOURCES = {
    "csv": text_file(".csv"),
    "csv in UTF-16": text_file(".csv", encoding="utf-16"),
    "excel": excel_file,
    "json lines": json_lines,
    "json": json_array,
    "sqlite": sqlite_file,
    "duckdb": duckdb_file,
    "orc": orc_file,
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

TEXT_SOURCES = "excel", "json lines", "json", "sqlite"
"""Other sources whose columns are text, with booleans in lower case."""

SPELLED_MISSING = {
    "csv": "",
    "csv in UTF-16": "",
    "csv of missing words": "NA",
    "csv of semicolons": "",
    "tsv": "",
    "tsv.gz": "null",
}
"""How a missing value stands in the text files."""
