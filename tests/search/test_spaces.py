"""Trained spaces: what they send, and the models that they make of their coefficients."""

import json
import pickle

import numpy as np
import pytest

from s2auc.common.groups import PositiveFirst
from s2auc.data import DenseRows, Schema, TrainingRows
from s2auc.data.column_scaling import ColumnSample
from s2auc.kernels import Bandwidth, FrequencyStream
from s2auc.ranking.losses import LOSSES
from s2auc.search.plan import WHOLE, auto_folds, make_plan
from s2auc.search.spaces import TrainedSpace, Training
from s2auc.solvers.exact import Exact
from s2auc.solvers.job import Points
from s2auc.solvers.qsg import QSG
from s2auc.solvers.space import PreparedColumns, SpaceChoice
from s2auc.solvers.work_rows import collect_rows

N_POSITIVE, N_NEGATIVE = 8, 10
POINTS = Points(alphas=(1e-2, 1e-1), labeled_weights=(1.0, 0.5), max_iters=(3, 6))
WEIGHTED = SpaceChoice("standard", "auc", "gaussian", Bandwidth.read("0.5 median"))
PLAIN = SpaceChoice("standard", "none", "laplacian", Bandwidth.read("median"))
SOLVERS = {"qsg": QSG(), "exact": Exact()}


def make_training(solver="qsg", seed=0, points=POINTS):
    rng = np.random.default_rng(seed)
    n_labeled = N_POSITIVE + N_NEGATIVE
    is_positive = np.arange(n_labeled) < N_POSITIVE
    labeled = rng.normal(size=(n_labeled, 3)) + is_positive[:, None] * [1.0, 0.5, 0.0]
    rows = TrainingRows(labeled, PositiveFirst(N_POSITIVE, N_NEGATIVE), DenseRows(rng.normal(size=(60, 3))))
    chosen = SOLVERS[solver]
    work = collect_rows(rows, chosen.draw_rule(max(points.max_iters), 8), seed=seed)
    sample = ColumnSample.of_rows(rows.sample(seed), Schema(3, {}))
    return Training(
        rows=work,
        prepared={"standard": PreparedColumns.of_sample(sample, "standard")},
        plan=make_plan(auto_folds(is_positive, 3, seed), is_positive, judged=True),
        points=points,
        loss=LOSSES["square"],
        solver=chosen,
        n_frequencies=16,
        seed=seed,
    )


@pytest.fixture(params=SOLVERS)
def solver(request):
    return request.param


@pytest.fixture(params=[PLAIN, WEIGHTED], ids=["plain", "weighted"])
def choice(request):
    return request.param


def test_scores_are_there_for_every_point_mask_and_followed_row(solver, choice):
    training = make_training(solver)
    space = training.train(choice)
    n_masks = training.plan.is_trained.shape[1]
    assert space.scores.shape == (len(POINTS.listed), n_masks, len(training.rows.followed))
    assert space.scores.dtype == np.float32
    assert np.isfinite(space.scores).all()
    assert space.coefficients.shape[:2] == (len(POINTS.listed), 2)
    assert space.seed == choice.frequency_seed(training.seed)
    assert space.choice == choice


@pytest.mark.parametrize("point", range(len(POINTS.listed)))
def test_the_part_of_a_point_scores_as_its_model_did(solver, choice, point):
    training = make_training(solver)
    space = training.train(choice)
    found = space.part({point: 1.0}).score(training.rows.X[training.rows.followed])
    np.testing.assert_allclose(found, space.scores[point, WHOLE], rtol=1e-4, atol=1e-5)


def test_a_part_of_several_points_is_their_weighted_sum(solver, choice):
    training = make_training(solver)
    space = training.train(choice)
    found = space.part({0: 0.5, 3: 2.0, 5: -1.0}).score(training.rows.X[training.rows.followed])
    expected = np.tensordot([0.5, 2.0, -1.0], space.scores[[0, 3, 5], WHOLE], axes=1)
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-4)


def test_frequencies_that_no_point_uses_are_left_out():
    training = make_training("qsg")
    space = training.train(PLAIN)
    sizes = {point: space.part({number: 1.0}).n_frequencies for number, point in enumerate(POINTS.listed)}
    assert {point.max_iter: size for point, size in sizes.items()} == {3: 3 * 16, 6: 6 * 16}
    assert all(size == point.max_iter * 16 for point, size in sizes.items())
    both = space.part({0: 1.0, len(POINTS.listed) - 1: 1.0})
    assert both.n_frequencies == 6 * 16


