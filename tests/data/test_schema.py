import datetime as dt
import pickle
import time
from dataclasses import replace
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from read_tables import learn, read
from s2auc.data.inputs import as_rows
from s2auc.data.schema.schema import Schema
from s2auc.data.schema.text_readings import MISSING
from s2auc.data.sources.rows import dense_rows

nan = np.nan

COLUMNS = {
    "age": [31, None, 45, 20],
    "city": ["Rome", "Oslo", None, "Rome"],
    "member": [True, False, True, True],
    "height": [1.5, 2.5, nan, 0.5],
}
MATRIX = [[31, 1, 1, 1.5], [nan, 0, 0, 2.5], [45, nan, 1, nan], [20, 1, 1, 0.5]]
FRAMES = {
    "pandas": pd.DataFrame(COLUMNS),
    "pandas_objects": pd.DataFrame(COLUMNS, dtype=object),
    "pandas_nullable": pd.DataFrame(COLUMNS).convert_dtypes(),
    "pandas_category": pd.DataFrame(COLUMNS).astype({"city": "category", "member": "category"}),
    "pandas_index": pd.DataFrame(COLUMNS, index=[7, 7, 3, 1]),
    "polars": pl.DataFrame(COLUMNS),
    "polars_category": pl.DataFrame(COLUMNS, schema_overrides={"city": pl.Categorical, "height": pl.Float32}),
    "polars_enum": pl.DataFrame(COLUMNS, schema_overrides={"city": pl.Enum(["Oslo", "Rome"]), "age": pl.UInt8}),
}


def plain(value):
    """Return a value as categories have it: text without blanks around it, None where it is missing."""
    if isinstance(value, str):
        return None if value.strip() in MISSING else value.strip()
    return None if value is None or value != value else value


def by_value(column, levels):
    """Return codes one value at a time."""
    return [float(levels.index(plain(value))) if plain(value) in levels else nan for value in column]


@pytest.mark.parametrize("learnt", FRAMES)
@pytest.mark.parametrize("other", FRAMES)
def test_frames_of_any_kind_mean_the_same(learnt, other):
    schema = learn(FRAMES[learnt])
    assert schema == Schema(4, {1: ("Oslo", "Rome"), 2: (False, True)}, names=tuple(COLUMNS))
    assert schema.is_categorical.tolist() == [False, True, True, False]
    assert [type(level) for levels in schema.levels.values() for level in levels] == [str, str, bool, bool]
    matrix = read(schema, FRAMES[other])
    assert matrix.dtype == np.float64
    np.testing.assert_array_equal(matrix, MATRIX)


CELLS = {
    "text": st.sampled_from(["", "a", " a", "b", "é", "nan", "NA", "na", "1", None]),
    "booleans": st.sampled_from([True, False, None]),
    "integers": st.sampled_from([-3, 0, 1, 2**60, 2**60 + 1, None]),
    "floats": st.sampled_from([-0.5, 0.0, 0.1, 1e300, nan, None]),
}


@pytest.mark.parametrize("kind", CELLS)
@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_codes_are_places_among_the_levels(kind, frame):
    dtype = {"text": object, "booleans": "boolean", "integers": "Int64", "floats": "float64"}[kind]
    polars_dtype = {"text": pl.String, "booleans": pl.Boolean, "integers": pl.Int64, "floats": pl.Float64}[kind]

    def make(values):
        if frame is pl.DataFrame:
            return pl.DataFrame({"x": pl.Series(values, dtype=polars_dtype)})
        return pd.DataFrame({"x": pd.Series(values, dtype=dtype)})

    @given(st.lists(CELLS[kind], min_size=1, max_size=12), st.lists(CELLS[kind], max_size=12))
    def check(learnt, other):
        schema = learn(make(learnt), ["x"])
        levels = sorted({plain(value) for value in learnt} - {None})
        assert schema.levels == {0: tuple(levels)}
        np.testing.assert_array_equal(read(schema, make(other))[:, 0], by_value(other, levels))

    check()


