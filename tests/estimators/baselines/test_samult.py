"""SAMULT: the minimiser that brute force finds, the limit of random features, and no more memory than there is."""

import numpy as np
import pytest

import reference
from baselines import GAMMA, as_rows, kernels, make_groups, many_rows, raw_scores
from s2auc import PNUAUCClassifier, S2AUCClassifier, SAMULTClassifier
from s2auc.estimators.baselines.kernel.full_kernel import scaled_kernel

SETTINGS = {"kernel_gamma": GAMMA, "scaling": "none", "random_state": 0}


@pytest.mark.parametrize("labeled_weight", [0.0, 0.4, 1.0])
@pytest.mark.parametrize("left_out", [None, "negative", "unlabeled"])
@pytest.mark.parametrize("kernel", ["gaussian", "laplacian"])
@pytest.mark.filterwarnings("ignore:There are no unlabelled rows")
def test_all_rows_give_the_minimiser_that_brute_force_finds(labeled_weight, left_out, kernel):
    groups = {group: X for group, X in make_groups().items() if group != left_out}
    if left_out == "negative" and labeled_weight == 1:
        pytest.skip("no pairs")
    X, y = as_rows(groups)
    used = {None: labeled_weight, "negative": 0.0, "unlabeled": 1.0}[left_out]
    terms = reference.semi_supervised_terms("square", used, {g: len(rows) for g, rows in groups.items()}, "all")
    root = reference.symmetric_root(reference.kernel_matrix(kernel, X, X, GAMMA))
    ends = np.cumsum([len(rows) for rows in groups.values()])[:-1]
    features = dict(zip(groups, np.split(root, ends), strict=True))
    expected = root @ reference.brute_force(features, terms, 0.1 / 2)
    model = SAMULTClassifier(kernel, labeled_weight=labeled_weight, alpha=0.1, pos_label=1, **SETTINGS).fit(X, y)
    np.testing.assert_allclose(raw_scores(model, X), expected, atol=1e-8)
    assert model.labeled_weight_ == used


@pytest.mark.parametrize("labeled_weight", [0.0, 0.4, 1.0])
def test_centres_give_the_minimiser_over_their_span(labeled_weight):
    groups = make_groups()
    X, y = as_rows(groups)
    model = SAMULTClassifier(labeled_weight=labeled_weight, alpha=0.1, n_centers=9, **SETTINGS).fit(X, y)
    centers = model.model_.parts[0].centers
    assert model.n_centers_ == len(np.unique(centers, axis=0)) == 9
    assert all(any(np.array_equal(center, row) for row in X) for center in centers)
    inverse_root = reference.symmetric_root(reference.kernel_matrix("gaussian", centers, centers, GAMMA), inverse=True)
    features = {group: K @ inverse_root for group, K in kernels(groups, centers).items()}
    sizes = {group: len(rows) for group, rows in groups.items()}
    terms = reference.semi_supervised_terms("square", labeled_weight, sizes, "all")
    expected = np.vstack(list(features.values())) @ reference.brute_force(features, terms, 0.1 / 2)
    np.testing.assert_allclose(raw_scores(model, X), expected, atol=1e-8)


def test_as_many_centres_as_rows_are_all_rows():
    X, y = as_rows(make_groups())
    models = [SAMULTClassifier(n_centers=n, **SETTINGS).fit(X, y) for n in ("all", len(X), 10 * len(X))]
    for model in models[1:]:
        np.testing.assert_array_equal(model.decision_function(X), models[0].decision_function(X))


def test_nearly_all_rows_as_centres_are_nearly_all_rows():
    X, _, y = many_rows()
    full, some = (SAMULTClassifier(n_centers=n, random_state=0).fit(X, y) for n in ("all", 399))
    assert np.abs(raw_scores(full, X) - raw_scores(some, X)).max() < 0.01 * np.abs(raw_scores(full, X)).max()


