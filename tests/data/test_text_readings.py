"""What the text of a column stands for, against a reference that looks at one cell at a time."""

import datetime as dt

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from read_tables import learn, read
from reference import text_readings as reference
from s2auc import open_table
from s2auc.data.schema import text_readings
from s2auc.data.schema.text_readings import DECIMAL_COMMAS, NUMBERS, READINGS, TextProfile, read_text

FAMILIES = {
    "booleans": ["true", "FALSE", "True"],
    "whole numbers": ["1", "-20", "0", "+7", "999999999999999", "1000", "12345"],
    "decimals": ["1.5", "-2e3", ".5", "5.", "1e5", "-1E-4", "0.25"],
    "three decimals": ["1.234", "12.500", "-999.999", "7"],
    "no numbers": ["inf", "-Infinity", "NAN", "nan(1)", "1e400"],
    "thousands": ["1,234", "-12,345,678.5", "1 234", "1\u00a0234\u202f567", "9'999", "9’999.25", "12"],
    "groups of commas": ["1,234", "12,345", "999,999", "7", "12"],
    "decimal commas": ["1,5", "-2,25", ",5", "1.234,5", "1 234,50", "3", "1,5e3"],
    "money": ["$5", "-$1,200.50", "$-3", "€ 12", "12 €", "12\u00a0€", "(3.50)", "($1,000)", "¥7", "−4", "£ 1"],
    "shares": ["5%", "12.5 %", "-0.1%", "100%%", "7\u202f%"],
    "iso dates": ["2024-02-29", "1969-12-31", "2023-01-05 10:30", "2023-01-05T10:30:15.25", "2023-01-05 10"],
    "zones": ["2024-02-29T10:30:15Z", "2023-01-05 10:30+02:00", "2023-01-05T10:30:15.000-0530"],
    "dots": ["01.02.2024", "28.02.2024", "1.2.2024", "31.12.1999"],
    "days first": ["01/02/2024", "28/02/2024", "13/1/2024"],
    "months first": ["01/02/2024", "02/28/2024", "1/13/2024"],
    "years first": ["2024/02/01", "1999/12/31"],
    "days and clocks": ["01/02/2024 10:30", "28/02/2024 9:05", "31/12/2024 23:59"],
    "dots and clocks": ["01.02.2024 10:30:00", "28.02.2024 23:59:59"],
    "times": ["10:30", "9:05", "23:59"],
    "times with seconds": ["10:30:15", "0:00:00", "23:59:59"],
    "times with dots": ["18.00.00", "9.30.05"],
    "codes": ["007", "-01", "00123", "1234567890123456", "+12345678901234567890"],
    "words": ["yes", "no", "a b", "1 2", "1,23,456", "0,123,456", "$", "()", "e5", "5%%%", "12:3x"],
    "no dates": ["30.02.2024", "31/04/2024", "29/02/2023", "2024-02-30", "2024-13-01", "24:00", "23:59:60", "1/1/24"],
    "placeholders": ["-", "--", "?", ".", "N.A.", "Unknown", "missing", "not available", "NIL"],
    "missing": ["", " NA ", "null", "nan", "NaT", "None"],
}

EXACT = [name for name, reading in READINGS.items() if not reading.skips]
"""Readings that refuse cells which they cannot read."""


def numbers_of_all_styles():
    """Return numbers with random signs, separators and symbols around them."""

    def spell(sign, whole, group, point, decimals, front, back):
        digits = f"{whole:,}".replace(",", group)
        return f"{sign}{front}{digits}{point if decimals else ''}{decimals}{back}"

    return st.builds(
        spell,
        st.sampled_from(["", "", "-", "+"]),
        st.integers(0, 10**9),
        st.sampled_from(["", ",", ".", " ", "'", "\u202f"]),
        st.sampled_from([".", ","]),
        st.sampled_from(["", "", "5", "25", "125", "0625"]),
        st.sampled_from(["", "", "$", "€ "]),
        st.sampled_from(["", "", " €", "%", " %"]),
    )


@st.composite
def columns(draw):
    """Draw cells of one to three families, some of them missing, with blanks around some."""
    families = draw(st.lists(st.sampled_from(sorted(FAMILIES)), min_size=1, max_size=3, unique=True))
    cells = st.sampled_from([cell for family in families for cell in FAMILIES[family]])
    if draw(st.integers(0, 3)) == 0:
        cells = numbers_of_all_styles()
    around = st.sampled_from(["", "", "", " ", "\t", "\u00a0"])
    others = st.sampled_from([None, "", "NA", "-", "unknown"]) if draw(st.booleans()) else st.nothing()
    return draw(st.lists(st.builds("{1}{0}{1}".format, cells, around) | others, max_size=10))


