"""What cannot work is told in one sentence, before long work."""

from importlib.metadata import PackageNotFoundError, version

import dask
import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest

from s2auc import S2AUCClassifier, open_table
from s2auc.distributed import clients
from s2auc.distributed.clients import check_workers, client_of


def frame_of(n_rows):
    return dd.from_pandas(pd.DataFrame({"a": np.arange(float(n_rows)), "b": np.ones(n_rows)}), npartitions=2)


def test_no_client(monkeypatch):
    def nobody():
        raise ValueError("No global client found and no address provided")

    monkeypatch.setattr(clients, "get_client", nobody)
    with pytest.raises(ValueError, match=r"must have a client whose workers read them\. Got none; start one first"):
        S2AUCClassifier().fit(frame_of(4), [0, 1, -1, -1])


def test_a_scheduler_that_does_not_answer(monkeypatch):
    monkeypatch.setattr(clients, "CONNECT_SECONDS", 0.3)
    told = r"Got no answer from 'tcp://127\.0\.0\.1:9' within 0\.3 s; start one"
    with pytest.raises(ConnectionError, match=told), client_of("tcp://127.0.0.1:9"):
        pass
    with pytest.raises(ValueError, match=r"Got 'scheduler:8786'; write it in full"), client_of("scheduler:8786"):
        pass


class ClientOf:
    """A client as far as workers are asked for what they have."""

    class scheduler:  # noqa: N801
        address = "tcp://there:8786"

    def __init__(self, found):
        self.found = found

    def wait_for_workers(self, n_workers, timeout):
        if len(self.found) < n_workers:
            raise TimeoutError

    def run(self, function, *args, on_error):
        assert (function, args, on_error) == (version, ("s2auc",), "return")
        return self.found


def test_a_worker_without_the_library_or_of_another_version_and_no_worker_at_all():
    with pytest.raises(ValueError, match=r"Got none on tcp://b:1; install it there, pip install 's2auc\[dask\]=="):
        check_workers(ClientOf({"tcp://a:1": version("s2auc"), "tcp://b:1": PackageNotFoundError("s2auc")}))
    with pytest.raises(TimeoutError, match=r"A scheduler must have workers\. Got none at tcp://there:8786 within 60 s"):
        check_workers(ClientOf({}))
    with pytest.raises(
        ValueError, match=rf"Every worker must have s2auc {version('s2auc')}, .* Got 0\.0\.1 on tcp://b:1"
    ):
        check_workers(ClientOf({"tcp://a:1": version("s2auc"), "tcp://b:1": "0.0.1"}))
    check_workers(ClientOf({"tcp://a:1": version("s2auc"), "tcp://dying:1": OSError("gone")}))


def test_partitions_with_other_columns(client):
    parts = [pd.DataFrame({"a": [1.0, 2.0], "b": [0.0, 1.0]}), pd.DataFrame({"a": [1.0, 2.0], "c": [0.0, 1.0]})]
    frame = dd.from_map(lambda place: parts[place], [0, 1], meta=parts[0][:0])
    with pytest.raises(ValueError, match=r"must have the columns .*'a', 'b'\. Got partition 1 without 'b', with 'c'"):
        S2AUCClassifier().fit(frame, [0, 1, -1, -1])


def test_partitions_with_other_types(client):
    parts = [pd.DataFrame({"a": [1.0, 2.0]}), pd.DataFrame({"a": ["x", "y"]})]
    frame = dd.from_map(lambda place: parts[place], [0, 1], meta=parts[0][:0])
    with pytest.raises(
        ValueError, match=r"'a' must have one type in all partitions, double\. Got .*string in partition 1"
    ):
        S2AUCClassifier().fit(frame, [0, 1, -1, -1])


def test_blocks_with_other_columns(client):
    wide, narrow = (da.from_delayed(dask.delayed(np.eye)(2, n), (2, 3), dtype=float) for n in (3, 2))
    with pytest.raises(
        ValueError, match=r"must have its 3 columns\. Got shape \(2, 2\) in partition 1; make blocks alike"
    ):
        S2AUCClassifier().fit(da.concatenate([wide, narrow]), [0, 1, -1, -1])


@pytest.mark.parametrize("X", [frame_of(4).query("a > 9"), da.zeros((0, 3))], ids=["frame", "array"])
def test_no_rows(client, X):
    with pytest.raises(
        ValueError, match=r"X must have rows to learn from\. Got an? (table|array) of \d columns without"
    ):
        S2AUCClassifier().fit(X, [0, 1, -1, -1])


def test_what_is_no_table(client, tmp_path):
    with pytest.raises(ValueError, match=r"X must have rows and columns\. Got a Array of Dask of 1 dimensions"):
        S2AUCClassifier().fit(da.zeros(3), [0, 1, -1])
    with pytest.raises(ValueError, match=r"y should be one column with one label a row\. Got a DataFrame of Dask"):
        S2AUCClassifier().fit(frame_of(4), frame_of(4))
    (tmp_path / "rows.csv").write_text("a,b\n1,2\n")
    with pytest.raises(ValueError, match=r"must be Parquet or Arrow files, or a data frame of Dask\. Got csv files"):
        open_table(tmp_path / "rows.csv", engine="dask")
    with pytest.raises(ValueError, match=r"engine must be None or one of 'dask'\. Got 'spark'"):
        open_table(tmp_path / "rows.csv", engine="spark")
