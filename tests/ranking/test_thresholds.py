"""Thresholds are the best of all that could be tried, or give away least of those that reach an aim."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, balanced_accuracy_score, f1_score

from s2auc.ranking import thresholds
from s2auc.ranking.thresholds import Cuts

METRICS = {
    "balanced_accuracy": balanced_accuracy_score,
    "accuracy": accuracy_score,
    "f1": lambda truth, predicted: f1_score(truth, predicted, zero_division=0.0),
}
SCORES = st.one_of(st.floats(-5.0, 5.0), st.integers(-3, 3).map(float))


def best_threshold(positive, negative, metric, **options):
    return thresholds.best_threshold(Cuts.of_scores(positive, negative, **options), metric)


def value_at(threshold, positive, negative, metric):
    truth = np.arange(len(positive) + len(negative)) < len(positive)
    return METRICS[metric](truth, np.concatenate([positive, negative]) > threshold)


def every_threshold(positive, negative):
    """One threshold for each way to cut the scores: at each of them, and below all."""
    scores = sorted({*positive.tolist(), *negative.tolist()})
    return [scores[0] - 1.0, *scores]


def test_every_metric_is_tested():
    assert set(METRICS) == set(thresholds.METRICS)


@pytest.mark.parametrize("metric", METRICS)
@settings(max_examples=40)
@given(data=st.data())
def test_no_threshold_is_better(metric, data):
    positive = np.array(data.draw(st.lists(SCORES, min_size=1, max_size=8)))
    negative = np.array(data.draw(st.lists(SCORES, min_size=1, max_size=8)))
    most = max(value_at(threshold, positive, negative, metric) for threshold in every_threshold(positive, negative))
    found = best_threshold(positive, negative, metric)
    assert value_at(found, positive, negative, metric) == pytest.approx(most, abs=1e-9)


@pytest.mark.parametrize(
    ("positive", "negative", "metric", "threshold"),
    [
        ([1.0], [0.0], "accuracy", 0.5),  # halfway
        ([3.0, 4.0], [0.0, 1.0], "f1", 2.0),
        ([0.0], [1.0], "f1", -0.5),  # all positive: below all
        ([0.0], [1.0, 2.0], "accuracy", 3.0),  # all negative: beyond all
        ([0.0, 2.0, 4.0], [1.0, 3.0, 5.0], "accuracy", 3.5),  # as good as -2.5, 1.5 and 7.5
        ([2.0, 2.0], [2.0], "accuracy", 1.5),  # ties: all or none
        ([2.0], [2.0, 2.0], "accuracy", 2.5),
    ],
)
def test_thresholds_lie_halfway_or_beyond(positive, negative, metric, threshold):
    assert best_threshold(np.array(positive), np.array(negative), metric) == threshold


def test_of_equally_good_thresholds_the_middle_one_is_taken():
    # Of two the upper one.
    positive, negative = np.array([1.5, 3.5]), np.array([0.0, 2.5])
    values = {t: value_at(t, positive, negative, "balanced_accuracy") for t in (-1.75, 0.75, 2.0, 3.0, 5.25)}
    assert values == {-1.75: 0.5, 0.75: 0.75, 2.0: 0.5, 3.0: 0.75, 5.25: 0.5}
    assert best_threshold(positive, negative, "balanced_accuracy") == 3.0
    # Nothing to tell apart: every cut is as good, and the middle one is as far from both ends.
    assert best_threshold(np.array([0.0, 1.0]), np.array([0.0, 1.0]), "balanced_accuracy") == 0.5


def test_a_threshold_that_rounds_to_a_score_counts_that_row_as_below():
    positive, negative = np.array([np.nextafter(1.0, 2.0), 2.0]), np.array([1.0, 1.0, 1.0])
    assert best_threshold(positive, negative, "accuracy") == 1.0
    assert value_at(1.0, positive, negative, "accuracy") == 1.0