def profile_of(cells, cuts=(), *, joined=False):
    """Return what a profile makes of cells that come in parts, one after the other or each by its own profile."""
    whole = TextProfile()
    for first, last in zip([0, *cuts], [*cuts, len(cells)], strict=True):
        part = pa.array(cells[first:last], pa.string())
        if joined:
            own = TextProfile()
            own.update(part)
            whole.join(own)
        else:
            whole.update(part)
    return whole


def settled(cells):
    return profile_of(cells).settle()


def test_spellings_are_those_of_the_reference():
    assert set(text_readings.MISSING) == reference.MISSING
    assert set(text_readings.PLACEHOLDERS) == reference.PLACEHOLDERS
    assert EXACT == reference.ORDER


@settings(max_examples=80)
@given(columns())
def test_readings_are_those_of_the_reference(cells):
    assert settled(cells) == reference.reading_of(cells)


@settings(max_examples=60)
@given(columns(), st.data())
def test_it_does_not_matter_how_rows_are_cut(cells, data):
    check_cuts(cells, sorted(data.draw(st.lists(st.integers(0, len(cells)), max_size=4))))


@pytest.mark.parametrize(
    "cells",
    [
        ["1e5", "1,234"],
        ["1,234", "1e-5", "12"],
        ["NAN", "1", "$2"],
        ["1.5", "1.234", "$5"],
        ["1.234", "inf", "$5"],
        ["-", "1.234", "?", "7", "-"],
        ["1", "2", "x", "-", "?"],
    ],
    ids=str,
)
def test_every_cut(cells):
    for cut in range(len(cells) + 1):
        check_cuts(cells, [cut])
    check_cuts(cells, list(range(len(cells))))


def check_cuts(cells, cuts):
    whole = profile_of(cells)
    for other in (profile_of(cells, cuts), profile_of(cells, cuts, joined=True)):
        assert other.is_empty == whole.is_empty
        for kind in (None, "number", "boolean", "date", "time"):
            reading = whole.settle(kind)
            assert other.settle(kind) == reading
            assert other.notes(reading) == whole.notes(reading)
            if reading in (NUMBERS, DECIMAL_COMMAS):
                assert other.is_whole == whole.is_whole


def check_read(cells, reading):
    values, is_unreadable = read_text(pa.array(cells, pa.string()), reading)
    expected, expected_unreadable = reference.read(cells, reading)
    assert is_unreadable.to_pylist() == expected_unreadable
    found = [value.replace(tzinfo=None) if isinstance(value, dt.datetime) else value for value in values.to_pylist()]
    assert len(found) == len(expected)
    for value, known, cell in zip(found, expected, cells, strict=True):
        assert reference.same(value, known), cell


@settings(max_examples=80)
@given(columns(), st.sampled_from(sorted(EXACT)), st.booleans())
def test_cells_become_what_they_stand_for_or_are_marked(cells, reading, is_its_own):
    check_read(cells, (reference.reading_of(cells) or reading) if is_its_own else reading)


@pytest.mark.parametrize("family", FAMILIES)
def test_every_reading_of_every_family(family):
    for reading in EXACT:
        check_read(FAMILIES[family], reading)


DECISIONS = {
    "thousands": (["1,234", "999", "12"], NUMBERS, [1234, 999, 12]),
    "decimals of three digits next to long numbers": (["1,234", "12345"], DECIMAL_COMMAS, [1.234, 12345]),
    "one decimal that is no group": (["1,234", "1,5"], DECIMAL_COMMAS, [1.234, 1.5]),
    "thousands and a point": (["1,234", "1.5"], NUMBERS, [1234, 1.5]),
    "points in thousands": (["1.234"] * 49 + ["7"], NUMBERS, [1.234] * 49 + [7]),
    "many points in thousands": (["1.234"] * 50 + ["7"], DECIMAL_COMMAS, [1234] * 50 + [7]),
    "no short number": (["1.234"] * 50, NUMBERS, [1.234] * 50),
    "long numbers": (["1.234"] * 50 + ["7", "1000"], NUMBERS, [1.234] * 50 + [7, 1000]),
    "points and commas": (["1.234,5", "7"], DECIMAL_COMMAS, [1234.5, 7]),
    "both ways": (["1.234,5", "1,234.5"], None, None),
    "dollars": (["$1,200.50", "-$3", "($4)", "-"], NUMBERS, [1200.5, -3, -4, None]),
    "euros": (["1.200,50 €", "3 €", "-4,5\u00a0€"], DECIMAL_COMMAS, [1200.5, 3, -4.5]),
    "shares": (["12 %", "3.5%", "unknown"], NUMBERS, [12, 3.5, None]),
    "exponents are no long numbers": (["1e5", "1,234"], NUMBERS, [1e5, 1234]),
    "not a number": (["NAN", "1.5", "$2"], NUMBERS, [float("nan"), 1.5, 2]),
    "codes": (["007", "12"], None, None),
    "long codes": (["1234567890123456", "1"], None, None),
    "days or months": (["01/02/2024", "03/04/2024"], None, None),
    "days": (["01/02/2024", "13/04/2024"], "dates, day first", [dt.datetime(2024, 2, 1), dt.datetime(2024, 4, 13)]),
    "months": (
        ["01/02/2024 10:30", "03/14/2024 00:00"],
        "dates, month first %H:%M",
        [dt.datetime(2024, 1, 2, 10, 30), dt.datetime(2024, 3, 14)],
    ),
    "a day that is none": (["28.02.2024", "30.02.2024"], None, None),
    "a leap day": (["29.02.2024"], "dates, day first, dots", [dt.datetime(2024, 2, 29)]),
    "times": (["18.00.00", "9.30.15", "?"], "times with dots", [dt.time(18), dt.time(9, 30, 15), None]),
    "booleans": (["true", "FALSE", ""], "booleans", [True, False, None]),
    "yes and no": (["yes", "no"], None, None),
    "placeholders alone": (["-", "?"], None, None),
    "nothing": (["", "NA", None], None, None),
}


