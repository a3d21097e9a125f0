"""Trained entries come back from a checkpoint bit by bit, and are no larger than was said."""

from dataclasses import dataclass, replace
from itertools import product

import numpy as np
import pytest

from s2auc.common.storage.checkpoints import Checkpoint
from s2auc.data.features.scaling import ColumnSample, ColumnView
from s2auc.data.schema.schema import Schema
from s2auc.data.sources.matrix_rows import DenseRows
from s2auc.data.training_rows import TrainingRows
from s2auc.models.parts.linear import LinearPart
from s2auc.ranking.losses import LOSSES
from s2auc.search.entries import forest as forest_entry
from s2auc.search.entries.forest import ForestEntry
from s2auc.search.entries.linear import LinearEntry, WideLinearEntry
from s2auc.search.entries.stored_entries import load_entry, most_bytes, save_entry
from s2auc.search.grids.make_grid import GridSpec, make_grid
from s2auc.search.plan import auto_folds, make_plan
from s2auc.search.training import Training
from s2auc.solvers.exact.exact import Exact
from s2auc.solvers.qsg.qsg import QSG
from s2auc.solvers.work_rows import collect_rows
from trainings import (
    N_COLUMNS,
    NEAR,
    NEAR_POINTS,
    ORDER,
    PLAIN,
    WEIGHTED,
    make_labeled,
    make_training,
    make_wide,
    space_entry,
)

pytestmark = pytest.mark.usefixtures("few_trees")

ENTRIES = {
    "ranks": lambda: space_entry(PLAIN),
    "label-weighted columns": lambda: space_entry(WEIGHTED),
    "neighbours": lambda: space_entry(NEAR, NEAR_POINTS),
    "steps": lambda: space_entry(PLAIN, solver=QSG(), n_frequencies=4),
    "linear": lambda: LinearEntry(ColumnView("standard"), (0.1, 1.0)),
    "linear in ranks": lambda: LinearEntry(ColumnView("rank"), (0.1,)),
    "wide linear": lambda: WideLinearEntry(make_wide(), (0.1, 1.0)),
    "forest": lambda: ForestEntry("sqrt"),
}


@pytest.fixture
def checkpoint(tmp_path):
    return Checkpoint(tmp_path / "run")


def train(kind):
    entry = ENTRIES[kind]()
    solver = getattr(entry, "solver", Exact())
    return entry, entry.train(make_training(entry, solver=solver))


@pytest.mark.parametrize("kind", ENTRIES)
def test_entries_come_back_bit_by_bit(kind, checkpoint):
    entry, trained = train(kind)
    save_entry(checkpoint, 7, trained)
    found = load_entry(Checkpoint(checkpoint.folder), 7)
    assert type(found.common) is type(trained.common)
    assert found.scores.dtype == np.float32
    np.testing.assert_array_equal(found.scores, trained.scores)
    X = make_labeled(seed=9) if not entry.is_wide else make_wide(make_labeled(seed=9)).rows
    places = range(len(entry.settings))
    for shares in [{place: 1.0} for place in places] + [{place: 0.1 + place for place in places}]:
        np.testing.assert_array_equal(found.part(shares).score(X), trained.part(shares).score(X))
    # Written once more it is the same file.
    save_entry(checkpoint, 8, found)
    first, second = (checkpoint.folder / f"entry-000{number}.kept" for number in (7, 8))
    assert first.read_bytes() == second.read_bytes()


def test_entries_have_numbers(checkpoint):
    _, trained = train("linear")
    save_entry(checkpoint, 3, trained)
    assert load_entry(checkpoint, 2) is None
    assert [path.name for path in checkpoint.folder.iterdir()] == ["entry-0003.kept"]


@dataclass(frozen=True, eq=False)
class OwnPart(LinearPart):
    """A part of a kind that no file can hold."""


def test_entries_of_unknown_kinds_are_not_kept(checkpoint):
    _, trained = train("linear")
    own = OwnPart(trained.common.columns, trained.common.weights)
    save_entry(checkpoint, 0, replace(trained, common=own))
    assert load_entry(checkpoint, 0) is None
    assert list(checkpoint.folder.iterdir()) == []


def categories(rng, n_rows):
    """One column of many categories, some of them missing, and one of numbers that are missing now and then."""
    levels = rng.integers(0, 150, n_rows).astype(float)
    numbers = rng.normal(size=n_rows)
    levels[::7] = numbers[::5] = np.nan
    return np.stack([levels, numbers], axis=1), {0: tuple(f"level {level:03d}" for level in range(150))}


def numbers(rng, n_rows):
    return rng.normal(size=(n_rows, N_COLUMNS)), {}


SEARCHES = {
    "small": (numbers, 60, Exact(), {}),
    "one-hot and ranks": (categories, 3000, Exact(), {"kernels": ["gaussian"], "kernel_gammas": ["median"]}),
    "steps": (numbers, 60, QSG(), {"kernels": ["gaussian"], "kernel_gammas": ["median"], "scalings": ["standard"]}),
}


@pytest.mark.parametrize("case", SEARCHES)
def test_entries_are_no_larger_than_was_said(case, checkpoint, monkeypatch):
    monkeypatch.setattr("s2auc.search.entries.stored_entries.N_TREES", forest_entry.N_TREES)
    make_rows, n_rows, solver, asked = SEARCHES[case]
    X, levels = make_rows(np.random.default_rng(0), n_rows)
    schema = Schema(X.shape[1], levels)
    rows = TrainingRows(X[: ORDER.n_rows], ORDER, DenseRows(X[ORDER.n_rows :], schema))
    grid = make_grid(GridSpec(**asked), solver, ORDER, rows.n_unlabeled)
    max_iter = max(stop for points in grid.points for stop in points.max_iters)
    work = collect_rows(rows, solver.draw_rule(max_iter, 8), seed=0, uses_neighbors=True)
    plan = make_plan(auto_folds(ORDER.is_positive, 2, 0), ORDER.is_positive, judged=False)
    training = Training.for_grid(
        grid, work, ColumnSample.of_rows(rows.sample(0), schema), plan, loss=LOSSES["square"], n_neighbors=3, seed=0
    )
    sizes = {
        "n_masks": plan.is_trained.shape[1],
        "n_followed": len(work.followed),
        "n_labeled": ORDER.n_rows,
        "n_columns": X.shape[1],
    }
    for number, entry in enumerate(grid.entries):
        save_entry(checkpoint, number, entry.train(training))
        (path,) = checkpoint.folder.glob(f"*{number:04d}*")
        assert path.stat().st_size <= most_bytes(entry, **sizes), entry


def test_stops_have_room_for_the_coefficients_of_all():
    """The array of coefficients is as long as the longest run's, for shorter ones too."""
    entry = space_entry(PLAIN, solver=QSG(), n_frequencies=1000)
    sizes = {"n_masks": 1, "n_followed": 1, "n_labeled": 1, "n_columns": 0}
    stops = list(product(entry.points.mixes, entry.points.max_iters))
    assert most_bytes(entry, **sizes) >= 8 * len(stops) * 2 * 1000 * max(entry.points.max_iters)


def test_a_grid_of_every_kind_is_known():
    assert {type(ENTRIES[kind]()).__name__ for kind in ENTRIES} == {
        type(entry).__name__ for entry in make_grid(GridSpec(), Exact(), ORDER, 100, make_wide()).entries
    }
