"""Functions of kernels: what training gives, what it sends, and the models that are made of coefficients."""

import pickle
from functools import cache

import numpy as np
import pytest

import reference
from s2auc.data.features.scaling import ColumnView
from s2auc.kernels.frequencies import FrequencyStream
from s2auc.kernels.shift_invariant import KERNELS
from s2auc.models.parts.cosine import CosinePart
from s2auc.search.grids.grid import TrainedEntry
from s2auc.search.grids.spaces import PARAMETERS
from s2auc.search.plan import WHOLE
from s2auc.solvers.qsg.qsg import QSG
from trainings import (
    EXACT,
    N_NEIGHBORS,
    N_POSITIVE,
    NEAR,
    NEAR_POINTS,
    PLAIN,
    POINTS,
    WEIGHTED,
    make_training,
    space_entry,
)

SOLVERS = {"qsg": QSG(), "exact": EXACT}


@pytest.fixture(params=SOLVERS)
def solver(request):
    return request.param


KINDS = {"plain": (PLAIN, POINTS), "weighted": (WEIGHTED, POINTS), "near": (NEAR, NEAR_POINTS)}


@pytest.fixture(params=KINDS)
def kind(request):
    return request.param


def make_entry(solver, kind):
    return space_entry(*KINDS[kind], SOLVERS[solver])


@cache
def train(solver, kind):
    """What is trained, and what comes out; no test changes either."""
    entry = make_entry(solver, kind)
    training = make_training(entry, solver=SOLVERS[solver])
    return training, entry.train(training)


def test_scores_are_there_for_every_point_mask_and_followed_row(solver, kind):
    training, space = train(solver, kind)
    n_masks = training.plan.is_trained.shape[1]
    assert space.scores.shape == (len(POINTS.listed), n_masks, len(training.rows.followed))
    assert space.scores.dtype == np.float32
    assert np.isfinite(space.scores).all()
    assert all(len(space.numbers[name]) == len(POINTS.listed) for name in ("cosine", "sine"))
    choice = KINDS[kind][0]
    assert (space.common.seed, space.common.kernel) == (choice.frequency_seed(training.seed), choice.kernel)


@pytest.mark.parametrize("point", range(len(POINTS.listed)))
def test_the_part_of_a_point_scores_as_its_model_did(solver, kind, point):
    training, space = train(solver, kind)
    found = space.part({point: 1.0}).score(training.rows.X[training.rows.followed])
    np.testing.assert_allclose(found, space.scores[point, WHOLE], rtol=1e-4, atol=1e-5)


def test_a_part_of_several_points_is_their_weighted_sum(solver, kind):
    training, space = train(solver, kind)
    found = space.part({0: 0.5, 3: 2.0, 5: -1.0}).score(training.rows.X[training.rows.followed])
    expected = np.tensordot([0.5, 2.0, -1.0], space.scores[[0, 3, 5], WHOLE], axes=1)
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-4)


def test_frequencies_that_no_point_uses_are_left_out():
    _, space = train("qsg", "plain")
    sizes = {point: len(space.part({number: 1.0}).cosine) for number, point in enumerate(POINTS.listed)}
    assert {point.max_iter: size for point, size in sizes.items()} == {3: 3 * 16, 6: 6 * 16}
    assert all(size == point.max_iter * 16 for point, size in sizes.items())
    both = space.part({0: 1.0, len(POINTS.listed) - 1: 1.0})
    assert len(both.cosine) == 6 * 16


def hand_made(coefficients):
    columns = make_training(space_entry()).prepared[ColumnView("rank")].columns
    cosine, sine = np.moveaxis(np.array(coefficients, dtype=float), 1, 0)
    common = CosinePart(columns, "laplacian", 0.5, 7, np.zeros(0), np.zeros(0))
    return TrainedEntry(np.zeros((len(cosine), 1, 1), np.float32), common, {"cosine": cosine, "sine": sine})


def test_frequencies_in_between_are_kept():
    """What index a frequency has is what its seed makes of it: only the end can be cut off."""
    space = hand_made([[[0.0, 1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 2.0, 0.0]]])
    part = space.part({0: 0.5})
    assert part.cosine.tolist() == [0.0, 0.5, 0.0, 0.0]
    assert part.sine.tolist() == [0.0, 0.0, 0.0, 1.0]
    stream = FrequencyStream("laplacian", 0.5, 3, 7)
    angles = space.common.columns.apply(np.ones((1, 3))) @ stream.take(0, 4).T
    expected = 0.5 * np.cos(angles[0, 1]) + np.sin(angles[0, 3])
    assert part.score(np.ones((1, 3)))[0] == pytest.approx(expected, abs=1e-5)


def test_points_that_cancel_leave_nothing():
    space = hand_made([[[1.0, 2.0], [3.0, 4.0]], [[1.0, 2.0], [3.0, 4.0]]])
    part = space.part({0: 1.0, 1: -1.0})
    assert len(part.cosine) == 0
    assert part.score(np.ones((2, 3))).tolist() == [0.0, 0.0]


