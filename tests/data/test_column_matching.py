"""Data frames whose columns are found by name."""

import datetime as dt
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from read_tables import learn, read
from s2auc.data.inputs import as_rows, learn_schema
from s2auc.data.schema.schema import Schema
from s2auc.data.tables.arrow_table import IgnoredColumnsWarning
from s2auc.models.files.schema import check_schema

COLUMNS = {"age": [31.0, 45.0], "city": ["Rome", "Oslo"], "member": [True, False]}
MATRIX = [[31, 1, 1], [45, 0, 0]]
LIBRARIES = {"pandas": pd.DataFrame, "polars": pl.DataFrame}


@pytest.fixture(params=LIBRARIES)
def make(request):
    return LIBRARIES[request.param]


def reordered(*names):
    return {name: COLUMNS.get(name, [0, 0]) for name in names}


def test_names_are_those_of_scikit_learn(make):
    assert learn(make(COLUMNS)).names == ("age", "city", "member")
    assert learn(np.eye(2)).names is None
    assert learn([[1, 2]]).names is None


def with_names(values, names):
    frame = pd.DataFrame([values])
    frame.columns = names
    return frame


NAMES = [
    [("a", "b"), ("a", "c")],
    [None, "a"],
    [pd.NA, "a"],
    [0.5, 1.5],
    [True, False],
    ["a", pd.Timestamp(0)],
]


@pytest.mark.parametrize("columns", NAMES, ids=map(str, range(len(NAMES))))
def test_names_are_text_or_whole_numbers(columns):
    frame = with_names([1.0, 2.0], columns)
    sentence = r"^Columns of X must have names that are text or whole numbers\. Got .*; rename them, such as by .*\.$"
    with pytest.raises(TypeError, match=sentence):
        learn(frame)
    with pytest.raises(TypeError, match=sentence.replace("X", "Z")):
        read(Schema(2, {}), frame, "Z")


def test_whole_numbers_become_text():
    assert learn(with_names([3.0, 4.0], ["a", 1])).names == ("a", "1")
    assert learn(with_names([3.0, 4.0], np.array([5, 7]))).names == ("5", "7")
    assert learn({5: [1.0], "b": [2.0]}).names == ("5", "b")


@pytest.mark.parametrize(
    ("fitted", "given", "expected"),
    [
        ([0, 1], [1, 0], [2.0, 1.0]),  # numbers of columns, in another order
        ([1, 0], [1, 0], [1.0, 2.0]),
        ([1, 0], [0, 1], [2.0, 1.0]),
        ([5, 7], [7, 5], [2.0, 1.0]),
        ([5, 7], ["7", "5"], [2.0, 1.0]),
        (["0", "1"], [1, 0], [2.0, 1.0]),
        ([0, 1], [5, 7], [1.0, 2.0]),  # columns that were fitted by their place
        ([0, 1], ["b", "a"], [1.0, 2.0]),
    ],
)
def test_numbers_as_names(fitted, given, expected):
    schema = learn(with_names([3.0, 4.0], np.array(fitted)))
    assert schema.names == (None if fitted == [0, 1] else tuple(map(str, fitted)))
    assert read(schema, with_names([1.0, 2.0], given)).tolist() == [expected]
    assert read(schema, np.array([[1.0, 2.0]])).tolist() == [[1.0, 2.0]]


def test_numbered_columns_are_found_with_and_without_those_that_are_ignored():
    frame = pd.DataFrame({0: np.arange(30), 1: np.linspace(0, 1, 30), 2: ["a", "b"] * 15})
    with pytest.warns(IgnoredColumnsWarning, match="'0' .row ID"):
        schema = learn_schema(as_rows(frame))
    assert (schema.names, schema.left_out) == (None, {0: "0"})
    assert schema.column_labels == schema.called_columns == ["1", "2"]
    assert schema.passed_names == [0, 1, 2]
    check_schema(schema)
    expected = read(schema, frame)
    for names in ([2, 0, 1], [2, 1], [1, 2]):
        np.testing.assert_array_equal(read(schema, frame[names]), expected)
    np.testing.assert_array_equal(read(schema, frame.set_axis([*"abc"], axis=1)), expected)
    np.testing.assert_array_equal(read(schema, frame[[1, 2]].set_axis([*"bc"], axis=1)), expected)


