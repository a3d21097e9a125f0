"""The classifier goes on learning: partial_fit and warm_start."""

import copy
import pickle

import numpy as np
import pytest
from scipy.stats import spearmanr

from classifier_rows import fast, fingerprint, make_rows
from s2auc import QSG

STABLE = {"schedule": "printed", "step_scale": 0.2}


@pytest.mark.parametrize("average", [True, False])
@pytest.mark.parametrize("pairing", ["all", "triplet"])
@pytest.mark.filterwarnings("ignore:With schedule='printed' the paper proves")
def test_two_parts_make_a_whole(pairing, average):
    X, _, y = make_rows()
    settings = {"alpha": 1.0, "solver": QSG(**STABLE, pairing=pairing, average=average)}
    whole = fast(max_iter=20, **settings).fit(X, y)
    parts = fast(max_iter=10, **settings).partial_fit(X, y).partial_fit(X, y)
    scores = whole.decision_function(X)
    np.testing.assert_allclose(parts.decision_function(X), scores, rtol=0, atol=1e-5 * np.abs(scores).max())
    assert parts.n_iter_ == whole.n_iter_ == 20
    assert parts.history_.keys() == whole.history_.keys()
    np.testing.assert_array_equal(parts.history_["iteration"], np.arange(1, 21))
    np.testing.assert_array_equal(parts.history_["step"], whole.history_["step"])
    np.testing.assert_allclose(parts.history_["risk"], whole.history_["risk"], rtol=1e-4)
    assert np.all(np.diff(parts.history_["seconds"]) >= 0)


def test_fit_then_partial_fit_is_partial_fit_twice():
    X, _, y = make_rows()
    one, other = fast().fit(X, y).partial_fit(X, y), fast().partial_fit(X, y).partial_fit(X, y)
    np.testing.assert_array_equal(one.decision_function(X), other.decision_function(X))


def test_partial_fit_learns_from_batches():
    X, truth, _ = make_rows(900)
    model = fast(n_frequencies=16, max_iter=20)
    for batch in np.split(np.arange(900), 3):
        model.partial_fit(X[batch], np.where(batch % 10 == 0, truth[batch], -1))
    assert model.score(X, truth) > 0.9
    assert model.n_iter_ == 60


@pytest.mark.parametrize("absent", [0, 1])
def test_first_batch_lacks_a_class(absent):
    X, truth, y = make_rows()
    kept = y != absent
    model = fast().partial_fit(X[kept], y[kept], classes=[1, 0])
    assert model.classes_.tolist() == [0, 1]
    assert np.isfinite(model.offset_)
    assert set(model.predict(X)) == {0, 1}
    assert np.isnan(model.history_["labeled_auc"]).all()
    area = model.partial_fit(X, y).score(X, truth)
    assert area > 0.85


@pytest.mark.parametrize("first", [0, 1])
def test_later_batch_lacks_a_class(first):
    X, truth, y = make_rows()
    model = fast().partial_fit(X, y)
    model.partial_fit(X[y != first], y[y != first])
    assert model.n_iter_ == 20
    assert model.score(X, truth) > 0.85


def test_classes_are_settled_once():
    X, _, y = make_rows()
    with pytest.raises(ValueError, match="y holds only one class, 1, besides the marker"):
        fast().partial_fit(X, y, classes=[-1, 1])
    model = fast().partial_fit(X, y, classes=[0, 1, -1])
    before = fingerprint(model, X)
    for wrong in ([0, 2], ["a", "b"]):
        with pytest.raises(ValueError, match=r"must stay \[0, 1\] while a model goes on learning\. Got"):
            model.partial_fit(X, y, classes=wrong)
    with pytest.raises(ValueError, match=r"must stay \[0, 1\] .* Got \[1, 0\]"):
        copy.copy(model).set_params(pos_label=0).partial_fit(X, y)
    with pytest.raises(ValueError, match=r"classes \[0, 1\] and unlabelled rows only, got 7"):
        model.partial_fit(X, np.where(y == 1, 7, y))
    with pytest.raises(ValueError, match="X has 2 features, but S2AUCClassifier is expecting 3"):
        model.partial_fit(X[:, :2], y)
    assert fingerprint(model, X) == before


NO_PAIRS = {
    "only unlabelled": ({}, lambda y: np.full_like(y, -1)),
    "only positives": ({}, np.ones_like),
    "labels only, which have no weight": ({"labeled_weight": 0}, lambda y: np.arange(len(y)) % 2),
    "positives and unlabelled, labels have all the weight": ({"labeled_weight": 1}, lambda y: np.where(y == 1, 1, -1)),
}