@pytest.mark.parametrize("labeled_weight", [0.0, 0.6, 1.0])
def test_random_features_approach_it_like_one_over_the_root_of_their_number(labeled_weight):
    X, _, y = many_rows(150)
    best = raw_scores(SAMULTClassifier(labeled_weight=labeled_weight, alpha=0.1, random_state=0).fit(X, y), X)
    settings = {"solver": "exact", "labeled_weight": labeled_weight, "alpha": 0.1}
    errors = []
    for n_frequencies in (40, 360):
        models = [S2AUCClassifier(n_frequencies=n_frequencies, random_state=seed, **settings) for seed in range(6)]
        errors.append(np.sqrt(np.mean([np.square(raw_scores(model.fit(X, y), X) - best).mean() for model in models])))
    # Nine times as many frequencies: three times the precision.
    assert 2.2 < errors[0] / errors[1] < 4.2
    assert errors[1] < 0.1 * best.std()


def test_labelled_rows_only_where_the_three_problems_coincide():
    """Far rows have no kernel in common: the norm of f is then that of its coefficients, as in PNU-AUC."""
    groups = make_groups()
    X, y = as_rows({group: 10_000 * rows for group, rows in groups.items()})
    samult = SAMULTClassifier(labeled_weight=1, alpha=0.2, **SETTINGS).fit(X, y)
    plain = PNUAUCClassifier(eta=0, alpha=0.1, n_centers="all", **SETTINGS).fit(X, y)
    np.testing.assert_allclose(raw_scores(samult, X), raw_scores(plain, X), atol=1e-12)
    sizes = {group: len(groups[group]) for group in ("positive", "negative")}
    terms = reference.semi_supervised_terms("square", 1.0, sizes, "all")
    expected = reference.kernel_minimiser(np.eye(9), *reference.quadratic_risk(terms, sizes), 0.2)
    np.testing.assert_allclose(raw_scores(samult, X[:9]), expected, atol=1e-12)
    np.testing.assert_allclose(raw_scores(samult, X[9:]), 0.0, atol=1e-12)


@pytest.mark.parametrize("labeled_weight", [-0.01, 1.01])
def test_weights_are_shares(labeled_weight):
    X, y = as_rows(make_groups())
    with pytest.raises(ValueError, match=r"'labeled_weight' .* must be a float in the range \[0, 1\]\. Got"):
        SAMULTClassifier(labeled_weight=labeled_weight).fit(X, y)


def test_labelled_pairs_alone_need_labelled_rows_alone():
    X, _, y = many_rows()
    model = SAMULTClassifier(labeled_weight=1).fit(X, y)
    assert model.n_centers_ == 40
    assert SAMULTClassifier(labeled_weight=0.99).fit(X, y).n_centers_ == 400


def test_blocks_of_the_kernel_do_not_matter():
    X, root = many_rows()[0], np.linspace(0.5, 2.0, 400)
    whole, pieces = (np.tril(scaled_kernel(X, root, "gaussian", 0.5, numbers)) for numbers in (10**6, 1000))
    np.testing.assert_allclose(pieces, whole, rtol=1e-12)


def test_rows_that_do_not_fit_are_refused_by_the_byte(monkeypatch):
    X, _, y = many_rows(3000)
    monkeypatch.setattr("s2auc.common.memory.available_bytes", lambda: 10**8)
    model = SAMULTClassifier()
    sentence = (
        r"^SAMULTClassifier with all 3,000 rows as centres needs 206 MB of memory\. Got 100 MB available; use a number "
        r"such as n_centers=1000, or S2AUCClassifier, whose memory does not grow with the rows\.$"
    )
    with pytest.raises(MemoryError, match=sentence):
        model.fit(X, y)
    assert not hasattr(model, "classes_")
    assert SAMULTClassifier(n_centers=50, random_state=0).fit(X, y).n_centers_ == 50


def test_an_alpha_too_small_to_solve_for_is_an_error():
    X = np.repeat(np.random.default_rng(0).normal(size=(4, 2)), 15, axis=0)
    y = np.tile([0, 1, -1], 20)
    with pytest.raises(ValueError, match=r"alpha is too small for these rows.* Got 1e-30; use at least"):
        SAMULTClassifier(alpha=1e-30).fit(X, y)
