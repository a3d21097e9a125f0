"""The ways to bring columns to comparable widths, without an encoding."""

import numpy as np
import pytest

from s2auc.data.features.scaling import SCALINGS

X = np.random.default_rng(0).normal(3.0, 5.0, (200, 4))


def test_scalings():
    standard = SCALINGS["standard"](X).apply(X)
    np.testing.assert_allclose([standard.mean(axis=0), standard.std(axis=0)], [[0] * 4, [1] * 4], atol=1e-12)
    minmax = SCALINGS["minmax"](X).apply(X)
    np.testing.assert_allclose([minmax.min(axis=0), minmax.max(axis=0)], [[0] * 4, [1] * 4], atol=1e-12)
    assert np.array_equal(SCALINGS["none"](X).apply(X), X)


def test_common_units_keep_the_proportions_between_columns():
    rows = X * [1.0, 2.0, 5.0, 0.0]
    common = SCALINGS["common"](rows)
    assert len(np.unique(common.scale)) == 1
    scaled = common.apply(rows)
    np.testing.assert_allclose(scaled.mean(axis=0), 0.0, atol=1e-12)
    np.testing.assert_allclose(scaled.var(axis=0).mean(), 1.0)
    np.testing.assert_allclose(scaled.std(axis=0)[:3] / rows.std(axis=0)[:3], common.scale[0])


@pytest.mark.parametrize("size", [1e-200, 1e200])
def test_common_units_of_any_size(size):
    rows = X * [1.0, 2.0, 5.0, 3.0]
    np.testing.assert_allclose(
        SCALINGS["common"](size * rows).apply(size * rows), SCALINGS["common"](rows).apply(rows), rtol=1e-9, atol=1e-9
    )


@pytest.mark.parametrize("scaling", SCALINGS)
@pytest.mark.parametrize("constant", [0.0, 0.1, 1e12])
def test_constant_columns_stay_finite(scaling, constant):
    rows = np.full((7, 2), constant)
    scaled = SCALINGS[scaling](rows).apply(rows)
    assert np.isfinite(scaled).all()
    assert scaling == "none" or np.abs(scaled).max() < 1e-3


@pytest.mark.parametrize("size", [1e-200, 1e-30, 1e30, 1e200])
def test_columns_of_any_size_are_scaled_alike(size):
    scaled = SCALINGS["standard"](size * X).apply(size * X)
    np.testing.assert_allclose(scaled, SCALINGS["standard"](X).apply(X), rtol=1e-9, atol=1e-9)
