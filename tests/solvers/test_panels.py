"""The blocked solver makes the iterates of the literal Algorithm 1, whatever its blocks."""

from dataclasses import replace

import numpy as np
import pytest

import reference
from s2auc.kernels.fourier import features
from s2auc.kernels.frequencies import FrequencyStream, draw_frequencies
from s2auc.kernels.shift_invariant import KERNELS
from s2auc.ranking.losses import LOSSES
from s2auc.ranking.objective import semi_supervised
from s2auc.solvers.batches import plan_draws, rows_of_steps
from s2auc.solvers.qsg import panels as blocked_solver
from s2auc.solvers.qsg.curvature import measure_block, measure_curvature
from s2auc.solvers.qsg.iterates import Iterates
from s2auc.solvers.qsg.panels import DivergenceError, Problem, run_panels
from s2auc.solvers.qsg.qsg import SCHEDULES

SEED, GAMMA, N_COLUMNS = 31, 0.4, 3
RANKING_LOSSES = [name for name in LOSSES if name != "squared_difference"]


def make_groups(n_positive=6, n_negative=7, n_unlabeled=50):
    rng = np.random.default_rng(0)
    groups = {
        "positive": rng.normal(0.5, 1, (n_positive, N_COLUMNS)),
        "negative": rng.normal(-0.5, 1, (n_negative, N_COLUMNS)),
        "unlabeled": rng.normal(0, 1, (n_unlabeled, N_COLUMNS)),
    }
    return {group: X for group, X in groups.items() if len(X)}


def make_problem(
    groups, *, loss="square", pairing="all", labeled_weight=0.4, alpha=0.05, n_iterations=23, batch_size=4,
    n_frequencies=5, row_weight=None, dtype=np.float32,
):  # fmt: skip
    sizes = {group: len(X) for group, X in groups.items()}
    draws = plan_draws(sizes, pairing=pairing, batch_size=batch_size)
    steps = rows_of_steps(draws, seed=SEED, first=0, last=n_iterations)
    offsets = dict(zip(sizes, np.cumsum([0, *sizes.values()])[:-1], strict=True))
    n_labeled = sizes.get("positive", 0) + sizes.get("negative", 0)
    problem = Problem(
        X=np.vstack(list(groups.values())),
        steps={group: index + offsets[group] for group, index in steps.items()},
        objective=semi_supervised(LOSSES[loss], np.atleast_1d(labeled_weight), pairing),
        alpha=np.atleast_1d(alpha).astype(float),
        followed=np.arange(n_labeled),
        row_weight=row_weight,
        n_frequencies=n_frequencies,
        dtype=dtype,
    )
    return problem, steps


def make_stream(kernel="gaussian"):
    return FrequencyStream(kernel, GAMMA, N_COLUMNS, SEED)


def blocked(problem, step_sizes, kernel="gaussian", averaged=True):
    iterates = Iterates.empty(len(problem.alpha))
    panels = list(run_panels(problem, iterates, make_stream(kernel), step_sizes, averaged=averaged))
    return iterates, panels


def literal(groups, steps, step_sizes, *, loss, pairing, labeled_weight, alpha, n_frequencies, kernel, weights=None):
    def draw(first, last):
        return draw_frequencies(KERNELS[kernel], GAMMA, N_COLUMNS, SEED, first, last)

    n_iterations = len(step_sizes)
    draws = [{group: index[t] for group, index in steps.items()} for t in range(n_iterations)]
    return list(
        reference.algorithm_1(
            groups,
            draws,
            loss=loss,
            labeled_weight=labeled_weight,
            alpha=alpha,
            steps=step_sizes,
            draw=draw,
            n_frequencies=n_frequencies,
            pairing=pairing,
            weights=weights,
        )
    )


def raw(coefficients):
    """The reference's coefficients of scaled features, as coefficients of plain cosines and sines."""
    m = coefficients.shape[1] // 2
    plain = coefficients / np.sqrt(m)
    return plain[:, :m].ravel(), plain[:, m:].ravel()


def relative_difference(ours, theirs):
    largest = max(np.abs(array).max() for array in theirs)
    return max(np.abs(a - b).max() for a, b in zip(ours, theirs, strict=True)) / largest


