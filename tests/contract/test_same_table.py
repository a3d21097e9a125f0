"""The same cells give the same columns, the same descriptions and the same bytes of a model, whatever holds them."""

import csv
import datetime as dt
import warnings
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from s2auc import S2AUCClassifier, open_table
from s2auc.data.tables.arrow_table import IgnoredColumnsWarning

LABEL = "y"
REAL_TABLES = Path(__file__).parents[3] / "shared" / "data" / "tables"
MAX_ROWS, MAX_COLUMNS = 500, 60


def csv_file(cells, folder):
    frame = pd.DataFrame(cells)
    # pandas puts no quotes around a carriage return, which ends a line elsewhere.
    has_returns = any("\r" in cell for column in cells.values() for cell in column)
    frame.to_csv(folder / "rows.csv", index=False, quoting=csv.QUOTE_ALL if has_returns else csv.QUOTE_MINIMAL)
    return folder / "rows.csv"


def parquet_file(cells, folder):
    pq.write_table(pa.table(cells), folder / "rows.parquet", row_group_size=1000)
    return folder / "rows.parquet"


def feather_file(cells, folder):
    feather.write_feather(pa.table(cells), str(folder / "rows.feather"), chunksize=700)
    return folder / "rows.feather"


FORMATS = {
    "pandas": lambda cells, folder: pd.DataFrame(cells),
    "pandas objects": lambda cells, folder: pd.DataFrame(cells, dtype=object),
    "polars": lambda cells, folder: pl.DataFrame(cells),
    "polars lazy": lambda cells, folder: pl.DataFrame(cells).lazy(),
    "pyarrow": lambda cells, folder: pa.table(cells),
    "pyarrow in chunks": lambda cells, folder: pa.Table.from_batches(pa.table(cells).to_batches(max_chunksize=40)),
    "dict": lambda cells, folder: cells,
    "csv": csv_file,
    "parquet": parquet_file,
    "feather": feather_file,
}
"""How to make a table of a dict of lists."""


@contextmanager
def ignoring():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", IgnoredColumnsWarning)
        yield


def understood(where, folder):
    """Return the columns, what is said of them, and the bytes of a model; or the sentence that refuses the table."""
    table = open_table(where, label=LABEL)
    with ignoring():
        try:
            schema = table.X.learn_schema("from_dtype")
        except ValueError as error:
            return str(error)
        model = fitted(folder, table.X, table.y)
    return schema, [str(role) for role in table.column_roles], model


def fitted(folder, X, y):
    """Return the bytes of a model."""
    S2AUCClassifier(random_state=0, max_iter=10, n_frequencies=8).fit(X, y).save(folder / "model.safetensors")
    return (folder / "model.safetensors").read_bytes()


def check_same(cells, formats):
    """Check that all formats are understood alike, and return how."""
    found = {}
    with TemporaryDirectory() as name:
        for kind in formats:
            found[kind] = understood(FORMATS[kind](cells, Path(name)), Path(name))
    first, *others = formats
    for kind in others:
        if isinstance(found[first], str):
            assert found[kind] == found[first], kind
            continue
        for mine, theirs in zip(found[first], found[kind], strict=True):
            assert theirs == mine, kind
    return found[first]


def sometimes(rng, values, others, share=0.15):
    return [rng.choice(others) if rng.random() < share else value for value in values]


def days(rng, n_rows, spelling):
    start = dt.datetime(2021, 1, 1)
    return [(start + dt.timedelta(minutes=int(m))).strftime(spelling) for m in rng.integers(0, 10**6, n_rows)]


def category(rng, n_rows):
    return rng.choice(["Rome", " Rome", "Oslo ", "Lima", "NA", "", "Málaga, Spain", 'a "b"'], n_rows).tolist()


