"""Which columns of a table are used, and why the others are ignored."""

import datetime as dt
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from read_tables import learn, read
from s2auc import open_table
from s2auc.data.inputs import as_rows, learn_schema
from s2auc.data.schema import column_profiler as column_studies
from s2auc.data.schema import word_profiler
from s2auc.data.tables.arrow_table import IgnoredColumnsWarning

N_ROWS = 60
rng = np.random.default_rng(0)
FRAME = pd.DataFrame(
    {
        "customer_id": rng.permutation(N_ROWS) + 10**9,
        "row": np.arange(N_ROWS),
        "code": [f"c{i}" for i in range(N_ROWS)],
        "note": [f"words {i}" for i in rng.integers(0, 500, N_ROWS)],
        "age": rng.integers(18, 80, N_ROWS),
        "cents": rng.permutation(N_ROWS) ** 3,
        "city": rng.choice(["Rome", "Oslo"], N_ROWS),
        "height": rng.normal(size=N_ROWS),
    }
)
USELESS = {
    "country": pa.array(["IT"] * N_ROWS),
    "one": pa.array([1] * N_ROWS),
    "flag": pa.array([True] * N_ROWS),
    "day": pa.array([dt.date(2024, 1, 1)] * N_ROWS),
    "empty": pa.array([None] * N_ROWS, pa.float64()),
    "null": pa.nulls(N_ROWS),
    "no_number": pa.array([np.nan] * N_ROWS),
    "tags": pa.array([[1, 2]] * N_ROWS),
    "place": pa.array([{"x": 1}] * N_ROWS),
    "bytes": pa.array([b"a"] * N_ROWS),
}


def with_useless():
    table = pa.Table.from_pandas(FRAME, preserve_index=False)
    for name, values in USELESS.items():
        table = table.append_column(name, values)
    return table


def learnt(table, categorical_features="from_dtype"):
    with pytest.warns(IgnoredColumnsWarning, match="are ignored") as caught:
        schema = table.X.learn_schema(categorical_features)
    assert len(caught) == 1
    return schema, str(caught[0].message)


def test_row_ids_are_ignored():
    table = open_table(FRAME)
    schema, sentence = learnt(table)
    assert list(schema.left_out.values()) == ["customer_id", "row", "code"]
    assert "'row' (row ID: whole numbers in the order of rows)" in sentence
    assert "row: numbers, ignored: row ID: whole numbers in the order of rows" in repr(table)
    with pytest.warns(IgnoredColumnsWarning, match="are ignored"):
        assert learn_schema(as_rows(FRAME)) == schema


def test_columns_that_say_nothing_are_ignored():
    schema, sentence = learnt(open_table(with_useless(), drop=["customer_id", "row", "code"]))
    assert schema.names == ("note", "age", "cents", "city", "height")
    assert list(schema.left_out.values()) == list(USELESS)
    for name, reason in {
        "one": "the same in every row",
        "null": "no values",
        "tags": "lists, a type that is not read",
        "place": "structures, a type that is not read",
        "bytes": "bytes, a type that is not read",
    }.items():
        assert f"'{name}' ({reason})" in sentence
    assert "open the table with open_table and name all columns to use in features" in sentence


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, dict])
def test_columns_of_data_frames_that_say_nothing_are_ignored(make):
    useful = {"age": FRAME["age"].tolist(), "city": FRAME["city"].tolist()}
    useless = {name: USELESS[name].to_pylist() for name in ("country", "one", "flag", "day", "null", "tags", "place")}
    with pytest.warns(IgnoredColumnsWarning, match="are ignored") as caught:
        schema = learn_schema(as_rows(make(useful | useless)))
    assert len(caught) == 1
    assert schema.names == ("age", "city")
    assert list(schema.left_out.values()) == list(useless)


def test_columns_that_are_asked_for_stay():
    table = open_table(with_useless(), features=["code", "one", "row", "day", "flag", "empty"])
    schema = table.X.learn_schema("from_dtype")
    assert schema.names == ("code", "one", "row", "day", "flag", "empty")
    assert schema == learn(with_useless().select(["code", "one", "row", "day", "flag", "empty"]).to_pandas())
    assert schema == learn(with_useless().select(["code", "one", "row", "day", "flag", "empty"]), ["code", "flag"])
    assert table.X.open(schema).gather(np.array([3]))[0].tolist()[1:5] == [1.0, 3.0, 19723.0, 0.0]


def test_listed_categories_stay():
    schema, _ = learnt(open_table(FRAME), ["code", "row", "note", "city"])
    assert schema.left_out == {0: "customer_id"}
    assert schema.levels[0] == tuple(range(N_ROWS))
    assert len(schema.levels[1]) == N_ROWS