def test_categories_are_those_that_occur_whatever_their_type_declares():
    sizes = ["small", "medium", "large", "huge"]
    values = ["large", None, "small"]
    frames = [
        pd.DataFrame({"size": pd.Categorical(values, categories=sizes, ordered=True)}),
        pl.DataFrame({"size": pl.Series(values, dtype=pl.Enum(sizes))}),
        pl.DataFrame({"size": pl.Series(values, dtype=pl.Categorical)}),
        pl.DataFrame({"size": values}),
    ]
    for frame in frames:
        schema = learn(frame)
        assert schema.levels == {0: ("large", "small")}
        np.testing.assert_array_equal(read(schema, frame), [[0], [nan], [1]])
        np.testing.assert_array_equal(read(schema, pl.DataFrame({"size": ["huge", "small"]})), [[nan], [1]])
    numbers = pd.DataFrame({"grade": pd.Categorical([3, 1, 3], categories=[3, 2, 1])})
    assert learn(numbers).levels == {0: (1, 3)}
    np.testing.assert_array_equal(read(learn(numbers, None), numbers), [[3], [1], [3]])


def test_strangers_are_missing():
    schema = learn(FRAMES["pandas"])
    other = pd.DataFrame({"age": [1], "city": ["Lima"], "member": [None], "height": [2]})
    np.testing.assert_array_equal(read(schema, other), [[1, nan, nan, 2]])


def test_numbers_of_all_types_are_read():
    frame = pd.DataFrame(
        {
            "decimal": [Decimal("0.5"), None, Decimal("-2")],
            "nullable": pd.array([1, None, 3], dtype="Int8"),
            "mixed": pd.Series([1, 2.5, pd.NA], dtype=object),
            "sparse": pd.arrays.SparseArray([0.0, 0.0, 1.5]),
            "infinite": [np.inf, -np.inf, 1.0],
            "nothing": [None, None, None],
        }
    )
    expected = [[0.5, 1, 1, 0, np.inf], [nan, nan, 2.5, 0, -np.inf], [-2, 3, nan, 1.5, 1]]
    schema = learn(frame, None)
    assert schema == Schema(6, {}, names=tuple(frame.columns))
    matrix = as_rows(frame).open(schema).gather(np.arange(3))  # infinity is an error of whoever asks for the rows
    np.testing.assert_array_equal(matrix[:, :5], expected)
    assert np.isnan(matrix[:, 5]).all()
    polars = pl.DataFrame({"decimal": [Decimal("0.5"), None], "nothing": [None, None], "flag": [True, None]})
    np.testing.assert_array_equal(read(learn(polars, None), polars), [[0.5, nan, 1], [nan, nan, nan]])


def test_decimals_and_mixed_numbers_are_categories_by_value():
    frame = pd.DataFrame({"x": [Decimal("0.1"), Decimal("2"), None], "y": pd.Series([2, 0.5, 2.0], dtype=object)})
    schema = learn(frame, ["x", "y"])
    assert schema.levels == {0: (0.1, 2.0), 1: (0.5, 2.0)}
    assert {type(level) for levels in schema.levels.values() for level in levels} == {float}
    np.testing.assert_array_equal(read(schema, frame), [[0, 1], [1, 0], [nan, 1]])


def test_booleans_do_for_zero_and_one():
    flags = pd.DataFrame({"x": [True, False]})
    np.testing.assert_array_equal(read(learn(flags), pd.DataFrame({"x": [0, 1, 2]})), [[0], [1], [nan]])


def test_listed_columns_are_categorical():
    frame = FRAMES["pandas"]
    by_name = learn(frame, ["city", "age"])
    assert by_name == learn(frame, [1, np.int64(0)]) == learn(frame, (0, "city", 0))
    assert by_name.levels == {0: (20.0, 31.0, 45.0), 1: ("Oslo", "Rome")}
    np.testing.assert_array_equal(read(by_name, frame)[:, [0, 2]], [[1, 1], [nan, 0], [2, 1], [0, 1]])
    with_numbers = pd.DataFrame({5: [1.0], 7: [2.0]})
    assert learn(with_numbers, [1]) == learn(with_numbers, ["7"]) == Schema(2, {1: (2.0,)}, names=("5", "7"))


