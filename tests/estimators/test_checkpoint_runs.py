"""Steps that were killed go on where they were kept; rows of tables in files are gathered once."""

import os
import shutil

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from changed_files import change_silently
from checkpointed_fits import (
    LABELS,
    ROWS,
    TRUTH,
    damage,
    items,
    model_bytes,
    quick,
    single,
    stop_fit,
    subfolders,
    write_table,
)
from classifier_rows import fast, make_rows
from s2auc import QSG, open_table
from s2auc.common.progress import listening
from s2auc.estimators import single_fit
from s2auc.solvers.qsg import panels as blocked_solver


@pytest.mark.parametrize("ending", [".parquet", ".csv", ".feather"])
@pytest.mark.parametrize("make", [quick, single])
def test_rows_of_files_are_gathered_once(make, ending, folder, tmp_path, monkeypatch):
    pytest.importorskip("pyarrow")
    from s2auc.data.tables.arrow_rows import ArrowRows

    path = write_table(tmp_path / f"rows{ending}")
    table = open_table(path, label="label")
    expected = model_bytes(make().fit(table.X, table.y), tmp_path)
    table = open_table(path, label="label")
    assert model_bytes(make(checkpoint=folder).fit(table.X, table.y), tmp_path) == expected
    assert "rows.kept" in items(folder)

    def refuse(*_):
        raise AssertionError("rows were gathered once more")

    gather = ArrowRows.gather
    monkeypatch.setattr(ArrowRows, "gather", refuse)
    table = open_table(path, label="label")
    assert model_bytes(make(checkpoint=folder).fit(table.X, table.y), tmp_path) == expected
    assert len(subfolders(folder)) == 1
    # Rows that are damaged are gathered once more; another date or another place does not matter.
    monkeypatch.setattr(ArrowRows, "gather", gather)
    before = items(folder)
    damage(subfolders(folder)[0] / "rows.kept")
    make(checkpoint=folder).fit(table.X, table.y)
    assert items(folder)["rows.kept"] == before["rows.kept"]
    moved = shutil.copy(path, tmp_path / f"moved{ending}")
    os.utime(path, (1e9, 1e9))
    for same in (path, moved):
        table = open_table(same, label="label")
        assert model_bytes(make(checkpoint=folder).fit(table.X, table.y), tmp_path) == expected
    assert len(subfolders(folder)) == 1


def test_rows_that_changed_without_a_sign_are_another_table(folder, tmp_path):
    path, other = write_table(tmp_path / "rows.feather"), tmp_path / "other.feather"
    frame = pd.read_feather(path)
    for file in (path, other):
        frame.to_feather(file, compression="uncompressed")
        frame["a"] *= -2.0
    expected = [model_bytes(single().fit(file, "label"), tmp_path) for file in (path, other)]
    assert model_bytes(single(checkpoint=folder).fit(path, "label"), tmp_path) == expected[0]
    change_silently(path, other.read_bytes())
    assert model_bytes(single(checkpoint=folder).fit(path, "label"), tmp_path) == expected[1] != expected[0]


def test_values_in_the_names_of_folders_count(folder, tmp_path):
    frame = pd.DataFrame(ROWS, columns=["a", "b"]).assign(label=np.where(LABELS == -1, np.nan, LABELS))
    for years in ((1, 2), (2, 1)):
        for year, part in zip(years, (frame[:100], frame[100:]), strict=True):
            (tmp_path / f"table/year={year}").mkdir(parents=True, exist_ok=True)
            part.to_parquet(tmp_path / f"table/year={year}/{part.index[0]:03}.parquet")
        single(checkpoint=folder).fit(tmp_path / "table", "label")
        shutil.rmtree(tmp_path / "table")
    assert len(subfolders(folder)) == 2


def test_tables_of_which_one_is_in_memory(folder, tmp_path):
    pytest.importorskip("pyarrow")
    table = open_table(write_table(tmp_path / "rows.parquet"), drop=["label"])
    frame = pd.DataFrame(ROWS, columns=["a", "b"])
    for first, labels, pool in (
        (frame[:24], LABELS[:24], table.X),
        (frame, LABELS, table.X),
        (table.X, LABELS, frame),
        (table.X, TRUTH, frame),
    ):
        expected = model_bytes(fast().fit(first, labels, pool), tmp_path)
        for _ in range(2):
            assert model_bytes(fast(checkpoint=folder).fit(first, labels, pool), tmp_path) == expected
    assert len(subfolders(folder)) == 4


