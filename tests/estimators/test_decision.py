"""Where thresholds are put, given held-out scores that can be counted by hand."""

import warnings

import numpy as np
import pytest

from s2auc.estimators.fitting.decision import HeldOutScores, ThresholdRule, settle_threshold

HELD_OUT = HeldOutScores(np.array([1.0, 2.0]), np.array([0.0, 3.0]), np.arange(10.0))


def settle(threshold, held_out=HELD_OUT, class_prior=None, population=None):
    """The threshold, of which nothing is said."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        probabilities = held_out.probabilities(class_prior)
        return settle_threshold(threshold, held_out, class_prior, probabilities, lambda: population)


@pytest.mark.parametrize(("class_prior", "highest"), [(None, "0.67"), (0.2, "0.33")])
def test_a_precision_that_cannot_be_reached_is_told_and_the_highest_is_used(class_prior, highest):
    """Above all but the lowest score are both positive rows and one of two negative ones."""
    sentence = (
        rf"^No threshold reaches precision 0\.9 on held-out rows: the highest precision is {highest}, and its "
        r"threshold is used\. Ask for less, or label more rows\.$"
    )
    probabilities = HELD_OUT.probabilities(class_prior)
    with pytest.warns(UserWarning, match=sentence):
        found = settle_threshold(("precision", 0.9), HELD_OUT, class_prior, probabilities, lambda: None)
    assert found == 0.5
    assert settle(("precision", float(highest) - 0.01), class_prior=class_prior) == 0.5


def test_aims_are_taken_from_the_rows_that_tell():
    assert settle(("recall", 0.5)) == 1.5
    assert settle(["recall", 0.51]) == 0.5
    # Of ten rows of the population two are above 7.5; without a population one of four held-out rows is above 2.5.
    assert settle(("alerts", 0.25), population=np.arange(10.0)) == 7.5
    assert settle(("alerts", 0.25)) == 2.5
    assert settle(("alerts", 0.25), class_prior=0.01) == 4.5


def test_the_population_is_scored_only_for_alerts():
    scored = []
    for threshold in (None, 0.3, "f1", ("recall", 0.5), ("precision", 0.5), ("alerts", 0.5)):
        population = lambda asked=threshold: scored.append(asked)  # noqa: E731 which gives None, for no rows
        settle_threshold(threshold, HELD_OUT, None, HELD_OUT.probabilities(None), population)
    assert scored == [("alerts", 0.5)]


def test_weights_count_in_every_threshold():
    heavy = HeldOutScores(HELD_OUT.positive, HELD_OUT.negative, HELD_OUT.unlabeled, (np.ones(2), np.array([1.0, 0.01])))
    # The negative row at the top hardly counts.
    assert settle(("precision", 0.9), heavy) == 0.5
    assert settle("accuracy", heavy) == 0.5
    light = HeldOutScores(HELD_OUT.positive, HELD_OUT.negative, HELD_OUT.unlabeled, (np.array([1.0, 9.0]), np.ones(2)))
    assert settle(("recall", 0.9), light) == 1.5
    assert heavy.probabilities(None).slope > 2 * HELD_OUT.probabilities(None).slope


def test_an_estimated_prior_keeps_off_the_ends():
    low, high = np.zeros(20) + np.linspace(0, 0.1, 20), np.ones(20) + np.linspace(0, 0.1, 20)
    for unlabeled, expected in ((low, 0.01), (high, 0.99)):
        held_out = HeldOutScores(high, low, unlabeled)
        assert held_out.class_prior("estimate", seed=0) == pytest.approx(expected, abs=0.02)
        assert 0.0 < held_out.class_prior("estimate", seed=0) < 1.0
    assert (HELD_OUT.class_prior(None, 0), HELD_OUT.class_prior(0.3, 0)) == (None, 0.3)


def test_the_rule_says_what_it_takes():
    words = str(ThresholdRule())
    for word in ("'balanced_accuracy'", "(0, 1)", "('precision', share)", "('recall', share)", "('alerts', share)"):
        assert word in words
