"""S2AUCClassifierCV as a user meets it: it chooses, reports, and says what is wrong."""

from itertools import combinations

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.ensemble import ExtraTreesClassifier

import reference
from s2auc import Average, Exact, LabeledKFold, S2AUCClassifier, S2AUCClassifierCV, load_model
from s2auc.common.randomness import derived_seed
from s2auc.search.grids.grid import MEMBERS
from s2auc.search.verdict import Answer
from searches import EVERYONE, SMALL, moons


def test_all_defaults_rank_well_and_report():
    X, y, truth = moons()
    ranker = S2AUCClassifierCV(random_state=0).fit(X, y)
    assert ranker.score(X[60:], truth[60:]) > 0.95
    assert ranker.held_out_auc_.low < ranker.score(X[60:], truth[60:]) <= 1.0
    assert ranker.did_unlabeled_help_.answer in set(Answer)
    assert str(ranker.did_unlabeled_help_).endswith(".")
    assert len(ranker.chosen_params_) <= 5 * Average().n
    assert ranker.chosen_shares_.sum() == pytest.approx(1.0)
    assert set(ranker.cv_results_["member"]) == set(MEMBERS)
    assert n_frequencies(ranker) <= Average().max_frequencies


def n_frequencies(ranker):
    return sum(len(part.cosine) for part in ranker.model_.parts if hasattr(part, "cosine"))


@pytest.mark.usefixtures("few_trees")
def test_same_seed_same_bits_whatever_the_threads():
    X, y, _ = moons()
    first = S2AUCClassifierCV(**EVERYONE, random_state=3, n_jobs=1).fit(X, y)
    second = S2AUCClassifierCV(**EVERYONE, random_state=3, n_jobs=2).fit(X, y)
    assert {type(part).__name__ for part in first.model_.parts} == {"CosinePart", "LinearPart", "TreePart"}
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
    # Two alphas without column weights and with them, labelled weight 0.5 with one of the scalings only; stops.
    n_settings = 2 * (2 + 2 + 1) * (2 if solver == "qsg" else 1)
    for name in ("mean_test_score", "std_test_score", "rank_test_score", "param_alpha", "split4_test_score"):
        assert len(results[name]) == n_settings
    folds = np.stack([results[f"split{fold}_test_score"] for fold in range(5)])
    np.testing.assert_allclose(folds.mean(axis=0), results["mean_test_score"])
    assert results["params"][search.best_index_].items() <= search.best_params_.items()
    assert results["rank_test_score"][search.best_index_] == 1
    assert search.best_score_ == results["mean_test_score"].max()


@pytest.mark.usefixtures("few_trees")
def test_results_tell_of_every_member():
    X, y, _ = moons()
    search = S2AUCClassifierCV(**EVERYONE, random_state=0, judge=False).fit(X, y)
    results = search.cv_results_
    assert results["member"].tolist() == ["kernels"] * 8 + ["linear"] * 4 + ["trees"] * 2
    # Who lacks a parameter has nothing in its column.
    is_kernel = results["member"] == "kernels"
    for name in ("kernel", "neighbor_weight", "n_frequencies"):
        np.testing.assert_array_equal(np.ma.getmaskarray(results[f"param_{name}"]), ~is_kernel)
    np.testing.assert_array_equal(np.ma.getmaskarray(results["param_max_features"]), results["member"] != "trees")
    np.testing.assert_array_equal(np.ma.getmaskarray(results["param_alpha"]), results["member"] == "trees")
    assert results["params"][-1] == {"max_features": 0.5, "min_samples_leaf": 1}
    assert set(results["param_neighbor_weight"][is_kernel]) == {0.0, 10.0}
    # The best setting is one that S2AUCClassifier has, too.
    assert is_kernel[search.best_index_]
    assert search.best_score_ == results["mean_test_score"][is_kernel].max()
    assert len(search.chosen_params_) == len(search.chosen_shares_)
    assert search.model_.record["shares"] == search.chosen_shares_.tolist()
    chosen = [results["params"][place] for place in search.model_.record["settings_chosen"]]
    assert chosen == search.chosen_params_


@pytest.mark.usefixtures("few_trees")
@pytest.mark.parametrize("members", [some for n in (1, 2, 3) for some in combinations(MEMBERS, n)], ids=", ".join)
def test_any_members_make_a_model(members, tmp_path):
    X, y, truth = moons()
    search = S2AUCClassifierCV(**EVERYONE | {"members": members}, random_state=0).fit(X, y)
    assert search.score(X[60:], truth[60:]) > 0.9
    assert set(search.cv_results_["member"]) == set(members)
    assert search.held_out_auc_.low < search.held_out_auc_.value <= 1.0
    assert ("kernels" in members) == (search.did_unlabeled_help_.difference is not None)
    assert ("kernels" in members) == ("random_state" in search.best_params_)
    search.save(tmp_path / "model")
    loaded = load_model(tmp_path / "model")
    np.testing.assert_array_equal(loaded.decision_function(X), search.decision_function(X))
    np.testing.assert_array_equal(loaded.predict_proba(X), search.predict_proba(X))


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