@pytest.mark.parametrize("case", DECISIONS)
def test_decisions(case):
    cells, reading, values = DECISIONS[case]
    assert settled(cells) == reference.reading_of(cells) == reading
    if reading is not None:
        check_read(cells, reading)
        found = read_text(pa.array(cells), reading)[0].to_pylist()
        assert all(reference.same(value, expected) for value, expected in zip(found, values, strict=True))


NOTES = {
    "nothing unusual": (["1.5", "2", "", "1e5"], []),
    "placeholders": (["1", "-", "?", "-", ""], ["3 of 4 cells '-', '?' read as missing"]),
    "money": (["5", "$1,200", "€3"], ["'$1,200' read as 1200"]),
    "decimal commas": (["1,5", "2"], ["'1,5' read as 1.5"]),
    "either": (["1.234", "7"], ["'1.234' read as 1.234"]),
    "decimals": (["1.234", "1.5"], []),
    "infinity": (["inf", "1.5"], []),
    "dates": (["01/02/2024", "13/02/2024", "unknown"], ["1 of 3 cells 'unknown' read as missing"]),
    "ambiguous dates": (["01/02/2024", "03/02/2024"], ["day or month first is not clear: kept as text"]),
    "words": (["a", "-"], []),
}


@pytest.mark.parametrize("case", NOTES)
def test_notes_say_what_was_done(case):
    cells, notes = NOTES[case]
    profile = profile_of(cells)
    assert profile.notes(profile.settle()) == notes


def test_the_kind_of_another_table_counts():
    words = profile_of(["1", "x"])
    assert words.settle("number") is None
    assert profile_of(["1,5", "2"]).settle("number") == DECIMAL_COMMAS
    assert profile_of(["2024-01-01"]).settle("number") is None
    assert profile_of(["2024-01-01"]).settle("date") == "dates"


def test_categories_that_look_like_numbers_elsewhere(tmp_path):
    """A column that was text when a model was fitted is text, even where all of its values could be numbers."""
    (tmp_path / "fit.csv").write_text("grade,x\n1,0.5\n2,1.5\nA,2.5\n")
    (tmp_path / "score.csv").write_text("x,grade\n7.5,2\n8.5,\n9.5,1\n")
    schema = open_table(tmp_path / "fit.csv").X.learn_schema("from_dtype")
    assert schema.levels == {0: ("1", "2", "A")}
    rows = open_table(tmp_path / "score.csv").X.open(schema)
    np.testing.assert_array_equal(rows.gather(np.arange(3)), [[1.0, 7.5], [np.nan, 8.5], [0.0, 9.5]])


SPELLED = {
    "price": ["1.234,50", "-", "7,25", "8"],
    "when": ["05/03/2024", "31/03/2024", "?", "01/01/2024"],
    "at": ["18.00.00", "9.30.00", "unknown", "0.00.00"],
    "share": ["12 %", "$3", "-", "1,000"],
    "is_new": ["true", "FALSE", "", "True"],
}


def test_unusual_readings_are_learnt_and_hold_for_later_tables(tmp_path):
    pd.DataFrame(SPELLED).to_csv(tmp_path / "fit.csv", index=False, sep=";")
    schema = open_table(tmp_path / "fit.csv").X.learn_schema("from_dtype")
    assert schema == learn(SPELLED) == learn(pd.DataFrame(SPELLED))
    assert schema.readings == {0: DECIMAL_COMMAS, 1: "dates, day first", 4: "times with dots"}
    assert schema.names == ("price", "when", "when (month)", "when (weekday)", "at", "share", "is_new")
    assert schema.levels == {6: (False, True)}
    # Both tables could be read another way, if they were read alone.
    later = {"price": ["1.234"], "when": ["05/03/2024"], "at": ["1.1.1"], "share": ["1,234"], "is_new": ["false"]}
    expected = [1234.0, 19787.0, 3.0, 1.0, 1 + 1 / 60 + 1 / 3600, 1234.0, 0.0]
    np.testing.assert_allclose(read(schema, later), [expected], rtol=1e-15)
    np.testing.assert_array_equal(read(schema, {**later, "when": [dt.date(2024, 3, 5)]}), read(schema, later))
    np.testing.assert_array_equal(read(schema, {**later, "price": [1234]}), read(schema, later))


