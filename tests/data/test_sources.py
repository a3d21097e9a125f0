"""One suite for all sources: they offer the same rows, by number and in order, whatever holds them."""

import pickle

import numpy as np
import pytest
from scipy import sparse

from s2auc.data.schema.schema import Schema
from s2auc.data.sources.combined import ChainedRows, SelectedRows
from s2auc.data.sources.finite import FiniteRows
from s2auc.data.sources.matrix_rows import DenseRows, SparseRows, open_source
from s2auc.data.sources.rows import count_rows, dense_rows, is_sparse
from s2auc.data.sources.source import RowSource

N_ROWS = 23
SCHEMA = Schema(4, {2: None}, ("age", "height", "shoe", "weight"))


def make_rows(n_rows=N_ROWS, seed=0):
    """Whole numbers, which every container and type can hold, many of them zero; one row is empty."""
    rng = np.random.default_rng(seed)
    X = rng.integers(-9, 10, (n_rows, 4)).astype(np.float64)
    X[rng.random(X.shape) < 0.3] = 0.0
    X[3] = 0.0
    return X


def as_memmap(X, folder):
    mapped = np.memmap(folder / "rows.dat", dtype=X.dtype, mode="w+", shape=X.shape)
    mapped[:] = X
    mapped.flush()
    return np.memmap(folder / "rows.dat", dtype=X.dtype, mode="r", shape=X.shape)


def every_second(make):
    """Return a source that selects the rows from a larger one, between others that nobody may see."""

    def select(X):
        others = np.repeat(X, 2, axis=0)
        others[1::2] = 99.0
        return SelectedRows(make(others), np.arange(0, 2 * len(X), 2))

    return select


SOURCES = {
    "C order": lambda X, _: DenseRows(X, SCHEMA),
    "Fortran order": lambda X, _: DenseRows(np.asfortranarray(X), SCHEMA),
    "float32": lambda X, _: DenseRows(X.astype(np.float32), SCHEMA),
    "ints": lambda X, _: DenseRows(X.astype(np.int8), SCHEMA),
    "lists": lambda X, _: DenseRows(X.tolist(), SCHEMA),
    "memmap": lambda X, folder: DenseRows(as_memmap(X, folder), SCHEMA),
    "csr": lambda X, _: SparseRows(sparse.csr_array(X), SCHEMA),
    "csr_matrix of float32": lambda X, _: SparseRows(sparse.csr_matrix(X.astype(np.float32)), SCHEMA),
    "csc": lambda X, _: SparseRows(sparse.csc_array(X), SCHEMA),
    "coo of ints": lambda X, _: SparseRows(sparse.coo_array(X.astype(np.int16)), SCHEMA),
    "selected": lambda X, _: every_second(lambda other: DenseRows(other, SCHEMA))(X),
    "selected sparse": lambda X, _: every_second(lambda other: SparseRows(sparse.csr_array(other), SCHEMA))(X),
    "dense then dense": lambda X, _: ChainedRows(DenseRows(X[:7], SCHEMA), DenseRows(X[7:], SCHEMA)),
    "dense then sparse": lambda X, _: ChainedRows(
        DenseRows(X[:7], SCHEMA), SparseRows(sparse.csr_array(X[7:]), SCHEMA)
    ),
    "sparse then sparse": lambda X, _: ChainedRows(
        SparseRows(sparse.csr_array(X[:7]), SCHEMA), SparseRows(sparse.csc_array(X[7:]), SCHEMA)
    ),
    "nothing then dense": lambda X, _: ChainedRows(DenseRows(X[:0], SCHEMA), DenseRows(X, SCHEMA)),
    "checked": lambda X, _: FiniteRows(DenseRows(np.asfortranarray(X), SCHEMA), "X"),
    "checked sparse": lambda X, _: FiniteRows(SparseRows(sparse.csr_array(X), SCHEMA), "X", allows_missing=True),
    "selected of chained of checked": lambda X, folder: every_second(
        lambda other: ChainedRows(
            FiniteRows(DenseRows(as_memmap(other[:15], folder), SCHEMA), "X"), SparseRows(sparse.csr_array(other[15:]))
        )
    )(X),
    "opened": lambda X, _: open_source(X, schema=SCHEMA),
    "opened sparse": lambda X, _: open_source(sparse.coo_array(X), schema=SCHEMA),
}

SPARSE = {name for name in SOURCES if name in {"csr", "csc"} or "sparse" in name or name.startswith(("csr_", "coo"))}
SPARSE -= {"dense then sparse"}


@pytest.fixture(params=SOURCES)
def kind(request):
    return request.param


@pytest.fixture
def X():  # noqa: N802 as everywhere
    return make_rows()


