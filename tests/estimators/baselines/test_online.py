"""What baselines that learn one row after the other promise: pieces, orders, labels that are missing, errors."""

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
def baseline(request):
    return clone(ONLINE[request.param])


@pytest.mark.parametrize("cuts", [[150], [1, 2, 7, 299], [20, 29, 30, 31]])
def test_pieces_are_as_good_as_the_whole(baseline, cuts):
    X, truth, _ = many_rows()
    whole = clone(baseline).partial_fit(X, truth)
    for piece in np.split(np.arange(400), cuts):
        baseline.partial_fit(X[piece], truth[piece], classes=[0, 1])
    assert baseline.n_steps_ == whole.n_steps_ == 400
    np.testing.assert_allclose(raw_scores(baseline, X), raw_scores(whole, X), atol=1e-12)


def test_chunks_do_not_show(baseline, monkeypatch):
    X, truth, _ = many_rows()
    scores = clone(baseline).partial_fit(X, truth).decision_function(X)
    monkeypatch.setattr(online, "CHUNK_NUMBERS", 100)
    np.testing.assert_allclose(baseline.partial_fit(X, truth).decision_function(X), scores, atol=1e-12)


def test_a_fit_is_passes_over_shuffled_rows(baseline):
    X, truth, _ = many_rows(100)
    fitted = clone(baseline).set_params(max_epochs=2).fit(X, truth)
    order = np.concatenate([shuffled_rows(0, 100, epoch) for epoch in range(2)])
    if isinstance(baseline, FSAUCClassifier):
        # It knows beforehand how many rows will come: here too few for two stages.
        assert fitted.n_stages_ == 1
    baseline.partial_fit(X[order], truth[order])
    np.testing.assert_allclose(raw_scores(fitted, X), raw_scores(baseline, X), atol=1e-12)


def test_the_order_of_rows_matters_and_the_seed_settles_it(baseline):
    X, truth, _ = many_rows()
    scores = clone(baseline).fit(X, truth).decision_function(X)
    np.testing.assert_array_equal(clone(baseline).fit(X, truth).decision_function(X), scores)
    assert not np.array_equal(clone(baseline).set_params(random_state=1).fit(X, truth).decision_function(X), scores)
    turned = clone(baseline).partial_fit(X[::-1], truth[::-1])
    assert not np.array_equal(raw_scores(turned, X), raw_scores(clone(baseline).partial_fit(X, truth), X))


def test_unlabelled_rows_settle_the_scaling_and_nothing_else(baseline):
    X, truth, y = many_rows()
    alone = clone(baseline).fit(X[:40], truth[:40]).decision_function(X)
    np.testing.assert_array_equal(clone(baseline).fit(X, y).decision_function(X), alone)
    scaled = clone(baseline).set_params(scaling="standard")
    few, many = clone(scaled).fit(X[:40], truth[:40]), clone(scaled).fit(X, y)
    assert not np.array_equal(few.decision_function(X), many.decision_function(X))
    columns = many.model_.parts[0].columns
    np.testing.assert_allclose(columns.shift, X.mean(axis=0), atol=1e-12)


def test_frames_sparse_rows_and_sources(baseline, tmp_path):
    X, truth, _ = many_rows()
    scores = clone(baseline).fit(X, truth).decision_function(X)
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    by_name = clone(baseline).fit(frame, truth)
    assert by_name.feature_names_in_.tolist() == ["a", "b", "c"]
    np.testing.assert_array_equal(by_name.decision_function(frame[["c", "a", "b"]]), scores)
    thin = clone(baseline).fit(sparse.csr_array(X), truth)
    np.testing.assert_allclose(thin.decision_function(sparse.csr_array(X)), scores, atol=1e-12)
    np.testing.assert_array_equal(clone(baseline).fit(DenseRows(X), truth).decision_function(DenseRows(X)), scores)
    pieces = (
        clone(baseline).partial_fit(frame[:200], truth[:200]).partial_fit(frame[200:][["b", "c", "a"]], truth[200:])
    )
    pieces.save(tmp_path / "model.safetensors")
    whole = clone(baseline).partial_fit(X, truth)
    np.testing.assert_allclose(raw_scores(pieces, frame), raw_scores(whole, X), atol=1e-12)
    loaded = load_model(tmp_path / "model.safetensors")
    np.testing.assert_array_equal(loaded.decision_function(frame), pieces.decision_function(frame))


