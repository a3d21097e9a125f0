"""One suite for all tables: the same rows mean the same, whatever holds them."""

import datetime as dt

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from read_tables import learn, read
from s2auc import open_table
from s2auc.data.labels.labeled_rows import find_labeled_rows
from table_sources import N_ROWS, SOURCES, SPELLED_MISSING, TEXT_SOURCES, make_frame

FRAME = make_frame()
FEATURES = FRAME.drop(columns="fraud")
SCHEMA = learn(FEATURES)
MATRIX = read(SCHEMA, FEATURES)


@pytest.fixture(scope="module", params=SOURCES)
def source(request):
    return request.param


@pytest.fixture(scope="module")
def table(source, tmp_path_factory):
    return open_table(SOURCES[source](FRAME, tmp_path_factory.mktemp("table")), label="fraud")


def check_same(found, expected, source):
    """Compare rows: all digits count, but for Excel, whose files hold 16 of them."""
    np.testing.assert_allclose(found, expected, rtol=1e-14 if source == "excel" else 0)


def test_tables_know_their_size_and_columns(table):
    assert (table.n_rows, table.X.n_rows, table.y.n_rows) == (N_ROWS,) * 3
    assert table.names == list(FRAME.columns)
    assert "fraud" in repr(table)
    assert "fraud: " in repr(table)
    assert repr(table).endswith(", label")


def test_the_schema_is_that_of_the_data_frame(table, source):
    assert table.X.learn_schema("from_dtype") == SCHEMA
    categorical = ["age", "city", "member"]
    # Text that a user calls categories stays text.
    known = FEATURES
    if source in SPELLED_MISSING or source in TEXT_SOURCES:
        known = FEATURES.astype(dict.fromkeys(categorical, "str"))
        known["member"] = known["member"].str.lower() if source in TEXT_SOURCES else known["member"]
    assert table.X.learn_schema(categorical) == learn(known, categorical)


def test_categories_are_found_whatever_holds_them(table, source):
    """Numbers and booleans that were text when categories were learnt, and the reverse."""
    categorical = ["age", "city", "member"]
    codes = [read(learn(FEATURES, categorical), FEATURES)[:, place] for place in (2, 3, 4)]
    as_text = FEATURES.astype(dict.fromkeys(categorical, "str"))
    as_text["member"] = as_text["member"].str.lower() if source in TEXT_SOURCES else as_text["member"]
    for fitted in (FEATURES, as_text):
        rows = table.X.open(learn(fitted, categorical)).gather(np.arange(N_ROWS))
        np.testing.assert_array_equal(rows[:, 2:5].T, codes)


@pytest.mark.parametrize("chunk_rows", [7, 64, N_ROWS, 10_000])
def test_chunks_are_those_of_the_data_frame(table, source, chunk_rows):
    rows = table.X.open(SCHEMA)
    assert rows.schema is SCHEMA
    chunks = list(rows.scan(chunk_rows))
    assert [len(chunk) for chunk in chunks[:-1]] == [chunk_rows] * (len(chunks) - 1)
    assert all(chunk.dtype == np.float64 and chunk.flags.c_contiguous for chunk in chunks)
    check_same(np.concatenate(chunks), MATRIX, source)


def test_rows_are_gathered_in_any_order(table, source):
    rows = table.X.open(SCHEMA)
    for numbers in ([], [0], [N_ROWS - 1], [5, 210, 0, 5, 6, 7], [80, 79, 81], list(range(N_ROWS))):
        wanted = np.array(numbers, dtype=np.intp)
        check_same(rows.gather(wanted), MATRIX[wanted], source)


def test_labels_are_those_of_the_data_frame(table, source):
    found = find_labeled_rows(table.y, None)
    assert found.n_rows == N_ROWS
    assert found.numbers.tolist() == np.flatnonzero(FRAME["fraud"].notna()).tolist()
    assert found.values.tolist() == FRAME["fraud"].dropna().tolist()
    if source in SPELLED_MISSING:
        spelled = [None if np.isnan(label) else f"{label:.1f}" for label in FRAME["fraud"]]
        assert np.asarray(table.y).tolist() == spelled
    elif source not in TEXT_SOURCES:
        chunks = [np.ma.filled(chunk, np.nan) for chunk in table.y.chunks()]
        np.testing.assert_array_equal(np.concatenate(chunks), FRAME["fraud"])
        np.testing.assert_array_equal(np.asarray(table.y), FRAME["fraud"])


@pytest.mark.parametrize("chunk_rows", [50, 64, 1000])
def test_raw_columns_come_in_batches(table, source, chunk_rows):
    batches = list(table.batches(["city", "age"], chunk_rows))
    assert [batch.num_rows for batch in batches[:-1]] == [chunk_rows] * (len(batches) - 1)
    assert batches[0].schema.names == ["city", "age"]
    cities = [city for batch in batches for city in batch.column(0).to_pylist()]
    missing = SPELLED_MISSING.get(source)
    assert cities == [city if isinstance(city, str) else missing for city in FRAME["city"]]


CELLS = {
    "text": (object, st.sampled_from(["", "a", "B", "é", "1 b", None])),
    "booleans": ("boolean", st.sampled_from([True, False, None])),
    "whole": ("int64", st.integers(-(2**62), 2**62)),
    "small": ("Int8", st.sampled_from([-3, 0, 100, None])),
    "floats": ("float64", st.floats(allow_infinity=False)),
    "halves": ("float32", st.floats(width=32, allow_infinity=False)),
    "moments": ("datetime64[us]", st.datetimes(dt.datetime(1900, 1, 1), dt.datetime(2200, 1, 1)) | st.none()),
    "zones": ("datetime64[ns, Asia/Tokyo]", st.datetimes(dt.datetime(1900, 1, 1), dt.datetime(2200, 1, 1))),
    "waits": ("timedelta64[ns]", st.timedeltas(dt.timedelta(-999), dt.timedelta(9999)) | st.none()),
    "sizes": (pd.CategoricalDtype(["S", "M", "L"]), st.sampled_from(["S", "L", None])),
}


@given(st.data())
def test_any_frame_means_the_same_in_other_libraries(data):
    names = data.draw(st.lists(st.sampled_from(sorted(CELLS)), min_size=1, max_size=4, unique=True))
    n_rows = data.draw(st.integers(1, 9))
    frame, other = (
        pd.DataFrame(
            {
                name: pd.Series(data.draw(st.lists(cells, min_size=n_rows, max_size=n_rows)), dtype=dtype)
                for name, (dtype, cells) in ((name, CELLS[name]) for name in names)
            }
        )
        for _ in range(2)
    )
    # A column without values has no type in some libraries.
    assume(all(frame[name].notna().any() for name in names))
    schema = learn(frame)
    for make in (pa.Table.from_pandas, pl.from_pandas, lambda rows: open_table(rows, features=names)):
        table = make(frame)
        assert (table.X.learn_schema("from_dtype") if hasattr(table, "X") else learn(table)) == schema
        for rows in (frame, other):
            np.testing.assert_array_equal(read(schema, make(rows)), read(schema, rows))
