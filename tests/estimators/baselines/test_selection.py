"""Cross-validation of the baselines: the shared computation gives what fold after fold, fit after fit would."""

import numpy as np
import pytest

import reference
from baselines import many_rows
from s2auc import LabeledGroupKFold, LabeledKFold, PNUAUCClassifierCV, SAMULTClassifier, SAMULTClassifierCV
from s2auc.data.features.scaling import SCALINGS
from s2auc.data.sources.matrix_rows import DenseRows
from s2auc.estimators.baselines.kernel import pnuauc_cv
from s2auc.estimators.baselines.kernel.centers import CenterFeatures
from s2auc.estimators.baselines.kernel.groups import ScaledGroups
from s2auc.estimators.baselines.kernel.held_out import scan_centers
from s2auc.ranking.metrics import auc_of_groups

GRID = {"kernel_gammas": [0.2, 1.0], "alphas": [1e-2, 0.3], "scaling": "none", "random_state": 0}


def held_out_auc(model, X, y, truth, train, test):
    fitted = model.fit(X[train], y[train])
    scores = fitted.decision_function(X[test])
    lower = scores[truth[test] == 0]
    if not lower.size:
        lower = fitted.decision_function(X[y == -1])
    return auc_of_groups(scores[truth[test] == 1], lower)


@pytest.mark.parametrize("labels", ["both", "positive", "no pool"])
@pytest.mark.filterwarnings("ignore:There are no unlabelled rows")
def test_samult_scores_are_those_of_separate_fits(labels):
    X, truth, y = many_rows(150, n_labeled=40)
    if labels == "positive":
        y = np.where(y == 0, -1, y)
    if labels == "no pool":
        X, truth, y = X[:40], truth[:40], y[:40]
    weights = {"both": [0.0, 0.4, 1.0], "positive": [0.0], "no pool": [1.0]}[labels]
    splitter = LabeledKFold(4, shuffle=True, random_state=1, pos_label=1)
    search = SAMULTClassifierCV(labeled_weights=[0.0, 0.4, 1.0], cv=splitter, pos_label=1, **GRID).fit(X, y)
    params = search.cv_results_["params"]
    expected_params = [
        {"kernel_gamma": gamma, "labeled_weight": weight, "alpha": alpha}
        for gamma in GRID["kernel_gammas"]
        for weight in weights
        for alpha in GRID["alphas"]
    ]
    assert params == expected_params
    # The splitter is given the labelled rows only; the others are trained on in every fold.
    labeled, unlabeled = np.flatnonzero(y >= 0), np.flatnonzero(y < 0)
    for fold, (train, test) in enumerate(splitter.split(X[labeled], y[labeled])):
        train, test = np.concatenate([labeled[train], unlabeled]), labeled[test]
        for place, setting in enumerate(params):
            model = SAMULTClassifier(**setting, pos_label=1, scaling="none")
            expected = held_out_auc(model, X, y, truth, train, test)
            assert search.cv_results_[f"split{fold}_test_score"][place] == pytest.approx(expected, abs=1e-9)
    best = SAMULTClassifier(**search.best_params_, pos_label=1, scaling="none", random_state=0).fit(X, y)
    np.testing.assert_array_equal(search.decision_function(X), best.decision_function(X))
    assert search.best_score_ == search.cv_results_["mean_test_score"].max()
    assert search.n_splits_ == 4


def test_samult_scores_on_centres_are_those_of_the_reference():
    X, _, y = many_rows(80, n_labeled=30)
    groups = {"positive": X[y == 1], "negative": X[y == 0], "unlabeled": X[y == -1]}
    scaled = ScaledGroups({group: DenseRows(rows) for group, rows in groups.items()}, SCALINGS["none"](X))
    centers = scaled.draw(12, seed=0)
    n_positive, n_labeled = len(groups["positive"]), 30
    test = np.arange(0, n_labeled, 3)
    train = np.setdiff1d(np.arange(n_labeled), test)
    labeled = np.vstack([groups["positive"], groups["negative"]])
    inverse_root = reference.symmetric_root(reference.kernel_matrix("gaussian", centers, centers, 0.5), inverse=True)
    parts = [labeled[train[train < n_positive]], labeled[train[train >= n_positive]], groups["unlabeled"]]
    sizes = dict(zip(groups, map(len, parts), strict=True))
    Phi = reference.kernel_matrix("gaussian", np.vstack(parts), centers, 0.5) @ inverse_root
    held_out = reference.kernel_matrix("gaussian", labeled[test], centers, 0.5) @ inverse_root
    features = CenterFeatures("gaussian", 0.5, centers)
    for result in scan_centers(scaled, features, [0.3, 1.0], [0.1, 1.0], [(train, test)]):
        weight, alpha = [0.3, 1.0][result.weight], [0.1, 1.0][result.alpha]
        terms = reference.semi_supervised_terms("square", weight, sizes, "all")
        w = reference.linear_minimiser(Phi, *reference.quadratic_risk(terms, sizes), alpha)
        np.testing.assert_allclose(result.scores, held_out @ w, atol=1e-9)


def test_some_centres_choose_about_as_well_as_all_rows():
    X, truth, y = many_rows(600, n_labeled=80)
    full, some = (SAMULTClassifierCV(n_centers=n, random_state=0).fit(X, y) for n in ("all", 150))
    # Kernels ten times narrower than the distances between rows see their own centre only.
    is_wide = full.cv_results_["param_kernel_gamma"] != "10.0 median"
    ours, expected = (search.cv_results_["mean_test_score"][is_wide] for search in (some, full))
    np.testing.assert_allclose(ours, expected, atol=0.05)
    assert some.score(X[80:], truth[80:]) == pytest.approx(full.score(X[80:], truth[80:]), abs=0.01)
    assert some.n_centers_ == 150


