"""Sparse matrices are taken for what they mean, or refused in one sentence, before compiled code trusts them."""

import json
import os
import subprocess
import sys
import tracemalloc

import numpy as np
import pytest
from scipy import sparse

import broken_matrices
from broken_matrices import FORMATS, SENTENCE
from reference import dense_form
from s2auc.data.sources.matrix_rows import SparseRows
from s2auc.data.sources.rows import dense_rows
from s2auc.data.sources.sparse_structure import checked_structure

N_ROWS, N_COLUMNS = 24, 4
LABELS = np.arange(N_ROWS) % 3 - 1


def make_rows(name="csr", kind="array", dtype=np.float64):
    """Return small whole numbers, half of them zero."""
    rng = np.random.default_rng(0)
    X = (rng.integers(1, 9, (N_ROWS, N_COLUMNS)) * rng.integers(0, 2, (N_ROWS, N_COLUMNS))).astype(dtype)
    return getattr(sparse, f"{name}_{kind}")(X)


def at(part, place, number):
    """Return a change of one number of a part."""

    def change(X):
        getattr(X, part)[place] = number

    return change


def put(part, change):
    """Return a change of a whole part."""
    return lambda X: setattr(X, part, change(getattr(X, part)))


def add_entry(columns, values, row=1):
    def change(X):
        X.rows[row] += columns
        X.data[row] += values

    return change


def add_key(key, value=1.0):
    return lambda X: X._dict.update({key: value})


