"""PNU-AUC: the minimiser that brute force finds, or a stationary point; which rows and priors it uses."""

import numpy as np
import pytest

import reference
from baselines import GAMMA, as_rows, kernels, make_groups, many_rows, raw_scores
from s2auc import PNUAUCClassifier
from s2auc.estimators.baselines.kernel.pnuauc_cv import selection_weight, zero_one_risk

SETTINGS = {"kernel_gamma": GAMMA, "scaling": "none", "random_state": 0}
ETAS = [-1.0, -0.4, 0.0, 0.3, 1.0]


def terms_of(eta, prior, groups):
    return reference.pnu_terms(eta, prior, {group: len(X) for group, X in groups.items()})


@pytest.mark.parametrize("eta", ETAS)
@pytest.mark.parametrize("n_centers", [8, "all"])
def test_definite_equations_give_the_minimiser_that_brute_force_finds(eta, n_centers):
    groups = make_groups()
    X, y = as_rows(groups)
    model = PNUAUCClassifier(eta=eta, class_prior=0.4, alpha=2.0, n_centers=n_centers, **SETTINGS).fit(X, y)
    features = kernels(groups, model.model_.parts[0].centers)
    expected = reference.brute_force(features, terms_of(eta, 0.4, groups), 2.0)
    scores = np.vstack(list(features.values())) @ expected
    np.testing.assert_allclose(raw_scores(model, X), scores, atol=1e-8)
    assert (model.eta_, model.class_prior_) == (eta, 0.4 if eta else None)


@pytest.mark.parametrize(("eta", "prior"), [(1.0, 0.8), (0.7, 0.9), (-1.0, 0.2)])
def test_indefinite_equations_are_solved_with_a_warning(eta, prior):
    groups = make_groups(30, 30, 10)
    X, y = as_rows(groups)
    model = PNUAUCClassifier(eta=eta, class_prior=prior, alpha=1e-3, n_centers=20, **SETTINGS)
    with pytest.warns(UserWarning, match="not positive definite, .* A larger alpha or an eta closer to 0") as caught:
        model.fit(X, y)
    assert caught[0].filename == __file__
    part = model.model_.parts[0]
    features = kernels(groups, part.centers)
    _, gradient = reference.objective(part.coefficients, features, terms_of(eta, prior, groups), 1e-3)
    assert np.abs(gradient).max() < 1e-9 * max(1.0, np.abs(part.coefficients).max())


def test_the_authors_formulas():
    """Their matrices, written down as in their code."""
    groups = make_groups(12, 9, 40)
    X, y = as_rows(groups)
    for eta in ETAS:
        model = PNUAUCClassifier(eta=eta, class_prior=0.3, alpha=0.5, n_centers=10, **SETTINGS).fit(X, y)
        K = kernels(groups, model.model_.parts[0].centers)
        H = {g: K[g].T @ K[g] / len(K[g]) for g in K}
        m = {g: K[g].mean(axis=0) for g in K}

        def pair(a, b, H=H, m=m):
            return H[a] + H[b] - np.outer(m[a], m[b]) - np.outer(m[b], m[a])

        p, n, u = "positive", "negative", "unlabeled"
        matrix, target = (1 - abs(eta)) * pair(p, n), (1 - abs(eta)) * (m[p] - m[n])
        if eta >= 0:
            matrix += eta * (pair(p, u) - 0.3 * (2 * H[p] - 2 * np.outer(m[p], m[p]))) / 0.7
            target += eta * (m[p] - m[u]) / 0.7
        else:
            matrix -= eta * (pair(n, u) - 0.7 * (2 * H[n] - 2 * np.outer(m[n], m[n]))) / 0.3
            target -= eta * (m[u] - m[n]) / 0.3
        expected = np.linalg.solve(matrix + 0.5 * np.eye(10), target)
        np.testing.assert_allclose(model.model_.parts[0].coefficients, expected, rtol=1e-9, atol=1e-12)


def test_positive_unlabelled():
    X, truth, _ = many_rows(1500)
    y = np.where((truth == 1) & (np.arange(1500) < 300), 1, -1)
    model = PNUAUCClassifier(pos_label=1, class_prior=0.45, random_state=0).fit(X, y)
    assert (model.eta_, model.class_prior_, model.classes_.tolist()) == (1.0, 0.45, [0, 1])
    assert model.score(X, truth) > 0.85
    guessed = PNUAUCClassifier(pos_label=1, alpha=1.0, random_state=0).fit(X, y)
    assert 0.01 <= guessed.class_prior_ <= 0.99
    assert guessed.score(X, truth) > 0.8
    with pytest.raises(
        ValueError, match=r"needs unlabelled ones and eta >= 0\. Got 1\d+ unlabelled rows and eta=-0\.5"
    ):
        PNUAUCClassifier(pos_label=1, eta=-0.5).fit(X, y)


def test_the_estimated_prior_is_near_the_truth():
    X, truth, y = many_rows(3000, n_labeled=300)
    model = PNUAUCClassifier(random_state=0).fit(X, y)
    assert model.class_prior_ == pytest.approx(truth.mean(), abs=0.1)


def test_without_unlabelled_rows_eta_is_zero():
    X, truth, _ = many_rows(60)
    with pytest.warns(UserWarning, match="learnt from labelled pairs only, as with eta=0") as caught:
        model = PNUAUCClassifier(eta=-0.5, random_state=0).fit(X, truth)
    assert caught[0].filename == __file__
    assert (model.eta_, model.class_prior_) == (0.0, None)
    plain = PNUAUCClassifier(eta=0, random_state=0).fit(X, truth)
    np.testing.assert_array_equal(plain.decision_function(X), model.decision_function(X))


def test_all_rows_that_do_not_fit_are_refused_by_the_byte(monkeypatch):
    X, _, y = many_rows(3000)
    monkeypatch.setattr("s2auc.common.memory.available_bytes", lambda: 10**8)
    with pytest.raises(MemoryError, match=r"PNUAUCClassifier with all 3,000 rows as centres needs 206 MB of memory"):
        PNUAUCClassifier(n_centers="all", class_prior=0.5).fit(X, y)


@pytest.mark.parametrize("eta", [-0.5, 0.5])
def test_the_zero_one_risk_counts_pairs_as_the_authors_do(eta):
    rng = np.random.default_rng(1)
    positive, negative, unlabeled = (rng.integers(0, 6, size) / 2 for size in (5, 7, 20))
    weight = selection_weight(eta, 0.3, 5, 7)
    assert np.sign(weight) == np.sign(eta)
    expected = reference.zero_one_pnu_risk(positive, negative, unlabeled, weight, 0.3)
    assert zero_one_risk(positive, negative, unlabeled, weight, 0.3) == pytest.approx(expected, abs=1e-12)


def test_the_mixing_weight_is_the_authors_heuristic():
    assert selection_weight(0.0, 0.2, 11, 40) == pytest.approx(6.4 / (6.4 + 1.6))
    assert selection_weight(-0.1, 0.2, 10, 41) == pytest.approx(-1.6 / (6.4 + 1.6))