def test_calls_may_lack_a_class(baseline):
    X, truth, _ = many_rows()
    positive, negative = X[truth == 1], X[truth == 0]
    baseline.partial_fit(positive[:5], np.ones(5), classes=[0, 1])
    assert baseline.classes_.tolist() == [0, 1]
    assert baseline.offset_ == 0.0
    assert np.ptp(baseline.decision_function(X)) == 0.0
    baseline.partial_fit(negative, np.zeros(len(negative)))
    baseline.partial_fit(positive[5:], np.ones(len(positive) - 5))
    assert baseline.score(X, truth) > 0.7
    baseline.partial_fit(X, truth)
    offset = baseline.offset_
    assert set(baseline.predict(X)) == {0, 1}
    assert baseline.partial_fit(positive[:3], np.ones(3)).offset_ == offset


def test_it_goes_on_after_a_fit_and_starts_anew_with_one(baseline):
    X, truth, _ = many_rows()
    fitted = clone(baseline).fit(X, truth)
    scores = fitted.decision_function(X)
    fitted.partial_fit(X[:50], truth[:50])
    assert fitted.n_steps_ == N_EPOCHS * 400 + 50
    assert not np.array_equal(raw_scores(fitted, X), scores)
    np.testing.assert_array_equal(fitted.fit(X, truth).decision_function(X), scores)


def state(model, X):
    return {name: id(value) for name, value in vars(model).items()}, raw_scores(model, X).tolist()


def test_calls_that_fail_leave_the_model_alone(baseline, monkeypatch):
    X, truth, _ = many_rows()
    baseline.partial_fit(X[:100], truth[:100])
    before = state(baseline, X)
    calls = {
        r"must stay \[0, 1\] .* Got \[0, 2\]; fit to start anew": lambda: baseline.partial_fit(
            X, truth, classes=[0, 2]
        ),
        "got 7": lambda: baseline.partial_fit(X, np.full(400, 7)),
        "X has 2 features": lambda: baseline.partial_fit(X[:, :2], truth),
        "X contains NaN": lambda: baseline.partial_fit(np.where(X > 2, np.nan, X), truth),
    }
    for sentence, call in calls.items():
        with pytest.raises(ValueError, match=sentence):
            call()
        assert state(baseline, X) == before

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(decision, "best_threshold", interrupted)
    with pytest.raises(KeyboardInterrupt):
        baseline.partial_fit(X, truth)
    assert state(baseline, X) == before


def test_what_shapes_a_model_must_stay(baseline):
    X, truth, _ = many_rows()
    baseline.partial_fit(X, truth).set_params(step_size=0.01)
    with pytest.raises(ValueError, match=r"The 'step_size' parameter must stay .* Got 0\.01; fit to start anew\."):
        baseline.partial_fit(X, truth)
    baseline.set_params(step_size=clone(baseline).step_size, max_epochs=3)
    with pytest.raises(ValueError, match="must stay"):
        baseline.partial_fit(X, truth)
    assert baseline.fit(X, truth).n_steps_ == 1200


def test_a_first_call_needs_labelled_rows_and_both_classes(baseline):
    X, _, _ = many_rows()
    with pytest.raises(ValueError, match=r"^The first call of partial_fit needs .* Got 0 positive .*; add labelled"):
        baseline.partial_fit(X, np.full(400, -1), classes=[0, 1])
    with pytest.raises(ValueError, match=r"^The first call of partial_fit needs .* or pass classes="):
        clone(baseline).set_params(pos_label=1).partial_fit(X, np.ones(400))
    with pytest.raises(ValueError, match="y holds only one class"):
        baseline.partial_fit(X, np.ones(400))
    assert set(vars(baseline)) == set(baseline.get_params())


def test_a_call_without_labels_is_told(baseline):
    X, truth, _ = many_rows()
    baseline.partial_fit(X, truth)
    before = state(baseline, X)
    with pytest.warns(UserWarning, match=r"No row of this call is labelled; the model stays as it is\."):
        baseline.partial_fit(X, np.full(400, -1))
    assert state(baseline, X) == before


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
