"""What counts as rows, and what everything else is told."""

from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse

from read_tables import read
from s2auc import S2AUCClassifier, open_table
from s2auc.common.errors import InputError, InputTypeError
from s2auc.data.inputs import as_matrix, as_rows
from s2auc.data.schema.schema import Schema
from s2auc.data.tables.lazy_table import LazyRows

ROWS = np.random.default_rng(0).normal(size=(40, 3))
LABELS = np.where(np.arange(40) < 20, (ROWS[:, 0] > 0).astype(int), -1)


def foreign(name, library, **content):
    """Return an object as if another library had made it."""
    return type(name, (), {"__module__": library} | content)()


class Tensor:
    """Something that NumPy can read, or says why not."""

    def __init__(self, values, error=None):
        self.values, self.error = values, error

    def __array__(self, dtype=None, copy=None):
        if self.error:
            raise RuntimeError(self.error)
        return np.array(self.values, dtype=dtype)


NO_TABLES = {
    "dask": (foreign("Bag", "dask.bag"), "Got Bag of dask; pass Z.compute()."),
    "spark": (foreign("DataFrame", "pyspark.sql", columns=[]), "Got DataFrame of pyspark; pass Z.toPandas()."),
    "series": (pd.Series([1.0]), "Got Series of pandas; pass Z.to_frame() for a table of one column."),
    "polars series": (pl.Series([1.0]), "Got Series of polars; pass Z.to_frame() for a table of one column."),
    "groups": (pd.DataFrame(ROWS).groupby(0), "Got DataFrameGroupBy of pandas; pass the frame that was grouped, or"),
    "group": (pd.DataFrame(ROWS).groupby(0)[1], "Got SeriesGroupBy of pandas; pass the frame that was grouped, or"),
    "generator": ((row for row in ROWS), "Got generator; pass list(Z)."),
    "map": (map(list, ROWS), "Got map; pass list(Z)."),
    "set": ({1, 2}, "Got set; pass list(Z)."),
    "number": (3, "Got int; pass rows and columns in one of these."),
    "None": (None, "Got None; pass rows and columns in one of these."),
    "function": (np.sum, "pass rows and columns in one of these."),
}


@pytest.mark.parametrize("case", NO_TABLES)
def test_what_has_no_rows_is_told_its_way_out(case):
    given, sentence = NO_TABLES[case]
    with pytest.raises(TypeError) as caught:
        as_rows(given, "Z")
    said = str(caught.value)
    assert said.startswith("Z must be an array, a sparse matrix, a data frame or a list of rows. Got ")
    assert sentence in said
    assert said.endswith(".")
    assert "\n" not in said
    assert len(said) < 300


