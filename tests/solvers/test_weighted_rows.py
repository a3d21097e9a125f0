"""Rows that count by whole numbers are as good as so many equal rows, in every closed form and in steps."""

import numpy as np
import pytest

from repeated_rows import Weighted
from s2auc.common.groups import PositiveFirst
from s2auc.data.sources.matrix_rows import DenseRows
from s2auc.data.training_rows import TrainingRows
from s2auc.ranking.losses import LOSSES
from s2auc.ranking.objective import semi_supervised
from s2auc.solvers.exact.by_features import moments_of_masks
from s2auc.solvers.exact.closed_forms import FeatureRows, RowForm
from s2auc.solvers.job import Points
from s2auc.solvers.space import auc_weights
from s2auc.solvers.work_rows import DrawRule, collect_rows

ROWS = Weighted.make()
NUMBERS = np.arange(ROWS.order.n_rows)
FOLDS = np.stack([NUMBERS >= 0, *(fold != NUMBERS % 3 for fold in range(3))], axis=1)
OVERLAPPING = np.random.default_rng(1).random((len(NUMBERS), 4)) < 0.7
POOL = np.random.default_rng(2).normal(size=(20, 4))
POINTS = Points(alphas=(1e-3, 0.5), labeled_weights=(0.0, 0.6, 1.0), max_iters=(1,))


def risk(labeled_weight):
    return semi_supervised(LOSSES["square"], labeled_weight)


@pytest.mark.parametrize("is_trained", [FOLDS, OVERLAPPING])
def test_moments_are_those_of_repeated_rows(is_trained):
    ours = moments_of_masks(ROWS.labeled, ROWS.order, is_trained)
    theirs = moments_of_masks(ROWS.repeated(ROWS.labeled), ROWS.repeated_order, ROWS.repeated(is_trained))
    for mine, other in zip(ours, theirs, strict=True):
        assert mine.keys() == other.keys()
        for group in mine:
            np.testing.assert_allclose(mine[group].mean, other[group].mean, atol=1e-12)
            np.testing.assert_allclose(mine[group].second, other[group].second, atol=1e-12)


@pytest.mark.parametrize("pool", [POOL, POOL[:0]])
@pytest.mark.parametrize("labeled_weight", [0.6, 1.0])
@pytest.mark.parametrize("is_trained", [FOLDS, OVERLAPPING])
def test_the_form_through_rows_is_that_of_repeated_rows(is_trained, labeled_weight, pool):
    ours, theirs = (
        RowForm.of_features(labeled, order, pool).solve(risk(labeled_weight), [1e-3, 0.5], is_used)
        for labeled, order, is_used in (
            (ROWS.labeled, ROWS.order, is_trained),
            (ROWS.repeated(ROWS.labeled), ROWS.repeated_order, ROWS.repeated(is_trained)),
        )
    )
    np.testing.assert_allclose(ours, theirs, atol=1e-9)


@pytest.mark.parametrize("way", ["weights_by_rows", "weights_by_features"])
def test_both_forms_of_all_settings_are_those_of_repeated_rows(way):
    ours = getattr(FeatureRows(ROWS.labeled, ROWS.order, POOL), way)(POINTS, risk, FOLDS)
    repeated = FeatureRows(ROWS.repeated(ROWS.labeled), ROWS.repeated_order, POOL)
    np.testing.assert_allclose(ours, getattr(repeated, way)(POINTS, risk, ROWS.repeated(FOLDS)), atol=1e-9)
    plain = FeatureRows(ROWS.labeled, PositiveFirst(7, 9), POOL)
    assert np.abs(ours - getattr(plain, way)(POINTS, risk, FOLDS)).max() > 0.01


def test_column_weights_are_those_of_weighted_pairs():
    """AUCs are those of repeated rows; the chance is that of as many rows as these are worth."""
    weights = auc_weights(ROWS.labeled, ROWS.order)
    times = np.split(ROWS.times, [7])
    n_positive, n_negative = (part.sum() ** 2 / np.square(part).sum() for part in times)
    chance = (n_positive + n_negative + 1) / (3 * n_positive * n_negative)
    telling = []
    for column in ROWS.labeled.T:
        measures = []
        for values, looks in ((column, 1), (np.abs(column - np.median(column)), 2)):
            area = np.mean(np.repeat(values[:7], times[0])[:, None] > np.repeat(values[7:], times[1]))
            measures.append((2 * area - 1) ** 2 - looks * chance)
        telling.append(np.sqrt(max(0.0, *measures)) + np.sqrt(chance) / 2)
    expected = np.array(telling) / np.sqrt(np.mean(np.square(telling)))
    np.testing.assert_allclose(weights, expected, rtol=1e-9)
    equal = PositiveFirst(7, 9, np.full(16, 2.5))
    np.testing.assert_allclose(auc_weights(ROWS.labeled, equal), auc_weights(ROWS.labeled, PositiveFirst(7, 9)))


@pytest.mark.parametrize(("pairing", "counts"), [("all", True), ("triplet", False)])
def test_rows_count_in_steps_where_they_are_not_drawn(pairing, counts):
    rows = TrainingRows(ROWS.labeled, ROWS.order, DenseRows(POOL))
    work = collect_rows(rows, DrawRule(2000, 2, pairing), seed=0)
    assert work.order.weight is ROWS.order.weight
    assert work.step_weight.tolist() == (ROWS.order.weight.tolist() if counts else [1.0] * 16)
    plain = collect_rows(TrainingRows(ROWS.labeled, PositiveFirst(7, 9), DenseRows(POOL)), DrawRule(2, 2), seed=0)
    assert plain.step_weight is None
    # Counting how often rows take part, times how much they count then: both ways it comes to their weights.
    for group in (ROWS.order.positive, ROWS.order.negative):
        name = "positive" if group.start == 0 else "negative"
        often = np.bincount(work.steps[name].ravel(), minlength=16)[group] * work.step_weight[group]
        weight = ROWS.order.weight[group]
        np.testing.assert_allclose(often / often.sum(), weight / weight.sum(), atol=0.02)