@pytest.mark.parametrize("n_done", [4, 8, 20, 22])
@pytest.mark.parametrize("average", [True, False])
def test_steps_go_on_where_they_were_kept(n_done, average, folder, tmp_path, steps):
    X, _, y = make_rows(n_rows=100)
    asked = {"solver": QSG(average=average), "max_iter": 22}
    whole = fast(**asked).fit(X, y)
    expected = model_bytes(whole, tmp_path)
    stop_fit(fast(**asked, checkpoint=folder), "steps", n_done, X, y)
    steps.clear()
    ranker = fast(**asked, checkpoint=folder).fit(X, y)
    # What was told last is not kept yet.
    assert sum(steps) == 22 - (n_done - 1) // 4 * 4
    assert model_bytes(ranker, tmp_path) == expected
    assert (ranker.n_iter_, ranker.curvature_, ranker.stop_reason_) == (22, whole.curvature_, "max_iter")
    for name in ("iteration", "step", "risk", "labeled_auc"):
        np.testing.assert_array_equal(ranker.history_[name], whole.history_[name])
    assert np.all(np.diff(ranker.history_["seconds"]) >= 0)
    # What goes on from it does so as from the whole one.
    for model in (whole, ranker):
        model.partial_fit(X, y)
    assert model_bytes(whole, tmp_path) == model_bytes(ranker, tmp_path)


def test_steps_may_be_stopped_again_and_again(folder, tmp_path, steps):
    X, _, y = make_rows(n_rows=100)
    expected = model_bytes(fast(max_iter=22).fit(X, y), tmp_path)
    for n_done in (8, 12, 20):
        stop_fit(fast(max_iter=22, checkpoint=folder), "steps", n_done, X, y)
    steps.clear()
    for _ in range(2):
        assert model_bytes(fast(max_iter=22, checkpoint=folder).fit(X, y), tmp_path) == expected
    assert sum(steps) == 22 - 16
    (run,) = subfolders(folder)
    damage(run / "run.kept")
    assert model_bytes(fast(max_iter=22, checkpoint=folder).fit(X, y), tmp_path) == expected


def test_runs_are_kept_every_few_seconds(folder, monkeypatch):
    now = [0.0]
    monkeypatch.setattr(single_fit, "monotonic", lambda: now[0])
    for module in (blocked_solver, single_fit):
        monkeypatch.setattr(module, "panel_length", lambda _: 1)
    X, _, y = make_rows(n_rows=60)
    seen = []

    def listener(progress):
        now[0] += 2.0
        seen.append(len(items(folder)))

    with listening(listener):
        fast(checkpoint=folder).fit(X, y)
    assert seen == [0] * 3 + [1] * 7


@pytest.mark.parametrize("solver", ["exact", "qsg"])
def test_single_fits_with_neighbours_and_sparse_rows(solver, folder, tmp_path):
    X, _, y = make_rows(n_rows=100)
    for rows in (X, sparse.csr_array(np.where(X > 0, X, 0.0))):
        asked = {"solver": solver, "neighbor_weight": 1.0}
        expected = model_bytes(fast(**asked).fit(rows, y), tmp_path)
        for _ in range(2):
            assert model_bytes(fast(**asked, checkpoint=folder).fit(rows, y), tmp_path) == expected
    for run in subfolders(folder):
        assert (run / "model.safetensors").is_file()
    assert len(subfolders(folder)) == 2


def test_partial_fits_and_warm_starts_keep_nothing(folder, steps):
    X, _, y = make_rows(n_rows=60)
    fast(checkpoint=folder).partial_fit(X, y).partial_fit(X, y)
    assert not folder.exists()
    ranker = fast(checkpoint=folder, warm_start=True).fit(X, y)
    kept = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert len(kept) == 2
    steps.clear()
    ranker.fit(X, y)
    assert sum(steps) == ranker.max_iter
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == kept
