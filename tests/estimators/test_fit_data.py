"""What a fit is given is opened once: the estimator is left alone until the end, and plans are made once."""

import dataclasses

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.sparse import csr_array
from sklearn.base import BaseEstimator
from sklearn.utils.validation import validate_data

from bad_inputs import NAMES, make_estimator
from classifier_rows import N_LABELED, fast, make_rows
from lazy_tables import LazyFrame
from s2auc import S2AUCClassifier, S2AUCClassifierCV, load_model
from s2auc.data.inputs import as_rows
from s2auc.estimators import search_plan
from s2auc.estimators.fitting.fit_data import FitData, passed_columns
from s2auc.estimators.fitting.planning import project
from searches import SMALL
from text_rows import make_texts


def test_opening_sets_nothing():
    X, _, y = make_rows()
    model = fast()
    before = dict(vars(model))
    data = FitData.open(model, X, y, X[:50], sample_weight=np.ones(len(y)), groups=np.arange(len(y)))
    assert vars(model) == before
    assert data.has_pool
    assert data.rows.sizes == {"positive": sum(y == 1), "negative": sum(y == 0), "unlabeled": sum(y == -1) + 50}
    assert len(data.groups) == N_LABELED
    with pytest.raises(dataclasses.FrozenInstanceError):
        data.seed = 7


def table(**columns):
    return pd.DataFrame({"age": [31.0, 45.0, 20.0, 30.0], **columns})


TABLES = {
    "array": np.zeros((4, 2)),
    "sparse matrix": csr_array((4, 300)),
    "text": table(city=["Rome", "Oslo", "Rome", "Oslo"]),
    "dates": table(day=pd.to_datetime(["2020-01-01", "2021-05-06", "2022-07-08", "2023-01-02"])),
    "whole numbers": table().set_axis([7], axis=1),
    "numbers from zero": pd.DataFrame(np.eye(4)),
    "polars": pl.DataFrame({"age": [1.0, 2.0, 3.0, 4.0], "size": [1.0, 2.0, 1.0, 2.0]}),
}


@pytest.mark.parametrize("name", TABLES)
def test_columns_are_told_as_scikit_learn_does(name):
    X, expected = TABLES[name], BaseEstimator()
    validate_data(expected, X, reset=True, skip_check_array=True)
    found = passed_columns(FitData.open(fast(), X, [0, 1, -1, -1]).schema)
    assert {key: np.asarray(value).tolist() for key, value in found.items()} == {
        key: np.asarray(value).tolist() for key, value in vars(expected).items()
    }


def test_a_column_may_be_called_roles(tmp_path):
    X, _, y = make_rows()
    frame = pd.DataFrame(X, columns=["a", "b", "roles"])
    model = fast().fit(frame, y)
    model.save(tmp_path / "model")
    np.testing.assert_array_equal(load_model(tmp_path / "model").decision_function(X), model.decision_function(frame))


@pytest.mark.usefixtures("few_trees")
@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_left_of_an_earlier_fit(name):
    X, _, y = make_rows()
    model, anew = make_estimator(name), make_estimator(name).fit(X, y)
    model.fit(pd.DataFrame(X, columns=["a", "b", "c"]), y).fit(X, y)
    assert set(vars(model)) == set(vars(anew))
    assert not hasattr(model, "feature_names_in_")


def test_a_solution_leaves_nothing_of_steps():
    X, _, y = make_rows()
    model = fast().fit(X, y)
    assert model.curvature_ > 0
    model.set_params(solver="exact").fit(X, y)
    assert not hasattr(model, "curvature_")
    assert set(vars(model)) == set(vars(fast(solver="exact").fit(X, y)))


@pytest.mark.parametrize("asked", ["auto", None, 5])
def test_whether_rows_are_sparse_is_known_without_reading_any(asked):
    lazy = LazyFrame(np.zeros((20, 300)))
    data = FitData.open(fast(), lazy, np.arange(20) % 2)
    assert project(data, asked, "S2AUCClassifier") is data
    assert lazy.passes == [0]


def test_few_columns_are_not_looked_at():
    lazy = LazyFrame(np.zeros((20, 256)))
    data = FitData.open(fast(), lazy, np.arange(20) % 2)
    assert project(data, "auto", "S2AUCClassifier") is data
    assert lazy.passes == []


@pytest.mark.parametrize("rows", ["dense", "sparse"])
def test_a_search_makes_its_grid_and_checks_its_sizes_once(rows, monkeypatch):
    calls = []
    for work in (search_plan.make_grid, search_plan.check_memory):

        def counted(*args, work=work):
            calls.append(work.__name__)
            return work(*args)

        monkeypatch.setattr(search_plan, work.__name__, counted)
    if rows == "dense":
        X, _, y = make_rows()
    else:
        X, _, y = make_texts()
    model = S2AUCClassifierCV(**SMALL, judge=False, random_state=0).fit(X, y)
    assert (model.model_.record["n_components"] is None) == (rows == "dense")
    assert calls == ["make_grid", "check_memory"]


def test_normalised_rows_stay_as_they_are():
    for X in TABLES.values():
        once = as_rows(X)
        again = as_rows(once)
        assert again is once or (again != once).nnz == 0


def test_later_calls_keep_schema_seed_and_roles():
    X, _, y = make_rows()
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    lazy = LazyFrame(frame)
    lazy.roles = {"label": "fraud"}
    model = S2AUCClassifier(max_iter=4, random_state=3).fit(lazy, y)
    schema = model.model_.schema
    model.set_params(random_state=4).partial_fit(frame[["c", "a", "b"]], y)
    assert model.model_.schema is schema
    assert (model.seed_, model.model_.record["table"]) == (3, {"label": "fraud"})
