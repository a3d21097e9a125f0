"""Columns that Arrow reads, piece by piece."""

import threading

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest

from s2auc import open_table
from s2auc.common.threads import n_threads, thread_limit
from s2auc.data.schema.schema import Schema
from s2auc.data.tables.arrow_rows import one_ahead

N_ROWS = 300
TABLE = pa.table({"x": np.arange(N_ROWS) * 1.5, "k": ["a", "b", "c"] * 100})


def columns_of(table, names, batch_rows=70):
    return pa.Table.from_batches(list(table.batches(names, batch_rows))).to_pydict()


def test_folders_name_columns(tmp_path):
    pq.write_to_dataset(TABLE, tmp_path / "rows", partition_cols=["k"])
    table = open_table(tmp_path / "rows")
    assert table.names == ["x", "k"]
    ordered = TABLE.sort_by([("k", "ascending"), ("x", "ascending")]).to_pydict()
    assert columns_of(table, ["k"]) == {"k": ordered["k"]}
    assert columns_of(table, ["k", "x"]) == {"k": ordered["k"], "x": ordered["x"]}
    pattern = open_table(str(tmp_path / "rows" / "k=*" / "*.parquet"))
    assert columns_of(pattern, ["k", "x"]) == {"k": ordered["k"], "x": ordered["x"]}
    folders = open_table(str(tmp_path / "rows" / "k=[ab]"))
    assert folders.n_rows == 200
    rows = table.X.open(table.X.learn_schema("from_dtype"))
    assert rows.gather(np.array([299, 0])).tolist() == [[448.5, 2.0], [0.0, 0.0]]


def test_folders_above_a_table_name_nothing(tmp_path):
    (tmp_path / "run=7").mkdir()
    pq.write_table(TABLE, tmp_path / "run=7" / "rows.parquet")
    assert open_table(tmp_path / "run=7" / "rows.parquet").names == ["x", "k"]
    assert open_table(tmp_path / "run=7").names == ["x", "k"]


def test_filters_of_a_data_set_hold(tmp_path):
    pq.write_table(TABLE, tmp_path / "rows.parquet", row_group_size=50)
    filtered = ds.dataset(tmp_path / "rows.parquet").filter(pc.field("k") == "b")
    table = open_table(filtered)
    known = TABLE.filter(pc.equal(TABLE["k"], "b")).to_pydict()
    assert table.n_rows == 100
    assert columns_of(table, ["x", "k"]) == known
    rows = table.X.open(Schema(1, {}, ("x",), {1: "k"}))
    assert rows.gather(np.array([99, 3]))[:, 0].tolist() == [known["x"][99], known["x"][3]]


def test_large_row_groups_are_not_held_whole(tmp_path):
    rows = pa.table({f"x{i}": np.random.default_rng(i).normal(size=1_000_000) for i in range(6)})
    pq.write_table(rows, tmp_path / "rows.parquet", row_group_size=1_000_000, compression="none", use_dictionary=False)
    del rows
    table = open_table(tmp_path / "rows.parquet")
    source = table.X.open(Schema(6, {}, tuple(f"x{i}" for i in range(6))))
    before = pa.total_allocated_bytes()
    most = max(pa.total_allocated_bytes() - before for _ in source.scan(50_000))
    assert most < 20_000_000  # of 48,000,000


def test_a_scan_may_be_given_up(tmp_path):
    pq.write_table(TABLE, tmp_path / "rows.parquet", row_group_size=10)
    source = open_table(tmp_path / "rows.parquet").X.open(Schema(1, {}, ("x",), {1: "k"}))
    before = threading.active_count()
    chunks = source.scan(7)
    next(chunks)
    chunks.close()
    assert threading.active_count() <= before


def test_errors_and_limits_reach_whoever_asks():
    def broken():
        yield n_threads()
        raise ValueError("the disk is gone")

    with thread_limit(1):
        items = one_ahead(broken())
        assert next(items) == 1
        with pytest.raises(ValueError, match="the disk is gone"):
            next(items)


def test_files_that_are_gone_are_named(tmp_path):
    pq.write_table(TABLE, tmp_path / "rows.parquet")
    source = open_table(tmp_path / "rows.parquet").X.open(Schema(1, {}, ("x",), {1: "k"}))
    (tmp_path / "rows.parquet").unlink()
    with pytest.raises(FileNotFoundError, match=r"rows\.parquet"):
        source.gather(np.array([0]))


def test_files_that_are_damaged_are_named(tmp_path):
    pq.write_table(TABLE, tmp_path / "rows.parquet", row_group_size=100)
    data = bytearray((tmp_path / "rows.parquet").read_bytes())
    data[4:200] = bytes(196)
    (tmp_path / "rows.parquet").write_bytes(data)
    source = open_table(tmp_path / "rows.parquet").X.open(Schema(1, {}, ("x",), {1: "k"}))
    assert source.gather(np.array([250]))[0, 0] == 375.0, "the damage is elsewhere"
    with pytest.raises(ValueError, match=r"rows\.parquet' must be a readable parquet file\. Got an error") as caught:
        list(source.scan(50))
    assert "\n" not in str(caught.value)


def test_other_libraries_hand_over_streams():
    class Stream:
        def __arrow_c_stream__(self, requested_schema=None):
            return TABLE.__arrow_c_stream__(requested_schema)

    assert columns_of(open_table(Stream()), ["x"]) == {"x": TABLE["x"].to_pylist()}
    assert open_table(pd.DataFrame({"x": [1.0]})).n_rows == 1
