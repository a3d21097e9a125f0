"""The two classifiers agree: what the search calls the best setting is what a single fit makes of it."""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

from s2auc import (
    QSG,
    Average,
    Exact,
    LabeledKFold,
    S2AUCClassifier,
    S2AUCClassifierCV,
    SAMULTClassifierCV,
    load_model,
)
from s2auc.data.schema.schema import Schema
from s2auc.data.sources.matrix_rows import DenseRows
from searches import moons

SMALL = {
    "kernels": ("gaussian",),
    "scalings": ("standard", "rank"),
    "kernel_gammas": ("0.5 median",),
    "n_frequencies": 16,
    "alphas": (1e-3, 1e-1),
    "neighbor_weights": (0.0,),
    "members": ("kernels",),
    "judge": False,
    "random_state": 5,
    "selection": "best",
}


def messy():
    """A frame with numbers, a rare category and missing values, and more unlabelled rows."""
    X, y, _ = moons()
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(X, columns=["a", "b"])
    frame["city"] = np.where(X[:, 0] > 0.4, "Oslo", rng.choice(["Rome", "Lima"], len(X)))
    frame["gap"] = np.where(rng.random(len(X)) < 0.2, np.nan, X[:, 1])
    return frame, y


def positive_unlabeled():
    X, y, _ = moons()
    return X, np.where(y == 1, 1, -1)


ONE_SPACE = {"scalings": ("standard",), "column_weightings": ("none",)}
CASES = {
    "exact": {},
    "exact, few unlabelled rows": {"solver": Exact(max_unlabeled=50), "labeled_weights": (0.5,)},
    "steps": {"solver": "qsg", "max_iters": (4, 12)},
    "steps, stopped early": {
        **ONE_SPACE,
        "solver": "qsg",
        "max_iters": (3, 90),
        "alphas": (1e-3,),
        "labeled_weights": (1.0,),
    },
    "few rows and frequencies": {
        **ONE_SPACE,
        "solver": QSG(pairing="triplet"),
        "max_iters": (8, 64),
        "batch_size": 2,
        "n_frequencies": 1,
    },
    "steps, last iterate": {
        **ONE_SPACE,
        "solver": QSG(average=False),
        "max_iters": (12,),
        "labeled_weights": (0.5,),
    },
    "triplets": {**ONE_SPACE, "solver": QSG(pairing="triplet"), "max_iters": (12,), "labeled_weights": (0.5,)},
    "another loss": {**ONE_SPACE, "solver": "qsg", "loss": "logistic", "max_iters": (8,)},
    "weighted columns": {"column_weightings": ("auc",), "scalings": ("rank",)},
    "number as width": {"kernel_gammas": (0.7,), "kernels": ("matern32",)},
    "labelled rows only": {"labeled_weights": (1.0,)},
    "among all kernels and members": {"kernels": "auto", "members": "auto"},
    "steps, all kernels": {"solver": "qsg", "kernels": "auto", "max_iters": (4,), "scalings": ("standard",)},
    "neighbours": {"neighbor_weights": (5.0, 50.0), "n_neighbors": 4},
    "neighbours and pairs, common units": {
        "neighbor_weights": (10.0,),
        "labeled_weights": (0.3,),
        "scalings": ("common",),
    },
    "neighbours, steps": {"solver": "qsg", "neighbor_weights": (5.0,), "max_iters": (12,), "scalings": ("standard",)},
}


ROWS = {"array": lambda: moons()[:2], "frame": messy, "positive and unlabelled": positive_unlabeled}
CASES_OF_ALL_ROWS = "exact", "steps"
"""Each solver meets all rows, each other case some of them in turn."""


@pytest.mark.usefixtures("few_trees")
@pytest.mark.parametrize(
    ("case", "rows"),
    [
        (case, rows)
        for place, case in enumerate(CASES)
        for turn, rows in enumerate(ROWS)
        if case in CASES_OF_ALL_ROWS or turn == place % len(ROWS)
    ],
)
def test_the_best_setting_is_a_single_fit(case, rows):
    X, y = ROWS[rows]()
    label = {"pos_label": 1} if rows == "positive and unlabelled" else {}
    search = S2AUCClassifierCV(**SMALL | CASES[case] | label).fit(X, y)
    single = S2AUCClassifier(**search.best_params_).fit(X, y)
    # The search divides scores by their spread, and each classifier has a threshold of its own.
    ours, expected = (model.decision_function(X) + model.offset_ for model in (search, single))
    ours *= np.vdot(ours, expected) / np.vdot(ours, ours)
    np.testing.assert_allclose(ours, expected, rtol=0, atol=1e-6 * np.abs(expected).max())


def test_every_axis_of_the_search_is_the_plural_of_a_parameter():
    single, search = S2AUCClassifier().get_params(), S2AUCClassifierCV().get_params()
    axes = {name for name, value in search.items() if value == "auto"} - {"members", "sparse_components"}
    assert axes == {f"{name}s" for name in ("kernel", "kernel_gamma", "alpha", "labeled_weight", "neighbor_weight",
                                            "scaling", "column_weighting", "max_iter")}  # fmt: skip
    assert {name.removesuffix("s") for name in axes} <= single.keys()
    assert len(single) <= 25
    assert len(search) <= 28


@pytest.mark.parametrize(
    "estimator",
    [
        S2AUCClassifier(solver=QSG(step_scale=0.5), random_state=0),
        S2AUCClassifier(solver=Exact(max_unlabeled=9)),
        S2AUCClassifierCV(solver=QSG(pairing="triplet"), selection=Average(n=3)),
    ],
)
def test_nested_parameters_and_clones(estimator):
    names = estimator.get_params()
    nested = {name: value for name, value in names.items() if "__" in name}
    assert nested
    for name, value in nested.items():
        assert clone(estimator).set_params(**{name: value}).get_params()[name] == value
    copy = clone(estimator)
    assert copy.solver is not estimator.solver
    assert repr(copy) == repr(estimator) == repr(pickle.loads(pickle.dumps(estimator)))