def test_numbered_columns_may_hold_anything():
    """As those of a file without names, by pd.read_csv(path, header=None)."""
    frame = pd.DataFrame({0: ["2024-03-01", "2024-05-02"], 1: ["a", "b"], 2: ["1,5", "2,5"], 3: [True, False]})
    schema = learn(frame[[1, 2, 3]].set_axis(range(3), axis=1))
    assert schema == Schema(3, {0: ("a", "b"), 2: None}, readings={1: "numbers with decimal commas"})
    assert read(schema, frame[[1, 2, 3]]).tolist() == [[0.0, 1.5, 1.0], [1.0, 2.5, 0.0]]
    dated = learn(frame)
    assert dated.names == ("0", "0 (month)", "0 (weekday)", "1", "2", "3"), "parts are called after their column"
    assert read(dated, frame[[3, 2, 1, 0]]).tolist()[0] == [19783.0, 3.0, 4.0, 0.0, 1.5, 1.0]


def test_other_numbers_are_missing_columns():
    schema = learn(with_names([3.0, 4.0], [5, 7]))
    for names in ([5, 8], [0, 1], ["a", "b"]):
        with pytest.raises(ValueError, match=r"^X must have the columns .* Missing: .*'7'; add them\.$"):
            read(schema, with_names([1.0, 2.0], names))
    with pytest.warns(UserWarning, match="ignored: '6'"):
        assert read(schema, with_names([1.0, 2.0, 3.0], [7, 6, 5])).tolist() == [[3.0, 1.0]]


def test_names_are_plain_text():
    frame = pd.DataFrame([[1.0]], columns=np.array(["a"]).astype(object))
    frame.columns = [np.str_("a")]
    (name,) = learn(frame).names
    assert type(name) is str


def test_the_order_of_columns_does_not_matter(make):
    schema = learn(make(COLUMNS))
    other = make(reordered("member", "age", "city"))
    np.testing.assert_array_equal(read(schema, other), MATRIX)
    assert list(other.columns) == ["member", "age", "city"]


def test_names_are_no_patterns(make):
    schema = learn(make({"*": [1.0], "^a.*$": [2.0], "ab": [3.0]}))
    assert read(schema, make({"ab": [6.0], "^a.*$": [5.0], "*": [4.0]})).tolist() == [[4.0, 5.0, 6.0]]


@given(st.permutations(range(5)), st.sampled_from(list(LIBRARIES)))
def test_any_order_gives_the_same_matrix(order, library):
    names, columns = list("edcba"), np.arange(15.0).reshape(5, 3)
    frame = LIBRARIES[library](dict(zip(names, columns, strict=True)))
    other = LIBRARIES[library]({names[place]: columns[place] for place in order})
    schema = learn(frame)
    np.testing.assert_array_equal(read(schema, other), read(schema, frame))


def test_missing_columns_are_named(make):
    schema = learn(make(COLUMNS))
    with pytest.raises(ValueError, match=r"^X must have the columns that the model was fitted on") as caught:
        read(schema, make(reordered("member", "id")))
    assert str(caught.value).endswith(". Missing: 'age', 'city'; add them.")
    with pytest.raises(ValueError, match=r"^X_unlabeled must have the columns .* Missing: 'city'; add them"):
        read(schema, make(reordered("age", "member")), display_name="X_unlabeled")
    many = learn(make({f"x{place}": [1.0] for place in range(100)}))
    with pytest.raises(ValueError, match=r"Missing: 'x1', 'x2', 'x3', 'x4', 'x5' and 94 more; add them\.$"):
        read(many, make({"x0": [1.0]}))


def test_other_columns_are_ignored_with_one_warning_at_the_callers_line(make):
    schema = learn(make(COLUMNS))
    other = make(reordered("id", "city", "member", "when", "age"))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        rows = as_rows(other).open(schema)
    np.testing.assert_array_equal(rows.gather(np.arange(2)), MATRIX)
    assert [warning.filename for warning in caught] == [__file__]
    assert str(caught[0].message).startswith("X has columns that the model was not fitted on, and that are ignored: ")
    assert str(caught[0].message).endswith(": 'id', 'when'.")
    more = make(COLUMNS | {f"x{place}": [0, 0] for place in range(10)})
    with pytest.warns(UserWarning, match="X_unlabeled has columns .* ignored: 'x0', .*'x4' and 5 more"):
        assert read(schema, more, "X_unlabeled").shape == (2, 3)


def test_names_must_be_unique():
    sentence = "^Columns of Z must have different names. Got 'x' more than once; rename or leave out all but one.$"
    twice = pd.DataFrame([["a", 1.0, "b"]], columns=["x", "y", "x"])
    for schema in (Schema(3, {}), learn(pd.DataFrame({"x": ["a"], "y": [1.0]})), learn(pd.DataFrame({"y": [1.0]}))):
        with pytest.raises(ValueError, match=sentence):
            read(schema, twice, "Z")
    for names in (["x", "y", "x"], [0, 1, 0], [0, "b", "0"]):
        with pytest.raises(ValueError, match=sentence.replace("'x'", repr(str(names[0]))).replace("Z", "X")):
            learn(with_names([1.0, 2.0, 3.0], names))


