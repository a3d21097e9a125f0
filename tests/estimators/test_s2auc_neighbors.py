"""The classifier with the term of neighbours: it helps where it should, and works with all else."""

import pickle

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import make_moons

from classifier_rows import fast, make_rows
from s2auc import QSG, S2AUCClassifier, load_model
from s2auc.ranking.losses import RankingLosses

SMALL = {"qsg": {"solver": "qsg"}, "exact": {"solver": "exact", "n_frequencies": 30}}
WITH = {"neighbor_weight": 5.0, "n_neighbors": 4}


@pytest.fixture(params=SMALL)
def small(request):
    """Settings of a fast fit with one of the solvers, but for the term."""
    return SMALL[request.param]


def differs(one, other, X):
    return np.abs(one.decision_function(X) - other.decision_function(X)).max() > 1e-3


@pytest.mark.parametrize("solver", ["qsg", "exact"])
def test_two_moons_with_ten_labels(solver):
    areas = {0.0: [], 10.0: []}
    for seed in range(3):
        X, truth = make_moons(500, noise=0.1, random_state=seed)
        y = np.full(500, -1)
        for label in (0, 1):
            y[np.flatnonzero(truth == label)[:5]] = label
        for weight, found in areas.items():
            settings = {"neighbor_weight": weight, "kernel_gamma": "5 median", "alpha": 1e-3}
            model = S2AUCClassifier(solver=solver, **settings, random_state=seed).fit(X, y)
            found.append(model.score(X[y == -1], truth[y == -1]))
    assert np.mean(areas[10.0]) > np.mean(areas[0.0]) + 0.03
    assert np.min(areas[10.0]) > 0.98


def test_a_weight_of_zero_is_no_term(small):
    X, _, y = make_rows()
    plain, zero = fast(**small).fit(X, y), fast(**small, neighbor_weight=0, n_neighbors=3).fit(X, y)
    np.testing.assert_array_equal(zero.decision_function(X), plain.decision_function(X))
    assert differs(fast(**small, **WITH).fit(X, y), plain, X)


def test_the_same_seed_gives_the_same_bits(small):
    X, _, y = make_rows()
    one, other = (fast(**small, **WITH, n_jobs=n_jobs).fit(X, y) for n_jobs in (1, 2))
    np.testing.assert_array_equal(one.decision_function(X), other.decision_function(X))


@pytest.mark.parametrize("pairing", ["all", "triplet"])
@pytest.mark.parametrize("loss", list(RankingLosses()))
def test_every_loss_and_pairing(loss, pairing):
    X, truth, y = make_rows()
    settings = {"loss": loss, "solver": QSG(pairing=pairing), "max_iter": 60}
    model = fast(**settings, **WITH).fit(X, y)
    assert model.score(X, truth) > 0.85
    assert np.isfinite(model.history_["risk"]).all()
    assert differs(model, fast(**settings).fit(X, y), X)


@pytest.mark.parametrize("labeled_weight", [0.0, 0.5, 1.0])
def test_every_labelled_weight(small, labeled_weight):
    """Also where no pair needs an unlabelled row: the graph has them all the same."""
    X, truth, y = make_rows()
    settings = {**small, "labeled_weight": labeled_weight, "max_iter": 40}
    model = fast(**settings, **WITH).fit(X, y)
    assert model.score(X, truth) > 0.85
    assert differs(model, fast(**settings).fit(X, y), X)


def test_positive_unlabelled(small):
    X, truth, _ = make_rows()
    y = np.where((truth == 1) & (np.arange(len(X)) < 80), 1, -1)
    settings = {**small, "pos_label": 1, "max_iter": 40}
    model = fast(**settings, **WITH).fit(X, y)
    assert model.score(X, truth) > 0.8
    assert differs(model, fast(**settings).fit(X, y), X)


def test_without_unlabelled_rows_labelled_ones_are_neighbours(small):
    X, truth, _ = make_rows(60)
    model = fast(**small, **WITH, labeled_weight=1.0).fit(X, truth)
    assert model.score(X, truth) > 0.8
    assert differs(model, fast(**small, labeled_weight=1.0).fit(X, truth), X)


