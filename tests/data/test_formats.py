"""Formats and encodings: options of their readers, what is told of guesses, and one sentence for what is broken."""

import gzip
import http.server
import io
import json
import sqlite3
import sys
import threading
from contextlib import closing

import duckdb
import numpy as np
import openpyxl
import pandas as pd
import pytest

from s2auc import open_table
from s2auc.data.tables.formats import json_files
from s2auc.data.tables.paths import FORMAT_NAMES, FORMATS

ROWS = "name,size\nZoë,1\nCafé,2\n"
CELLS = [["Zoë", "Café"], ["1", "2"]]


def cells_of(table):
    (batch,) = table.batches(table.names, 100)
    return [column.to_pylist() for column in batch.columns]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("ending", [".csv", ".csv.gz"])
def test_encodings_are_detected(encoding, ending, tmp_path):
    path, text = tmp_path / f"rows{ending}", ROWS.encode(encoding)
    path.write_bytes(gzip.compress(text) if ending.endswith(".gz") else text)
    assert cells_of(open_table(path)) == CELLS


@pytest.mark.parametrize(("encoding", "rows"), [("cp1252", ROWS), ("latin-1", ROWS.replace("Zoë", "\x81"))])
def test_a_guess_is_told(encoding, rows, tmp_path):
    (tmp_path / "rows.csv").write_bytes(rows.encode(encoding))
    with pytest.warns(
        UserWarning, match=rf"'rows.csv' is not in UTF-8, so it was read as {encoding}; .*another encoding\."
    ):
        assert cells_of(open_table(tmp_path / "rows.csv"))[0][1] == "Café"


def test_a_late_letter_counts(tmp_path):
    (tmp_path / "rows.csv").write_bytes(b"name\n" + b"x\n" * 3_000_000 + "é".encode("cp1252"))
    with pytest.warns(UserWarning, match="read as cp1252"):
        assert open_table(tmp_path / "rows.csv").n_rows == 3_000_001


def test_the_user_knows_the_encoding(tmp_path):
    (tmp_path / "rows.csv").write_bytes(ROWS.encode("mac_roman"))
    assert cells_of(open_table(tmp_path / "rows.csv", encoding="mac_roman")) == CELLS


def test_the_user_knows_the_format(tmp_path):
    (tmp_path / "rows.txt").write_text(ROWS)
    assert cells_of(open_table(tmp_path / "rows.txt", file_format="csv")) == CELLS
    assert set(FORMAT_NAMES.values()) == set(FORMATS.values())


@pytest.mark.parametrize("rows", [ROWS, '{"name": "Zoë", "size": 1}\n{"name": "Café", "size": 2}\n'])
def test_standard_input(rows, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(rows.encode())))
    assert cells_of(open_table("-")) == CELLS


def test_addresses_are_fetched(tmp_path, monkeypatch):
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    (tmp_path / "rows.csv").write_text(ROWS)

    class Handler(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *args):
            super().__init__(*args, directory=str(tmp_path))

        def log_message(self, *args):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}).start()
        try:
            where = f"http://127.0.0.1:{server.server_address[1]}"
            table = open_table(f"{where}/rows.csv")
            with pytest.raises(ValueError, match="must be a file that can be read"):
                open_table(f"{where}/nothing.csv")
        finally:
            server.shutdown()
    assert table.display_name == f"{where}/rows.csv"
    assert cells_of(table) == CELLS


def test_files_of_fsspec_and_patterns(tmp_path):
    system = pytest.importorskip("fsspec").filesystem("memory")
    for name in ("a", "b"):
        system.pipe(f"/{name}.csv", ROWS.encode())
    assert open_table("memory://*.csv").n_rows == 4
    with pytest.raises(FileNotFoundError, match="correct the address"):
        open_table("memory://*.tsv")
    pd.read_csv("memory://a.csv").to_parquet("memory://a.parquet")
    (tmp_path / "b.parquet").write_bytes(system.cat("/a.parquet"))
    both = open_table(["memory://a.parquet", f"file://{tmp_path}/b.parquet"])
    assert len(cells_of(both)[0]) == 2 * len(cells_of(open_table("memory://a.parquet"))[0])


def test_an_address_of_this_machine_is_a_path(tmp_path):
    (tmp_path / "a.csv").write_text(ROWS)
    assert open_table(f"file://{tmp_path}/*.csv").paths == (tmp_path / "a.csv",)


