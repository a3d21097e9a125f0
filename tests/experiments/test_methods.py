"""Every method of the table: it learns, its scores are finite, the seed decides them."""

import importlib
import warnings
from dataclasses import replace

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

import harness_plugin
from s2auc.experiments.harness.spec import make_spec
from s2auc.experiments.methods.table import METHODS, Method, Sizes, load_plugins
from s2auc.ranking.metrics import auc

FEW = {"n_estimators": 20, "search_estimators": 20, "n_steps": 100}
# The plugin of other tests adds to the table in this process.
NAMES = [name for name, method in METHODS.items() if method.library]


@pytest.fixture(autouse=True, scope="module")
def _few_threads():
    """Threads that wait for each other on a busy machine can take minutes over nothing."""
    # Only libraries that are loaded can be limited.
    importlib.import_module("sklearn.ensemble")
    with threadpool_limits(1):
        yield


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((700, 3)).astype(np.float32)
    y = rng.random(700) < 0.4
    X[y] += 1.2
    return X, y


def fit_scores(method, X, y, seed, n_labeled=40):
    pytest.importorskip(METHODS[method].library.replace("scikit-learn", "sklearn"))
    # A few trees and steps show what many do, and take less time.
    fewer = {name: few for name, few in FEW.items() if name in METHODS[method].parameters}
    learner = METHODS[method].build(seed, **{**METHODS[method].parameters, **fewer})
    learner.fit(X[:n_labeled], y[:n_labeled], X[40:400])
    return learner, learner.scores(X[400:])


@pytest.mark.usefixtures("fast_search")
@pytest.mark.parametrize("name", NAMES)
def test_method_learns_and_repeats_itself(name, rows):
    X, y = rows
    _, scores = fit_scores(name, X, y, 3)
    assert scores.shape == (300,)
    assert np.isfinite(scores).all()
    assert auc(y[400:], scores) > 0.75
    np.testing.assert_array_equal(fit_scores(name, X, y, 3)[1], scores)


@pytest.mark.usefixtures("fast_search")
@pytest.mark.parametrize("name", NAMES)
def test_one_row_of_a_class_is_enough(name, rows):
    X, y = rows
    order = np.argsort(~y[:10], kind="stable")[-5:]
    few = np.concatenate([X[order], X[5:400]])
    labels = np.concatenate([[True, False, False, False, False], y[5:400]])
    few[0] = X[np.flatnonzero(y)[0]]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        learner, scores = fit_scores(name, np.concatenate([few, X[400:]]), np.concatenate([labels, y[400:]]), 0, 5)
    assert np.isfinite(scores).all()
    if name in ("rbf_svm", "random_forest", "self_training"):
        assert learner.note == "not tuned: a class has one labelled row only"


def test_label_spreading_says_when_it_leaves_rows_out(rows):
    X, y = rows
    parameters = {**METHODS["label_spreading"].parameters, "max_unlabeled": 100}
    learner = METHODS["label_spreading"].build(0, **parameters)
    learner.fit(X[:40], y[:40], X[40:400])
    assert learner.note == "learnt from 100 random rows of the 360 unlabelled ones"


def test_label_spreading_scores_rows_that_no_label_reaches():
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.standard_normal((60, 2)), 100 + rng.standard_normal((60, 2))]).astype(np.float32)
    learner = METHODS["label_spreading"].build(0, max_unlabeled=1000, n_neighbors=5, max_iter=100)
    learner.fit(X[:10], np.arange(10) < 3, X[10:])
    assert learner.scores(X[100:]) == pytest.approx(np.full(20, 0.3))


def test_obstacles():
    quadratic = Method(name="a", description="", build=dict, memory=lambda sizes: 8 * sizes.n_unlabeled**2)
    assert quadratic.obstacle(Sizes(10, 68_000, 3), 4 * 10**9) == "needs 37 GB, the limit is 4 GB"
    assert quadratic.obstacle(Sizes(10, 68_000, 3), None) == ""
    assert quadratic.obstacle(Sizes(10, 1_000, 3), 4 * 10**9) == ""
    assert METHODS["self_training"].obstacle(Sizes(10, 0, 3), None) == "needs unlabelled rows, there are none"
    expected = "takes at most 20,000 labelled rows, there are 30,000"
    assert METHODS["rbf_svm"].obstacle(Sizes(30_000, 0, 3), None) == expected
    assert METHODS["label_spreading"].obstacle(Sizes(200, 10**7, 100), 10**9) == ""


def test_descriptions_fit_a_line():
    assert all(method.name == name for name, method in METHODS.items())
    assert all(method.description and "\n" not in method.description for method in METHODS.values())


def test_a_package_that_is_absent_is_told_with_the_way_to_get_it(monkeypatch):
    absent = Method(name="absent", description="", build=dict, library="no-such-package")
    monkeypatch.setitem(METHODS, "absent", absent)
    spec = make_spec({"name": "a", "datasets": "moons", "methods": "absent", "n_labeled": 20, "n_unlabeled": 30})
    with pytest.raises(
        ModuleNotFoundError, match=r"from no-such-package need .*: pip install no-such-package adds it\."
    ):
        spec.cells()


def test_an_extra_that_brings_the_package_is_named(monkeypatch):
    absent = replace(METHODS["libauc"], library="no-such-package")
    monkeypatch.setitem(METHODS, "libauc", absent)
    spec = make_spec({"name": "a", "datasets": "moons", "methods": "libauc", "n_labeled": 20, "n_unlabeled": 30})
    with pytest.raises(
        ModuleNotFoundError, match=r"libauc needs the package .*: pip install 's2auc\[libauc\]' adds it\."
    ):
        spec.cells()


def test_plugins():
    assert METHODS["linear"].build is harness_plugin.Linear
    with pytest.raises(ValueError, match=r"A plugin must name a module .* Got 'no_such_module' instead"):
        load_plugins(["no_such_module"])
