"""FSAUC against its literal steps, its bounds against the published ones, and how fast it tends to the closed form."""

from math import inf

import numpy as np
import pytest

import reference
from online_rows import closed_form, simulate
from s2auc.data.features.scaling import SCALINGS
from s2auc.estimators.baselines.online.fsauc import FSAUCSteps, StageBounds, StagePlan, n_stages_of
from s2auc.estimators.baselines.online.saddle_point import nearest_in_both
from s2auc.estimators.baselines.online.solam import SOLAMSteps


class Starts:
    """A plan that says where stages start."""

    def __init__(self, *starts):
        self.starts = starts

    def start(self, stage):
        return self.starts[stage - 1] if stage <= len(self.starts) else inf


CASES = {
    "wide": (1.0, 10.0, [0, 30, 60, 90, 130], False),
    "short stages": (0.5, 3.0, [0, 10, 20, 30, 40, 50], False),
    "a small set": (1.0, 0.3, [0, 40, 80, 120], True),
    "a small ball": (2.0, 0.1, [0, 30, 50, 60, 70, 80, 90, 100, 110, 120, 130], True),
    "long stages": (0.5, 0.5, [0, 70, 120], False),
}


@pytest.mark.parametrize("case", CASES)
def test_iterates_are_those_of_the_literal_algorithm(case):
    step_size, radius, starts, is_held = CASES[case]
    X, is_positive = simulate(150, seed=1)
    iterates, average, n_held = reference.fsauc(X, is_positive, step_size, radius, starts)
    assert (n_held > 0) == is_held
    steps = FSAUCSteps(SCALINGS["none"](X), step_size, radius, Starts(*starts))
    found = []
    for row, positive in zip(X, is_positive, strict=True):
        steps.learn(row[None], np.array([positive]))
        point = steps.point
        found.append([*point.weights, point.positive_mean, point.negative_mean, point.dual])
    for number, (w, *others) in enumerate(iterates[1:]):
        # Where a stage begins, the iterate is another than the last step's.
        if number + 1 not in starts:
            np.testing.assert_allclose(found[number], [*w, *others], atol=1e-9)
    np.testing.assert_allclose(steps.part().weights, average, atol=1e-9)


def test_projections_onto_the_set_and_the_ball():
    rng = np.random.default_rng(0)
    for _ in range(40):
        center = np.clip(rng.normal(size=5) * 0.3, -0.5, 0.5)
        moved = center + rng.normal(size=5) * 3
        ours = nearest_in_both(moved, center, 0.7, 1.0, 0.8)
        theirs = reference.project_both(moved, center, 0.7, 1.0, 0.8)
        np.testing.assert_allclose(ours, theirs, atol=1e-7)
        assert np.linalg.norm(ours - center) <= 0.7 + 1e-12
    far = nearest_in_both(np.array([1e200, 0.0, 0.0, 3e200]), np.zeros(4), 0.9, 0.5, 0.8)
    np.testing.assert_allclose(far, [np.sqrt(0.81 - 0.64), 0.0, 0.0, 0.8], atol=1e-6)


@pytest.mark.parametrize(("share", "n_before"), [(0.3, 2000), (0.9, 3000), (0.05, 500)])
def test_bounds_are_the_published_ones(share, n_before):
    first = StageBounds(2.0, 0.1)
    assert (first.primal(1.5), first.dual(1.5)) == pytest.approx(reference.fsauc_radii(1, 0, 0.0, 1.5, 2.0)[:2])
    bounds = first
    for stage in (2, 3, 4):
        bounds = bounds.next(share, 1.5, n_before)
        r, D, beta = reference.fsauc_radii(stage, n_before, share, 1.5, 2.0)
        assert bounds.primal(1.5) == pytest.approx(r)
        assert bounds.dual(1.5) == pytest.approx(D)
        assert bounds.spread == (inf if beta is None else pytest.approx(beta))


def test_steps_halve_from_the_third_stage_on():
    bounds, steps = StageBounds(2.0, 0.1), []
    for _ in range(4):
        bounds = bounds.next(0.3, 1.5, 2000)
        steps.append(bounds.step)
    assert steps == pytest.approx([0.1, 0.05, 0.025, 0.0125])
    # Too short a stage says nothing of the next one's step.
    assert StageBounds(2.0, 0.1).next(0.3, 1.5, 10).step == 0.05


def test_stages_are_those_of_the_publication():
    for n_rows in (1, 2, 3, 100, 256, 1000, 12345, 10**6):
        assert n_stages_of(n_rows) == reference.fsauc_stages(n_rows)
        plan, n_stages = StagePlan(n_rows), n_stages_of(n_rows)
        assert plan.start(n_stages) == (n_stages - 1) * (n_rows // n_stages)
        assert plan.start(n_stages + 1) == inf
    for stage in range(2, 9):
        start = StagePlan(None).start(stage)
        assert n_stages_of(start) == stage
        assert n_stages_of(start - 1) == stage - 1


def test_it_tends_to_the_closed_form_faster_than_solam():
    best, sizes = closed_form(), [300, 3_000, 30_000]
    fast, slow = np.zeros((2, 3)), np.zeros((2, 3))
    for seed in range(2):
        X, is_positive = simulate(sizes[-1], seed)
        for place, n_rows in enumerate(sizes):
            for errors, steps in (
                (fast, FSAUCSteps(SCALINGS["none"](X), 0.1, 10.0, StagePlan(n_rows))),
                (slow, SOLAMSteps(SCALINGS["none"](X), 1.0, 10.0)),
            ):
                steps.learn(X[:n_rows], is_positive[:n_rows])
                errors[seed, place] = best.excess(steps.part().weights)
    slope = np.polyfit(np.log(sizes), np.log(fast.mean(axis=0)), 1)[0]
    assert slope < -0.9
    assert fast.mean(axis=0)[-1] < slow.mean(axis=0)[-1]
