"""S2AUCClassifierCV as a user meets it: it chooses, judges its choice without bias, and says what it found."""

import warnings
from itertools import pairwise

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import make_moons
from sklearn.model_selection import StratifiedKFold, TimeSeriesSplit

from reference import auc
from s2auc import LabeledGroupKFold, LabeledKFold, S2AUCClassifier, S2AUCClassifierCV
from s2auc.search.verdict import Answer

SMALL = {"kernels": ("gaussian",), "relative_gammas": (1.0,), "alphas": (1e-3, 1e-1), "n_frequencies": 32}


def moons(n_labeled=60, n_rows=600, seed=0):
    X, truth = make_moons(n_rows, noise=0.25, random_state=seed)
    y = np.full(n_rows, -1)
    y[:n_labeled] = truth[:n_labeled]
    return X, y, truth


def test_all_defaults_rank_well_and_report():
    X, y, truth = moons()
    ranker = S2AUCClassifierCV(random_state=0).fit(X, y)
    assert ranker.score(X[60:], truth[60:]) > 0.95
    assert ranker.held_out_auc_.low < ranker.score(X[60:], truth[60:]) <= 1.0
    assert ranker.did_unlabeled_help_.answer in set(Answer)
    assert str(ranker.did_unlabeled_help_).endswith(".")
    assert len(ranker.chosen_params_) == ranker.n_average
    assert sum(len(part.cosine) for part in ranker.model_.parts) <= ranker.max_frequencies


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
    search = S2AUCClassifierCV(**SMALL, solver=solver, iterations=(4, 8), random_state=0).fit(X, y)
    results = search.cv_results_
    n_settings = 2 * 2 * 2 * 2 * (2 if solver == "qsg" else 1)  # scalings, weights, alphas, labelled weights, stops
    for name in ("mean_test_score", "std_test_score", "rank_test_score", "param_alpha", "split4_test_score"):
        assert len(results[name]) == n_settings
    folds = np.stack([results[f"split{fold}_test_score"] for fold in range(5)])
    np.testing.assert_allclose(folds.mean(axis=0), results["mean_test_score"])
    assert results["params"][search.best_index_] == search.best_params_
    assert results["rank_test_score"][search.best_index_] == 1
    assert search.best_score_ == results["mean_test_score"].max()


def test_selections_differ_as_they_should():
    X, y, _ = moons()
    average, best, simple = (
        S2AUCClassifierCV(**SMALL, selection=selection, random_state=0).fit(X, y)
        for selection in ("average", "best", "one-standard-error")
    )
    assert best.chosen_params_ == [best.best_params_]
    assert len(average.chosen_params_) > 1
    assert average.best_params_ == best.best_params_
    assert len(simple.chosen_params_) == 1
    assert simple.chosen_params_[0]["alpha"] >= best.chosen_params_[0]["alpha"]


def test_the_model_is_the_average_of_the_chosen_settings_each_over_its_spread():
    X, y, _ = moons()
    parameters = {**SMALL, "random_state": 0, "judge": False, "column_weights": None, "preprocessing": "standard"}
    average = S2AUCClassifierCV(**parameters, labeled_weights=(1.0,)).fit(X, y)
    scores = []
    for chosen in average.chosen_params_:
        single = S2AUCClassifierCV(
            **{**parameters, "alphas": (chosen["alpha"],)}, labeled_weights=(1.0,), selection="best"
        ).fit(X, y)
        scores.append(single.decision_function(X) + single.offset_)
    np.testing.assert_allclose(average.decision_function(X) + average.offset_, np.mean(scores, axis=0), atol=1e-5)


def test_a_bundle_of_one_is_a_plain_fit():
    X, y, _ = moons()
    parameters = {"n_frequencies": 8, "batch_size": 16, "random_state": 5}
    search = S2AUCClassifierCV(
        kernels=("gaussian",),
        relative_gammas=(1.0,),
        alphas=(0.01,),
        labeled_weights=(0.5,),
        iterations=(20,),
        preprocessing=None,
        column_weights=None,
        solver="qsg",
        selection="best",
        **parameters,
    ).fit(X, y)
    part = search.model_.parts[0]
    plain = S2AUCClassifier(
        alpha=0.01, labeled_weight=0.5, max_iter=20, kernel_gamma=part.gamma, scaling="none", **parameters
    ).fit(X, y)
    raw = plain.decision_function(X) + plain.offset_
    tuned = search.decision_function(X) + search.offset_
    np.testing.assert_allclose(tuned / tuned.std(), raw / raw.std(), rtol=2e-4, atol=2e-4)


