"""What weights of rows do to fits: repeated rows, rows left out, units, and forms that weights may have."""

import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.utils.validation import has_fit_parameter

import s2auc
from s2auc import (
    QSG,
    DSGClassifier,
    OptAGClassifier,
    PNUAUCClassifier,
    PNUAUCClassifierCV,
    S2AUCClassifier,
    S2AUCClassifierCV,
    SAMULTClassifier,
    SAMULTClassifierCV,
    SSRankBoostClassifier,
)
from searches import SMALL

N_LABELED, N_ROWS = 60, 150
PLAIN = {"scaling": "none", "kernel_gamma": 1.0, "random_state": 0}
STEPS = {"max_iter": 20, "n_frequencies": 8, "batch_size": 16}
GRID = {"kernel_gammas": ["median"], "alphas": [1e-2, 1e-1], "random_state": 0}
SEARCH = {**SMALL, "scalings": ("standard",), "members": "auto", "cv": 3, "random_state": 0}

CLASSIFIERS = {
    "steps": S2AUCClassifier(**STEPS, column_weighting="auc", neighbor_weight=1.0, random_state=0),
    "exact": S2AUCClassifier(solver="exact", n_frequencies=20, random_state=0),
    "search": S2AUCClassifierCV(**SEARCH),
    "search by steps": S2AUCClassifierCV(
        **SEARCH
        | {
            "members": ["kernels"],
            "solver": "qsg",
            "max_iters": [4],
            "n_frequencies": 8,
            "judge": False,
            "column_weightings": ["none"],
        }
    ),
    "samult": SAMULTClassifier(random_state=0),
    "samult on centres": SAMULTClassifier(n_centers=20, random_state=0),
    "samult search": SAMULTClassifierCV(labeled_weights=[0.5, 1.0], cv=3, **GRID),
    "pnu": PNUAUCClassifier(random_state=0),
    "pnu search": PNUAUCClassifierCV(etas=[0.0, 0.5], n_centers=20, cv=3, **GRID),
    "dsg": DSGClassifier(**STEPS, random_state=0),
    "ssrankboost": SSRankBoostClassifier(random_state=0),
    "optag": OptAGClassifier(random_state=0),
}
pytestmark = pytest.mark.usefixtures("few_trees")


@pytest.fixture(params=CLASSIFIERS)
def classifier(request):
    return clone(CLASSIFIERS[request.param])


def make_rows(seed=0):
    """Rows of three columns, the first ones labelled, and whole weights, of which some are zero."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(N_ROWS, 3))
    truth = (X[:, 0] + 0.5 * np.sin(3 * X[:, 1]) + 0.5 * rng.normal(size=N_ROWS) > 0).astype(int)
    y = np.where(np.arange(N_ROWS) < N_LABELED, truth, -1)
    return X, y, rng.integers(0, 4, N_ROWS)


def fitted_scores(classifier, X, y, sample_weight=None):
    """Scores of some rows, with the threshold, without warnings of numpy's."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        model = clone(classifier).fit(X, y, sample_weight=sample_weight)
    return np.append(model.decision_function(make_rows(9)[0]), model.offset_)


@pytest.mark.parametrize(
    "classifier",
    [
        S2AUCClassifier(solver="exact", n_frequencies=40, **PLAIN),
        S2AUCClassifier(**STEPS, **PLAIN),
        S2AUCClassifier("logistic", **STEPS, **PLAIN),
        SAMULTClassifier(**PLAIN),
        SAMULTClassifier(**PLAIN, labeled_weight=0.0),
        SAMULTClassifier("laplacian", **PLAIN, labeled_weight=1.0),
        DSGClassifier(**STEPS | {"batch_size": 1000}, **PLAIN),
        SSRankBoostClassifier(scaling="none", random_state=0),
        OptAGClassifier(scaling="none", random_state=0),
    ],
    ids=lambda classifier: f"{type(classifier).__name__}-{getattr(classifier, 'solver', '')}",
)
def test_whole_weights_are_repeated_rows(classifier):
    """Steps and random features are in float32. PNU-AUC penalises coefficients: a centre more is a penalty less."""
    X, y, weight = make_rows()
    times = np.where(y == -1, 1, weight)
    ours = fitted_scores(classifier, X, y, weight)
    theirs = fitted_scores(classifier, np.repeat(X, times, axis=0), np.repeat(y, times))
    tolerance = 1e-12 if isinstance(classifier, SAMULTClassifier) else 2e-6
    assert np.abs(ours - theirs).max() < tolerance * np.abs(theirs).max()
    assert np.abs(ours - fitted_scores(classifier, X, y)).max() > 0.01 * np.abs(theirs).max()


