"""Forests, against those of scikit-learn."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.ensemble import ExtraTreesClassifier

from s2auc.common.groups import PositiveFirst
from s2auc.common.randomness import derived_seed
from s2auc.data.features.scaling import ColumnView
from s2auc.search.entries import forest as forest_entry
from s2auc.search.entries.forest import ForestEntry
from s2auc.search.plan import WHOLE
from trainings import ORDER, make_training

pytestmark = pytest.mark.usefixtures("few_trees")


@pytest.mark.parametrize("max_features", ["sqrt", 0.5])
def test_scores_are_probabilities_of_forests_without_the_left_out_rows(max_features):
    entry = ForestEntry(max_features)
    training = make_training(entry, seed=3)
    trained = entry.train(training)
    n_masks = training.plan.is_trained.shape[1]
    assert trained.scores.shape == (1, n_masks, len(training.rows.followed))
    assert trained.scores.dtype == np.float32
    X = training.scaled(ColumnView("standard")).astype(np.float32)
    for mask in range(n_masks):
        used = np.flatnonzero(training.plan.is_trained[:, mask])
        forest = ExtraTreesClassifier(
            forest_entry.N_TREES if mask == WHOLE else forest_entry.N_FOLD_TREES,
            max_features=max_features,
            random_state=derived_seed(3, "trees", str(max_features), str(mask)) % 2**32,
        ).fit(X[used], ORDER.is_positive[used])
        expected = forest.predict_proba(X[training.rows.followed])[:, 1]
        np.testing.assert_allclose(trained.scores[0, mask], expected, atol=1e-6)


def test_the_part_is_the_forest_of_all_rows_with_its_share():
    entry = ForestEntry("sqrt")
    training = make_training(entry)
    trained = entry.train(training)
    part = trained.part({0: 2.5})
    assert len(part.tables.first) == forest_entry.N_TREES
    found = part.score(training.rows.X[training.rows.followed])
    np.testing.assert_allclose(found, 2.5 * trained.scores[0, WHOLE], rtol=1e-6)
    assert trained.common.share == 1.0


def test_leaves_hold_as_many_rows_as_asked_for():
    entry = ForestEntry("sqrt", min_samples_leaf=5)
    training = make_training(entry)
    part = entry.train(training).part({0: 1.0})
    # 18 rows: five a leaf at least.
    assert (part.column == -1).sum() <= 3 * len(part.tables.first)


def test_with_very_many_rows_a_tree_learns_from_some(monkeypatch):
    monkeypatch.setattr(forest_entry, "MAX_ROWS", 5)
    entry = ForestEntry("sqrt")
    training = make_training(entry)
    part = entry.train(training).part({0: 1.0})
    # Five rows make five leaves at most.
    assert (part.column == -1).sum() <= 5 * len(part.tables.first)


def test_forests_that_judge_are_as_large_as_asked_for(monkeypatch):
    sizes = []
    whole = forest_entry.TreePart.of_forest

    def count(columns, forest):
        sizes.append(len(forest.estimators_))
        return whole(columns, forest)

    monkeypatch.setattr(forest_entry.TreePart, "of_forest", count)
    entry = ForestEntry("sqrt", fold_trees=5, pair_trees=3)
    training = make_training(entry)
    entry.train(training)
    n_folds = training.plan.n_folds
    assert sizes == [forest_entry.N_TREES] + [5] * n_folds + [3] * len(training.plan.pair_masks)


def test_a_split_looks_at_a_bounded_number_of_columns(monkeypatch):
    monkeypatch.setattr(forest_entry, "MAX_FEATURES", 1)
    one, all_of_them = (ForestEntry(share) for share in (0.9, 1.0))
    scores = [entry.train(make_training(entry)).scores for entry in (one, all_of_them)]
    assert len(np.unique(scores[0])) > 1
    forest = one._forest(0, 18, 4, seed=0)
    assert forest.max_features == 0.25


def weighted_training(entry, weight, X=None):
    training = make_training(entry, labeled=X)
    order = PositiveFirst(ORDER.n_positive, ORDER.n_negative, weight)
    return replace(training, rows=replace(training.rows, order=order))


def test_scores_are_probabilities_of_forests_of_weighted_rows():
    entry, weight = ForestEntry(1.0), np.random.default_rng(0).uniform(0.1, 3.0, ORDER.n_rows).astype(np.float32)
    training = weighted_training(entry, weight)
    trained = entry.train(training)
    X = training.scaled(ColumnView("standard")).astype(np.float32)
    for mask in (WHOLE, 1, 3):
        used = np.flatnonzero(training.plan.is_trained[:, mask])
        forest = ExtraTreesClassifier(
            forest_entry.N_TREES if mask == WHOLE else forest_entry.N_FOLD_TREES,
            max_features=1.0,
            min_weight_fraction_leaf=0.5 / len(used),
            random_state=derived_seed(0, "trees", "1.0", str(mask)) % 2**32,
        ).fit(X[used], ORDER.is_positive[used], sample_weight=weight[used])
        expected = forest.predict_proba(X[training.rows.followed])[:, 1]
        np.testing.assert_allclose(trained.scores[0, mask], expected, atol=1e-6)


@pytest.mark.parametrize("min_samples_leaf", [1, 40])
def test_rows_of_next_to_no_weight_do_not_matter(min_samples_leaf):
    """They have the place of the other class's rows; in leaves of their own they would turn the ranking round there."""
    is_light = np.arange(ORDER.n_rows) % 3 == 0
    X = (ORDER.is_positive != is_light)[:, None] * np.ones(3) + 0.1 * np.random.default_rng(0).normal(size=(18, 3))
    entry = ForestEntry(1.0, min_samples_leaf=min_samples_leaf)
    scores = entry.train(weighted_training(entry, np.where(is_light, 1e-6, 1.0), X)).scores[0, WHOLE]
    if min_samples_leaf == 1:
        expected = (ORDER.is_positive != is_light).astype(float)
        np.testing.assert_allclose(scores[: ORDER.n_rows], expected, atol=1e-4)
    else:
        # No leaf can hold as many rows: there is one, with the share of positive rows among those that count.
        np.testing.assert_allclose(scores, 5 / 12, atol=1e-4)


def test_forests_have_seeds_of_their_own():
    entry = ForestEntry("sqrt")
    first, again, other = (entry.train(make_training(entry, seed=seed)) for seed in (0, 0, 1))
    np.testing.assert_array_equal(first.scores, again.scores)
    assert np.abs(first.scores - other.scores).max() > 0.05
    assert np.abs(first.scores - ForestEntry(1.0).train(make_training(entry)).scores).max() > 0.05


def test_settings():
    (setting,) = ForestEntry(0.5).settings
    words = {"max_features": 0.5, "min_samples_leaf": 1}
    assert (setting.member, setting.family, setting.parameters) == ("trees", "trees", words)
    assert setting.is_usual
    assert not setting.uses_unlabeled
    assert setting.n_frequencies == 0
