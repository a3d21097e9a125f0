"""One cluster of processes for all tests that a process runs."""

import pytest

pytest.importorskip("distributed")

from dask_runs import LABEL, make_rows, processes, scale, small_search, write_parts
from s2auc import open_table

N_WORKERS = 2


@pytest.fixture(scope="session")
def cluster():
    with processes(N_WORKERS) as client:
        yield client


@pytest.fixture
def client(cluster):
    """The client, whose cluster has its usual number of workers before and after."""
    yield cluster
    scale(cluster, N_WORKERS)


@pytest.fixture(autouse=True)
def small_parts(monkeypatch):
    """Files are read in parts of a few thousand rows, so that there are several."""
    monkeypatch.setattr("s2auc.distributed.columns.PART_ROWS", 7000)


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
