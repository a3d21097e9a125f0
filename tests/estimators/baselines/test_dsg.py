"""DSG: the literal iterates, the limit on the exact kernel, and the objective of single rows that it minimises."""

import numpy as np
import pytest

import reference
from baselines import GAMMA, many_rows, raw_scores
from reference.dsg import doubly_stochastic, kernel_logistic, logistic_risk
from s2auc import DSGClassifier
from s2auc.kernels.frequencies import draw_frequencies
from s2auc.kernels.shift_invariant import KERNELS
from s2auc.ranking.losses import LOSSES
from s2auc.ranking.objective import QuadraticForm, pointwise
from s2auc.solvers.qsg.curvature import kernel_spectrum, measure_block
from s2auc.solvers.qsg.panels import DivergenceError

PLAIN = {"kernel_gamma": GAMMA, "scaling": "none", "random_state": 0}


def make_rows(n_positive=14, n_negative=26, seed=0):
    rng = np.random.default_rng(seed)
    X = np.vstack([rng.normal(0.6, 1, (n_positive, 2)), rng.normal(-0.6, 1, (n_negative, 2))])
    return X, np.repeat([1, 0], [n_positive, n_negative])


def test_the_objective_is_the_mean_loss_of_single_rows():
    rng = np.random.default_rng(1)
    scores, weights = rng.normal(0, 2, 9), rng.uniform(0.1, 3, 9)
    signs = np.where(np.arange(9) < 4, 1, -1)
    share = weights[:4].sum() / weights.sum()
    found = pointwise(LOSSES["logistic"], share).evaluate(
        {"positive": scores[:4], "negative": scores[4:]}, {"positive": weights[:4], "negative": weights[4:]}
    )
    value, slope = logistic_risk(scores, signs, weights)
    assert found.value == pytest.approx(value, abs=1e-14)
    assert set(found.gradient) == {"positive", "negative"}
    np.testing.assert_allclose(np.concatenate(list(found.gradient.values())), slope, atol=1e-14)


def test_the_origin_is_nobody_s_row():
    objective = pointwise(LOSSES["logistic"], 0.25)
    assert objective.groups == ("positive", "negative")
    assert objective.sees_constants
    assert objective.has_pairs({"positive": 1})
    assert not objective.has_pairs({"unlabeled": 1})
    # One score a pair bends, by a quarter at most.
    block = measure_block(objective, {"positive": np.eye(2)[:1], "negative": np.eye(2)[1:]})
    assert block.trace == pytest.approx(0.25)
    assert block.top == pytest.approx(0.75 * 0.25)
    rows = np.zeros((3, 2))
    assert kernel_spectrum(KERNELS["gaussian"], 1.0, rows, with_constants=True).sum() == pytest.approx(1.0)
    assert kernel_spectrum(KERNELS["gaussian"], 1.0, rows).sum() == pytest.approx(0.0)


def test_the_quadratic_form_of_single_scores():
    """Second derivative and slope along features, with the square loss, against the objective itself."""
    objective, rng = pointwise(LOSSES["square"], 0.3), np.random.default_rng(3)
    phi = {"positive": rng.normal(size=(4, 3)), "negative": rng.normal(size=(5, 3))}
    form = QuadraticForm.of_objective(objective, phi)
    slope = sum(slope * X.mean(axis=0) for slope, X in zip(form.slope, phi.values(), strict=True))
    second = sum(weight * X.T @ X / len(X) for weight, X in zip(form.second, phi.values(), strict=True))
    assert not form.cross.any()
    w = rng.normal(size=3)
    found = objective.evaluate({group: X @ w for group, X in phi.items()})
    gradient = sum(X.T @ found.gradient[group] for group, X in phi.items())
    np.testing.assert_allclose(slope + second @ w, gradient, atol=1e-12)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("batch_size", [6, 100])
