"""The same table in every format and encoding, read by the options of the command line: same columns, same scores."""

import io
import json
import sqlite3
import sys
import warnings
from contextlib import closing

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.orc as orc
import pyarrow.parquet as pq
import pytest

from s2auc import fit_table, open_table

N_ROWS = 240
MAX_DIFFERENCE = 1e-6
"""Of scores, as a share of their spread."""


def customers(rng):
    """A telephone company: blanks among numbers, row numbers without a name, words that mean yes and no."""
    months = rng.integers(0, 72, N_ROWS)
    charges = rng.lognormal(4, 0.5, N_ROWS).round(2)
    return {
        "": range(N_ROWS),
        "customer": [f"{place * 37 % 9000:04}-QX" for place in range(N_ROWS)],
        "months ": months,
        "charges": charges,
        "total": [" " if m == 0 else f"{m * c:.2f}" for m, c in zip(months, charges, strict=True)],
        "contract": rng.choice(["Monthly", "One year", "Two years, paid"], N_ROWS),
        "senior": rng.integers(0, 2, N_ROWS),
        "churn": np.where(charges / 90 - months / 40 + rng.normal(size=N_ROWS) > 0, "left", "stayed"),
    }, "left"


def stations(rng):
    """Air: dates with the day first, times with dots, letters that are not English, missing numbers, long fractions."""
    days = pd.Timestamp("2004-03-10") + pd.to_timedelta(rng.integers(0, 300 * 24, N_ROWS), unit="h")
    smoke = rng.lognormal(2, 1, N_ROWS)
    return {
        "Straße": rng.choice(["Nuñez", "Zürich", "São Luís", "Åre"], N_ROWS),
        "date": days.strftime("%d/%m/%Y"),
        "time": days.strftime("%H.%M.%S"),
        "measured": days.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "smoke": smoke,
        "gas": [
            "" if place % 9 == 4 else f"{value:.4e}" for place, value in enumerate(smoke * rng.normal(1, 0.2, N_ROWS))
        ],
        "valid": np.where(rng.random(N_ROWS) < 0.7, "true", "false"),
        "high": (smoke > np.quantile(smoke, 0.7)).astype(int),
    }, "1"


def wines(rng):
    """Grades as labels, whole numbers and fractions, a constant column, quotes and line breaks in text."""
    alcohol = rng.normal(10, 1.2, N_ROWS).round(1)
    notes = ['dry, "fresh"', "sweet\nripe", "oak; smoke", "5 | 6"]
    return {
        "alcohol": alcohol,
        "sulphur": rng.integers(5, 120, N_ROWS),
        "note": rng.choice(notes, N_ROWS),
        "country": ["PT"] * N_ROWS,
        "grade": np.clip((alcohol - 4 + rng.normal(size=N_ROWS)).round(), 3, 9).astype(int),
    }, ">=7"


TABLES = {"customers": customers, "stations": stations, "wines": wines}


@pytest.fixture(scope="module", params=TABLES)
def table(request, tmp_path_factory):
    """A folder, the cells as text with labels in a few rows, the same in types, label and what is positive in it."""
    columns, positive = TABLES[request.param](np.random.default_rng(5))
    cells = pd.DataFrame({name: pd.Series(list(column)).astype(str) for name, column in columns.items()}, dtype=object)
    label = cells.columns[-1]
    cells.loc[np.random.default_rng(6).choice(N_ROWS, N_ROWS - 90, replace=False), label] = ""
    folder = tmp_path_factory.mktemp(request.param)
    cells.to_csv(folder / "rows.csv", index=False)
    typed = pd.read_csv(folder / "rows.csv", keep_default_na=False, na_values=[""])
    typed.columns = cells.columns
    return folder, cells, typed, label, positive, scores_of(folder / "rows.csv", label, positive)


