"""The blocked solver makes the iterates of the literal Algorithm 1, whatever its blocks."""

import numpy as np
import pytest

import reference
from s2auc.batches import rows_of_steps
from s2auc.frequencies import draw_frequencies
from s2auc.kernels import KERNELS
from s2auc.losses import LOSSES
from s2auc.path import Path
from s2auc.risk import semi_supervised_terms
from s2auc.schedules import SCHEDULES
from s2auc.solver import Problem, measure_curvature, run
from s2auc.stream import FrequencyStream

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
    steps = rows_of_steps(sizes, pairing=pairing, batch_size=batch_size, seed=SEED, first=0, last=n_iterations)
    offsets = dict(zip(sizes, np.cumsum([0, *sizes.values()])[:-1], strict=True))
    n_labeled = sizes.get("positive", 0) + sizes.get("negative", 0)
    problem = Problem(
        X=np.vstack(list(groups.values())),
        steps={group: index + offsets[group] for group, index in steps.items()},
        terms=semi_supervised_terms(LOSSES[loss], np.atleast_1d(labeled_weight), pairing),
        alpha=np.atleast_1d(alpha).astype(float),
        resident=np.arange(n_labeled),
        row_weight=row_weight,
        n_frequencies=n_frequencies,
        dtype=dtype,
    )
    return problem, steps


def make_stream(kernel="gaussian"):
    return FrequencyStream(kernel, GAMMA, N_COLUMNS, SEED)


def blocked(problem, step_sizes, kernel="gaussian", averaged=True):
    path = Path(len(problem.alpha))
    panels = list(run(problem, path, make_stream(kernel), step_sizes, averaged=averaged))
    return path, panels


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
    theta = step_scale / problem.alpha
    t = np.arange(1.0, problem.n_iterations + 1)[:, None]
    return SCHEDULES["shifted"](t, theta, measure_curvature(problem, make_stream()))


@pytest.mark.parametrize("pairing", ["all", "triplet"])
@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("loss", RANKING_LOSSES)
@pytest.mark.parametrize(("dtype", "tolerance"), [(np.float32, 1e-5), (np.float64, 1e-10)])
def test_blocked_equals_literal(loss, kernel, pairing, dtype, tolerance):
    groups = make_groups()
    problem, steps = make_problem(groups, loss=loss, pairing=pairing, dtype=dtype)
    step_sizes = sizes_for(problem)
    path, _panels = blocked(problem, step_sizes, kernel)
    iterates = literal(groups, steps, step_sizes[:, 0], loss=loss, pairing=pairing, labeled_weight=0.4, alpha=0.05,
                       n_frequencies=5, kernel=kernel)  # fmt: skip
    ours = [array[:, 0] for array in path.coefficients()]
    assert relative_difference(ours, raw(iterates[-1])) < tolerance
    averaged = [array[:, 0] for array in path.coefficients(averaged=True)]
    assert relative_difference(averaged, raw(reference.average(iterates))) < tolerance