@pytest.mark.parametrize("case", NO_PAIRS)
def test_batches_without_pairs(case):
    parameters, change = NO_PAIRS[case]
    X, _, y = make_rows()
    model = fast(**parameters).partial_fit(X, y)
    before = fingerprint(model, X)
    with pytest.warns(UserWarning, match=r"no pairs to learn from .* the model stays as it is") as caught:
        model.partial_fit(X, change(y))
    assert caught[0].filename == __file__
    assert fingerprint(model, X) == before
    with pytest.raises(ValueError, match=r"no pairs to learn from .*; gather rows of another group first"):
        fast(**parameters).partial_fit(X, change(y), classes=[0, 1])


def test_the_closed_form_makes_no_steps():
    X, _, y = make_rows()
    model = fast().fit(X, y).set_params(solver="exact")
    assert not hasattr(model, "partial_fit")
    with pytest.raises(AttributeError, match="partial_fit"):
        model.partial_fit(X, y)
    model.fit(X, y)
    assert not hasattr(model, "curvature_")
    assert (model.stop_reason_, model.n_iter_, model.history_) == ("exact", 1, {})
    # Steps do not go on from a fit that came before the closed form.
    restarted = model.set_params(solver="qsg", warm_start=True).fit(X, y)
    np.testing.assert_array_equal(restarted.decision_function(X), fast().fit(X, y).decision_function(X))


@pytest.mark.parametrize("average", [True, False])
def test_warm_start_begins_at_the_last_iterate(average):
    X, _, y = make_rows()
    model = fast(max_iter=60, warm_start=True, solver=QSG(average=average)).fit(X, y)
    last_iterate = copy.copy(model).set_params(solver=QSG(average=False, step_scale=1e-9), max_iter=1)
    scores = last_iterate.fit(X, y).decision_function(X)
    model.set_params(max_iter=2, solver__step_scale=1e-9).fit(X, y)
    assert model.n_iter_ == 2
    np.testing.assert_allclose(model.decision_function(X), scores, atol=1e-5 * np.abs(scores).max())
    assert model.seed_ == 1
    cold = fast(max_iter=2, solver=QSG(step_scale=1e-9)).fit(X, y)
    assert np.abs(cold.decision_function(X)).max() < 1e-3 * np.abs(scores).max()


def test_warm_start_goes_on_learning():
    X, truth, y = make_rows()
    model = fast(max_iter=30, warm_start=True).fit(X, y)
    before = model.decision_function(X)
    model.set_params(max_iter=5, n_frequencies=16, batch_size=8).fit(X, y)
    assert spearmanr(before, model.decision_function(X)).statistic > 0.95
    assert model.score(X, truth) > 0.9
    np.testing.assert_array_equal(model.history_["iteration"], np.arange(1, 6))


CHANGED_SPACES = {"kernel": "laplacian", "kernel_gamma": 0.123, "scaling": "minmax"}


@pytest.mark.parametrize("name", CHANGED_SPACES)
@pytest.mark.parametrize("method", ["fit", "partial_fit"])
def test_going_on_never_mixes_spaces(method, name):
    X, _, y = make_rows()
    model = fast(warm_start=True).fit(X, y).set_params(**{name: CHANGED_SPACES[name]})
    before = fingerprint(model, X)
    with pytest.raises(ValueError, match=rf"The '{name}' parameter must stay .* Got .*; fit with warm_start=False"):
        getattr(model, method)(X, y)
    assert fingerprint(model, X) == before
    model.set_params(warm_start=False).fit(X, y)
    fresh = fast(**{name: CHANGED_SPACES[name]}).fit(X, y)
    np.testing.assert_array_equal(model.decision_function(X), fresh.decision_function(X))


def test_warm_start_keeps_columns_and_classes():
    X, truth, y = make_rows()
    model = fast(warm_start=True).fit(X, y)
    before = fingerprint(model, X)
    with pytest.raises(ValueError, match="X has 2 features, but S2AUCClassifier is expecting 3"):
        model.fit(X[:, :2], y)
    with pytest.raises(ValueError, match=r"must stay \[0, 1\] .* Got \['a', 'b'\]"):
        model.fit(X, np.array(["a", "b"])[truth])
    assert fingerprint(model, X) == before


def test_column_weights_may_have_to_wait_for_the_other_class():
    X, _, y = make_rows()
    model = fast(column_weighting="auc").partial_fit(X[y != 0], y[y != 0], classes=[0, 1])
    assert model.partial_fit(X, y).n_iter_ == 2 * model.max_iter
    alone = fast(column_weighting="auc", pos_label=1, warm_start=True)
    positive_only = np.where(y == 1, 1, -1)
    assert alone.fit(X, positive_only).fit(X, positive_only).n_iter_ == alone.max_iter


def test_what_a_model_goes_on_from_holds_no_rows():
    X, _, y = make_rows(3000)
    assert len(pickle.dumps(fast().fit(X, y))) < 0.5 * X.nbytes
