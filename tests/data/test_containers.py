"""The same rows give the same model, bit for bit, whatever holds them."""

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse

from s2auc import S2AUCClassifier
from s2auc.data.sources.matrix_rows import DenseRows

NAMES = ["age", "height", "shoe", "weight"]
N_LABELED = 24


def make_rows(n_rows=180, seed=0):
    """Whole numbers, which every container and type can hold, many of them zero."""
    rng = np.random.default_rng(seed)
    X = rng.integers(-9, 10, (n_rows, len(NAMES))).astype(np.float64)
    X[rng.random(X.shape) < 0.3] = 0.0
    truth = (X @ [1.0, 0.5, 0.0, -0.5] + rng.normal(size=n_rows) > 0).astype(int)
    y = np.where(np.arange(n_rows) < N_LABELED, truth, -1)
    return X, y


def as_memmap(X, folder):
    mapped = np.memmap(folder / "rows.dat", dtype=X.dtype, mode="w+", shape=X.shape)
    mapped[:] = X
    mapped.flush()
    return np.memmap(folder / "rows.dat", dtype=X.dtype, mode="r", shape=X.shape)


CONTAINERS = {
    "float64": lambda X, _: X,
    "float32": lambda X, _: X.astype(np.float32),
    "float16": lambda X, _: X.astype(np.float16),
    "longdouble": lambda X, _: X.astype(np.longdouble),
    "int64": lambda X, _: X.astype(np.int64),
    "int8": lambda X, _: X.astype(np.int8),
    "object": lambda X, _: X.astype(object),
    "fortran": lambda X, _: np.asfortranarray(X),
    "strided": lambda X, _: np.repeat(np.repeat(X, 2, axis=0), 3, axis=1)[::2, ::3],
    "reversed": lambda X, _: X[::-1].copy()[::-1],
    "big-endian": lambda X, _: X.astype(">f8"),
    "read-only": lambda X, _: np.broadcast_to(X, (1, *X.shape))[0],
    "csr_matrix": lambda X, _: sparse.csr_matrix(X),
    "csr_array": lambda X, _: sparse.csr_array(X),
    "csc_matrix": lambda X, _: sparse.csc_matrix(X),
    "csc_array": lambda X, _: sparse.csc_array(X),
    "coo_array": lambda X, _: sparse.coo_array(X),
    "csr_array float32": lambda X, _: sparse.csr_array(X.astype(np.float32)),
    "csr_array int": lambda X, _: sparse.csr_array(X.astype(np.int32)),
    "memmap": as_memmap,
    "lists": lambda X, _: X.tolist(),
    "lists of ints": lambda X, _: X.astype(int).tolist(),
    "pandas": lambda X, _: pd.DataFrame(X, columns=NAMES),
    "pandas mixed types": lambda X, _: pd.DataFrame(X, columns=NAMES).astype({"age": "int8", "shoe": "Int64"}),
    "polars": lambda X, _: pl.DataFrame(X, schema=NAMES),
}


def fast(**changes):
    return S2AUCClassifier(**{"max_iter": 6, "n_frequencies": 8, "batch_size": 16, "random_state": 3} | changes)


@pytest.fixture(scope="module")
def expected():
    """Scores from plain float64 arrays, by solver."""
    X, y = make_rows()
    return {solver: fast(solver=solver).fit(X, y).decision_function(X) for solver in ("qsg", "exact")}


@pytest.mark.parametrize("solver", ["qsg", "exact"])
@pytest.mark.parametrize("container", CONTAINERS)
def test_containers_give_the_same_bits(container, solver, expected, tmp_path):
    X, y = make_rows()
    held = CONTAINERS[container](X, tmp_path)
    model = fast(solver=solver).fit(held, y)
    np.testing.assert_array_equal(model.decision_function(held), expected[solver])
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="X does not have valid feature names")
        np.testing.assert_array_equal(model.decision_function(X), expected[solver])


@pytest.mark.parametrize("solver", ["qsg", "exact"])
@pytest.mark.parametrize("container", CONTAINERS)
def test_marker_rows_and_a_separate_pool_give_the_same_bits(container, solver, expected, tmp_path):
    X, y = make_rows()
    pool = CONTAINERS[container](X[N_LABELED:], tmp_path)
    labeled = pd.DataFrame(X[:N_LABELED], columns=NAMES) if hasattr(pool, "columns") else X[:N_LABELED]
    model = fast(solver=solver).fit(labeled, y[:N_LABELED], X_unlabeled=pool)
    asked = pd.DataFrame(X, columns=NAMES) if hasattr(pool, "columns") else X
    np.testing.assert_array_equal(model.decision_function(asked), expected[solver])


