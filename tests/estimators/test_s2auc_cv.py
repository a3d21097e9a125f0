"""S2AUCClassifierCV as a user meets it: it chooses, reports, and says what is wrong."""

import numpy as np
import pytest
from sklearn.base import clone

from s2auc import Average, Exact, LabeledKFold, S2AUCClassifierCV
from s2auc.search.verdict import Answer
from searches import SMALL, moons


def test_all_defaults_rank_well_and_report():
    X, y, truth = moons()
    ranker = S2AUCClassifierCV(random_state=0).fit(X, y)
    assert ranker.score(X[60:], truth[60:]) > 0.95
    assert ranker.held_out_auc_.low < ranker.score(X[60:], truth[60:]) <= 1.0
    assert ranker.did_unlabeled_help_.answer in set(Answer)
    assert str(ranker.did_unlabeled_help_).endswith(".")
    assert len(ranker.chosen_params_) == Average().n
    assert sum(len(part.cosine) for part in ranker.model_.parts) <= Average().max_frequencies


def test_same_seed_same_bits_whatever_the_threads():
    X, y, _ = moons()
    first = S2AUCClassifierCV(**SMALL, random_state=3, n_jobs=1).fit(X, y)
    second = S2AUCClassifierCV(**SMALL, random_state=3, n_jobs=2).fit(X, y)
    np.testing.assert_array_equal(first.decision_function(X), second.decision_function(X))
    np.testing.assert_array_equal(first.cv_results_["mean_test_score"], second.cv_results_["mean_test_score"])


def test_marker_rows_and_separate_rows_are_the_same():
    X, y, _ = moons()
    together = S2AUCClassifierCV(**SMALL, random_state=0).fit(X, y)
    apart = S2AUCClassifierCV(**SMALL, random_state=0).fit(X[:60], y[:60], X[60:])
    np.testing.assert_array_equal(together.decision_function(X), apart.decision_function(X))


@pytest.mark.parametrize("solver", ["exact", "qsg"])
def test_results_have_the_form_of_grid_search(solver):
    X, y, _ = moons()
    search = S2AUCClassifierCV(**SMALL, solver=solver, max_iters=(4, 8), random_state=0).fit(X, y)
    results = search.cv_results_
    n_settings = 2 * 2 * 2 * 2 * (2 if solver == "qsg" else 1)  # scalings, weights, alphas, labelled weights, stops
    for name in ("mean_test_score", "std_test_score", "rank_test_score", "param_alpha", "split4_test_score"):
        assert len(results[name]) == n_settings
    folds = np.stack([results[f"split{fold}_test_score"] for fold in range(5)])
    np.testing.assert_allclose(folds.mean(axis=0), results["mean_test_score"])
    assert results["params"][search.best_index_].items() <= search.best_params_.items()
    assert results["rank_test_score"][search.best_index_] == 1
    assert search.best_score_ == results["mean_test_score"].max()


def test_selections_differ_as_they_should():
    X, y, _ = moons()
    average, best, simple = (
        S2AUCClassifierCV(**SMALL, selection=selection, random_state=0).fit(X, y)
        for selection in ("average", "best", "one-standard-error")
    )
    assert best.chosen_params_ == [best.cv_results_["params"][best.best_index_]]
    assert len(average.chosen_params_) > 1
    assert average.best_params_ == best.best_params_
    assert len(simple.chosen_params_) == 1
    assert simple.chosen_params_[0]["alpha"] >= best.chosen_params_[0]["alpha"]


def test_the_model_is_the_average_of_the_chosen_settings_each_over_its_spread():
    X, y, _ = moons()
    parameters = {**SMALL, "random_state": 0, "judge": False, "column_weightings": ["none"], "scalings": ["standard"]}
    average = S2AUCClassifierCV(**parameters, labeled_weights=(1.0,)).fit(X, y)
    scores = []
    for chosen in average.chosen_params_:
        single = S2AUCClassifierCV(
            **{**parameters, "alphas": (chosen["alpha"],)}, labeled_weights=(1.0,), selection="best"
        ).fit(X, y)
        scores.append(single.decision_function(X) + single.offset_)
    np.testing.assert_allclose(average.decision_function(X) + average.offset_, np.mean(scores, axis=0), atol=1e-5)


def test_max_frequencies_bounds_the_model():
    X, y, _ = moons()
    search = S2AUCClassifierCV(
        **{**SMALL, "kernel_gammas": (0.1, "0.3 median", 1.0)}, selection=Average(max_frequencies=70), random_state=0
    )
    assert sum(len(part.cosine) for part in search.fit(X, y).model_.parts) <= 70


def test_more_labels_than_features_take_the_other_closed_form():
    X, y, truth = moons(300, 900)
    parameters = {**SMALL, "random_state": 0, "column_weightings": ["none"], "scalings": ["standard"], "judge": False}
    few = S2AUCClassifierCV(**{**parameters, "n_frequencies": 200}).fit(X, y)
    many = S2AUCClassifierCV(**{**parameters, "n_frequencies": 100}).fit(X, y)
    assert few.score(X[300:], truth[300:]) == pytest.approx(many.score(X[300:], truth[300:]), abs=0.01)


def test_plot_shows_every_setting():
    pytest.importorskip("matplotlib").use("Agg")
    X, y, _ = moons()
    search = S2AUCClassifierCV(**SMALL, random_state=0).fit(X, y)
    display = search.plot_cv("kernel")
    assert display.ax_.get_xlabel() == "kernel"
    assert [tick.get_text() for tick in search.plot_cv().ax_.get_xticklabels()] == ["0.001", "0.1"]
    with pytest.raises(ValueError, match=r"must be one of scaling, .* Got 'sigma'"):
        search.plot_cv("sigma")


def test_a_failed_fit_leaves_the_model_alone():
    X, y, _ = moons()
    search = S2AUCClassifierCV(**SMALL, random_state=0).fit(X, y)
    before = search.decision_function(X)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        search.fit(X, y[:-1])
    np.testing.assert_array_equal(search.decision_function(X), before)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"alphas": (0.0,)}, "'alphas' parameter of S2AUCClassifierCV must be a str among {'auto'} or a list"),
        ({"alphas": ()}, "'alphas' parameter"),
        ({"kernels": "gaussian"}, "'kernels' parameter"),
        ({"scalings": "none"}, "'scalings' parameter"),
        ({"cv": 1}, "'cv' parameter of S2AUCClassifierCV must be an int >= 2 or a splitter"),
        ({"class_prior": 1.0}, "'class_prior' parameter"),
        ({"loss": "logistic"}, "'loss' parameter .* must be 'square' with solver='exact'"),
        ({"selection": "worst"}, "'selection' parameter"),
        ({"n_jobs": 0}, "'n_jobs' parameter"),
        ({"selection": Average(n=0)}, "'n' parameter of Average must be an int >= 1. Got 0"),
        (
            {"selection": Average(max_frequencies=100)},
            "'max_frequencies' parameter of Average must be at least .* 256. Got 100",
        ),
        ({"solver": Exact(max_unlabeled=0)}, "'max_unlabeled' parameter of Exact must be an int >= 1. Got 0"),
    ],
    ids=str,
)
def test_bad_parameters_say_so(parameters, message):
    X, y, _ = moons()
    with pytest.raises(ValueError, match=message):
        S2AUCClassifierCV(**parameters).fit(X, y)


def test_clone_and_parameters():
    search = S2AUCClassifierCV(alphas=(0.1,), cv=LabeledKFold(3))
    assert clone(search).get_params()["alphas"] == (0.1,)
