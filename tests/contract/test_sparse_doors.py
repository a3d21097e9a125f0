"""Whatever takes a sparse matrix looks at its structure first, once, and then sees what the matrix means."""

import numpy as np
import pytest
from scipy import sparse

from s2auc import S2AUCClassifier, S2AUCClassifierCV, estimate_class_prior
from s2auc.data.schema.schema import Schema
from s2auc.data.sources import sparse_structure
from s2auc.data.sources.finite import FiniteRows
from s2auc.data.sources.matrix_rows import open_source
from s2auc.data.sources.source import RowSource
from s2auc.estimators.baselines.kernel.pnuauc import PNUAUCClassifier

N_ROWS, N_COLUMNS = 24, 4
LABELS = np.arange(N_ROWS) % 3 - 1


def make_rows():
    """Return small whole numbers, half of them zero."""
    rng = np.random.default_rng(0)
    X = rng.integers(1, 9, (N_ROWS, N_COLUMNS)) * rng.integers(0, 2, (N_ROWS, N_COLUMNS))
    return sparse.csr_array(X.astype(np.float64))


class Own(RowSource):
    """Rows of a matrix that nobody has looked at."""

    schema, n_rows = Schema(N_COLUMNS, {}), N_ROWS

    def __init__(self, X):
        self._X = X

    def gather(self, numbers):
        return self._X

    def map_chunks(self, work, chunk_rows):
        yield work(self._X, 0)


def fast():
    return S2AUCClassifier(max_iter=2, n_frequencies=4, batch_size=8, random_state=0)


def fitted():
    return fast().fit(make_rows(), LABELS)


DOORS = {
    "open_source": ("X_pool", lambda X: open_source(X, "X_pool")),
    "own source, by number": ("X", lambda X: FiniteRows(Own(X), "X").gather(np.arange(N_ROWS))),
    "own source, in order": ("X", lambda X: list(FiniteRows(Own(X), "X").scan(5))),
    "fit": ("X", lambda X: fast().fit(X, LABELS)),
    "fit on a pool": ("X_unlabeled", lambda X: fast().fit(make_rows(), LABELS, X)),
    "fit on a source": ("X", lambda X: fast().fit(Own(X), LABELS)),
    "partial_fit": ("X", lambda X: fast().partial_fit(X, LABELS)),
    "partial_fit goes on": ("X", lambda X: fitted().partial_fit(X, LABELS)),
    "decision_function": ("X", lambda X: fitted().decision_function(X)),
    "predict": ("X", lambda X: fitted().predict(X)),
    "score": ("X", lambda X: fitted().score(X, LABELS)),
    "search": ("X", lambda X: S2AUCClassifierCV(random_state=0).fit(X, LABELS)),
    "search with a pool": ("X_unlabeled", lambda X: S2AUCClassifierCV(random_state=0).fit(make_rows(), LABELS, X)),
    "baseline": ("X", lambda X: PNUAUCClassifier(random_state=0).fit(X, LABELS)),
    "model": ("X", lambda X: fitted().model_.decision_function(X)),
    "model, own source": ("X", lambda X: fitted().model_.decision_function(Own(X))),
    "class prior": ("X", lambda X: estimate_class_prior(X, LABELS, random_state=0)),
    "class prior of a pool": ("X_unlabeled", lambda X: estimate_class_prior(make_rows(), LABELS, X, random_state=0)),
}


@pytest.mark.parametrize("door", DOORS)
def test_every_door_is_guarded(door):
    name, enter = DOORS[door]
    X = make_rows()
    X.indptr[-1] -= 1
    with pytest.raises(ValueError, match=rf"^indptr of {name}, a CSR matrix of 24 x 4, must end .* Got 51; .*\.$"):
        enter(X)


def test_a_matrix_is_checked_once(monkeypatch):
    checked = []

    def count(held):
        checked.append(held.name)
        return read(held)

    read = sparse_structure._READERS["csr"]
    monkeypatch.setattr(sparse_structure, "_READERS", {"csr": count})
    ranker = fast().fit(make_rows(), LABELS, make_rows())
    assert checked == ["X", "X_unlabeled"]
    ranker.decision_function(make_rows())
    ranker.model_.decision_function(make_rows())
    assert checked == ["X", "X_unlabeled", "X", "X"]
    source = open_source(make_rows())
    assert len(list(source.scan(5))) == 5
    source.gather(np.arange(3))
    ranker.decision_function(source)
    assert len(checked) == 5


def test_a_matrix_that_was_sound_is_checked_again():
    X, ranker = make_rows(), fitted()
    ranker.decision_function(X)
    X.indptr[-1] -= 1
    with pytest.raises(ValueError, match=r"^indptr of X, a CSR matrix of 24 x 4, must end"):
        ranker.decision_function(X)


def test_scores_are_those_of_the_canonical_matrix():
    rng, X = np.random.default_rng(1), make_rows().tocoo()
    order, share = rng.permutation(2 * X.nnz), rng.normal(size=X.nnz)
    parts = np.concatenate([share, X.data - share])[order]
    rows, columns = (np.tile(numbers, 2)[order] for numbers in (X.row, X.col))
    by_rows = np.argsort(rows, kind="stable")
    indptr = np.searchsorted(rows[by_rows], np.arange(N_ROWS + 1))
    wild = sparse.csr_array((parts[by_rows], columns[by_rows], indptr), shape=X.shape)
    tame = wild.copy()
    tame.sum_duplicates()
    assert wild.nnz == 2 * tame.nnz
    for solver in ("qsg", "exact"):
        expected, found = (fast().set_params(solver=solver).fit(held, LABELS) for held in (tame, wild))
        np.testing.assert_array_equal(found.decision_function(wild), expected.decision_function(tame))
        np.testing.assert_array_equal(found.model_.decision_function(wild), expected.decision_function(tame))
    assert wild.nnz == 2 * tame.nnz


@pytest.mark.parametrize("dtype", ["f2", ">f8", ">i2", "O"])
def test_values_of_any_type_are_scored(dtype):
    X, expected = make_rows(), make_rows().toarray()
    X.data = X.data.astype(dtype)
    np.testing.assert_array_equal(fitted().decision_function(X), fitted().decision_function(expected))


def test_sparse_vectors_are_no_tables():
    with pytest.raises(ValueError, match=r"^X must have rows and columns\. Got shape \(3,\); reshape it to"):
        fitted().decision_function(sparse.coo_array(np.arange(3.0)))