@pytest.mark.usefixtures("few_trees")
def test_the_model_is_the_weighted_sum_of_the_chosen_settings_each_over_its_spread():
    """Single fits, the minimiser of all pairs, and a forest of scikit-learn."""
    X, y, _ = moons(60, 250)  # so few unlabelled rows that all of them tell how far scores spread
    search = S2AUCClassifierCV(**EVERYONE, random_state=4, judge=False).fit(X, y)
    labeled = np.concatenate([np.flatnonzero(y == 1), np.flatnonzero(y == 0)])
    is_positive = y[labeled] == 1
    sizes = {"positive": int(is_positive.sum()), "negative": int((~is_positive).sum())}
    terms = reference.semi_supervised_terms("square", 1.0, sizes, "all")
    scaled = (X - X.mean(axis=0)) / X.std(axis=0)

    def scores_of(words):
        if "kernel" in words:
            single = S2AUCClassifier(solver="exact", random_state=4, **words).fit(X, y)
            return single.decision_function(X) + single.offset_
        if "alpha" in words:
            assert words["scaling"] == "standard"
            Phi = scaled / np.sqrt(2)
            return Phi @ reference.linear_minimiser(
                Phi[labeled], *reference.quadratic_risk(terms, sizes), words["alpha"]
            )
        seed = derived_seed(4, "trees", str(words["max_features"]), "0") % 2**32
        forest = ExtraTreesClassifier(8, max_features=words["max_features"], random_state=seed)
        return forest.fit(scaled[labeled], is_positive).predict_proba(scaled)[:, 1]

    expected = np.zeros(len(X))
    for words, share in zip(search.chosen_params_, search.chosen_shares_, strict=True):
        scores = scores_of(words)
        expected += share * scores / scores[y == -1].std()
    assert {len(words) for words in search.chosen_params_} == {9, 2}
    assert {"max_features" in words for words in search.chosen_params_} == {True, False}
    np.testing.assert_allclose(search.decision_function(X) + search.offset_, expected, atol=1e-4)


def test_max_frequencies_bounds_the_model():
    X, y, _ = moons()
    gammas = {"kernel_gammas": (0.1, "0.3 median", 1.0)}
    for most in (32, 70, 130):
        search = S2AUCClassifierCV(**SMALL | gammas, selection=Average(max_frequencies=most), random_state=0)
        assert n_frequencies(search.fit(X, y)) == most // 32 * 32


def test_axes_may_be_arrays():
    X, y, _ = moons()
    axes = {"alphas": (1e-3, 1e-1), "kernel_gammas": (0.5, 2.0), "labeled_weights": (0.5, 1), "kernels": ("gaussian",)}
    arrays = {name: np.array(values) for name, values in axes.items()}
    first, second = (
        S2AUCClassifierCV(**SMALL | given, judge=False, random_state=0).fit(X, y) for given in (axes, arrays)
    )
    assert first.cv_results_["params"] == second.cv_results_["params"]
    np.testing.assert_array_equal(first.decision_function(X), second.decision_function(X))


def test_more_labels_than_features_take_the_other_closed_form():
    X, y, truth = moons(300, 900)
    parameters = {**SMALL, "random_state": 0, "column_weightings": ["none"], "scalings": ["standard"], "judge": False}
    few = S2AUCClassifierCV(**{**parameters, "n_frequencies": 200}).fit(X, y)
    many = S2AUCClassifierCV(**{**parameters, "n_frequencies": 100}).fit(X, y)
    assert few.score(X[300:], truth[300:]) == pytest.approx(many.score(X[300:], truth[300:]), abs=0.01)


@pytest.mark.usefixtures("few_trees")
def test_plot_shows_every_setting_of_kernels():
    pytest.importorskip("matplotlib").use("Agg")
    X, y, _ = moons()
    search = S2AUCClassifierCV(**EVERYONE, random_state=0).fit(X, y)
    display = search.plot_cv("kernel")
    assert display.ax_.get_xlabel() == "kernel"
    assert len(display.mean) == (search.cv_results_["member"] == "kernels").sum()
    assert [tick.get_text() for tick in search.plot_cv("neighbor_weight").ax_.get_xticklabels()] == ["0", "10"]
    assert [tick.get_text() for tick in search.plot_cv().ax_.get_xticklabels()] == ["0.001", "0.1"]
    with pytest.raises(ValueError, match=r"must be one of scaling, .* Got 'sigma'"):
        search.plot_cv("sigma")
    without = S2AUCClassifierCV(members=["linear"], random_state=0, judge=False).fit(X, y)
    with pytest.raises(ValueError, match=r"Only settings of 'kernels' .* Got a search among \['linear'\]; fit with"):
        without.plot_cv()


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
        (
            {"class_prior": 1},
            r"'class_prior' parameter .* in the range \(0, 1\) or a str .* or None\. Got 1 instead",
        ),
        (
            {"class_prior": 0.0},
            r"'class_prior' parameter .* in the range \(0, 1\) or a str .* or None\. Got 0.0 instead",
        ),
        ({"loss": "logistic"}, "'loss' parameter .* must be 'square' with solver='exact'"),
        ({"selection": "worst"}, "'selection' parameter"),
        ({"n_jobs": 0}, "'n_jobs' parameter"),
        ({"members": "trees"}, "'members' parameter of S2AUCClassifierCV must be a str among {'auto'} or a list"),
        ({"members": ["forests"]}, "'members' parameter .* among {'kernels', 'linear', 'trees'}. Got"),
        ({"members": ()}, "'members' parameter"),
        (
            {"members": ["trees"], "selection": "best"},
            r"'members' parameter .* must hold one of \['kernels'\] with selection='best'. Got \['trees'\]; add one",
        ),
        ({"neighbor_weights": [-1.0]}, "'neighbor_weights' parameter"),
        ({"n_neighbors": 0}, "'n_neighbors' parameter of S2AUCClassifierCV must be an int >= 1. Got 0"),
        (
            {"neighbor_weights": [1.0], "column_weightings": ["auc"]},
            "column_weightings and neighbor_weights leave nothing to try",
        ),
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
