"""One cluster of processes for all tests that a process runs."""

import logging
from importlib.util import find_spec

import pytest

from s2auc import open_table

if find_spec("dask") is None:
    collect_ignore_glob = ["test_*.py"]
else:
    from dask_runs import LABEL, make_rows, processes, scale, small_search, write_parts

N_WORKERS = 2


@pytest.fixture(scope="session")
def cluster():
    with processes(N_WORKERS) as client:
        # Dask quietens the handlers of its log, that of pytest among them, which other tests look at.
        for handler in logging.getLogger("distributed").handlers:
            handler.setLevel(logging.NOTSET)
        yield client


@pytest.fixture
def client(cluster):
    """The client, whose cluster has its usual number of workers before and after."""
    yield cluster
    scale(cluster, N_WORKERS)


@pytest.fixture(autouse=True)
def small_parts(monkeypatch):
    """Files are read in parts of some thousand rows, so that there are several."""
    monkeypatch.setattr("s2auc.distributed.columns.PART_ROWS", 2400)


@pytest.fixture(scope="session")
def rows():
    """Columns, and labels of some rows."""
    return make_rows()


@pytest.fixture(scope="session")
def folder(rows, tmp_path_factory):
    """The same as Parquet files."""
    X, y = rows
    return write_parts(tmp_path_factory.mktemp("tables") / "parts", X.assign(fraud=y))


@pytest.fixture(scope="session")
def own(folder):
    """The model of these rows that this process finds by itself."""
    table = open_table(folder, label=LABEL)
    return small_search().fit(table.X, table.y)