def test_a_part_does_not_hold_the_coefficients_of_all_points():
    space = hand_made(np.ones((50, 2, 1000)))
    assert not np.shares_memory(space.part({3: 1.0}).cosine, space.numbers["cosine"])
    assert len(pickle.dumps(space.part({3: 1.0}))) < 30_000


def test_what_is_trained_and_what_comes_out_can_be_sent(solver, kind):
    training, space = train(solver, kind)
    again = pickle.loads(pickle.dumps(space))
    np.testing.assert_array_equal(again.scores, space.scores)
    for name, array in space.numbers.items():
        np.testing.assert_array_equal(again.numbers[name], array)
    assert again.common.description() == space.common.description()
    X = training.rows.X[:5]
    np.testing.assert_array_equal(again.part({1: 1.0}).score(X), space.part({1: 1.0}).score(X))
    # Elsewhere the same training gives the same bits.
    sent = pickle.loads(pickle.dumps(make_entry(solver, kind)))
    elsewhere = sent.train(pickle.loads(pickle.dumps(training)))
    np.testing.assert_array_equal(elsewhere.scores, space.scores)


def literal_scores(training, mask, point, choice, n_frequencies):
    """Scores of followed rows by the minimiser from all pairs and edges, without the rows that a mask leaves out."""
    rows, scaled = training.rows, training.scaled(choice.view)
    used = np.flatnonzero(training.plan.is_trained[:, mask])
    positive, negative = used[used < N_POSITIVE], used[used >= N_POSITIVE]
    weights = np.ones(scaled.shape[1])
    if choice.column_weighting == "auc":
        weights = reference.auc_weights(scaled[positive], scaled[negative])
    X = scaled * weights
    width_rows = training.prepared[choice.view].width_rows * weights
    gamma = choice.bandwidth.resolve(KERNELS[choice.kernel], width_rows)
    W = FrequencyStream(choice.kernel, gamma, X.shape[1], choice.frequency_seed(training.seed)).take(0, n_frequencies)
    groups = {"positive": positive, "negative": negative, "unlabeled": np.arange(len(X))[rows.pool]}
    sizes = {group: len(places) for group, places in groups.items()}
    terms = reference.semi_supervised_terms("square", point.labeled_weight, sizes, "all")
    Phi = reference.features(X, W)
    slope, curvature = reference.quadratic_risk(terms, sizes)
    paired = Phi[np.concatenate(list(groups.values()))]
    matrix = paired.T @ curvature @ paired + point.alpha * np.eye(Phi.shape[1])
    if point.neighbor_weight:
        must, may = reference.neighbor_edges(scaled[rows.nodes], N_NEIGHBORS)
        assert must == may
        matrix += point.neighbor_weight * reference.roughness(sorted(must), Phi[rows.nodes])
    return Phi[rows.followed] @ np.linalg.solve(matrix, -paired.T @ slope)


@pytest.mark.parametrize("n_frequencies", [6, 20], ids=["by features", "by rows"])
def test_scores_are_those_of_models_that_were_trained_by_hand_without_the_left_out_rows(kind, n_frequencies):
    choice, points = KINDS[kind]
    entry = space_entry(choice, points, n_frequencies=n_frequencies)
    training = make_training(entry)
    found = entry.train(training).scores
    n_same = len(points.listed) // len(points.max_iters)
    for mask in range(training.plan.is_trained.shape[1]):
        for place, point in enumerate(points.listed[:n_same]):
            expected = literal_scores(training, mask, point, choice, n_frequencies)
            np.testing.assert_allclose(found[place, mask], expected, atol=1e-4 * np.abs(expected).max())


def test_settings_are_those_of_single_fits():
    entry = space_entry(PLAIN, POINTS, QSG())
    assert len(entry.settings) == len(POINTS.listed)
    for setting, point in zip(entry.settings, POINTS.listed, strict=True):
        assert (setting.member, setting.family) == ("kernels", "rank")
        assert setting.parameters == {
            "scaling": "rank",
            "column_weighting": "none",
            "kernel": "laplacian",
            "kernel_gamma": "median",
            "alpha": point.alpha,
            "labeled_weight": point.labeled_weight,
            "neighbor_weight": 0.0,
            "max_iter": point.max_iter,
            "n_frequencies": 16,
        }
        assert tuple(setting.parameters) == PARAMETERS
        assert setting.n_frequencies == 16 * point.max_iter
        assert setting.uses_unlabeled == (point.labeled_weight < 1)
    assert all(setting.uses_unlabeled for setting in space_entry(PLAIN, NEAR_POINTS).settings)
    assert {setting.n_frequencies for setting in space_entry().settings} == {16}


def test_the_usual_setting_has_a_middling_alpha_and_pairs_with_unlabelled_rows():
    (usual,) = [setting for setting in space_entry().settings if setting.is_usual]
    assert [usual.parameters[name] for name in ("alpha", "labeled_weight", "max_iter")] == [0.1, 0.5, 6]
    assert not any(setting.is_usual for setting in space_entry(PLAIN, NEAR_POINTS).settings)