UNREADABLE = {
    "price": ("1.5", "numbers"),
    "when": ("2024-03-05", "dates"),
    "at": ("noon", "times of day"),
    "share": ("a few", "numbers"),
    "is_new": ("yes", "booleans"),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_cells_that_cannot_be_read(name, tmp_path):
    schema = learn(SPELLED)
    cell, held = UNREADABLE[name]
    cells = {**SPELLED, name: [*SPELLED[name][:3], cell]}
    pd.DataFrame(cells).to_csv(tmp_path / "later.csv", index=False)
    expected = read(schema, SPELLED)
    is_its_own = [column.startswith(name) for column in schema.names]
    expected[3, is_its_own] = np.nan
    sentence = (
        f"^Column '{name}' of X must hold {held}, as it did when the model was fitted. Got '{cell}' in row 3; correct "
        "the cell, or treat such cells as missing with unreadable='missing'.$"
    )
    for where in (cells, pd.DataFrame(cells), tmp_path / "later.csv"):
        with pytest.raises(ValueError, match=sentence):
            read(schema, where)
        with pytest.raises(ValueError, match=sentence):
            list(open_table(where).X.open(schema).scan(2))
        np.testing.assert_array_equal(read(schema, open_table(where, unreadable="missing")), expected)


def test_unknown_categories_are_no_errors():
    schema = learn({"city": ["Rome", "Oslo"]})
    np.testing.assert_array_equal(read(schema, {"city": [" Oslo ", "Lima", "NA"]}), [[0], [np.nan], [np.nan]])


def test_commas_stand_for_points_wherever_they_are(tmp_path):
    (tmp_path / "t.csv").write_text("a;b\n1,5;1\n-2;2,5e3\n;1.5\n")
    table = open_table(tmp_path / "t.csv")
    [batch] = table.batches(["a", "b"], 10)
    assert batch.to_pydict() == {"a": ["1,5", "-2", ""], "b": ["1", "2,5e3", "1.5"]}, "as it stands in the file"
    schema = table.X.learn_schema("from_dtype")
    assert (schema.readings, schema.levels) == ({0: DECIMAL_COMMAS}, {1: ("1", "1.5", "2,5e3")})
    (tmp_path / "t.csv").write_text('a,b\n"1,5",1\n"2,5",2\n')
    np.testing.assert_array_equal(read(learn(tmp_path / "t.csv"), tmp_path / "t.csv"), [[1.5, 1], [2.5, 2]])


def test_several_text_files_are_one_table(tmp_path):
    (tmp_path / "1.csv").write_text("a,b\n1,x\n2,y\n")
    (tmp_path / "2.csv").write_text("a,b\n2.5,\n")
    table = open_table(str(tmp_path / "*.csv"))
    frame = pd.DataFrame({"a": [1, 2, 2.5], "b": ["x", "y", None]})
    assert table.X.learn_schema("from_dtype") == learn(frame)
    (tmp_path / "3.csv").write_text("b,a\nx,1\n")
    with pytest.raises(ValueError, match=r"must have the same columns in the same order\. Got 'a', 'b' in '1.csv'"):
        open_table(tmp_path)


def test_the_cache_goes_with_the_table(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "scratch"))
    (tmp_path / "scratch").mkdir()
    (tmp_path / "t.csv").write_text("a\n1\n2\n")
    table = open_table(tmp_path / "t.csv")
    assert {path.name for path in (tmp_path / "scratch").glob("*/*")} - {"lock"} == {"rows.parquet"}
    rows = table.X.open(table.X.learn_schema("from_dtype"))
    del table
    assert rows.gather(np.array([1])).tolist() == [[2.0]]
    del rows
    assert list((tmp_path / "scratch").iterdir()) == []


@pytest.mark.parametrize("reading", [name for name in READINGS if name not in EXACT])
def test_cells_that_cannot_be_read_may_be_skipped(reading):
    text = pa.array(["soon", "7", "1.5.2024", "2024-05-01", "3,5", None, "-"])
    values, is_unreadable = read_text(text, reading)
    exact, _ = read_text(text, reading.removesuffix(", other cells missing"))
    assert values.equals(exact)
    assert not any(is_unreadable.to_pylist())