def test_one_missing_value_is_something_to_learn_from():
    table = open_table(pd.DataFrame({"x": [1.0, 1.0, None], "c": ["a", None, "a"], "v": [1, 2, 3]}))
    assert table.X.learn_schema("from_dtype").names == ("x", "c", "v")


def test_few_rows_of_numbers_settle_what_they_are(tmp_path, monkeypatch):
    pq.write_table(
        pa.table({"x": np.arange(1000.0), "t": ["a", "b"] * 500}), tmp_path / "r.parquet", row_group_size=100
    )
    table = open_table(tmp_path / "r.parquet")
    seen = []
    pieces = table.columns.pieces
    monkeypatch.setattr(type(pieces[0]), "batches", counted(type(pieces[0]).batches, seen))
    table.X.learn_schema("from_dtype")
    settled_as_text, first, others = [["t"]], [["x", "t"]], [["t"]] * 9
    assert seen == settled_as_text + first + others
    seen.clear()
    rows = table.X.open(table.X.learn_schema("from_dtype"))
    rows.gather(np.array([950, 120, 199]))
    assert seen == [["x", "t"]] * 2, "row groups without a wanted row are passed over"


def counted(batches, seen):
    def count(piece, names, batch_rows):
        seen.append(list(names))
        return batches(piece, names, batch_rows)

    return count


def test_many_numbers_are_judged_by_the_first(monkeypatch):
    monkeypatch.setattr(column_studies, "MAX_KEPT", 1000)
    numbers = np.arange(5000)
    shuffled = rng.permutation(numbers)
    table = pa.table(
        {
            "sorted": numbers,
            "shuffled": shuffled,
            "far": shuffled * 10**6,
            "far_id": shuffled * 10**6,
            "x": rng.normal(size=5000),
        }
    )
    batches = pa.Table.from_batches(table.to_batches(max_chunksize=500))
    schema, _ = learnt(open_table(batches))
    assert schema.names == ("far", "x")


def test_text_of_too_many_values_is_left_out(monkeypatch):
    monkeypatch.setattr(word_profiler, "MAX_TEXT_VALUES", 150)
    texts = [f"t{i % 200}" for i in range(2000)]
    schema, sentence = learnt(open_table(pa.table({"t": texts, "x": rng.normal(size=2000)})))
    assert schema.names == ("x",)
    assert "'t' (text with more than 150 different values)" in sentence


def test_types_of_arrow_are_read():
    day = dt.datetime(2024, 5, 1, 12)
    table = pa.table(
        {
            "half": pa.array([np.float16(1.5), None, np.float16(2.5)], pa.float16()),
            "decimal": pa.array([Decimal("0.10"), None, Decimal("12345678901234567.89")]),
            "unsigned": pa.array([2**63 + 5000, None, 1], pa.uint64()),
            "huge": pa.array([2**62, 2**62 + 1, 5], pa.int64()),
            "zone": pa.array([day, None, day + dt.timedelta(days=40)], pa.timestamp("ms", "Europe/Oslo")),
            "time": pa.array([dt.time(1, 30), None, dt.time(2)], pa.time32("s")),
            "wait": pa.array([1500, None, 3], pa.duration("ms")),
            "large": pa.array(["b", None, "a"], pa.large_string()),
            "whole": pa.array([7, 5, 7]).dictionary_encode(),
        }
    )
    frame = table.select(["decimal", "unsigned", "huge", "large"]).to_pandas()
    known = read(learn(frame, ["large"]), frame)
    schema = open_table(table).X.learn_schema("from_dtype")
    rows = open_table(table).X.open(schema).gather(np.arange(3))
    found = dict(zip(schema.names, rows.T, strict=True))
    for name, column in zip(frame, known.T, strict=True):
        np.testing.assert_array_equal(found[name], column)
    nan = np.nan
    np.testing.assert_array_equal(found["half"], [1.5, nan, 2.5])
    np.testing.assert_array_equal(found["zone"], [19844.5, nan, 19884.5])
    np.testing.assert_array_equal(found["time"], [1.5, nan, 2.0])
    np.testing.assert_array_equal(found["wait"], [1.5, nan, 0.003])
    assert schema.levels[schema.names.index("whole")] == (5, 7)
    assert "zone (month)" in schema.names
    assert "zone (hour)" not in schema.names


