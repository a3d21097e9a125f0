"""The classifier keeps its promises: labels, seeds, copies, going on, and failing without a trace."""

import copy
import pickle

import joblib
import numpy as np
import pandas as pd
import pytest
from scipy.stats import spearmanr
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.metrics import roc_auc_score

from s2auc import S2AUCClassifier, load_model
from s2auc.solvers.qsg import DivergenceError

N_LABELED = 40


def make_rows(n_rows=400, seed=0):
    """Two moons-like groups; the first rows are labelled 0 and 1, the others -1."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, 3))
    truth = (X[:, 0] + 0.5 * np.sin(3 * X[:, 1]) > 0).astype(int)
    return X, truth, np.where(np.arange(n_rows) < N_LABELED, truth, -1)


def fast(**changes):
    return S2AUCClassifier(**{"max_iter": 10, "n_frequencies": 8, "batch_size": 16, "random_state": 1} | changes)


def fingerprint(model, X):
    """All that can be seen of a fitted model, comparable by ==."""
    seen = {name: value for name, value in vars(model).items() if name not in {"model_", "_state", "history_"}}
    seen = {name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in seen.items()}
    return {
        **seen,
        "history": {name: column.tolist() for name, column in model.history_.items()},
        "scores": model.decision_function(X).tolist(),
        "names": set(vars(model)),
    }


# Labels ---------------------------------------------------------------------------------------------------------------

SPELLINGS = {
    "text": (np.array(["ham", "spam"]), "?", {"unlabeled": "?"}),
    "objects": (np.array(["ham", "spam"], dtype=object), None, {}),
    "booleans": (np.array([False, True], dtype=object), None, {}),
    "floats and NaN": (np.array([0.0, 1.0]), np.nan, {}),
    "minus and plus one": (np.array([-1, 1]), 0, {"unlabeled": 0}),
    "no marker": (np.array([-1.0, 1.0]), np.nan, {"unlabeled": None}),
    "bytes": (np.array([b"no", b"yes"]), b"?", {"unlabeled": b"?"}),
}


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_labels_of_any_type(spelling):
    classes, marker, parameters = SPELLINGS[spelling]
    X, truth, y = make_rows()
    spelled = [classes.tolist()[label] if label >= 0 else marker for label in y]
    model = fast(**parameters).fit(X, spelled)
    scores = fast().fit(X, y).decision_function(X)
    assert model.classes_.tolist() == classes.tolist()
    np.testing.assert_array_equal(model.decision_function(X), scores)
    np.testing.assert_array_equal(model.predict(X), model.classes_[(scores > 0).astype(int)])
    assert model.predict(X).dtype == model.classes_.dtype
    assert model.score(X, classes[truth]) == roc_auc_score(truth, scores)


def test_series_of_nullable_labels():
    X, _, y = make_rows()
    series = pd.Series(y, dtype="Int64").mask(y < 0)
    model = fast().fit(X, series)
    np.testing.assert_array_equal(model.decision_function(X), fast().fit(X, y).decision_function(X))


@pytest.mark.parametrize("solver", ["qsg", "exact"])
def test_the_smaller_class_on_top_reverses_the_ranking(solver):
    X, truth, y = make_rows()
    plain, turned = fast(solver=solver).fit(X, y), fast(solver=solver, pos_label=0).fit(X, y)
    assert turned.classes_.tolist() == [1, 0]
    up, down = (model.decision_function(X) + model.offset_ for model in (plain, turned))
    np.testing.assert_allclose(down, -up, atol=1e-4 * np.abs(up).max())
    assert turned.score(X, truth) == pytest.approx(plain.score(X, truth), abs=1e-3)
    np.testing.assert_array_equal(turned.predict(X), np.where(turned.decision_function(X) > 0, 0, 1))


@pytest.mark.parametrize("solver", ["qsg", "exact"])
@pytest.mark.parametrize(("pos_label", "made_up"), [(1, 0), ("spam", "not spam"), (True, False)])
def test_positive_unlabelled(pos_label, made_up, solver):
    X, truth, _ = make_rows(800)
    is_known = (truth == 1) & (np.arange(800) < 200)
    y = np.full(800, None, dtype=object)
    y[is_known] = pos_label
    model = fast(solver=solver, pos_label=pos_label, max_iter=60, n_frequencies=32).fit(X, y)
    assert model.classes_.tolist() == [made_up, pos_label]
    area = roc_auc_score(truth, model.decision_function(X))
    assert area > 0.9
    predicted = model.predict(X) == pos_label
    assert np.mean(predicted == truth) > 0.75


@pytest.mark.parametrize("solver", ["qsg", "exact"])
@pytest.mark.parametrize("labeled_weight", [0.0, 0.5])
def test_without_unlabelled_rows_labels_get_all_the_weight(labeled_weight, solver):
    X, truth, _ = make_rows(60)
    with pytest.warns(UserWarning, match="as with labeled_weight=1") as caught:
        model = fast(labeled_weight=labeled_weight, solver=solver).fit(X, truth)
    assert caught[0].filename == __file__
    assert (model.labeled_weight, model.labeled_weight_) == (labeled_weight, 1.0)
    plain = fast(labeled_weight=1, solver=solver).fit(X, truth)
    np.testing.assert_array_equal(model.decision_function(X), plain.decision_function(X))


# Scores ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kernel", ["gaussian", "laplacian"])
def test_a_row_scores_the_same_whoever_comes_along(kernel):
    X, _, y = make_rows()
    model = fast(kernel=kernel, max_iter=40).fit(X, y)
    # Far rows need other arithmetic than near ones, and must not pass it on to their neighbours.
    mixed = X * 10.0 ** np.repeat([0, 2, 4, 6], 100)[:, None]
    mixed = mixed[np.random.default_rng(0).permutation(400)]
    together = model.decision_function(mixed)
    alone = np.concatenate([model.decision_function(mixed[row : row + 1]) for row in range(0, 400, 7)])
    np.testing.assert_array_equal(alone, together[::7])
    np.testing.assert_array_equal(model.decision_function(mixed[::-1]), together[::-1])
    many = model.decision_function(np.tile(mixed, (45, 1)))
    np.testing.assert_array_equal(many, np.tile(together, 45))


def test_score_is_the_auc_over_labelled_rows():
    X, truth, y = make_rows()
    model = fast().fit(X, y)
    scores = model.decision_function(X)
    weight = np.random.default_rng(3).random(400)
    assert model.score(X, truth) == pytest.approx(roc_auc_score(truth, scores), abs=1e-14)
    assert model.score(X, y) == pytest.approx(roc_auc_score(truth[:N_LABELED], scores[:N_LABELED]), abs=1e-14)
    assert model.score(X, truth, sample_weight=weight) == pytest.approx(
        roc_auc_score(truth, scores, sample_weight=weight), abs=1e-12
    )
    some = np.where(np.arange(400) % 3, truth, -1)
    kept = some >= 0
    assert model.score(X, some, sample_weight=weight.tolist()) == pytest.approx(
        roc_auc_score(truth[kept], scores[kept], sample_weight=weight[kept]), abs=1e-12
    )


def test_score_refuses_what_has_no_auc():
    X, truth, y = make_rows()
    model = fast().fit(X, y)
    with pytest.raises(ValueError, match=r"needs labelled rows of both classes\. Got 400 positive and 0 negative rows"):
        model.score(X, np.ones(400))
    with pytest.raises(ValueError, match=r"Got 0 positive and 0 negative rows; add"):
        model.score(X, np.full(400, -1))
    with pytest.raises(ValueError, match=r"y should hold the classes \[0, 1\] and unlabelled rows only, got 2"):
        model.score(X, truth + 1)
    with pytest.raises(ValueError, match=r"inconsistent numbers of samples: \[400, 399\]"):
        model.score(X, truth[1:])
    with pytest.raises(ValueError, match=r"inconsistent numbers of samples: \[400, 3\]"):
        model.score(X, truth, sample_weight=[1, 2, 3])


# Seeds and copies -----------------------------------------------------------------------------------------------------


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


# Going on: partial_fit ------------------------------------------------------------------------------------------------

STABLE = {"schedule": "printed", "alpha": 1.0, "step_scale": 0.2}


@pytest.mark.parametrize("average", [True, False])
@pytest.mark.parametrize("pairing", ["all", "triplet"])
def test_two_parts_make_a_whole(pairing, average):
    X, _, y = make_rows()
    settings = {**STABLE, "pairing": pairing, "average": average}
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


# Going on: warm_start -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("average", [True, False])
def test_warm_start_begins_at_the_last_iterate(average):
    X, _, y = make_rows()
    model = fast(max_iter=60, warm_start=True, average=average).fit(X, y)
    last_iterate = copy.copy(model).set_params(average=False, step_scale=1e-9, max_iter=1)
    scores = last_iterate.fit(X, y).decision_function(X)
    model.set_params(max_iter=2, step_scale=1e-9).fit(X, y)
    assert model.n_iter_ == 2
    np.testing.assert_allclose(model.decision_function(X), scores, atol=1e-5 * np.abs(scores).max())
    assert model.seed_ == 1
    cold = fast(max_iter=2, step_scale=1e-9).fit(X, y)
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


# Failing --------------------------------------------------------------------------------------------------------------


class Stopper:
    """A stand-in for the solver that is interrupted after some panels."""

    def __init__(self, run, error, n_panels):
        self.run, self.error, self.n_panels = run, error, n_panels

    def __call__(self, *args, **kwargs):
        for number, panel in enumerate(self.run(*args, **kwargs)):
            if number == self.n_panels:
                raise self.error
            yield panel


def interrupt(monkeypatch, n_panels):
    from s2auc.estimators import s2auc

    monkeypatch.setattr("s2auc.solvers.qsg.LONGEST_PANEL", 2)
    monkeypatch.setattr("s2auc.estimators.s2auc.run", Stopper(s2auc.run, KeyboardInterrupt(), n_panels))


def named(X):
    return pd.DataFrame(X, columns=["a", "b", "c", "d"][: X.shape[1]])


# Parameters to set, then what to fit on.
FAILURES = {
    "NaN": ({}, lambda X, y: {"X": np.where(X > 2, np.nan, X), "y": y}),
    "one class": ({}, lambda X, y: {"X": named(X[:, :2]), "y": np.ones(len(X))}),
    "bad pool": ({}, lambda X, y: {"X": named(X[:, :2]), "y": y, "X_unlabeled": named(X)}),
    "bad parameter": ({"alpha": -1}, lambda X, y: {"X": X, "y": np.where(y == 1, 5, y)}),
    "tiny alpha": ({"solver": "exact", "alpha": 1e-18}, lambda X, y: {"X": X, "y": y}),
    "divergence": (
        {"alpha": 1e-9, "schedule": "printed", "max_iter": 50},
        lambda X, y: {"X": X, "y": y, "X_unlabeled": X + 1.0},
    ),
}


@pytest.mark.filterwarnings("ignore:X has feature names, but")
@pytest.mark.parametrize("case", FAILURES)
@pytest.mark.parametrize(("method", "warm_start"), [("fit", False), ("fit", True), ("partial_fit", False)])
def test_a_failing_fit_leaves_the_model_as_it_was(method, warm_start, case):
    changes, change = FAILURES[case]
    X, _, y = make_rows()
    model = fast(warm_start=warm_start).fit(X, y)
    twin, parameters, before = copy.deepcopy(model), model.get_params(), fingerprint(model, X)
    with pytest.raises((ValueError, DivergenceError, AttributeError)):
        getattr(model.set_params(**changes), method)(**change(X, y))
    assert fingerprint(model.set_params(**parameters), X) == before
    twin.partial_fit(X, y)
    np.testing.assert_array_equal(model.partial_fit(X, y).decision_function(X), twin.decision_function(X))


@pytest.mark.parametrize("method", ["fit", "partial_fit"])
@pytest.mark.parametrize("n_panels", [0, 3])
def test_an_interrupted_fit_leaves_the_model_as_it_was(method, n_panels, monkeypatch):
    X, _, y = make_rows()
    model, unfitted = fast().fit(X, y), fast()
    before = fingerprint(model, X)
    with monkeypatch.context() as patch:
        interrupt(patch, n_panels)
        for interrupted in (model, unfitted):
            with pytest.raises(KeyboardInterrupt):
                getattr(interrupted, method)(X + 1.0, y, X_unlabeled=X)
    assert fingerprint(model, X) == before
    assert vars(unfitted) == fast().get_params()
    again = fast().fit(X, y).partial_fit(X, y)
    np.testing.assert_array_equal(model.partial_fit(X, y).decision_function(X), again.decision_function(X))


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


def test_positive_unlabelled_data_can_be_scored_by_the_names_they_have():
    X, truth, _ = make_rows()
    y = np.where((np.arange(len(X)) < 60) & (truth == 1), "fraud", None)
    ranker = fast(pos_label="fraud").fit(X, y)
    assert ranker.labeled_weight_ == 0.0
    assert ranker.classes_.tolist() == ["not fraud", "fraud"]
    by_names = ranker.score(X, np.where(truth == 1, "fraud", "legitimate"))
    assert by_names == ranker.score(X, np.where(truth == 1, "fraud", "not fraud")) > 0.7


def test_scoring_takes_booleans_for_zero_and_one():
    X, truth, y = make_rows()
    ranker = fast().fit(X, y)
    assert ranker.score(X, truth == 1) == ranker.score(X, truth)
