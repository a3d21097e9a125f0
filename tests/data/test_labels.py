"""Conventions for y, each with its reading, and mistakes, each with its message."""

import enum
from dataclasses import FrozenInstanceError
from datetime import date
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import coo_array, csr_array
from sklearn.exceptions import DataConversionWarning

from s2auc.data.labels.labels import read_known_labels, read_labels

NAN = float("nan")
Color = enum.Enum("Color", ["RED", "BLUE"])


def groups(labels):
    """One character a row: + positive, - negative, ? unlabelled, and more if it is in several groups."""
    masks = {"+": labels.is_positive, "-": labels.is_negative, "?": labels.is_unlabeled}
    return "".join(sign for row in range(labels.n_rows) for sign, mask in masks.items() if mask[row])


# id: (y, options, classes, rows, kind of the classes' dtype)
CONVENTIONS = {
    "ints": ([0, 1, -1, 1], {}, [0, 1], "-+?+", "i"),
    "tuple": ((0, 1, -1), {}, [0, 1], "-+?", "i"),
    "range": (range(-1, 2), {}, [0, 1], "?-+", "i"),
    "nothing unlabelled": ([0, 1, 0], {}, [0, 1], "-+-", "i"),
    "larger is positive": ([2, 1], {}, [1, 2], "+-", "i"),
    "int8 array": (np.array([0, 1, -1], np.int8), {}, [0, 1], "-+?", "i"),
    "unsigned array": (np.array([0, 1, 1], np.uint8), {}, [0, 1], "-++", "u"),
    "unsigned array, marker in range": (
        np.array([0, 1, 255], np.uint8),
        {"unlabeled": 255},
        [0, 1],
        "-+?",
        "u",
    ),
    "array of ints": (np.array([5, 7, -1]), {}, [5, 7], "-+?", "i"),
    "read-only array": (np.broadcast_to(np.array([[0], [1]]), (2, 1))[:, 0], {}, [0, 1], "-+", "i"),
    "bools": ([True, False], {}, [False, True], "+-", "b"),
    "bool array": (np.array([True, False]), {}, [False, True], "+-", "b"),
    "bools with an int marker": ([True, False, -1], {}, [False, True], "+-?", "b"),
    "bools with None": ([True, None, False], {}, [False, True], "+?-", "b"),
    "bools with NaN": ([True, NAN, False], {}, [False, True], "+?-", "b"),
    "bool array leaves marker 0 alone": (np.array([True, False]), {"unlabeled": 0}, [False, True], "+-", "b"),
    "bools leave marker 1 alone": ([True, False, 1], {"unlabeled": 1}, [False, True], "+-?", "b"),
    "ints leave marker False alone": ([0, 1, False], {"unlabeled": False}, [0, 1], "-+?", "i"),
    "floats": ([0.0, 1.0, -1.0], {}, [0, 1], "-+?", "f"),
    "floats with NaN": (np.array([0, NAN, 1]), {}, [0, 1], "-?+", "f"),
    "float32 with NaN and marker": (np.array([0, NAN, 1, -1], np.float32), {}, [0, 1], "-?+?", "f"),
    "ints with NaN": ([0, 1, NAN, -1], {}, [0, 1], "-+??", "f"),
    "ints with None": ([0, 1, None], {}, [0, 1], "-+?", "i"),
    "ints with pd.NA": ([0, pd.NA, 1], {}, [0, 1], "-?+", "i"),
    "objects of mixed numbers": (np.array([0, 1.0, np.int8(1), -1.0], object), {}, [0, 1], "-++?", "f"),
    "decimals": ([Decimal(0), Decimal(1), Decimal(-1), Decimal("nan")], {}, [0, 1], "-+??", "O"),
    "strings": (["ham", "spam"], {}, ["ham", "spam"], "-+", "U"),
    "strings with an int marker": (["spam", "ham", -1], {}, ["ham", "spam"], "+-?", "U"),
    "strings with NaN and None": (["spam", NAN, "ham", None], {}, ["ham", "spam"], "+?-?", "U"),
    "strings with NaT": (["spam", pd.NaT, "ham"], {}, ["ham", "spam"], "+?-", "U"),
    "strings with a text marker": (["a", "b", "?"], {"unlabeled": "?"}, ["a", "b"], "-+?", "U"),
    "string array": (np.array(["a", "b", ""]), {"unlabeled": ""}, ["a", "b"], "-+?", "U"),
    "variable-width strings": (np.array(["a", "b"], np.dtypes.StringDType()), {}, ["a", "b"], "-+", "U"),
    "text '-1' as a class": (["-1", "1"], {"unlabeled": None}, ["-1", "1"], "-+", "U"),
    "bytes": (np.array([b"n", b"y", b"?"]), {"unlabeled": b"?"}, [b"n", b"y"], "-+?", "S"),
    "minus and plus one": ([-1, 1, 1], {"unlabeled": None}, [-1, 1], "-++", "i"),
    "minus and plus one with NaN": ([-1, 1, NAN], {"unlabeled": None}, [-1, 1], "-+?", "f"),
    "another marker": ([-1, 1, 0], {"unlabeled": 0}, [-1, 1], "-+?", "i"),
    "float marker on ints": (np.array([0, 1, 9]), {"unlabeled": 9.0}, [0, 1], "-+?", "i"),
    "NumPy marker": (np.array([0, 1, 9], np.uint8), {"unlabeled": np.int64(9)}, [0, 1], "-+?", "u"),
    "marker NaN": ([0, 1, NAN], {"unlabeled": NAN}, [0, 1], "-+?", "f"),
    "marker pd.NA": ([0, 1, None], {"unlabeled": pd.NA}, [0, 1], "-+?", "i"),
    "pos_label is the smaller": ([0, 1, -1], {"pos_label": 0}, [1, 0], "+-?", "i"),
    "pos_label is the larger": ([0, 1, -1], {"pos_label": 1}, [0, 1], "-+?", "i"),
    "pos_label by value": (np.array([0.0, 1.0]), {"pos_label": 0}, [1, 0], "+-", "f"),
    "pos_label text": (["ham", "spam"], {"pos_label": "ham"}, ["spam", "ham"], "+-", "U"),
    "pos_label False": ([True, False], {"pos_label": False}, [True, False], "-+", "b"),
    "positives only, 1": ([1, -1, 1], {"pos_label": 1}, [0, 1], "+?+", "i"),
    "positives only, marker 0": ([1, 0, 1], {"pos_label": 1, "unlabeled": 0}, [0, 1], "+?+", "i"),
    "positives only, 0": ([0, -1], {"pos_label": 0}, [1, 0], "+?", "i"),
    "positives only, floats": ([1.0, NAN], {"pos_label": 1}, [0, 1], "+?", "f"),
    "positives only, True": ([True, None], {"pos_label": True}, [False, True], "+?", "b"),
    "positives only, False": ([False, None], {"pos_label": False}, [True, False], "+?", "b"),
    "positives only, text": (["spam", None], {"pos_label": "spam"}, ["not spam", "spam"], "+?", "U"),
    "positives only, string array": (np.array(["a", "a"]), {"pos_label": "a"}, ["not a", "a"], "++", "U"),
    "positives only, bytes": (np.array([b"a"]), {"pos_label": b"a"}, [b"not a", b"a"], "+", "S"),
    "positives only, all rows": ([1, 1], {"pos_label": 1}, [0, 1], "++", "i"),
    "dates": (
        [date(2020, 1, 1), None, date(2021, 1, 1)],
        {},
        [date(2020, 1, 1), date(2021, 1, 1)],
        "-?+",
        "O",
    ),
    "enum with pos_label": (
        [Color.RED, Color.BLUE],
        {"pos_label": Color.RED},
        [Color.BLUE, Color.RED],
        "+-",
        "O",
    ),
    "masked array": (np.ma.array([0, 1, 1], mask=[False, False, True]), {}, [0, 1], "-+?", "i"),
    "pandas ints": (pd.Series([0, 1, -1], index=[9, 9, 3]), {}, [0, 1], "-+?", "i"),
    "pandas floats": (pd.Series([0, 1, None], index=[9, 9, 3]), {}, [0, 1], "-+?", "f"),
    "pandas objects": (pd.Series([True, None, False], dtype=object), {}, [False, True], "+?-", "b"),
    "pandas text": (pd.Series(["b", None, "a"]), {}, ["a", "b"], "+?-", "U"),
    "pandas string": (pd.Series(["b", pd.NA, "a"], dtype="string"), {}, ["a", "b"], "+?-", "U"),
    "pandas Int64": (pd.Series([0, pd.NA, 1, -1], dtype="Int64"), {}, [0, 1], "-?+?", "i"),
    "pandas boolean": (pd.Series([False, pd.NA, True], dtype="boolean"), {}, [False, True], "-?+", "b"),
    "pandas Categorical": (pd.Categorical(["a", None, "b"]), {}, ["a", "b"], "-?+", "U"),
    "pandas category": (pd.Series([1, None, 0], dtype="category"), {}, [0, 1], "+?-", "i"),
    "category order is not used": (
        pd.Categorical(["a", "b"], ["b", "a"], ordered=True),
        {},
        ["a", "b"],
        "-+",
        "U",
    ),
    "pandas Index": (pd.Index(["a", "b"]), {}, ["a", "b"], "-+", "U"),
    "polars ints": (pl.Series([0, None, 1, -1]), {}, [0, 1], "-?+?", "i"),
    "polars floats": (pl.Series([0.0, None, 1.0, NAN]), {}, [0, 1], "-?+?", "f"),
    "polars bools": (pl.Series([False, None, True]), {}, [False, True], "-?+", "b"),
    "polars text": (pl.Series(["a", None, "b"]), {}, ["a", "b"], "-?+", "U"),
    "polars categories": (pl.Series(["a", None, "b"], dtype=pl.Categorical), {}, ["a", "b"], "-?+", "U"),
}

