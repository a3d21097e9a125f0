"""Data frames whose columns are found by name."""

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from s2auc.data.learning import learn_schema
from s2auc.data.schema import Schema

COLUMNS = {"age": [31.0, 45.0], "city": ["Rome", "Oslo"], "member": [True, False]}
MATRIX = [[31, 1, 1], [45, 0, 0]]
LIBRARIES = {"pandas": pd.DataFrame, "polars": pl.DataFrame}


@pytest.fixture(params=LIBRARIES)
def make(request):
    return LIBRARIES[request.param]


def reordered(*names):
    return {name: COLUMNS.get(name, [0, 0]) for name in names}


def test_names_are_those_of_scikit_learn(make):
    assert learn_schema(make(COLUMNS)).names == ("age", "city", "member")
    assert learn_schema(np.eye(2)).names is None
    assert learn_schema([[1, 2]]).names is None
    assert learn_schema(make()).names is None


def with_names(values, names):
    frame = pd.DataFrame([values])
    frame.columns = names
    return frame


NAMES = [
    ["a", 1],
    [("a", "b"), ("a", "c")],
    [None, "a"],
    [pd.NA, "a"],
    [0.5, 1.5],
    [True, False],
    ["a", pd.Timestamp(0)],
]


@pytest.mark.parametrize("columns", NAMES, ids=map(str, range(len(NAMES))))
def test_names_are_all_text_or_all_whole_numbers(columns):
    frame = with_names([1.0, 2.0], columns)
    sentence = (
        r"^Columns of Z must have names that are all text or all whole numbers\. Got .*; rename them, such as by .*\.$"
    )
    with pytest.raises(TypeError, match=sentence):
        learn_schema(frame, called="Z")
    with pytest.raises(TypeError, match=sentence):
        Schema(2, {}).read(frame, "Z")


@pytest.mark.parametrize(
    ("fitted", "given", "expected"),
    [
        ([0, 1], [1, 0], [2.0, 1.0]),  # numbers of columns, in another order
        ([1, 0], [1, 0], [1.0, 2.0]),
        ([1, 0], [0, 1], [2.0, 1.0]),
        ([5, 7], [7, 5], [2.0, 1.0]),
        ([5, 7], [0, 1], [1.0, 2.0]),  # numbers that say nothing
        ([0, 1], [5, 7], [1.0, 2.0]),
        ([5, 7], ["a", "b"], [1.0, 2.0]),
        ([0, 1], ["b", "a"], [1.0, 2.0]),
    ],
)
def test_numbers_as_names(fitted, given, expected):
    schema = learn_schema(with_names([3.0, 4.0], np.array(fitted)))
    assert schema.names == (None if fitted == [0, 1] else tuple(fitted))
    assert schema.read(with_names([1.0, 2.0], given)).tolist() == [expected]
    assert schema.read(np.array([[1.0, 2.0]])).tolist() == [[1.0, 2.0]]


def test_other_numbers_are_missing_columns():
    schema = learn_schema(with_names([3.0, 4.0], [5, 7]))
    with pytest.raises(ValueError, match=r"^X must have the columns .* Missing: 7; add them\.$"):
        schema.read(with_names([1.0, 2.0], [5, 8]))
    with pytest.warns(UserWarning, match="ignored: '6'"):
        assert schema.read(with_names([1.0, 2.0, 3.0], [7, 6, 5])).tolist() == [[3.0, 1.0]]


def test_names_are_plain_text():
    frame = pd.DataFrame([[1.0]], columns=np.array(["a"]).astype(object))
    frame.columns = [np.str_("a")]
    (name,) = learn_schema(frame).names
    assert type(name) is str


def test_the_order_of_columns_does_not_matter(make):
    schema = learn_schema(make(COLUMNS))
    other = make(reordered("member", "age", "city"))
    np.testing.assert_array_equal(schema.read(other), MATRIX)
    assert list(schema.align(other).columns) == ["age", "city", "member"]
    assert type(schema.align(other)) is make
    assert list(other.columns) == ["member", "age", "city"]


