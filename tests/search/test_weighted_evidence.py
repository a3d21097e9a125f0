"""Held-out AUCs and placements of rows that have weights, pair by pair."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference
from s2auc.search.evidence import Evidence
from s2auc.search.plan import auto_folds, make_plan

SEEDS = st.integers(0, 2**32)
N_SETTINGS, N_REFERENCE = 4, 6


def make_evidence(seed, n_positive, n_negative):
    rng = np.random.default_rng(seed)
    is_positive = np.arange(n_positive + n_negative) < n_positive
    plan = make_plan(auto_folds(is_positive, 3, seed % 2**31), is_positive, judged=True)
    shape = N_SETTINGS, plan.is_trained.shape[1], len(is_positive) + N_REFERENCE
    scores = rng.normal(size=shape).round(1).astype(np.float32)
    return Evidence(scores, is_positive, plan, 0.1 * rng.integers(1, 20, len(is_positive)))


def sides(evidence, scores, fold):
    """Scores and weights of both sides of a fold, row by row."""
    rows = evidence.plan.tests[fold].tolist()
    positive = [(float(scores[row]), evidence.weight[row]) for row in rows if evidence.is_positive[row]]
    negative = [(float(scores[row]), evidence.weight[row]) for row in rows if not evidence.is_positive[row]]
    if evidence.is_positive.all():
        negative = [(float(score), 1.0) for score in scores[evidence.n_tested :]]
    return positive, negative


def slow_auc(positive, negative):
    (higher, of_higher), (lower, of_lower) = (zip(*side, strict=True) for side in (positive, negative))
    return reference.auc(higher, lower, of_higher, of_lower)


@given(SEEDS, st.integers(3, 10), st.one_of(st.just(0), st.integers(3, 10)))
def test_aucs_of_folds_are_those_of_weighted_pairs(seed, n_positive, n_negative):
    evidence = make_evidence(seed, n_positive, n_negative)
    found = evidence.fold_auc()
    for setting in range(N_SETTINGS):
        for fold in range(evidence.plan.n_folds):
            scores = evidence.scores[setting, evidence.plan.mask_without(fold)]
            assert found[setting, fold] == pytest.approx(slow_auc(*sides(evidence, scores, fold)), abs=1e-9)


@given(SEEDS, st.integers(3, 10), st.one_of(st.just(0), st.integers(3, 10)))
def test_placements_are_shares_of_the_weight_of_opponents(seed, n_positive, n_negative):
    evidence = make_evidence(seed, n_positive, n_negative)
    judged = evidence.judge(lambda inner, allowed: {int(allowed[np.argmax(inner.mean(axis=1))]): 1.0}, np.arange(4))
    of_positive, of_negative, by_fold = [], [], []
    for fold, scores in zip(evidence.plan.outer_folds, judged, strict=True):
        positive, negative = sides(evidence, scores, fold)
        of_positive += [(slow_auc([row], negative), row[1]) for row in positive]
        by_fold.append([(slow_auc(positive, [row]), row[1]) for row in negative])
    if n_negative:
        of_negative = [placed for fold in by_fold for placed in fold]
    else:
        of_negative = [(np.mean([placed for placed, _ in row]), None) for row in zip(*by_fold, strict=True)]
    found = evidence.placements(judged)
    for mine, placed in zip(found, (of_positive, of_negative), strict=True):
        np.testing.assert_allclose(mine, [value for value, _ in placed], atol=1e-9)
    weights = evidence.placement_weights()
    assert weights[0].tolist() == [weight for _, weight in of_positive]
    if n_negative:
        assert weights[1].tolist() == [weight for _, weight in of_negative]
    else:
        assert weights[1] is None


def test_equal_weights_say_what_no_weights_say():
    weighted = make_evidence(0, 8, 9)
    equal, plain = replace(weighted, weight=np.full(17, 2.5)), replace(weighted, weight=None)
    np.testing.assert_allclose(equal.fold_auc(), plain.fold_auc(), atol=1e-12)
    assert np.abs(weighted.fold_auc() - plain.fold_auc()).max() > 0.01
