"""Losses against their formulas."""

import copy
import pickle

import numpy as np
import pytest

import reference
from s2auc.ranking.losses import LOSSES, Loss, quadratic_loss

GAPS = np.concatenate([np.linspace(-6, 6, 241), [0.999999, 1.000001]])


@pytest.fixture(params=LOSSES)
def loss(request):
    return LOSSES[request.param]


def test_value_and_derivative_match_the_formulas(loss):
    value, derivative = reference.LOSS[loss.name]
    np.testing.assert_allclose(loss.value(GAPS), [value(z) for z in GAPS], rtol=1e-13, atol=1e-15)
    np.testing.assert_allclose(loss.derivative(GAPS), [derivative(z) for z in GAPS], rtol=1e-13, atol=1e-15)


def test_derivative_matches_finite_differences(loss):
    h = 1e-6
    numeric = (loss.value(GAPS + h) - loss.value(GAPS - h)) / (2 * h)
    np.testing.assert_allclose(loss.derivative(GAPS), numeric, atol=1e-6)


def test_curvature_bound_holds_and_is_reached(loss):
    gaps = np.linspace(-20, 20, 400_001)
    curvature = np.abs(np.diff(loss.derivative(gaps)) / np.diff(gaps))
    assert curvature.max() <= loss.curvature_bound * (1 + 1e-8)
    assert curvature.max() >= loss.curvature_bound * (1 - 1e-6)


def test_quadratic_coefficients_are_the_loss(loss):
    if loss.quadratic is None:
        third_difference = np.diff(loss.value(np.linspace(-3, 3, 13)), 3)
        assert np.abs(third_difference).max() > 1e-3
    else:
        c0, c1, c2 = loss.quadratic
        np.testing.assert_allclose(loss.value(GAPS), c0 + c1 * GAPS + c2 * GAPS**2, atol=1e-12)


def test_huge_gaps_do_not_overflow(loss):
    gaps = np.array([-1e4, 1e4, -1e150, 1e150])
    with np.errstate(over="raise", invalid="raise"):
        assert np.isfinite(loss.value(gaps)).all()
        assert np.isfinite(loss.derivative(gaps)).all()
        assert (loss.value(gaps) >= 0).all()


def test_ranking_losses_fall_with_the_gap_and_are_one_or_log_two_or_half_at_zero():
    at_zero = {name: float(loss.value(np.zeros(1))[0]) for name, loss in LOSSES.items()}
    assert at_zero == pytest.approx(
        {"square": 1, "squared_hinge": 1, "logistic": np.log(2), "sigmoid": 0.5, "squared_difference": 0}
    )
    for name, loss in LOSSES.items():
        if name != "squared_difference":
            assert (loss.derivative(np.array([-1.0, 0.0, 0.5])) < 0).all()


def test_entries_of_the_table_pickle_by_name(loss):
    sent = pickle.dumps(loss)
    assert len(sent) < 100
    assert pickle.loads(sent) is loss
    assert copy.deepcopy(loss) is loss


@pytest.mark.parametrize("name", ["own", "square"])
def test_quadratic_losses_pickle_by_their_coefficients(name):
    """Also one that has the name of an entry of the table and is another."""
    own = quadratic_loss(name, 0.5, -1.0, 0.25)
    again = pickle.loads(pickle.dumps(own))
    assert (again.name, again.quadratic, again.curvature_bound) == (name, (0.5, -1.0, 0.25), 0.5)
    np.testing.assert_array_equal(again.value(GAPS), own.value(GAPS))
    np.testing.assert_array_equal(again.derivative(GAPS), own.derivative(GAPS))


def test_losses_of_ones_own_pickle_by_their_functions():
    own = Loss("own", np.exp, np.expm1, 3.0)
    assert pickle.loads(pickle.dumps(own)) == own


def test_losses_that_rank_are_those_that_part_equal_scores():
    assert {name for name, loss in LOSSES.items() if not loss.ranks} == {"squared_difference"}
    assert not quadratic_loss("backwards", 1.0, 2.0, 1.0).ranks