def test_rows_of_no_weight_are_not_there(classifier):
    X, y, weight = make_rows()
    is_out = (y != -1) & (weight == 0)
    # Rows like these would settle scaling, width and columns.
    X[is_out] *= 1e3
    ones = np.where(is_out, 0.0, 1.0)
    for sample_weight in (weight, ones):
        ours = fitted_scores(classifier, X, y, sample_weight)
        theirs = fitted_scores(classifier, X[~is_out], y[~is_out], sample_weight[~is_out])
        np.testing.assert_array_equal(ours, theirs)
    np.testing.assert_array_equal(theirs, fitted_scores(classifier, X[~is_out], y[~is_out]))


def test_equal_weights_are_none_and_units_do_not_matter(classifier):
    X, y, weight = make_rows()
    plain = fitted_scores(classifier, X, y)
    for value in (1.0, 7.5):
        np.testing.assert_array_equal(fitted_scores(classifier, X, y, np.full(N_ROWS, value)), plain)
    weighted = fitted_scores(classifier, X, y, 1.0 + weight)
    for unit in (3.7, 1e-200):
        other = fitted_scores(classifier, X, y, unit * (1.0 + weight))
        np.testing.assert_allclose(other, weighted, atol=1e-6 * np.abs(weighted).max())
    assert np.abs(weighted - plain).max() > 1e-3 * np.abs(plain).max()


FORMS = {
    "list": list,
    "series": lambda weight: pd.Series(weight, index=np.arange(N_ROWS)[::-1]),
    "float32": lambda weight: weight.astype(np.float32),
    "integers": lambda weight: weight.astype(int),
    "missing where unlabelled": lambda weight: np.where(np.arange(N_ROWS) < N_LABELED, weight, np.nan),
}


def test_weights_come_in_many_forms():
    X, y, weight = make_rows()
    for classifier in (CLASSIFIERS["exact"], CLASSIFIERS["samult"]):
        expected = fitted_scores(classifier, X, y, weight.astype(float))
        for form in FORMS.values():
            np.testing.assert_array_equal(fitted_scores(classifier, X, y, form(weight.astype(float))), expected)
        kept = fitted_scores(classifier, X, y, weight > 0)
        np.testing.assert_array_equal(kept, fitted_scores(classifier, X, y, (weight > 0) * 2.0))


def test_bad_weights_are_told_before_any_work_and_leave_nothing_behind(classifier):
    X, y, weight = make_rows()
    classifier.fit(X, y)
    before = dict(vars(classifier))
    for bad, message in ((weight[:3], "one number for each of the 150 rows"), (weight - 1.0, r"finite numbers >= 0")):
        with pytest.raises(ValueError, match=rf"^sample_weight must hold {message}"):
            classifier.fit(X, y, sample_weight=bad)
    assert vars(classifier) == before


def test_steps_draw_rows_by_their_weights():
    """Rows with wrong labels that are hardly ever drawn do no harm."""
    X, y, _ = make_rows()
    wrong = np.random.default_rng(1).random(N_ROWS) < 0.4
    y = np.where((y >= 0) & wrong, 1 - y, y)
    truth = make_rows()[1]
    weight = np.where(wrong, 1e-9, 1.0)
    triplet = S2AUCClassifier(solver=QSG(pairing="triplet"), max_iter=400, batch_size=1, random_state=0)
    labeled = slice(0, N_LABELED)
    weighted, plain = (
        triplet.fit(X, y, sample_weight=given).score(X[labeled], truth[labeled]) for given in (weight, None)
    )
    assert weighted > 0.85 > plain


