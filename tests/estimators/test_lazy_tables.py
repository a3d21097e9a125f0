"""Tables that are read when they are needed: the models of the same rows in memory, from one pass over the rows."""

import numpy as np
import pandas as pd
import pytest

from bad_inputs import NAMES, make_estimator
from lazy_tables import LazyFrame, LazyLabels
from s2auc import S2AUCClassifier, S2AUCClassifierCV
from s2auc.data.labels.labels import read_labels

N_ROWS = 1_500
RNG = np.random.default_rng(0)
FRAME = pd.DataFrame(RNG.normal(size=(N_ROWS, 3)), columns=["a", "b", "c"])
TRUTH = (FRAME["a"] + 0.5 * RNG.normal(size=N_ROWS) > 0).to_numpy().astype(int)
Y = np.where(np.arange(N_ROWS) % 60 == 7, TRUTH, -1)


@pytest.mark.usefixtures("few_trees")
@pytest.mark.parametrize("name", NAMES)
def test_lazy_tables_give_the_models_of_frames(name):
    lazy = LazyFrame(FRAME)
    model = make_estimator(name).fit(lazy, LazyLabels(Y))
    same = make_estimator(name).fit(FRAME, Y)
    scores = same.decision_function(FRAME)
    np.testing.assert_array_equal(model.decision_function(LazyFrame(FRAME)), scores)
    np.testing.assert_array_equal(model.predict(LazyFrame(FRAME)), same.predict(FRAME))
    np.testing.assert_array_equal(model.model_.decision_function(LazyFrame(FRAME)), scores)
    assert model.score(LazyFrame(FRAME), LazyLabels(TRUTH)) == same.score(FRAME, TRUTH)
    assert model.feature_names_in_.tolist() == ["a", "b", "c"]
    if name.startswith("S2AUC"):
        assert len(lazy.passes) == 1, "one pass gives labelled rows, the sample and all rows that steps draw"


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"labeled_weight": 1.0},
        {"neighbor_weight": 1.0},
        {"solver": "exact"},
        {"scaling": "rank", "column_weighting": "auc"},
    ],
    ids=str,
)
def test_single_fits_read_once(parameters):
    lazy, pool = LazyFrame(FRAME[:500]), LazyFrame(FRAME[500:])
    model = S2AUCClassifier(max_iter=8, random_state=0, **parameters)
    scores = model.fit(lazy, LazyLabels(Y[:500]), X_unlabeled=pool).decision_function(FRAME)
    assert len(lazy.passes) == len(pool.passes) == 1
    same = S2AUCClassifier(max_iter=8, random_state=0, **parameters).fit(FRAME[:500], Y[:500], FRAME[500:])
    np.testing.assert_array_equal(scores, same.decision_function(FRAME))


def test_going_on_reads_once_a_call():
    ranker, same = (S2AUCClassifier(max_iter=4, random_state=0) for _ in range(2))
    for rows in (slice(0, 700), slice(700, None)):
        lazy = LazyFrame(FRAME[rows])
        ranker.partial_fit(lazy, LazyLabels(Y[rows]))
        same.partial_fit(FRAME[rows], Y[rows])
        assert len(lazy.passes) == 1
    np.testing.assert_array_equal(ranker.decision_function(FRAME), same.decision_function(FRAME))


@pytest.mark.parametrize(
    "parameters",
    [{}, {"threshold": ("alerts", 0.05)}, {"pos_label": 1, "class_prior": 0.5}, {"cv": 3, "members": ["kernels"]}],
    ids=str,
)
@pytest.mark.usefixtures("few_trees")
def test_searches_read_once(parameters):
    labels = np.where(Y == 1, 1, -1) if "pos_label" in parameters else Y
    lazy = LazyFrame(FRAME)
    small = {
        "kernels": ["gaussian"],
        "kernel_gammas": ["median"],
        "alphas": [1e-2],
        "n_frequencies": 16,
        "judge": False,
        "random_state": 0,
    }
    model = S2AUCClassifierCV(**small, **parameters).fit(lazy, LazyLabels(labels))
    assert len(lazy.passes) == 1
    same = S2AUCClassifierCV(**small, **parameters).fit(FRAME, labels)
    np.testing.assert_array_equal(model.decision_function(FRAME), same.decision_function(FRAME))
    assert model.offset_ == same.offset_


LABELS = {
    "numbers": np.array([0.0, 1.0, np.nan, np.nan, 1.0, 0.0, np.nan, np.nan]),
    "text": np.array([None, None, "ham", "spam", None, None, None, "a very long name"[:4]], dtype=object),
    "booleans": np.array([True, None, None, None, False, None, True, None], dtype=object),
    "integers": np.array([-1, -1, -1, 5, 7, -1, -1, 7]),
}


@pytest.mark.parametrize("kind", LABELS)
@pytest.mark.parametrize("chunk_rows", [1, 2, 3, 100])
def test_labels_come_in_chunks(kind, chunk_rows):
    y = np.where(LABELS[kind] == "a ve", "spam", LABELS[kind]) if kind == "text" else LABELS[kind]
    whole, found = read_labels(y), read_labels(LazyLabels(y, chunk_rows))
    assert found.classes.tolist() == whole.classes.tolist()
    for name in ("positive", "negative"):
        np.testing.assert_array_equal(getattr(found, name), getattr(whole, name))
    assert (found.n_rows, found.n_unlabeled) == (whole.n_rows, whole.n_unlabeled) == (8, whole.is_unlabeled.sum())


def test_categories_may_occur_in_either_table():
    cities = np.array(["Oslo", "Rome", "Lima"])
    frame = FRAME.assign(city=cities[np.arange(N_ROWS) % 3])
    few = frame[:600].assign(city=cities[np.arange(600) % 2])
    lazy = S2AUCClassifier(max_iter=4, random_state=0).fit(LazyFrame(few), LazyLabels(Y[:600]), LazyFrame(frame[600:]))
    plain = S2AUCClassifier(max_iter=4, random_state=0).fit(few, Y[:600], frame[600:])
    assert lazy.model_.schema == plain.model_.schema
    np.testing.assert_array_equal(lazy.decision_function(frame), plain.decision_function(frame))