def scores_of(where, label, positive, **reading):
    """Return the columns and the scores of a model fitted to a table."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        opened = open_table(where, **reading)
        ranker = fit_table(opened, label, positive=positive, tune=False).ranker
        return ranker.model_.schema, ranker.decision_function(opened)


def text(encoding, separator=","):
    def write(folder, cells, typed):
        path = folder / f"{encoding}{ord(separator)}.csv"
        path.write_bytes(cells.to_csv(None, index=False, sep=separator, lineterminator="\n").encode(encoding))
        return path

    return write


def workbook(folder, cells, typed):
    typed.to_excel(folder / "rows.xlsx", sheet_name="May", index=False)
    return folder / "rows.xlsx"


def json_of(records, ending, dump):
    def write(folder, cells, typed):
        path = folder / f"rows.{ending}"
        path.write_text(dump([dict(row) for row in records(cells, typed)]), encoding="utf-8")
        return path

    return write


def records_of_types(cells, typed):
    rows = typed.astype(object).where(typed.notna(), None).to_dict("records")
    return [{name: getattr(value, "item", lambda value=value: value)() for name, value in row.items()} for row in rows]


def sqlite_file(folder, cells, typed):
    # SQLite has no booleans: as 0 and 1 they would be numbers.
    typed = named(typed).map(lambda cell: str(cell).lower() if isinstance(cell, bool) else cell)
    with closing(sqlite3.connect(folder / "rows.sqlite")) as opened:
        typed.to_sql("one", opened, index=False, if_exists="replace")
        typed[:0].to_sql("two", opened, index=False, if_exists="replace")
    return folder / "rows.sqlite"


def duckdb_file(folder, cells, typed):
    path = folder / "rows.duckdb"
    path.unlink(missing_ok=True)
    with duckdb.connect(path) as opened:
        opened.register("typed", arrow(typed))
        opened.execute("CREATE TABLE one AS SELECT * FROM typed")
    return path


def named(typed):
    """Return the table with names as text files have them; formats with types keep blanks."""
    return typed.rename(columns=lambda name: name.strip() or "Unnamed: 0")


def arrow(typed):
    return pa.Table.from_pandas(named(typed), preserve_index=False)


def relation(folder, cells, typed):
    connection = duckdb.connect()
    connection.register("typed", arrow(typed))
    return connection.sql("SELECT * FROM typed")


def written(ending, write):
    def write_file(folder, cells, typed):
        path = folder / f"rows.{ending}"
        write(arrow(typed), str(path))
        return path

    return write_file


def lines(rows):
    return "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)


def cells_as_text(cells, typed):
    return cells.to_dict("records")


FORMATS = {
    "csv, utf-8 with a mark": (text("utf-8-sig"), {}),
    "csv, cp1252": (text("cp1252"), {}),
    "csv, named encoding": (text("mac_roman"), {"encoding": "mac_roman"}),
    "csv, utf-16": (text("utf-16"), {}),
    "csv, utf-16 without a mark": (text("utf-16-be"), {}),
    "csv, semicolons": (text("utf-8", ";"), {}),
    "csv, tabs": (text("utf-8", "\t"), {}),
    "xlsx": (workbook, {"sheet": "May"}),
    "jsonl": (json_of(records_of_types, "jsonl", lines), {}),
    "jsonl, text": (json_of(cells_as_text, "ndjson", lines), {}),
    "json": (json_of(records_of_types, "json", json.dumps), {}),
    "sqlite, table": (sqlite_file, {"query": "one"}),
    "sqlite, statement": (sqlite_file, {"query": "SELECT * FROM one"}),
    "duckdb, table": (duckdb_file, {}),
    "duckdb, statement": (duckdb_file, {"query": "SELECT * FROM one"}),
    "duckdb, relation": (relation, {}),
    "orc": (written("orc", orc.write_table), {}),
    "parquet": (written("parquet", pq.write_table), {}),
    "feather": (written("feather", feather.write_feather), {}),
}
"""How to write a table, and the options to read it with."""


@pytest.mark.parametrize("kind", FORMATS)
def test_every_format_gives_the_same_scores(kind, table):
    folder, cells, typed, label, positive, (schema, scores) = table
    write, reading = FORMATS[kind]
    found_schema, found = scores_of(write(folder, cells, typed), label, positive, **reading)
    assert_same(found_schema, schema)
    assert np.abs(found - scores).max() <= MAX_DIFFERENCE * scores.std()


@pytest.mark.parametrize(
    ("file_format", "kind"), [("csv", "csv, utf-16"), ("jsonl", "jsonl"), ("excel", "xlsx"), (None, "parquet")]
)
def test_standard_input_gives_the_same_scores(file_format, kind, table, monkeypatch):
    folder, cells, typed, label, positive, (schema, scores) = table
    given = FORMATS[kind][0](folder, cells, typed).read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
    found_schema, found = scores_of("-", label, positive, file_format=file_format)
    assert_same(found_schema, schema)
    assert np.abs(found - scores).max() <= MAX_DIFFERENCE * scores.std()


def assert_same(found, schema):
    """Check that columns are the same, and their kinds; formats that keep types need no reading."""
    assert (found.names, found.levels, found.left_out, found.parts) == (
        schema.names,
        schema.levels,
        schema.left_out,
        schema.parts,
    )
