"""What the text of a column stands for, against a reference that looks at one value at a time."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference.text_types import MISSING, kind_of_texts
from s2auc import open_table
from s2auc.data import text_types
from s2auc.data.learning import learn_schema

KINDS = {
    "booleans": ["true", "FALSE", "True"],
    "whole numbers": ["1", "-20", "0", "9223372036854775807"],
    "numbers": ["1.5", "-2e3", ".5", "9223372036854775808", "inf"],
    "iso": ["2024-02-29", "1969-12-31"],
    "dots": ["01.02.2024", "28.02.2024"],
    "days first": ["01/02/2024", "28/02/2024"],
    "months first": ["01/02/2024", "02/28/2024"],
    "years first": ["2024/02/01"],
    "codes": ["007", "-01"],
    "words": ["yes", "no", "1,5", "30.02.2024", "a b", "2024-13-01"],
    "missing": ["", " NA ", "null", "nan"],
}


def settled(values, split=None):
    column = text_types.TextColumn()
    for part in (values,) if split is None else (values[:split], values[split:]):
        column.look_at(text_types.present_text(pa.array(part, pa.string())))
    return column.settle()


def shape(kind):
    return "dates" if kind is not None and kind.startswith("dates") else kind


def test_spellings_of_missing_values_are_those_of_the_reference():
    assert set(text_types.MISSING) == MISSING


@given(st.data())
def test_types_are_those_of_the_reference(data):
    kinds = data.draw(st.lists(st.sampled_from(sorted(KINDS)), min_size=1, max_size=3))
    values = data.draw(st.lists(st.sampled_from([value for kind in kinds for value in KINDS[kind]]), max_size=8))
    split = data.draw(st.integers(0, len(values)))
    assert shape(settled(values)) == kind_of_texts(values)
    assert settled(values, split) == settled(values), "it does not matter how rows are cut"


def test_days_and_months_that_could_be_either_are_text():
    assert settled(["01/02/2024", "03/04/2024"]) == "text"
    assert settled(["01/02/2024", "13/04/2024"]) == "dates, day first"
    assert settled(["01/02/2024 10:30", "03/14/2024 00:00"]) == "dates, month first %H:%M"


def test_commas_stand_for_points_where_they_separate_no_values(tmp_path):
    (tmp_path / "t.csv").write_text("a;b\n1,5;1\n-2;2,5e3\n;1.5\n")
    table = open_table(tmp_path / "t.csv")
    [batch] = table.batches(["a", "b"], 10)
    assert batch.to_pydict() == {"a": [1.5, -2.0, None], "b": ["1", "2,5e3", "1.5"]}
    (tmp_path / "t.csv").write_text('a,b\n"1,5",1\n"2,5",2\n')
    [batch] = open_table(tmp_path / "t.csv").batches(["a"], 10)
    assert batch.to_pydict() == {"a": ["1,5", "2,5"]}


@pytest.mark.parametrize("kind", KINDS)
def test_text_becomes_what_it_stands_for(kind):
    values = KINDS[kind]
    name = settled(values)
    if name is None:
        return
    converted = text_types.TEXT_TYPES[name].convert(text_types.present_text(pa.array(values)))
    by_hand = {
        "booleans": lambda: [value.lower() == "true" for value in values],
        "whole numbers": lambda: list(map(int, values)),
        "numbers": lambda: list(map(float, values)),
        "dates": lambda: list(pd.to_datetime(values)),
    }
    found = converted.to_pylist()
    if name in by_hand:
        assert found == by_hand[name]()
    elif name.startswith("dates"):
        assert found == list(pd.to_datetime(values, dayfirst="day first" in name))
    else:
        assert found == values


def test_categories_that_look_like_numbers_elsewhere(tmp_path):
    """A column that was text when a model was fitted is text, even where all of its values could be numbers."""
    (tmp_path / "fit.csv").write_text("grade,x\n1,0.5\n2,1.5\nA,2.5\n")
    (tmp_path / "score.csv").write_text("x,grade\n7.5,2\n8.5,\n9.5,1\n")
    schema = open_table(tmp_path / "fit.csv").X.learn_schema("from_dtype")
    assert schema.levels == {0: ("1", "2", "A")}
    rows = open_table(tmp_path / "score.csv").X.open(schema)
    np.testing.assert_array_equal(rows.gather(np.arange(3)), [[1.0, 7.5], [np.nan, 8.5], [0.0, 9.5]])


def test_several_text_files_are_one_table(tmp_path):
    (tmp_path / "1.csv").write_text("a,b\n1,x\n2,y\n")
    (tmp_path / "2.csv").write_text("a,b\n2.5,\n")
    table = open_table(str(tmp_path / "*.csv"))
    frame = pd.DataFrame({"a": [1, 2, 2.5], "b": ["x", "y", None]})
    assert table.X.learn_schema("from_dtype") == learn_schema(frame)
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