def test_names_are_no_patterns(make):
    schema = learn_schema(make({"*": [1.0], "^a.*$": [2.0], "ab": [3.0]}))
    assert schema.read(make({"ab": [6.0], "^a.*$": [5.0], "*": [4.0]})).tolist() == [[4.0, 5.0, 6.0]]


def test_what_needs_no_change_stays_as_it_is(make):
    schema, frame = learn_schema(make(COLUMNS)), make(COLUMNS)
    assert schema.align(frame) is frame
    by_position = Schema(3, {})
    assert by_position.align(frame) is frame
    rows = np.eye(3)
    assert schema.align(rows) is rows


@given(st.permutations(range(5)), st.sampled_from(list(LIBRARIES)))
def test_any_order_gives_the_same_matrix(order, library):
    names, columns = list("edcba"), np.arange(15.0).reshape(5, 3)
    frame = LIBRARIES[library](dict(zip(names, columns, strict=True)))
    other = LIBRARIES[library]({names[place]: columns[place] for place in order})
    schema = learn_schema(frame)
    np.testing.assert_array_equal(schema.read(other), schema.read(frame))


def test_missing_columns_are_named(make):
    schema = learn_schema(make(COLUMNS))
    for call in (schema.read, schema.align):
        with pytest.raises(ValueError, match=r"^X must have the columns that the model was fitted on") as caught:
            call(make(reordered("member", "id")))
        assert str(caught.value).endswith(". Missing: 'age', 'city'; add them.")
    with pytest.raises(ValueError, match=r"^X_unlabeled must have the columns .* Missing: 'city'; add them"):
        schema.read(make(reordered("age", "member")), called="X_unlabeled")
    many = learn_schema(make({f"x{place}": [1.0] for place in range(100)}))
    with pytest.raises(ValueError, match=r"Missing: 'x1', 'x2', 'x3', 'x4', 'x5' and 94 more; add them\.$"):
        many.read(make({"x0": [1.0]}))


def test_names_that_are_no_text_are_not_the_fitted_ones():
    schema = learn_schema(pd.DataFrame({"0": [1.0], "1": [2.0]}))
    with pytest.raises(ValueError, match="Missing: '0', '1'; add them"):
        schema.read(pd.DataFrame([[1.0, 2.0]]))


def test_other_columns_are_ignored_with_one_warning_at_the_callers_line(make):
    schema = learn_schema(make(COLUMNS))
    other = make(reordered("id", "city", "member", "when", "age"))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        np.testing.assert_array_equal(schema.read(other), MATRIX)
    assert [warning.filename for warning in caught] == [__file__]
    assert str(caught[0].message).startswith("X has columns that the model was not fitted on, and that are ignored: ")
    assert str(caught[0].message).endswith(": 'id', 'when'. Leave them out.")
    with pytest.warns(UserWarning, match="X_unlabeled has columns .* ignored: 'x0', .*'x4' and 5 more"):
        assert schema.align(make(COLUMNS | {f"x{place}": [0, 0] for place in range(10)}), "X_unlabeled").shape == (2, 3)


def test_names_must_be_unique():
    twice = pd.DataFrame([["a", 1.0, "b"]], columns=["x", "y", "x"])
    sentence = "^Columns of X must have different names. Got 'x' more than once; rename or leave out all but one.$"
    with pytest.raises(ValueError, match=sentence):
        learn_schema(twice)
    with pytest.raises(ValueError, match=sentence):
        learn_schema(pd.DataFrame({"x": ["a"], "y": [1.0]})).read(twice)
    with pytest.warns(UserWarning, match="ignored: 'x', 'x'"):
        assert learn_schema(pd.DataFrame({"y": [1.0]})).read(twice).tolist() == [[1.0]]
    for names in (["x", "y", "x"], [0, 1, 0]):
        with pytest.raises(ValueError, match=sentence.replace("'x'", repr(names[0]))):
            Schema(3, {}).read(with_names([1.0, 2.0, 3.0], names))
        with pytest.raises(ValueError, match=sentence.replace("'x'", repr(names[0]))):
            learn_schema(with_names([1.0, 2.0, 3.0], names))


