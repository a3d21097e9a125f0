"""The classifier keeps its promises about labels and scores."""

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import roc_auc_score

from classifier_rows import N_LABELED, fast, make_rows

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
    assert model.score(X, classes[truth]) == pytest.approx(roc_auc_score(truth, scores), rel=1e-12)


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
    with pytest.raises(ValueError, match=r"Got 0 positive and 0 negative rows, and 400 that are .*; add"):
        model.score(X, np.full(400, -1))
    with pytest.raises(ValueError, match=r"y should hold the classes \[0, 1\] and unlabelled rows only, got 2"):
        model.score(X, truth + 1)
    with pytest.raises(ValueError, match=r"inconsistent numbers of samples: X has 400 rows and y has 399; pass"):
        model.score(X, truth[1:])
    with pytest.raises(ValueError, match=r"for each of the 400 rows of X. Got shape \(3,\); pass"):
        model.score(X, truth, sample_weight=[1, 2, 3])


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
