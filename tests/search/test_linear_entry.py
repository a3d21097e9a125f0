"""Linear functions of the columns, against minimisers from all pairs."""

import numpy as np
import pytest

import reference
from s2auc.search import linear_entry
from s2auc.search.linear_entry import LinearEntry
from s2auc.search.plan import WHOLE
from trainings import N_POSITIVE, make_training

ALPHAS = (1e-3, 1e-1, 1.0)
WIDE = 40


def widened(n_columns):
    """Labelled rows of so many columns: with more columns than rows another closed form is taken."""
    rng = np.random.default_rng(5)
    labeled = rng.normal(size=(18, n_columns))
    labeled[:N_POSITIVE, 0] += 1.0
    return labeled


@pytest.mark.parametrize(("n_columns", "many"), [(3, 1000), (WIDE, 1000), (WIDE, WIDE - 1)])
def test_scores_are_those_of_minimisers_without_the_left_out_rows(n_columns, many, monkeypatch):
    monkeypatch.setattr(linear_entry, "MANY_COLUMNS", many)
    entry = LinearEntry("standard", ALPHAS)
    training = make_training(entry, labeled=widened(n_columns))
    trained = entry.train(training)
    n_masks = training.plan.is_trained.shape[1]
    assert trained.scores.shape == (3, n_masks, len(training.rows.followed))
    assert trained.scores.dtype == np.float32
    # Columns over the root of their number, so that alphas mean the same for any.
    X = training.scaled("standard") / np.sqrt(n_columns)
    for mask in range(n_masks):
        used = np.flatnonzero(training.plan.is_trained[:, mask])
        sizes = {"positive": int((used < N_POSITIVE).sum()), "negative": int((used >= N_POSITIVE).sum())}
        terms = reference.semi_supervised_terms("square", 1.0, sizes, "all")
        for place, alpha in enumerate(ALPHAS):
            w = reference.linear_minimiser(X[used], *reference.quadratic_risk(terms, sizes), alpha)
            expected = X[training.rows.followed] @ w
            np.testing.assert_allclose(trained.scores[place, mask], expected, rtol=1e-5, atol=1e-6)


def test_a_part_is_the_weighted_sum_of_the_models_of_all_rows():
    entry = LinearEntry("rank", ALPHAS)
    training = make_training(entry)
    trained = entry.train(training)
    found = trained.part({0: 0.5, 2: 2.0}).score(training.rows.X[training.rows.followed])
    expected = 0.5 * trained.scores[0, WHOLE] + 2.0 * trained.scores[2, WHOLE]
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)


def test_settings():
    settings = LinearEntry("standard", ALPHAS).settings
    assert [setting.parameters for setting in settings] == [{"scaling": "standard", "alpha": alpha} for alpha in ALPHAS]
    assert [setting.is_usual for setting in settings] == [False, True, False]
    assert {(setting.member, setting.family) for setting in settings} == {("linear", "linear")}
    assert not any(setting.uses_unlabeled or setting.n_frequencies for setting in settings)
