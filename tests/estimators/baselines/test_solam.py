"""SOLAM against its saddle point, its literal steps and the closed form it tends to."""

import numpy as np
import pytest

import reference
from online_rows import closed_form, simulate
from s2auc.data.features.scaling import SCALINGS
from s2auc.estimators.baselines.online.saddle_point import SaddlePoint
from s2auc.estimators.baselines.online.solam import SOLAMSteps


def few_rows(n_rows=60, n_columns=3, seed=0):
    rng = np.random.default_rng(seed)
    is_positive = rng.random(n_rows) < 0.4
    return rng.normal(size=(n_rows, n_columns)) + 0.7 * is_positive[:, None], is_positive


@pytest.mark.parametrize("is_positive", [True, False])
def test_slopes_are_derivatives_of_the_objective(is_positive):
    rng = np.random.default_rng(0)
    x, w, (a, b, alpha), p = rng.normal(size=3), rng.normal(size=3), rng.normal(size=3), 0.3
    slopes = SaddlePoint(w, a, b, alpha).slopes(float(w @ x), is_positive, p)
    ours = np.concatenate([slopes.score * x, [slopes.positive_mean, slopes.negative_mean, slopes.dual]])

    def value(v):
        return reference.saddle_objective(v[:3], v[3], v[4], v[5], x[None], [is_positive], p)

    at, h = np.array([*w, a, b, alpha]), 1e-4
    numerical = [(value(at + h * axis) - value(at - h * axis)) / (2 * h) for axis in np.eye(6)]
    np.testing.assert_allclose(ours, numerical, atol=1e-8)


def test_the_saddle_point_is_the_loss_over_pairs():
    X, is_positive = few_rows()
    w, p = np.array([0.3, -0.5, 0.8]), is_positive.mean()
    scores = X @ w
    a, b = scores[is_positive].mean(), scores[~is_positive].mean()

    def value(*point):
        return 1 + reference.saddle_objective(w, *point, X, is_positive, p) / (p * (1 - p))

    assert value(a, b, b - a) == pytest.approx(reference.pair_loss(w, X, is_positive), abs=1e-12)
    # It is the lowest in a and b, and the highest in alpha.
    assert min(value(a + 0.1, b, b - a), value(a, b - 0.1, b - a)) > value(a, b, b - a) > value(a, b, b - a + 0.1)


@pytest.mark.parametrize(("step_size", "radius"), [(0.3, 10.0), (2.0, 10.0), (1.0, 0.2)])
def test_iterates_are_those_of_the_literal_algorithm(step_size, radius):
    X, is_positive = few_rows()
    iterates, average = reference.solam(X, is_positive, step_size, radius)
    steps = SOLAMSteps(SCALINGS["none"](X), step_size, radius)
    for row, positive, (w, *others) in zip(X, is_positive, iterates[1:], strict=True):
        steps.learn(row[None], np.array([positive]))
        np.testing.assert_allclose(steps.point.weights, w, atol=1e-12)
        point = steps.point
        assert [point.positive_mean, point.negative_mean, point.dual] == pytest.approx(others, abs=1e-12)
    np.testing.assert_allclose(steps.part().weights, average, atol=1e-12)


def test_rows_however_large_keep_to_the_set():
    X, is_positive = few_rows()
    steps = SOLAMSteps(SCALINGS["none"](X), 1.0, 10.0)
    with np.errstate(over="ignore"):
        steps.learn(np.where(np.arange(60)[:, None] == 30, 1e100, X), is_positive)
    assert np.linalg.norm(steps.point.weights) <= 10 * (1 + 1e-12)
    assert np.isfinite(steps.part().weights).all()


def test_it_tends_to_the_closed_form():
    X, is_positive = simulate(30_000, seed=0)
    best = closed_form()
    steps, errors = SOLAMSteps(SCALINGS["none"](X), 1.0, 10.0), []
    for first, last in ((0, 300), (300, 3_000), (3_000, 30_000)):
        steps.learn(X[first:last], is_positive[first:last])
        errors.append(best.excess(steps.part().weights))
    slope = np.polyfit(np.log([300, 3_000, 30_000]), np.log(errors), 1)[0]
    assert slope < -0.5
    assert errors[-1] < 0.02
