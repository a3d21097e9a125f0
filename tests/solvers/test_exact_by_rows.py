"""The closed form through the labelled rows equals the one through the features, and the minimiser by double loops."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference
from s2auc.common.groups import PositiveFirst
from s2auc.ranking.losses import LOSSES
from s2auc.ranking.objective import semi_supervised
from s2auc.solvers.exact.by_features import ClosedForm, moments_of
from s2auc.solvers.exact.closed_forms import RowForm

SQUARE = LOSSES["square"]
ALPHAS = (1e-3, 0.1, 3.0)


def make_features(seed=0, n_positive=6, n_negative=5, n_unlabeled=9, n_features=4):
    rng = np.random.default_rng(seed)
    sizes = {"positive": n_positive, "negative": n_negative, "unlabeled": n_unlabeled}
    shifts = {"positive": 0.5, "negative": -0.5, "unlabeled": 0.2}
    return {group: rng.normal(shifts[group], 1.0, (size, n_features)) for group, size in sizes.items()}


def solve(groups, labeled_weight, alphas, is_used, loss=SQUARE):
    labeled = np.concatenate([groups["positive"], groups["negative"]])
    form = RowForm.of_features(
        labeled, PositiveFirst(len(groups["positive"]), len(groups["negative"])), groups["unlabeled"]
    )
    return form.solve(semi_supervised(loss, labeled_weight), alphas, is_used)


def subset(groups, is_used):
    """The rows of one set, by group, without empty groups."""
    n_positive = len(groups["positive"])
    used = {
        "positive": groups["positive"][is_used[:n_positive]],
        "negative": groups["negative"][is_used[n_positive:]],
        "unlabeled": groups["unlabeled"],
    }
    return {group: phi for group, phi in used.items() if len(phi)}


def every_set(n_positive, n_negative):
    """All sets with a row of each class that there is, one a column."""
    sets = np.array(list(product([False, True], repeat=n_positive + n_negative)))
    is_whole = sets[:, :n_positive].any(axis=1) & (sets[:, n_positive:].any(axis=1) | (n_negative == 0))
    return sets[is_whole].T


@pytest.mark.parametrize("labeled_weight", [0.0, 0.3, 1.0])
@pytest.mark.parametrize(("n_negative", "n_unlabeled"), [(3, 9), (3, 1), (3, 0), (0, 9)])
def test_equals_the_closed_form_of_every_set_of_rows(labeled_weight, n_negative, n_unlabeled):
    groups = make_features(n_positive=4, n_negative=n_negative, n_unlabeled=n_unlabeled)
    is_used = every_set(4, n_negative)
    found = solve(groups, labeled_weight, ALPHAS, is_used)
    assert found.shape == (len(ALPHAS), 4, is_used.shape[1])
    for place, used in enumerate(is_used.T):
        moments = {group: moments_of(phi) for group, phi in subset(groups, used).items()}
        form = ClosedForm.of_objective(semi_supervised(SQUARE, labeled_weight), moments)
        expected = np.stack([form.weights(alpha) for alpha in ALPHAS])
        np.testing.assert_allclose(found[:, :, place], expected, rtol=1e-9, atol=1e-11)


@given(
    st.integers(0, 2**32),
    st.integers(1, 5),
    st.integers(0, 5),
    st.integers(0, 8),
    st.integers(1, 12),
    st.sampled_from([0.0, 0.3, 1.0]),
    st.floats(1e-3, 10.0),
)
def test_equals_the_minimiser_by_double_loops(seed, n_positive, n_negative, n_unlabeled, n_features, weight, alpha):
    groups = make_features(seed, n_positive, n_negative, n_unlabeled, n_features)
    is_used = np.random.default_rng(seed).random(n_positive + n_negative) < 0.7
    is_used[0] = is_used[-1] = True
    rows = subset(groups, is_used)
    sizes = {group: len(phi) for group, phi in rows.items()}
    terms = reference.semi_supervised_terms("square", weight, sizes, "all")
    expected = reference.linear_minimiser(
        np.vstack(list(rows.values())), *reference.quadratic_risk(terms, sizes), alpha
    )
    found = solve(groups, weight, [alpha], is_used[:, None])[0, :, 0]
    np.testing.assert_allclose(found, expected, rtol=1e-7, atol=1e-9)
    _, gradient = reference.objective(found, rows, terms, alpha / 2)
    assert np.abs(gradient).max() < 1e-9


@pytest.mark.parametrize("n_features", [3, 40], ids=["more rows", "more features"])
def test_sets_and_alphas_do_not_disturb_each_other(n_features):
    groups = make_features(n_features=n_features)
    is_used = np.random.default_rng(0).random((11, 6)) < 0.7
    is_used[[0, -1]] = True
    together = solve(groups, 0.5, ALPHAS, is_used)
    for (a, alpha), place in product(enumerate(ALPHAS), range(6)):
        alone = solve(groups, 0.5, [alpha], is_used[:, [place]])[0, :, 0]
        np.testing.assert_allclose(together[a, :, place], alone, rtol=1e-8, atol=1e-10)


def test_rows_that_no_set_uses_do_not_matter():
    groups = make_features()
    is_used = np.ones((11, 1), dtype=bool)
    is_used[[2, 8]] = False
    before = solve(groups, 0.5, ALPHAS, is_used)
    groups["positive"][2] += 100.0
    groups["negative"][2] -= 100.0
    np.testing.assert_allclose(solve(groups, 0.5, ALPHAS, is_used), before, rtol=1e-8)


def test_nothing_to_learn_from_gives_zero():
    """At labelled weight 0 every term needs unlabelled rows; at weight 1 without negatives no term is left."""
    without_unlabeled, without_negatives = make_features(n_unlabeled=0), make_features(n_negative=0)
    np.testing.assert_array_equal(solve(without_unlabeled, 0.0, [0.1], np.ones((11, 1), dtype=bool)), 0.0)
    np.testing.assert_array_equal(solve(without_negatives, 1.0, [0.1], np.ones((6, 1), dtype=bool)), 0.0)


def test_other_quadratic_losses_have_their_own_coefficients():
    groups, is_used = make_features(), np.ones((11, 1), dtype=bool)
    for loss in LOSSES.values():
        if loss.quadratic is not None:
            moments = {group: moments_of(phi) for group, phi in groups.items()}
            form = ClosedForm.of_objective(semi_supervised(loss, 0.3), moments)
            found = solve(groups, 0.3, [0.2], is_used, loss)[0, :, 0]
            np.testing.assert_allclose(found, form.weights(0.2), rtol=1e-9, atol=1e-11)


def test_other_losses_are_an_error():
    with pytest.raises(ValueError, match=r"needs a loss that is quadratic\. Got 'logistic'; use 'square'"):
        solve(make_features(), 0.5, [0.1], np.ones((11, 1), dtype=bool), LOSSES["logistic"])