FAULTS = {
    ("csr", "column too large"): (
        at("indices", 5, 4),
        "indices … lie from 0 to 3. Got 4 at place 5; correct it, or build the matrix again with more columns.",
    ),
    ("csr", "column far off"): (at("indices", 0, 2**31 - 1), "… lie from 0 to 3. Got 2147483647 at place 0;"),
    ("csr", "negative column"): (at("indices", 7, -1), "… lie from 0 to 3. Got -1 at place 7;"),
    ("csr", "columns of no type"): (
        put("indices", lambda i: i * 1.0),
        "indices … hold whole numbers. Got float64; convert",
    ),
    ("csr", "columns in a table"): (put("indices", lambda i: i[None]), "… be an array of 1 dimension. Got one of 2;"),
    ("csr", "columns in a list"): (put("indices", list), "… be an array of 1 dimension. Got list;"),
    ("csr", "indptr falls"): (at("indptr", 4, 1), "indptr … not fall. Got 1 after "),
    ("csr", "indptr rises too far"): (at("indptr", 4, 10**6), "… not fall. Got "),
    ("csr", "indptr starts late"): (
        at("indptr", 0, 1),
        "… start at 0. Got 1; build the matrix again from its values, ",
    ),
    ("csr", "indptr ends early"): (at("indptr", -1, 51), "… end at the number of stored values, 52. Got 51;"),
    ("csr", "indptr ends late"): (at("indptr", -1, 99), "… end at the number of stored values, 52. Got 99;"),
    ("csr", "indptr too short"): (
        put("indptr", lambda i: i[:-1]),
        "indptr … hold one entry for each of 25 ends of slices. Got 24;",
    ),
    ("csr", "indptr too long"): (
        put("indptr", lambda i: np.append(i, i[-1])),
        "… hold one entry for each of 25 ends of slices. Got 26;",
    ),
    ("csr", "no indptr"): (put("indptr", lambda i: i[:0]), "… hold one entry for each of 25 ends of slices. Got 0;"),
    ("csr", "values missing"): (put("data", lambda d: d[:-2]), "data … hold one entry for each of 52 indices. Got 50;"),
    ("csr", "values of no number"): (put("data", lambda d: d.astype("U3")), "X must hold numbers only. Got <U3;"),
    ("csr", "values that are things"): (
        put("data", lambda d: np.full(len(d), "much", object)),
        "data … hold numbers. Got others (could not convert",
    ),
    ("csc", "row too large"): (
        at("indices", 5, 24),
        "… lie from 0 to 23. Got 24 at place 5; correct it, or build the matrix again with more rows.",
    ),
    ("csc", "indptr too long"): (
        put("indptr", lambda i: np.append(i, i[-1])),
        "… hold one entry for each of 5 ends of slices. Got 6;",
    ),
    ("csc", "indptr falls"): (at("indptr", 2, 0), "indptr … not fall. Got 0 after "),
    ("bsr", "block too far right"): (at("indices", 0, 9), "indices … lie from 0 to "),
    ("bsr", "blocks that do not fit"): (
        put("data", lambda d: d.repeat(5, axis=1)),
        "… hold blocks whose size divides the shape (24, 4). Got blocks of ",
    ),
    ("bsr", "blocks of nothing"): (
        put("data", lambda d: d[:, :0]),
        "… hold blocks whose size divides the shape (24, 4). Got blocks of (0, ",
    ),
    ("bsr", "no blocks"): (put("data", np.ravel), "data … be an array of 3 dimensions. Got one of 1;"),
    ("bsr", "indptr falls"): (at("indptr", 2, -5), "… not fall. Got -5 after "),
    ("coo", "row too large"): (at("row", 3, 24), "rows … lie from 0 to 23. Got 24 at place 3;"),
    ("coo", "negative column"): (at("col", 3, -1), "columns … lie from 0 to 3. Got -1 at place 3;"),
    ("coo", "rows missing"): (
        put("coords", lambda c: (c[0][1:], c[1])),
        "rows … hold one entry for each of 52 values. Got 51;",
    ),
    ("coo", "a third dimension"): (
        put("coords", lambda c: (*c, c[1])),
        "… be two arrays, of rows and of columns. Got others;",
    ),
    ("dia", "offsets missing"): (put("offsets", lambda o: o[1:]), "offsets … hold one entry for each of "),
    ("dia", "a diagonal twice"): (at("offsets", 0, 0), "… differ from each other. Got one of them twice;"),
    ("dia", "one diagonal only"): (put("data", np.ravel), "data … be an array of 2 dimensions. Got one of 1;"),
    ("lil", "column too large"): (add_entry([4], [1.0]), "columns … lie from 0 to 3. Got 4 at place "),
    ("lil", "value missing"): (add_entry([2], []), "data … hold one entry for each of "),
    ("lil", "no number"): (add_entry([1], ["much"]), "values … be float64. Got others (could not convert"),
    ("lil", "half a column"): (add_entry([0.5], [1.0]), "… hold whole numbers. Got "),
    ("lil", "lists in lists"): (add_entry([[1]], [1.0]), "… hold whole numbers. Got lists among them;"),
    ("lil", "row missing"): (put("rows", lambda rows: rows[:-1]), "rows … hold one entry for each of 24 rows. Got 23;"),
    ("lil", "no list"): (at("data", 2, None), "data … hold a list for every row. Got NoneType;"),
    ("dok", "row too large"): (add_key((24, 0)), "rows … lie from 0 to 23. Got 24 at place "),
    ("dok", "negative column"): (add_key((0, -1)), "columns … lie from 0 to 3. Got -1 at place "),
    ("dok", "huge column"): (add_key((0, 2**70)), "… hold whole numbers. Got object;"),
    ("dok", "three numbers"): (add_key((0, 0, 0)), "keys … be pairs of a row and a column. Got others;"),
    ("dok", "no number"): (add_key((0, 0), "much"), "… be float64. Got others (could not convert"),
}
"""What is done to a matrix, and what the sentence says, … standing for whose part it is."""


@pytest.mark.parametrize("kind", ["array", "matrix"])
@pytest.mark.parametrize("fault", FAULTS, ids=" ".join)
def test_faults_are_named_in_one_sentence(fault, kind):
    change, sentence = FAULTS[fault]
    X = make_rows(fault[0], kind)
    assert SparseRows(X).n_rows == N_ROWS
    change(X)
    with pytest.raises(ValueError, match="must") as caught:
        SparseRows(X)
    start = sentence.replace("…", f"of X, a {fault[0].upper()} matrix of {N_ROWS} x {N_COLUMNS}, must")
    assert start in str(caught.value)
    assert SENTENCE.match(str(caught.value))


