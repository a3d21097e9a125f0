"""Probabilities and thresholds of S2AUCClassifierCV, and what it is told about the class prior."""

from itertools import pairwise

import numpy as np
import pytest

from s2auc import S2AUCClassifierCV, load_model
from searches import SMALL, moons


def test_probabilities_follow_the_scores_and_the_prior():
    X, y, truth = moons(200, 2000)
    search = S2AUCClassifierCV(**SMALL, random_state=0).fit(X, y)
    probabilities = search.predict_proba(X)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1.0)
    order = np.argsort(search.decision_function(X))
    assert np.all(np.diff(probabilities[order, 1]) >= 0)
    for low, high in pairwise([0.0, 0.3, 0.7, 1.0]):
        inside = (probabilities[200:, 1] >= low) & (probabilities[200:, 1] < high)
        assert abs(probabilities[200:, 1][inside].mean() - truth[200:][inside].mean()) < 0.12
    rare = S2AUCClassifierCV(**SMALL, class_prior=0.01, random_state=0).fit(X, y)
    ranked = search.decision_function(X) + search.offset_
    np.testing.assert_allclose(rare.decision_function(X) + rare.offset_, ranked)
    np.testing.assert_array_equal(search.predict(X), np.argmax(probabilities, axis=1))
    assert rare.predict_proba(X)[:, 1].mean() < 0.5 * probabilities[:, 1].mean()


def test_thresholds_serve_the_metric_that_was_named():
    random = np.random.default_rng(0)
    truth = random.random(1200) < 0.15
    X = random.normal(size=(1200, 2)) + truth[:, None]
    y = np.where(np.arange(1200) < 400, truth.astype(int), -1)
    balanced, accurate = (
        S2AUCClassifierCV(**SMALL, threshold=threshold, random_state=0).fit(X, y)
        for threshold in ("balanced_accuracy", "accuracy")
    )
    assert np.mean(accurate.predict(X) == 1) < np.mean(balanced.predict(X) == 1)
    ranked = balanced.decision_function(X) + balanced.offset_
    np.testing.assert_allclose(accurate.decision_function(X) + accurate.offset_, ranked)


def test_thresholds_know_the_prior():
    X, y, _ = moons(200, 1000)
    common, rare = (
        S2AUCClassifierCV(**SMALL, threshold="accuracy", class_prior=prior, random_state=0).fit(X, y)
        for prior in (0.5, 0.02)
    )
    assert np.mean(rare.predict(X)) < np.mean(common.predict(X))


FAST = SMALL | {"scalings": ("standard",), "alphas": (1e-2,), "cv": 3, "judge": False, "random_state": 0}


def normals(n_positive=150, n_negative=150, n_unlabeled=2000, prior=0.3, gap=2.0, seed=0):
    """Two normals in the plane, `gap` apart along the first column: log-odds are gap·x - gap²/2 + logit(prior)."""
    rng = np.random.default_rng(seed)
    truth = np.concatenate([np.repeat([1, 0], [n_positive, n_negative]), rng.random(n_unlabeled) < prior]).astype(int)
    X = rng.normal(size=(len(truth), 2)) + np.stack([gap * truth, 0 * truth], axis=1)
    y = np.where(np.arange(len(truth)) < n_positive + n_negative, truth, -1)
    odds = np.exp(gap * X[:, 0] - gap * gap / 2) * prior / (1 - prior)
    return X, y, truth, odds / (1 + odds)


@pytest.mark.parametrize("threshold", [0.1, 0.3, 0.5, 0.8])
@pytest.mark.parametrize("n_negative", [150, 0])
def test_a_probability_as_threshold_agrees_with_the_probabilities_on_every_row(threshold, n_negative):
    X, y, _, _ = normals(n_negative=n_negative)
    search = S2AUCClassifierCV(threshold=threshold, class_prior=0.3, pos_label=1, **FAST).fit(X, y)
    probabilities = search.predict_proba(X)[:, 1]
    np.testing.assert_array_equal(search.predict(X) == 1, probabilities >= threshold)
    assert 0.02 < np.mean(probabilities >= threshold) < 0.98
    if threshold == 0.5:
        usual = S2AUCClassifierCV(class_prior=0.3, pos_label=1, **FAST).fit(X, y)
        np.testing.assert_array_equal(usual.decision_function(X), search.decision_function(X))


