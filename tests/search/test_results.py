"""The table of everything that was tried."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV

from s2auc.common.groups import PositiveFirst
from s2auc.search.grids.make_grid import GridSpec, make_grid
from s2auc.search.grids.spaces import PARAMETERS
from s2auc.search.results import make_results
from s2auc.solvers.qsg.qsg import QSG

WANTED = GridSpec(
    scalings=["standard"],
    kernels=["gaussian"],
    kernel_gammas=[0.5, "0.1 median"],
    alphas=[0.01, 0.1],
    labeled_weights=[1.0, 0.5],
    max_iters=[8, 16],
    members=["kernels"],
)
SETTINGS = [setting.parameters for setting in make_grid(WANTED, QSG(), PositiveFirst(20, 20), n_unlabeled=100).settings]


def random_aucs(seed, n_folds=5):
    """Some of them equal."""
    return np.random.default_rng(seed).integers(50, 60, (len(SETTINGS), n_folds)) / 100


@given(st.integers(0, 2**32), st.integers(1, 6))
def test_results_are_a_table_of_all_settings(seed, n_folds):
    fold_auc = random_aucs(seed, n_folds)
    results = make_results(SETTINGS, fold_auc)
    assert results["params"] == SETTINGS
    for name in PARAMETERS:
        column = results[f"param_{name}"]
        assert isinstance(column, np.ma.MaskedArray)
        assert not np.ma.is_masked(column)
        assert column.tolist() == [entry[name] for entry in results["params"]]
    for fold in range(n_folds):
        np.testing.assert_array_equal(results[f"split{fold}_test_score"], fold_auc[:, fold])
    assert f"split{n_folds}_test_score" not in results
    means = [sum(row) / n_folds for row in fold_auc.tolist()]
    np.testing.assert_allclose(results["mean_test_score"], means, rtol=1e-12)
    spread = [(sum((v - m) ** 2 for v in row) / n_folds) ** 0.5 for row, m in zip(fold_auc, means, strict=True)]
    np.testing.assert_allclose(results["std_test_score"], spread, atol=1e-9)
    ranks = [1 + sum(other > mean + 1e-9 for other in means) for mean in means]
    assert results["rank_test_score"].tolist() == ranks


def test_numbers_and_texts_stand_beside_each_other_as_they_are():
    column = make_results(SETTINGS, random_aucs(0))["param_kernel_gamma"]
    assert column.dtype == object
    assert set(column.tolist()) == {0.5, "0.1 median"}
    assert make_results(SETTINGS, random_aucs(0))["param_alpha"].dtype == np.float64
    assert make_results(SETTINGS, random_aucs(0))["param_max_iter"].dtype.kind == "i"


def test_what_a_setting_does_not_have_is_masked():
    settings = [{"alpha": 0.1, "n": 3}, {"alpha": 1.0}, {"max_features": "sqrt"}, {"max_features": 0.5}]
    results = make_results(settings, np.full((4, 2), 0.7))
    assert results["params"] == settings
    assert results["param_alpha"].tolist() == [0.1, 1.0, None, None]
    assert results["param_n"].tolist() == [3, None, None, None]
    assert results["param_max_features"].tolist() == [None, None, "sqrt", 0.5]
    assert results["param_alpha"].dtype == np.float64
    assert results["param_n"].dtype.kind == "i"
    assert results["param_max_features"].dtype == object


def test_without_folds_nothing_is_known():
    results = make_results(SETTINGS, np.zeros((len(SETTINGS), 0)))
    assert not any(name.startswith("split") for name in results)
    assert np.isnan(results["mean_test_score"]).all()
    assert np.isnan(results["std_test_score"]).all()
    assert (results["rank_test_score"] == 1).all()


def test_last_bits_do_not_break_ties():
    scores = np.array([[0.7, 0.8, 0.9], [0.9, 0.7, 0.8 + 1e-15], [0.1, 0.2, 0.3]])
    results = make_results([{"alpha": 1.0}, {"alpha": 2.0}, {"alpha": 3.0}], scores)
    assert results["rank_test_score"].tolist() == [1, 1, 3]


def test_scores_may_be_of_any_sign():
    """Risks, with their sign turned, are ranked too."""
    results = make_results([{"C": 1}, {"C": 2}, {"C": 3}], np.array([[-0.5], [-2.0], [-0.1]]))
    assert results["rank_test_score"].tolist() == [2, 3, 1]


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_what_is_not_known_comes_last(sign):
    scores = sign * np.array([[0.5, 0.5], [np.nan, 0.9], [0.7, 0.7]])
    ranks = make_results([{"C": 1}, {"C": 2}, {"C": 3}], scores)["rank_test_score"]
    assert ranks[1] == 3
    assert sorted(ranks) == [1, 2, 3]


def test_later_changes_of_the_settings_do_not_show():
    settings = [{"alpha": 1.0}]
    results = make_results(settings, np.ones((1, 2)))
    settings[0]["alpha"] = 5.0
    assert results["params"] == [{"alpha": 1.0}]


@pytest.mark.parametrize("values", [[0.1, 1.0, 10.0], [1, 2, 3]])
def test_results_are_as_scikit_learn_has_them(values):
    X, y = make_classification(60, random_state=0)
    search = GridSearchCV(LogisticRegression(), {"C": values}, cv=3, scoring="roc_auc").fit(X, y)
    theirs = search.cv_results_
    scores = np.column_stack([theirs[f"split{fold}_test_score"] for fold in range(3)])
    ours = make_results(theirs["params"], scores)
    assert ours.keys() == {name for name in theirs if "_time" not in name}
    for name, column in ours.items():
        if name == "params":
            assert column == theirs[name]
        else:
            np.testing.assert_allclose(np.asarray(column, float), np.asarray(theirs[name], float), rtol=1e-12)
            assert column.dtype == theirs[name].dtype
