"""Baselines on rows that count by whole numbers, against the same rows repeated."""

from dataclasses import replace

import numpy as np
import pytest

from repeated_rows import Weighted
from s2auc.data.features.scaling import SCALINGS
from s2auc.data.sources.matrix_rows import DenseRows
from s2auc.estimators.baselines.kernel.centers import CenterFeatures
from s2auc.estimators.baselines.kernel.full_kernel import samult_risk, solve_full_kernel
from s2auc.estimators.baselines.kernel.groups import ScaledGroups
from s2auc.estimators.baselines.kernel.held_out import scan_centers, scan_full_kernel
from s2auc.estimators.baselines.kernel.pnuauc import pnu_objective
from s2auc.estimators.baselines.kernel.pnuauc_cv import zero_one_risk
from s2auc.kernels.shift_invariant import KERNELS
from s2auc.ranking.losses import LOSSES
from s2auc.ranking.objective import QuadraticForm

ROWS = Weighted.make(n_columns=2)
POOL = np.random.default_rng(1).normal(size=(20, 2))
CENTERS = np.random.default_rng(2).normal(size=(6, 2))
GAMMA = 0.7


def scaled_groups(labeled, order, *, with_pool=True, with_negative=True):
    parts = {"positive": labeled[order.positive]}
    if with_negative:
        parts["negative"] = labeled[order.negative]
    if with_pool:
        parts["unlabeled"] = POOL
    weights = {group: order.weight_of(part) for group, part in order.slices.items() if order.weight is not None}
    sources = {group: DenseRows(rows) for group, rows in parts.items()}
    return ScaledGroups(sources, SCALINGS["none"](labeled), {g: w for g, w in weights.items() if g in parts})


def both(**options):
    """The groups with weights, and with repeated rows."""
    return (
        scaled_groups(ROWS.labeled, ROWS.order, **options),
        scaled_groups(ROWS.repeated(ROWS.labeled), ROWS.repeated_order, **options),
    )


# Chunks of one row, of some, and all rows at once.
@pytest.mark.parametrize("chunk_numbers", [1, 4 * len(CENTERS), 2**22])
def test_moments_at_centres_are_those_of_repeated_rows(chunk_numbers):
    features = CenterFeatures("gaussian", GAMMA, CENTERS, chunk_numbers)
    ours, theirs = (features.moments(groups) for groups in both())
    for group in ("positive", "negative", "unlabeled"):
        np.testing.assert_allclose(ours[group].mean, theirs[group].mean, atol=1e-12)
        np.testing.assert_allclose(ours[group].second, theirs[group].second, atol=1e-12)


@pytest.mark.parametrize("chunk_numbers", [1, 4 * len(CENTERS), 2**22])
@pytest.mark.parametrize("eta", [-0.4, 0.0, 1.0])
def test_equations_of_pnu_are_those_of_repeated_rows(eta, chunk_numbers):
    features = CenterFeatures("gaussian", GAMMA, CENTERS, chunk_numbers)
    objective = pnu_objective(LOSSES["square"], eta, 0.3)
    ours, theirs = (
        features.equations(QuadraticForm.of_objective(objective, groups.sizes), groups)
        for groups in both(with_pool=eta != 0)
    )
    for mine, other in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(mine, other, atol=1e-12)


@pytest.mark.parametrize("labeled_weight", [0.4, 1.0])
def test_the_full_kernel_is_that_of_repeated_rows(labeled_weight):
    scores = []
    for groups in both(with_pool=labeled_weight < 1):
        X, sizes = groups.all_rows(), groups.sizes
        group = np.repeat(np.arange(len(sizes)), list(sizes.values()))
        risk = samult_risk(labeled_weight, sizes)
        beta = solve_full_kernel(risk, X, group, groups.shares(), "gaussian", GAMMA, 0.05)
        scores.append(KERNELS["gaussian"].matrix(CENTERS, X, GAMMA) @ beta)
    np.testing.assert_allclose(scores[0], scores[1], atol=1e-9)


@pytest.mark.parametrize("backend", ["all rows", "centres"])
@pytest.mark.parametrize("with_negative", [True, False])
def test_held_out_scores_are_those_of_repeated_rows(backend, with_negative):
    rows = ROWS
    if not with_negative:
        n = ROWS.order.n_positive
        order = replace(ROWS.order, n_negative=0, weight=ROWS.order.weight[:n])
        rows = Weighted(ROWS.labeled[:n], order, ROWS.times[:n])
    ours, theirs = (
        scaled_groups(labeled, order, with_negative=with_negative)
        for labeled, order in ((rows.labeled, rows.order), (rows.repeated(rows.labeled), rows.repeated_order))
    )
    is_tested = np.arange(rows.order.n_rows) % 3 == 0
    folds = [(np.flatnonzero(~mask), np.flatnonzero(mask)) for mask in (is_tested, rows.repeated(is_tested))]
    weights = [0.0, 0.4, 1.0] if with_negative else [0.0]
    found = []
    for groups, fold in ((ours, folds[0]), (theirs, folds[1])):
        if backend == "all rows":
            scan = scan_full_kernel(groups, "gaussian", GAMMA, weights, [0.05, 1.0], [fold])
        else:
            features = CenterFeatures("gaussian", GAMMA, CENTERS)
            scan = scan_centers(groups, features, weights, [0.05, 1.0], [fold])
        found.append(list(scan))
    for mine, other in zip(*found, strict=True):
        np.testing.assert_allclose(np.repeat(mine.scores, rows.times[is_tested]), other.scores, atol=1e-8)
        np.testing.assert_allclose(mine.pool, other.pool, atol=1e-8)
        assert len(mine.pool) == (0 if with_negative else len(POOL))


@pytest.mark.parametrize("weight", [-0.6, 0.0, 0.6])
def test_the_risk_that_judges_pnu_is_that_of_repeated_rows(weight):
    rng = np.random.default_rng(0)
    positive, negative, unlabeled = (rng.normal(size=n).round(1) for n in (7, 9, 11))
    times = np.split(ROWS.times, [7])
    repeated = (np.repeat(scores, of) for scores, of in zip((positive, negative), times, strict=True))
    ours = zero_one_risk(positive, negative, unlabeled, weight, 0.3, tuple(times))
    assert ours == pytest.approx(zero_one_risk(*repeated, unlabeled, weight, 0.3), abs=1e-12)
