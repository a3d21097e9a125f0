"""A row has the same score, bit for bit, alone and in any company, order in memory, chunk and number of threads."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.sparse import csr_array

from model_samples import PART_SAMPLES, make_columns, make_linear_part, make_model
from s2auc import S2AUCClassifierCV
from s2auc.data.features.encoding import Encoding
from s2auc.data.features.projection import Projection
from s2auc.data.features.scaling import SCALINGS, ColumnSample, ColumnScaling, prepare_columns
from s2auc.data.schema.schema import Schema
from s2auc.models.parts.bounds import finite_components, scaled_rows
from s2auc.models.parts.kinds import PLAIN_PARTS

LAYOUTS = {
    "C": np.ascontiguousarray,
    "F": np.asfortranarray,
    "every other column": lambda rows: np.repeat(rows, 2, axis=1)[:, ::2],
    "sparse": csr_array,
}


def random_rows(n_columns, *, missing=False, n_rows=300):
    """Return rows of very different sizes, some numbers zero and some missing."""
    rng = np.random.default_rng(n_columns)
    rows = rng.normal(size=(n_rows, n_columns)) * np.exp(rng.normal(size=n_columns) * 3)
    rows[rng.random(rows.shape) < 0.3] = 0.0
    rows[rng.random(rows.shape) < 0.1 * missing] = np.nan
    return rows


def encoded_columns(rows, encoding):
    """Return what happens to columns: nothing but scaling, numbers for missing ones, or all kinds of encoding."""
    n_columns = rows.shape[1]
    if encoding == "all":
        return prepare_columns(ColumnSample.of_rows(rows, Schema(n_columns, {0: None})), SCALINGS["rank"])
    plain = Encoding.plain(np.linspace(-1.0, 1.0, n_columns))
    return replace(make_columns(n_columns), encoding=plain if encoding == "plain" else None)


def check_company(score, rows, layouts=("C", "F", "every other column")):
    """Compare the scores of all rows with those of random choices of them, among these single rows."""
    rng = np.random.default_rng(1)
    choices = [*np.arange(len(rows))[:, None][:12], *(rng.integers(len(rows), size=n) for n in (2, 3, 9, 129))]
    for is_sparse in {name == "sparse" for name in layouts}:
        whole = score(LAYOUTS["sparse" if is_sparse else "C"](rows))
        for name in (name for name in layouts if (name == "sparse") == is_sparse):
            for chosen in choices:
                found = score(LAYOUTS[name](rows[chosen]))
                assert found.tobytes() == whole[chosen].tobytes(), (name, len(chosen))


@pytest.mark.parametrize("encoding", [None, "plain", "all"])
@pytest.mark.parametrize("n_columns", [1, 12, 70])
@pytest.mark.parametrize("kind", PLAIN_PARTS)
def test_plain_parts(kind, n_columns, encoding):
    rows = random_rows(n_columns, missing=encoding is not None)
    columns = encoded_columns(rows, encoding)
    part = replace(PART_SAMPLES[kind](n_columns=len(columns.shift)), columns=columns)
    check_company(part.score, rows, LAYOUTS)


@pytest.mark.parametrize("n_columns", [1, 12, 70])
def test_parts_of_components(n_columns):
    check_company(PART_SAMPLES["projected"](n_columns=n_columns).score, random_rows(n_columns, missing=True), LAYOUTS)


def test_models_of_many_parts():
    model = make_model(parts=tuple(make_linear_part() for _ in range(20)))
    check_company(model.score_rows, random_rows(3))


def test_values_beyond_all_bounds_leave_others_as_they_are():
    columns = ColumnScaling(np.zeros(2), np.array([1e-300, 1.0]))
    rows = np.array([[1.7e308, 0.0], [1.0, 1e200], [np.nan, 0.0]])
    check_company(lambda some: scaled_rows(columns, some)[:, 0], rows)
    projection = Projection(np.array([[1.1, 2.3], [-3.1, 0.7]]))
    overflowing = np.array([[1e308, 1.3e308], [1.7e308, 1.1e308], [1.0, 2.0], [1e308 / 3, 1.7e308]])
    check_company(lambda some: finite_components(projection, some).sum(axis=1), overflowing, LAYOUTS)


@pytest.mark.usefixtures("few_trees")
def test_fitted_models_whatever_chunks_and_threads(monkeypatch):
    X = random_rows(12, missing=True)
    y = np.where(np.arange(300) < 100, X[:, 0] > np.nanmedian(X[:, 0]), -1)
    settings = {"alphas": [0.1], "kernels": ["gaussian"], "n_frequencies": 32, "max_iters": [20], "judge": False}
    search = S2AUCClassifierCV(**settings, cv=2, random_state=0).fit(X, y)
    scores, probabilities = search.decision_function(X), search.predict_proba(X)
    check_company(search.decision_function, X)
    for n_threads, n_rows in ((1, 7), (2, 7), (2, 300), (3, 64)):
        monkeypatch.setenv("S2AUC_NUM_THREADS", str(n_threads))
        monkeypatch.setattr("s2auc.models.scoring_chunks.SCORE_CHUNK", n_rows)
        assert search.decision_function(X).tobytes() == scores.tobytes()
        assert search.predict_proba(X).tobytes() == probabilities.tobytes()
