"""OptAG: its objective pair by pair, the literal alternation, a value that never falls, its supervised limit."""

import numpy as np
import pytest
from scipy.optimize import approx_fprime

from baselines import as_rows, make_groups, many_rows
from reference import optag as literal
from s2auc import OptAGClassifier
from s2auc.common.groups import PositiveFirst
from s2auc.estimators.baselines.generative_auc import ClassModels, GenerativeAUC, Weights

PLAIN = {"scaling": "none", "random_state": 0}


def make_data(weighted=False, alpha=0.1, beta=0.7, tau=0.8, n_unlabeled=9):
    groups = make_groups(n_unlabeled=n_unlabeled)
    rng = np.random.default_rng(4)
    counts = (rng.uniform(0.5, 2, 4), rng.uniform(0.5, 2, 5)) if weighted else (np.ones(4), np.ones(5))
    return groups, literal.Data(*groups.values(), *counts, alpha, beta, tau)


def problem_of(data):
    order = PositiveFirst(4, 5, np.concatenate([data.positive_weight, data.negative_weight]))
    labeled = np.vstack([data.positive, data.negative])
    return GenerativeAUC(labeled, order, data.unlabeled, Weights(data.alpha, data.beta, data.tau))


def as_models(literal_models):
    prior, mean, variance = (np.array([literal_models[label][part] for label in (1, 0)]) for part in range(3))
    return ClassModels(np.log(prior), mean, variance)


@pytest.mark.parametrize("weighted", [False, True])
def test_value_and_gradient_are_those_of_single_pairs(weighted):
    _, data = make_data(weighted)
    problem, rng = problem_of(data), np.random.default_rng(5)
    for _ in range(5):
        w, q = rng.normal(size=2), rng.random(9)
        models = literal.best_models(data, rng.random(9))
        value, slope = literal.order_terms(data, w, q)
        cost, found = problem.cost(w, q)
        assert cost == pytest.approx(-value, abs=1e-12)
        np.testing.assert_allclose(found, -slope, atol=1e-12)
        np.testing.assert_allclose(found, approx_fprime(w, lambda w, q=q: problem.cost(w, q)[0]), atol=1e-6)
        expected = literal.optag_value(data, w, q, models)
        assert problem.value(w, q, as_models(models)) == pytest.approx(expected, abs=1e-11)


@pytest.mark.parametrize("weighted", [False, True])
def test_each_step_is_the_best_over_its_argument(weighted):
    _, data = make_data(weighted)
    problem, rng = problem_of(data), np.random.default_rng(6)
    w, q = rng.normal(size=2), rng.random(9)
    models = problem.best_models(q)
    np.testing.assert_allclose(models.variance, as_models(literal.best_models(data, q)).variance, rtol=1e-12)
    labels = problem.best_labels(w, models)
    np.testing.assert_allclose(labels, literal.best_labels(data, w, literal.best_models(data, q)), atol=1e-12)
    weights = problem.best_weights(w, q)
    # Whatever else is tried is not better.
    for _ in range(20):
        other = np.clip(labels + rng.normal(0, 0.1, 9), 0, 1)
        assert problem.value(w, other, models) <= problem.value(w, labels, models) + 1e-12
        moved = weights + rng.normal(0, 0.1, 2)
        assert problem.cost(moved, q)[0] >= problem.cost(weights, q)[0]
        wide = ClassModels(models.log_prior, models.mean + rng.normal(0, 0.1, (2, 2)), models.variance)
        wide = ClassModels(wide.log_prior, wide.mean, models.variance * np.exp(rng.uniform(0, 0.2, (2, 2))))
        assert problem.value(w, q, wide) <= problem.value(w, q, models)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("tau", [0.0, 0.8])
