"""The learning curve: what models of fewer labels say of rows they have not seen, pair by pair."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import reference
from s2auc import S2AUCClassifierCV
from s2auc.ranking.intervals import Estimate
from s2auc.search.evidence import Evidence
from s2auc.search.learning_curve import LearningCurve, LearningPoint, find_learning_curve, middle_point
from s2auc.search.plan import auto_folds, make_plan

LEVEL = 0.95


def make_evidence(seed, n_positive, n_negative, n_splits, n_settings=4, n_reference=6):
    is_positive = np.arange(n_positive + n_negative) < n_positive
    plan = make_plan(auto_folds(is_positive, n_splits, seed), is_positive, judged=True)
    shape = (n_settings, plan.is_trained.shape[1], len(is_positive) + n_reference)
    scores = np.random.default_rng(seed).normal(size=shape).round(1)
    return Evidence(scores.astype(np.float32), is_positive, plan)


def take_best(inner, allowed):
    return {int(allowed[np.argmax(inner.mean(axis=1))]): 1.0}


def slow_curve(evidence):
    """The mean AUC over outer folds and masks that have not seen them, by how many labels the masks have."""
    plan, found = evidence.plan, {}
    for outer in plan.outer_folds:
        others = [fold for fold in plan.outer_folds if fold != outer]
        inner = np.stack([evidence.auc_on(fold, plan.mask_without(outer, fold)) for fold in others], axis=1)
        (setting,) = take_best(inner, np.arange(len(inner)))
        tested = plan.tests[outer].tolist()
        for mask in range(1, plan.is_trained.shape[1]):
            is_fold_mask = mask == plan.mask_without(outer)
            is_pair = any(outer in pair and mask == number for pair, number in plan.pair_masks.items())
            is_few = any(outer not in folds and mask == number for folds, number in plan.few_masks.items())
            if not (is_fold_mask or is_pair or is_few):
                continue
            assert not plan.is_trained[tested, mask].any()
            kind = (
                "one"
                if is_fold_mask
                else "two"
                if is_pair
                else len(next(f for f, m in plan.few_masks.items() if m == mask))
            )
            scores = evidence.scores[setting, mask].astype(float)
            positive = [scores[row] for row in tested if evidence.is_positive[row]]
            negative = [scores[row] for row in tested if not evidence.is_positive[row]]
            if evidence.is_positive.all():
                negative = scores[evidence.n_tested :].tolist()
            area = reference.auc(positive, negative)
            found.setdefault(kind, []).append((area, len(positive), plan.is_trained[:, mask].sum()))
    curve = []
    for kind in (1, 2, "two", "one"):
        if kind in found:
            areas, sizes, trained = zip(*found[kind], strict=True)
            curve.append((round(float(np.mean(trained))), np.average(areas, weights=sizes)))
    return curve


@given(st.integers(0, 2**31), st.integers(3, 14), st.one_of(st.just(0), st.integers(3, 14)), st.integers(3, 6))
def test_points_are_means_over_models_that_have_not_seen_the_rows(seed, n_positive, n_negative, n_splits):
    evidence = make_evidence(seed, n_positive, n_negative, n_splits)
    curve = find_learning_curve(evidence, take_best, np.arange(len(evidence.scores)), LEVEL)
    if not evidence.plan.outer_folds:
        assert curve is None
        return
    expected = slow_curve(evidence)
    assert [point.n_labels for point in curve.points] == [n_labels for n_labels, _ in expected]
    # Each positive row counts once, whatever the size of its fold.
    np.testing.assert_allclose([point.auc.value for point in curve.points], [area for _, area in expected], atol=1e-9)
    middle = middle_point(curve.points)
    assert curve.growth.value == pytest.approx(curve.points[-1].auc.value - middle.auc.value, abs=1e-9)
    assert list(curve.points) == sorted(curve.points, key=lambda point: point.n_labels)


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [(0.01, 0.03, "More labels helped"), (-0.01, 0.03, "Cannot tell"), (-0.05, -0.01, "More labels did not help")],
)
def test_the_sentence_says_what_the_interval_allows(low, high, verdict):
    points = tuple(LearningPoint(n, Estimate(0.8, 0.7, 0.9, LEVEL, 0.05)) for n in (40, 81, 120, 160))
    curve = LearningCurve(points, Estimate((low + high) / 2, low, high, LEVEL, 0.01))
    assert str(curve).startswith(verdict)
    assert "from 81 to 160 of them" in str(curve)


def test_a_search_knows_its_curve_and_a_record_holds_it(few_trees):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 6))
    truth = (X[:, :3].sum(axis=1) + 0.5 * rng.normal(size=400) > 0).astype(int)
    y = np.where(np.arange(400) < 60, truth, -1)
    small = {"kernels": ["gaussian"], "kernel_gammas": ["median"], "scalings": ["standard"], "random_state": 0}
    ranker = S2AUCClassifierCV(**small, alphas=[1e-2, 1e-1]).fit(X, y)
    curve = ranker.learning_curve_
    assert [point.n_labels for point in curve.points] == [12, 24, 36, 48]
    assert curve.points[-1].auc == ranker.held_out_auc_
    assert curve.points[0].auc.value < curve.points[-1].auc.value
    record = ranker.model_.record
    assert [entry["n_labels"] for entry in record["learning_curve"]] == [12, 24, 36, 48]
    assert record["learning_curve"][-1]["value"] == ranker.held_out_auc_.value
    assert record["learning_curve_sentence"] == str(curve)
    unjudged = S2AUCClassifierCV(**small, alphas=[1e-2], judge=False).fit(X, y)
    assert unjudged.learning_curve_ is None
    assert unjudged.model_.record["learning_curve"] == []