REPEATED = np.array([[0, 3, 0], [5, 0, 4]])


def repeated(name, kind, dtype):
    """Return `REPEATED`, rows out of order, one entry stored in two parts, and a claim that all is in order."""
    values, rows, columns = np.array([4, 1, 3, 4]), np.array([1, 1, 0, 1]), np.array([2, 0, 1, 0])
    make = getattr(sparse, f"{name}_{kind}")
    if name == "coo":
        X = make((values.astype(dtype), (rows, columns)), shape=(2, 3))
    elif name == "csc":
        X = make((np.array([4, 1, 3, 4], dtype), np.array([1, 1, 0, 1]), np.array([0, 2, 3, 4])), shape=(2, 3))
    elif name == "lil":
        X = make((2, 3), dtype=dtype)
        X.rows[0], X.data[0], X.rows[1], X.data[1] = [1], [3], [2, 0, 0], [4, 1, 4]
    else:
        blocks = np.array([3, 4, 1, 4], dtype)
        parts = (np.array([1, 2, 0, 0]), np.array([0, 1, 4]))
        X = make((blocks if name == "csr" else blocks[:, None, None], *parts), shape=(2, 3))
    X.has_canonical_format = True
    return X


@pytest.mark.parametrize("dtype", ["f8", "f4", "i1", "u8", "g"])
@pytest.mark.parametrize("kind", ["array", "matrix"])
@pytest.mark.parametrize("name", ["csr", "csc", "bsr", "coo", "lil"])
def test_entries_out_of_order_or_in_parts_are_legal(name, kind, dtype):
    X = repeated(name, kind, dtype)
    np.testing.assert_array_equal(dense_form(X), REPEATED)
    rows = checked_structure(X)
    assert isinstance(rows, sparse.csr_array)
    assert rows.nnz == 3
    assert rows.indices.tolist() == [1, 0, 2]
    np.testing.assert_array_equal(rows.toarray(), REPEATED)
    np.testing.assert_array_equal(dense_form(X), REPEATED)
    assert sum(map(len, X.data)) == 4 if name == "lil" else len(X.data) == 4, "the matrix stays as it is"


@pytest.mark.parametrize("dtype", ["f2", ">f8", ">i2", "O"])
def test_values_that_scipy_cannot_add_are_converted(dtype):
    X, expected = make_rows(), make_rows().toarray()
    X.data = X.data.astype(dtype)
    np.testing.assert_array_equal(dense_rows(SparseRows(X).gather(np.arange(N_ROWS))), expected)


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_canonical_rows_are_not_copied(dtype):
    for kind in ("array", "matrix"):
        X = make_rows(kind=kind)
        X.indices, X.indptr = X.indices.astype(dtype), X.indptr.astype(dtype)
        rows = checked_structure(X)
        assert all(np.shares_memory(getattr(rows, part), getattr(X, part)) for part in ("data", "indices", "indptr"))


def test_what_is_not_sparse_is_not_looked_at():
    for other in (np.eye(2), [[1]], None, "rows.npz"):
        assert checked_structure(other) is other


def test_the_check_takes_no_memory_to_speak_of():
    n_values = 200_000
    columns, bounds = np.arange(n_values, dtype=np.int64) * 2**20, np.array([0, 7, n_values], dtype=np.int64)
    X = sparse.csr_array((np.ones(n_values), columns, bounds), shape=(2, 2**40))
    checked_structure(make_rows())
    tracemalloc.start()
    rows = checked_structure(X)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert rows.nnz == n_values
    assert peak < 50_000


def test_random_matrices_are_scored_as_dense_ones_or_refused():
    # In a process of its own: where a fault is not seen, compiled code may end it.
    script = broken_matrices.__file__
    command = [sys.executable, "-X", "faulthandler", "-W", "error", script, "scores=400", "fit=30"]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr[-3000:]
    counts = json.loads(ended.stdout)
    for name in FORMATS:
        assert counts["scores"][f"{name} sound"] > 8
        assert counts["scores"][f"{name} broken"] > 8
    assert sum(counts["fit"][outcome] for outcome in counts["fit"] if "sound" in outcome) > 5
