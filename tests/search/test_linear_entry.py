"""Linear functions of the columns, against minimisers from all pairs."""

import numpy as np
import pytest
from scipy.sparse import csr_array

import reference
from s2auc.data.features.scaling import ColumnView
from s2auc.search.entries import linear as linear_entry
from s2auc.search.entries import linear as linear_models
from s2auc.search.entries.linear import LinearEntry, WideLinearEntry, WideRows
from s2auc.search.plan import WHOLE
from trainings import N_POSITIVE, make_training, make_wide

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
    monkeypatch.setattr(linear_models, "MANY_COLUMNS", many)
    entry = LinearEntry(ColumnView("standard"), ALPHAS)
    training = make_training(entry, labeled=widened(n_columns))
    trained = entry.train(training)
    n_masks = training.plan.is_trained.shape[1]
    assert trained.scores.shape == (3, n_masks, len(training.rows.followed))
    assert trained.scores.dtype == np.float32
    # Columns over the root of their number, so that alphas mean the same for any.
    check_scores(trained, training, training.scaled(ColumnView("standard")) / np.sqrt(n_columns))


def check_scores(trained, training, X):
    """Compare scores under every mask with those of the minimisers over all pairs of its rows."""
    for mask in range(training.plan.is_trained.shape[1]):
        used = np.flatnonzero(training.plan.is_trained[:, mask])
        sizes = {"positive": int((used < N_POSITIVE).sum()), "negative": int((used >= N_POSITIVE).sum())}
        terms = reference.semi_supervised_terms("square", 1.0, sizes, "all")
        for place, alpha in enumerate(ALPHAS):
            w = reference.linear_minimiser(X[used], *reference.quadratic_risk(terms, sizes), alpha)
            expected = X[training.rows.followed] @ w
            np.testing.assert_allclose(trained.scores[place, mask], expected, rtol=1e-5, atol=1e-6)


def test_scores_of_all_columns_are_those_of_minimisers_on_rows_of_mean_square_length_one():
    wide = make_wide()
    entry = WideLinearEntry(wide, ALPHAS)
    training = make_training(entry)
    trained = entry.train(training)
    assert trained.scores.dtype == np.float32
    X = wide.rows.toarray()
    X /= np.sqrt(np.square(X).sum(axis=1).mean())
    check_scores(trained, training, X)
    part = trained.part({0: 0.5, 2: 2.0})
    followed = wide.rows.toarray()[training.rows.followed] / wide.units
    expected = 0.5 * trained.scores[0, WHOLE] + 2.0 * trained.scores[2, WHOLE]
    np.testing.assert_allclose(part.score(followed), expected, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(part.score(csr_array(followed)), part.score(followed), rtol=1e-10)


def test_rows_without_values_have_functions_of_nothing():
    wide = WideRows(csr_array((78, 40)), np.ones(40))
    trained = (entry := WideLinearEntry(wide, ALPHAS)).train(make_training(entry))
    assert not trained.scores.any()
    assert not trained.numbers["weights"].any()


def test_dense_rows_have_no_more_equations_than_followed_rows(monkeypatch):
    monkeypatch.setattr("s2auc.solvers.batches.LABELED_LIMIT", 8)
    monkeypatch.setattr(linear_entry, "MANY_COLUMNS", 2)
    sizes = []

    def fit(labeled, *arguments):
        sizes.append(labeled.shape)
        return fit_linear(labeled, *arguments)

    fit_linear = linear_models.fit_linear
    monkeypatch.setattr(linear_entry, "fit_linear", fit)
    for entry in (WideLinearEntry(make_wide(), ALPHAS), LinearEntry(ColumnView("standard"), ALPHAS)):
        entry.train(make_training(entry))
    # Sparse rows are never too many: nothing is formed of them where they are.
    assert sizes == [(18, 40), (8, 3)]


def test_a_part_is_the_weighted_sum_of_the_models_of_all_rows():
    entry = LinearEntry(ColumnView("rank"), ALPHAS)
    training = make_training(entry)
    trained = entry.train(training)
    found = trained.part({0: 0.5, 2: 2.0}).score(training.rows.X[training.rows.followed])
    expected = 0.5 * trained.scores[0, WHOLE] + 2.0 * trained.scores[2, WHOLE]
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)


def test_settings_of_all_columns():
    settings = WideLinearEntry(make_wide(), ALPHAS).settings
    assert [setting.parameters for setting in settings] == [{"columns": "all", "alpha": alpha} for alpha in ALPHAS]
    assert [setting.is_usual for setting in settings] == [False, True, False]
    assert {(setting.member, setting.family) for setting in settings} == {("linear", "all columns")}
    assert not any(setting.uses_unlabeled or setting.n_frequencies for setting in settings)


def test_settings():
    settings = LinearEntry(ColumnView("standard"), ALPHAS).settings
    assert [setting.parameters for setting in settings] == [{"scaling": "standard", "alpha": alpha} for alpha in ALPHAS]
    assert [setting.is_usual for setting in settings] == [False, True, False]
    assert {(setting.member, setting.family) for setting in settings} == {("linear", "linear")}
    assert not any(setting.uses_unlabeled or setting.n_frequencies for setting in settings)