def test_grid_search_over_nested_names():
    X, y, _ = moons()
    base = S2AUCClassifier(solver=QSG(), max_iter=4, n_frequencies=8, random_state=0)
    search = GridSearchCV(
        base, {"solver__step_scale": [0.5, 1.0], "solver__average": [True, False]}, cv=LabeledKFold(3)
    )
    search.fit(X, y)
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()
    assert set(search.best_params_) == {"solver__step_scale", "solver__average"}
    other = S2AUCClassifierCV(**SMALL | {"n_frequencies": 8, "selection": Average()})
    GridSearchCV(other, {"selection__n": [1, 2]}, cv=LabeledKFold(3)).fit(X, y)


@pytest.mark.usefixtures("few_trees")
@pytest.mark.parametrize("kind", [S2AUCClassifier, S2AUCClassifierCV])
def test_fitted_classifiers_pickle(kind):
    X, y = messy()
    small = {"max_iter": 4} if kind is S2AUCClassifier else {"judge": False}
    model = kind(n_frequencies=8, random_state=0, **small).fit(X, y)
    copy = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(copy.decision_function(X), model.decision_function(X))
    if kind is S2AUCClassifier:
        np.testing.assert_array_equal(
            copy.partial_fit(X, y).decision_function(X), model.partial_fit(X, y).decision_function(X)
        )


def test_a_single_fit_says_why_it_has_no_probabilities():
    model = S2AUCClassifier()
    assert not hasattr(model, "predict_proba")
    with pytest.raises(AttributeError, match="predict_proba") as caught:
        model.predict_proba  # noqa: B018
    assert "S2AUCClassifierCV has them, also with one value for each parameter" in str(caught.value)


@pytest.mark.usefixtures("few_trees")
@pytest.mark.parametrize("kind", [S2AUCClassifier, S2AUCClassifierCV])
def test_progress_and_threads_are_alike(kind, caplog):
    X, y, _ = moons()
    small = {"max_iter": 4} if kind is S2AUCClassifier else {"judge": False, "scalings": ["standard"]}
    models = []
    for n_jobs in (1, -1):
        with caplog.at_level("INFO", logger="s2auc"):
            models.append(kind(n_frequencies=8, random_state=0, n_jobs=n_jobs, verbose=1, **small).fit(X, y))
        assert caplog.messages
        caplog.clear()
    np.testing.assert_array_equal(*(model.decision_function(X) for model in models))


@pytest.mark.usefixtures("few_trees")
@pytest.mark.parametrize("kind", [S2AUCClassifier, S2AUCClassifierCV])
@pytest.mark.parametrize("n_unlabeled", [1, 2, 3])
@pytest.mark.filterwarnings("ignore:The smaller class has")
def test_few_unlabelled_rows_stand_in_for_negatives(kind, n_unlabeled):
    X, _, _ = moons()
    y = np.repeat([1, -1], [10, n_unlabeled])
    model = kind(pos_label=1, n_frequencies=8, random_state=0).fit(X[: len(y)], y)
    assert np.isfinite(model.decision_function(X)).all()


@pytest.mark.usefixtures("few_trees")
@pytest.mark.parametrize("kind", [S2AUCClassifier, S2AUCClassifierCV])
def test_categories_of_sources_must_agree(kind):
    X, y, _ = moons()
    codes = (X[:, :1] > 0.5).astype(float)
    small = {"max_iter": 4} if kind is S2AUCClassifier else {"judge": False}
    model = kind(n_frequencies=8, random_state=0, **small)
    model.fit(DenseRows(codes, Schema(1, {0: ("no", "yes")}, ("late",))), y)
    other = DenseRows(1.0 - codes, Schema(1, {0: ("yes", "no")}, ("late",)))
    with pytest.raises(ValueError, match=r"X must have the categories .* Got others in column late"):
        model.decision_function(other)


def test_the_record_tells_how_a_model_came_about(tmp_path):
    X, y, _ = moons()
    single = S2AUCClassifier(solver=QSG(step_scale=0.5), max_iter=4, n_frequencies=8, random_state=0).fit(X, y)
    settings = single.model_.record["settings"]
    assert settings["solver"] == {
        "name": "QSG",
        "average": True,
        "pairing": "all",
        "schedule": "shifted",
        "step_scale": 0.5,
    }
    assert settings["max_iter"] == 4
    assert "random_state" not in settings
    search = S2AUCClassifierCV(**SMALL, cv=LabeledKFold(3), labeled_weights=[1.0]).fit(X, y)
    record = search.model_.record
    assert record["settings"]["cv"].startswith("LabeledKFold(n_splits=3")
    assert record["settings"]["alphas"] == [1e-3, 1e-1]
    assert len(record["settings_tried"]) == len(search.cv_results_["params"])
    assert record["settings_chosen"] == [search.best_index_]
    assert record["shift"] is not None
    baseline = SAMULTClassifierCV(n_centers=20, alphas=[0.1], random_state=0).fit(X, y)
    assert len(baseline.model_.record["settings_tried"]) == len(baseline.cv_results_["params"])
    for model in (single, search, baseline):
        model.save(tmp_path / "model")
        loaded = load_model(tmp_path / "model")
        assert loaded.record["settings"] == model.model_.record["settings"]
        assert loaded.record["n_sampled"] == len(X)
        assert "seconds" not in str(loaded.record)