def test_alternations_are_the_literal_ones(weighted, tau):
    groups, data = make_data(weighted, tau=tau)
    X, y = as_rows(groups)
    counts = np.concatenate([data.positive_weight, data.negative_weight, np.ones(9)])
    weights, values = literal.optag(data, 4)
    for n_alternations in (1, 4):
        model = OptAGClassifier(
            0.1, unlabeled_weight=0.7, generative_weight=tau, max_iter=n_alternations, tol=0.0, **PLAIN
        ).fit(X, y, sample_weight=counts if weighted else None)
        assert model.n_iter_ == n_alternations
        np.testing.assert_allclose(model.model_.parts[0].weights, weights[n_alternations], atol=1e-6)
        np.testing.assert_allclose(model.objective_, values[: n_alternations + 1], atol=1e-8)


@pytest.mark.filterwarnings("ignore:There are no unlabelled rows")
@pytest.mark.parametrize("weighted", [False, True])
def test_without_unlabelled_rows_it_is_pairwise_logistic_regression(weighted):
    groups, data = make_data(weighted)
    X, y = as_rows(groups)
    counts = np.concatenate([data.positive_weight, data.negative_weight])
    none = literal.Data(**{**vars(data), "unlabeled": data.unlabeled[:0]})
    best = literal.best_weights(none, np.zeros(0))
    alone = OptAGClassifier(0.1, **PLAIN).fit(X[:9], y[:9], sample_weight=counts)
    assert (alone.n_iter_, alone.n_unlabeled_, len(alone.objective_)) == (1, 0, 1)
    np.testing.assert_allclose(alone.model_.parts[0].weights, best, atol=1e-7)
    weightless = OptAGClassifier(0.1, unlabeled_weight=0, **PLAIN)
    weightless.fit(X, y, sample_weight=np.append(counts, np.ones(9)))
    np.testing.assert_array_equal(weightless.model_.parts[0].weights, alone.model_.parts[0].weights)


@pytest.mark.parametrize("generative_weight", [0.0, 0.1, 1.0])
@pytest.mark.parametrize("unlabeled_weight", [0.1, 3.0])
@pytest.mark.parametrize("seed", [0, 1])
def test_the_objective_never_falls(generative_weight, unlabeled_weight, seed):
    X, _, y = many_rows(300, 20, seed)
    model = OptAGClassifier(
        1e-3, unlabeled_weight=unlabeled_weight, generative_weight=generative_weight, tol=1e-9, random_state=0
    ).fit(X, y)
    assert model.n_iter_ > 1
    assert np.diff(model.objective_).min() >= -1e-12


def test_class_models_help_where_they_are_right():
    alone, helped = [], []
    for seed in range(6):
        rng = np.random.default_rng(seed)
        truth = np.arange(500) % 2
        X = rng.normal(size=(500, 10))
        X[:, :4] += 1.5 * truth[:, None]
        y = np.where(np.arange(500) < 12, truth, -1)
        for weight, found in ((0.0, alone), (1.0, helped)):
            model = OptAGClassifier(unlabeled_weight=weight, random_state=0).fit(X, y)
            found.append(model.score(X[12:], truth[12:]))
    assert np.all(np.array(helped) > alone)
    assert np.mean(helped) > np.mean(alone) + 0.008


def test_only_so_many_unlabelled_rows_are_looked_at():
    X, _, y = many_rows()
    model = OptAGClassifier(max_unlabeled=50, random_state=0).fit(X, y)
    assert 40 < model.n_unlabeled_ <= 50
    assert OptAGClassifier(random_state=0).fit(X, y).n_unlabeled_ == 360
    other = OptAGClassifier(max_unlabeled=50, random_state=1).fit(X, y)
    assert np.abs(model.decision_function(X) - other.decision_function(X)).max() > 0


def test_a_loose_tolerance_ends_early():
    X, _, y = many_rows()
    n_iters = [OptAGClassifier(tol=tol, random_state=0).fit(X, y).n_iter_ for tol in (1.0, 1e-9)]
    assert n_iters[0] == 1
    assert n_iters[1] > 3