# id: (y, options, pattern of the message)
MISTAKES = {
    "one class besides the marker": (
        [-1, 1, 1],
        {},
        r"one class, 1, .*if -1 .*unlabeled=None;.*pos_label=1\.",
    ),
    "one class of text": (["a", "a", -1], {}, r"one class, 'a', .*if -1 .*unlabeled=None;.*pos_label='a'\."),
    "one class with NaN": (
        [1, NAN],
        {},
        r"one class, 1\.0: label some rows of another class;.*pos_label=1\.0\.",
    ),
    "one class, all rows": (np.ones(3, int), {}, r"only one class, 1: label some rows"),
    "one class, bools with marker False": (
        [True, False],
        {"unlabeled": False},
        r"one class, True, .*if False",
    ),
    "only the other class": ([0, -1], {"pos_label": 1}, r"pos_label 1 is not a class of y.*\[0\]"),
    "pos_label not in y": (
        ["a", "b"],
        {"pos_label": "c"},
        r"pos_label 'c' is not a class of y.*\['a', 'b'\]",
    ),
    "pos_label of another type": ([True, False], {"pos_label": 1}, r"pos_label 1 is not .*\[True, False\]"),
    "pos_label is the marker": ([0, 1], {"pos_label": -1.0}, r"pos_label -1\.0 is also the marker"),
    "marker is a list": (
        [0, 1],
        {"unlabeled": [-1]},
        r"unlabeled must be a single value or None, got \[-1\]",
    ),
    "three classes": (
        [0, 1, 2],
        {},
        r"^Only binary classification is supported: y holds 3 classes \(0, 1, 2\);",
    ),
    "three classes with pos_label": (
        [0, 1, 2],
        {"pos_label": 1},
        r"^Only binary classification is supported",
    ),
    "three floats": ([0.0, 1.0, 2.0, NAN], {}, r"^Only binary .* 3 classes"),
    "three dates": ([date(2020, 1, d) for d in (1, 2, 3)], {}, r"^Only binary .* 3 classes"),
    "many classes": (list("abcdefg"), {}, r"y holds 7 classes \('a', 'b', 'c', 'd', 'e', \.\.\.\); merge"),
    "marker 0 and minus one": ([0, 1, -1, 2], {"unlabeled": 0}, r"3 classes \(-1, 1, 2\)"),
    "marker turned to text": (
        np.array(["a", "b", -1]),
        {},
        r"^Only binary .*the marker -1 turned to text.*'-1'",
    ),
    "one class and a text marker": (
        np.array(["a", -1]),
        {},
        r"unlabeled='-1', or unlabeled=None if it is a class",
    ),
    "fractions": ([0.5, 1.5], {}, r"^Unknown label type: continuous.* such as 0\.5: cut"),
    "continuous": (np.linspace(0, 1, 50), {}, r"^Unknown label type: "),
    "continuous objects": ([0.25, 1, None], {}, r"^Unknown label type: "),
    "infinity": ([0, 1, float("inf")], {}, r"y contains infinity"),
    "all infinite": (np.full(3, np.inf), {}, r"y contains infinity"),
    "empty list": ([], {}, r"no rows"),
    "empty series": (pl.Series([], dtype=pl.Int64), {}, r"no rows"),
    "only the marker": ([-1, -1], {}, r"all 2 rows are unlabelled \(missing or equal to unlabeled=-1\)"),
    "only NaN": (np.full(3, NAN), {}, r"all 3 rows are unlabelled"),
    "only None": ([None, None], {}, r"all 2 rows are unlabelled"),
    "only nulls": (pd.Series([None, None], dtype="Int64"), {}, r"all 2 rows are unlabelled"),
    "two columns": (np.zeros((3, 2)), {}, r"y should be a 1d array .* shape \(3, 2\)"),
    "nested list": ([[0, 1], [1, 0]], {}, r"y should be a 1d array .* shape \(2, 2\)"),
    "ragged list": ([[0, 1], [1]], {}, r"not hashable"),
    "data frame": (pd.DataFrame({"a": [0], "b": [1]}), {}, r"y should be a 1d array .* shape \(1, 2\)"),
    "sparse column": (csr_array([[0], [1]]), {}, r"y should be a 1d array .*\(2, 1\): pass a dense vector"),
    "sparse vector": (coo_array([0, 1]), {}, r"y should be a 1d array .*\(2,\): pass a dense vector"),
    "scalar": (1, {}, r"y should be a 1d array .* shape \(\)"),
    "None": (None, {}, r"y should be a 1d array .* shape \(\)"),
    "bare text": ("spam", {}, r"y should be a 1d array .* shape \(\)"),
    "generator": ((i for i in [0, 1]), {}, r"y should be a 1d array .* shape \(\)"),
    "number and text": ([1, "a"], {}, r"classes of one type, got 'a' \(text\) and 1 \(number\)"),
    "bool and number": ([True, 0], {}, r"classes of one type, got 0 \(number\) and True \(boolean\)"),
    "unhashable": ([{"a": 1}, {"b": 1}], {}, r"not hashable \(unhashable type: 'dict'\)"),
    "tuples": (
        np.array([(1, 2), None], dtype=object),
        {},
        r"one number, text or boolean per row, got \(1, 2\)",
    ),
    "complex": (np.array([1j, 2j]), {}, r"one number, text or boolean per row"),
    "complex objects": ([1j, 2j, None], {}, r"one number, text or boolean per row, got 1j"),
    "datetimes": (pd.Series(pd.to_datetime(["2020-01-01", None])), {}, r"one number, text or boolean per row"),
    "unsortable": ([Color.RED, Color.BLUE], {}, r"cannot be sorted: pass the positive one as pos_label"),
}