def sizes_for(problem, step_scale=1.0):
    rate = problem.alpha / step_scale
    t = np.arange(1.0, problem.n_iterations + 1)[:, None]
    return SCHEDULES["shifted"](t, rate, measure_curvature(problem, make_stream(), Iterates.empty(1)))


def assert_equals_literal(groups, problem, steps, step_sizes, tolerance, *, kernel="gaussian", **literal_settings):
    """Compare the last iterate and the average with the reference's; return the iterates."""
    iterates, _ = blocked(problem, step_sizes, kernel)
    literal_iterates = literal(groups, steps, step_sizes[:, 0], kernel=kernel, **literal_settings)
    for averaged, expected in ((False, literal_iterates[-1]), (True, reference.average(literal_iterates))):
        ours = [array[:, 0] for array in iterates.coefficients(averaged=averaged)]
        assert relative_difference(ours, raw(expected)) < tolerance
    return iterates


@pytest.mark.parametrize("pairing", ["all", "triplet"])
@pytest.mark.parametrize(
    ("kernel", "dtype", "tolerance"),
    [*((kernel, np.float64, 1e-10) for kernel in KERNELS), ("gaussian", np.float32, 1e-5)],
)
@pytest.mark.parametrize("loss", RANKING_LOSSES)
def test_blocked_equals_literal(loss, kernel, pairing, dtype, tolerance):
    groups = make_groups()
    problem, steps = make_problem(groups, loss=loss, pairing=pairing, dtype=dtype)
    assert_equals_literal(groups, problem, steps, sizes_for(problem), tolerance, kernel=kernel, loss=loss,
                          pairing=pairing, labeled_weight=0.4, alpha=0.05, n_frequencies=5)  # fmt: skip


@pytest.mark.parametrize("length", [1, 7, 64])
@pytest.mark.parametrize("pairing", ["all", "triplet"])
def test_the_length_of_panels_does_not_matter(pairing, length, monkeypatch):
    monkeypatch.setattr(blocked_solver, "panel_length", lambda _: length)
    groups = make_groups()
    problem, steps = make_problem(groups, pairing=pairing, n_iterations=67)
    assert_equals_literal(groups, problem, steps, sizes_for(problem), 1e-5, loss="square", pairing=pairing,
                          labeled_weight=0.4, alpha=0.05, n_frequencies=5)  # fmt: skip


@pytest.mark.parametrize("pairing", ["all", "triplet"])
@pytest.mark.parametrize(
    "sizes",
    [
        pytest.param((1, 7, 50), id="one positive"),
        pytest.param((6, 0, 50), id="no negatives"),
        pytest.param((0, 7, 50), id="no positives"),
        pytest.param((6, 7, 0), id="no unlabelled rows"),
        pytest.param((2, 2, 3), id="groups smaller than the batch"),
        pytest.param((1, 1, 1), id="one row of each"),
    ],
)
def test_small_and_missing_groups(sizes, pairing):
    groups = make_groups(*sizes)
    problem, steps = make_problem(groups, pairing=pairing)
    assert_equals_literal(groups, problem, steps, sizes_for(problem), 1e-5, loss="square", pairing=pairing,
                          labeled_weight=0.4, alpha=0.05, n_frequencies=5)  # fmt: skip


def test_repeated_rows_within_a_batch_count_as_often():
    groups = make_groups(2, 2, 2)
    problem, steps = make_problem(groups, pairing="triplet", batch_size=9)
    assert all(len(np.unique(index[0])) < len(index[0]) for index in steps.values())
    assert_equals_literal(groups, problem, steps, sizes_for(problem), 1e-5, loss="square", pairing="triplet",
                          labeled_weight=0.4, alpha=0.05, n_frequencies=5)  # fmt: skip


@pytest.mark.parametrize("step_scale", [1.0, 1.5, 3.0])
def test_the_printed_schedule_with_its_zero_and_negative_factors(step_scale):
    """1 - η·alpha is 0 at t = 1 for a step scale of 1, and negative for more."""
    groups = make_groups()
    problem, steps = make_problem(groups, loss="logistic", alpha=1.0)
    t = np.arange(1.0, problem.n_iterations + 1)[:, None]
    step_sizes = SCHEDULES["printed"](t, problem.alpha / step_scale, np.zeros(1))
    iterates = assert_equals_literal(groups, problem, steps, step_sizes, 1e-5, loss="logistic", pairing="all",
                                 labeled_weight=0.4, alpha=1.0, n_frequencies=5)  # fmt: skip
    assert iterates.decay[0, 0] == 1 - step_scale