def hand_made(coefficients):
    columns = make_training().prepared["standard"].columns
    coefficients = np.array(coefficients, dtype=float)
    return TrainedSpace(PLAIN, columns, 0.5, 7, np.zeros((len(coefficients), 1, 1), np.float32), coefficients)


def test_frequencies_in_between_are_kept():
    """What index a frequency has is what its seed makes of it: only the end can be cut off."""
    space = hand_made([[[0.0, 1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 2.0, 0.0]]])
    part = space.part({0: 0.5})
    assert part.cosine.tolist() == [0.0, 0.5, 0.0, 0.0]
    assert part.sine.tolist() == [0.0, 0.0, 0.0, 1.0]
    stream = FrequencyStream("laplacian", 0.5, 3, 7)
    angles = space.columns.apply(np.ones((1, 3))) @ stream.take(0, 4).T
    expected = 0.5 * np.cos(angles[0, 1]) + np.sin(angles[0, 3])
    assert part.score(np.ones((1, 3)))[0] == pytest.approx(expected, abs=1e-5)


def test_points_that_cancel_leave_nothing():
    space = hand_made([[[1.0, 2.0], [3.0, 4.0]], [[1.0, 2.0], [3.0, 4.0]]])
    part = space.part({0: 1.0, 1: -1.0})
    assert part.n_frequencies == 0
    assert part.score(np.ones((2, 3))).tolist() == [0.0, 0.0]


def test_a_part_does_not_hold_the_coefficients_of_all_points():
    space = hand_made(np.ones((50, 2, 1000)))
    assert not np.shares_memory(space.part({3: 1.0}).cosine, space.coefficients)
    assert len(pickle.dumps(space.part({3: 1.0}))) < 30_000


def test_what_is_trained_and_what_comes_out_can_be_sent(solver, choice):
    training = make_training(solver)
    space = training.train(choice)
    again = pickle.loads(pickle.dumps(space))
    np.testing.assert_array_equal(again.scores, space.scores)
    np.testing.assert_array_equal(again.coefficients, space.coefficients)
    assert (again.choice, again.gamma, again.seed) == (space.choice, space.gamma, space.seed)
    X = training.rows.X[:5]
    np.testing.assert_array_equal(again.part({1: 1.0}).score(X), space.part({1: 1.0}).score(X))
    # Elsewhere the same training gives the same bits.
    elsewhere = pickle.loads(pickle.dumps(training)).train(choice)
    np.testing.assert_array_equal(elsewhere.scores, space.scores)


def test_labels_of_left_out_rows_do_not_settle_the_space_that_scores_them():
    """Column weights are learnt from labels: each mask has weights of its own then."""
    training = make_training("exact")
    fold = training.plan.tests[0]
    before = training.train(WEIGHTED).scores[:, training.plan.mask_without(0)]
    changed = make_training("exact")
    left_out = fold[fold < N_POSITIVE]
    # A left-out row of the other shape would move the weights, had they seen it.
    changed.rows.X[left_out] = 50.0
    after = changed.train(WEIGHTED).scores[:, training.plan.mask_without(0)]
    others = np.setdiff1d(np.arange(before.shape[1]), left_out)
    np.testing.assert_array_equal(after[:, others], before[:, others])


def test_spaces_come_back_from_their_arrays(solver, choice):
    training = make_training(solver)
    space = training.train(choice)
    description = json.loads(json.dumps(space.description()))
    arrays = space.arrays()
    assert all(isinstance(array, np.ndarray) for array in arrays.values())
    copy = TrainedSpace.from_arrays(description, {name: array.copy() for name, array in arrays.items()})
    assert copy.choice == space.choice
    assert copy.scores.dtype == np.float32
    np.testing.assert_array_equal(copy.scores, space.scores)
    X = np.random.default_rng(1).normal(size=(20, 3))
    np.testing.assert_array_equal(copy.part({0: 1.0, 2: 0.5}).score(X), space.part({0: 1.0, 2: 0.5}).score(X))