COLUMNS = {
    "numbers": lambda rng, n: sometimes(rng, rng.normal(size=n).round(3).astype(str), ["", "NA", " 1.5 "]),
    "placeholders": lambda rng, n: sometimes(
        rng, rng.normal(size=n).round(1).astype(str), ["-", "?", "unknown", "N.A."]
    ),
    "counts": lambda rng, n: rng.integers(0, 9, n).astype(str).tolist(),
    "dollars": lambda rng, n: [f"${value:,.2f}" for value in rng.lognormal(6, 2, n)],
    "euros": lambda rng, n: [f"{value:.2f} €".replace(".", ",") for value in rng.lognormal(6, 2, n)],
    "thousands": lambda rng, n: [f"{value:,}" for value in rng.integers(0, 10**6, n)],
    "dotted thousands": lambda rng, n: [f"{value:,}".replace(",", ".") for value in rng.integers(0, 10**6, n) // 7],
    "percent": lambda rng, n: sometimes(rng, [f"{value:.1f}%" for value in 100 * rng.random(n)], ["--", ""]),
    "day first": lambda rng, n: sometimes(rng, days(rng, n, "%d/%m/%Y"), ["", "unknown"]),
    "stamps": lambda rng, n: days(rng, n, "%Y-%m-%dT%H:%M:%SZ"),
    "german": lambda rng, n: days(rng, n, "%d.%m.%Y %H:%M"),
    "ambiguous": lambda rng, n: [f"0{a}/0{b}/2024" for a, b in rng.integers(1, 9, (n, 2))],
    "times": lambda rng, n: days(rng, n, "%H.%M.%S"),
    "city": category,
    "flags": lambda rng, n: sometimes(rng, rng.choice(["true", "False"], n), ["", "null"]),
    "yes or no": lambda rng, n: rng.choice(["yes", "no", "unknown"], n).tolist(),
    "grades": lambda rng, n: rng.choice(["1", "2", "A"], n).tolist(),
    "zip": lambda rng, n: [f"{value:05}" for value in rng.integers(500, 520, n)],
    "constant": lambda rng, n: [" same"] * n,
    "empty": lambda rng, n: rng.choice(["", "NA", " "], n).tolist(),
    "row": lambda rng, n: [str(value) for value in range(7, n + 7)],
    "claim_id": lambda rng, n: rng.choice(10**9, n, replace=False).astype(str).tolist(),
    "long number": lambda rng, n: [str(10**19 + int(value)) for value in rng.choice(10**9, n, replace=False)],
    "note": lambda rng, n: [f"words and {value}" for value in rng.choice(10**6, n, replace=False)],
    "tags": lambda rng, n: [[int(value)] for value in rng.integers(0, 3, n)],
}
"""Kinds of columns: how to draw the cells of each."""


def draw_cells(names, n_rows, seed):
    rng = np.random.default_rng(seed)
    columns = {name: list(map(str, COLUMNS[name](rng, n_rows))) for name in names if name != "tags"}
    labels = [("1", "0", " 1", "", "", "")[place] for place in rng.permutation(np.arange(n_rows) % 6)]
    lists = {"tags": COLUMNS["tags"](rng, n_rows)} if "tags" in names else {}
    return {"x": rng.normal(size=n_rows).round(4).astype(str).tolist(), **columns, **lists, LABEL: labels}


@settings(max_examples=5)
@given(
    st.lists(st.sampled_from(sorted(COLUMNS)), min_size=2, max_size=8, unique=True),
    st.integers(20, 130),
    st.integers(0, 2**32),
)
def test_messy_tables_are_the_same_whatever_holds_them(names, n_rows, seed):
    cells = draw_cells(names, n_rows, seed)
    check_same(cells, [kind for kind in FORMATS if not ("tags" in cells and kind == "csv")])


EVERYTHING = draw_cells(list(COLUMNS), 120, seed=3)


def test_a_table_with_a_column_of_every_kind():
    schema, roles, _ = check_same(EVERYTHING, [kind for kind in FORMATS if kind != "csv"])
    said = dict(role.split(": ", 1) for role in roles)
    without_lists = {name: column for name, column in EVERYTHING.items() if name != "tags"}
    _, spoken, _ = check_same(without_lists, ["csv", "pandas"])
    assert spoken == [role for role in roles if not role.startswith("tags: ")]
    assert said["tags"] == "not read, ignored: lists, a type that is not read"
    assert said["constant"] == "text, ignored: the same in every row"
    assert said["empty"] == "text, ignored: no values"
    assert said["row"] == "numbers, ignored: row ID: whole numbers in the order of rows"
    assert (
        said["claim_id"] == "numbers, ignored: row ID: whole numbers, different in every row, in a column of that name"
    )
    assert said["long number"] == said["note"] == "text, ignored: text that is different in every row"
    assert said[LABEL] == "text, label"
    for name in ("numbers", "placeholders", "counts", "dollars", "euros", "thousands", "dotted thousands", "percent"):
        assert said[name].startswith("numbers")
    for name in ("day first", "stamps", "german"):
        assert said[name].startswith("dates")
    assert said["times"].startswith("times of day")
    for name in ("city", "flags", "yes or no", "grades", "zip", "ambiguous"):
        assert said[name].startswith("categories")
    assert schema.levels[schema.names.index("city")] == ("Lima", "Málaga, Spain", "Oslo", "Rome", 'a "b"')
    assert schema.levels[schema.names.index("flags")] == (False, True)
    assert set(schema.readings.values()) == {
        "numbers with decimal commas",
        "dates, day first",
        "dates with time zones",
        "dates, day first, dots %H:%M",
        "times with dots",
    }


@pytest.mark.parametrize("kind", FORMATS)
def test_classifiers_take_tables_as_they_are(kind, tmp_path):
    cells = {name: EVERYTHING[name] for name in ("x", "euros", "day first", "city", "flags", "row", LABEL)}
    table = open_table(cells, label=LABEL)
    labels = [None if label == "" else int(label) for label in cells[LABEL]]
    where = FORMATS[kind](cells, tmp_path)
    with ignoring():
        expected = fitted(tmp_path, table.X, table.y)
        assert fitted(tmp_path, where, LABEL) == expected
        assert fitted(tmp_path, open_table(where), LABEL) == expected
        assert fitted(tmp_path, open_table(where, drop=[LABEL]), labels)[-1000:] == expected[-1000:], "all but roles"


def test_a_frame_of_dask_is_the_same(tmp_path):
    dd = pytest.importorskip("dask.dataframe")
    distributed = pytest.importorskip("distributed")
    cells = {name: column for name, column in EVERYTHING.items() if name != "tags"}
    here = understood(cells, tmp_path)
    with distributed.Client(processes=False, n_workers=1, threads_per_worker=1, dashboard_address=":0"):
        there = understood(dd.from_pandas(pd.DataFrame(cells), npartitions=3), tmp_path)
    for mine, theirs in zip(here, there, strict=True):
        assert theirs == mine


def is_value(name, *values):
    """Return how to make labels of a column: whether it holds one of some values."""
    return [name], lambda frame: frame[name].isin(values)


def is_above(name, limit, *others):
    return [name, *others], lambda frame: pd.to_numeric(frame[name], errors="coerce") > limit


REAL = {
    "adult": is_value("income", ">50K", " >50K"),
    "air_quality": is_above("C6H6(GT)", 15, "PT08.S2(NMHC)"),
    "bace": is_value("Class", "1"),
    "bank": is_value("y", "yes"),
    "clothing_reviews": is_value("Recommended IND", "1"),
    "comics": is_value("align", "Good"),
    "covid_testing": is_value("result", "positive"),
    "email": is_value("spam", "1"),
    "hotel_bookings": is_value("is_canceled", "1"),
    "loans": is_value("grade", *"DEFG"),
    "sms_spam": is_value("label", "spam"),
    "taxis": is_above("tip", 0, "total"),
    "telco_churn": is_value("Churn", "Yes"),
    "tweets": is_value("source", "Twitter Web Client"),  # the first rows are older than the phones
    "winequality-white": is_above("quality", 6),
}
"""Tables of people: the columns that the label is made of, which are no features then, and how."""


@pytest.mark.skipif(not REAL_TABLES.is_dir(), reason="the tables are not there")
@pytest.mark.parametrize("name", REAL)
def test_real_tables_are_the_same_whatever_holds_them(name):
    path = REAL_TABLES / f"{name}.csv"
    with path.open(encoding="utf-8") as file:
        separator = max(",;", key=file.readline().count)
    frame = pd.read_csv(path, dtype=str, keep_default_na=False, sep=separator, nrows=MAX_ROWS)
    columns, is_positive = REAL[name]
    labels = np.where(is_positive(frame), "yes", "no")
    labels[np.arange(len(frame)) % 7 > 0] = ""
    names = [column for column in frame.columns if column not in columns][:MAX_COLUMNS]
    cells = {name: frame[name].tolist() for name in names}
    check_same(cells | {LABEL: labels.tolist()}, ["pandas", "polars", "pyarrow", "dict", "csv", "parquet"])
