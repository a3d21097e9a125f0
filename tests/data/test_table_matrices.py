"""Files of matrices: NumPy's, and LIBSVM's."""

import gzip

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.datasets import dump_svmlight_file, load_svmlight_file

from read_tables import learn
from s2auc import open_table
from s2auc.data.schema.schema import Schema
from s2auc.data.sources.matrix_rows import SparseRows
from s2auc.models.files.schema import decode_schema, encode_schema

rng = np.random.default_rng(0)
MATRIX = rng.normal(size=(97, 5)).astype(np.float32)
SPARSE = MATRIX * (rng.random(MATRIX.shape) < 0.4)
SPARSE[3] = 0
LABELS = rng.integers(0, 2, 97)


@pytest.fixture
def numpy_path(tmp_path):
    np.save(tmp_path / "rows.npy", np.column_stack([MATRIX, LABELS.astype(np.float32)]))
    return tmp_path / "rows.npy"


def test_memory_maps_are_arrays(numpy_path):
    table = open_table(numpy_path, label=5)
    assert (table.n_rows, table.names) == (97, ["0", "1", "2", "3", "4", "5"])
    schema = table.X.learn_schema("from_dtype")
    assert schema == Schema(5, {})
    rows = table.X.open(schema)
    np.testing.assert_array_equal(rows.gather(np.array([5, 96, 5])), MATRIX[[5, 96, 5]])
    chunks = list(rows.scan(30))
    assert [(len(chunk), chunk.dtype) for chunk in chunks] == [(30, np.float64)] * 3 + [(7, np.float64)]
    np.testing.assert_array_equal(np.concatenate(chunks), MATRIX)
    np.testing.assert_array_equal(np.asarray(table.y), LABELS)
    [batch] = table.batches(["5", "0"], 200)
    np.testing.assert_array_equal(batch.column(1).to_numpy(), MATRIX[:, 0])
    assert "97 rows, 5 columns of float32" in repr(table)


def test_columns_of_memory_maps_are_chosen(numpy_path):
    table = open_table(str(numpy_path), features=[3, "1"])
    assert table.y is None
    schema = table.X.learn_schema([1])
    assert schema == learn(MATRIX[:, [3, 1]], [1])
    np.testing.assert_array_equal(np.concatenate(list(table.X.open(schema).scan(7))), MATRIX[:, [3, 1]])
    np.testing.assert_array_equal(table.X.open(schema).gather(np.array([9])), MATRIX[[9]][:, [3, 1]])
    whole = open_table(numpy_path)
    assert whole.X.open(Schema(6, {})).n_rows == 97


def test_memory_maps_for_other_models(numpy_path):
    X = open_table(numpy_path, label=5).X
    for schema, sentence in [
        (Schema(4, {}), "X must have the 4 columns that the model was fitted on. Got 5; pass rows of the same table"),
        (Schema(3, {}, tuple("bcd"), {0: "id"}), "X must have the 4 columns that the model was fitted on. Got 5; pass"),
        (Schema(5, {0: ("a", "b")}, tuple("abcde")), "X must be a data frame .* columns 'a' held categories"),
    ]:
        with pytest.raises(ValueError, match=sentence):
            X.open(schema)


def test_memory_maps_go_by_place_without_columns_that_were_ignored(numpy_path):
    ignored = Schema(4, {}, tuple("bcde"), {0: "id"})
    whole, rest = open_table(numpy_path, label=5), open_table(numpy_path, features=[1, 2, 3, 4])
    for table in (whole, rest):
        np.testing.assert_array_equal(table.X.open(ignored).gather(np.arange(97)), MATRIX[:, 1:])


BAD_ARRAYS = {
    "a vector": (np.zeros(3), "must hold a matrix. Got an array of shape \\(3,\\); reshape it"),
    "text": (np.array([["a"]]), "must hold numbers only. Got <U1"),
    "objects": (np.array([[None]]), "must be a numeric .npy file"),
}


@pytest.mark.parametrize("case", BAD_ARRAYS)
def test_files_of_numpy_that_hold_no_matrix(case, tmp_path):
    array, sentence = BAD_ARRAYS[case]
    np.save(tmp_path / "rows.npy", array, allow_pickle=True)
    with pytest.raises(ValueError, match=sentence):
        open_table(tmp_path / "rows.npy")


def test_an_archive_that_is_named_like_an_array(tmp_path):
    np.savez(tmp_path / "rows.npz", MATRIX)
    (tmp_path / "rows.npz").rename(tmp_path / "rows.npy")
    with pytest.raises(ValueError, match=r"must be a numeric \.npy file"):
        open_table(tmp_path / "rows.npy")


