"""Thresholds are the best of all that could be tried, or give away least of those that reach an aim."""

import numpy as np
import pytest
from hypothesis import given
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


WEIGHTS = st.floats(0.1, 3.0)
PRIORS = st.one_of(st.none(), st.floats(0.02, 0.98))
SHARES = st.one_of(st.floats(0.01, 1.0), st.sampled_from([0.25, 0.5, 2 / 3, 0.75, 1.0]))


def draw_rows(data):
    """Scores and weights, row by row, of both classes."""
    rows = st.lists(st.tuples(SCORES, WEIGHTS), min_size=1, max_size=6)
    return data.draw(rows), data.draw(rows)


def shares_above(threshold, positive, negative, prior):
    """Share of positive rows above, of negative ones, and precision, row by row; NaN if nothing is above."""
    totals = [sum(weight for _, weight in rows) for rows in (positive, negative)]
    found, false = (
        sum(weight for score, weight in rows if score > threshold) / total
        for rows, total in zip((positive, negative), totals, strict=True)
    )
    prior = totals[0] / sum(totals) if prior is None else prior
    above = prior * found + (1 - prior) * false
    return found, above, prior * found / above if above > 0 else np.nan


def make_cuts(positive, negative, prior):
    groups = [np.array(rows) for rows in (positive, negative)]
    scores, weights = ([rows[:, place] for rows in groups] for place in (0, 1))
    return Cuts.of_scores(*scores, tuple(weights), prior)


def candidates(positive, negative):
    return every_threshold(*(np.array([score for score, _ in rows]) for rows in (positive, negative)))


@given(st.data(), PRIORS, SHARES)
def test_precision_is_reached_and_no_threshold_that_reaches_it_finds_more(data, prior, share):
    positive, negative = draw_rows(data)
    cuts = make_cuts(positive, negative, prior)
    threshold = thresholds.threshold_reaching(cuts, "precision", share)
    found_by_reaching = [
        found
        for found, _, precision in (shares_above(t, positive, negative, prior) for t in candidates(positive, negative))
        if precision >= share - 1e-9
    ]
    if threshold is None:
        # Rounding may decide where a share is reached to the last digit.
        strictly = [shares_above(t, positive, negative, prior)[2] for t in candidates(positive, negative)]
        assert not any(precision > share + 1e-9 for precision in strictly)
        return
    found, _, precision = shares_above(threshold, positive, negative, prior)
    assert precision >= share - 1e-9
    assert found >= max(found_by_reaching) - 1e-9


@given(st.data(), PRIORS, SHARES)
def test_recall_is_reached_and_no_threshold_that_reaches_it_has_less_above(data, prior, share):
    positive, negative = draw_rows(data)
    threshold = thresholds.threshold_reaching(make_cuts(positive, negative, prior), "recall", share)
    found, above, _ = shares_above(threshold, positive, negative, prior)
    assert found >= share - 1e-9
    for other in candidates(positive, negative):
        other_found, other_above, _ = shares_above(other, positive, negative, prior)
        assert other_found < share + 1e-9 or other_above >= above - 1e-9


@given(st.data(), PRIORS, SHARES)
def test_alerts_are_not_more_than_asked_for_and_as_many_as_can_be(data, prior, share):
    positive, negative = draw_rows(data)
    threshold = thresholds.threshold_reaching(make_cuts(positive, negative, prior), "alerts", share)
    _, above, _ = shares_above(threshold, positive, negative, prior)
    assert above <= share + 1e-9
    for other in candidates(positive, negative):
        other_above = shares_above(other, positive, negative, prior)[1]
        assert other_above > share - 1e-9 or other_above <= above + 1e-9


def test_every_aim_is_tested():
    assert set(thresholds.AIMS) == {"precision", "recall", "alerts"}


@given(st.data(), PRIORS, st.sampled_from(sorted(METRICS)))
def test_whole_weights_are_repeated_rows(data, prior, metric):
    rows = st.lists(st.tuples(SCORES, st.integers(1, 4)), min_size=1, max_size=6)
    groups = [np.array(data.draw(rows), dtype=float) for _ in range(2)]
    weights = tuple(group[:, 1] for group in groups)
    ours = Cuts.of_scores(*(group[:, 0] for group in groups), weights, prior)
    theirs = Cuts.of_scores(*(np.repeat(group[:, 0], group[:, 1].astype(int)) for group in groups), class_prior=prior)
    for name in ("thresholds", "found", "false", "above", "precision"):
        np.testing.assert_allclose(getattr(ours, name), getattr(theirs, name), atol=1e-12)
    value = thresholds.METRICS[metric]
    np.testing.assert_allclose(value(ours), value(theirs), atol=1e-12)


@pytest.mark.parametrize("prior", [0.1, 0.4])
def test_unlabelled_rows_that_stand_in_for_negatives_tell_what_these_would(prior):
    """Where the unlabelled rows are just the mixture that the prior says, shares are those of its negative part."""
    positive = np.array([0.0, 1.0, 2.0, 3.0])
    negative = np.array([-1.0, 0.0, 0.5, 1.0])
    # As many copies of each that 4·(copies of positive) is the prior's share of all.
    times = round(10 * prior), round(10 * (1 - prior))
    mixture = np.concatenate([np.repeat(positive, times[0]), np.repeat(negative, times[1])])
    ours = Cuts.of_scores(positive, mixture).among_unlabeled(prior)
    theirs = Cuts.of_scores(positive, negative, class_prior=prior)
    np.testing.assert_array_equal(ours.thresholds, theirs.thresholds)
    for name in ("found", "false", "above", "precision"):
        np.testing.assert_allclose(getattr(ours, name), getattr(theirs, name), atol=1e-12)
