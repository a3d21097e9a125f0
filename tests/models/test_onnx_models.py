"""Exported models score rows as the library does: drawn at random, and fitted."""

import numpy as np
import pandas as pd
import pytest

import text_rows
from model_samples import PART_SAMPLES, make_golden_committee, make_golden_model, make_golden_projection, make_model
from onnx_models import draw_model, draw_table
from onnx_runs import check_same
from s2auc import S2AUCClassifier, S2AUCClassifierCV, SAMULTClassifier
from s2auc.kernels.shift_invariant import KERNELS
from s2auc.models.onnx.parts import EXPORTERS
from s2auc.models.parts.kinds import PARTS
from searches import EVERYONE, SMALL, moons

pytest.importorskip("onnx")


@pytest.mark.parametrize("seed", range(20))
def test_models_drawn_at_random(seed, tmp_path):
    rng = np.random.default_rng([seed, 11])
    model = draw_model(rng, draw_table(rng))
    check_same(model, draw_table_like(model, rng), tmp_path)


def draw_table_like(model, rng):
    """Return other rows with the columns of a model."""
    names = list(model.schema.source_names)
    while True:
        frame = draw_table(rng, n_rows=100)
        if set(names) <= set(frame.columns):
            return frame[names]


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("kind", PARTS)
def test_every_kind_of_part_and_kernel(kind, kernel, tmp_path):
    rows = 3.0 * np.random.default_rng(0).normal(size=(50, 3))
    check_same(make_model(parts=(PART_SAMPLES[kind](kernel),)), rows, tmp_path)


def test_every_kind_of_part_has_an_exporter():
    assert set(EXPORTERS) == set(PARTS.values())


def labeled_table(seed):
    """Return a table of numbers, categories, dates and missing values, and labels of a few rows."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "amount": np.exp(rng.normal(size=300)),
            "city": rng.choice(["Oslo", "Rome", "Lima"], 300),
            "member": rng.random(300) < 0.5,
            "filed": pd.Timestamp("2024-02-27") + pd.to_timedelta(rng.integers(0, 10**7, 300), unit="s"),
        }
    )
    truth = np.where(np.log(frame["amount"]) + frame["member"] + rng.normal(size=300) > 0.5, "fraud", "fine")
    frame["amount"] = frame["amount"].where(rng.random(300) > 0.1)
    frame["city"] = frame["city"].where(rng.random(300) > 0.1)
    return frame, np.where(np.arange(300) < 80, truth, None)


FITS = {
    "one fit": lambda: (S2AUCClassifier(random_state=0, max_iter=50), *moons()[:2]),
    "one fit of ranks, booleans": lambda: (
        S2AUCClassifier(scaling="rank", kernel="laplacian", unlabeled=None, random_state=1, max_iter=50),
        moons()[0][:200],
        moons()[2][:200].astype(bool),
    ),
    "one fit of a table": lambda: (
        S2AUCClassifier(kernel="matern32", scaling="rank", solver="exact", random_state=2),
        *labeled_table(2),
    ),
    "positive and unlabelled rows": lambda: (
        S2AUCClassifier(pos_label="fraud", unlabeled="fine", random_state=3, max_iter=50),
        *labeled_table(3),
    ),
    "a baseline": lambda: (SAMULTClassifier(random_state=4), *moons()[:2]),
    "a search": lambda: (S2AUCClassifierCV(**EVERYONE, cv=3, judge=False, random_state=5), *moons()[:2]),
    "a search of a table": lambda: (
        S2AUCClassifierCV(**EVERYONE | {"scalings": ("standard", "rank")}, cv=3, judge=False, random_state=6),
        *labeled_table(6),
    ),
    "a search of positive rows": lambda: (
        S2AUCClassifierCV(**SMALL, pos_label=1, cv=3, judge=False, random_state=7),
        moons()[0],
        np.where(moons()[1] == 1, 1, -1),
    ),
    "one fit of wide rows": lambda: (
        S2AUCClassifier(random_state=8, max_iter=50),
        text_rows.make_texts()[0],
        text_rows.make_texts()[2],
    ),
    "a search of wide rows": lambda: (
        S2AUCClassifierCV(**text_rows.EVERYONE | {"random_state": 9}),
        text_rows.make_texts()[0],
        text_rows.make_texts()[2],
    ),
}


@pytest.mark.parametrize("name", FITS)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_fitted_models(name, few_trees, tmp_path):
    classifier, X, y = FITS[name]()
    check_same(classifier.fit(X, y).model_, X, tmp_path)


@pytest.mark.parametrize("make", [make_golden_model, make_golden_committee, make_golden_projection])
def test_models_of_golden_files(make, tmp_path):
    model = make()
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({name: 3.0 * rng.normal(size=40) for name in model.schema.names})
    for column, levels in model.schema.levels.items():
        if levels:
            frame[model.schema.names[column]] = pd.Series([levels[i % len(levels)] for i in range(40)], dtype=object)
    check_same(model, frame, tmp_path)