@pytest.fixture
def source(kind, X, tmp_path):
    return SOURCES[kind](X, tmp_path)


def check_form(rows):
    """Rows are float64: dense in C order, or CSR."""
    assert rows.dtype == np.float64
    if is_sparse(rows):
        assert isinstance(rows, sparse.csr_array)
    else:
        assert isinstance(rows, np.ndarray)
        assert rows.flags.c_contiguous


def assert_same_rows(found, expected):
    check_form(found)
    np.testing.assert_array_equal(dense_rows(found), expected)


def test_sizes_and_columns_are_known(source, X):
    assert isinstance(source, RowSource)
    assert (source.n_rows, source.n_columns) == X.shape
    assert source.schema == SCHEMA


@pytest.mark.parametrize("numbers", [[5, 22, 0, 5, 6, 7], [0], [22, 21, 20], [7, 6], [3, 3, 3], [1, 2, 3], []], ids=str)
def test_rows_are_gathered_in_any_order_and_more_than_once(source, kind, X, numbers):
    wanted = np.array(numbers, dtype=np.intp)
    gathered = source.gather(wanted)
    assert_same_rows(gathered, X[wanted])
    assert is_sparse(gathered) == (kind in SPARSE)


def test_all_rows_are_gathered_in_a_random_order(source, X):
    order = np.random.default_rng(0).permutation(N_ROWS)
    assert_same_rows(source.gather(order), X[order])


@pytest.mark.parametrize("chunk_rows", [1, 2, 5, N_ROWS - 1, N_ROWS, 1000])
def test_rows_are_scanned_in_order(source, kind, X, chunk_rows):
    chunks = list(source.scan(chunk_rows))
    for chunk in chunks:
        check_form(chunk)
        assert 0 < count_rows(chunk) <= chunk_rows
        assert is_sparse(chunk) or kind not in SPARSE
    np.testing.assert_array_equal(np.concatenate([dense_rows(chunk) for chunk in chunks]), X)


def test_a_source_is_scanned_as_often_as_one_likes(source, X):
    for _ in range(2):
        np.testing.assert_array_equal(np.concatenate([dense_rows(chunk) for chunk in source.scan(4)]), X)


def numbered(rows, first):
    return first, dense_rows(rows)


@pytest.mark.parametrize("chunk_rows", [1, 3, 10, 1000])
def test_work_is_told_the_number_of_its_first_row(source, X, chunk_rows):
    expected = 0
    for first, rows in source.map_chunks(numbered, chunk_rows):
        assert first == expected
        assert type(first) is int
        np.testing.assert_array_equal(rows, X[first : first + len(rows)])
        expected += len(rows)
    assert expected == N_ROWS


def test_scanned_rows_may_be_changed_by_no_one_else(source, X):
    """What comes out shows the rows; asking does not change them."""
    before = X.copy()
    for chunk in source.scan(6):
        _ = dense_rows(chunk) + 1.0
    np.testing.assert_array_equal(X, before)


class Remote(RowSource):
    """Rows elsewhere: work travels there as bytes, its results travel back, and there is no access by number."""

    def __init__(self, X, chunk_rows=None):
        self._X, self.passes, self.bytes_sent, self._own_chunks = X, 0, [], chunk_rows

    n_rows = property(lambda self: len(self._X))
    schema = SCHEMA

    def gather(self, numbers):
        raise AssertionError("rows were asked for by number")

    def map_chunks(self, work, chunk_rows):
        self.passes += 1
        sent = pickle.dumps(work)
        self.bytes_sent.append(len(sent))
        length = self._own_chunks or chunk_rows
        for first in range(0, len(self._X), length):
            yield pickle.loads(pickle.dumps(pickle.loads(sent)(self._X[first : first + length], first)))

    def __reduce__(self):
        raise AssertionError("the rows themselves were sent")


def first_and_sum(rows, first):
    return first, count_rows(rows), float(rows.sum())


COMBINED = {
    "selected": lambda remote: (SelectedRows(remote, np.arange(1, N_ROWS, 3)), np.arange(1, N_ROWS, 3)),
    "chained": lambda remote: (ChainedRows(DenseRows(remote._X), remote), np.tile(np.arange(N_ROWS), 2)),
    "checked": lambda remote: (FiniteRows(remote, "X"), np.arange(N_ROWS)),
    "all of them": lambda remote: (
        FiniteRows(SelectedRows(ChainedRows(DenseRows(remote._X[:4]), remote), np.arange(4, N_ROWS + 4)), "X"),
        np.arange(N_ROWS),
    ),
}