def test_row_weights_and_left_out_rows():
    groups = make_groups()
    rng = np.random.default_rng(5)
    weights = {group: rng.integers(0, 3, len(X)).astype(float) for group, X in groups.items()}
    row_weight = np.concatenate(list(weights.values()))[:, None]
    problem, steps = make_problem(groups, row_weight=row_weight)
    assert_equals_literal(groups, problem, steps, sizes_for(problem), 1e-5, loss="square", pairing="all",
                          labeled_weight=0.4, alpha=0.05, n_frequencies=5, weights=weights)  # fmt: skip


@pytest.mark.parametrize("loss", RANKING_LOSSES)
@pytest.mark.parametrize("pairing", ["all", "triplet"])
def test_a_bundle_equals_its_models_one_by_one(loss, pairing):
    groups = make_groups()
    n_rows = sum(len(X) for X in groups.values())
    alpha, labeled_weight = np.array([0.01, 0.1, 0.1, 1.0]), np.array([0.0, 0.3, 0.3, 1.0])
    row_weight = (np.random.default_rng(6).random((n_rows, 4)) < 0.8).astype(float)
    bundle, _ = make_problem(groups, loss=loss, pairing=pairing, alpha=alpha, labeled_weight=labeled_weight,
                             row_weight=row_weight)  # fmt: skip
    step_sizes = sizes_for(bundle)
    iterates, panels = blocked(bundle, step_sizes)
    for k in range(4):
        alone, _ = make_problem(groups, loss=loss, pairing=pairing, alpha=alpha[k], labeled_weight=labeled_weight[k],
                                row_weight=row_weight[:, [k]])  # fmt: skip
        np.testing.assert_allclose(sizes_for(alone)[:, 0], step_sizes[:, k], rtol=1e-6)
        own_path, own_panels = blocked(alone, step_sizes[:, [k]])
        for averaged in (False, True):
            together = [array[:, k] for array in iterates.coefficients(averaged=averaged)]
            apart = [array[:, 0] for array in own_path.coefficients(averaged=averaged)]
            assert relative_difference(together, apart) < 1e-5
        np.testing.assert_allclose(panels[-1].scores[..., k], own_panels[-1].scores[..., 0], atol=1e-5)
        np.testing.assert_allclose(panels[-1].risk[:, k], own_panels[-1].risk[:, 0], rtol=1e-4)


@pytest.mark.parametrize("pairing", ["all", "triplet"])
def test_a_bundle_of_several_panels_equals_one_of_a_single_panel(pairing, monkeypatch):
    """Rows that visit a later panel meet the blocks of all earlier ones, here in tiles of a few frequencies."""
    problem, _ = make_problem(make_groups(), pairing=pairing, alpha=[0.01, 0.1, 1.0], labeled_weight=[0.0, 0.3, 1.0])
    step_sizes = sizes_for(problem)
    whole, (only_panel,) = blocked(problem, step_sizes)
    monkeypatch.setattr(blocked_solver, "panel_length", lambda _: 6)
    monkeypatch.setattr(blocked_solver, "TILE_FREQUENCIES", 8)
    path, panels = blocked(problem, step_sizes)
    assert [panel.first for panel in panels] == [0, 6, 12, 18]
    for averaged in (False, True):
        assert relative_difference(path.coefficients(averaged=averaged), whole.coefficients(averaged=averaged)) < 1e-5
    np.testing.assert_allclose(np.concatenate([panel.risk for panel in panels]), only_panel.risk, rtol=1e-4)
    np.testing.assert_allclose(np.concatenate([panel.scores for panel in panels]), only_panel.scores, atol=1e-5)


def test_averages_at_every_stopping_time_equal_direct_averaging():
    groups = make_groups()
    problem, _ = make_problem(groups, n_iterations=40)
    step_sizes = sizes_for(problem)
    iterates, _ = blocked(problem, step_sizes)
    literal_iterates = [iterates.coefficients(stop)[0] for stop in range(1, 41)]
    for stop in range(1, 41):
        direct = np.zeros_like(literal_iterates[stop - 1])
        for t in range(1, stop + 1):
            direct[: len(literal_iterates[t - 1])] += t * literal_iterates[t - 1]
        direct /= stop * (stop + 1) / 2
        np.testing.assert_allclose(iterates.coefficients(stop, averaged=True)[0], direct, rtol=1e-12, atol=1e-15)


