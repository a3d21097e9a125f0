"""Columns that name rows are ignored of fits, of scores and of files, and their users are told once."""

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest

from s2auc import S2AUCClassifier, S2AUCClassifierCV, SAMULTClassifier, load_model
from s2auc.data.schema.schema import Schema

rng = np.random.default_rng(1)
N_ROWS, N_LABELED = 200, 60
X = pd.DataFrame(
    {
        "id": rng.permutation(N_ROWS),
        "a": rng.normal(size=N_ROWS),
        "name": [f"person {number}" for number in rng.permutation(N_ROWS)],
        "income": rng.choice(90_000, N_ROWS, replace=False),
    }
)
Y = np.where(np.arange(N_ROWS) < N_LABELED, (X["a"] > 0).astype(int), -1)
SEEN = X[["a", "income"]]
KINDS = {
    "single": lambda: S2AUCClassifier(max_iter=4, n_frequencies=8, random_state=0),
    "exact": lambda: S2AUCClassifier(solver="exact", n_frequencies=8, random_state=0),
    "search": lambda: S2AUCClassifierCV(
        kernels=["gaussian"], kernel_gammas=["median"], alphas=[1e-3], members=["kernels"], judge=False, random_state=0
    ),
}
WARNING = (
    r"^Columns of X that say nothing of its rows are ignored: 'id' \(row ID: whole numbers.*\), 'name' \(text that is "
    r"different in every row\)\. To use one, open the table with open_table and name all columns to use in features; "
    r"to silence this warning, list those to ignore in drop\.$"
)


def silently(call, *args):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return call(*args)


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame])
@pytest.mark.parametrize("kind", KINDS)
def test_they_are_not_seen(kind, make, tmp_path):
    table, seen = make(X.to_dict("list")), make(SEEN.to_dict("list"))
    expected = KINDS[kind]().fit(seen, Y).decision_function(seen)
    with pytest.warns(UserWarning, match=WARNING) as caught:
        model = KINDS[kind]().fit(table, Y)
    assert [warning.filename for warning in caught] == [__file__]
    assert model.n_features_in_ == 4
    assert model.feature_names_in_.tolist() == ["id", "a", "name", "income"]
    assert model.model_.n_columns == 2
    model.save(tmp_path / "model")
    loaded = load_model(tmp_path / "model")
    assert loaded.schema == model.model_.schema == Schema(2, {}, ("a", "income"), {0: "id", 2: "name"})
    for scorer in (model, model.model_, loaded):
        for rows in (table, seen, table[["name", "income", "a"]]):
            np.testing.assert_array_equal(silently(scorer.decision_function, rows), expected)
    assert "ignored: id, name" in loaded._repr_html_()
    with pytest.raises(ValueError, match="Missing: 'income'; add them"):
        model.predict(table[["id", "a", "name"]])


def test_they_may_be_strange_or_absent_in_unlabelled_rows():
    labeled, pool = X[:N_LABELED], X[N_LABELED:]
    expected = KINDS["single"]().fit(SEEN[:N_LABELED], Y[:N_LABELED], SEEN[N_LABELED:]).decision_function(SEEN)
    for more in (pool, pool[["income", "a"]], pool[["income", "name", "a"]]):
        with pytest.warns(UserWarning, match=WARNING):
            model = KINDS["single"]().fit(labeled, Y[:N_LABELED], more)
        np.testing.assert_array_equal(model.decision_function(X), expected)


def test_unlabelled_rows_may_show_that_they_are_categories():
    labeled = X[:N_LABELED].assign(name=[f"city {number}" for number in range(N_LABELED)])
    pool = X[N_LABELED:].assign(name=[f"city {number}" for number in rng.integers(N_LABELED, size=N_ROWS - N_LABELED)])
    with pytest.warns(UserWarning, match=r"ignored: 'id' \(row ID: whole numbers, .*\)\. To"):
        model = KINDS["single"]().fit(labeled, Y[:N_LABELED], pool)
    assert model.model_.schema.names == ("a", "name", "income")
    assert len(model.model_.schema.levels[1]) == N_LABELED