@pytest.mark.parametrize("combine", COMBINED.values(), ids=COMBINED)
@pytest.mark.parametrize("own_chunks", [None, 5])
def test_work_travels_to_the_rows_in_one_pass(combine, own_chunks, X):
    remote = Remote(X, own_chunks)
    source, numbers = combine(remote)
    found = list(source.map_chunks(first_and_sum, 4))
    firsts, lengths, _ = zip(*found, strict=True)
    assert list(firsts) == np.cumsum([0, *lengths])[:-1].tolist()
    assert sum(lengths) == len(numbers) == source.n_rows
    for first, length, total in found:
        assert total == X[numbers[first : first + length]].sum()
    assert remote.passes == 1
    assert max(remote.bytes_sent) < 2000


def test_selected_rows_are_found_without_access_by_number(X):
    for numbers in ([0], [22], [0, 22], [4, 5, 6, 7, 8], list(range(N_ROWS)), []):
        remote = Remote(X)
        source = SelectedRows(remote, np.array(numbers, dtype=np.intp))
        chunks = list(source.scan(5))
        np.testing.assert_array_equal(np.concatenate([np.zeros((0, 4)), *chunks]), X[numbers])
        assert remote.passes == 1


def nothing(rows, first):
    return None


def test_work_may_return_nothing(X):
    source = SelectedRows(DenseRows(X), np.array([1, 2, 20]))
    assert list(source.map_chunks(nothing, 5)) == [None, None]


@pytest.mark.parametrize("numbers", [[2, 1], [1, 1], [0, 3, 2], [0, 0, 1]])
def test_numbers_of_selected_rows_must_rise(X, numbers):
    with pytest.raises(ValueError, match="numbers of selected rows must rise, each once"):
        SelectedRows(DenseRows(X), np.array(numbers))


def test_arrays_are_not_copied(X):
    (chunk,) = DenseRows(X).scan(N_ROWS)
    assert np.shares_memory(chunk, X)
    held = sparse.csr_array(X)
    assert np.shares_memory(SparseRows(held)._X.data, held.data)


def test_columns_without_a_schema_are_numbers_without_names(X):
    for source in (DenseRows(X), SparseRows(sparse.csr_array(X)), open_source(X)):
        assert source.schema == Schema(4, {})


def test_sources_must_say_how_rows_are_read():
    class Half(RowSource):
        n_rows = 3

    with pytest.raises(TypeError, match="abstract"):
        Half()


CHECKED = {"dense": DenseRows, "sparse": lambda X: SparseRows(sparse.csr_array(X))}


@pytest.mark.parametrize("make", CHECKED.values(), ids=CHECKED)
@pytest.mark.parametrize(
    ("bad", "allows_missing", "sentence"),
    [
        (np.nan, False, "NaN: column 2 must hold a number in every row. Got none in row 13;"),
        (np.inf, False, "infinity: column 2 must hold finite numbers. Got inf in row 13;"),
        (-np.inf, False, "infinity: column 2 must hold finite numbers. Got -inf in row 13;"),
        (np.inf, True, "column 2 must hold finite numbers, or NaN where one is missing. Got inf in row 13;"),
        (-np.inf, True, "column 2 must hold finite numbers, or NaN where one is missing. Got -inf in row 13;"),
    ],
)
def test_checked_rows_name_the_row_that_is_not_finite(make, bad, allows_missing, sentence, X):
    X[13, 2] = bad
    X[17, 0] = bad
    source = FiniteRows(make(X), "X_pool", allows_missing=allows_missing)
    assert_same_rows(source.gather(np.array([12, 14, 14])), X[[12, 14, 14]])
    for ask in (
        lambda: list(source.scan(4)),
        lambda: list(source.scan(100)),
        lambda: list(source.map_chunks(first_and_sum, 1)),
        lambda: source.gather(np.array([1, 13, 2])),
        lambda: source.gather(np.array([13, 17])),
    ):
        with pytest.raises(ValueError, match="Input X_pool contains") as caught:
            ask()
        assert sentence in str(caught.value)


@pytest.mark.parametrize("make", CHECKED.values(), ids=CHECKED)
def test_missing_values_pass_where_they_are_allowed(make, X):
    X[[3, 13], [1, 2]] = np.nan
    source = FiniteRows(make(X), "X", allows_missing=True)
    np.testing.assert_array_equal(np.concatenate([dense_rows(chunk) for chunk in source.scan(5)]), X)
    np.testing.assert_array_equal(dense_rows(source.gather(np.array([13, 3]))), X[[13, 3]])


@pytest.mark.parametrize("dtype", ["datetime64[s]", "timedelta64[s]", "U3", complex])
def test_what_holds_no_numbers_is_not_opened(dtype, X):
    with pytest.raises(ValueError, match=r"X_pool must hold numbers only\. Got "):
        open_source(X.astype(int).astype(dtype), "X_pool")