def test_sheets(tmp_path):
    with pd.ExcelWriter(tmp_path / "rows.xlsx") as writer:
        for name, number in (("May", 1), ("June", 2)):
            pd.DataFrame({"size": [number], "when": [pd.Timestamp("2024-05-01 10:30")]}).to_excel(
                writer, sheet_name=name, index=False
            )
    with pytest.warns(UserWarning, match=r"'rows.xlsx' has 2 sheets \('May', 'June'\), of which 'May' is read"):
        assert cells_of(open_table(tmp_path / "rows.xlsx")) == [["1"], ["2024-05-01 10:30:00"]]
    assert cells_of(open_table(tmp_path / "rows.xlsx", sheet="June"))[0] == ["2"]


def database(kind, path):
    if kind == "sqlite":
        return closing(sqlite3.connect(path))
    return duckdb.connect(path)


@pytest.mark.parametrize("kind", ["sqlite", "duckdb"])
@pytest.mark.parametrize("ending", ["", ".db"])
def test_queries(kind, ending, tmp_path):
    path = tmp_path / f"rows{ending or '.' + kind}"
    with database(kind, path) as opened:
        opened.execute("CREATE TABLE one (size INTEGER, note TEXT)")
        opened.execute("INSERT INTO one VALUES (1, 'a'), (2, NULL)")
        opened.commit()

    def values(table):
        return [[None if cell is None else str(cell) for cell in column] for column in cells_of(table)]

    assert values(open_table(path)) == [["1", "2"], ["a", None]]
    assert values(open_table(path, query="one")) == [["1", "2"], ["a", None]]
    assert values(open_table(path, query="SELECT size + 1 AS more FROM one")) == [["2", "3"]]
    before = path.read_bytes()
    with pytest.raises(ValueError, match=r"not authorized|must return rows"):
        open_table(path, query="DROP TABLE one")
    assert path.read_bytes() == before


def test_keys_that_come_late_and_nested_values(tmp_path, monkeypatch):
    monkeypatch.setattr(json_files, "BATCH_ROWS", 2)
    lines = [{"a": 1}, {"a": 2.50}, {"b": True, "a": None}, {}, {"a": "x"}]
    (tmp_path / "rows.jsonl").write_text("\n\n".join(map(json.dumps, lines)))
    table = open_table(tmp_path / "rows.jsonl")
    found = [column for batch in table.batches(["a", "b"], 100) for column in batch.columns]
    assert [column.to_pylist() for column in found] == [["1", "2.5", None, None, "x"], [None, None, "true", None, None]]


def test_an_open_table_takes_other_columns(tmp_path):
    (tmp_path / "rows.csv").write_text("a,b,y\n1,x,1\n2,y,0\n")
    table = open_table(tmp_path / "rows.csv")
    again = open_table(table, label="y", drop=["b"])
    assert (again.X.names, again.y.name) == (["a"], "y")
    assert open_table(again, features=["a"]).X.roles == {"label": "y"}
    with pytest.raises(ValueError, match="encoding must be left out for a table that is open already"):
        open_table(table, encoding="utf-8")


def test_types_by_hand():
    cells = {"code": [7, 8, 7, 9], "size": ["1", "about 2", "3", "4"], "when": ["1.2.2024", "soon", "3.4.2024", ""]}
    table = open_table(cells, categorical=["code"], numeric=["size"], date=["when"])
    schema = table.X.learn_schema("from_dtype")
    rows = table.X.open(schema).gather(np.arange(4))
    assert schema.column_labels[:2] == ["code", "size"]
    assert schema.levels == {0: (7, 8, 9)}
    np.testing.assert_array_equal(rows[:, 1], [1, np.nan, 3, 4])
    assert np.isnan(rows[[1, 3], 2]).all()
    assert np.isfinite(rows[[0, 2], 2]).all()
    # A model reads later tables the same way, whatever stands in their cells.
    later = open_table(cells | {"size": ["none of it", "5", "6", "x"]}).X.open(schema).gather(np.arange(4))
    np.testing.assert_array_equal(later[:, 1], [np.nan, 5, 6, np.nan])


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"numeric": ["word"]}, r"Column 'word' of X must hold some numbers, as you say\. Got text such as 'a'"),
        ({"date": ["word"]}, r"Column 'word' of X must hold some dates, as you say"),
        ({"numeric": ["none"]}, r"numeric must name a column of the table\. Got 'none'"),
        ({"numeric": "word"}, r"numeric must be a list of column names"),
        ({"numeric": ["word"], "date": ["word"]}, r"date must name other columns\. Got 'word', which is numeric, too"),
    ],
)
def test_types_that_cannot_be(options, sentence):
    with pytest.raises(ValueError, match=sentence):
        open_table({"word": ["a", "b"], "size": [1, 2]}, **options).X.learn_schema("from_dtype")


