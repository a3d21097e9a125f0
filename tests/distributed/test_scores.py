"""Scores of collections stay with their partitions; those of tables are written by the workers, whole or not at all."""

import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest

from dask_runs import LABEL, N_PARTS, write_parts
from s2auc import open_table, score_table


@pytest.fixture
def table(client, folder):
    return open_table(folder, label=LABEL, engine="dask")


def test_lazy_arrays_have_the_partitions_of_their_rows(client, rows, own):
    X, _ = rows
    frame = dd.from_pandas(X, npartitions=4)
    scores = own.decision_function(frame)
    assert scores.npartitions == frame.npartitions
    assert type(scores).__module__.startswith("dask.")
    np.testing.assert_array_equal(scores.compute(), own.decision_function(X))
    np.testing.assert_array_equal(own.predict(frame).compute(), own.predict(X))
    np.testing.assert_array_equal(own.predict_proba(frame).compute(), own.predict_proba(X))
    np.testing.assert_array_equal(own.model_.predict_proba(frame).compute(), own.predict_proba(X))


def test_lazy_arrays_need_no_client(rows, own):
    X = rows[0].iloc[:500]
    scores = own.decision_function(dd.from_pandas(X, npartitions=3))
    np.testing.assert_array_equal(scores.compute(scheduler="sync"), own.decision_function(X))


def test_lazy_arrays_of_files_know_their_lengths(table, own, rows):
    scores = own.decision_function(table.X)
    assert scores.chunks == ((2000,) * N_PARTS,)
    np.testing.assert_array_equal(scores.compute(), own.decision_function(rows[0]))


def test_values_that_cannot_be_scored_are_named(client, rows, own):
    X = rows[0].copy()
    X.loc[7_000, "b"] = np.inf
    with pytest.raises(ValueError, match="Input X contains infinity: column 'b' must hold finite numbers"):
        own.decision_function(dd.from_pandas(X, npartitions=4)).compute()


def test_a_folder_is_what_a_file_would_be(table, folder, own, tmp_path):
    there = score_table(own, table, tmp_path / "there.parquet", keep=["city"], probability=True)
    score_table(own, open_table(folder, label=LABEL), tmp_path / "here.parquet", keep=["city"], probability=True)
    assert (there.n_scored, there.n_written) == (10_000, 10_000)
    pd.testing.assert_frame_equal(pd.read_parquet(there), pd.read_parquet(tmp_path / "here.parquet"), check_exact=True)
    assert len(list(there.path.iterdir())) == N_PARTS


@pytest.mark.parametrize(("top", "ending"), [(25, ".csv"), (0.001, ".parquet")])
def test_the_top_is_written_here(table, folder, own, tmp_path, top, ending):
    for engine, name in ((None, "here"), ("dask", "there")):
        score_table(
            own, open_table(folder, label=LABEL, engine=engine), tmp_path / f"{name}{ending}", keep=["city"], top=top
        )
    here, there = ((tmp_path / f"{name}{ending}").read_bytes() for name in ("here", "there"))
    assert here == there


def test_columns_that_have_moved_are_told_of(client, rows, own, tmp_path):
    moved = write_parts(tmp_path / "moved", rows[0].assign(a=rows[0]["a"] + 1000.0))
    with pytest.warns(UserWarning, match="100 % of column 'a' lie outside"):
        score_table(own, moved, tmp_path / "scores.parquet", engine="dask")


def test_a_failure_leaves_nothing_behind(client, rows, own, tmp_path):
    X = rows[0].assign(c=np.where(np.arange(10_000) == 9_999, np.inf, rows[0]["c"]))
    parts = write_parts(tmp_path / "parts", X)
    with pytest.raises(ValueError, match=r"In partition 4, whose rows are counted from 0: .* Got inf in row 1999"):
        score_table(own, parts, tmp_path / "scores.parquet", engine="dask")
    assert [path.name for path in tmp_path.iterdir()] == ["parts"]


def test_a_folder_that_is_there_stays(table, own, tmp_path):
    (tmp_path / "scores.parquet").mkdir()
    with pytest.raises(FileExistsError, match="A folder of scores must be a new one"):
        score_table(own, table, tmp_path / "scores.parquet")
    with pytest.raises(
        ValueError, match=r"^path must be a folder whose name ends in \.parquet where .* Got 'scores.csv'"
    ):
        score_table(own, table, tmp_path / "scores.csv")
