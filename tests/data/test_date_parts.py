"""Dates, times and durations become the same numbers, whoever holds them."""

import datetime as dt
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd
import polars as pl
import pytest

from read_tables import learn, read
from reference.date_parts import hours_of_time, parts_of_date
from s2auc.data.inputs import as_rows, learn_schema
from s2auc.data.schema.date_parts import DATE_PARTS
from s2auc.data.schema.schema import Schema
from s2auc.models.files.schema import check_schema, decode_schema, encode_schema

nan = np.nan
MOMENTS = [
    dt.datetime(2024, 2, 29, 23, 59, 59, 999_999),
    dt.datetime(1969, 12, 31, 0, 0, 1),
    dt.datetime(1970, 1, 1),
    dt.datetime(1900, 3, 1, 12, 30),
    dt.datetime(2100, 10, 5, 7, 0, 0, 1),
]
FOUR = ("when", "when (month)", "when (weekday)", "when (hour)")


@pytest.mark.parametrize("unit", ["us", "ns"])
def test_parts_are_those_of_the_calendar(unit):
    values = np.array(MOMENTS, dtype=f"datetime64[{unit}]")
    for place, name in enumerate(["day", "month", "weekday", "hour"]):
        assert DATE_PARTS[name].of_values(values).tolist() == [parts_of_date(value)[place] for value in MOMENTS]


FRAMES = {
    "pandas ns": lambda values: pd.DataFrame({"when": np.array(values, dtype="datetime64[ns]")}),
    "pandas us": lambda values: pd.DataFrame({"when": np.array(values, dtype="datetime64[us]")}),
    "pandas objects": lambda values: pd.DataFrame({"when": pd.Series(values, dtype=object)}),
    "pandas zone": lambda values: pd.DataFrame({"when": pd.Series(in_zone(values)).dt.as_unit("us")}),
    "objects of a zone": lambda values: pd.DataFrame({"when": pd.Series(in_zone(values), dtype=object)}),
    "polars": lambda values: pl.DataFrame({"when": values}),
    "polars zone": lambda values: pl.DataFrame({"when": values}).with_columns(
        pl.col("when").dt.replace_time_zone("UTC").dt.convert_time_zone("Asia/Tokyo")
    ),
}


def in_zone(values):
    return [
        None if value is None else value.replace(tzinfo=dt.UTC).astimezone(ZoneInfo("Asia/Tokyo")) for value in values
    ]


@pytest.mark.parametrize("kind", FRAMES)
def test_frames_of_dates_are_read(kind):
    values = [*MOMENTS, None]
    frame = FRAMES[kind](values)
    schema = learn(frame)
    assert schema.names == FOUR
    assert schema.source_names == ("when",)
    assert (schema.n_columns, schema.n_sources, schema.n_passed, schema.places) == (4, 1, 1, [0, 0, 0, 0])
    expected = [nan if value is None else parts_of_date(value) for value in values[:-1]] + [[nan] * 4]
    np.testing.assert_array_equal(read(schema, frame), expected)


def test_other_times_are_read():
    times = [dt.time(0, 0, 0, 1), None, dt.time(23, 59)]
    waits = [dt.timedelta(days=-1, microseconds=1), dt.timedelta(0), None]
    expected = [[hours_of_time(times[0]), -86_400 + 1e-6], [nan, 0.0], [hours_of_time(times[2]), nan]]
    for frame in (pd.DataFrame({"at": times, "wait": waits}), pl.DataFrame({"at": times, "wait": waits})):
        schema = learn(frame, None)
        assert schema.parts == {0: ("at", "time"), 1: ("wait", "seconds")}
        assert schema.names == ("at", "wait")
        np.testing.assert_array_equal(read(schema, frame), expected)


def test_parts_that_never_change_are_left_out():
    days = np.array(["2024-03-01", "2024-03-05"], dtype="datetime64[D]")
    frame = pl.DataFrame({"x": [1.0, 2.0], "when": days, "city": ["a", "b"]})
    schema = learn(frame)
    assert schema == Schema(
        4, {3: ("a", "b")}, ("x", "when", "when (weekday)", "city"), {}, {1: ("when", "day"), 2: ("when", "weekday")}
    )
    np.testing.assert_array_equal(read(schema, frame[:, ::-1])[0], [1.0, 19783.0, 4.0, 0.0])


def test_parts_of_either_table_are_read():
    labeled = pd.DataFrame({"when": pd.to_datetime(["2024-03-01"] * 2), "x": [1.0, 2.0]})
    pool = pd.DataFrame({"x": [3.0, 4.0], "when": pd.to_datetime(["2024-03-01 12:00", "2024-05-03 00:00"])})
    schema = learn(labeled, pool=pool)
    assert schema.names == ("when", "when (month)", "when (hour)", "x")
    assert read(schema, pool, "X_unlabeled")[0].tolist() == [19783.5, 3.0, 12.0, 3.0]


