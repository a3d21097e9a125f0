"""One suite for all tables: the same rows mean the same, whatever holds them."""

import numpy as np
import pytest

from s2auc import open_table
from s2auc.data.learning import learn_schema
from table_sources import N_ROWS, SOURCES, make_frame

FRAME = make_frame()
FEATURES = FRAME.drop(columns="fraud")
SCHEMA = learn_schema(FEATURES)
MATRIX = SCHEMA.read(FEATURES)


@pytest.fixture(params=SOURCES)
def table(request, tmp_path):
    return open_table(SOURCES[request.param](FRAME, tmp_path), label="fraud")


def test_tables_know_their_size_and_columns(table):
    assert (table.n_rows, table.X.n_rows, table.y.n_rows) == (N_ROWS,) * 3
    assert table.names == list(FRAME.columns)
    assert "fraud" in repr(table)
    assert "the label" in repr(table)


def test_the_schema_is_that_of_the_data_frame(table):
    assert table.X.learn_schema("from_dtype") == SCHEMA
    categorical = ["age", "city", "member"]
    assert table.X.learn_schema(categorical) == learn_schema(FEATURES, categorical)


@pytest.mark.parametrize("chunk_rows", [1, 7, 64, N_ROWS, 10_000])
def test_chunks_are_those_of_the_data_frame(table, chunk_rows):
    rows = table.X.open(SCHEMA)
    assert rows.schema is SCHEMA
    chunks = list(rows.scan(chunk_rows))
    assert [len(chunk) for chunk in chunks[:-1]] == [chunk_rows] * (len(chunks) - 1)
    assert all(chunk.dtype == np.float64 and chunk.flags.c_contiguous for chunk in chunks)
    np.testing.assert_array_equal(np.concatenate(chunks), MATRIX)


@pytest.mark.parametrize("numbers", [[], [0], [N_ROWS - 1], [5, 210, 0, 5, 6, 7], [80, 79, 81], list(range(N_ROWS))])
def test_rows_are_gathered_in_any_order(table, numbers):
    wanted = np.array(numbers, dtype=np.intp)
    np.testing.assert_array_equal(table.X.open(SCHEMA).gather(wanted), MATRIX[wanted])


def test_labels_are_those_of_the_data_frame(table):
    chunks = [np.ma.filled(chunk, np.nan) for chunk in table.y.chunks()]
    np.testing.assert_array_equal(np.concatenate(chunks), FRAME["fraud"])
    np.testing.assert_array_equal(np.asarray(table.y), FRAME["fraud"])


@pytest.mark.parametrize("chunk_rows", [1, 50, 64, 1000])
def test_raw_columns_come_in_batches(table, chunk_rows):
    batches = list(table.batches(["city", "age"], chunk_rows))
    assert [batch.num_rows for batch in batches[:-1]] == [chunk_rows] * (len(batches) - 1)
    assert batches[0].schema.names == ["city", "age"]
    cities = [city for batch in batches for city in batch.column(0).to_pylist()]
    assert cities == [city if isinstance(city, str) else None for city in FRAME["city"]]