def one_third(y):
    """Return a single fold, which tests a third of the rows."""
    rows = np.arange(len(y))
    return [(rows[rows % 3 > 0], rows[rows % 3 == 0])]


@pytest.mark.parametrize(
    "given", [lambda y: 3, lambda y: LabeledKFold(3), one_third], ids=["number", "splitter", "list"]
)
def test_pnu_scores_are_those_of_the_authors_loops(given, monkeypatch):
    X, _, y = many_rows(90, n_labeled=30)
    kept, name = [], "_folds" if given(y) == 3 else "_folds_of"
    original = getattr(pnuauc_cv, name)

    def spy(*arguments):
        kept[:] = original(*arguments)
        return kept

    monkeypatch.setattr(pnuauc_cv, name, spy)
    search = PNUAUCClassifierCV(etas=[-0.5, 0.0, 0.5], class_prior=0.4, n_centers=15, cv=given(y), **GRID).fit(X, y)
    assert search.n_splits_ == len(kept)
    groups = {"positive": X[y == 1], "negative": X[y == 0], "unlabeled": X[y == -1]}
    centers = ScaledGroups({g: DenseRows(rows) for g, rows in groups.items()}, SCALINGS["none"](X)).draw(15, seed=0)
    n_p, n_n = len(groups["positive"]), len(groups["negative"])
    for fold, held_out in enumerate(kept):
        assert sorted(held_out) == sorted(groups)
        for place, setting in enumerate(search.cv_results_["params"]):
            K = {
                g: reference.kernel_matrix("gaussian", rows, centers, setting["kernel_gamma"])
                for g, rows in groups.items()
            }
            train = {g: np.delete(values, held_out[g], axis=0) for g, values in K.items()}
            sizes = {g: len(values) for g, values in train.items()}
            terms = reference.pnu_terms(setting["eta"], 0.4, sizes)
            slope, curvature = reference.quadratic_risk(terms, sizes)
            w = reference.linear_minimiser(np.vstack(list(train.values())), slope, curvature, 2 * setting["alpha"])
            a, b = (0.36 * (n_p - 1), 0.16 * n_n) if setting["eta"] >= 0 else (0.36 * n_p, 0.16 * (n_n - 1))
            weight = a / (a + b) if setting["eta"] >= 0 else -b / (a + b)
            scores = [K[g][held_out[g]] @ w for g in groups]
            expected = 1 - reference.zero_one_pnu_risk(*scores, weight, 0.4)
            assert search.cv_results_[f"split{fold}_test_score"][place] == pytest.approx(expected, abs=1e-9)


def test_folds_are_fewer_where_a_class_has_fewer_rows():
    X, truth, _ = many_rows(60)
    y = np.full(60, -1)
    y[np.flatnonzero(truth == 1)[:3]] = 1
    y[np.flatnonzero(truth == 0)[:10]] = 0
    assert SAMULTClassifierCV(random_state=0, alphas=[0.1]).fit(X, y).n_splits_ == 3
    search = PNUAUCClassifierCV(random_state=0, alphas=[0.1], etas=[0.5], class_prior=0.5).fit(X, y)
    assert search.n_splits_ == 3
    y[np.flatnonzero(truth == 1)[1:3]] = -1
    for search in (SAMULTClassifierCV(random_state=0), PNUAUCClassifierCV(random_state=0, class_prior=0.5)):
        told = f"at least 2 rows of every group. Got 1 positive; .* use {type(search).__name__.removesuffix('CV')}\\.$"
        for groups in (None, np.arange(60)):
            with pytest.raises(ValueError, match=told):
                search.fit(X, y, groups=groups)


def test_pnu_cuts_unlabelled_rows_into_as_many_folds_as_are_given():
    X, _, y = many_rows(90, n_labeled=80)
    search = PNUAUCClassifierCV(etas=[0.5], class_prior=0.5, cv=LabeledKFold(11), **GRID)
    with pytest.raises(ValueError, match=r"at least 11 rows of every group\. Got 10 unlabeled; "):
        search.fit(X, y)


def test_pnu_without_negatives_or_without_a_pool():
    X, truth, y = many_rows(400, n_labeled=60)
    positive = PNUAUCClassifierCV(alphas=[0.1, 1.0], class_prior=0.5, pos_label=1, random_state=0)
    positive.fit(X, np.where(y == 0, -1, y))
    assert set(positive.cv_results_["param_eta"]) == {1.0}
    assert positive.score(X, truth) > 0.85
    with pytest.warns(UserWarning, match="as with eta=0"):
        labeled = PNUAUCClassifierCV(alphas=[0.1, 1.0], random_state=0).fit(X[:60], y[:60])
    assert set(labeled.cv_results_["param_eta"]) == {0.0}
    assert labeled.class_prior_ is None


@pytest.mark.parametrize("classifier", [SAMULTClassifierCV, PNUAUCClassifierCV])
@pytest.mark.parametrize("cv", [3, LabeledGroupKFold(3)], ids=str)
def test_rows_of_a_group_are_tested_together(cv, classifier, monkeypatch):
    X, _, y = many_rows(200, n_labeled=60)
    groups, kept = np.arange(200) % 12, []
    original = classifier._given_tests

    def spy(self, *arguments):
        kept[:] = original(self, *arguments)
        return kept

    monkeypatch.setattr(classifier, "_given_tests", spy)
    classifier(cv=cv, n_centers=20, alphas=[0.1], random_state=0).fit(X, y, groups=groups)
    in_order = groups[np.concatenate([np.flatnonzero(y == 1), np.flatnonzero(y == 0)])]
    for test in kept:
        assert not set(in_order[test]) & set(np.delete(in_order, test))
    assert sorted(np.concatenate(kept).tolist()) == list(range(60))
