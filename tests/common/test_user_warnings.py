"""Warnings point at the line that users wrote, however deep they arise."""

import os
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import s2auc
from s2auc import S2AUCClassifier
from s2auc.common.user_warnings import warn_user

NO_POOL = "There are no unlabelled rows"


@pytest.fixture
def rows():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(24, 3))
    return X, (np.arange(24) % 2)


def fast(**changes):
    return S2AUCClassifier(**{"max_iter": 2, "n_frequencies": 4, "batch_size": 4, "random_state": 0} | changes)


def caught_from(call):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    assert caught
    return caught


def check_points_here(call, message):
    found = [warning for warning in caught_from(call) if message in str(warning.message)]
    assert found
    for warning in found:
        assert warning.filename == __file__
        assert 0 < warning.lineno <= len(Path(__file__).read_text(encoding="utf-8").splitlines())


def test_the_line_itself():
    caught = caught_from(lambda: warn_user("mind the step"))
    assert [(str(warning.message), warning.category) for warning in caught] == [("mind the step", UserWarning)]
    assert caught[0].filename == __file__
    assert "mind the step" in Path(__file__).read_text(encoding="utf-8").splitlines()[caught[0].lineno - 1]


def test_the_category_is_passed_on():
    assert caught_from(lambda: warn_user("old", DeprecationWarning))[0].category is DeprecationWarning


def test_below_several_frames_of_the_library(rows):
    check_points_here(lambda: fast(labeled_weight=0.5).fit(*rows), NO_POOL)


def test_below_frames_of_scikit_learn(rows):
    estimator = fast(labeled_weight=0.5)
    check_points_here(lambda: cross_val_score(estimator, *rows, cv=KFold(2)), NO_POOL)
    check_points_here(lambda: make_pipeline(StandardScaler(), estimator).fit(*rows), NO_POOL)
    check_points_here(lambda: GridSearchCV(estimator, {"alpha": [0.1]}, cv=KFold(2)).fit(*rows), NO_POOL)


def test_where_columns_are_left_out(rows):
    X, y = rows
    table = pd.DataFrame(X, columns=["age", "height", "shoe"])
    model = fast(labeled_weight=1.0).fit(table, y)
    check_points_here(lambda: model.decision_function(table.assign(weight=1.0)), "'weight'")


@pytest.mark.parametrize("package", [s2auc, sklearn], ids=lambda package: package.__name__)
def test_folders_whose_names_begin_alike_are_the_users(package):
    """A script in `s2auc_study`, beside the package, is no part of it."""
    beside = f"{Path(package.__file__).parent}_study{os.sep}script.py"
    script = compile("\nwarn_user('here')", beside, "exec")
    caught = caught_from(lambda: exec(script, {"warn_user": warn_user}))
    assert (caught[0].filename, caught[0].lineno) == (beside, 2)


@pytest.mark.parametrize("package", [s2auc, sklearn], ids=lambda package: package.__name__)
def test_files_of_the_packages_are_not_the_users(package):
    inside = f"{Path(package.__file__).parent}{os.sep}part{os.sep}module.py"
    module = compile("warn_user('there')", inside, "exec")
    check_points_here(lambda: exec(module, {"warn_user": warn_user}), "there")
