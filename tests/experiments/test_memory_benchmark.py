"""The benchmark of memory on tables: it runs, on small ones, and its verdicts say what its rows do."""

import json
import sys

import pytest

from benchmark_runs import BENCHMARKS, run_benchmark

pytest.importorskip("pyarrow")


@pytest.fixture(scope="module")
def memory():
    sys.path.insert(0, str(BENCHMARKS))
    try:
        import memory

        return memory
    finally:
        sys.path.remove(str(BENCHMARKS))


def test_it_runs_on_a_small_table(tmp_path):
    arguments = ["--rows", 3000, "--folder", tmp_path / "tables", "--json", tmp_path / "rows.json"]
    finished = run_benchmark("memory.py", *arguments, "--commands", "score", "fit")
    assert finished.returncode == 0, finished.stderr
    rows = json.loads((tmp_path / "rows.json").read_text())
    assert [row["command"] for row in rows] == ["score", "fit"]
    for row in rows:
        assert {"rows", "command", "peak_megabytes", "seconds", "rows_per_second"} < row.keys(), row
        assert {"seed", "versions", "machine"} < row.keys()
        assert "failure" not in row
        assert 10 < row["peak_megabytes"] < 2000
        assert row["rows_per_second"] == row["rows"] / row["seconds"]
    assert "score: peak" in finished.stdout
    assert (tmp_path / "tables" / "rows_3000_seed_0.parquet").exists()


def forged(command, n_rows, peak, speed=3e6):
    return {"command": command, "rows": n_rows, "peak_megabytes": peak, "rows_per_second": speed}


def test_verdicts(memory):
    rows = [forged("scan", 10**6, 200), forged("scan", 5 * 10**7, 210), forged("polars", 10**6, 9000)]
    assert memory.verdicts(rows) == [
        "scan: peak 210 MB, met (under 1000 MB)",
        "scan: peak +5 % from 1,000,000 to 50,000,000 rows, met (under 15 %)",
        "scan: 3.00 million rows/s, met (2 asked)",
    ]
    rows = [forged("score", 5 * 10**7, 1100, speed=9e5), forged("score", 10**6, 500)]
    assert memory.verdicts(rows) == [
        "score: peak 1100 MB, missed (under 1000 MB)",
        "score: peak +120 % from 1,000,000 to 50,000,000 rows, missed (under 15 %)",
        "score: 0.90 million rows/s, missed (1 asked)",
    ]
    assert memory.verdicts([forged("tune", 10**6, None, None)]) == ["tune: missed, it failed"]


def test_tables_do_not_depend_on_how_they_are_cut_into_runs(memory, tmp_path):
    import pyarrow.parquet as pq
    from memory_tables import LABEL, make_table

    make_table(tmp_path / "one.parquet", 5000, seed=0)
    made = (tmp_path / "one.parquet").stat().st_mtime_ns
    make_table(tmp_path / "one.parquet", 5000, seed=0)
    assert (tmp_path / "one.parquet").stat().st_mtime_ns == made
    table = pq.read_table(tmp_path / "one.parquet")
    labels = table[LABEL]
    assert (table.num_rows, table.num_columns, len(labels) - labels.null_count) == (5000, 19, 200)
    assert set(labels.drop_null().to_pylist()) == {0, 1}