@pytest.mark.parametrize("n_marked", [1, 40, 155])
@pytest.mark.parametrize("solver", ["qsg", "exact"])
def test_marker_rows_with_a_separate_pool_give_the_same_bits(solver, n_marked, expected):
    X, y = make_rows()
    cut = N_LABELED + n_marked
    model = fast(solver=solver).fit(X[:cut], y[:cut], X_unlabeled=sparse.csr_array(X[cut:]))
    # The closed form sums over chunks, which end where a container ends.
    tolerance = 0 if solver == "qsg" else 1e-9
    np.testing.assert_allclose(model.decision_function(X), expected[solver], rtol=0, atol=tolerance)


def test_fits_leave_their_input_alone():
    X, y = make_rows()
    more = X[N_LABELED:] + 1.0
    kept = X.copy(), y.copy(), more.copy()
    model = fast(max_iter=3).fit(X, y, X_unlabeled=more)
    model.partial_fit(X, y, X_unlabeled=more).predict(X)
    for before, after in zip(kept, (X, y, more), strict=True):
        np.testing.assert_array_equal(before, after)


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_columns_are_found_by_their_names(frame):
    X, y = make_rows()
    table = frame({name: X[:, place] for place, name in enumerate(NAMES)})
    model = fast(max_iter=2).fit(table, y)
    scores = model.decision_function(table)
    assert model.feature_names_in_.tolist() == NAMES
    assert model.model_.schema.names == tuple(NAMES)
    mirrored, shorter = table[NAMES[::-1]], table[NAMES[:-1]]
    np.testing.assert_array_equal(model.decision_function(mirrored), scores)
    again = fast(max_iter=2).fit(table[:N_LABELED], y[:N_LABELED], X_unlabeled=mirrored[N_LABELED:])
    np.testing.assert_array_equal(again.decision_function(table), scores)
    with pytest.raises(ValueError, match=r"X must have the columns .* Missing: 'weight'; add them"):
        model.decision_function(shorter)
    with pytest.raises(ValueError, match=r"X_unlabeled must have the columns .* Missing: 'weight'; add them"):
        fast(max_iter=2).fit(table, y, X_unlabeled=shorter)
    with pytest.warns(UserWarning, match="X does not have valid feature names"):
        model.decision_function(X)


@pytest.mark.parametrize("hold", [np.asarray, DenseRows], ids=["array", "source"])
def test_a_new_fit_forgets_names_and_columns(hold):
    X, y = make_rows()
    model = fast(max_iter=2).fit(pd.DataFrame(X, columns=NAMES), y).fit(hold(X[:, :2]), y)
    assert model.n_features_in_ == 2
    assert not hasattr(model, "feature_names_in_")
    assert model.model_.schema.names is None
    assert model.model_.n_columns == 2


@pytest.mark.parametrize("bad", [np.inf, -np.inf])
def test_a_memory_map_is_searched_for_infinity_where_it_is_read(bad, tmp_path):
    X, y = make_rows()
    pool = X[N_LABELED:].copy()
    pool[31, 2] = bad
    for solver in ("qsg", "exact"):
        with pytest.raises(
            ValueError, match=r"Input X_unlabeled contains infinity: column 2 must .* Got -?inf in row 31;"
        ):
            fast(solver=solver).fit(X[:N_LABELED], y[:N_LABELED], X_unlabeled=as_memmap(pool, tmp_path))


@pytest.mark.parametrize("solver", ["qsg", "exact"])
def test_missing_values_of_a_memory_map_are_missing_values(solver, tmp_path):
    X, y = make_rows()
    X[N_LABELED + 31, 2] = np.nan
    plain = fast(solver=solver).fit(X, y).decision_function(X)
    pool = as_memmap(X[N_LABELED:], tmp_path)
    mapped = fast(solver=solver).fit(X[:N_LABELED], y[:N_LABELED], X_unlabeled=pool)
    np.testing.assert_array_equal(mapped.decision_function(X), plain)


class Selection:
    """Rows of a Hugging Face dataset, chosen by an index that its Arrow table does not know."""

    def __init__(self, table, numbers):
        self._table, self._numbers = table, numbers

    def with_format(self, name):
        assert name == "arrow"
        return self

    def __getitem__(self, rows):
        return self._table.take(self._numbers)[rows]


def test_hugging_face_datasets():
    X, y = make_rows()
    order = np.random.default_rng(0).permutation(len(X))
    table = pa.table({name: X[np.argsort(order), place] for place, name in enumerate(NAMES)})
    ranker = S2AUCClassifier(random_state=0, max_iter=20)
    expected = ranker.fit(pd.DataFrame(X, columns=NAMES), y).decision_function(pd.DataFrame(X, columns=NAMES))
    rows = Selection(table, order)
    assert np.array_equal(ranker.fit(rows, y).decision_function(rows), expected)
