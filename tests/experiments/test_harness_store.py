"""The file of rows: torn lines, locks, full disks, later rows."""

import json
import os

import pytest

from s2auc.experiments.harness import store
from s2auc.experiments.harness.store import RowStore, read_rows


def row(cell, **values):
    return {"cell": cell, **values}


def test_rows_come_back(tmp_path):
    path = tmp_path / "new" / "rows.jsonl"
    with RowStore(path) as rows:
        rows.add(row("a", text="line\nbreak ±"))
        rows.add(row("b"))
    assert read_rows(path) == [row("a", text="line\nbreak ±"), row("b")]
    with RowStore(path) as rows:
        assert set(rows.rows) == {"a", "b"}


def test_the_last_row_of_a_cell_counts(tmp_path):
    path = tmp_path / "rows.jsonl"
    with RowStore(path) as rows:
        for values in (row("a", status="timeout"), row("b"), row("a", status="ok")):
            rows.add(values)
        assert rows.rows["a"]["status"] == "ok"
    assert read_rows(path) == [row("a", status="ok"), row("b")]


def test_a_line_torn_at_any_byte_is_cut_off(tmp_path):
    path = tmp_path / "rows.jsonl"
    whole = json.dumps(row("a")).encode() + b"\n"
    torn = json.dumps(row("b", text="±"), ensure_ascii=False).encode()
    for n_bytes in range(len(torn) + 1):
        path.write_bytes(whole + torn[:n_bytes])
        assert read_rows(path) == [row("a")]
        with RowStore(path) as rows:
            rows.add(row("c"))
        assert read_rows(path) == [row("a"), row("c")]


def test_a_torn_first_line(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_bytes(b'{"cell": "a"')
    with RowStore(path) as rows:
        assert rows.rows == {}
    assert path.read_bytes() == b""


@pytest.mark.parametrize("line", ["nonsense", "[1]", '{"dataset": "moons"}', ""])
def test_a_line_that_is_no_row_is_named_and_nothing_is_lost(tmp_path, line):
    path = tmp_path / "rows.jsonl"
    content = f'{{"cell": "a"}}\n{line}\n{{"cell": "b"}}\n'
    path.write_text(content)
    with pytest.raises(ValueError, match=r"must be a JSON object with the key 'cell'\. Got .* in line 2"):
        RowStore(path)
    assert path.read_text() == content
    path.write_text("")
    RowStore(path).close()


def test_one_run_at_a_time(tmp_path):
    path = tmp_path / "rows.jsonl"
    with RowStore(path) as rows:
        rows.add(row("a"))
        with pytest.raises(BlockingIOError, match="must belong to one run at a time, and another one is writing"):
            RowStore(path)
        assert read_rows(path) == [row("a")]
    RowStore(path).close()


def test_a_full_disk_leaves_the_file_whole(tmp_path, monkeypatch):
    path = tmp_path / "rows.jsonl"
    with RowStore(path) as rows:
        rows.add(row("a"))
        write = os.write
        monkeypatch.setattr(store.os, "write", lambda file, line: write(file, line[:5]))
        with pytest.raises(OSError, match=r"took 5 of .* bytes of a row; make room on the disk"):
            rows.add(row("b"))
        monkeypatch.undo()
        assert "b" not in rows.rows
        rows.add(row("c"))
    assert read_rows(path) == [row("a"), row("c")]


def test_numbers_that_json_lacks_are_refused(tmp_path):
    with RowStore(tmp_path / "rows.jsonl") as rows, pytest.raises(ValueError, match="not JSON compliant"):
        rows.add(row("a", test_auc=float("nan")))
    assert read_rows(tmp_path / "rows.jsonl") == []
