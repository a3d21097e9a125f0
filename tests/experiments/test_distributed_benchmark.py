"""The benchmark of Dask: its tables come in pieces, and its verdicts and figure say what its rows do."""

from importlib.util import module_from_spec, spec_from_file_location

import pyarrow.parquet as pq
import pytest

from benchmark_runs import BENCHMARKS

pytest.importorskip("pyarrow")


@pytest.fixture
def benchmark(monkeypatch):
    """The module, under another name than that of the library that it is called after."""
    monkeypatch.syspath_prepend(BENCHMARKS)
    spec = spec_from_file_location("distributed_benchmark", BENCHMARKS / "distributed.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def forged(engine, n_workers, n_rows, search, client=300.0):
    seconds = {"understand": 0.1, "gather": 0.4, "search": search, "score": 0.5}
    return {
        "rows": n_rows,
        "engine": engine,
        "workers": n_workers,
        "seconds": seconds,
        "client_peak_megabytes": client,
        "worker_peak_megabytes": [400.0] * n_workers,
    }


def test_verdicts(benchmark):
    rows = [forged("plain", 2, 10**7, 9.0), forged("dask", 2, 10**7, 10.0), forged("dask", 1, 10**6, 3.0, 1200.0)]
    assert benchmark.verdicts(rows) == [
        "client: peak 1200 MB, missed (under 1000 MB)",
        "10,000,000 rows, 2 workers: +10 % against no workers, met (under 25 %)",
    ]
    rows = [forged("plain", 1, 10**6, 4.0), forged("dask", 1, 10**6, 9.0)]
    assert benchmark.verdicts(rows)[1:] == ["1,000,000 rows, 1 worker: +100 % against no workers"]
    failed = {"rows": 5, "engine": "dask", "workers": 1, "seconds": None, "failure": "no room"}
    assert benchmark.verdicts([failed]) == ["5 rows, dask: failed, no room"]


def test_the_figure(benchmark):
    pytest.importorskip("matplotlib")
    rows = [
        forged(engine, n, size, size / 1e6) for engine in ("plain", "dask") for n in (1, 2) for size in (10**5, 10**6)
    ]
    assert benchmark.draw(rows).startswith(b"\x89PNG")


def test_sizes_that_the_disk_has_no_room_for(benchmark, monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(benchmark.shutil, "disk_usage", lambda folder: type("Usage", (), {"free": 8_100_000})())
    assert benchmark.affordable([1000, 10**9], tmp_path) == [1000, 80_000]
    assert capsys.readouterr().out == "1,000,000,000 rows would not fit on the disk: 80,000 in their place\n"


def test_tables_in_pieces(benchmark, monkeypatch, tmp_path):
    import memory_tables

    monkeypatch.setattr(memory_tables, "PIECE_ROWS", 400)
    memory_tables.make_folder(tmp_path / "table", 1000, seed=0)
    assert [pq.read_metadata(path).num_rows for path in sorted((tmp_path / "table").iterdir())] == [333, 333, 334]
    labels = pq.read_table(tmp_path / "table")[memory_tables.LABEL]
    assert len(labels) - labels.null_count == 200