def test_max_frequencies_bounds_the_model():
    X, y, _ = moons()
    search = S2AUCClassifierCV(**{**SMALL, "relative_gammas": (0.1, 0.3, 1.0)}, max_frequencies=70, random_state=0)
    assert sum(len(part.cosine) for part in search.fit(X, y).model_.parts) <= 70


def test_held_out_aucs_by_brute_force():
    X, y, _ = moons()
    folds = LabeledKFold(3)
    search = S2AUCClassifierCV(
        **{**SMALL, "alphas": (1e-2,)},
        labeled_weights=(1.0,),
        preprocessing=None,
        column_weights=None,
        cv=folds,
        max_unlabeled=10_000,
        random_state=0,
    ).fit(X, y)
    # Rows stand positive first inside the search, so folds are drawn over them in that order.
    order = np.concatenate([np.flatnonzero(y == 1), np.flatnonzero(y == 0)])
    for fold, (train, test) in enumerate(folds.split(X[order], y[order])):
        plain = S2AUCClassifier(
            solver="exact",
            scaling="none",
            kernel_gamma=search.model_.parts[0].gamma,
            n_frequencies=32,
            alpha=1e-2,
            labeled_weight=1.0,
            random_state=0,
        ).fit(X[order][train], y[order][train], X[60:])
        scores = plain.decision_function(X[order][test])
        is_positive = y[order][test] == 1
        expected = auc(scores[is_positive], scores[~is_positive])
        assert search.cv_results_[f"split{fold}_test_score"][0] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(
    "setting",
    [
        {"preprocessing": "standard", "column_weights": None},
        {"preprocessing": "rank", "column_weights": None},
        {"preprocessing": "rank", "column_weights": "auc"},
    ],
    ids=str,
)
def test_random_labels_give_an_auc_of_one_half(setting):
    random = np.random.default_rng(0)
    fixed, nested, gains = [], [], []
    for _ in range(40):
        X = random.normal(size=(160, 8))
        y = np.full(160, -1)
        y[:60] = random.random(60) < 0.5
        if min(np.sum(y == 0), np.sum(y == 1)) < 6:
            continue
        search = S2AUCClassifierCV(
            kernels=("gaussian",), alphas=(1e-3, 1e-1), n_frequencies=24, random_state=0, **setting
        ).fit(X, y)
        fixed.append(search.cv_results_["mean_test_score"])
        nested.append(search.held_out_auc_.value)
        gains.append(search.did_unlabeled_help_.difference.value)
    for values in (*np.array(fixed).T, nested):
        assert abs(np.mean(values) - 0.5) < 3.3 * np.std(values) / np.sqrt(len(values))
    assert abs(np.mean(gains)) < 3.3 * np.std(gains) / np.sqrt(len(gains))


def test_the_best_of_many_flatters_and_the_judged_auc_does_not():
    random = np.random.default_rng(1)
    best, judged = [], []
    for _ in range(15):
        X = random.normal(size=(120, 10))
        y = np.full(120, -1)
        y[:40] = np.repeat([0, 1], 20)
        search = S2AUCClassifierCV(n_frequencies=24, random_state=0).fit(X, y)
        best.append(search.best_score_)
        judged.append(search.held_out_auc_.value)
    assert np.mean(best) > 0.55
    assert abs(np.mean(judged) - 0.5) < 3.3 * np.std(judged) / np.sqrt(len(judged))


