"""Classifiers take data frames by the names of their columns, sources of rows, and memory maps without reading them."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from s2auc import (
    DSGClassifier,
    OptAGClassifier,
    S2AUCClassifier,
    S2AUCClassifierCV,
    SAMULTClassifier,
    SSRankBoostClassifier,
)
from s2auc.data.schema.schema import Schema
from s2auc.data.sources.matrix_rows import DenseRows
from s2auc.data.sources.source import RowSource
from searches import moons

pytestmark = pytest.mark.usefixtures("few_trees")

SMALL = {"n_frequencies": 8, "random_state": 0}
SEARCHED = {"kernels": ["gaussian"], "kernel_gammas": ["median"], "alphas": [1e-2], "cv": 3, "judge": False}
KINDS = {
    "single": lambda: S2AUCClassifier(max_iter=4, **SMALL),
    "exact": lambda: S2AUCClassifier(solver="exact", **SMALL),
    "search": lambda: S2AUCClassifierCV(**SEARCHED, **SMALL),
    "baseline": lambda: SAMULTClassifier(n_centers=20, random_state=0),
    "dsg": lambda: DSGClassifier(max_iter=4, **SMALL),
    "ssrankboost": lambda: SSRankBoostClassifier(5, random_state=0),
    "optag": lambda: OptAGClassifier(max_iter=3, random_state=0),
}


@pytest.fixture(params=KINDS)
def model(request):
    return KINDS[request.param]()


def frame_of(library, X, names):
    return (pd.DataFrame if library == "pandas" else pl.DataFrame)(dict(zip(names, X.T, strict=True)))


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_columns_are_found_by_name(model, library):
    X, y, _ = moons()
    fitted = model.fit(frame_of(library, X, ["a", "b"]), y)
    scores = fitted.decision_function(frame_of(library, X, ["a", "b"]))
    assert fitted.model_.schema.names == ("a", "b")
    np.testing.assert_array_equal(fitted.decision_function(frame_of(library, X[:, ::-1], ["b", "a"])), scores)
    more = frame_of(library, np.column_stack([X[:, 1], X[:, 0], X[:, 0]]), ["b", "more", "a"])
    with pytest.warns(UserWarning, match="not fitted on.*'more'") as caught:
        np.testing.assert_array_equal(fitted.decision_function(more), scores)
    assert len(caught) == 1
    assert caught[0].filename == __file__
    with pytest.raises(ValueError, match="'b'"):
        fitted.predict(frame_of(library, X, ["a", "c"]))


def test_unlabelled_rows_are_found_by_name_too(model):
    X, y, _ = moons()
    labeled, pool = frame_of("pandas", X[:60], ["a", "b"]), frame_of("pandas", X[60:], ["a", "b"])
    scores = model.fit(labeled, y[:60], pool).decision_function(X=labeled)
    with pytest.warns(UserWarning, match="X_unlabeled has columns.*'id'") as caught:
        model.fit(labeled, y[:60], pool.assign(id=1)[["id", "b", "a"]])
    assert len(caught) == 1
    np.testing.assert_array_equal(model.decision_function(labeled), scores)
    with pytest.raises(ValueError, match=r"X_unlabeled must have the columns .* Missing: 'b'"):
        model.fit(labeled, y[:60], pool[["a"]])


@pytest.mark.parametrize("kind", ["single", "search"])
def test_categories_and_missing_values(kind):
    X, y, truth = moons()
    frame = pd.DataFrame(X, columns=["a", "b"])
    frame["city"] = np.where(X[:, 0] > 0.5, "Rome", np.where(X[:, 1] > 0.5, "Oslo", None))
    frame.loc[::9, "a"] = np.nan
    model = KINDS[kind]().fit(frame, y)
    assert model.score(frame[60:], truth[60:]) > 0.8
    assert model.model_.schema.levels == {2: ("Oslo", "Rome")}
    stranger = frame[:5].assign(city="Lima")
    gone = frame[:5].assign(city=None)
    np.testing.assert_array_equal(model.decision_function(stranger), model.decision_function(gone))


class Counted(RowSource):
    """Rows of an array that remembers which were asked for."""

    def __init__(self, X, names=None):
        self.rows, self.seen = DenseRows(X), []
        self._schema = Schema(X.shape[1], {}, names)

    @property
    def n_rows(self):
        return self.rows.n_rows

    @property
    def schema(self):
        return self._schema

    def gather(self, numbers):
        self.seen.append(np.asarray(numbers))
        return self.rows.gather(numbers)

    def map_chunks(self, work, chunk_rows):
        return self.rows.map_chunks(work, chunk_rows)


def test_sources_are_as_good_as_arrays(model):
    X, y, truth = moons()
    expected = model.fit(X, y).decision_function(X)
    model.fit(Counted(X), y)
    np.testing.assert_array_equal(model.decision_function(Counted(X)), expected)
    np.testing.assert_array_equal(model.decision_function(X), expected)
    model.fit(X[:60], y[:60], Counted(X[60:]))
    np.testing.assert_array_equal(model.decision_function(X), expected)
    assert model.score(Counted(X[60:]), truth[60:]) == model.score(X[60:], truth[60:])
    np.testing.assert_array_equal(model.model_.decision_function(Counted(X)), expected)
    with pytest.raises(ValueError, match="X must have the 2 columns of the rows that were fitted"):
        model.model_.predict(Counted(np.ones((5, 3))))


def test_sources_are_checked(model):
    X, y, _ = moons()
    with pytest.raises(ValueError, match="X_unlabeled must have the 2 columns of the rows that were fitted"):
        model.fit(X, y, Counted(np.ones((5, 3))))
    with pytest.raises(ValueError, match=r"Input X_unlabeled contains infinity: column 1 .* Got inf in row 3"):
        model.fit(X, y, Counted(np.where(np.arange(20).reshape(10, 2) == 7, np.inf, 1.0)))
    if "categorical_features" in model.get_params():
        with pytest.raises(ValueError, match="categorical_features must be left alone where X is a source of rows"):
            model.set_params(categorical_features=[0]).fit(Counted(X), y)
        model.set_params(categorical_features="from_dtype")
    named = model.fit(Counted(X, ("a", "b")), y)
    assert named.feature_names_in_.tolist() == ["a", "b"]
    with pytest.raises(ValueError, match=r"must have the 2 columns .* in their order"):
        named.decision_function(Counted(X, ("b", "a")))


@pytest.mark.parametrize("kind", ["single", "exact", "search"])
def test_few_rows_of_a_large_pool_are_asked_for(kind):
    X, y, _ = moons(60, 100)
    pool = Counted(np.random.default_rng(0).normal(size=(200_000, 2)))
    KINDS[kind]().fit(X[:60], y[:60], pool)
    assert sum(map(len, pool.seen)) < 30_000
    assert len(pool.seen) == 2  # one pass for the columns, one for the rows that are drawn


@pytest.mark.filterwarnings("ignore:Labelled and unlabelled rows differ")
@pytest.mark.parametrize("kind", ["single", "search"])
def test_memory_maps_are_not_searched_for_bad_values(kind, tmp_path):
    X, y, _ = moons()
    rows = np.lib.format.open_memmap(tmp_path / "rows.npy", "w+", np.float64, (600 + 2_000_000, 2))
    rows[:600] = X
    # The pool's rows are zeros that no file block holds; one of them is broken, and too rare to be drawn.
    rows[-1] = np.inf
    labels = np.full(len(rows), -1, dtype=np.int8)
    labels[:60] = y[:60]
    model = KINDS[kind]().fit(rows, labels)
    assert model.score(X, np.where(y < 0, -1, y)) > 0.8