def test_arrays_have_their_places():
    table = X[["id", "a", "income"]]
    with pytest.warns(UserWarning, match="ignored: 'id'"):
        model = KINDS["single"]().fit(table, Y)
    with pytest.warns(UserWarning, match="X does not have valid feature names"):
        scores = model.decision_function(table.to_numpy())
    np.testing.assert_array_equal(scores, model.decision_function(table))
    np.testing.assert_array_equal(model.model_.decision_function(table.to_numpy()), scores)
    np.testing.assert_array_equal(model.model_.decision_function(SEEN.to_numpy()), scores)
    with pytest.raises(ValueError, match=r"X must have the 3 columns that the model was fitted on\. Got 4"):
        model.model_.decision_function(np.ones((2, 4)))
    silently(KINDS["single"]().fit, table.to_numpy(), Y)


def test_columns_without_names_have_their_places():
    table = X[["id", "a", "income"]].set_axis(range(3), axis=1)
    with pytest.warns(UserWarning, match=r"ignored: '0' \("):
        model = KINDS["single"]().fit(table, Y)
    assert model.model_.schema == Schema(2, {}, None, {0: "0"})
    assert not hasattr(model, "feature_names_in_")
    scores = model.decision_function(table)
    for rows in (table[[2, 1, 0]], table[[2, 1]], table.to_numpy(), table.set_axis(list("abc"), axis=1)):
        np.testing.assert_array_equal(silently(model.decision_function, rows), scores)


def test_they_stay_left_out_while_a_model_goes_on():
    with pytest.warns(UserWarning, match="ignored"):
        model = KINDS["single"]().partial_fit(X, Y)
    silently(model.partial_fit, X[:100], Y[:100])
    silently(model.partial_fit, SEEN[:100], Y[:100], None, X[100:])
    model.set_params(warm_start=True)
    silently(model.fit, X, Y)
    assert model.model_.schema.names == ("a", "income")


def test_they_can_be_kept():
    model = S2AUCClassifier(max_iter=2, categorical_features=["name", "id"], random_state=0)
    silently(model.fit, X, Y)
    assert model.model_.n_columns == 4
    silently(model.set_params(categorical_features="from_dtype").fit, X[["id", "a"]].astype(float), Y)
    assert model.model_.n_columns == 2
    silently(model.fit, X.drop(columns="id").astype({"name": "category"}), Y)
    assert model.model_.n_columns == 3


def test_listed_columns_keep_their_meaning_beside_columns_that_are_left_out():
    table = X[["id", "a", "income"]].assign(city=np.where(X["a"] > 0.3, "Rome", "Oslo"))
    with pytest.warns(UserWarning, match="ignored: 'id'"):
        model = S2AUCClassifier(max_iter=2, categorical_features=[3]).fit(
            table[:N_LABELED], Y[:N_LABELED], table[N_LABELED:].assign(city="Lima")
        )
    assert model.model_.schema.levels == {2: ("Lima", "Oslo", "Rome")}


def test_nothing_is_left():
    with pytest.raises(
        ValueError, match=r"^X must have columns that describe its rows\. Got only .* 'id' \(.*'name' \("
    ):
        KINDS["single"]().fit(X[["id", "name"]], Y)


def test_baselines_leave_them_out_too():
    with pytest.warns(UserWarning, match="ignored: 'id'"):
        model = SAMULTClassifier(n_centers=10, random_state=0).fit(X[["id", "a"]], Y)
    assert model.model_.schema.names == ("a",)


def test_a_shift_is_told_of_the_column_that_it_is_in():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"client_id": np.arange(400), "age": rng.normal(size=400), "income": rng.normal(size=400)})
    y = np.where(np.arange(400) < 60, rng.integers(0, 2, 400), -1)
    frame.loc[y == -1, "income"] += 3.0
    ranker = S2AUCClassifierCV(alphas=[0.1], kernels=["gaussian"], members=["kernels"], judge=False, random_state=0)
    with (
        pytest.warns(UserWarning, match="ignored: 'client_id'"),
        pytest.warns(UserWarning, match=r"column 2 \('income'"),
    ):
        ranker.fit(frame, y)
    assert ranker.shift_.column == 2
