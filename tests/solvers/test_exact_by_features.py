import numpy as np
import pytest

import reference
from s2auc.kernels.fourier import features
from s2auc.kernels.frequencies import draw_frequencies
from s2auc.kernels.shift_invariant import KERNELS
from s2auc.ranking.losses import LOSSES
from s2auc.ranking.objective import semi_supervised
from s2auc.solvers.exact.by_features import ClosedForm, moments_of

rng = np.random.default_rng(0)
GROUPS = {
    "positive": rng.normal(0.5, 1, (9, 2)),
    "negative": rng.normal(-0.5, 1, (11, 2)),
    "unlabeled": rng.normal(0, 1, (40, 2)),
}
W = draw_frequencies(KERNELS["gaussian"], 0.5, 2, 3, 0, 12)
SQUARE = LOSSES["square"]


def waves(X, W):
    return features(X, W).astype(np.float64) / np.sqrt(len(W))


def closed_form(groups, labeled_weight):
    moments = {group: moments_of(waves(X, W)) for group, X in groups.items()}
    return ClosedForm.of_objective(semi_supervised(SQUARE, labeled_weight), moments)


@pytest.mark.parametrize("labeled_weight", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("alpha", [1e-3, 1.0])
@pytest.mark.parametrize("left_out", [None, "negative", "unlabeled"])
def test_equals_the_minimiser_by_double_loops(labeled_weight, alpha, left_out):
    groups = {group: X for group, X in GROUPS.items() if group != left_out}
    sizes = {group: len(X) for group, X in groups.items()}
    terms = reference.semi_supervised_terms("square", labeled_weight, sizes, "all")
    rows = np.vstack(list(groups.values()))
    Phi = reference.features(rows, W)
    expected = Phi @ reference.linear_minimiser(Phi, *reference.quadratic_risk(terms, sizes), alpha)
    ours = Phi @ closed_form(groups, labeled_weight).weights(alpha)
    np.testing.assert_allclose(ours, expected, atol=1e-4 * max(1e-3, np.abs(expected).max()))


def test_many_frequencies_approach_the_full_kernel_minimiser():
    sizes = {group: len(X) for group, X in GROUPS.items()}
    rows = np.vstack(list(GROUPS.values()))
    K = reference.kernel_matrix("gaussian", rows, rows, 0.5)
    terms = reference.semi_supervised_terms("square", 0.5, sizes, "all")
    best = K @ reference.kernel_minimiser(K, *reference.quadratic_risk(terms, sizes), 0.5)
    errors = []
    for m in (50, 600):
        many = draw_frequencies(KERNELS["gaussian"], 0.5, 2, 3, 0, m)
        moments = {group: moments_of(waves(X, many)) for group, X in GROUPS.items()}
        w = ClosedForm.of_objective(semi_supervised(SQUARE, 0.5), moments).weights(0.5)
        cosine, sine = w.reshape(2, m) / np.sqrt(m)
        found = np.cos(rows @ many.T) @ cosine + np.sin(rows @ many.T) @ sine
        errors.append(np.abs(found - best).max())
    # Errors fall as the root of the number of frequencies: this asks for 0.02 at 2000, which take half a minute.
    assert errors[1] < 0.02 * np.sqrt(2000 / 600)
    assert errors[1] < errors[0] / 2


def test_the_solution_has_no_gradient():
    w = closed_form(GROUPS, 0.4).weights(0.01)
    phis = {group: reference.features(X, W) for group, X in GROUPS.items()}
    risk = semi_supervised(SQUARE, 0.4).evaluate({group: phi @ w for group, phi in phis.items()})
    gradient = sum(phis[group].T @ risk.gradient[group] for group in GROUPS) + 0.01 * w
    assert np.abs(gradient).max() < 1e-5


def test_unlabelled_rows_enter_through_second_moments_only():
    """The linear term is 2(m₊ - m₋) for every labelled weight."""
    slopes = [form.eigenvectors @ form.slope for form in (closed_form(GROUPS, weight) for weight in (0.0, 0.5, 1.0))]
    np.testing.assert_allclose(slopes[1], slopes[0], atol=1e-12)
    np.testing.assert_allclose(slopes[2], slopes[0], atol=1e-12)


def test_too_small_alpha_is_an_error_that_names_a_usable_one():
    form = closed_form(GROUPS, 0.5)
    with pytest.raises(ValueError, match=r"alpha is too small.*Got 1e-20; use at least") as error:
        form.weights(1e-20)
    usable = float(str(error.value).split("at least ")[1].rstrip("."))
    assert np.isfinite(form.weights(1.1 * usable)).all()


def test_other_losses_are_an_error():
    moments = {"positive": moments_of(waves(GROUPS["positive"], W))}
    with pytest.raises(ValueError, match="needs a loss that is quadratic"):
        ClosedForm.of_objective(semi_supervised(LOSSES["logistic"], 0.5), moments)


def test_pairs_of_listed_rows_are_an_error():
    moments = {group: moments_of(waves(X, W)) for group, X in GROUPS.items()}
    with pytest.raises(
        ValueError, match=r"needs all pairs of two groups\. Got pairs of listed rows between 'positive' and"
    ):
        ClosedForm.of_objective(semi_supervised(SQUARE, 0.5, "triplet"), moments)
