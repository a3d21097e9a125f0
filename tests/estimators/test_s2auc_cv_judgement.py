"""S2AUCClassifierCV judges its choice without bias, and says when it cannot tell."""

import warnings

import numpy as np
import pytest
from sklearn.datasets import make_moons

from reference import auc
from s2auc import LabeledKFold, S2AUCClassifier, S2AUCClassifierCV
from s2auc.search.verdict import Answer
from searches import EVERYONE, SMALL, moons, spirals


def test_held_out_aucs_by_brute_force():
    X, y, _ = moons()
    folds = LabeledKFold(3)
    search = S2AUCClassifierCV(
        **SMALL | {"alphas": (1e-2,), "scalings": ("none",), "neighbor_weights": (0.0, 10.0)},
        labeled_weights=(1.0,),
        column_weightings=("none",),
        cv=folds,
        random_state=0,
    ).fit(X, y)
    for fold, (train, test) in enumerate(folds.split(X[:60], y[:60])):
        plain = S2AUCClassifier(
            solver="exact",
            scaling="none",
            kernel_gamma="median",
            n_frequencies=32,
            alpha=1e-2,
            labeled_weight=1.0,
            random_state=0,
        ).fit(X[train], y[train], X[60:])
        scores = plain.decision_function(X[test])
        is_positive = y[test] == 1
        expected = auc(scores[is_positive], scores[~is_positive])
        assert search.cv_results_[f"split{fold}_test_score"][0] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(
    "setting",
    [
        {"scalings": ["rank"], "column_weightings": ["auc"]},
        {"scalings": ["standard"], "neighbor_weights": [0.0, 10.0], "members": "auto", "cv": 3},
    ],
    ids=str,
)
@pytest.mark.usefixtures("few_trees")
def test_random_labels_give_an_auc_of_one_half(setting):
    random = np.random.default_rng(0)
    fixed, nested, gains = [], [], []
    for _ in range(12):
        X = random.normal(size=(160, 8))
        y = np.full(160, -1)
        y[:60] = random.random(60) < 0.5
        if min(np.sum(y == 0), np.sum(y == 1)) < 6:
            continue
        widths = {"kernel_gammas": ("0.1 median", "0.5 median"), "labeled_weights": (1.0, 0.5), "n_frequencies": 24}
        search = S2AUCClassifierCV(**SMALL | widths | setting, random_state=0).fit(X, y)
        fixed.append(search.cv_results_["mean_test_score"])
        nested.append(search.held_out_auc_.value)
        difference = search.did_unlabeled_help_.difference
        gains.append(0.0 if difference is None else difference.value)
    for values in (*np.array(fixed).T, nested):
        assert abs(np.mean(values) - 0.5) < 3.3 * np.std(values) / np.sqrt(len(values))
    assert abs(np.mean(gains)) <= 3.3 * np.std(gains) / np.sqrt(len(gains))


def test_the_best_of_many_flatters_and_the_judged_auc_does_not():
    random = np.random.default_rng(1)
    best, judged = [], []
    for _ in range(6):
        X = random.normal(size=(120, 10))
        y = np.full(120, -1)
        y[:40] = np.repeat([0, 1], 20)
        search = S2AUCClassifierCV(kernels=("gaussian",), members=["kernels"], n_frequencies=24, random_state=0).fit(
            X, y
        )
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


def test_few_positives_are_judged_without_bias():
    random = np.random.default_rng(2)
    best, judged = [], []
    for _ in range(12):
        X = random.normal(size=(60, 5))
        y = np.full(60, -1)
        y[:30] = np.arange(30) < 3
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            search = S2AUCClassifierCV(
                kernels=("gaussian",),
                scalings=["rank"],
                column_weightings=["auc"],
                members=["kernels"],
                n_frequencies=16,
                random_state=0,
            ).fit(X, y)
        best.append(search.best_score_)
        judged.append(search.held_out_auc_.value)
    # There is something to be biased by: the best of these settings flatters.
    assert np.mean(best) - 0.5 > 3.3 * np.std(best) / np.sqrt(len(best))
    assert abs(np.mean(judged) - 0.5) < 3.3 * np.std(judged) / np.sqrt(len(judged))


