"""ROC curves with bands: the curve of scikit-learn, and bands that hold what they promise."""

import numpy as np
import pytest
from scipy.stats import binomtest, norm
from sklearn.metrics import roc_curve

from s2auc.ranking.roc_band import MAX_POINTS, roc_band, wilson_bounds


def test_intervals_of_shares_are_those_of_scipy():
    shares = np.arange(11) / 10
    low, high = wilson_bounds(shares, 10, 0.9)
    known = [binomtest(count, 10).proportion_ci(0.9, "wilson") for count in range(11)]
    np.testing.assert_allclose(low, [part.low for part in known], atol=1e-12)
    np.testing.assert_allclose(high, [part.high for part in known], atol=1e-12)


def test_the_curve_lies_within_its_band():
    rng = np.random.default_rng(0)
    y = rng.random(5000) < 0.3
    scores = rng.normal(size=5000) + y
    band = roc_band(y, scores)
    assert len(band.false_rate) <= MAX_POINTS
    false_rate, true_rate, _ = roc_curve(y, scores)
    seen = np.interp(band.grid, false_rate, true_rate)
    assert np.all((band.low <= seen + 1e-9) & (seen <= band.high + 1e-9))
    assert np.all(np.diff(band.low) >= 0)
    assert np.all(np.diff(band.high) >= 0)
    assert band.at(0.1)[0] == pytest.approx(np.interp(0.1, false_rate, true_rate), abs=0.01)


@pytest.mark.parametrize(("n_positive", "n_negative"), [(15, 60), (100, 40)])
def test_the_band_holds_the_true_curve_as_often_as_it_says(n_positive, n_negative):
    rng = np.random.default_rng(1)
    points = np.array([0.05, 0.1, 0.3, 0.6])
    truth = norm.sf(norm.isf(points) - 1.0)
    y = np.arange(n_positive + n_negative) < n_positive
    held = []
    for _ in range(400):
        band = roc_band(y, rng.normal(size=y.size) + y)
        found = np.array([band.at(point) for point in points])
        held.append((found[:, 1] <= truth) & (truth <= found[:, 2]))
    assert np.mean(held, axis=0).min() > 0.94


@pytest.mark.parametrize("scores", [[2.0, 1.0], [1.0, 2.0], [1.0, 1.0]])
def test_two_rows_tell_next_to_nothing(scores):
    band = roc_band([1, 0], scores)
    assert band.low[50] < 0.2
    assert band.high[150] == 1.0