def test_positive_and_unlabeled_rows_only():
    X, y, truth = moons()
    positive = np.where(y == 1, "fraud", None).astype(object)
    search = S2AUCClassifierCV(pos_label="fraud", random_state=0).fit(X, positive)
    assert search.score(X, np.where(truth == 1, "fraud", "fine")) > 0.8
    assert search.did_unlabeled_help_.answer == Answer.CANNOT_TELL
    assert 0.5 < search.best_score_ < 1.0
    assert not hasattr(search, "predict_proba")
    assert set(search.predict(X)) == {"fraud", "not fraud"}


def test_few_positives_adapt_and_warn():
    X, truth = make_moons(300, noise=0.1, random_state=0)
    y = np.full(300, -1)
    y[np.flatnonzero(truth == 0)[:30]] = 0
    y[np.flatnonzero(truth == 1)[:3]] = 1
    with pytest.warns(UserWarning, match="smaller class has 3 labelled rows: settings were chosen by 9 folds"):
        three = S2AUCClassifierCV(**SMALL, random_state=0).fit(X, y)
    assert three.held_out_auc_ is not None
    y[np.flatnonzero(y == 1)[2]] = -1
    with pytest.warns(UserWarning, match="cannot be told without bias"):
        two = S2AUCClassifierCV(**SMALL, random_state=0).fit(X, y)
    assert two.held_out_auc_ is None
    assert two.did_unlabeled_help_.answer == Answer.CANNOT_TELL


def test_a_single_positive_row_is_not_tuned_on():
    X, y, truth = moons()
    y[np.flatnonzero(y == 1)[1:]] = -1
    with pytest.warns(UserWarning, match="A class has a single labelled row, so nothing can be held out"):
        search = S2AUCClassifierCV(**SMALL, random_state=0).fit(X, y)
    assert search.score(X, truth) > 0.7
    assert search.held_out_auc_ is None
    assert np.isnan(search.best_score_)


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


def test_shift_is_told_and_case_control_labels_are_not_shift():
    random = np.random.default_rng(0)
    truth = random.random(3000) < 0.1
    X = random.normal(size=(3000, 4)) + 1.5 * truth[:, None]
    chosen = np.concatenate([np.flatnonzero(truth)[:60], np.flatnonzero(~truth)[:60]])
    y = np.full(3000, -1)
    y[chosen] = truth[chosen]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fine = S2AUCClassifierCV(**SMALL, random_state=0).fit(X, y)
    assert fine.shift_.p_value > 1e-3
    X[chosen, 2] += 2.0
    with pytest.warns(UserWarning, match="Labelled and unlabelled rows differ in column 2"):
        shifted = S2AUCClassifierCV(**SMALL, random_state=0).fit(X, y)
    assert shifted.shift_.column == 2


def test_missing_values_are_filled_in_and_marked():
    X, y, truth = moons(100, 1000)
    random = np.random.default_rng(0)
    X[random.random(X.shape) < 0.2] = np.nan
    search = S2AUCClassifierCV(**SMALL, random_state=0).fit(X, y)
    assert np.isfinite(search.decision_function(X)).all()
    assert search.score(X[100:], truth[100:]) > 0.8


def test_splitters_and_groups():
    X, y, _ = moons()
    groups = np.arange(len(y)) // 3
    grouped = S2AUCClassifierCV(**SMALL, cv=LabeledGroupKFold(4), random_state=0).fit(X, y, groups=groups)
    assert "split3_test_score" in grouped.cv_results_
    plain = S2AUCClassifierCV(**SMALL, cv=StratifiedKFold(3), random_state=0).fit(X, y)
    assert "split2_test_score" in plain.cv_results_


def test_groups_stay_together_with_a_number_of_folds():
    X, y, _ = moons()
    groups = np.arange(len(y)) // 20
    search = S2AUCClassifierCV(**SMALL, cv=3, random_state=0).fit(X, y, groups=groups)
    assert "split2_test_score" in search.cv_results_
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        S2AUCClassifierCV(**SMALL).fit(X, y, groups=groups[:-1])


