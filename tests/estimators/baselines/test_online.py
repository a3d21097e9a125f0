"""What rivals that learn one row after the other promise: pieces, orders, labels that are missing, errors."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone

from baselines import many_rows, raw_scores
from s2auc import FOAMClassifier, FSAUCClassifier, NOAMClassifier, SOLAMClassifier, load_model
from s2auc.common.randomness import shuffled_rows
from s2auc.data.sources.matrix_rows import DenseRows
from s2auc.estimators.baselines.online import online
from s2auc.estimators.fitting import decision
from s2auc.solvers.qsg.panels import DivergenceError

N_EPOCHS = 4
PLAIN = {"scaling": "none", "max_epochs": N_EPOCHS, "random_state": 0}
KERNEL = PLAIN | {"kernel_gamma": 0.5}
ONLINE = {
    "solam": SOLAMClassifier(**PLAIN),
    "fsauc": FSAUCClassifier(**PLAIN),
    "foam": FOAMClassifier(n_frequencies=20, **KERNEL),
    "noam": NOAMClassifier(n_landmarks=30, **KERNEL),
}


@pytest.fixture(params=ONLINE)
def rival(request):
    return clone(ONLINE[request.param])


@pytest.mark.parametrize("cuts", [[150], [1, 2, 7, 299], [20, 29, 30, 31]])
def test_pieces_are_as_good_as_the_whole(rival, cuts):
    X, truth, _ = many_rows()
    whole = clone(rival).partial_fit(X, truth)
    for piece in np.split(np.arange(400), cuts):
        rival.partial_fit(X[piece], truth[piece], classes=[0, 1])
    assert rival.n_steps_ == whole.n_steps_ == 400
    np.testing.assert_allclose(raw_scores(rival, X), raw_scores(whole, X), atol=1e-12)


def test_chunks_do_not_show(rival, monkeypatch):
    X, truth, _ = many_rows()
    scores = clone(rival).partial_fit(X, truth).decision_function(X)
    monkeypatch.setattr(online, "CHUNK_NUMBERS", 100)
    np.testing.assert_allclose(rival.partial_fit(X, truth).decision_function(X), scores, atol=1e-12)


def test_a_fit_is_passes_over_shuffled_rows(rival):
    X, truth, _ = many_rows(100)
    fitted = clone(rival).set_params(max_epochs=2).fit(X, truth)
    order = np.concatenate([shuffled_rows(0, 100, epoch) for epoch in range(2)])
    if isinstance(rival, FSAUCClassifier):
        # It knows beforehand how many rows will come: here too few for two stages.
        assert fitted.n_stages_ == 1
    rival.partial_fit(X[order], truth[order])
    np.testing.assert_allclose(raw_scores(fitted, X), raw_scores(rival, X), atol=1e-12)


def test_the_order_of_rows_matters_and_the_seed_settles_it(rival):
    X, truth, _ = many_rows()
    scores = clone(rival).fit(X, truth).decision_function(X)
    np.testing.assert_array_equal(clone(rival).fit(X, truth).decision_function(X), scores)
    assert not np.array_equal(clone(rival).set_params(random_state=1).fit(X, truth).decision_function(X), scores)
    turned = clone(rival).partial_fit(X[::-1], truth[::-1])
    assert not np.array_equal(raw_scores(turned, X), raw_scores(clone(rival).partial_fit(X, truth), X))


def test_unlabelled_rows_settle_the_scaling_and_nothing_else(rival):
    X, truth, y = many_rows()
    alone = clone(rival).fit(X[:40], truth[:40]).decision_function(X)
    np.testing.assert_array_equal(clone(rival).fit(X, y).decision_function(X), alone)
    scaled = clone(rival).set_params(scaling="standard")
    few, many = clone(scaled).fit(X[:40], truth[:40]), clone(scaled).fit(X, y)
    assert not np.array_equal(few.decision_function(X), many.decision_function(X))
    columns = many.model_.parts[0].columns
    np.testing.assert_allclose(columns.shift, X.mean(axis=0), atol=1e-12)


def test_frames_sparse_rows_and_sources(rival, tmp_path):
    X, truth, _ = many_rows()
    scores = clone(rival).fit(X, truth).decision_function(X)
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    by_name = clone(rival).fit(frame, truth)
    assert by_name.feature_names_in_.tolist() == ["a", "b", "c"]
    np.testing.assert_array_equal(by_name.decision_function(frame[["c", "a", "b"]]), scores)
    thin = clone(rival).fit(sparse.csr_array(X), truth)
    np.testing.assert_allclose(thin.decision_function(sparse.csr_array(X)), scores, atol=1e-12)
    np.testing.assert_array_equal(clone(rival).fit(DenseRows(X), truth).decision_function(DenseRows(X)), scores)
    pieces = clone(rival).partial_fit(frame[:200], truth[:200]).partial_fit(frame[200:][["b", "c", "a"]], truth[200:])
    pieces.save(tmp_path / "model.safetensors")
    whole = clone(rival).partial_fit(X, truth)
    np.testing.assert_allclose(raw_scores(pieces, frame), raw_scores(whole, X), atol=1e-12)
    loaded = load_model(tmp_path / "model.safetensors")
    np.testing.assert_array_equal(loaded.decision_function(frame), pieces.decision_function(frame))


def test_calls_may_lack_a_class(rival):
    X, truth, _ = many_rows()
    positive, negative = X[truth == 1], X[truth == 0]
    rival.partial_fit(positive[:5], np.ones(5), classes=[0, 1])
    assert rival.classes_.tolist() == [0, 1]
    assert rival.offset_ == 0.0
    assert np.ptp(rival.decision_function(X)) == 0.0
    rival.partial_fit(negative, np.zeros(len(negative)))
    rival.partial_fit(positive[5:], np.ones(len(positive) - 5))
    assert rival.score(X, truth) > 0.7
    rival.partial_fit(X, truth)
    offset = rival.offset_
    assert set(rival.predict(X)) == {0, 1}
    assert rival.partial_fit(positive[:3], np.ones(3)).offset_ == offset


def test_it_goes_on_after_a_fit_and_starts_anew_with_one(rival):
    X, truth, _ = many_rows()
    fitted = clone(rival).fit(X, truth)
    scores = fitted.decision_function(X)
    fitted.partial_fit(X[:50], truth[:50])
    assert fitted.n_steps_ == N_EPOCHS * 400 + 50
    assert not np.array_equal(raw_scores(fitted, X), scores)
    np.testing.assert_array_equal(fitted.fit(X, truth).decision_function(X), scores)


def state(model, X):
    return {name: id(value) for name, value in vars(model).items()}, raw_scores(model, X).tolist()


def test_calls_that_fail_leave_the_model_alone(rival, monkeypatch):
    X, truth, _ = many_rows()
    rival.partial_fit(X[:100], truth[:100])
    before = state(rival, X)
    calls = {
        r"must stay \[0, 1\] .* Got \[0, 2\]; fit to start anew": lambda: rival.partial_fit(X, truth, classes=[0, 2]),
        "got 7": lambda: rival.partial_fit(X, np.full(400, 7)),
        "X has 2 features": lambda: rival.partial_fit(X[:, :2], truth),
        "X contains NaN": lambda: rival.partial_fit(np.where(X > 2, np.nan, X), truth),
    }
    for sentence, call in calls.items():
        with pytest.raises(ValueError, match=sentence):
            call()
        assert state(rival, X) == before

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(decision, "best_threshold", interrupted)
    with pytest.raises(KeyboardInterrupt):
        rival.partial_fit(X, truth)
    assert state(rival, X) == before


def test_what_shapes_a_model_must_stay(rival):
    X, truth, _ = many_rows()
    rival.partial_fit(X, truth).set_params(step_size=0.01)
    with pytest.raises(ValueError, match=r"The 'step_size' parameter must stay .* Got 0\.01; fit to start anew\."):
        rival.partial_fit(X, truth)
    rival.set_params(step_size=clone(rival).step_size, max_epochs=3)
    with pytest.raises(ValueError, match="must stay"):
        rival.partial_fit(X, truth)
    assert rival.fit(X, truth).n_steps_ == 1200


def test_a_first_call_needs_labelled_rows_and_both_classes(rival):
    X, _, _ = many_rows()
    with pytest.raises(ValueError, match=r"^The first call of partial_fit needs .* Got 0 positive .*; add labelled"):
        rival.partial_fit(X, np.full(400, -1), classes=[0, 1])
    with pytest.raises(ValueError, match=r"^The first call of partial_fit needs .* or pass classes="):
        clone(rival).set_params(pos_label=1).partial_fit(X, np.ones(400))
    with pytest.raises(ValueError, match="y holds only one class"):
        rival.partial_fit(X, np.ones(400))
    assert set(vars(rival)) == set(rival.get_params())


def test_a_call_without_labels_is_told(rival):
    X, truth, _ = many_rows()
    rival.partial_fit(X, truth)
    before = state(rival, X)
    with pytest.warns(UserWarning, match=r"No row of this call is labelled; the model stays as it is\."):
        rival.partial_fit(X, np.full(400, -1))
    assert state(rival, X) == before


@pytest.mark.parametrize("name", ["foam", "noam"])
def test_steps_that_are_too_long_are_told(name):
    X, truth, _ = many_rows()
    model = clone(ONLINE[name]).set_params(step_size=50.0)
    with pytest.raises(DivergenceError, match=r"^Steps with step_size=50 and alpha=0\.001 left .*; use a smaller step"):
        model.fit(X, truth)
    assert set(vars(model)) == set(model.get_params())


def test_sizes_that_do_not_fit_are_refused():
    X, truth, _ = many_rows()
    with pytest.raises(
        MemoryError, match=r"'n_frequencies' parameter of FOAMClassifier, 1000000000, needs .*; use few"
    ):
        FOAMClassifier(n_frequencies=10**9).fit(X, truth)
    with pytest.raises(MemoryError, match=r"'n_landmarks' parameter of NOAMClassifier, 1000000000, needs .*; use few"):
        NOAMClassifier(n_landmarks=10**9).partial_fit(X, truth)
    # In a fit there are no more landmarks than rows.
    assert NOAMClassifier(n_landmarks=10**9, random_state=0).fit(X[:50], truth[:50]).n_landmarks_ == 50