@pytest.mark.parametrize("zero_based", [True, False])
@pytest.mark.parametrize("ending", [".svm", ".libsvm.gz"])
def test_sparse_files_are_sparse_matrices(zero_based, ending, tmp_path, monkeypatch):
    monkeypatch.setattr("s2auc.data.tables.matrix_files._CHUNK_BYTES", 300)  # so that rows come in many chunks
    path = tmp_path / f"rows{ending}"
    dump_svmlight_file(csr_array(SPARSE), LABELS, str(tmp_path / "plain"), zero_based=zero_based)
    text = (tmp_path / "plain").read_bytes()
    path.write_bytes(gzip.compress(text) if ending.endswith("gz") else text.rstrip(b"\n"))
    known, labels = load_svmlight_file(str(tmp_path / "plain"))
    table = open_table(path)
    assert (table.n_rows, table.names) == (97, [])
    np.testing.assert_array_equal(np.asarray(table.y), labels)
    schema = table.X.learn_schema("from_dtype")
    assert schema == Schema(5, {}, first_number=0 if zero_based else 1)
    rows = table.X.open(schema)
    assert isinstance(rows, SparseRows)
    numbers = np.array([96, 3, 0, 0])
    assert (rows.gather(numbers) != csr_array(known)[numbers]).nnz == 0
    np.testing.assert_array_equal(np.concatenate([chunk.toarray() for chunk in rows.scan(40)]), known.toarray())
    with pytest.raises(ValueError, match=r"Got 'id', which does not exist; leave it out, as columns have no names"):
        list(table.batches(["id"], 5))
    assert "97 sparse rows, 5 columns" in repr(table)


@pytest.mark.parametrize(("fitted", "first"), [("1 1:5 3:7\n0 2:1\n", 1), ("1 0:5 2:7\n0 1:1\n", 0)])
def test_columns_of_sparse_files_count_from_where_they_did_in_the_fit(fitted, first, tmp_path):
    for name, text in {"fitted": fitted, "later": "1 1:3\n", "stray": "1 0:2 1:3\n", "wide": "1 9:1\n"}.items():
        (tmp_path / f"{name}.svm").write_text(text)
    schema = open_table(tmp_path / "fitted.svm").X.learn_schema(None)
    assert decode_schema(encode_schema(schema)) == schema == Schema(3, {}, first_number=first)

    def read(name):
        return open_table(tmp_path / f"{name}.svm").X.open(schema).gather(np.array([0])).toarray().tolist()

    assert read("later") == [[3.0, 0.0, 0.0] if first else [0.0, 3.0, 0.0]]
    if first:
        with pytest.raises(ValueError, match=r"Columns of 'stray.svm' must count from 1, .* Got a column 0; add one"):
            read("stray")
    else:
        assert read("stray") == [[2.0, 3.0, 0.0]]
    with pytest.raises(ValueError, match=r"X must have the 3 columns that the model was fitted on\. Got (9|10);"):
        read("wide")


def test_rows_outlive_the_handle_that_opened_them(tmp_path):
    dump_svmlight_file(csr_array(SPARSE), LABELS, str(tmp_path / "rows.svm"))
    rows = open_table(tmp_path / "rows.svm").X.open(Schema(5, {}))
    np.testing.assert_allclose(rows.gather(np.arange(97)).toarray(), SPARSE, rtol=1e-12)


BAD_TEXTS = {
    "words": ("1 1:0.5\n0 red\n", "Lines of 'rows.svm' must be a label and column:value pairs .* after line 0"),
    "columns that fall": ("1 2:0.5 1:3\n", "whose columns rise. Got an error"),
    "nothing": ("", "'rows.svm' must hold rows with values. Got none"),
}


@pytest.mark.parametrize("case", BAD_TEXTS)
def test_sparse_files_that_cannot_be_read(case, tmp_path):
    text, sentence = BAD_TEXTS[case]
    (tmp_path / "rows.svm").write_text(text)
    with pytest.raises(ValueError, match=sentence):
        open_table(tmp_path / "rows.svm")
    (tmp_path / "rows.svm.gz").write_text(text)
    with pytest.raises(ValueError, match=r"'rows\.svm\.gz' must (be a readable LIBSVM file|hold rows)"):
        open_table(tmp_path / "rows.svm.gz")
    (tmp_path / "rows.svm").write_text("1 1:1\n")
    with pytest.raises(ValueError, match="label, features and drop must not be given for LIBSVM files"):
        open_table(tmp_path / "rows.svm", label="y")
