"""A run that stopped after a panel goes on bit by bit as if it had never stopped, by way of plain arrays."""

from itertools import pairwise

import numpy as np
import pytest

from s2auc.kernels.frequencies import FrequencyStream
from s2auc.ranking.losses import LOSSES
from s2auc.ranking.objective import semi_supervised
from s2auc.solvers.batches import plan_draws, rows_of_steps
from s2auc.solvers.qsg import panels as blocked_solver
from s2auc.solvers.qsg.curvature import measure_curvature
from s2auc.solvers.qsg.panels import Followed, Problem
from s2auc.solvers.qsg.qsg import QSG, RunState

SEED, N_ITERATIONS, LENGTH = 5, 31, 6
SIZES = {"positive": 6, "negative": 7, "unlabeled": 50}
STOPS = [(6,), (12, 24), (6, 12, 18, 24, 30), (30,)]
BUNDLES = {"one model": ([0.05], [0.4]), "a bundle": ([0.01, 0.1, 1.0], [0.0, 0.3, 1.0])}


@pytest.fixture(autouse=True)
def _short_panels(monkeypatch):
    monkeypatch.setattr(blocked_solver, "panel_length", lambda _: LENGTH)


def make_problem(bundle, pairing):
    alpha, labeled_weight = map(np.array, BUNDLES[bundle])
    draws = plan_draws(SIZES, pairing=pairing, batch_size=4)
    steps = rows_of_steps(draws, seed=SEED, first=0, last=N_ITERATIONS)
    offsets = dict(zip(SIZES, (0, 6, 13), strict=True))
    X = np.random.default_rng(0).normal(size=(63, 3))
    X[:6] += 0.5
    return Problem(
        X=X,
        steps={group: index + offsets[group] for group, index in steps.items()},
        objective=semi_supervised(LOSSES["square"], labeled_weight, pairing),
        alpha=alpha,
        followed=np.arange(13),
        row_weight=None,
        n_frequencies=5,
    )


def make_stream():
    return FrequencyStream("gaussian", 0.4, 3, SEED)


def through_arrays(arrays):
    """What a file does to arrays."""
    return {name: np.frombuffer(array.tobytes(), array.dtype).reshape(array.shape) for name, array in arrays.items()}


def run(solver, problem, stops=(), start=None):
    """Return the state and all panels of a run, which is left and taken up again after some iterations."""
    state = RunState.fresh(len(problem.alpha)) if start is None else start.copied()
    curvature = measure_curvature(problem, make_stream(), state.iterates)
    panels, followed = [], None
    for _, last in pairwise((0, *stops, N_ITERATIONS)):
        for panel in solver.advance(problem, make_stream(), state, curvature, followed):
            panels.append(panel)
            if panel.followed.n_done == last:
                break
        kept = through_arrays({"iterate": panels[-1].followed.iterate, "average": panels[-1].followed.average})
        followed = Followed(last, **kept)
        state = RunState.from_arrays(through_arrays(state.as_arrays()))
        # Steps that go on keep the sizes that were settled before the first of them.
        curvature = state.curvature
    return state, panels


def assert_same(ours, theirs):
    (our_state, our_panels), (their_state, their_panels) = ours, theirs
    for name, array in their_state.as_arrays().items():
        np.testing.assert_array_equal(our_state.as_arrays()[name], array)
    assert [panel.first for panel in our_panels] == [panel.first for panel in their_panels]
    for our_panel, their_panel in zip(our_panels, their_panels, strict=True):
        for name in ("step_sizes", "risk", "scores"):
            np.testing.assert_array_equal(getattr(our_panel, name), getattr(their_panel, name))


@pytest.mark.parametrize("average", [True, False])
@pytest.mark.parametrize("bundle", BUNDLES)
@pytest.mark.parametrize("pairing", ["all", "triplet"])
@pytest.mark.parametrize("stops", STOPS, ids=str)
def test_runs_go_on_bit_by_bit(stops, pairing, bundle, average):
    problem, solver = make_problem(bundle, pairing), QSG(average=average, pairing=pairing)
    whole = run(solver, problem)
    assert whole[0].n_drawn == whole[0].iterates.n_iterations == N_ITERATIONS
    assert_same(run(solver, problem, stops), whole)


@pytest.mark.parametrize("average", [True, False])
def test_runs_that_began_at_an_earlier_one_go_on_too(average):
    """Schedule, average and frequencies then count the iterations before this problem."""
    problem, solver = make_problem("one model", "all"), QSG(average=average)
    earlier, _ = run(solver, problem)
    whole = run(solver, problem, start=earlier)
    assert whole[0].iterates.n_iterations == 2 * N_ITERATIONS
    assert_same(run(solver, problem, (12, 24), start=earlier), whole)


def test_a_run_that_was_kept_at_its_end_makes_no_more_steps():
    problem, solver = make_problem("one model", "all"), QSG()
    state, panels = run(solver, problem)
    before = through_arrays(state.as_arrays())
    assert list(solver.advance(problem, make_stream(), state, state.curvature, panels[-1].followed)) == []
    for name, array in state.as_arrays().items():
        np.testing.assert_array_equal(array, before[name])


def test_what_is_kept_of_a_panel_is_not_changed_by_later_ones():
    problem, solver = make_problem("one model", "all"), QSG()
    state, kept = RunState.fresh(1), []
    for panel in solver.advance(problem, make_stream(), state, np.ones(1)):
        arrays = {**state.as_arrays(), "iterate": panel.followed.iterate, "average": panel.followed.average}
        kept.append((arrays, through_arrays(arrays)))
    for arrays, copies in kept:
        for name, array in arrays.items():
            np.testing.assert_array_equal(array, copies[name])