def test_a_shorter_run_is_the_beginning_of_a_longer_one():
    groups = make_groups()
    long, _ = make_problem(groups, n_iterations=40, dtype=np.float64)
    short, _ = make_problem(groups, n_iterations=15, dtype=np.float64)
    step_sizes = sizes_for(long)
    long_path, _ = blocked(long, step_sizes)
    short_path, _ = blocked(short, step_sizes[:15])
    for averaged in (False, True):
        for ours, theirs in zip(
            long_path.coefficients(15, averaged=averaged), short_path.coefficients(averaged=averaged), strict=True
        ):
            np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("averaged", [False, True])
def test_followed_scores_are_those_of_the_model(averaged):
    groups = make_groups()
    problem, _ = make_problem(groups, n_iterations=50)
    iterates, panels = blocked(problem, sizes_for(problem), averaged=averaged)
    for stop in (1, 30, 50):
        panel = next(panel for panel in panels if panel.first < stop <= panel.first + len(panel.risk))
        expected = make_stream().evaluate(problem.X[problem.followed], *iterates.coefficients(stop, averaged=averaged))
        np.testing.assert_allclose(panel.scores[stop - 1 - panel.first], expected, atol=2e-5)


def test_a_path_can_be_continued():
    groups = make_groups()
    whole, _ = make_problem(groups, n_iterations=30, dtype=np.float64)
    step_sizes = sizes_for(whole)
    expected, _ = blocked(whole, step_sizes)
    iterates = Iterates.empty(1)
    for part in (slice(0, 12), slice(12, 30)):
        half = replace(whole, steps={group: index[part] for group, index in whole.steps.items()})
        for panel in run_panels(half, iterates, make_stream(), step_sizes[part], averaged=True):
            last = panel.scores[-1]
    for averaged in (False, True):
        for ours, theirs in zip(
            iterates.coefficients(averaged=averaged), expected.coefficients(averaged=averaged), strict=True
        ):
            np.testing.assert_allclose(ours, theirs, rtol=1e-8, atol=1e-12)
    scores = make_stream().evaluate(whole.X[whole.followed], *iterates.coefficients(averaged=True), dtype=np.float64)
    np.testing.assert_allclose(last, scores, atol=1e-10)


def test_starting_from_a_function_keeps_it_in_every_iterate():
    groups = make_groups()
    problem, _ = make_problem(groups)
    start = np.array([[3.0], [-2.0]])
    iterates = Iterates.starting_at(np.stack([start, 0 * start]))
    step_sizes = sizes_for(problem)
    list(run_panels(problem, iterates, make_stream(), step_sizes, averaged=False))
    kept = np.prod(1 - step_sizes * problem.alpha)
    np.testing.assert_allclose(iterates.coefficients()[0][:2], kept * start, rtol=1e-12)
    assert iterates.n_iterations == problem.n_iterations
    assert iterates.n_frequencies == 2 + 5 * problem.n_iterations


@pytest.mark.parametrize("pairing", ["all", "triplet"])
@pytest.mark.parametrize(("n_frequencies", "batch_size"), [(1, 1), (1, 64), (32, 1), (4, 8)])
def test_default_steps_do_not_diverge(n_frequencies, batch_size, pairing):
    """Every loss, alpha from 1e-6 to 8, all weights: scores stay of the size of the losses' margins."""
    rng = np.random.default_rng(2)
    groups = {
        "positive": rng.normal(0.5, 1, (15, N_COLUMNS)),
        "negative": rng.normal(-0.5, 1, (15, N_COLUMNS)),
        "unlabeled": rng.normal(0, 1, (500, N_COLUMNS)),
    }
    alpha, labeled_weight = (grid.ravel() for grid in np.meshgrid([1e-6, 1e-3, 0.1, 8.0], [0.0, 0.5, 1.0]))
    for loss in RANKING_LOSSES:
        problem, _ = make_problem(
            groups, loss=loss, pairing=pairing, alpha=alpha, labeled_weight=labeled_weight,
            n_iterations=100, batch_size=batch_size, n_frequencies=n_frequencies,
        )  # fmt: skip
        _, panels = blocked(problem, sizes_for(problem), averaged=False)
        largest = max(np.abs(panel.scores).max() for panel in panels)
        assert largest < (4 if LOSSES[loss].curvature_bound == 2 else 20), loss