@pytest.mark.parametrize("path", ["rows.csv", Path("rows.csv"), "x" * 200], ids=["text", "path", "long text"])
def test_text_is_a_path(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(FileNotFoundError, match=r"^A table must be a file, .* Got '(rows\.csv|x+)', where") as caught:
        as_rows(path, "Z")
    assert "\n" not in str(caught.value)
    pd.DataFrame(ROWS, columns=[*"abc"]).to_csv("rows.csv", index=False)
    np.testing.assert_array_equal(read(Schema(3, {}, ("c", "a", "b")), "rows.csv"), ROWS[:, [2, 0, 1]])


WRONG = {
    "vector": (ROWS[0], "Expected 2D array, got 1D array instead: Z must have rows .* Reshape your data with"),
    "scalar": (np.float64(3), "Expected 2D array, got 0D array instead"),
    "cube": (ROWS[None], r"Expected 2D array, got 3D array instead.* Reshape your data to \(n_rows, n_columns\)"),
    "complex": (ROWS + 1j, "Complex data not supported: Z must hold real numbers. Got complex128; pass real and imag"),
    "ragged": (
        [[1.0, 2.0], [1.0, 2.0], [3.0]],
        "Rows of Z must be of one length. Got 2 values in row 0 and 1 in row 2",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_tables_of_another_shape(case):
    given, sentence = WRONG[case]
    with pytest.raises(ValueError, match=rf"^{sentence}.*\.$") as caught:
        as_rows(given, "Z")
    assert "\n" not in str(caught.value)


def test_what_numpy_reads_is_taken_and_what_it_cannot_read_is_named():
    assert as_matrix(Tensor([[1.0, 2.0]])).tolist() == [[1.0, 2.0]]
    with pytest.raises(
        TypeError, match=r"^X must be something that NumPy can read\. Got Tensor of .* \(no grad, please"
    ):
        as_matrix(Tensor([[1.0]], error="no grad,\nplease"))


@pytest.mark.parametrize("X", [ROWS, sparse.csr_array(ROWS), sparse.dok_array(ROWS)], ids=["dense", "csr", "dok"])
def test_matrices_stay_matrices(X):
    assert as_matrix(X) is X
    rows = as_rows(X)
    assert not isinstance(rows, LazyRows)
    np.testing.assert_array_equal(read(Schema(3, {}), rows).toarray() if sparse.issparse(rows) else rows, ROWS)


TABLES = {
    "pandas": lambda columns: pd.DataFrame(columns),
    "polars": lambda columns: pl.DataFrame(columns),
    "lazy frame": lambda columns: pl.DataFrame(columns).lazy(),
    "arrow": lambda columns: pa.table(columns),
    "record batch": lambda columns: pa.RecordBatch.from_pydict(columns),
    "dict": lambda columns: columns,
    "open table": lambda columns: open_table(columns),
    "rows of an open table": lambda columns: open_table(columns).X,
}


@pytest.mark.parametrize("kind", TABLES)
def test_tables_become_lazy_rows(kind):
    rows = as_rows(TABLES[kind](dict(zip("abc", ROWS.T, strict=True))))
    assert isinstance(rows, LazyRows)
    assert (rows.n_rows, rows.names) == (40, ["a", "b", "c"])
    assert as_rows(rows) is rows
    np.testing.assert_array_equal(read(Schema(3, {}, ("c", "a", "b")), rows), ROWS[:, [2, 0, 1]])


def test_columns_of_different_lengths():
    with pytest.raises(ValueError, match=r"^Columns of Z must be of one length\. Got 2 in 'a' and 3 in 'b' values;"):
        as_rows({"a": [1, 2], "b": [1, 2, 3]}, "Z")


def test_numbers_beside_text_stay_numbers():
    assert as_matrix([[1.5, "Rome"], [2, None]]).tolist() == [[1.5, "Rome"], [2, None]]


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64, np.uint8, bool, object])
def test_masked_entries_are_missing(dtype):
    values = np.array([[1, 0], [0, 1]]).astype(dtype)
    masked = np.ma.array(values, mask=[[False, True], [False, False]])
    table = as_matrix(masked)
    assert not isinstance(table, np.ma.MaskedArray)
    assert table.dtype == (dtype if dtype in (np.float32, object) else np.float64)
    np.testing.assert_array_equal(table.astype(np.float64), [[1, np.nan], [0, 1]])
    np.testing.assert_array_equal(as_matrix(list(masked)).astype(np.float64), [[1, np.nan], [0, 1]])
    assert masked.data.tolist() == values.tolist()
    assert as_matrix(np.ma.array(values)).dtype == dtype


DOORS = {
    "fit": lambda X: S2AUCClassifier(max_iter=1).fit(X, LABELS),
    "partial_fit": lambda X: S2AUCClassifier(max_iter=1).partial_fit(X, LABELS),
    "X_unlabeled": lambda X: S2AUCClassifier(max_iter=1).fit(ROWS, LABELS, X),
    "decision_function": lambda X: S2AUCClassifier(max_iter=1).fit(ROWS, LABELS).decision_function(X),
    "predict": lambda X: S2AUCClassifier(max_iter=1).fit(ROWS, LABELS).predict(X),
    "score": lambda X: S2AUCClassifier(max_iter=1).fit(ROWS, LABELS).score(X, LABELS),
    "model": lambda X: S2AUCClassifier(max_iter=1).fit(ROWS, LABELS).model_.decision_function(X),
}
INSIDE = {
    "no table": ({1.0, 2.0}, TypeError, "{name} must be an array, .* Got set; pass list"),
    "text": (np.full((40, 3), "Rome"), ValueError, "Column 0 of {name} must hold numbers.* Got .*'Rome'"),
    "one text": (
        np.where(np.arange(120).reshape(40, 3) == 4, "Paris", ROWS.astype(object)),
        ValueError,
        "Column 1 of {name} must hold numbers.* Got .*'Paris'",
    ),
    "a list with text": ([*ROWS.tolist()[1:], [1.0, 2.0, "Paris"]], ValueError, "Column 2 of {name} .* 'Paris'"),
    "an object": (
        np.where(np.arange(120).reshape(40, 3) == 4, {}, ROWS.astype(object)),
        TypeError,
        r"Column 1 of {name} must hold numbers or text: .* Got {{}} \(dict\)",
    ),
    "infinity": (
        np.where(np.arange(120).reshape(40, 3) == 23, -np.inf, ROWS),
        ValueError,
        "{name} contains infinity: column 2 .* row 7;",
    ),
    "two columns of one name": (
        pd.DataFrame(ROWS, columns=["a", "b", "a"]),
        ValueError,
        "Columns of {name} .* 'a' more",
    ),
    "two numbers of one name": (pd.DataFrame(ROWS, columns=[0, 1, 0]), ValueError, "Columns of {name} .* Got '0' more"),
    "names that are no text": (
        pd.DataFrame(ROWS, columns=[0.5, "a", 1]),
        TypeError,
        "Columns of {name} must have names that are text",
    ),
}


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("case", INSIDE)
def test_every_door_says_the_same(case, door):
    given, error, sentence = INSIDE[case]
    name = "X_unlabeled" if door == "X_unlabeled" else "X"
    with pytest.raises(error, match=sentence.format(name=name)) as caught:
        DOORS[door](given)
    assert type(caught.value) in (error, InputError, InputTypeError)
    assert "\n" not in str(caught.value)


def test_missing_values_of_every_kind_are_the_same():
    is_gone = np.zeros(ROWS.shape, dtype=bool)
    is_gone[3, 1] = is_gone[30, 2] = True
    known = S2AUCClassifier(max_iter=1, random_state=0).fit(np.where(is_gone, np.nan, ROWS), LABELS)
    holders = [
        np.ma.array(ROWS, mask=is_gone),
        np.where(is_gone, None, ROWS.astype(object)),
        np.where(is_gone, pd.NA, ROWS.astype(object)),
        np.where(is_gone, None, ROWS.astype(object)).tolist(),
    ]
    for rows in holders:
        model = S2AUCClassifier(max_iter=1, random_state=0).fit(rows, LABELS)
        np.testing.assert_array_equal(model.decision_function(ROWS), known.decision_function(ROWS))
        np.testing.assert_array_equal(
            known.decision_function(rows), known.decision_function(np.where(is_gone, np.nan, ROWS))
        )


def test_text_of_numbers_is_numbers():
    known = S2AUCClassifier(max_iter=1, random_state=0).fit(ROWS, LABELS)
    for rows in (ROWS.astype(str), ROWS.astype(str).astype(object), ROWS.astype(str).tolist()):
        model = S2AUCClassifier(max_iter=1, random_state=0).fit(rows, LABELS)
        np.testing.assert_array_equal(model.decision_function(ROWS), known.decision_function(ROWS))
        np.testing.assert_array_equal(known.decision_function(rows), known.decision_function(ROWS))