def test_positives_are_tested_against_unlabeled_rows_that_nothing_was_learnt_from():
    random = np.random.default_rng(3)
    judged = []
    for _ in range(12):
        X = random.normal(size=(110, 20))
        y = np.where(np.arange(110) < 20, 1, -1)
        search = S2AUCClassifierCV(**SMALL, pos_label=1, random_state=0).fit(X, y)
        judged.append(search.held_out_auc_.value)
    assert abs(np.mean(judged) - 0.5) < 3.3 * np.std(judged) / np.sqrt(len(judged))


@pytest.mark.parametrize(
    ("reason", "parameters"),
    [
        ("judge=False left that out", {"judge": False, "labeled_weights": (1.0, 0.5)}),
        ("no setting of kernels leaves them out, as labelled weight 1 and", {"labeled_weights": (0.5,)}),
        ("no setting of kernels leaves them out", {"neighbor_weights": (10.0,), "labeled_weights": (1.0,)}),
        ("no setting uses them", {"labeled_weights": (1.0,)}),
        ("no setting uses them", {"members": ("linear",)}),
        ("no folds without common rows were left", {"labeled_weights": (1.0, 0.5), "cv": 2}),
    ],
)
def test_reasons_why_it_cannot_tell(reason, parameters):
    X, y, _ = moons()
    verdict = S2AUCClassifierCV(**SMALL | parameters, random_state=0).fit(X, y).did_unlabeled_help_
    assert verdict.answer == Answer.CANNOT_TELL
    assert verdict.difference is None
    assert str(verdict).startswith(f"Cannot tell whether the unlabelled rows helped: {reason}")


def test_without_unlabelled_rows_none_can_help():
    X, y, _ = moons()
    search = S2AUCClassifierCV(**SMALL | {"neighbor_weights": (0.0, 10.0)}, random_state=0).fit(X[:60], y[:60])
    assert "There are no unlabelled rows" in str(search.did_unlabeled_help_)


def test_what_kernels_bring_is_not_credited_to_unlabelled_rows():
    """Where every kernel uses them, a comparison with linear functions would tell of kernels only."""
    X, y, _ = moons()
    parameters = {"labeled_weights": (0.5,), "members": ("kernels", "linear")}
    search = S2AUCClassifierCV(**SMALL | parameters, random_state=0).fit(X, y)
    assert search.did_unlabeled_help_.answer == Answer.CANNOT_TELL
    assert "no setting of kernels leaves them out" in str(search.did_unlabeled_help_)


def test_neighbours_that_tell_what_labels_do_not_are_a_yes():
    X, y, truth = spirals()
    narrow = {"kernel_gammas": ("30 median",), "alphas": (1e-3,), "n_frequencies": 300, "scalings": ("standard",)}
    wanted = SMALL | narrow | {"neighbor_weights": (0.0, 100.0), "column_weightings": ("none",)}
    search = S2AUCClassifierCV(**wanted, random_state=0).fit(X, y)
    verdict = search.did_unlabeled_help_
    assert verdict.answer == Answer.YES
    assert verdict.difference.low > 0.02
    assert str(verdict).startswith("Yes, the unlabelled rows helped: held-out AUC +0.")
    assert search.best_params_["neighbor_weight"] == 100.0
    alone = S2AUCClassifierCV(**wanted | {"neighbor_weights": (0.0,)}, random_state=0).fit(X, y)
    assert search.score(X[80:], truth[80:]) > alone.score(X[80:], truth[80:]) + 0.05


@pytest.mark.usefixtures("few_trees")
@pytest.mark.parametrize("wanted", [EVERYONE, EVERYONE | {"neighbor_weights": (10.0,)}], ids=["usual", "neighbours"])
@pytest.mark.parametrize("selection", ["average", "one-standard-error"])
@pytest.mark.filterwarnings("ignore:A class has a single labelled row")
def test_any_search_makes_a_model_of_a_single_positive_row(wanted, selection):
    X, y, truth = moons()
    y[np.flatnonzero(y == 1)[1:]] = -1
    search = S2AUCClassifierCV(**wanted, selection=selection, random_state=0).fit(X, y)
    assert search.score(X, truth) > 0.7
    assert np.isnan(search.best_score_)
    assert search.chosen_shares_.sum() == pytest.approx(1.0)
    members = {len(words) for words in search.chosen_params_}
    assert members == ({9, 2} if selection == "average" else {9})
