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
import pandas as pd
import pytest

from broken_tables import BROKEN, locked, make_broken
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


@pytest.mark.parametrize("case", BROKEN)
def test_what_is_broken_costs_one_sentence(case, tmp_path):
    path, options, sentence = make_broken(case, tmp_path)
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


def test_addresses_of_several_files(tmp_path):
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "rows.csv").write_text(ROWS)
    addresses = [f"file://{tmp_path}/{name}/rows.csv" for name in ("a", "b")]
    assert open_table(addresses).n_rows == 4
    assert open_table([*addresses, tmp_path / "a" / "rows.csv"]).n_rows == 6


def test_names_of_columns_are_those_of_a_text_file(tmp_path):
    (tmp_path / "rows.csv").write_text(",size ,y\n1,2,3\n")
    (tmp_path / "rows.json").write_text('[{"": 1, "size ": 2, "y": 3}]')
    with closing(sqlite3.connect(tmp_path / "rows.sqlite")) as opened:
        opened.execute('CREATE TABLE one ("" INTEGER, "size " INTEGER, y INTEGER)')
        opened.commit()
    for ending in ("csv", "json", "sqlite"):
        assert open_table(tmp_path / f"rows.{ending}").names == ["Unnamed: 0", "size", "y"]


def test_a_letter_by_accident_is_no_mixture(tmp_path):
    (tmp_path / "rows.csv").write_bytes(("a\n" + "é\n" * 200 + "Ã©\n").encode("cp1252"))
    with pytest.warns(UserWarning, match="read as cp1252"):
        (batch,) = open_table(tmp_path / "rows.csv").batches(["a"], 1000)
    assert batch.column(0)[0].as_py() == "é"


def test_an_odd_quote_in_a_value_of_several_lines_is_fine(tmp_path):
    (tmp_path / "rows.csv").write_text('a,b\n"5"" pipe\n6, 7",1\nx,2\n')
    assert cells_of(open_table(tmp_path / "rows.csv")) == [['5" pipe\n6, 7', "x"], ["1", "2"]]