def test_declared_categories_are_those_that_occur():
    sizes = ["small", "large", "huge"]
    frame = pd.DataFrame({"size": pd.Categorical(["large", "small"], categories=sizes), "x": [1.0, 2.0]})
    table = open_table(frame)
    assert table.X.learn_schema("from_dtype").levels == {0: ("large", "small")}
    assert "size: categories" in repr(table)
    for dtype in (pl.Enum(sizes), pl.Categorical):
        polars = pl.DataFrame({"size": pl.Series(["small", None, "large"], dtype=dtype), "x": [1.0, 2.0, 3.0]})
        rows = open_table(polars).X
        schema = rows.learn_schema("from_dtype")
        assert schema.levels == {0: ("large", "small")}
        np.testing.assert_array_equal(rows.open(schema).gather(np.arange(3)), [[1, 1], [np.nan, 2], [0, 3]])


def test_what_was_learnt_with_one_pool_is_not_taken_for_another():
    X = open_table({"city": ["Rome", "Oslo"], "x": [1.5, 2.5]}).X
    for city in ["Lima", "Bern", "Kyiv", "Riga"]:
        pool = as_rows({"city": [city], "x": [3.5]}, "X_unlabeled")
        assert X.learn_schema("from_dtype", pool).levels == {0: tuple(sorted([city, "Oslo", "Rome"]))}
        del pool
    assert X.learn_schema("from_dtype").levels == {0: ("Oslo", "Rome")}
    assert X.learn_schema(iter(["city", "x"])).levels == {0: ("Oslo", "Rome"), 1: (1.5, 2.5)}


def test_dates_without_a_clock_have_no_hours():
    days = pa.array([dt.date(2024, 1, 1), dt.date(2024, 2, 7)])
    schema = open_table(pa.table({"d": days, "t": days.cast(pa.timestamp("ns"))})).X.learn_schema("from_dtype")
    assert schema.names == ("d", "d (month)", "d (weekday)", "t", "t (month)", "t (weekday)")


ASKED = {
    "unknown label": ({"label": "citi"}, "label must name a column of the table. Got 'citi', .*; did you mean 'city'?"),
    "unknown feature": ({"features": ["zzz"]}, "features must name .* Got 'zzz', .*; choose among 'customer_id', "),
    "unknown drop": ({"drop": ["ages"]}, "drop must name a column .* did you mean 'age'"),
    "text": ({"features": "age"}, "features must be a list of column names. Got 'age'; pass .'age'. for a"),
    "twice": ({"features": ["age", "age"]}, "features must name each column once. Got 'age' more than once"),
    "label among features": (
        {"features": ["age"], "label": "age"},
        "features must not include the label column. Got 'age'; rem",
    ),
    "nothing left": ({"features": ["age"], "drop": ["age"]}, "The table must have at least one feature. Got "),
    "nested feature": ({"features": ["tags", "age"]}, "Columns of X must hold numbers, .* Got 'tags' .list"),
    "nested label": ({"label": "tags"}, "label must name a column of numbers, booleans or text. Got 'tags', which hol"),
    "strange treatment of cells": (
        {"unreadable": "skip"},
        "unreadable must be 'error' or 'missing'. Got 'skip'; ",
    ),
    "only useless": (
        {"features": None, "drop": [*FRAME.columns]},
        "X must have columns that describe its rows. Got on",
    ),
}


@pytest.mark.parametrize("case", ASKED)
def test_columns_that_cannot_be_had(case):
    options, sentence = ASKED[case]
    with pytest.raises(ValueError, match=sentence.replace("?", r"\?")):
        open_table(with_useless(), **options).X.learn_schema("from_dtype")


def test_columns_may_be_called_by_numbers():
    table = open_table(pd.DataFrame({0: [1.5, 2.5], 1: [1, 0], 2: ["a", "b"]}), label=1, drop=[2])
    assert (table.y.name, table.X.names) == ("1", ["0"])


def test_text_where_a_classifier_takes_no_categories():
    with pytest.raises(ValueError, match=r"Column 'city' of X must hold numbers. Got text such as"):
        open_table(FRAME[["age", "city"]]).X.learn_schema(None)


def test_open_tables_stay_open():
    table = open_table(FRAME)
    assert open_table(table) is table
    with pytest.raises(ValueError, match="engine must be left out for a table that is open already"):
        open_table(table, engine="dask")
    for series in (pd.Series([1, 2]), pl.Series("a", [1, 2])):
        with pytest.raises(TypeError, match=r"A table must have rows and columns\. Got Series; pass its to_frame"):
            open_table(series)
    with pytest.raises(TypeError, match=r"A table must be a path, .* Got int; make it"):
        open_table(3)