def test_frames_are_read_by_position_where_there_are_no_names(make):
    schema = learn_schema(np.eye(3))
    frame = make({"b": [1.0], "a": [2.0], "c": [3.0]})
    assert schema.read(frame).tolist() == [[1.0, 2.0, 3.0]]
    for call in (schema.read, schema.align):
        with pytest.raises(ValueError, match=r"^X must have the 3 columns .* fitted on\. Got 2; pass rows"):
            call(frame[["a", "b"]])


def test_a_retyped_column_is_named(make):
    schema = learn_schema(make(COLUMNS))
    retyped = make(reordered("member", "city", "age") | {"city": [1, 2]})
    with pytest.raises(ValueError, match=r"^Column 'city' of Z must hold text, .* Got 1; convert it\.$"):
        schema.read(retyped, called="Z")
    with pytest.raises(ValueError, match=r"^Column 'age' of X must hold numbers\. Got text such as 'old'"):
        schema.read(make(COLUMNS | {"age": ["old", "young"]}))


def test_long_names_are_cut_in_sentences():
    schema = learn_schema(pd.DataFrame({"x" * 10_000: [1.0]}))
    with pytest.raises(ValueError, match="Missing: 'xxx") as caught:
        schema.read(pd.DataFrame({"y": [1.0]}))
    assert len(str(caught.value)) < 200


def test_joined_schemas_match_names_and_keep_them(make):
    schema = learn_schema(make(COLUMNS))
    other = learn_schema(make({"member": [True], "city": ["Lima"], "age": ["x"], "more": ["y"]}))
    joined = schema.joined(other)
    assert joined == Schema(3, {1: ("Oslo", "Rome", "Lima"), 2: (False, True)}, names=("age", "city", "member"))
    assert schema.joined(learn_schema(make({"city": ["Lima"]}))).levels[1] == ("Oslo", "Rome", "Lima")
    assert schema.joined(learn_schema(make({"age": [1.0]}))) == schema
    by_position = Schema(2, {1: ("Oslo",)}).joined(Schema(2, {0: ("a",), 1: ("Lima", "Oslo")}, names=("x", "y")))
    assert by_position == Schema(2, {1: ("Oslo", "Lima")})


@pytest.mark.parametrize(
    ("own", "more", "joined"),
    [
        ((1, 2), (2.0, 3.0), (1, 2, 3.0)),
        ((False, True), (0, 1, 2), (0, 1, 2)),
        ((), ("a",), ("a",)),
        ((2**53,), (float(2**53), 2**53 + 1, 0.5), (2.0**53, 0.5)),
    ],
)
def test_joined_levels_are_of_one_type(own, more, joined):
    levels = Schema(1, {0: own}).joined(Schema(1, {0: more})).levels[0]
    assert levels == joined
    assert len(set(map(type, levels))) == 1


@pytest.mark.parametrize("fitted", [["Oslo", "Rome", None], pd.to_datetime(["2024-01-01", "2024-05-02", None])])
def test_a_column_without_values_may_have_any_type(fitted):
    """pandas reads an empty column of a file as floats."""
    schema = learn_schema(pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": fitted}))
    found = schema.read(pd.DataFrame({"a": [1.0, 2.0], "b": [np.nan, np.nan]}))
    assert found[:, 0].tolist() == [1.0, 2.0]
    assert np.isnan(found[:, 1:]).all()
    with pytest.raises(ValueError, match=r"Column 'b' of X must hold (text|dates)"):
        schema.read(pd.DataFrame({"a": [1.0, 2.0], "b": [np.nan, 3.0]}))
