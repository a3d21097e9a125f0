"""The same rows give the same model, byte for byte, whoever works on them and whoever dies meanwhile."""

import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from distributed import Client

from dask_runs import LABEL, N_PARTS, DeadlyParts, killing, saved, small_search
from s2auc import S2AUCClassifier, load_model, open_table, score_table


@pytest.fixture(scope="session")
def own_file(own, tmp_path_factory):
    return saved(own, tmp_path_factory.mktemp("own") / "model.safetensors")


def fit_files(folder, path):
    table = open_table(folder, label=LABEL, engine="dask")
    return saved(small_search().fit(table.X, table.y), path)


def test_files_that_workers_read(client, folder, own_file, tmp_path):
    assert fit_files(folder, tmp_path / "model") == own_file


def test_one_worker_of_threads_in_the_place_of_processes(folder, own_file, tmp_path):
    with Client(processes=False, n_workers=1, threads_per_worker=3, dashboard_address=":0"):
        assert fit_files(folder, tmp_path / "model") == own_file


def test_frames_and_rows_in_memory(client, rows, own):
    X, y = rows
    frame, labels = dd.from_pandas(X, npartitions=3), dd.from_pandas(y, npartitions=4)
    found = small_search().fit(frame, labels).decision_function(frame).compute()
    expected = small_search().fit(X, y).decision_function(X)
    assert np.abs(found - expected).max() <= 1e-6 * np.abs(expected).max()
    np.testing.assert_array_equal(found, own.decision_function(X))


@pytest.mark.parametrize("is_known", [True, False])
def test_arrays_and_rows_in_memory(client, rows, is_known):
    X, y = rows[0][list("abcd")].to_numpy(), rows[1].to_numpy()
    blocks, labels = da.from_array(X, chunks=(2400, 3)), da.from_array(y, chunks=3000)
    if not is_known:
        some = np.ones(len(X), dtype=bool)
        blocks, labels = blocks[da.from_array(some, chunks=2400)], labels[da.from_array(some, chunks=3000)]
        assert np.isnan(blocks.shape[0])
    there, here = (S2AUCClassifier(random_state=0).fit(*given) for given in ((blocks, labels), (X, y)))
    np.testing.assert_array_equal(there.decision_function(blocks).compute(), here.decision_function(X))


def test_a_worker_that_dies_while_rows_are_gathered(client, rows, tmp_path):
    X, y = rows
    # A partition is made once to be measured, and once more to see what columns are.
    parts = DeadlyParts(tmp_path / "parts", X, deadly=(3, 2))
    there = S2AUCClassifier(random_state=0).fit(parts.frame(), y)
    assert parts.n_calls(3) == 4
    here = S2AUCClassifier(random_state=0).fit(open_table(X).X, y)
    assert saved(there, tmp_path / "there") == saved(here, tmp_path / "here")


def test_a_worker_that_dies_while_it_trains(client, folder, own_file, tmp_path):
    with killing(client, "train") as killed:
        found = fit_files(folder, tmp_path / "model")
    assert len(killed) == 1
    assert found == own_file


def test_a_worker_that_dies_while_it_scores(client, rows, own, tmp_path):
    X, _ = rows
    parts = DeadlyParts(tmp_path / "parts", X.assign(number=np.arange(len(X))), deadly=(2, 0))
    score_table(own, parts.frame(), tmp_path / "scores.parquet", keep=["number"])
    assert parts.n_calls(2) == 2
    found = pd.read_parquet(tmp_path / "scores.parquet")
    np.testing.assert_array_equal(found["number"], np.arange(len(X)))
    np.testing.assert_array_equal(found["score"], own.decision_function(X))
    assert sorted(path.name for path in tmp_path.joinpath("scores.parquet").iterdir()) == [
        f"part-{place:05d}.parquet" for place in range(N_PARTS)
    ]


def test_a_model_from_workers_is_a_model_like_any_other(client, folder, own, tmp_path):
    table = open_table(folder, label=LABEL, engine="dask")
    S2AUCClassifier(random_state=0).fit(table.X, table.y).save(tmp_path / "model")
    model = load_model(tmp_path / "model")
    here = open_table(folder, label=LABEL)
    np.testing.assert_array_equal(model.decision_function(table.X).compute(), model.decision_function(here.X))