@pytest.mark.parametrize(("y", "options", "classes", "rows", "kind"), CONVENTIONS.values(), ids=CONVENTIONS)
def test_convention(y, options, classes, rows, kind):
    labels = read_labels(y, **options)
    assert labels.classes.tolist() == classes
    assert labels.classes.dtype.kind == kind
    assert groups(labels) == rows
    counts = (labels.n_positive, labels.n_negative, labels.n_unlabeled, labels.n_rows)
    assert counts == (rows.count("+"), rows.count("-"), rows.count("?"), len(rows))


@pytest.mark.parametrize(("y", "options", "message"), MISTAKES.values(), ids=MISTAKES)
def test_mistake(y, options, message):
    with pytest.raises(ValueError, match=message):
        read_labels(y, **options)


COLUMNS = {
    "array": np.array([[0], [1], [-1]]),
    "nested list": [["a"], ["b"], [-1]],
    "pandas": pd.DataFrame({"y": pd.array([0, 1, None], dtype="Int64")}),
    "polars": pl.DataFrame({"y": [0, 1, None]}),
    "masked": np.ma.array([[0], [1], [1]], mask=[[0], [0], [1]]),
}


@pytest.mark.parametrize("y", COLUMNS.values(), ids=COLUMNS)
def test_column_vector_is_raveled_with_a_warning(y):
    with pytest.warns(DataConversionWarning, match="A column-vector y was passed") as record:
        labels = read_labels(y)
    assert groups(labels) == "-+?"
    assert record[0].filename == __file__


