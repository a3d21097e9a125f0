"""The classifier's seeds decide everything, and its copies, also those in files, are like it."""

import copy
import pickle

import joblib
import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from classifier_rows import fast, fingerprint, make_rows
from s2auc import S2AUCClassifier, load_model


def test_seeds_decide_everything():
    X, _, y = make_rows()
    scores = fast(random_state=5).fit(X, y).decision_function(X)
    np.testing.assert_array_equal(fast(random_state=np.int64(5)).fit(X, y).decision_function(X), scores)
    other = fast(random_state=6).fit(X, y).decision_function(X)
    assert not np.allclose(other, scores)


@pytest.mark.parametrize("solver", ["qsg", "exact"])
def test_a_drawn_seed_is_kept(solver):
    X, _, y = make_rows()
    drawn = [fast(random_state=None, solver=solver).fit(X, y) for _ in range(2)]
    assert drawn[0].seed_ != drawn[1].seed_
    assert drawn[0].random_state is None
    again = fast(random_state=drawn[0].seed_, solver=solver).fit(X, y)
    np.testing.assert_array_equal(again.decision_function(X), drawn[0].decision_function(X))


def test_random_states_are_drawn_from():
    X, _, y = make_rows()
    state = np.random.RandomState(8)
    first, second = (fast(random_state=state).fit(X, y).seed_ for _ in range(2))
    assert first != second
    assert first == fast(random_state=np.random.RandomState(8)).fit(X, y).seed_


@pytest.mark.parametrize("solver", ["qsg", "exact"])
def test_threads_do_not_change_bits(solver, monkeypatch):
    X, _, y = make_rows(900)
    scores = []
    for threads in ("1", "2", "3"):
        monkeypatch.setenv("S2AUC_NUM_THREADS", threads)
        scores.append(fast(solver=solver, max_iter=30).fit(X, y).decision_function(X))
    np.testing.assert_array_equal(scores[1], scores[0])
    np.testing.assert_array_equal(scores[2], scores[0])


def dumped_and_loaded(model, folder):
    joblib.dump(model, folder / "model.joblib")
    return joblib.load(folder / "model.joblib")


COPIES = {
    "pickle": lambda model, _: pickle.loads(pickle.dumps(model)),
    "joblib": dumped_and_loaded,
    "deepcopy": lambda model, _: copy.deepcopy(model),
    "copy": lambda model, _: copy.copy(model),
}


@pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES)
def test_copies_score_and_learn_alike(copied, tmp_path):
    X, _, y = make_rows()
    model = fast().fit(X, y)
    twin = copied(model, tmp_path)
    assert fingerprint(twin, X) == fingerprint(model, X)
    before = model.decision_function(X)
    twin.partial_fit(X, y)
    np.testing.assert_array_equal(model.decision_function(X), before)
    assert (model.n_iter_, twin.n_iter_) == (10, 20)
    np.testing.assert_array_equal(model.partial_fit(X, y).decision_function(X), twin.decision_function(X))


def test_parameters_stay_as_they_were_given():
    X, _, y = make_rows()
    given = {"alpha": np.float32(0.5), "kernel_gamma": "scale", "n_frequencies": None, "random_state": None}
    model = fast(**given).fit(X, y)
    before = S2AUCClassifier(**model.get_params()).get_params()
    assert all(model.get_params()[name] is value for name, value in given.items())
    model.partial_fit(X, y)
    assert model.get_params() == before
    unfitted = clone(model)
    assert unfitted.get_params() == before
    assert not hasattr(unfitted, "model_")
    assert clone(fast(alpha=0.1)).set_params(alpha=0.2).get_params() == fast(alpha=0.2).get_params()


def test_a_saved_model_scores_the_same_bits(tmp_path):
    frame = pd.DataFrame(np.random.default_rng(0).normal(size=(60, 3)), columns=["a", "b", "c"])
    y = np.where(frame["a"] + frame["b"] > 0, "yes", "no").astype(object)
    y[20:] = None
    ranker = S2AUCClassifier(max_iter=20, random_state=0).fit(frame, y)
    ranker.save(tmp_path / "model.safetensors")
    model = load_model(tmp_path / "model.safetensors")
    assert np.array_equal(model.decision_function(frame.to_numpy()), ranker.decision_function(frame))
    assert np.array_equal(model.predict(frame.to_numpy()), ranker.predict(frame))
    assert model.schema.names == ("a", "b", "c")
    ranker.save(tmp_path / "again.safetensors")
    assert (tmp_path / "again.safetensors").read_bytes() == (tmp_path / "model.safetensors").read_bytes()


def test_an_unfitted_estimator_cannot_be_saved(tmp_path):
    with pytest.raises(NotFittedError):
        S2AUCClassifier().save(tmp_path / "model.safetensors")
    assert not list(tmp_path.iterdir())