@pytest.mark.parametrize("n_positive", [3, 4])
def test_few_positives_are_judged_without_bias(n_positive):
    random = np.random.default_rng(2)
    judged = []
    for _ in range(40):
        X = random.normal(size=(60, 5))
        y = np.full(60, -1)
        y[:30] = np.arange(30) < n_positive
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            search = S2AUCClassifierCV(kernels=("gaussian",), n_frequencies=16, random_state=0).fit(X, y)
        judged.append(search.held_out_auc_.value)
    assert abs(np.mean(judged) - 0.5) < 3.3 * np.std(judged) / np.sqrt(len(judged))


def test_positives_are_tested_against_unlabeled_rows_that_nothing_was_learnt_from():
    random = np.random.default_rng(3)
    judged = []
    for _ in range(40):
        X = random.normal(size=(110, 20))
        y = np.where(np.arange(110) < 20, 1, -1)
        search = S2AUCClassifierCV(**SMALL, pos_label=1, random_state=0).fit(X, y)
        judged.append(search.held_out_auc_.value)
    assert abs(np.mean(judged) - 0.5) < 3.3 * np.std(judged) / np.sqrt(len(judged))


def test_splitters_are_given_plain_labels():
    X, y, _ = moons()
    text = np.where(y == -1, "?", np.where(y == 1, "p", "n"))
    splitter = LabeledKFold(3, unlabeled="?", pos_label="p")
    search = S2AUCClassifierCV(**SMALL, unlabeled="?", pos_label="p", cv=splitter, random_state=0).fit(X, text)
    assert "split2_test_score" in search.cv_results_


def test_splitters_that_leave_rows_out_are_refused():
    X, y, _ = moons()
    with pytest.raises(ValueError, match="must train on all labelled rows that it does not test"):
        S2AUCClassifierCV(**SMALL, cv=TimeSeriesSplit(3)).fit(X, y)


def test_categories_of_unlabeled_rows_are_known():
    random = np.random.default_rng(0)
    pandas = pytest.importorskip("pandas")
    labeled = pandas.DataFrame({"place": random.choice(["a", "b"], 40), "size": random.normal(size=40)})
    pool = pandas.DataFrame({"place": random.choice(["c", "d"], 90), "size": random.normal(size=90)})
    search = S2AUCClassifierCV(**SMALL, random_state=0).fit(labeled, np.arange(40) % 2, pool)
    c, d, strange = search.decision_function(pandas.DataFrame({"place": ["c", "d", "z"], "size": [0.0, 0.0, 0.0]}))
    assert len({c, d, strange}) == 3


def test_thresholds_know_the_prior():
    X, y, _ = moons(200, 1000)
    common, rare = (
        S2AUCClassifierCV(**SMALL, threshold="accuracy", class_prior=prior, random_state=0).fit(X, y)
        for prior in (0.5, 0.02)
    )
    assert np.mean(rare.predict(X)) < np.mean(common.predict(X))


def test_reasons_why_it_cannot_tell():
    X, y, _ = moons()
    reasons = {
        "judge=False": {"judge": False},
        "does not hold 1": {"labeled_weights": (0.5,)},
        "no setting uses them": {"labeled_weights": (1.0,)},
    }
    for reason, parameters in reasons.items():
        assert reason in str(S2AUCClassifierCV(**SMALL, **parameters, random_state=0).fit(X, y).did_unlabeled_help_)


def test_more_labels_than_features_take_the_other_closed_form():
    X, y, truth = moons(300, 900)
    parameters = {**SMALL, "random_state": 0, "column_weights": None, "preprocessing": "standard", "judge": False}
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
    with pytest.raises(ValueError, match=r"must be one of preprocessing, .* Got 'sigma'"):
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
        ({"preprocessing": "none"}, "'preprocessing' parameter"),
        ({"cv": 1}, "'cv' parameter of S2AUCClassifierCV must be an int >= 2 or a splitter"),
        ({"class_prior": 1.0}, "'class_prior' parameter"),
        ({"loss": "logistic"}, "'loss' parameter .* must be 'square' with solver='exact'"),
        ({"selection": "worst"}, "'selection' parameter"),
        ({"n_jobs": 0}, "'n_jobs' parameter"),
        ({"max_frequencies": 100}, "'max_frequencies' parameter .* must be at least n_frequencies, 256. Got 100"),
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