@pytest.mark.parametrize("X", [np.eye(3), np.eye(3).tolist(), csr_array(np.eye(3))], ids=["array", "list", "sparse"])
def test_matrices_are_numbers_without_names(X):
    for categorical_features in ("from_dtype", None, []):
        schema = learn(X, categorical_features)
        assert schema == Schema(3, {})
        np.testing.assert_array_equal(dense_rows(read(schema, X)), np.eye(3))
    schema = learn(X, [2, 0])
    assert schema == Schema(3, {0: None, 2: None})
    assert schema.is_categorical.tolist() == [True, False, True]
    np.testing.assert_array_equal(dense_rows(read(schema, X)), np.eye(3))
    np.testing.assert_array_equal(read(schema, pd.DataFrame(2 * np.eye(3))), 2 * np.eye(3))


def test_matrices_are_not_copied():
    X, stored = np.eye(3), csr_array(np.eye(3))
    assert as_rows(X) is X
    assert learn(X).of_matrix(X) is X
    assert np.shares_memory(learn(stored).of_matrix(as_rows(stored)).data, stored.data)


def test_columns_without_values_are_read():
    frame = pd.DataFrame({"x": pd.Series([None, None], dtype="string"), "y": [None, None]})
    schema = learn(frame)
    assert schema.levels == {0: ()}, "a column whose type says nothing of its values holds numbers"
    np.testing.assert_array_equal(read(schema, pd.DataFrame({"x": ["a"], "y": [2.0]})), [[nan, 2]])
    assert read(schema, frame.iloc[:0]).shape == (0, 2)
    check_refusal("The table must have columns. Got none", learn, frame.iloc[:, :0])


def test_tables_can_be_copied():
    schema = learn(FRAMES["polars"])
    assert pickle.loads(pickle.dumps(schema)) == schema


def test_reading_leaves_frames_alone():
    frame = pd.DataFrame(COLUMNS)
    read(learn(frame), frame)[:] = 7.0
    pd.testing.assert_frame_equal(frame, FRAMES["pandas"])


DAY, NOON = dt.date(2020, 2, 29), dt.datetime(2020, 2, 29, 12)
AUTO = "from_dtype"
SEVERAL_TYPES = {
    "digits": (["1.5", "2"], None, [1.5, 2]),
    "a placeholder": ([1.0, "?"], AUTO, [1, nan]),
    "blanks": ([29.85, " ", 30], AUTO, [29.85, nan, 30]),
    "a category of dates": (pd.Categorical([DAY, dt.date(2020, 2, 22)]), AUTO, [18321, 18314]),
    "dates and times": ([DAY, NOON], AUTO, [18321, 18321.5]),
    "times and dates": ([NOON, DAY], AUTO, [18321.5, 18321]),
    "flags and numbers": ([2, True], AUTO, [0, 1]),
    "listed flags and numbers": ([2, True], ["x"], [0, 1]),
    "words and numbers": ([1, "b", 2.0, "b"], AUTO, [0, 2, 1, 2]),
}


@pytest.mark.parametrize("case", SEVERAL_TYPES)
def test_columns_of_several_types_mean_what_their_text_does(case):
    values, categorical_features, expected = SEVERAL_TYPES[case]
    frame = pd.DataFrame({"x": values if isinstance(values, pd.Categorical) else pd.Series(values, dtype=object)})
    np.testing.assert_array_equal(read(learn(frame, categorical_features), frame)[:, 0], expected)


UNREAD = "Columns of X must hold numbers, booleans, text, dates or times. Got 'x' ({}, a type that is not read); take"
BAD_FRAMES = {
    "text": (pd.DataFrame({"city": ["Rome"]}), None, "Column 'city' of X must hold numbers. Got text such as 'Rome'; "),
    "text_polars": (pl.DataFrame({"city": ["Rome"]}), [], "Column 'city' of X must hold numbers. Got text"),
    "text_category": (
        pd.DataFrame({"c": ["a"]}, dtype="category"),
        None,
        "Column 'c' of X must hold numbers. Got text",
    ),
    "date_listed": (pl.DataFrame({"d": [DAY]}), ["d"], "Column 'd' .* Got dates; take it out of categorical_features"),
    "interval": (pd.DataFrame({"x": pd.cut([1, 2], 2)}), AUTO, UNREAD.format(".*")),
    "list": (pl.DataFrame({"x": [[1, 2]]}), AUTO, UNREAD.format("lists")),
    "complex": (pd.DataFrame({"x": [1j]}), AUTO, UNREAD.format("objects")),
    "bytes": (pd.DataFrame({"x": [b"a"]}), AUTO, UNREAD.format("bytes")),
    "infinite": (pd.DataFrame({"x": [np.inf]}), ["x"], "Column 'x' of X must hold finite numbers .* Got inf; replace"),
}