@pytest.mark.parametrize("share", [0.01, 0.2, 1.0])
@pytest.mark.parametrize("n_negative", [150, 0])
def test_alerts_are_a_share_of_the_unlabelled_rows(share, n_negative):
    X, y, _, _ = normals(n_negative=n_negative)
    search = S2AUCClassifierCV(threshold=("alerts", share), pos_label=1, **FAST).fit(X, y)
    alerts = np.mean(search.predict(X[y == -1]) == 1)
    assert share - 1.5 / 2000 <= alerts <= share


def test_alerts_are_a_share_of_the_held_out_rows_where_none_are_unlabelled():
    X, y, _, _ = normals(n_unlabeled=0)
    search = S2AUCClassifierCV(threshold=("alerts", 0.2), **FAST).fit(X, y)
    assert np.mean(search.predict(X) == 1) == pytest.approx(0.2, abs=0.04)
    # If few of the rows to come are positive, fewer are above.
    rare = S2AUCClassifierCV(threshold=("alerts", 0.2), class_prior=0.05, **FAST).fit(X, y)
    assert rare.offset_ < search.offset_


@pytest.mark.parametrize("n_negative", [300, 0])
def test_precision_and_recall_are_those_of_new_rows(n_negative):
    X, y, _, _ = normals(n_positive=300, n_negative=n_negative)
    new, _, new_truth, _ = normals(0, 0, 20_000, seed=1)
    for threshold, other in ((("precision", 0.8), ("precision", 0.95)), (["recall", 0.9], ("recall", 0.5))):
        search, stricter = (
            S2AUCClassifierCV(threshold=given, class_prior=0.3, pos_label=1, **FAST).fit(X, y)
            for given in (threshold, other)
        )
        predicted = search.predict(new) == 1
        reached = new_truth[predicted].mean() if threshold[0] == "precision" else predicted[new_truth == 1].mean()
        assert reached == pytest.approx(threshold[1], abs=0.06)
        assert stricter.offset_ > search.offset_


@pytest.mark.parametrize("class_prior", [0.3, "estimate"])
def test_without_negative_rows_probabilities_are_calibrated(class_prior, tmp_path):
    X, y, _, truth = normals(n_positive=300, n_negative=0, n_unlabeled=3000)
    search = S2AUCClassifierCV(class_prior=class_prior, pos_label=1, **FAST).fit(X, y)
    if class_prior == "estimate":
        assert search.class_prior_ == pytest.approx(0.3, abs=0.1)
    else:
        assert search.class_prior_ == 0.3
    probabilities = search.predict_proba(X)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1.0)
    unlabeled = y == -1
    assert probabilities[unlabeled, 1].mean() == pytest.approx(search.class_prior_, abs=0.02)
    assert np.all(np.diff(probabilities[np.argsort(search.decision_function(X)), 1]) >= 0)
    if class_prior == 0.3:
        for low, high in pairwise([0.0, 0.1, 0.3, 0.7, 1.0]):
            inside = unlabeled & (probabilities[:, 1] >= low) & (probabilities[:, 1] < high)
            assert probabilities[inside, 1].mean() == pytest.approx(truth[inside].mean(), abs=0.08)
    search.save(tmp_path / "model")
    loaded = load_model(tmp_path / "model")
    np.testing.assert_array_equal(loaded.predict_proba(X), probabilities)
    np.testing.assert_array_equal(loaded.predict(X), search.predict(X))


