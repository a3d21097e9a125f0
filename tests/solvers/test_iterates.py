"""Coefficients along a run of steps, and the sizes of the steps."""

import numpy as np
import pytest

from s2auc.solvers.qsg.iterates import Iterates
from s2auc.solvers.qsg.qsg import SCHEDULES


def test_schedules():
    t, rate, curvature = np.array([1.0, 10.0, 1e9]), np.array(0.2), np.array(2.0)
    np.testing.assert_allclose(SCHEDULES["printed"](t, rate, curvature), 5 / t, rtol=1e-15)
    shifted = SCHEDULES["shifted"](t, rate, curvature)
    np.testing.assert_allclose(shifted, 5 / (t + 10), rtol=1e-15)
    assert shifted[0] < 1 / curvature


def test_an_untouched_path_is_empty():
    path = Iterates.empty(n_models=3)
    for averaged in (False, True):
        cosine, sine = path.coefficients(averaged=averaged)
        assert cosine.shape == sine.shape == (0, 3)
    assert path.n_frequencies == path.n_iterations == 0


def test_a_path_survives_factors_that_underflow_or_vanish():
    path = Iterates.empty(n_models=1)
    decay = np.full((3000, 1), 0.5)
    decay[1500] = 0.0
    path.extend(np.ones((2, 3000, 1, 1)), decay)
    last, _ = path.coefficients()
    assert last[-1] == 1.0
    assert last[-2] == 0.5
    assert (last[:1500] == 0).all()
    averaged, _ = path.coefficients(averaged=True)
    assert np.isfinite(averaged).all()
    assert averaged[1499] == pytest.approx(1500 / (3000 * 3001 / 2))