@pytest.mark.parametrize("case", BAD_FRAMES)
def test_frames_that_mean_nothing(case):
    frame, categorical_features, sentence = BAD_FRAMES[case]
    check_refusal(sentence, learn, frame, categorical_features)


def check_refusal(sentence, function, *args):
    with pytest.raises(
        ValueError, match=sentence.replace("(", r"\(").replace(")", r"\)").replace("?", r"\?")
    ) as caught:
        function(*args)
    assert str(caught.value).endswith(".")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("categorical_features", "sentence"),
    [
        ("age", "must be 'from_dtype', None, or a list .* Got 'age'; pass .'age'. for a single column"),
        (3, "must be 'from_dtype', None, or a list .* Got 3; pass .3. for a single column"),
        (["age", "size"], "must list columns of X, which are 'age', 'city', 'member', 'height'. Got 'size'; correct"),
        ([4], "column numbers from 0 to 3. Got 4; correct or remove it"),
        ([-1], "column numbers from 0 to 3. Got -1; correct"),
        ([True], "column numbers from 0 to 3. Got True; correct"),
        ([1.0], "column numbers from 0 to 3. Got 1.0; correct"),
        ([None], "column numbers from 0 to 3. Got None; correct"),
    ],
)
@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_columns_that_do_not_exist(categorical_features, sentence, library):
    check_refusal(sentence, learn, FRAMES[library], categorical_features)


def test_arrays_that_have_no_names_or_no_columns():
    check_refusal("numbers where X is no data frame. Got the name 'age'", learn, np.eye(2), ["age"])
    check_refusal("Expected 2D array, got 1D array instead", learn, np.zeros(3))
    check_refusal("column numbers from 0 to 1. Got 2", learn, [[1, 2]], [2])


def test_frames_unlike_the_one_that_was_learnt():
    schema = learn(FRAMES["pandas"])
    check_refusal(
        "X must be a data frame .* columns 'city', 'member' held categories. Got ndarray; pass", read, schema, np.eye(4)
    )
    unnamed = replace(schema, names=None)
    check_refusal("columns 1, 2 held categories. Got ndarray", read, unnamed, np.eye(4).tolist())
    text = FRAMES["pandas"].assign(age=["31", "old", "", None])
    check_refusal(
        "Column 'age' of X must hold numbers, as it did .* Got 'old' in row 1; correct .* unreadable='missing'",
        read,
        schema,
        text,
    )
    days = FRAMES["pandas"].assign(city=pd.Timestamp(0))
    check_refusal("Column 'city' of X must hold text, as it did .* Got dates; convert it", read, schema, days)
    flags = FRAMES["pandas"].assign(member="yes")
    check_refusal("Column 'member' of X must hold booleans, as .* Got 'yes' in row 0; correct", read, schema, flags)


def test_numbers_where_text_was_are_the_text_of_these_numbers():
    schema = learn(pd.DataFrame({"grade": ["1", "2", "A"]}))
    np.testing.assert_array_equal(read(schema, pd.DataFrame({"grade": [2, 1, 3]})), [[1], [0], [nan]])
    np.testing.assert_array_equal(read(schema, pd.DataFrame({"grade": [2.0, None, 1.0]})), [[1], [nan], [0]])


def test_large_frames_are_read_fast():
    rng = np.random.default_rng(0)
    numbers = {f"x{i}": rng.normal(size=50_000) for i in range(15)}
    text = {f"t{i}": rng.integers(0, 10 ** (i + 1), 50_000).astype(str).astype(object) for i in range(4)}
    frame = pd.DataFrame(numbers | text | {"few": rng.choice(["a", "b", None], 50_000)})
    started = time.process_time()
    matrix = read(learn(frame), frame)
    assert time.process_time() - started < 0.8  # about 0.1 on an idle machine
    assert matrix.shape == (50_000, 20)