@pytest.mark.parametrize("n_rows", [2, 3])
def test_fewer_rows_than_neighbours(small, n_rows):
    X = np.arange(2.0 * n_rows).reshape(n_rows, 2)
    y = [0, 1, -1][:n_rows]
    assert fast(**small, labeled_weight=1.0, neighbor_weight=1.0).fit(X, y).score(X[:2], y[:2]) == 1.0


def test_rows_that_are_the_same_but_for_one(small):
    X, y = np.ones((20, 2)), np.array([0, 1] * 3 + [-1] * 14)
    X[-1] = 2.0
    scores = fast(**small, **WITH).fit(X, y).decision_function(X)
    np.testing.assert_allclose(scores[:-1], scores[0])
    assert np.isfinite(scores).all()


def test_sparse_rows_equal_dense_ones(small):
    X, _, y = make_rows()
    X = np.where(np.abs(X) < 0.7, 0.0, X)
    dense, from_sparse = (fast(**small, **WITH).fit(rows, y) for rows in (X, sparse.csr_array(X)))
    np.testing.assert_allclose(from_sparse.decision_function(X), dense.decision_function(X), rtol=1e-6, atol=1e-7)


def test_columns_are_compared_as_the_kernel_sees_them(small):
    """Weighted by what they tell: a wide column that says nothing decides on no neighbours."""
    X, truth, y = make_rows()
    noise = np.random.default_rng(1).normal(size=(len(X), 6))
    wide = np.hstack([X[:, :1], noise])
    weighted = fast(**small, **WITH, column_weighting="auc", max_iter=60).fit(wide, y)
    assert weighted.score(wide, truth) > 0.85
    assert differs(weighted, fast(**small, column_weighting="auc", max_iter=60).fit(wide, y), wide)


def test_missing_values_and_categories_are_neighbours_too(small):
    X, truth, y = make_rows()
    X = X.copy()
    X[::7, 2] = np.nan
    assert fast(**small, **WITH, max_iter=40).fit(X, y).score(X, truth) > 0.8


@pytest.mark.filterwarnings("ignore:With schedule='printed' the paper proves")
def test_two_parts_make_a_whole():
    X, _, y = make_rows()
    settings = {"alpha": 1.0, "solver": QSG(schedule="printed", step_scale=0.05), **WITH}
    whole = fast(max_iter=20, **settings).fit(X, y)
    parts = fast(max_iter=10, **settings).partial_fit(X, y).partial_fit(X, y)
    scores = whole.decision_function(X)
    np.testing.assert_allclose(parts.decision_function(X), scores, rtol=0, atol=1e-5 * np.abs(scores).max())


def test_partial_fit_learns_from_batches_of_any_kind():
    X, truth, _ = make_rows(900)
    model = fast(n_frequencies=16, max_iter=20, **WITH)
    for batch in np.split(np.arange(900), 3):
        model.partial_fit(X[batch], np.where(batch % 10 == 0, truth[batch], -1))
    model.partial_fit(X[:10], truth[:10])
    assert model.score(X, truth) > 0.88
    with pytest.warns(UserWarning, match="form no pairs to learn from"):
        model.partial_fit(X[:20], np.full(20, -1))


def test_warm_start_goes_on_with_and_without_the_term():
    X, truth, y = make_rows()
    model = fast(warm_start=True, **WITH).fit(X, y)
    first = model.decision_function(X)
    for weight in (5.0, 0.0, 20.0):
        model.set_params(neighbor_weight=weight, n_neighbors=7).fit(X, y)
        assert model.score(X, truth) > 0.8
    assert np.abs(model.decision_function(X) - first).max() > 1e-3


def test_saved_copied_and_told(small, tmp_path):
    X, _, y = make_rows()
    model = fast(**small, **WITH).fit(X, y)
    model.save(tmp_path / "model.s2auc")
    loaded = load_model(tmp_path / "model.s2auc")
    scores = model.decision_function(X)
    np.testing.assert_allclose(loaded.decision_function(X), scores, rtol=1e-6, atol=1e-7)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).decision_function(X), scores)
    told = loaded.record["settings"]
    assert (told["neighbor_weight"], told["n_neighbors"]) == (5.0, 4)