@pytest.mark.parametrize(("alpha", "labeled_weight"), [(0.125, 0.5), (0.01, 1.0)])
def test_the_printed_schedule_diverges_into_an_error(alpha, labeled_weight):
    groups = make_groups()
    problem, _ = make_problem(groups, alpha=alpha, labeled_weight=labeled_weight, n_frequencies=1, batch_size=1,
                              pairing="triplet", n_iterations=500)  # fmt: skip
    step_sizes = SCHEDULES["printed"](np.arange(1.0, 501)[:, None], problem.alpha / 4, np.zeros(1))
    with pytest.raises(DivergenceError, match="schedule='shifted', a smaller step_scale or a larger alpha"):
        blocked(problem, step_sizes)


@pytest.mark.parametrize("n_iterations", [1, 2, 3])
def test_divergence_in_the_last_step_is_an_error_too(n_iterations):
    problem, _ = make_problem(make_groups(), n_iterations=n_iterations)
    step_sizes = np.zeros((n_iterations, 1))
    step_sizes[-1] = 1e9
    with pytest.raises(DivergenceError, match=f"at iteration {n_iterations}:"):
        blocked(problem, step_sizes)


def test_panels_depend_on_sizes_only_and_fit_their_budget():
    groups = make_groups(100, 100, 5000)
    for batch_size, n_frequencies in ((4, 1), (128, 32), (512, 128)):
        problem, _ = make_problem(groups, batch_size=batch_size, n_frequencies=n_frequencies, n_iterations=70)
        length = blocked_solver.panel_length(problem)
        n_rows = 200 + length * batch_size
        assert length == 1 or n_rows * length * 2 * n_frequencies * 4 <= blocked_solver.PANEL_BYTES
        assert length == blocked_solver.MAX_PANEL or (
            200 + 2 * length * batch_size
        ) * 4 * length * n_frequencies * 4 > (blocked_solver.PANEL_BYTES)


@pytest.mark.parametrize("m", [16, 64])
def test_curvature_is_met_by_no_later_draw_by_much(m):
    """The L of the first draws, twenty or five, with its margin, covers what two hundred others show."""
    groups = make_groups(20, 20, 2000)
    problem, _ = make_problem(groups, n_iterations=220, batch_size=32, n_frequencies=m)
    measured = measure_curvature(problem, make_stream(), Iterates.empty(1))[0]
    others = [
        measure_block(
            problem.objective.of_model(0, len(problem.alpha)),
            {
                group: features(problem.X[index[t]], make_stream().take(m * t, m * (t + 1))) / np.sqrt(m)
                for group, index in problem.steps.items()
            },
        ).top
        for t in range(20, 220)
    ]
    assert np.max(others) < 1.1 * measured
    assert np.mean(others) > 0.3 * measured


def test_many_frequencies_do_not_change_how_curvature_is_measured(monkeypatch):
    problem, _ = make_problem(make_groups(20, 20, 500), n_frequencies=150, batch_size=32, n_iterations=3)
    by_lanczos = measure_curvature(problem, make_stream(), Iterates.empty(1))
    monkeypatch.setattr("s2auc.solvers.qsg.curvature._DENSE_LIMIT", 10**6)
    np.testing.assert_allclose(by_lanczos, measure_curvature(problem, make_stream(), Iterates.empty(1)), rtol=2e-3)


def test_noise_limit_grows_with_the_run_and_shrinks_with_rows_and_frequencies():
    groups = make_groups(20, 20, 2000)

    def limit(n_iterations=200, batch_size=1, n_frequencies=1, alpha=1e-6):
        problem, _ = make_problem(groups, n_iterations=n_iterations, batch_size=batch_size, alpha=alpha,
                                  n_frequencies=n_frequencies, pairing="triplet")  # fmt: skip
        return measure_curvature(problem, make_stream(), Iterates.empty(1))[0]

    assert limit(n_iterations=2000) > limit() > 4 * limit(batch_size=16)
    assert limit() > 4 * limit(n_frequencies=16)
    assert limit() > limit(alpha=1.0)