@pytest.mark.parametrize("average", [False, True])
def test_iterates_are_the_literal_ones(weighted, batch_size, average, monkeypatch):
    """The draws are those that the solver was given; all else is worked out again, one row at a time."""
    X, y = make_rows()
    weight = np.random.default_rng(2).uniform(0.5, 2.0, len(y)) if weighted else None
    problems, original = [], DSGClassifier._problem
    monkeypatch.setattr(DSGClassifier, "_problem", lambda *args: problems.append(original(*args)) or problems[-1])
    model = DSGClassifier(alpha=0.1, max_iter=12, n_frequencies=5, batch_size=batch_size, average=average, **PLAIN).fit(
        X, y, sample_weight=weight
    )
    steps = problems[0].steps
    counts = np.ones(len(y)) if weight is None else weight
    share = counts[y == 1].sum() / counts.sum()
    draws = []
    for t in range(12):
        rows, row_weights = [], []
        for group, mass in (("positive", share), ("negative", 1 - share)):
            index = steps[group][t]
            # Rows that are drawn count by how often they are drawn.
            inside = counts[index] if len(index) == np.sum(y == (group == "positive")) else np.ones(len(index))
            rows.append(index)
            row_weights.append(mass * inside / inside.sum())
        draws.append((np.concatenate(rows), np.concatenate(row_weights)))
    if batch_size == 6:
        assert [len(steps[group][0]) for group in ("positive", "negative")] == [2, 4]
    part = model.model_.parts[0]

    def draw(first, last):
        return draw_frequencies(KERNELS["gaussian"], GAMMA, 2, part.seed, first, last)

    sizes = 1 / (0.1 * np.arange(1, 13) + model.curvature_)
    np.testing.assert_allclose(model.history_["step"], sizes, rtol=1e-12)
    literal = list(doubly_stochastic(X, np.where(y, 1, -1), draws, alpha=0.1, steps=sizes, draw=draw, n_frequencies=5))
    expected = reference.average(literal) if average else literal[-1]
    np.testing.assert_allclose(raw_scores(model, X), reference.predict(X, expected, draw), atol=1e-6)


def test_it_tends_to_kernel_logistic_regression():
    X, y = make_rows(80, 170)
    K = reference.kernel_matrix("gaussian", X, X, GAMMA)
    best = kernel_logistic(K, np.where(y, 1, -1), np.ones(len(y)), 0.02)
    errors = []
    for max_iter in (50, 800):
        models = [
            DSGClassifier(alpha=0.02, max_iter=max_iter, batch_size=256, **PLAIN | {"random_state": seed}).fit(X, y)
            for seed in range(2)
        ]
        errors.append(np.mean([np.square(raw_scores(model, X) - best).mean() for model in models]))
    # Sixteen times the steps: at the theorem's rate a sixteenth of the squared error.
    assert errors[1] < errors[0] / 6
    assert errors[1] < 1e-3 * np.var(best)


def test_drawn_rows_have_the_same_limit():
    X, y = make_rows(40, 160)
    K = reference.kernel_matrix("gaussian", X, X, GAMMA)
    best = kernel_logistic(K, np.where(y, 1, -1), np.ones(len(y)), 0.1)
    model = DSGClassifier(alpha=0.1, max_iter=1500, batch_size=20, **PLAIN).fit(X, y)
    assert np.square(raw_scores(model, X) - best).mean() < 0.02 * np.var(best)
    # Most rows are negative, and plain logistic regression has no intercept to say so apart.
    assert np.mean(best < 0) > 0.8


def test_unlabelled_rows_only_settle_scaling_and_width():
    X, _, y = many_rows()
    settled = DSGClassifier(scaling="none", kernel_gamma=1.0, max_iter=20, random_state=0)
    alone = settled.fit(X[:40], y[:40]).decision_function(X)
    np.testing.assert_array_equal(settled.fit(X, y).decision_function(X), alone)


def test_one_row_a_step_of_each_class():
    X, y = make_rows()
    model = DSGClassifier(batch_size=1, n_frequencies=1, max_iter=60, random_state=0).fit(X, y)
    assert model.n_iter_ == 60
    assert np.isfinite(model.decision_function(X)).all()


def test_printed_steps_that_are_too_long_diverge_with_advice():
    """A loss with bounded slopes does not run away by itself: the first steps are simply too long."""
    X, y = make_rows()
    with pytest.raises(DivergenceError, match="use schedule='shifted', a smaller step_scale or a larger alpha"):
        DSGClassifier(schedule="printed", alpha=1e-9, max_iter=5, random_state=0).fit(X, y)


def test_more_steps_than_memory_are_refused():
    X, y = make_rows()
    with pytest.raises(MemoryError, match=r"^DSGClassifier with max_iter=10+ and n_frequencies=32 needs .*; use fewer"):
        DSGClassifier(max_iter=10**12).fit(X, y)
