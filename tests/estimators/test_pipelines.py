"""Unlabelled rows in a pipeline: which ways take them through the transformers, and which is warned of."""

import numpy as np
import pytest
from sklearn import config_context
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

from s2auc import S2AUCClassifierCV

SMALL = {"alphas": [0.1], "kernels": ["gaussian"], "kernel_gammas": ["median"], "scalings": ["none"]}
SMALL |= {"column_weightings": ["none"], "neighbor_weights": [0], "members": ["kernels"], "judge": False}
X = 100.0 + 5.0 * np.random.default_rng(0).normal(size=(400, 3))
TRUTH = (X[:, 0] > 100).astype(int)
LABELED, POOL = slice(60), slice(60, None)


def small():
    return S2AUCClassifierCV(**SMALL, random_state=0)


def by_hand():
    """Return scores of a model of rows that are scaled as the labelled ones are."""
    scaler = StandardScaler().fit(X[LABELED])
    ranker = small().fit(scaler.transform(X[LABELED]), TRUTH[LABELED], scaler.transform(X[POOL]))
    return ranker.decision_function(scaler.transform(X[POOL]))


def test_a_pipeline_leaves_the_pool_as_it_is_which_the_warning_names():
    pipeline = make_pipeline(StandardScaler(), small())
    sentence = "rows differ in column .* A Pipeline hands X_unlabeled over untransformed: .* mark them in y instead"
    with pytest.warns(UserWarning, match=sentence):
        pipeline.fit(X[LABELED], TRUTH[LABELED], s2aucclassifiercv__X_unlabeled=X[POOL])
    assert not np.allclose(pipeline.decision_function(X[POOL]), by_hand())


def test_a_shift_within_x_does_not_name_the_pipeline():
    y = np.where(np.arange(400) < 60, TRUTH, -1)
    moved = np.where((y == -1)[:, None], X + 50.0, X)
    with pytest.warns(UserWarning, match=r"picked for labelling\.$"):
        small().fit(moved, y)


def test_a_shifted_pool_without_a_pipeline_does_not_name_one():
    with pytest.warns(UserWarning, match=r"picked for labelling\.$"):
        small().fit(X[LABELED], TRUTH[LABELED], X[POOL] + 50.0)


def test_rows_that_are_marked_go_through_the_transformers():
    y = np.where(np.arange(400) < 60, TRUTH, -1)
    pipeline = make_pipeline(StandardScaler(), small()).fit(X, y)
    scaled = StandardScaler().fit_transform(X)
    np.testing.assert_array_equal(pipeline.decision_function(X), small().fit(scaled, y).decision_function(scaled))


def test_metadata_routing_can_transform_the_pool():
    with config_context(enable_metadata_routing=True):
        last = small().set_fit_request(X_unlabeled=True)
        pipeline = Pipeline([("scaler", StandardScaler()), ("ranker", last)], transform_input=["X_unlabeled"])
        pipeline.fit(X[LABELED], TRUTH[LABELED], X_unlabeled=X[POOL])
    np.testing.assert_array_equal(pipeline.decision_function(X[POOL]), by_hand())
