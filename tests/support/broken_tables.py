"""Tables that cannot be read: how to make them, options to read them with, and the sentence that says why."""

import gzip
import sqlite3
from contextlib import closing

import duckdb
import openpyxl


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


def two_tables_of_duckdb(path):
    with duckdb.connect(path) as opened:
        for name in ("one", "two"):
            opened.execute(f"CREATE TABLE {name} (a INTEGER)")


BROKEN = {
    "truncated workbook": ("x.xlsx", lambda path: path.write_bytes(good_workbook(path)[:900]), {}, "be an Excel or"),
    "text as a workbook": ("x.xlsx", b"a,b\n1,2\n", {}, "be an Excel or OpenDocument workbook that can be read"),
    "empty workbook": ("x.xlsx", b"", {}, "be an Excel or OpenDocument workbook that can be read"),
    "wrong sheet": ("x.xlsx", good_workbook, {"sheet": "May"}, "sheet must name a sheet of 'x.xlsx'. Got 'May'"),
    "sheet of a text": ("x.csv", b"a\n1\n", {"sheet": "May"}, "sheet must be left out for csv files. Got 'May'"),
    "query of a text": ("x.csv", b"a\n1\n", {"query": "one"}, "query must be left out for csv files"),
    "encoding of a workbook": ("x.xlsx", good_workbook, {"encoding": "utf-8"}, "encoding must be left out for excel"),
    "two encodings": (
        "x.csv",
        "a,b\né,1\n".encode() + "ü,3\n".encode("cp1252"),
        {},
        "'x.csv' must be in one encoding. Got UTF-8 in line 2 and something else in line 3",
    ),
    "half a letter of UTF-16": ("x.csv", "a,b\n1,2\n".encode("utf-16")[:-1], {}, "must be text in utf-16"),
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
    "quote in the second line of a row": (
        "x.csv",
        b'a,b,c\n1,2,3\n1,"x ""y"" \nz","open\n4,5,6\n',
        {},
        "Quotes of 'x.csv' must be closed. Got one that is not, in line 4; close it",
    ),
    "quote that closes at the next": (
        "x.csv",
        b'a,b\n1,2\n1,"open\n2,"x"\n3,4\n',
        {},
        "Quotes of 'x.csv' must be closed. Got one that is not, in line 3; close it",
    ),
    "long line": ("x.csv", b"a,b\n1,2\n1,2,3\n", {}, "have a value for each of its 2 columns. Got 3 in line 3"),
    "damaged gzip": ("x.csv.gz", gzip.compress(b"a,b\n1,2\n" * 99)[:-20], {}, "must be a readable text file"),
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
    "keys that differ by blanks": ("x.jsonl", b'{"a": 1, "a ": 2}', {}, "must have different names. Got 'a' more than"),
    "text in JSON": ("x.jsonl", b"a,b\n1,2\n", {}, "'x.jsonl' must hold JSON. Got an error in line 1"),
    "binary JSON": ("x.jsonl", bytes(range(256)), {}, "'x.jsonl' must hold text. Got zero bytes"),
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
    "two statements": (
        "x.duckdb",
        two_tables_of_duckdb,
        {"query": "SELECT a FROM one; SELECT 1"},
        "query must return rows",
    ),
    "no such table of DuckDB": (
        "x.duckdb",
        two_tables_of_duckdb,
        {"query": "three"},
        "Got 'three', which does not exist",
    ),
    "wrong SQL of DuckDB": ("x.duckdb", two_tables_of_duckdb, {"query": "SELECT b FROM one"}, "an error .*b"),
    "text as Arrow": (
        "x.feather",
        b"a,b\n1,2\n" * 99,
        {},
        "must be a readable Arrow file. Got an error .Could not open",
    ),
    "text as ORC": ("x.orc", b"a,b\n1,2\n", {}, "must be a readable orc file"),
    "truncated Parquet": ("x.parquet", b"PAR1 and no more", {}, "must be a readable parquet file"),
}
"""For each case: the name of a file, its bytes or what writes it, options of `open_table`, and a regular expression."""


def make_broken(case, folder):
    """Return the path of a broken table, the options to open it with, and the sentence to expect."""
    name, content, options, sentence = BROKEN[case]
    path = folder / name
    if callable(content):
        content(path)
    else:
        path.write_bytes(content)
    return path, options, sentence