def test_identifiers_beside_dates_are_left_out():
    days = pd.date_range("2024-01-01", periods=50)
    frame = pd.DataFrame({"when": days, "id": np.arange(50), "x": np.linspace(0, 1, 50)})
    with pytest.warns(UserWarning, match="ignored: 'id'"):
        schema = learn_schema(as_rows(frame))
    assert schema.names == ("when", "when (month)", "when (weekday)", "x")
    assert (schema.left_out, schema.places, schema.source_places) == ({1: "id"}, [0, 0, 0, 2], [0, 2])
    assert read(schema, frame).shape == (50, 4)
    assert decode_schema(encode_schema(schema)) == schema
    check_schema(schema)


REFUSED = {
    "numbers": (pd.DataFrame({"when": [1.0]}), "Column 'when' of X must hold dates, as it did .* Got numbers; convert"),
    "words": (
        pd.DataFrame({"when": ["2024-01-01", "soon"]}),
        "Column 'when' of X must hold dates, as it did .* Got 'soon' in row 1; correct the cell",
    ),
    "durations": (pd.DataFrame({"when": pd.to_timedelta([1])}), "must hold dates, .* Got durations; convert it"),
    "an array": (np.zeros((1, 1)), "X must be a data frame .* columns 'when', .* held dates, times or durations. Got"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_tables_without_the_dates_that_were_learnt(case):
    schema = learn(FRAMES["polars"](MOMENTS))
    table, sentence = REFUSED[case]
    with pytest.raises(ValueError, match=sentence):
        read(schema, table)


def test_text_where_dates_were_is_read():
    schema = learn(FRAMES["polars"](MOMENTS))
    spelled = pd.DataFrame({"when": ["2024-02-29 12:00:00", " 1970-01-01", "NA", "-"]})
    expected = [parts_of_date(dt.datetime(2024, 2, 29, 12)), parts_of_date(dt.datetime(1970, 1, 1))]
    np.testing.assert_array_equal(read(schema, spelled), [*expected, [nan] * 4, [nan] * 4])


def test_dates_where_numbers_or_categories_were():
    days = pd.DataFrame({"x": pd.to_datetime(["2024-01-01"])})
    for learnt, sentence in ([1.5], "must hold numbers, as .* Got dates"), (["a"], "must hold text, as .* Got dates"):
        with pytest.raises(ValueError, match=sentence):
            read(learn(pd.DataFrame({"x": learnt})), days)


def test_names_that_cannot_be_told_apart():
    frame = pd.DataFrame({"a": pd.to_datetime(["2024-01-01", "2024-05-01"]), "a (month)": [1, 2]})
    with pytest.raises(
        ValueError,
        match=r"Columns of X, the parts of its dates and .* must .* Got 'a \(month\)' more than once",
    ):
        learn(frame)


GOOD = Schema(3, {}, ("a", "a (hour)", "b"), {}, {0: ("a", "day"), 1: ("a", "hour")})
FORGED = {
    "unknown part": {0: ("a", "year"), 1: ("a", "hour")},
    "another name": {0: ("c", "day"), 1: ("a", "hour")},
    "apart": {0: ("a", "day"), 1: ("b", "hour")},
    "order": {0: ("a", "day"), 1: ("a", "hour"), 2: ("b", "hour")},
    "number": {3: ("a", "day")},
    "no text": {0: (1, "day")},
}


@pytest.mark.parametrize("case", FORGED)
def test_files_with_parts_that_cannot_be(case):
    check_schema(GOOD)
    with pytest.raises(ValueError, match="parts of"):
        check_schema(Schema(3, {}, GOOD.names, {}, FORGED[case]))


def test_files_without_dates_say_nothing_of_them():
    assert "parts" not in encode_schema(Schema(1, {}, ("a",)))
    assert encode_schema(GOOD)["parts"][1] == {"column": 1, "source": "a", "part": "hour"}


ENTRY = {"column": 0, "source": "a", "part": "day"}
UNREADABLE = {
    "no list": {"a": 1},
    "nothing": [],
    "an entry without a part": [{"column": 0, "source": "a"}],
    "an entry with more": [ENTRY | {"zone": "UTC"}],
    "columns that fall": [ENTRY | {"column": 1}, ENTRY],
    "a column twice": [ENTRY, ENTRY],
    "a column of text": [ENTRY | {"column": "0"}],
}


@pytest.mark.parametrize("case", UNREADABLE)
def test_files_whose_parts_cannot_be_read(case):
    with pytest.raises(ValueError, match=r"parts of|whole number|count|fields|entry of parts must have the names"):
        decode_schema(encode_schema(GOOD) | {"parts": UNREADABLE[case]})


@pytest.mark.parametrize(
    "entry", [ENTRY | {"source": ["a"]}, ENTRY | {"part": ["day"]}, ENTRY | {"part": None}], ids=str
)
def test_values_of_parts_of_another_type_are_refused(entry):
    with pytest.raises(ValueError, match="parts of its schema must be columns of numbers"):
        check_schema(decode_schema(encode_schema(GOOD) | {"parts": [entry]}))