def test_an_estimated_prior_moves_probabilities_where_both_classes_are_labelled():
    X, y, _, truth = normals(prior=0.1)
    plain, estimated = (S2AUCClassifierCV(class_prior=given, **FAST).fit(X, y) for given in (None, "estimate"))
    assert plain.class_prior_ is None
    assert estimated.class_prior_ == pytest.approx(0.1, abs=0.05)
    means = [model.predict_proba(X[y == -1])[:, 1].mean() for model in (plain, estimated)]
    assert abs(means[1] - truth[y == -1].mean()) < 0.05 < abs(means[0] - truth[y == -1].mean())


def test_without_negative_rows_and_prior_there_are_no_probabilities():
    X, y, _, _ = normals(n_negative=0, n_unlabeled=300)
    search = S2AUCClassifierCV(pos_label=1, **FAST)
    # Before a fit it is not known whether there will be any.
    assert hasattr(search, "predict_proba")
    search.fit(X, y)
    assert not hasattr(search, "predict_proba")
    with pytest.raises(AttributeError, match=r"needs the share of positive rows .* Got class_prior=None; fit with"):
        search.predict_proba  # noqa: B018
    assert search.class_prior_ is None
    assert 0.02 < np.mean(search.predict(X[y == -1]) == 1) < 0.98


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"threshold": 0.3}, r"'threshold' .* must not ask for probability 0\.3 where only positive rows are labelled"),
        ({"threshold": ("precision", 0.8)}, r"'threshold' .* must not ask for precision 0\.8 where only positive rows"),
        ({"class_prior": "estimate"}, r"'class_prior' .* must be a number or None where no rows are unlabelled"),
    ],
)
def test_what_cannot_be_told_from_the_rows_is_refused_before_any_work(settings, message, monkeypatch):
    X, y, _, _ = normals(n_negative=0, n_unlabeled=300)
    if "class_prior" in settings:
        X, y, _, _ = normals(n_unlabeled=0)
    monkeypatch.setattr("s2auc.estimators.search_plan.make_grid", lambda *_: pytest.fail("work was begun"))
    search = S2AUCClassifierCV(**settings, pos_label=1, **FAST)
    before = dict(vars(search))
    with pytest.raises(ValueError, match=rf"^The {message}[^\n]*\. Got [^\n]*; pass [^\n]*\.$"):
        search.fit(X, y)
    assert vars(search) == before


@pytest.mark.parametrize("threshold", [("recall", 0.9), ("alerts", 0.1), "f1", None])
def test_other_thresholds_need_no_prior(threshold):
    X, y, _, _ = normals(n_negative=0, n_unlabeled=300)
    search = S2AUCClassifierCV(threshold=threshold, pos_label=1, **FAST).fit(X, y)
    assert np.isfinite(search.offset_)


@pytest.mark.parametrize(
    "threshold",
    [
        0,
        1,
        0.0,
        1.0,
        -0.5,
        True,
        float("nan"),
        "precision",
        ("precision",),
        ("precision", 0),
        ("recall", 1.5),
        ("speed", 0.5),
        (0.5, "recall"),
        ("alerts", "few"),
        ("alerts", True),
        {"recall": 0.5},
        np.array([0.3, 0.4]),
    ],
)
def test_thresholds_that_say_nothing_are_refused(threshold):
    X, y, _, _ = normals(20, 20, 50)
    with pytest.raises(ValueError, match=r"^The 'threshold' parameter of S2AUCClassifierCV must be a str among"):
        S2AUCClassifierCV(threshold=threshold, **FAST).fit(X, y)


def test_weights_settle_probabilities_and_thresholds():
    """Weights that make positive rows rare do what a class prior would do."""
    X, y, _, _ = normals(n_unlabeled=500)
    weight = np.where(y == 1, 0.1, 1.0)
    weighted, given = (
        S2AUCClassifierCV(**FAST, class_prior=prior).fit(X, y, sample_weight=of_rows)
        for prior, of_rows in ((None, weight), (1 / 11, None))
    )
    np.testing.assert_allclose(weighted.predict_proba(X), given.predict_proba(X), atol=0.1)
    plain = S2AUCClassifierCV(**FAST).fit(X, y)
    assert np.abs(plain.predict_proba(X) - weighted.predict_proba(X)).max() > 0.4