def test_classes_turn_indices_into_predictions():
    classes = read_labels(["spam", "ham", None], pos_label="ham").classes
    assert classes[np.array([True, False]).astype(int)].tolist() == ["ham", "spam"]


def test_y_is_left_alone_and_labels_are_frozen():
    y = np.array([0.0, 1.0, np.nan, -1.0])
    labels = read_labels(y)
    labels.is_unlabeled[:] = False
    np.testing.assert_array_equal(y, [0, 1, np.nan, -1])
    with pytest.raises(FrozenInstanceError):
        labels.classes = y


@given(st.lists(st.sampled_from([0, 1, -1, None, NAN]), min_size=1))
def test_every_container_reads_alike(rows):
    if 0 not in rows or 1 not in rows:
        rows = [*rows, 0, 1]
    expected = "".join("-+"[row] if row in (0, 1) else "?" for row in rows)
    floats = [NAN if row is None else row for row in rows]
    whole = [None if row != row else row for row in rows]
    containers = [rows, tuple(rows), np.array(rows, dtype=object), np.array(floats, dtype=float), floats]
    containers += [
        pd.Series(whole, dtype="Int64"),
        pd.Series(rows, dtype=object),
        pl.Series(whole, dtype=pl.Int8),
    ]
    assert {groups(read_labels(y)) for y in containers} == {expected}


@pytest.mark.parametrize(
    ("y", "classes"),
    [([True, False, None], [0, 1]), ([1, 0, None], [False, True]), ([1.0, 0.0, None], [0, 1])],
)
def test_booleans_do_for_known_classes_zero_and_one(y, classes):
    labels = read_known_labels(y, np.array(classes))
    assert labels.is_positive.tolist() == [True, False, False]
    assert labels.is_negative.tolist() == [False, True, False]


def test_booleans_do_not_do_for_other_classes():
    with pytest.raises(ValueError, match="should hold the classes"):
        read_known_labels([True, False], np.array([1, 2]))


def test_another_label_is_negative_only_where_the_negative_class_was_made_up():
    classes = np.array(["not fraud", "fraud"])
    labels = read_known_labels(["fraud", "legit"], classes, other_is_negative=True)
    assert labels.is_negative.tolist() == [False, True]
    for y, allowed in ((["fraud", "legit"], False), (["fraud", "legit", "unsure"], True), (["not fraud", "no"], True)):
        with pytest.raises(ValueError, match="should hold the classes"):
            read_known_labels(y, classes, other_is_negative=allowed)