def test_frames_are_read_by_position_where_there_are_no_names(make):
    schema = learn(np.eye(3))
    frame = make({"b": [1.0], "a": [2.0], "c": [3.0]})
    assert read(schema, frame).tolist() == [[1.0, 2.0, 3.0]]
    with pytest.raises(ValueError, match=r"^X must have the 3 columns .* fitted on\. Got 2; pass rows"):
        read(schema, frame[["a", "b"]])


def test_a_retyped_column_is_named(make):
    schema = learn(make(COLUMNS))
    retyped = make(reordered("member", "city", "age") | {"city": [dt.date(2024, 1, 1)] * 2})
    with pytest.raises(ValueError, match=r"^Column 'city' of Z must hold text, .* Got dates; convert it\.$"):
        read(schema, retyped, display_name="Z")
    with pytest.raises(ValueError, match=r"^Column 'age' of X must hold numbers, .* Got 'young' in row 1; correct "):
        read(schema, make(COLUMNS | {"age": ["45", "young"]}))


def test_long_names_are_cut_in_sentences():
    schema = learn(pd.DataFrame({"x" * 10_000: [1.0]}))
    with pytest.raises(ValueError, match="Missing: 'xxx") as caught:
        read(schema, pd.DataFrame({"y": [1.0]}))
    assert len(str(caught.value)) < 200


def test_categories_of_a_pool_count_and_its_columns_do_not(make):
    pool = make({"member": [True], "city": ["Lima"], "age": [1.0], "more": ["y"]})
    joined = learn(make(COLUMNS), pool=pool)
    assert joined == Schema(3, {1: ("Lima", "Oslo", "Rome"), 2: (False, True)}, names=("age", "city", "member"))
    assert learn(make(COLUMNS), pool=make({"city": ["Lima"]})).levels[1] == ("Lima", "Oslo", "Rome")
    assert learn(make(COLUMNS), pool=make({"age": [1.0]})) == learn(make(COLUMNS))
    numbered = learn(with_names([1.0, "Oslo"], [0, 1]), [1], with_names([2.0, "Lima"], ["x", "y"]))
    assert numbered == Schema(2, {1: ("Lima", "Oslo")})


@pytest.mark.parametrize(
    ("own", "more", "joined"),
    [
        ([1, 2], [2.0, 3.0], (1.0, 2.0, 3.0)),
        ([False, True], [0, 1, 2], (0, 1, 2)),
        ([0, 1, 2], [True, False], (0, 1, 2)),
        ([None], ["a"], ("a",)),
        ([2**53], [2**53 + 1], (2**53, 2**53 + 1)),
        ([2**53], [float(2**53), 0.5], (0.5, 2.0**53)),
        (["b"], ["a", " b"], ("a", "b")),
        ([1, 2], ["3", "2"], (1.0, 2.0, 3.0)),
    ],
)
def test_categories_of_both_tables_are_of_one_type(own, more, joined):
    levels = learn(pd.DataFrame({"x": own}), ["x"], pd.DataFrame({"x": more})).levels[0]
    assert levels == joined
    assert len({type(level) for level in [*levels, *joined]}) == 1


def test_a_pool_of_another_kind_is_named():
    with pytest.raises(ValueError, match=r"^Column 'x' of X_unlabeled must hold numbers, .* Got 'a' in row 1; correct"):
        learn(pd.DataFrame({"x": [1.5, 2.5]}), pool=pd.DataFrame({"x": ["3.5", "a"]}))


@pytest.mark.parametrize("fitted", [["Oslo", "Rome", None], pd.to_datetime(["2024-01-01", "2024-05-02", None])])
def test_a_column_without_values_may_have_any_type(fitted):
    """pandas reads an empty column of a file as floats."""
    schema = learn(pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": fitted}))
    found = read(schema, pd.DataFrame({"a": [1.0, 2.0], "b": [np.nan, np.nan]}))
    assert found[:, 0].tolist() == [1.0, 2.0]
    assert np.isnan(found[:, 1:]).all()
    if schema.parts:
        with pytest.raises(ValueError, match=r"Column 'b' of X must hold dates, .* Got numbers; convert it"):
            read(schema, pd.DataFrame({"a": [1.0, 2.0], "b": [np.nan, 3.0]}))
