"""The term of neighbours beside every loss: value, gradient and curvature, for one model and for several."""

import numpy as np
import pytest

import reference
from s2auc.ranking.losses import LOSSES
from s2auc.ranking.objective import Objective, semi_supervised, with_neighbors

SIZES = {"positive": 4, "negative": 3, "unlabeled": 5, "node": 6, "neighbor": 6}
WEIGHT = 7.0


@pytest.fixture(params=LOSSES)
def loss(request):
    return LOSSES[request.param]


@pytest.fixture
def scores():
    rng = np.random.default_rng(5)
    return {group: rng.normal(0, 1.5, size) for group, size in SIZES.items()}


def test_value_and_gradient_match_double_loops(loss, scores):
    result = with_neighbors(semi_supervised(loss, 0.4), WEIGHT).evaluate(scores)
    terms = reference.semi_supervised_terms(loss.name, 0.4, SIZES, "all")
    terms.append((WEIGHT / 2, "squared_difference", reference.row_pairs("node", "neighbor", 6)))
    value, gradient = reference.risk(terms, scores)
    assert result.value == pytest.approx(value, rel=1e-12)
    for group in SIZES:
        np.testing.assert_allclose(result.gradient[group], gradient[group], rtol=1e-11, atol=1e-14)


def test_gradient_matches_finite_differences(loss, scores):
    objective = with_neighbors(semi_supervised(loss, 0.4), WEIGHT)
    gradient, h = objective.evaluate(scores).gradient, 1e-6
    for group, size in SIZES.items():
        for row in range(size):
            moved = [{**scores, group: scores[group] + sign * h * (np.arange(size) == row)} for sign in (1, -1)]
            up, down = (float(objective.evaluate(shifted).value) for shifted in moved)
            assert gradient[group][row] == pytest.approx((up - down) / (2 * h), abs=2e-8)


def test_curvature_of_the_term_is_exact(scores):
    term = with_neighbors(Objective(()), WEIGHT)
    ends = {group: scores[group] for group in ("node", "neighbor")}
    products, gradient = term.curvature_product(ends), term.evaluate(ends).gradient
    for group in ends:
        np.testing.assert_allclose(products[group], gradient[group], rtol=1e-12)


def test_several_models_have_weights_of_their_own(loss):
    rng = np.random.default_rng(6)
    scores = {group: rng.normal(size=(size, 3)) for group, size in SIZES.items()}
    weights = {group: (rng.random((SIZES[group], 3)) < 0.7).astype(float) for group in ("positive", "negative")}
    labeled_weight, neighbor_weight = np.array([1.0, 0.5, 0.5]), np.array([0.0, 2.0, 50.0])
    together = with_neighbors(semi_supervised(loss, labeled_weight), neighbor_weight)
    result = together.evaluate(scores, weights)
    for k in range(3):
        alone = with_neighbors(semi_supervised(loss, labeled_weight[k]), neighbor_weight[k]).evaluate(
            {group: array[:, k] for group, array in scores.items()},
            {group: array[:, k] for group, array in weights.items()},
        )
        assert result.value[k] == pytest.approx(alone.value, rel=1e-12)
        for group in SIZES:
            np.testing.assert_allclose(result.gradient[group][:, k], alone.gradient[group], rtol=1e-12, atol=1e-15)
    assert not result.gradient["node"][:, 0].any()


def test_without_edges_the_term_drops_out(loss, scores):
    base = semi_supervised(loss, 0.4)
    rest = {group: scores[group] for group in ("positive", "negative", "unlabeled")}
    result, expected = with_neighbors(base, WEIGHT).evaluate(rest), base.evaluate(rest)
    # Without the term all is told by moments of the groups, which round otherwise.
    np.testing.assert_allclose(result.value, expected.value, rtol=1e-13)
    for group in rest:
        np.testing.assert_allclose(result.gradient[group], expected.gradient[group], rtol=1e-12, atol=1e-15)
