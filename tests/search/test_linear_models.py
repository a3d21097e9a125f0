"""Linear functions of labelled pairs, by columns and by rows, against minimisers from all pairs."""

import numpy as np
import pytest
from scipy.sparse import csr_array

import reference
from repeated_rows import Weighted
from s2auc.common.groups import PositiveFirst
from s2auc.search.entries import linear as linear_models
from s2auc.search.entries.linear import fit_linear

ALPHAS = (1e-3, 1e-1, 1.0)
N_POSITIVE, N_NEGATIVE, N_OTHERS = 7, 9, 5
ORDER = PositiveFirst(N_POSITIVE, N_NEGATIVE)
ROWS = np.arange(ORDER.n_rows)
MASKS = np.stack([ROWS >= 0, ROWS % 3 != 0, ROWS % 3 != 1, (ROWS != 0) & (ROWS != 15)], axis=1)


def make_rows(n_columns, seed=0):
    """Labelled rows, then others, with few values that are not zero; positive ones have more in the first columns."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(ORDER.n_rows + N_OTHERS, n_columns)) * (rng.random((ORDER.n_rows + N_OTHERS, n_columns)) < 0.3)
    X[:N_POSITIVE, :3] += 1.0
    return X


def expected(labeled, is_trained):
    """The minimisers, (alphas, masks, columns), one after the other."""
    found = np.empty((len(ALPHAS), is_trained.shape[1], labeled.shape[1]))
    for mask, used in enumerate(map(np.flatnonzero, is_trained.T)):
        sizes = {"positive": int((used < N_POSITIVE).sum()), "negative": int((used >= N_POSITIVE).sum())}
        risk = reference.quadratic_risk(reference.semi_supervised_terms("square", 1.0, sizes, "all"), sizes)
        for place, alpha in enumerate(ALPHAS):
            found[place, mask] = reference.linear_minimiser(labeled[used], *risk, alpha)
    return found


def fitted(X, is_trained=MASKS, order=ORDER):
    return fit_linear(X[: order.n_rows], X[order.n_rows :], order, ALPHAS, is_trained)


def check(found, X, is_trained=MASKS, tolerance=1e-6):
    """Compare scores of other rows under every mask, and the weights under the first, with the minimisers."""
    weights = expected(X[: ORDER.n_rows], is_trained)
    scores = weights @ X[ORDER.n_rows :].T
    found_scores, found_weights = found
    assert found_scores.shape == (len(ALPHAS), is_trained.shape[1], N_OTHERS)
    np.testing.assert_allclose(found_scores, scores, rtol=0, atol=tolerance * np.abs(scores).max())
    np.testing.assert_allclose(found_weights, weights[:, 0], rtol=0, atol=tolerance * np.abs(weights).max())


# More rows than columns, about as many, and fewer: RRᵀ of the first cannot be inverted.
WIDTHS = [4, 16, 60]


@pytest.fixture(params=["by columns", "by rows, dense", "by rows, sparse", "by products"])
def fit(request, monkeypatch):
    """Each way to fit dense rows of any number of columns."""
    monkeypatch.setattr(linear_models, "MANY_COLUMNS", 1000 if request.param == "by columns" else 1)
    form = csr_array if request.param in ("by rows, sparse", "by products") else np.asarray
    if request.param == "by products":
        monkeypatch.setattr(linear_models, "MANY_ROWS", 1)
        monkeypatch.setattr(linear_models, "TOLERANCE", 1e-12)
    return lambda X, is_trained=MASKS, order=ORDER: fitted(form(X), is_trained, order)


@pytest.mark.parametrize("n_columns", WIDTHS)
def test_every_way_finds_the_minimisers_of_all_masks(fit, n_columns):
    X = make_rows(n_columns)
    check(fit(X), X)


def test_a_single_mask_is_the_first_of_many(fit):
    X = make_rows(60)
    check(fit(X, MASKS[:, :1]), X, MASKS[:, :1])
    check(fit(X, MASKS[:, 1:2]), X, MASKS[:, 1:2])


@pytest.mark.parametrize("n_columns", WIDTHS)
def test_rows_that_count_by_whole_numbers_are_repeated_rows(fit, n_columns):
    rows = Weighted.make(N_POSITIVE, N_NEGATIVE, n_columns)
    others = make_rows(n_columns)[ORDER.n_rows :]
    ours = fit(np.concatenate([rows.labeled, others]), order=rows.order)
    theirs = fit(np.concatenate([rows.repeated(rows.labeled), others]), rows.repeated(MASKS), order=rows.repeated_order)
    for mine, other in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(mine, other, atol=1e-6 * np.abs(other).max())


def test_rows_may_occur_twice_in_both_classes_and_be_empty(fit):
    X = make_rows(60)
    X[1] = X[0]
    X[10] = X[11] = X[12]
    X[8] = X[2]
    X[5] = X[13] = 0.0
    check(fit(X), X)


def test_all_rows_may_be_alike(fit):
    X = np.repeat(make_rows(60)[:1], ORDER.n_rows + N_OTHERS, axis=0)
    for found in fit(X):
        np.testing.assert_allclose(found, 0.0, atol=1e-6)


@pytest.mark.parametrize("n_columns", WIDTHS)
def test_rows_without_any_value_have_no_weights(fit, n_columns):
    scores, weights = fit(np.zeros((ORDER.n_rows + N_OTHERS, n_columns)))
    assert not scores.any()
    assert not weights.any()


def test_rows_may_be_of_very_different_lengths(fit):
    X = make_rows(60)
    X[: ORDER.n_rows] *= np.geomspace(1e-3, 1e2, ORDER.n_rows)[np.argsort(ROWS % 5), None]
    X[3] = X[4]
    check(fit(X), X, tolerance=1e-5)


def test_one_row_of_each_class():
    order, X = PositiveFirst(1, 1), csr_array([[1.0, 0.0, 2.0], [0.0, 1.0, 0.0]])
    scores, found = fit_linear(X, X, order, (0.5,), np.ones((2, 1), dtype=bool))
    gap = np.array([1.0, -1.0, 2.0])
    weights = 2.0 * gap / (2.0 * gap @ gap + 0.5)
    np.testing.assert_allclose(found, [weights], rtol=1e-8)
    np.testing.assert_allclose(scores, [[X @ weights]], rtol=1e-8, atol=1e-8)


def test_sparse_and_many_columns_are_solved_by_rows(monkeypatch):
    ways = []
    for name in ("_fit_by_rows", "_fit_by_columns"):
        monkeypatch.setattr(linear_models, name, lambda *_, name=name: ways.append(name))
    narrow = np.zeros((ORDER.n_rows, 2))
    for rows in (narrow, csr_array(narrow), np.zeros((2, 1000)), np.zeros((2, 1001))):
        fit_linear(rows, rows, ORDER, ALPHAS, MASKS)
    assert ways == ["_fit_by_columns", "_fit_by_rows", "_fit_by_columns", "_fit_by_rows"]