def good_workbook(path):
    book = openpyxl.Workbook()
    for row in (["a", "b"], [1, 2], [3, 4]):
        book.active.append(row)
    book.save(path)
    return path.read_bytes()


def blob(path):
    with closing(sqlite3.connect(path)) as opened:
        opened.execute("CREATE TABLE one (a INTEGER, picture BLOB)")
        opened.execute("INSERT INTO one VALUES (1, x'00ff')")
        opened.commit()


def two_tables(path):
    with closing(sqlite3.connect(path)) as opened:
        for name in ("one", "two"):
            opened.execute(f"CREATE TABLE {name} (a INTEGER)")
        opened.commit()


def odd_names(path):
    with closing(sqlite3.connect(path)) as opened:
        opened.execute("CREATE TABLE one (abcd INTEGER)")
    path.write_bytes(path.read_bytes().replace(b"abcd", b"ab\xffd"))


def locked(path):
    two_tables(path)
    opened = sqlite3.connect(path)
    opened.execute("BEGIN EXCLUSIVE")
    return opened


BROKEN = {
    "truncated workbook": ("x.xlsx", lambda path: path.write_bytes(good_workbook(path)[:900]), {}, "be an Excel or"),
    "text as a workbook": ("x.xlsx", b"a,b\n1,2\n", {}, "be an Excel or OpenDocument workbook that can be read"),
    "empty workbook": ("x.xlsx", b"", {}, "be an Excel or OpenDocument workbook that can be read"),
    "wrong sheet": ("x.xlsx", good_workbook, {"sheet": "May"}, "sheet must name a sheet of 'x.xlsx'. Got 'May'"),
    "sheet of a text": ("x.csv", b"a\n1\n", {"sheet": "May"}, "sheet must be left out for csv files. Got 'May'"),
    "query of a text": ("x.csv", b"a\n1\n", {"query": "one"}, "query must be left out for csv files"),
    "encoding of a workbook": ("x.xlsx", good_workbook, {"encoding": "utf-8"}, "encoding must be left out for excel"),
    "no such encoding": ("x.csv", b"a\n1\n", {"encoding": "klingon"}, "encoding must name an encoding that Python"),
    "wrong encoding": ("x.csv", "a\né\n".encode(), {"encoding": "ascii"}, "must be text in ascii. Got bytes that are"),
    "wrong encoding of JSON": ("x.jsonl", '{"a": "é"}'.encode(), {"encoding": "ascii"}, "must be text in ascii"),
    "no encoding of text": ("x.csv", b"a\n1\n", {"encoding": "rot13"}, "encoding must name an encoding that Python"),
    "endless JSON": ("x.jsonl", b" " * (2**24 + 1), {}, "at most 16,777,216 characters in a line. Got more in line 1"),
    "no such format": ("x.csv", b"a\n1\n", {"file_format": "word"}, "file_format must be one of 'arrow', 'parquet'"),
    "unknown ending": ("x.docx.zip.foo", b"a\n1\n", {}, "Files of a table must end in"),
    "binary garbage": ("x.csv", bytes(range(256)) * 50, {}, "'x.csv' must hold text. Got zero bytes"),
    "zeros": ("x.csv", b"a,b\n1,2\n" + b"\0\0\0", {}, "'x.csv' must hold text. Got zero bytes"),
    "empty text": ("x.csv", b"", {}, "must name its columns in its first row"),
    "blank text": ("x.csv", b"\n\n\n", {}, "must name its columns in its first row"),
    "two columns of a name": ("x.csv", b"a,a\n1,2\n", {}, "must have different names"),
    "quote in the middle": (
        "x.csv",
        b'a,b\n1,2\n"3,4\n5,6\n',
        {},
        "Quotes of 'x.csv' must be closed. Got one .* line 3",
    ),
    "long line": ("x.csv", b"a,b\n1,2\n1,2,3\n", {}, "have a value for each of its 2 columns. Got 3 in line 3"),
    "damaged gzip": ("x.csv.gz", gzip.compress(ROWS.encode() * 99)[:-30], {}, "must be a readable text file"),
    "no gzip": ("x.csv.gz", b"a,b\n", {}, "must be a readable text file"),
    "broken JSON": ("x.jsonl", b'{"a": 1}\n{"a": 2\n', {}, "'x.jsonl' must hold JSON. Got an error in line 2"),
    "nested JSON": ("x.jsonl", b'{"a": 1}\n{"a": {"b": 2}}\n', {}, "Got an object in line 2, key 'a'"),
    "lists in JSON": ("x.json", b'[{"a": [1]}]', {}, "Got an array in object 0, key 'a'"),
    "numbers in JSON": ("x.jsonl", b"1\n2\n", {}, "hold an object for every row. Got a text or a number in line 1"),
    "null in JSON": ("x.jsonl", b"null\n", {}, "Got null in line 1"),
    "object in place of an array": (
        "x.json",
        b'{"a": 1}',
        {},
        "hold an array of objects. Got an object; name it .jsonl",
    ),
    "lines in place of an array": ("x.json", b'{"a": 1}\n{"a": 2}\n', {}, "must hold JSON. Got an error in line 2"),
    "empty array": ("x.json", b"[]", {}, "hold objects with keys, which are columns. Got none"),
    "empty lines": ("x.jsonl", b"\n\n", {}, "hold objects with keys, which are columns. Got none"),
    "deep JSON": ("x.json", b"[" * 100_000, {}, "must hold JSON"),
    "text as SQLite": ("x.sqlite", b"a,b\n1,2\n" * 200, {}, "must be a SQLite file that can be read"),
    "empty SQLite": ("x.sqlite", b"", {}, "query must name a table of 'x.sqlite'. Got none; name another file"),
    "two tables": ("x.sqlite", two_tables, {}, "query must name a table .* choose among 'one', 'two'"),
    "no such table": ("x.sqlite", two_tables, {"query": "three"}, "Got 'three', which does not exist"),
    "wrong SQL": ("x.sqlite", two_tables, {"query": "SELECT b FROM one"}, "an error .no such column: b.; check"),
    "SQL without rows": ("x.sqlite", two_tables, {"query": "ATTACH 'y.db' AS y"}, "not authorized"),
    "binary columns": ("x.sqlite", blob, {}, "Column 'picture' must hold text and numbers. Got binary data"),
    "names that are no text": ("x.sqlite", odd_names, {}, "must be a SQLite file"),
    "text as DuckDB": ("x.duckdb", b"a,b\n1,2\n" * 2000, {}, "must be a DuckDB file that can be read"),
    "text as ORC": ("x.orc", b"a,b\n1,2\n", {}, "must be a readable orc file"),
    "truncated Parquet": ("x.parquet", b"PAR1 and no more", {}, "must be a readable parquet file"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_what_is_broken_costs_one_sentence(case, tmp_path):
    name, content, options, sentence = BROKEN[case]
    path = tmp_path / name
    if callable(content):
        content(path)
    else:
        path.write_bytes(content)
    with pytest.raises(ValueError, match=sentence) as raised:
        open_table(path, **options)
    assert "\n" not in str(raised.value)


def test_a_database_reads_no_other_file(tmp_path):
    secret, path = tmp_path / "secret.csv", tmp_path / "rows.duckdb"
    secret.write_text("word\nxyzzy\n")
    with database("duckdb", path) as opened:
        opened.execute(f"CREATE VIEW words AS SELECT * FROM read_csv('{secret}')")
    for query in (None, f"SELECT * FROM '{secret}'"):
        with pytest.raises(ValueError, match="must be a DuckDB file that can be read"):
            open_table(path, query=query)


def test_a_locked_database(tmp_path, monkeypatch):
    monkeypatch.setattr("s2auc.data.tables.formats.databases._BUSY_SECONDS", 0.01)
    sentence = r"an error \(database is locked\); check that nothing else writes to it"
    with closing(locked(tmp_path / "x.sqlite")), pytest.raises(ValueError, match=sentence):
        open_table(tmp_path / "x.sqlite", query="one")


def test_empty_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
    with pytest.raises(ValueError, match="Standard input must hold a table"):
        open_table("-")


@pytest.mark.parametrize(
    ("module", "file", "extra"), [("python_calamine", "x.xlsx", "excel"), ("duckdb", "x.duckdb", "duckdb")]
)
def test_missing_libraries_are_named(module, file, extra, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, module, None)
    (tmp_path / file).write_bytes(b"")
    with pytest.raises(ImportError, match=rf"pip install 's2auc\[{extra}\]'"):
        open_table(tmp_path / file)


def test_an_address_without_fsspec(monkeypatch):
    monkeypatch.setitem(sys.modules, "fsspec", None)
    with pytest.raises(ImportError, match=r"pip install 's2auc\[remote\]'"):
        open_table("s3://bucket/rows.csv")
