"""What travels: few rows and partial results, never a partition; and what holds inside a worker."""

import time

import numpy as np
import pytest

from dask_runs import LABEL, N_PARTS, WAIT_SECONDS, die, make_rows, sleepy, threads_of_task, write_parts
from s2auc import S2AUCClassifier, open_table, score_table
from s2auc.distributed import crew
from s2auc.distributed.crew import DaskCrew
from s2auc.distributed.tasks import pack, settled, unpack


def test_no_partition_travels_to_the_client(client, tmp_path, monkeypatch):
    X, y = make_rows(300_000)
    folder = write_parts(tmp_path / "parts", X.assign(fraud=y))
    monkeypatch.setattr("s2auc.distributed.columns.PART_ROWS", 60_000)
    sizes = []

    def measured(packed):
        sizes.append(len(packed))
        return unpack(packed)

    monkeypatch.setattr(crew, "unpack", measured)
    table = open_table(folder, label=LABEL, engine="dask")
    ranker = S2AUCClassifier(random_state=0, max_iter=20, batch_size=64).fit(table.X, table.y)
    score_table(ranker, table, tmp_path / "scores.parquet")
    n_values = len(X) * X.shape[1]
    assert len(sizes) >= 4 * N_PARTS
    # Rows that settle columns, 20,000 of them, are the most that is gathered.
    assert max(sizes) < 8 * n_values / N_PARTS / 5


def test_a_task_is_one_thread(client):
    assert list(DaskCrew().map_in_order(threads_of_task, None, range(3))) == [(1, {1})] * 3


def test_results_come_in_order_and_the_shared_part_is_the_same(client):
    found = list(DaskCrew().map_in_order(lambda shared, task: shared[task], np.arange(10) * 3, range(9, -1, -1)))
    assert found == list(range(27, -3, -3))


def test_a_search_that_is_given_up_leaves_no_tasks(client):
    results = DaskCrew().map_in_order(sleepy, None, range(60))
    assert next(results) == 0
    results.close()
    # The scheduler hears of it after a moment.
    deadline = time.monotonic() + WAIT_SECONDS
    while any(str(key).startswith("s2auc-train-59-") for key in list(client.cluster.scheduler.tasks)):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    assert next(DaskCrew().map_in_order(sleepy, None, [7])) == 7


def test_a_task_that_kills_all_its_workers_is_given_up(client, monkeypatch):
    monkeypatch.setattr(client.cluster.scheduler, "allowed_failures", 0)
    with pytest.raises(RuntimeError, match="A task must leave its worker alive"):
        list(DaskCrew().map_in_order(die, None, [0]))


def test_arrays_arrive_where_numpy_wants_them():
    crooked = np.frombuffer(b"x" + np.arange(3.0).tobytes(), dtype=np.uint8)[1:].view(np.float64)
    assert not crooked.flags.aligned
    assert settled(crooked).flags.aligned
    there = unpack(pack({"rows": [crooked, np.asfortranarray(np.eye(5000, 3))]}))["rows"]
    assert all(array.flags.aligned for array in there)
    np.testing.assert_array_equal(there[0], np.arange(3.0))
