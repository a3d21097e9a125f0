"""Sizes that no machine has the memory for are refused in one sentence before any work; those that are capped work."""

import tracemalloc

import numpy as np
import pytest
from scipy.sparse import csr_array

from s2auc import (
    QSG,
    Average,
    Exact,
    NOAMClassifier,
    PNUAUCClassifier,
    S2AUCClassifier,
    S2AUCClassifierCV,
    SAMULTClassifier,
    estimate_class_prior,
)

SMALL = {"alphas": [0.1], "kernels": ["gaussian"], "kernel_gammas": ["median"], "scalings": ["standard"]}
SMALL |= {"column_weightings": ["none"], "neighbor_weights": [0], "members": ["kernels"], "judge": False}


@pytest.fixture(autouse=True)
def eight_gigabytes(monkeypatch):
    monkeypatch.setattr("s2auc.common.memory.available_bytes", lambda: 8 * 10**9)


def make_rows(n_rows=200):
    X = np.random.default_rng(0).normal(size=(n_rows, 3))
    y = np.where(np.arange(n_rows) < 20, X[:, 0] > np.median(X[:20, 0]), -1)
    return X, y


TRIPLETS = QSG(pairing="triplet")
REFUSED = {
    "max_iter": (S2AUCClassifier, {}, "use fewer steps, and partial_fit to go on from there"),
    "max_iters": (S2AUCClassifierCV, {"solver": "qsg", **SMALL}, "use fewer steps"),
    "batch_size": (S2AUCClassifier, {"solver": TRIPLETS, "max_iter": 4}, "use fewer rows a step"),
    "batch_size of edges": (S2AUCClassifier, {"neighbor_weight": 1.0, "max_iter": 4}, "use fewer rows a step"),
    "batch_size of a search": (S2AUCClassifierCV, {"solver": TRIPLETS, "max_iters": [4], **SMALL}, "use fewer rows"),
    "n_frequencies": (S2AUCClassifier, {"max_iter": 4}, "use fewer"),
    "n_frequencies at once": (S2AUCClassifier, {"solver": "exact"}, "use fewer"),
    "n_frequencies of a search": (S2AUCClassifierCV, {"selection": Average(max_frequencies=10**13)}, "use fewer"),
}


@pytest.mark.parametrize("size", [10**9, 10**12])
@pytest.mark.parametrize("case", REFUSED)
def test_absurd_sizes_are_refused_before_memory_is_asked_for(case, size):
    kind, others, advice = REFUSED[case]
    name, (X, y) = case.split()[0], make_rows()
    model = kind(**others, **{name: [4, size] if name == "max_iters" else size})
    before = dict(vars(model))
    tracemalloc.start()
    sentence = (
        rf"^The '{name}' parameter of {kind.__name__}, {size}, needs [\d.]+ [GT]B of memory\. Got .* available; "
        rf"{advice}.*\.$"
    )
    with pytest.raises(MemoryError, match=sentence):
        model.fit(X, y)
    assert tracemalloc.get_traced_memory()[1] < 2**23
    tracemalloc.stop()
    assert vars(model) == before


def test_partial_fit_and_odd_numbers_of_bytes_are_refused_too():
    X, y = make_rows()
    with pytest.raises(MemoryError, match=r"'max_iter' parameter .* needs more than a million TB of memory"):
        S2AUCClassifier(max_iter=10**300).partial_fit(X, y)


def test_resamples_that_do_not_fit():
    X, y = make_rows()
    with pytest.raises(MemoryError, match=r"'n_bootstrap' parameter of estimate_class_prior, 1000000000, needs .* TB"):
        estimate_class_prior(X, y, n_bootstrap=10**9)


def test_components_that_do_not_fit(monkeypatch):
    X, y = make_rows()
    rows = csr_array((X > 1.0).astype(float))
    monkeypatch.setattr("s2auc.common.memory.available_bytes", lambda: 1000)
    with pytest.raises(
        MemoryError, match=r"'sparse_components' parameter of S2AUCClassifier, 1000000000, needs 9\.7 kB"
    ):
        S2AUCClassifier(max_iter=1, n_frequencies=1, batch_size=10**6, sparse_components=10**9).fit(rows, y)


CAPPED = {
    "rows of the closed form": S2AUCClassifier(solver=Exact(max_unlabeled=10**12)),
    "rows of the closed form, near": S2AUCClassifier(solver=Exact(max_unlabeled=10**12), neighbor_weight=1.0),
    "rows of a search": S2AUCClassifierCV(solver=Exact(max_unlabeled=10**12), **SMALL),
    "neighbours": S2AUCClassifier(n_neighbors=10**9, neighbor_weight=1.0, max_iter=4),
    "batches": S2AUCClassifier(batch_size=10**12, max_iter=4),
    "steps of the closed form": S2AUCClassifierCV(max_iters=[10**12], **SMALL),
    "frequencies of an average": S2AUCClassifierCV(selection=Average(10**9, max_frequencies=10**12), **SMALL),
    "centres of SAMULT": SAMULTClassifier(n_centers=10**9),
    "centres of PNU-AUC": PNUAUCClassifier(n_centers=10**9),
    "landmarks of NOAM": NOAMClassifier(n_landmarks=10**9),
    "folds": S2AUCClassifierCV(cv=10**9, **SMALL),
    "threads": S2AUCClassifier(n_jobs=10**9, max_iter=4),
}


@pytest.mark.parametrize("case", CAPPED)
def test_sizes_that_rows_cap_work(case):
    X, y = make_rows()
    model = CAPPED[case].set_params(random_state=0).fit(X, y)
    assert model.score(X, X[:, 0] > 0) > 0.7


def test_sparse_components_are_capped_by_the_rows():
    X, y = make_rows()
    rows = csr_array(np.maximum(X, 0.0))
    model = S2AUCClassifier(sparse_components=10**9, max_iter=20, random_state=0).fit(rows, y)
    assert model.model_.parts[0].projection.n_components == 3