def test_of_very_many_labelled_rows_light_ones_do_not_matter():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(5200, 2))
    truth = (X[:, 0] > 0).astype(int)
    is_light = np.arange(5200) % 2 == 0
    y = np.where(is_light, 1 - truth, truth)
    y[5000:] = -1
    model = S2AUCClassifier(**STEPS, random_state=0).fit(X, y, sample_weight=np.where(is_light, 1e-6, 1.0))
    assert model.score(X[5000:], truth[5000:]) > 0.98


def test_partial_fit_takes_weights():
    X, y, weight = make_rows()
    weighted, repeated = (clone(S2AUCClassifier(**STEPS, **PLAIN)) for _ in range(2))
    times = np.where(y == -1, 1, weight)
    for rows in (slice(0, 30), slice(30, None)):
        weighted.partial_fit(X[rows], y[rows], sample_weight=weight[rows])
        repeated.partial_fit(np.repeat(X[rows], times[rows], axis=0), np.repeat(y[rows], times[rows]))
    ours, theirs = (model.decision_function(X) for model in (weighted, repeated))
    np.testing.assert_allclose(ours, theirs, atol=1e-4 * np.abs(theirs).max())
    history = weighted.history_["labeled_auc"], repeated.history_["labeled_auc"]
    np.testing.assert_allclose(*history, atol=0.01)


def test_partial_fit_takes_weights_of_unlabelled_rows_alone():
    X, y, weight = make_rows()
    model = S2AUCClassifier(**STEPS, random_state=0).partial_fit(X, y)
    with pytest.warns(UserWarning, match="form no pairs to learn from"):
        model.partial_fit(X[N_LABELED:], y[N_LABELED:], sample_weight=weight[N_LABELED:])


def test_weights_of_positive_rows_alone():
    X, y, weight = make_rows()
    y = np.where(y == 0, -1, y)
    times = np.where(y == -1, 1, weight)
    classifier = SAMULTClassifier(**PLAIN, pos_label=1)
    ours = fitted_scores(classifier, X, y, weight)
    theirs = fitted_scores(classifier, np.repeat(X, times, axis=0), np.repeat(y, times))
    np.testing.assert_allclose(ours, theirs, atol=1e-9)
    search = S2AUCClassifierCV(**SEARCH, class_prior=0.5, pos_label=1)
    assert np.abs(fitted_scores(search, X, y, weight) - fitted_scores(search, X, y, weight > 0)).max() > 1e-3


def test_which_classifiers_take_weights():
    classifiers = [name for name in s2auc.__all__ if "Classifier" in name]
    without = {name for name in classifiers if not has_fit_parameter(getattr(s2auc, name), "sample_weight")}
    assert without == {"SOLAMClassifier", "FSAUCClassifier", "FOAMClassifier", "NOAMClassifier"}
    page = (Path(__file__).parents[2] / "docs" / "guide" / "scikit-learn.md").read_text(encoding="utf-8")
    told = page.partition("all but four in `fit`: ")[2].partition("make one step per row")[0]
    assert {word.strip("`,") for word in told.split()} - {"and"} == without


def test_weights_can_be_routed():
    X, y, weight = make_rows()
    weight = weight + 1.0
    with sklearn.config_context(enable_metadata_routing=True):
        model = S2AUCClassifier(**STEPS, unlabeled=None, random_state=0)
        labeled = slice(0, N_LABELED)
        data = X[labeled], y[labeled]
        request = {"sample_weight": True}
        routed = clone(model).set_fit_request(**request).set_score_request(**request)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "There are no unlabelled rows")
            search = GridSearchCV(routed, {"alpha": [1e-3, 1e-1]}, cv=3).fit(*data, sample_weight=weight[labeled])
            best = clone(model).set_params(**search.best_params_).fit(*data, sample_weight=weight[labeled])
            weighted, plain = (
                cross_val_score(estimator, *data, cv=3, params=params)
                for estimator, params in ((routed, {"sample_weight": weight[labeled]}), (model, {}))
            )
        np.testing.assert_array_equal(search.decision_function(X), best.decision_function(X))
        assert len(weighted) == 3
        assert np.abs(weighted - plain).max() > 1e-3
